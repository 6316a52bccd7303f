// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/proc_events.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/fs.h"

#define COMM_LEN 16
#define PATH_LEN 4096

/* Where the kernel's addresses end, when nothing else follows its text. */
#define KERNEL_END UINT64_MAX

struct comm_rec {
	struct perf_event_header hdr;
	int32_t pid, tid;
	char comm[COMM_LEN];
};

struct mmap2_rec {
	struct perf_event_header hdr;
	int32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t maj, min;
	uint64_t ino, ino_generation;
	uint32_t prot, flags;
	char path[PATH_LEN + 8];
};

struct mmap_rec {
	struct perf_event_header hdr;
	int32_t pid, tid;
	uint64_t addr, len, pgoff;
	char path[128];
};

/* Bytes of a record whose text begins at `at`: the text's NUL and up to 8. */
static uint16_t padded(size_t at, const char *text)
{
	return (uint16_t)((at + strlen(text) + 8) & ~(size_t)7);
}

static int thread(int32_t pid, int32_t tid, proc_events_fn fn, void *ctx)
{
	struct comm_rec rec = { .hdr = { .type = PERF_RECORD_COMM }, .pid = pid, .tid = tid };
	char path[80], *comm;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	comm = fs__read_file(path, &len);
	if (!comm || !len) {
		free(comm);
		return 0;
	}
	/* Names may contain newlines: the last one is the file's. */
	comm[len - 1] = '\0';
	snprintf(rec.comm, sizeof(rec.comm), "%s", comm);
	free(comm);
	rec.hdr.size = padded(offsetof(struct comm_rec, comm), rec.comm);
	return fn(ctx, &rec.hdr);
}

static int threads(int32_t pid, proc_events_fn fn, void *ctx)
{
	struct dirent *de;
	char path[64];
	DIR *dir;
	int err;

	/* The first of a process comes first: to it the others are joined. */
	err = thread(pid, pid, fn, ctx);
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && !err && (de = readdir(dir))) {
		int32_t tid = atoi(de->d_name);

		if (tid > 0 && tid != pid)
			err = thread(pid, tid, fn, ctx);
	}
	if (dir)
		closedir(dir);
	return err;
}

/* One line of /proc/PID/maps. False: not executable, or no such line. */
static bool parse_map(struct mmap2_rec *rec, char *line)
{
	uint64_t end;
	char perms[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &rec->addr,
		   &end, perms, &rec->pgoff, &rec->maj, &rec->min, &rec->ino, &at) < 7 ||
	    strlen(perms) < 4 || perms[2] != 'x')
		return false;
	rec->len = end - rec->addr;
	rec->prot =
		(perms[0] == 'r' ? PROT_READ : 0) | (perms[1] == 'w' ? PROT_WRITE : 0) | PROT_EXEC;
	rec->flags = perms[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	line[strcspn(line, "\n")] = '\0';
	memset(rec->path, 0, sizeof(rec->path));
	snprintf(rec->path, PATH_LEN, "%s", at && line[at] ? line + at : "//anon");
	rec->hdr.size = padded(offsetof(struct mmap2_rec, path), rec->path);
	return true;
}

static int maps(int32_t pid, proc_events_fn fn, void *ctx)
{
	struct mmap2_rec rec = {
		.hdr = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
		.pid = pid,
		.tid = pid,
	};
	char path[64], *line = NULL;
	size_t cap = 0;
	int err = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	while (f && !err && getline(&line, &cap, f) > 0)
		if (parse_map(&rec, line))
			err = fn(ctx, &rec.hdr);
	free(line);
	if (f)
		fclose(f);
	return err;
}

int proc_events__process(int32_t pid, bool with_maps, proc_events_fn fn, void *ctx)
{
	int err = threads(pid, fn, ctx);

	return err || !with_maps ? err : maps(pid, fn, ctx);
}

int proc_events__all(bool with_maps, proc_events_fn fn, void *ctx)
{
	DIR *dir = opendir("/proc");
	struct dirent *de;
	int err = 0;

	while (dir && !err && (de = readdir(dir))) {
		int32_t pid = atoi(de->d_name);

		if (pid > 0)
			err = proc_events__process(pid, with_maps, fn, ctx);
	}
	if (dir)
		closedir(dir);
	return err;
}

struct module {
	uint64_t addr, len;
	char name[64];
};

static int by_addr(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* All modules, by address (caller frees); NULL: none. */
static struct module *read_modules(size_t *cnt)
{
	FILE *f = fopen("/proc/modules", "re");
	struct module *mods = NULL, *bigger, m;
	char name[56], *line = NULL;
	size_t cap = 0;

	*cnt = 0;
	while (f && getline(&line, &cap, f) > 0) {
		if (sscanf(line, "%55s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &m.len, &m.addr) <
			    3 ||
		    !m.addr)
			continue;
		snprintf(m.name, sizeof(m.name), "[%s]", name);
		bigger = reallocarray(mods, *cnt + 1, sizeof(*mods));
		if (!bigger)
			break;
		mods = bigger;
		mods[(*cnt)++] = m;
	}
	free(line);
	if (f)
		fclose(f);
	if (*cnt)
		qsort(mods, *cnt, sizeof(*mods), by_addr);
	return mods;
}

/* The address of _text, or of _stext where there is none; 0: hidden. */
static uint64_t kernel_text(const char **name)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char sym[64], *line = NULL;
	uint64_t addr, found = 0;
	size_t cap = 0;

	while (f && !found && getline(&line, &cap, f) > 0) {
		if (sscanf(line, "%" SCNx64 " %*c %63s", &addr, sym) < 2)
			continue;
		*name = strcmp(sym, "_text") == 0    ? "_text"
			: strcmp(sym, "_stext") == 0 ? "_stext"
						     : NULL;
		if (*name)
			found = addr;
		if (*name && !addr)
			break;
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

static int put_mmap(uint64_t addr, uint64_t len, uint64_t pgoff, const char *path,
		    proc_events_fn fn, void *ctx)
{
	struct mmap_rec rec = {
		.hdr = { .type = PERF_RECORD_MMAP, .misc = PERF_RECORD_MISC_KERNEL },
		.pid = -1,
		.addr = addr,
		.len = len,
		.pgoff = pgoff,
	};

	snprintf(rec.path, sizeof(rec.path), "%s", path);
	rec.hdr.size = padded(offsetof(struct mmap_rec, path), rec.path);
	return fn(ctx, &rec.hdr);
}

int proc_events__kernel(proc_events_fn fn, void *ctx)
{
	const char *name = NULL;
	uint64_t text = kernel_text(&name), end;
	struct module *mods;
	char path[64];
	size_t cnt, i, above;
	int err;

	if (!text)
		return 0;
	mods = read_modules(&cnt);
	for (above = 0; above < cnt && mods[above].addr < text; above++)
		;
	end = above < cnt ? mods[above].addr : KERNEL_END;
	snprintf(path, sizeof(path), "[kernel.kallsyms]%s", name);
	err = put_mmap(text, end - text, text, path, fn, ctx);
	for (i = 0; i < cnt && !err; i++)
		err = put_mmap(mods[i].addr, mods[i].len, 0, mods[i].name, fn, ctx);
	free(mods);
	return err;
}
