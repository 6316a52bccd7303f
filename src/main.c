// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Chooses the command, and parses its options. */
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/completion.h"
#include "cmd/commands.h"
#include "cmd/common_opts.h"
#include "cmd/version.h"
#include "util/lack.h"
#include "util/log.h"
#include "util/strbuf.h"

static const struct command *const commands[] = {
	&cmd_list,   &cmd_trace,  &cmd_stack,   &cmd_stat, &cmd_explain, &cmd_record, &cmd_script,
	&cmd_report, &cmd_strace, &cmd_latency, &cmd_why,  &cmd_doctor,  NULL
};

static void print_help(void)
{
	const struct command *const *c;

	printf("usage: bpfperf [-v] [--btf FILE] [--version] [--help] COMMAND [OPTIONS] [EVENT...] "
	       "[-- CMD ARG...]\n\n");
	for (c = commands; *c; c++)
		printf("  %-8s %s\n", (*c)->name, (*c)->summary);
	printf("\n`bpfperf COMMAND --help` shows a command's options; -v prints more, -vv prints "
	       "all.\n");
}

static const struct command *command_of(const char *name)
{
	const struct command *const *c;

	for (c = commands; *c; c++)
		if (strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}

static int use_btf(const char *file)
{
	if (file)
		return common_opts__btf(file);
	log_error("--btf needs a file: the BTF of the running kernel");
	return -1;
}

/* A run that lost some of its text, its names or its rows has failed. */
static int status_of(int status)
{
	bool is_short = strbuf__has_failed() || lack__has_failed();

	if (is_short)
		log_error("out of memory: some of the output is missing; free some memory, or "
			  "observe less at once");
	return status == EXIT_DONE && (is_short || log__has_failed()) ? EXIT_FAILED : status;
}

int main(int argc, char **argv)
{
	const struct command *cmd;
	int i, fd;

	/*
	 * A standard descriptor that is closed at the start must not become a ring's or a file's
	 * number. It is read-only, so that writing to it fails and lost output is reported.
	 */
	while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd <= STDERR_FILENO)
		;
	close(fd);
	/* One heap: a heap per thread keeps freed memory, 14 MiB of a system-wide profile. */
	mallopt(M_ARENA_MAX, 1);
	/* A closed pipe is an error of write(2), dealt with where it is written. */
	signal(SIGPIPE, SIG_IGN);
	/* So is a file that has grown as large as it may (ulimit -f). */
	signal(SIGXFSZ, SIG_IGN);
	/* A process that was started with SIGCHLD ignored could not wait for its children. */
	signal(SIGCHLD, SIG_DFL);
	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "-v") == 0 || strcmp(argv[i], "-vv") == 0) {
			log__set_verbosity(log__verbosity() + (int)strlen(argv[i]) - 1);
		} else if (strcmp(argv[i], "--btf") == 0 || strncmp(argv[i], "--btf=", 6) == 0) {
			if (use_btf(argv[i][5] ? argv[i] + 6 : argv[++i]))
				return EXIT_USAGE;
		} else if (strcmp(argv[i], "--version") == 0) {
			return version__print(log__verbosity() > 0 ||
					      (argv[i + 1] && !strcmp(argv[i + 1], "-v")));
		} else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			print_help();
			return fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
		} else if (strcmp(argv[i], "--completion") == 0) {
			return completion__print(commands, argv[i + 1]);
		} else {
			log_error("there is no option %s; see `bpfperf --help`", argv[i]);
			return EXIT_USAGE;
		}
	}
	if (i >= argc) {
		log_error("no command is given; see `bpfperf --help`");
		return EXIT_USAGE;
	}
	cmd = command_of(argv[i]);
	if (!cmd) {
		log_error("there is no command %s; see `bpfperf --help`", argv[i]);
		return EXIT_USAGE;
	}
	/* A shell starts background jobs with SIGINT ignored: it ends these, too, at any time. */
	if (cmd->takes_cmd)
		signal(SIGINT, SIG_DFL);
	common_opts__probes();
	return status_of(command__main(cmd, argc - i, argv + i));
}
