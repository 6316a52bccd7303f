// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct probe *probe__new(void)
{
	struct probe *p = calloc(1, sizeof(*p));

	if (p)
		p->weight = -1;
	return p;
}

int probe_file__get(struct probe_file *file, int fd, const char *path)
{
	struct stat st;

	/* Files are compared as bytes. */
	memset(file, 0, sizeof(*file));
	if (fd >= 0 ? fstat(fd, &st) : stat(path, &st))
		return -errno;
	file->dev = st.st_dev;
	file->ino = st.st_ino;
	file->sz = (uint64_t)st.st_size;
	file->mtime_s = st.st_mtim.tv_sec;
	file->mtime_ns = st.st_mtim.tv_nsec;
	return 0;
}

void probe__free(struct probe *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->field_cnt; i++)
		free(p->fields[i].steps);
	free(p->fields);
	free(p->path);
	free(p->func);
	free(p);
}

int fetch_field__add(struct fetch_field *f, enum fetch_op op, uint8_t size, bool is_signed,
		     int64_t imm)
{
	struct fetch_step *steps = reallocarray(f->steps, f->step_cnt + 1, sizeof(*steps));

	if (!steps)
		return -ENOMEM;
	f->steps = steps;
	steps[f->step_cnt++] = (struct fetch_step){
		.op = (uint8_t)op, .size = size, .is_signed = is_signed, .imm = imm
	};
	return 0;
}

const char *hit_class__name(enum hit_class c)
{
	switch (c) {
	case HIT_STEP:
	case HIT_PUSH:
	case HIT_ENDBR:
	case HIT_SUB:
		return "trap";
	case HIT_NOP5:
		return "nop5";
	case HIT_KERNEL:
		return "kprobe";
	default:
		return NULL;
	}
}
