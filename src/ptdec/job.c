// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/job.h"

#include <errno.h>
#include <stdio.h>
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
	    !take(bytes, sz, &at, &j->chunks, j->head.chunk_cnt, sizeof(*j->chunks)))
		return -EBADMSG;
	return 0;
}

/* Our own view of a section, for the lengths of its instructions. */
static void map_code(struct job *j, const struct itrace_section *s, size_t isid)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), off = s->off & ~(page - 1);
	const uint8_t *bytes;
	struct stat st;
	int fd = ITRACE_IMAGE_FD + (int)s->image;
	uint64_t sz = s->sz;

	if (isid >= j->code_cnt || j->code[isid].bytes || fstat(fd, &st) ||
	    s->off >= (uint64_t)st.st_size)
		return;
	if (sz > (uint64_t)st.st_size - s->off)
		sz = (uint64_t)st.st_size - s->off;
	bytes = mmap(NULL, sz + (s->off - off), PROT_READ, MAP_PRIVATE, fd, (off_t)off);
	if (bytes == MAP_FAILED)
		return;
	j->code[isid] = (struct job_code){ bytes + (s->off - off), s->vaddr, sz };
}

/*
 * libipt opens a section's file when it first reads it, and the cache keeps it mapped: one byte is
 * read of each, before this process gives up opening files.
 */
static void open_sections(struct job *j)
{
	char path[32];
	uint8_t byte;
	uint32_t i;

	for (i = 0; i < j->head.section_cnt; i++) {
		const struct itrace_section *s = &j->sections[i];

		snprintf(path, sizeof(path), "/proc/self/fd/%u", ITRACE_IMAGE_FD + s->image);
		j->isids[i] = s->image < j->head.image_cnt
				      ? pt_iscache_add_file(j->cache, path, s->off, s->sz, s->vaddr)
				      : -1;
		if (j->isids[i] < 0)
			continue;
		if (pt_iscache_read(j->cache, &byte, 1, j->isids[i], s->vaddr) != 1)
			j->isids[i] = -1;
		else
			map_code(j, s, (size_t)j->isids[i]);
	}
}

int job__open(struct job *j)
{
	int err = read_job(j);

	if (err)
		return err;
	j->code_cnt = (size_t)j->head.section_cnt + 1;
	j->cache = pt_iscache_alloc(NULL);
	j->isids = calloc(j->code_cnt, sizeof(*j->isids));
	j->code = calloc(j->code_cnt, sizeof(*j->code));
	j->images = calloc((size_t)j->head.space_cnt + 1, sizeof(*j->images));
	if (!j->cache || !j->isids || !j->code || !j->images)
		return -ENOMEM;
	open_sections(j);
	return 0;
}

uint32_t job__space(const struct job *j, int32_t pid, uint64_t time_ns)
{
	uint32_t lo = 0, hi = j->head.space_cnt, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (j->spaces[mid].pid < pid ||
		    (j->spaces[mid].pid == pid && j->spaces[mid].from_ns <= time_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	/* A process is known a moment after it begins. */
	if (lo && j->spaces[lo - 1].pid == pid)
		return lo - 1;
	return lo < j->head.space_cnt && j->spaces[lo].pid == pid ? lo : j->head.space_cnt;
}

static struct pt_image *make_image(const struct job *j, uint32_t space)
{
	struct pt_image *image = pt_image_alloc(NULL);
	uint32_t i;

	if (!image)
		return NULL;
	for (i = 0; i < j->head.section_cnt; i++) {
		const struct itrace_section *s = &j->sections[i];

		if (j->isids[i] >= 0 && (s->space == UINT32_MAX || s->space == space))
			pt_image_add_cached(image, j->cache, j->isids[i], NULL);
	}
	return image;
}

struct pt_image *job__image(struct job *j, uint32_t space)
{
	if (!j->images[space])
		j->images[space] = make_image(j, space);
	return j->images[space];
}

/* The first section of a space, or of a later one. */
static uint32_t first_section(const struct job *j, uint32_t space)
{
	uint32_t lo = 0, hi = j->head.section_cnt, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (j->sections[mid].space < space)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const uint8_t *job__find_code(const struct job *j, uint32_t space, uint64_t addr, int *isid,
			      size_t *sz)
{
	uint32_t i = first_section(j, space);
	const uint8_t *p;

	for (; i < j->head.section_cnt; i++) {
		/* Behind those of the space comes the kernel. */
		if (j->sections[i].space != space) {
			i = first_section(j, UINT32_MAX);
			space = UINT32_MAX;
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
