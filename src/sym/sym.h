/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Address → name. Fed with the process events of the recording (who mapped
 * what, forked, called exec, ended), so that a process is still named after
 * its exit; reads files and kallsyms lazily, caches per file.
 *
 * A user address means something only in its process and at its time. Both
 * are gone once it is a *place*: a file and an offset in it. Profiles are
 * keyed by places, so that they survive exec and exit, and the same function
 * is the same in every process.
 */
#ifndef BPFPERF_SYM_SYM_H
#define BPFPERF_SYM_SYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

struct sym;

struct sym_result {
	const char *name; /* function; NULL where only the file is known */
	const char *
		module; /* "[kernel.kallsyms]", "[nf_tables]", "[vdso]", path of the file, or "[unknown]" */
	uint64_t off; /* bytes into the function, or into the file (name == NULL) */
};

/* An executable mapping, as PERF_RECORD_MMAP2 tells it. */
struct sym_map {
	uint64_t time_ns; /* CLOCK_MONOTONIC; 0: now. A file younger than this is another one */
	uint64_t addr, len, pgoff; /* bytes; pgoff is the file offset of addr */
	uint32_t maj, min; /* device */
	uint64_t ino; /* 0: no file */
	const char *path; /* copied */
};

/* NULL and errno ENOMEM. Reads nothing yet. */
struct sym *sym__new(void);
void sym__free(struct sym *sym);

/* Maps of a process that is there before the recording: reads /proc/PID/maps. -errno where it is gone. */
int sym__add_process(struct sym *sym, int32_t pid);
/* Every process of /proc, about 50 us each. A process that is met without this is read when it is met. */
int sym__add_all_processes(struct sym *sym);

/*
 * Process events, in time order. pid is the thread group's: events of single threads are not
 * for here. exec begins with no mappings; exit keeps them for samples that come late.
 */
void sym__on_mmap(struct sym *sym, int32_t pid, const struct sym_map *map);
void sym__on_fork(struct sym *sym, int32_t pid, int32_t parent_pid);
void sym__on_exec(struct sym *sym, int32_t pid);
void sym__on_exit(struct sym *sym, int32_t pid);

/* The place of a user address at this point of the stream. Opens the file, reads no symbols. */
uint64_t sym__place(struct sym *sym, int32_t pid, uint64_t addr);

/*
 * Names one address, one place. Strings are owned by sym and live as long as it does.
 * Results are stable: the same function gives the same pointers.
 */
void sym__kernel(struct sym *sym, uint64_t addr, struct sym_result *res);
void sym__name(struct sym *sym, uint64_t place, struct sym_result *res);
/* sym__place() and sym__name() in one. */
void sym__user(struct sym *sym, int32_t pid, uint64_t addr, struct sym_result *res);

/*
 * As profiles print it: the function's name, "[libfoo.so+0x1234]" where only the file is known,
 * "[unknown]". Control characters are escaped.
 */
void sym_result__put(const struct sym_result *res, struct strbuf *sb);

#endif
