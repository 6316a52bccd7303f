/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One option table per command: the parser, --help, shell completion and the
 * man-page check all read it.
 */
#ifndef BPFPERF_CLI_OPT_H
#define BPFPERF_CLI_OPT_H

#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

enum opt_type {
	OPT_FLAG, /* bool at off */
	OPT_STR, /* const char * at off */
	OPT_U64, /* uint64_t at off, min..max */
	OPT_SECONDS, /* uint64_t nanoseconds at off, from decimal seconds ("1.5") or with ms/us/s/m */
	OPT_CALL, /* set(opts, arg) */
	/*
	 * set(opts, arg or NULL): argument as --name=ARG or -xARG. In a command that takes no words of its
	 * own also the next word, if it is no option.
	 */
	OPT_OPTCALL,
};

struct opt {
	char short_name; /* 0: none */
	const char *long_name;
	const char *arg; /* placeholder in --help; NULL for OPT_FLAG */
	const char *help; /* one line, no full stop */
	enum opt_type type;
	size_t off; /* into the command's options struct */
	uint64_t min, max; /* OPT_U64 */
	/* 0, or -EINVAL after one sentence (which names the option). */
	int (*set)(void *opts, const char *arg);
};

#define OPT_END                                                                                    \
	{                                                                                          \
		0, NULL, NULL, NULL, OPT_FLAG, 0, 0, 0, NULL                                       \
	}

struct command {
	const char *name;
	const char *synopsis; /* "[OPTIONS] EVENT… [-- CMD ARG…]" */
	const char *summary; /* one line */
	const struct opt *opts; /* OPT_END-terminated */
	size_t opts_sz; /* sizeof the options struct */
	/* A positional argument in its place among the options; NULL: none are taken. As opt.set. */
	int (*positional)(void *opts, const char *arg);
	/* true: the first positional starts CMD, as in perf stat and perf record. */
	int positional_is_cmd;
	/* CMD may stand behind --. */
	int takes_cmd;
	/* argv of CMD (NULL-terminated, may be empty). Returns the exit status. */
	int (*run)(void *opts, int cmd_argc, char **cmd_argv);
};

/* Exit statuses, for every command. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_LOST = 3 };

/* Parses and runs: the exit status. `opts` is zeroed before parsing. */
int command__main(const struct command *cmd, int argc, char **argv);
/* --help text of the command. */
void command__help(const struct command *cmd, struct strbuf *out);

#endif
