/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Address → name. Fed with the process events of the recording (who mapped
 * what, forked, called exec, ended), so that a process is still named after
 * its exit; reads files and kallsyms lazily, caches per file.
 */
#ifndef BPFPERF_SYM_SYM_H
#define BPFPERF_SYM_SYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sym;

struct sym_result {
	const char *name; /* function; NULL where only the file is known */
	const char *module; /* "[kernel.kallsyms]", "[vdso]", path of the file, or "[unknown]" */
	uint64_t off; /* bytes into the function, or into the file (name == NULL) */
};

/* NULL and errno ENOMEM. Reads nothing yet. */
struct sym *sym__new(void);
void sym__free(struct sym *sym);

/* Maps of a process that is there before the recording: reads /proc/PID/maps. -errno where it is gone. */
int sym__add_process(struct sym *sym, int32_t pid);
/* Every process of /proc. */
int sym__add_all_processes(struct sym *sym);

/* Process events, in time order. All sizes in bytes; pgoff is the file offset of addr. */
void sym__on_mmap(struct sym *sym, int32_t pid, uint64_t addr, uint64_t len, uint64_t pgoff,
		  uint32_t maj, uint32_t min, uint64_t ino, const char *path);
void sym__on_fork(struct sym *sym, int32_t pid, int32_t parent_pid);
void sym__on_exec(struct sym *sym, int32_t pid);
void sym__on_exit(struct sym *sym, int32_t pid);

/*
 * Names one address. Strings are owned by sym and live as long as it does.
 * Results are stable: the same function gives the same pointers.
 */
void sym__kernel(struct sym *sym, uint64_t addr, struct sym_result *res);
void sym__user(struct sym *sym, int32_t pid, uint64_t addr, struct sym_result *res);

#endif
