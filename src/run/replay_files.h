/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options that say where the functions of a recording's kernel and programs are. */
#ifndef BPFPERF_RUN_REPLAY_FILES_H
#define BPFPERF_RUN_REPLAY_FILES_H

struct sym_options;

/* A member of a command's options struct. */
struct replay_files {
	const char *kallsyms, *vmlinux, *symfs; /* NULL: not given */
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
	{                                                                                          \
		.long_name = "symfs", .arg = "DIR",                                                \
		.help = "look for programs and libraries below this directory", .type = OPT_CALL,  \
		.off = at, .set = replay_files__set_symfs                                          \
	}

#endif
