/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What executable memory was mapped from: a file, the vdso, or nothing that
 * has names. A file is found again in the name space of the process that
 * mapped it, and never taken for another that came to stand in its place.
 */
#ifndef BPFPERF_SYM_DSO_H
#define BPFPERF_SYM_DSO_H

#include <stdbool.h>
#include <stdint.h>

#include "sym/elf_syms.h"
#include "util/u64map.h"

enum dso_kind {
	DSO_OTHER, /* no names: "[anon]", "[vsyscall]", what JIT compilers write, a foreign vdso */
	DSO_FILE,
	DSO_VDSO, /* ours: the same image in all processes of our ABI */
};

struct dso {
	enum dso_kind kind;
	char *path; /* as the process saw it */
	/* DSO_FILE: as /proc/PID/maps and PERF_RECORD_MMAP2 tell them. */
	uint32_t maj, min;
	uint64_t ino;
	int64_t mapped_real_ns; /* CLOCK_REALTIME: a file younger than this is another one */
	int fd; /* the file, or -1: not opened yet, or closed to save descriptors */
	bool wanted; /* an address in it was met, so the file was looked for */
	bool lost; /* and cannot be had any more */
	bool read; /* syms was filled, or could not be */
	struct elf_syms syms;
};

/* Where and in which process a dso is mapped: what helps to open the right file. */
struct dso_site {
	int32_t pid; /* 0: unknown */
	uint64_t start, end;
};

/* All dsos of a recording, by index: 0 is "[unknown]", at most DSO_MAX. */
#define DSO_MAX 0xffff
struct dsos {
	struct dso **dsos;
	uint32_t cnt, cap;
	struct u64map by_key; /* hash of what identifies a dso → its index */
	int fds_left; /* how many more files may be held open */
};

/* 0 or -ENOMEM. */
int dsos__init(struct dsos *dsos);
void dsos__free(struct dsos *dsos);
/*
 * The dso of a mapping, made where it is new; path is copied. A file that our own root does not
 * show under that path (a container's, a deleted one) is opened now, while the process lives.
 * 0 ("[unknown]") where memory or indexes are used up.
 */
uint32_t dsos__intern(struct dsos *dsos, const struct dso *like, const struct dso_site *site);
/*
 * An address in it was met: opens the file now, since later it may be gone. Files are held
 * open up to a quarter of RLIMIT_NOFILE (at most 256) and opened by path again beyond that.
 */
void dsos__want(struct dsos *dsos, uint32_t idx, const struct dso_site *site);
/* As elf_syms__find(); reads the file's symbols the first time. */
const char *dso__find(struct dso *dso, uint64_t file_off, uint64_t *off);

#endif
