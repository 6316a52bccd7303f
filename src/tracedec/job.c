// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "tracedec/job.h"
#include "util/partition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Takes one array of the job; *at moves behind it. */
static bool take(const uint8_t *bytes, size_t sz, size_t *at, const void *to, size_t cnt,
		 size_t each)
{
	if (cnt > (sz - *at) / each)
		return false;
	*(const void **)to = bytes + *at;
	*at += cnt * each;
	return true;
}

static int read_job(struct job *j)
{
	struct stat st;
	const uint8_t *bytes;
	size_t at = sizeof(j->head), sz;

	if (fstat(ITRACE_JOB_FD, &st))
		return -errno;
	sz = (size_t)st.st_size;
	if (sz < sizeof(j->head))
		return -EBADMSG;
	bytes = mmap(NULL, sz, PROT_READ, MAP_PRIVATE, ITRACE_JOB_FD, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	memcpy(&j->head, bytes, sizeof(j->head));
	if (j->head.magic != ITRACE_MAGIC ||
	    !take(bytes, sz, &at, &j->sections, j->head.section_cnt, sizeof(*j->sections)) ||
	    !take(bytes, sz, &at, &j->spaces, j->head.space_cnt, sizeof(*j->spaces)) ||
	    !take(bytes, sz, &at, &j->switches, j->head.switch_cnt, sizeof(*j->switches)) ||
	    !take(bytes, sz, &at, &j->queues, j->head.queue_cnt, sizeof(*j->queues)) ||
	    !take(bytes, sz, &at, &j->pieces, j->head.piece_cnt, sizeof(*j->pieces)) ||
	    !take(bytes, sz, &at, &j->chunks, j->head.chunk_cnt, sizeof(*j->chunks)) ||
	    !take(bytes, sz, &at, &j->etms, j->head.etm_cnt, sizeof(*j->etms)) ||
	    !take(bytes, sz, &at, &j->threads, j->head.thread_cnt, sizeof(*j->threads)) ||
	    !take(bytes, sz, &at, &j->pokes, j->head.poke_cnt, sizeof(*j->pokes)))
		return -EBADMSG;
	return 0;
}

void job__map_code(struct job *j, uint32_t i, int isid)
{
	const struct itrace_section *s = &j->sections[i];
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), off = s->off & ~(page - 1);
	int prot = s->space == JOB_KERNEL ? PROT_READ | PROT_WRITE : PROT_READ;
	uint8_t *bytes;
	struct stat st;
	int fd = ITRACE_IMAGE_FD + (int)s->image;
	uint64_t sz = s->sz;

	if ((size_t)isid >= j->code_cnt || j->code[isid].bytes || fstat(fd, &st) ||
	    s->off >= (uint64_t)st.st_size)
		return;
	if (sz > (uint64_t)st.st_size - s->off)
		sz = (uint64_t)st.st_size - s->off;
	bytes = mmap(NULL, sz + (s->off - off), prot, MAP_PRIVATE, fd, (off_t)off);
	if (bytes == MAP_FAILED)
		return;
	j->code[isid] = (struct job_code){ bytes + (s->off - off), s->vaddr, sz };
}

int job__open(struct job *j)
{
	int err = read_job(j);

	if (err)
		return err;
	j->code_cnt = (size_t)j->head.section_cnt + 1;
	j->isids = calloc(j->code_cnt, sizeof(*j->isids));
	j->code = calloc(j->code_cnt, sizeof(*j->code));
	return j->isids && j->code ? 0 : -ENOMEM;
}

uint32_t job__space(const struct job *j, int32_t pid, uint64_t time_ns)
{
	uint32_t lo = partition_point(0, j->head.space_cnt, i,
				      j->spaces[i].pid < pid || (j->spaces[i].pid == pid &&
								 j->spaces[i].from_ns <= time_ns));

	/* A process is known a moment after it begins. */
	if (lo && j->spaces[lo - 1].pid == pid)
		return lo - 1;
	return lo < j->head.space_cnt && j->spaces[lo].pid == pid ? lo : j->head.space_cnt;
}

uint32_t job__switches(const struct job *j, const struct itrace_queue *q, uint32_t from,
		       uint64_t time_ns)
{
	const struct itrace_switch *sw = j->switches + q->first_switch;

	return partition_point(from, q->switch_cnt, i, sw[i].time_ns <= time_ns);
}

/* The first section of a space, or of a later one. */
static uint32_t first_section(const struct job *j, uint32_t space)
{
	return partition_point(0, j->head.section_cnt, i, j->sections[i].space < space);
}

const uint8_t *job__find_code(const struct job *j, uint32_t space, uint64_t addr, int *isid,
			      size_t *sz)
{
	uint32_t i = first_section(j, space);
	const uint8_t *p;

	for (; i < j->head.section_cnt; i++) {
		/* Behind those of the space comes the kernel. */
		if (j->sections[i].space != space) {
			i = first_section(j, JOB_KERNEL);
			space = JOB_KERNEL;
			if (i == j->head.section_cnt)
				break;
		}
		p = job__code(j, j->isids[i], addr, sz);
		if (!p)
			continue;
		*isid = j->isids[i];
		return p;
	}
	return NULL;
}

bool job__read(const struct job *j, const struct itrace_chunk *chunk, uint8_t *buf)
{
	uint64_t left = chunk->sz + chunk->tail_sz, skip = chunk->skip, n;
	uint32_t i;
	ssize_t got;

	for (i = chunk->first_piece; left && i < j->head.piece_cnt; i++, skip = 0) {
		if (skip > j->pieces[i].sz)
			return false;
		n = j->pieces[i].sz - skip;
		n = n < left ? n : left;
		got = pread(ITRACE_DATA_FD, buf, n, (off_t)(j->pieces[i].off + skip));
		if (got < 0 || (uint64_t)got < n)
			return false;
		buf += n;
		left -= n;
	}
	return !left;
}

const uint8_t *job__code(const struct job *j, int isid, uint64_t addr, size_t *sz)
{
	const struct job_code *code;

	if (isid <= 0 || (size_t)isid >= j->code_cnt)
		return NULL;
	code = &j->code[isid];
	if (!code->bytes || addr < code->vaddr || addr - code->vaddr >= code->sz)
		return NULL;
	*sz = (size_t)(code->sz - (addr - code->vaddr));
	return code->bytes + (addr - code->vaddr);
}
