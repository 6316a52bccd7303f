/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Runtimes with a JIT compiler, by a file that their processes have mapped, and what gives names to
 * their functions.
 */
#ifndef BPFPERF_LANG_RUNTIMES_H
#define BPFPERF_LANG_RUNTIMES_H

struct runtime {
	const char *name;
	const char *file; /* beginning of a file's name */
	/*
	 * A command or a switch, as an imperative; the process's id stands between both parts.
	 * after NULL: it has none.
	 */
	const char *hint, *after;
};

/* NULL: the file is of none. Valid for ever. */
const struct runtime *runtimes__of_file(const char *path);

#endif
