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

/* Of BPF programs no size is told: they end where the next begins, or after so many bytes. */
#define BPF_MAX_SZ 65536

struct ksymbol_rec {
	struct perf_event_header hdr;
	uint64_t addr;
	uint32_t len;
	uint16_t type, flags;
	char name[256];
};

/* What /proc/kallsyms tells. */
struct ksyms {
	uint64_t text; /* the address of _text, or of _stext where there is none; 0: hidden */
	const char *text_name;
	struct ksymbol_rec *bpf; /* owned; by address where the kernel tells them so */
	size_t bpf_cnt;
};

static int add_bpf(struct ksyms *k, const char *line)
{
	struct ksymbol_rec *bpf, rec = { .hdr = { .type = PERF_RECORD_KSYMBOL },
					 .type = PERF_RECORD_KSYMBOL_TYPE_BPF };

	if (sscanf(line, "%" SCNx64 " %*c %255s", &rec.addr, rec.name) < 2 || !rec.addr)
		return 0;
	rec.hdr.size = padded(offsetof(struct ksymbol_rec, name), rec.name);
	bpf = reallocarray(k->bpf, k->bpf_cnt + 1, sizeof(*bpf));
	if (!bpf)
		return -ENOMEM;
	k->bpf = bpf;
	bpf[k->bpf_cnt++] = rec;
	return 0;
}

static int read_ksyms(struct ksyms *k)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char *line = NULL, *name;
	size_t cap = 0;
	int err = 0;

	*k = (struct ksyms){ 0 };
	while (f && !err && getline(&line, &cap, f) > 0) {
		/* "ffffffff81000000 T _text", and a tab and "[bpf]" behind those of modules. */
		name = strlen(line) > 19 ? line + 19 : line;
		if (!k->text && (strcmp(name, "_text\n") == 0 || strcmp(name, "_stext\n") == 0)) {
			k->text = strtoull(line, NULL, 16);
			k->text_name = name[1] == 't' ? "_text" : "_stext";
		} else if (*name == 'b' && strstr(name, "\t[bpf]")) {
			err = add_bpf(k, line);
		}
	}
	free(line);
	if (f)
		fclose(f);
	return err;
}

static int by_ksymbol(const void *a, const void *b)
{
	const struct ksymbol_rec *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int put_bpf(struct ksyms *k, proc_events_fn fn, void *ctx)
{
	size_t i;
	int err = 0;

	if (k->bpf_cnt)
		qsort(k->bpf, k->bpf_cnt, sizeof(*k->bpf), by_ksymbol);
	for (i = 0; i < k->bpf_cnt && !err; i++) {
		uint64_t len =
			i + 1 < k->bpf_cnt ? k->bpf[i + 1].addr - k->bpf[i].addr : BPF_MAX_SZ;

		k->bpf[i].len = len < BPF_MAX_SZ ? (uint32_t)len : BPF_MAX_SZ;
		/* Several names of one address: the last is the one. */
		if (len)
			err = fn(ctx, &k->bpf[i].hdr);
	}
	return err;
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
	struct module *mods;
	struct ksyms k;
	uint64_t end;
	char path[64];
	size_t cnt, i, above;
	int err = read_ksyms(&k);

	if (err || !k.text) {
		free(k.bpf);
		return err;
	}
	mods = read_modules(&cnt);
	for (above = 0; above < cnt && mods[above].addr < k.text; above++)
		;
	end = above < cnt ? mods[above].addr : KERNEL_END;
	snprintf(path, sizeof(path), "[kernel.kallsyms]%s", k.text_name);
	err = put_mmap(k.text, end - k.text, k.text, path, fn, ctx);
	for (i = 0; i < cnt && !err; i++)
		err = put_mmap(mods[i].addr, mods[i].len, 0, mods[i].name, fn, ctx);
	if (!err)
		err = put_bpf(&k, fn, ctx);
	free(mods);
	free(k.bpf);
	return err;
}
