// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The option parser: each way to write an option and its argument, what it refuses in which
 * sentence, where CMD begins, exit statuses, --help.
 */
#include "cli/opt.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"

struct demo_opts {
	bool all, brief;
	const char *file;
	uint64_t pages, from_2, wait_ns;
	const char *called, *words[4];
	int called_cnt, bare_cnt;
	enum { SIDE_NONE, SIDE_LEFT, SIDE_RIGHT } side;
	const char *member;
	size_t word_cnt;
	struct opt_given given;
};

/* The arguments of run(); run_cnt 0 where it was not called. */
static struct {
	struct demo_opts opts;
	int run_cnt, argc;
	const char *cmd[4];
} got;

static int run(void *opts, int cmd_argc, char **cmd_argv)
{
	int i;

	memcpy(&got.opts, opts, sizeof(got.opts));
	got.run_cnt++;
	got.argc = cmd_argc;
	for (i = 0; i < 4; i++)
		got.cmd[i] = i < cmd_argc ? cmd_argv[i] : NULL;
	return cmd_argv[cmd_argc] ? 99 : EXIT_LOST;
}

static int set_called(void *opts, const char *arg)
{
	struct demo_opts *o = opts;

	o->called_cnt++;
	o->bare_cnt += !arg;
	if (!arg)
		return 0;
	o->called = arg;
	if (!strcmp(arg, "busy"))
		return -EBUSY;
	if (!strcmp(arg, "gone"))
		return -ENOENT;
	return strcmp(arg, "bad") ? 0 : -EINVAL;
}

static int add_word(void *opts, const char *arg)
{
	struct demo_opts *o = opts;

	if (o->word_cnt < 4)
		o->words[o->word_cnt++] = arg;
	return strcmp(arg, "bad") ? 0 : -EINVAL;
}

/* A setter of a member, not of the whole struct. */
static int set_member(void *at, const char *arg)
{
	*(const char **)at = arg;
	return 0;
}

static const char *const sides[] = { "", "left", "right", NULL };

static const struct opt table[] = {
	{ .short_name = 'a',
	  .long_name = "all",
	  .help = "all of it",
	  .type = OPT_FLAG,
	  .off = offsetof(struct demo_opts, all) },
	{ .short_name = 'b',
	  .help = "brief",
	  .type = OPT_FLAG,
	  .off = offsetof(struct demo_opts, brief) },
	{ .short_name = 'f',
	  .long_name = "file",
	  .arg = "FILE",
	  .help = "a file",
	  .type = OPT_STR,
	  .off = offsetof(struct demo_opts, file) },
	{ .short_name = 'm',
	  .long_name = "pages",
	  .arg = "N",
	  .help = "pages",
	  .type = OPT_U64,
	  .off = offsetof(struct demo_opts, pages),
	  .min = 1,
	  .max = 1024 },
	{ .long_name = "from",
	  .arg = "N",
	  .help = "without an upper end",
	  .type = OPT_U64,
	  .off = offsetof(struct demo_opts, from_2),
	  .min = 2 },
	{ .short_name = 'w',
	  .long_name = "wait",
	  .arg = "TIME",
	  .help = "seconds",
	  .type = OPT_SECONDS,
	  .off = offsetof(struct demo_opts, wait_ns) },
	{ .short_name = 'c',
	  .long_name = "call",
	  .arg = "HOW",
	  .help = "a function takes it",
	  .type = OPT_CALL,
	  .set = set_called },
	{ .short_name = 'g',
	  .long_name = "graph",
	  .arg = "HOW",
	  .help = "a function takes it, or nothing",
	  .type = OPT_OPTCALL,
	  .set = set_called },
	{ .long_name = "side",
	  .arg = "SIDE",
	  .help = "one of some words",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct demo_opts, side),
	  .choices = sides },
	{ .long_name = "member",
	  .arg = "TEXT",
	  .help = "a function takes it for a member",
	  .type = OPT_CALL,
	  .off = offsetof(struct demo_opts, member),
	  .set = set_member },
	OPT_END,
};

/* Four commands: of words, of a program's words, of a program behind --, and of neither. */
#define DEMO_COMMAND                                                                               \
	.name = "demo", .synopsis = "[OPTIONS]", .summary = "does nothing", .opts = table,         \
	.opts_sz = sizeof(struct demo_opts), .given_off = offsetof(struct demo_opts, given),       \
	.run = run
static const struct command words = { DEMO_COMMAND, .positional = add_word, .takes_cmd = 1 };
static const struct command program = { DEMO_COMMAND, .positional_is_cmd = 1, .takes_cmd = 1 };
static const struct command behind = { DEMO_COMMAND, .takes_cmd = 1 };
static const struct command plain = { DEMO_COMMAND };

static char text[4096]; /* of stdout or stderr */

/* Runs the command with `fd` (1 or 2) caught in `text`: its exit status. */
static int run_caught(const struct command *cmd, char **argv, int fd)
{
	int mem = memfd_create("caught", MFD_CLOEXEC), saved, status, argc = 0;
	FILE *stream = fd == 1 ? stdout : stderr;
	ssize_t len;

	while (argv[argc])
		argc++;
	memset(&got, 0, sizeof(got));
	fflush(stream);
	saved = dup(fd);
	dup2(mem, fd);
	status = command__main(cmd, argc, argv);
	fflush(stream);
	dup2(saved, fd);
	close(saved);
	len = pread(mem, text, sizeof(text) - 1, 0);
	text[len > 0 ? len : 0] = '\0';
	close(mem);
	return status;
}

#define ARGV(...)                                                                                  \
	(char *[])                                                                                 \
	{                                                                                          \
		(char *)"demo", ##__VA_ARGS__, NULL                                                \
	}
#define A(s) (char *)(s)

/* Passes where the command ran, silently, and its status is the program's. */
static bool runs(const struct command *cmd, char **argv, const char *name)
{
	int status = run_caught(cmd, argv, 2);

	return ok(status == EXIT_LOST && got.run_cnt == 1 && !*text, "%s is accepted", name);
}

/* Passes where it did not run, and said no more than the sentence. */
static void refuses(const struct command *cmd, char **argv, const char *sentence)
{
	char want[512];
	int status = run_caught(cmd, argv, 2);

	snprintf(want, sizeof(want), "bpfperf: error: %s\n", sentence);
	ok(status == EXIT_USAGE && !got.run_cnt, "%s %s is refused", argv[1], argv[2] ?: "");
	is_str(text, want, "%s %s is refused in its sentence", argv[1], argv[2] ?: "");
}

static void test_nothing(void)
{
	static const struct demo_opts zero;

	runs(&words, ARGV(), "a command without a word");
	is_mem(&got.opts, &zero, offsetof(struct demo_opts, given),
	       "options that are not given are zero");
	is_s64(got.argc, 0, "a command without -- has no CMD");
}

static void test_long(void)
{
	runs(&words, ARGV(A("--all"), A("--file=x y"), A("--pages"), A("7")), "long options");
	ok(got.opts.all && !got.opts.brief, "a long flag alone is set");
	is_str(got.opts.file, "x y", "--name=ARG is the argument");
	is_u64(got.opts.pages, 7, "--name ARG is the argument");
	runs(&words, ARGV(A("--file=a=b"), A("--call="), A("--file"), A("--all")), "odd arguments");
	is_str(got.opts.file, "--all",
	       "an argument may look like an option, and the last one counts");
	ok(!got.opts.all, "an argument that looks like an option is none");
	is_str(got.opts.called, "", "--name= is an empty argument");
	runs(&words, ARGV(A("--file=a=b")), "a second =");
	is_str(got.opts.file, "a=b", "the argument begins behind the first =");
}

static void test_short(void)
{
	runs(&words, ARGV(A("-ab"), A("-fx"), A("-m"), A("9")), "clustered flags");
	ok(got.opts.all && got.opts.brief, "each flag of a cluster is set");
	is_str(got.opts.file, "x", "-xARG is the argument");
	is_u64(got.opts.pages, 9, "-x ARG is the argument");
	runs(&words, ARGV(A("-abm12")), "flags and an argument in one cluster");
	ok(got.opts.all && got.opts.brief, "the flags of that cluster are set");
	is_u64(got.opts.pages, 12, "the rest of a cluster is the argument");
	runs(&words, ARGV(A("-abm"), A("13")), "an argument behind a cluster");
	is_u64(got.opts.pages, 13, "the word behind a cluster is the argument");
	runs(&words, ARGV(A("-f=x")), "a short option with =");
	is_str(got.opts.file, "=x", "= is a part of a short option's argument");
	runs(&words, ARGV(A("-f-a")), "an argument that begins with -");
	is_str(got.opts.file, "-a", "-xARG may begin with -");
	runs(&words, ARGV(A("--fil=x")), "a long option, abbreviated");
	is_str(got.opts.file, "x", "--fil is --file, the only one that begins so");
	runs(&words, ARGV(A("-")), "- alone");
	is_str(got.opts.words[0], "-", "- alone is a word");
}

static void test_refused(void)
{
	refuses(&words, ARGV(A("--nosuch"), A("x")),
		"there is no option --nosuch; see `bpfperf demo --help`");
	refuses(&words, ARGV(A("--nosuch=1")),
		"there is no option --nosuch; see `bpfperf demo --help`");
	refuses(&words, ARGV(A("--f")), "--f may be --file or --from; write one of them");
	refuses(&words, ARGV(A("--files"), A("x")),
		"there is no option --files; see `bpfperf demo --help`");
	refuses(&words, ARGV(A("--=x")), "there is no option --; see `bpfperf demo --help`");
	refuses(&words, ARGV(A("-z")), "there is no option -z; see `bpfperf demo --help`");
	refuses(&words, ARGV(A("-az")), "there is no option -z; see `bpfperf demo --help`");
	refuses(&words, ARGV(A("--all=yes")), "--all takes no argument; see `bpfperf demo --help`");
	refuses(&words, ARGV(A("--file")),
		"--file needs an argument: FILE; see `bpfperf demo --help`");
	refuses(&words, ARGV(A("-af")), "-f needs an argument: FILE; see `bpfperf demo --help`");
}

static void test_numbers(void)
{
	static const char *const bad[] = { "0",  "1025", "-1", "+1",  " 1",
					   "1x", "0x10", "",   "1.5", "18446744073709551616" };
	char sentence[128];
	size_t i;

	runs(&words, ARGV(A("-m1")), "the least number");
	is_u64(got.opts.pages, 1, "the least number is set");
	runs(&words, ARGV(A("-m1024")), "the greatest number");
	is_u64(got.opts.pages, 1024, "the greatest number is set");
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(sentence, sizeof(sentence),
			 "--pages %s: give a whole number from 1 to 1024", bad[i]);
		refuses(&words, ARGV(A("--pages"), A(bad[i])), sentence);
	}
	runs(&words, ARGV(A("--from=18446744073709551615")), "a number without an upper end");
	is_u64(got.opts.from_2, UINT64_MAX, "the greatest 64-bit number is set");
	refuses(&words, ARGV(A("--from"), A("1")), "--from 1: give a whole number from 2 on");
}

static void test_times(void)
{
	static const struct {
		const char *arg;
		uint64_t ns;
	} good[] = { { "1.5", 1500000000 }, { "2s", 2000000000 },   { "200ms", 200000000 },
		     { "1us", 1000 },       { "2m", 120000000000 }, { "1h", 3600000000000 },
		     { "0.5us", 500 },      { "1e-9", 1 },          { ".25", 250000000 } };
	static const char *const bad[] = {
		"0", "-1", "1x", "ms", "", "1e30", "nan", "1 s", "0.1e-9"
	};
	char sentence[160];
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		run_caught(&words, ARGV(A("-w"), A(good[i].arg)), 2);
		is_u64(got.opts.wait_ns, good[i].ns, "-w %s in nanoseconds", good[i].arg);
	}
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(sentence, sizeof(sentence),
			 "--wait %s: give a time above 0, in seconds or with us, ms, s, m, h, such "
			 "as 1.5 or 200ms",
			 bad[i]);
		refuses(&words, ARGV(A("-w"), A(bad[i])), sentence);
	}
}

static void test_choices(void)
{
	runs(&words, ARGV(A("-a")), "a choice that is not given");
	is_s64(got.opts.side, SIDE_NONE, "a choice that is not given has its first value");
	runs(&words, ARGV(A("--side=left"), A("--side"), A("right")),
	     "a choice that is given twice");
	is_s64(got.opts.side, SIDE_RIGHT, "the last choice counts");
	refuses(&words, ARGV(A("--side"), A("rig")), "--side rig: choose from: left right");
	refuses(&words, ARGV(A("--side=")), "--side : choose from: left right");
	runs(&words, ARGV(A("--member"), A("x")), "an option whose function sets a member");
	is_str(got.opts.member, "x", "the function gets the member's address");
}

/* The parser marks an option by whichever of its names, also where its value is that of none. */
static void test_given(void)
{
	const struct opt_given *given = &got.opts.given;

	runs(&words, ARGV(A("-b"), A("--file="), A("-m3")), "options whose giving is asked for");
	ok(opt_given__has(given, "b"), "an option with a letter alone was given");
	ok(opt_given__has(given, "file"), "an option with an empty argument was given");
	ok(opt_given__has(given, "pages"),
	   "an option written as a letter is known by its long name");
	ok(!opt_given__has(given, "all"), "an option that is not there was not given");
	ok(!opt_given__has(given, "m"), "an option with a long name is not known by its letter");
	ok(!opt_given__has(given, "nosuch"), "an option that the table lacks was not given");
}

/* An option that needs no argument takes the next word where that can be nothing else. */
static void test_optional_argument(void)
{
	runs(&words, ARGV(A("-g"), A("caller")), "an optional argument in a command of words");
	is_s64(got.opts.bare_cnt, 1, "the next word is not -g's");
	is_str(got.opts.words[0], "caller", "the next word is the command's");
	runs(&program, ARGV(A("--graph"), A("caller")), "an optional argument before CMD");
	is_s64(got.opts.bare_cnt, 1, "CMD is not --graph's");
	is_str(got.cmd[0], "caller", "CMD is run");
	runs(&plain, ARGV(A("-g"), A("caller")), "an optional argument in a command without words");
	is_str(got.opts.called, "caller", "the next word is -g's");
	runs(&plain, ARGV(A("--graph"), A("caller")), "a long one in a command without words");
	is_str(got.opts.called, "caller", "the next word is --graph's");
	runs(&plain, ARGV(A("-g"), A("-a")), "an optional argument before an option");
	ok(got.opts.bare_cnt == 1 && got.opts.all, "the next option is not -g's");
	runs(&words, ARGV(A("--graph=x"), A("-gy"), A("-ag=z"), A("--graph")), "all ways");
	is_s64(got.opts.called_cnt, 4, "each of four ways calls the function");
	is_s64(got.opts.bare_cnt, 1, "one of four had no argument");
	is_str(got.opts.called, "z", "-g=ARG is ARG");
}

static void test_cmd(void)
{
	runs(&program, ARGV(A("-a"), A("make"), A("-b"), A("--file")), "CMD in its place");
	ok(got.opts.all && !got.opts.brief && !got.opts.file, "options behind CMD are CMD's");
	ok(got.argc == 3 && !strcmp(got.cmd[2], "--file"), "CMD has all its words");
	runs(&program, ARGV(A("--"), A("-a")), "CMD behind --");
	ok(!got.opts.all && got.argc == 1, "behind -- nothing is an option");
	runs(&words, ARGV(A("one"), A("-a"), A("two"), A("--"), A("make"), A("--")),
	     "words and CMD");
	ok(got.opts.word_cnt == 2 && got.opts.all, "words and options may alternate");
	ok(got.argc == 2 && !strcmp(got.cmd[1], "--"), "a second -- is CMD's");
	runs(&behind, ARGV(A("-f"), A("--"), A("--"), A("true")), "an argument --");
	is_str(got.opts.file, "--", "-- is an argument where one is needed");
	refuses(&words, ARGV(A("--")), "-- needs a command after it, such as -- make");
	refuses(&behind, ARGV(A("make")),
		"demo: takes no argument make\nbpfperf: error: see `bpfperf demo --help`");
	is_s64(run_caught(&plain, ARGV(A("--"), A("make")), 2), EXIT_USAGE,
	       "a command that runs none refuses CMD");
	ok(strstr(text, "demo runs no command") && !got.run_cnt, "a refused CMD is explained");
}

static void test_statuses(void)
{
	is_s64(run_caught(&words, ARGV(A("-c"), A("bad")), 2), EXIT_USAGE,
	       "-EINVAL is a usage error");
	is_s64(run_caught(&words, ARGV(A("-cgone")), 2), EXIT_USAGE, "-ENOENT is a usage error");
	is_s64(run_caught(&words, ARGV(A("--call=busy")), 2), EXIT_FAILED, "-EBUSY is a failure");
	is_s64(got.run_cnt, 0, "a command whose options failed does not run");
	is_s64(run_caught(&words, ARGV(A("bad"), A("more")), 2), EXIT_USAGE,
	       "a bad word is an error");
	is_s64(run_caught(&words, ARGV(A("-c"), A("bad"), A("--nosuch")), 2), EXIT_USAGE,
	       "the first error ends the parsing");
	is_str(text, "", "options behind the first error are not looked at");
}

static void test_help(void)
{
	static const char want[] =
		"usage: bpfperf demo [OPTIONS]\n\ndoes nothing\n\n"
		"  -a, --all                      all of it\n"
		"  -b                             brief\n"
		"  -f, --file FILE                a file\n"
		"  -m, --pages N                  pages\n"
		"      --from N                   without an upper end\n"
		"  -w, --wait TIME                seconds\n"
		"  -c, --call HOW                 a function takes it\n"
		"  -g, --graph[=HOW]              a function takes it, or nothing\n"
		"      --side SIDE                one of some words\n"
		"      --member TEXT              a function takes it for a member\n"
		"  -h, --help                     this text\n";

	is_s64(run_caught(&words, ARGV(A("--help"), A("--nosuch")), 1), EXIT_DONE,
	       "--help ends the parsing");
	is_str(text, want, "--help prints the table");
	is_s64(got.run_cnt, 0, "--help runs nothing");
	is_s64(run_caught(&words, ARGV(A("-ah"), A("-z")), 1), EXIT_DONE,
	       "-h of a cluster is help");
	is_str(text, want, "-h prints the table");
}

int main(void)
{
	test_nothing();
	test_long();
	test_short();
	test_refused();
	test_numbers();
	test_times();
	test_choices();
	test_given();
	test_optional_argument();
	test_cmd();
	test_statuses();
	test_help();
	return done_testing();
}
