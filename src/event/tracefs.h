/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The mount point of tracefs, and the tracepoints it lists. */
#ifndef BPFPERF_EVENT_TRACEFS_H
#define BPFPERF_EVENT_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The directory on which tracefs is mounted (found in /proc/self/mounts, cached), or NULL with
 * errno ENOENT. Prints nothing; see tracefs__require().
 */
const char *tracefs__dir(void);
/* Uses another directory instead, for tests; NULL: search for the mount again. `dir` is copied. */
void tracefs__set_dir(const char *dir);
/*
 * 0 if tracepoints can be read; else -ENODEV with a sentence in `why` that names the mount command,
 * or -EACCES with one that asks for root. Prints nothing.
 */
int tracefs__check(char *why, size_t why_sz);
/* Checks as above, and logs the sentence as an error. */
int tracefs__require(void);

/*
 * Lists every SYS:NAME whose two halves match the two shell globs, sorted by system and name. The
 * caller frees the array and the strings (tracefs__free_names()). The `ftrace` system is omitted:
 * its entries are not tracepoints. Only directories are read: all 2,300 names take about 2 ms, one
 * system 30 µs. 0 (also without a match) or -errno.
 */
int tracefs__glob(const char *sys_glob, const char *name_glob, char ***names, size_t *cnt);
/* Returns whether SYS:NAME has an id, without which perf knows no such event. */
bool tracefs__has_id(const char *sys, const char *name);
void tracefs__free_names(char **names, size_t cnt);

/*
 * The `format` file of SYS:NAME as text (caller frees); NULL and errno. May wait for a detachment,
 * unless the caller holds the detach lock (detach_lock.h).
 */
char *tracefs__read_format(const char *sys, const char *name, size_t *len);

#endif
