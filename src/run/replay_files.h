/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options that say where the functions of a recording's kernel and programs are. */
#ifndef BPFPERF_RUN_REPLAY_FILES_H
#define BPFPERF_RUN_REPLAY_FILES_H

#include <stdbool.h>

struct sym_options;

/* A member of a command's options struct. */
struct replay_files {
	const char *kallsyms, *vmlinux, *symfs; /* NULL: not given */
	bool kernel_paths; /* the kernel's functions have the paths of their files */
	bool is_forced; /* no more is done then */
};

/* For struct opt.set. 0, or -EINVAL, logged: it cannot be read. */
int replay_files__set_kallsyms(void *files, const char *arg);
int replay_files__set_vmlinux(void *files, const char *arg);
int replay_files__set_symfs(void *files, const char *arg);
/* Passes what was given on to the symbolizer. */
void replay_files__use(const struct replay_files *files, struct sym_options *options);

/* Rows for a command's table; `off` is the offset of the struct replay_files. */
#define REPLAY_FILES_OPTS(at)                                                                      \
	{ .long_name = "kallsyms",                                                                 \
	  .arg = "FILE",                                                                           \
	  .help = "name the kernel's functions by this copy of the recorded /proc/kallsyms",       \
	  .type = OPT_CALL,                                                                        \
	  .off = at,                                                                               \
	  .set = replay_files__set_kallsyms },                                                     \
		{ .short_name = 'k',                                                               \
		  .long_name = "vmlinux",                                                          \
		  .arg = "FILE",                                                                   \
		  .help = "name the kernel's functions by its ELF file",                           \
		  .type = OPT_CALL,                                                                \
		  .off = at,                                                                       \
		  .set = replay_files__set_vmlinux },                                              \
		{ .long_name = "symfs",                                                            \
		  .arg = "DIR",                                                                    \
		  .help = "look for programs and libraries below this directory",                  \
		  .type = OPT_CALL,                                                                \
		  .off = at,                                                                       \
		  .set = replay_files__set_symfs },                                                \
	{                                                                                          \
		.short_name = 'f', .long_name = "force",                                           \
		.help = "for scripts: perf needs it for files of others, bpfperf does not",        \
		.type = OPT_FLAG, .off = (at) + offsetof(struct replay_files, is_forced)           \
	}

#endif
