// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/jit_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sym/root.h"
#include "util/array.h"
#include "util/fs.h"
#include "util/proc_status.h"
#include "host/proc_task.h"

struct jit_fn {
	uint64_t start, end;
	uint32_t name_at; /* offset in the text: increases in the order of writing */
};

bool jit_owner__read(struct jit_owner *owner, int32_t pid)
{
	char path[64], *text, *p;
	unsigned int real;
	bool found = false;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	text = fs__read_file(path, NULL);
	if (!text)
		return false;
	found = proc_status__uids(text, &real, &owner->uid);
	owner->pid = pid;
	p = strstr(text, "\nNSpid:");
	for (p = p ? p + 7 : NULL; p && (*p == '\t' || *p == ' ');) {
		long n = strtol(p, &p, 10);

		owner->pid = (int32_t)n;
	}
	free(text);
	return found;
}

int jit_map__open(int32_t pid)
{
	char path[64], map[64];
	struct jit_owner owner;
	int root, fd;

	if (!jit_owner__read(&owner, pid))
		return -1;
	snprintf(path, sizeof(path), "/proc/%d/root", pid);
	snprintf(map, sizeof(map), "/tmp/perf-%d.map", owner.pid);
	root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0) {
		snprintf(path, sizeof(path), "/proc/%d/root", proc_task__live_thread(pid));
		root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	if (root < 0)
		return -1;
	fd = root__open_owned(root, map, owner.uid);
	close(root);
	return fd;
}

/* Opens the map of a process, by the pid that it had there, in our own /tmp. */
static int open_own(int32_t pid, unsigned int uid)
{
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), fd;
	char map[64];

	if (root < 0)
		return -1;
	snprintf(map, sizeof(map), "/tmp/perf-%d.map", pid);
	fd = root__open_owned(root, map, uid);
	close(root);
	return fd;
}

int jit_map__open_final(const struct jit_owner *owner, int root_fd, int64_t since_real_ns)
{
	char map[64];
	struct stat st;
	int fd;

	snprintf(map, sizeof(map), "/tmp/perf-%d.map", owner->pid);
	fd = root_fd < 0 ? open_own(owner->pid, owner->uid)
			 : root__open_owned(root_fd, map, owner->uid);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) &&
	    st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec >= since_real_ns)
		return fd;
	close(fd);
	return -1;
}

int jit_map__open_recorded(int32_t pid)
{
	return open_own(pid, geteuid());
}

static int cmp_fn(const void *a, const void *b)
{
	const struct jit_fn *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->name_at < y->name_at ? -1 : x->name_at > y->name_at;
}

/* Keeps the younger ones of overlapping functions. Returns the remaining number. */
static size_t drop_overwritten(struct jit_fn *fns, size_t cnt)
{
	size_t i, kept = 0;

	for (i = 0; i < cnt; i++) {
		while (kept && fns[kept - 1].end > fns[i].start &&
		       fns[kept - 1].name_at < fns[i].name_at)
			kept--;
		if (!kept || fns[kept - 1].end <= fns[i].start)
			fns[kept++] = fns[i];
	}
	return kept;
}

/* Parses "START SIZE NAME", hexadecimal; its newline is already replaced by a NUL. */
static bool parse_line(char *text, char *line, struct jit_fn *fn)
{
	char *p;
	uint64_t sz;

	fn->start = strtoull(line, &p, 16);
	if (p == line || *p != ' ')
		return false;
	line = p + 1;
	sz = strtoull(line, &p, 16);
	if (p == line || *p != ' ' || !p[1] || !sz || fn->start + sz < fn->start)
		return false;
	fn->end = fn->start + sz;
	fn->name_at = (uint32_t)(p + 1 - text);
	return true;
}

static int parse(struct elf_syms *syms, char *text, size_t len)
{
	struct jit_fn *fns = NULL;
	size_t cnt = 0, cap = 0, i;
	char *line, *nl;
	int err = 0;

	/* A line that is still being written has no newline: it is read next time. */
	for (line = text; (nl = memchr(line, '\n', len - (size_t)(line - text))); line = nl + 1) {
		*nl = '\0';
		err = array__reserve((void **)&fns, &cap, cnt + 1, sizeof(*fns));
		if (err)
			goto out;
		cnt += parse_line(text, line, &fns[cnt]);
	}
	/* Most compilers write functions in the order of their addresses. */
	for (i = 1; i < cnt; i++)
		if (cmp_fn(&fns[i - 1], &fns[i]) > 0)
			break;
	if (i < cnt)
		qsort(fns, cnt, sizeof(*fns), cmp_fn);
	cnt = drop_overwritten(fns, cnt);
	for (i = 0; i < cnt && !err; i++)
		err = elf_syms__add(syms, fns[i].start, fns[i].end - fns[i].start, 0, NAMES_MEMORY,
				    fns[i].name_at, false);
out:
	free(fns);
	return err;
}

int jit_map__read(struct elf_syms *syms, int fd, size_t sz)
{
	struct elf_image img = { .fd = fd };
	size_t have = 0;
	char *text;
	ssize_t n;
	int err;

	if (sz > JIT_MAP_MAX_SZ)
		sz = JIT_MAP_MAX_SZ;
	text = malloc(sz + 1);
	if (!text)
		return -ENOMEM;
	while (have < sz && (n = elf_image__read(&img, text + have, sz - have, have)) > 0)
		have += (size_t)n;
	text[have] = '\0';
	err = parse(syms, text, have);
	syms->names[NAMES_MEMORY].mem = text;
	syms->names[NAMES_MEMORY].sz = have;
	elf_syms__finish(syms, NULL);
	return err;
}
