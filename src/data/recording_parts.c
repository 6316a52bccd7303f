// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/recording_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/inflate.h"
#include "data/perf_sample.h"
#include "data/reader.h"
#include "data/recording.h"
#include "util/array.h"
#include "util/log.h"

struct part {
	struct reader *reader;
	struct record raw; /* the next one, if got is 1 */
	uint64_t time_ns; /* its time; 0: it has none */
	int got; /* of recording__next() */
	bool is_taken; /* raw was handed on */
};

struct recording_parts {
	struct part *list; /* the first one is `data` */
	size_t cnt, cap;
	int err; /* of the first file that is damaged */
};

static int add(struct recording_parts *p, struct reader *reader)
{
	if (array__reserve((void **)&p->list, &p->cap, p->cnt + 1, sizeof(*p->list)))
		return -ENOMEM;
	p->list[p->cnt++] = (struct part){ .reader = reader, .got = 1, .is_taken = true };
	return 0;
}

static void free_reader(struct reader *r)
{
	if (r->fd >= 0)
		close(r->fd);
	input__free(&r->in);
	inflate__free(r->inflate);
	free(r->path);
	free(r);
}

/* Is it a regular file that belongs to the owner of the recording, or to root? */
static bool is_part(const struct recording *rec, const struct stat *st)
{
	struct stat first;

	return S_ISREG(st->st_mode) && !fstat(rec->reader->fd, &first) &&
	       (!st->st_uid || st->st_uid == first.st_uid);
}

/* 1: opened; 0: there is no such file; -errno after one sentence. */
static int open_part(struct recording *rec, const char *path)
{
	struct reader *r;
	struct stat st;
	int fd = -1, err;

	/* The directory may be of another user: to open a device has effects. */
	if (lstat(path, &st) || is_part(rec, &st))
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	else
		errno = EINVAL;
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 && (errno == EINVAL || errno == ELOOP)) {
		log_error(
			"%s is no file of the owner of %s, so that is no recording of perf record "
			"--threads",
			path, rec->path);
		return -EBADMSG;
	}
	if (fd < 0 || fstat(fd, &st)) {
		err = -errno;
		log_error("cannot open %s: %s%s", path, strerror(-err),
			  err == -EMFILE ? "; raise the limit of open files (ulimit -n)" : "");
		if (fd >= 0)
			close(fd);
		return err;
	}
	if (!is_part(rec, &st)) {
		log_error("%s was replaced while %s was opened", path, rec->path);
		close(fd);
		return -EBADMSG;
	}
	r = calloc(1, sizeof(*r));
	if (!r) {
		close(fd);
		return reader__log_no_memory(rec);
	}
	r->fd = fd;
	r->has_new_events = true;
	r->path = strdup(path);
	input__init(&r->in, fd, 0, UINT64_MAX);
	if (!r->path || add(rec->parts, r)) {
		free_reader(r);
		return reader__log_no_memory(rec);
	}
	rec->parts_sz += (uint64_t)st.st_size;
	return 1;
}

int recording_parts__open(struct recording *rec)
{
	const char *slash = strrchr(rec->path, '/');
	int len = slash ? (int)(slash - rec->path) + 1 : 0, got = 1;
	char path[PATH_MAX], later[PATH_MAX];
	unsigned int i;

	snprintf(path, sizeof(path), "%.*sdata.0", len, rec->path);
	if (rec->is_pipe || strcmp(rec->path + len, "data") != 0 || access(path, F_OK))
		return 0;
	rec->parts = calloc(1, sizeof(*rec->parts));
	if (!rec->parts || add(rec->parts, rec->reader))
		return reader__log_no_memory(rec);
	for (i = 0; got == 1; i++) {
		snprintf(path, sizeof(path), "%.*sdata.%u", len, rec->path, i);
		got = open_part(rec, path);
	}
	/* perf numbers them without a gap. */
	snprintf(later, sizeof(later), "%.*sdata.%u", len, rec->path, i);
	if (!got && !access(later, F_OK)) {
		log_error(
			"%s is missing, so %s is not whole; take a complete copy of its directory",
			path, rec->path);
		return -EBADMSG;
	}
	return got;
}

bool recording_parts__has_ring_each(const struct recording *rec)
{
	return rec->parts && rec->online_cpu_cnt && rec->parts->cnt > rec->online_cpu_cnt;
}

void recording_parts__check(struct recording *rec, bool is_directory)
{
	if (rec->parts && !is_directory && !rec->is_cut)
		recording_parts__close(rec);
	if (rec->parts)
		rec->sz += rec->parts_sz;
}

void recording_parts__close(struct recording *rec)
{
	size_t i;

	if (!rec->parts)
		return;
	if (rec->parts->cnt)
		rec->reader = rec->parts->list[0].reader;
	for (i = 1; i < rec->parts->cnt; i++)
		free_reader(rec->parts->list[i].reader);
	free(rec->parts->list);
	free(rec->parts);
	rec->parts = NULL;
}

static void read_on(struct recording *rec, struct part *part)
{
	uint64_t time_ns;

	rec->reader = part->reader;
	part->is_taken = false;
	part->got = reader__next(rec, &part->raw);
	if (part->got < 0 && !rec->parts->err)
		rec->parts->err = part->got;
	if (part->got <= 0)
		return;
	time_ns = part->raw.kind == RECORD_OTHER || part->raw.kind == RECORD_ROUND
			  ? 0
			  : perf_sample__time(&rec->attrs, rec->swap, part->raw.hdr);
	part->time_ns = time_ns == UINT64_MAX ? 0 : time_ns;
}

int recording_parts__next(struct recording *rec, struct record *raw)
{
	struct recording_parts *p = rec->parts;
	struct part *first = NULL, *part;
	size_t i;

	for (i = 0; i < p->cnt; i++) {
		part = &p->list[i];
		if (part->got > 0 && part->is_taken)
			read_on(rec, part);
		if (part->got > 0 && (!first || part->time_ns < first->time_ns))
			first = part;
	}
	rec->reader = (first ? first : p->list)->reader;
	if (!first) {
		rec->read_sz = 0;
		for (i = 0; i < p->cnt; i++) {
			rec->read_sz += p->list[i].reader->in.off;
			rec->is_stopped |= p->list[i].reader->in.is_stopped;
		}
		return p->err;
	}
	first->is_taken = true;
	*raw = first->raw;
	return 1;
}
