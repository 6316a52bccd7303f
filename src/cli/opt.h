/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One option table per command, used by the parser, --help, shell completion and the man-page
 * check.
 */
#ifndef BPFPERF_CLI_OPT_H
#define BPFPERF_CLI_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

enum opt_type {
	OPT_FLAG, /* bool at off */
	OPT_STR, /* const char * at off */
	OPT_U64, /* uint64_t at off, min..max */
	/* uint64_t nanoseconds at off, from decimal seconds ("1.5") or with ms/us/s/m */
	OPT_SECONDS,
	OPT_CHOICE, /* an enum at off: the index of arg in choices */
	OPT_CALL, /* set(opts + off, arg) */
	/*
	 * set(opts + off, arg or NULL): argument as --name=ARG or -xARG. In a command that takes no
	 * words of its own also the next word, unless it is an option.
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
	int (*set)(void *at, const char *arg);
	/* OPT_CHOICE: NULL-terminated; "" is the value of an option that was not given. */
	const char *const *choices;
};

#define OPT_END                                                                                    \
	{                                                                                          \
		0, NULL, NULL, NULL, OPT_FLAG, 0, 0, 0, NULL, NULL                                 \
	}

/* Maximum number of options in a table. */
#define OPT_MAX 128

/* The options of a table that were given on the command line; filled in by the parser. */
struct opt_given {
	const struct opt *opts;
	uint64_t bits[OPT_MAX / 64]; /* by position in opts */
};

/*
 * True if the option was given. name: its long name, or its letter if it has no long name. False
 * also if the table has no such option.
 */
bool opt_given__has(const struct opt_given *given, const char *name);

struct opt_rule; /* cli/opt_rules.h */

struct command {
	const char *name;
	const char *synopsis; /* "[OPTIONS] EVENT… [-- CMD ARG…]" */
	const char *summary; /* one line */
	const struct opt *opts; /* OPT_END-terminated */
	size_t opts_sz; /* sizeof the options struct */
	/* Offset of the struct opt_given in the options struct; 0: the struct has none. */
	size_t given_off;
	const struct opt_rule *rules; /* which options exclude or need each other; NULL: no rules */
	/*
	 * Handles a positional argument among the options; NULL: none are accepted. Like opt.set.
	 */
	int (*positional)(void *opts, const char *arg);
	/* true: the first positional starts CMD, as in perf stat and perf record. */
	int positional_is_cmd;
	/* CMD may follow --. */
	int takes_cmd;
	/*
	 * Logs what to do instead of an option that the command does not have: its long name of len
	 * bytes, or its letter. false: nothing is known of it. NULL: of none.
	 */
	bool (*explain)(const char *name, size_t len);
	/* argv of CMD (NULL-terminated, may be empty). Returns the exit status. */
	int (*run)(void *opts, int cmd_argc, char **cmd_argv);
};

/* Exit statuses, for every command. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_LOST = 3 };

/*
 * Before any option is handled, fn gets the arguments of those that `set` handles: other words of
 * the command line may depend on them, wherever they stand.
 */
void command__peek(int (*set)(void *at, const char *arg), void (*fn)(const char *arg));
/* Parses and runs: returns the exit status. `opts` is zeroed before parsing. */
int command__main(const struct command *cmd, int argc, char **argv);
/* --help text of the command. */
void command__help(const struct command *cmd, struct strbuf *out);

#endif
