/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Rules of options: which terms hold, and that each rule of each command names options it has. */
#include <errno.h>

#include "cli/opt_rules.h"
#include "cmd/commands.h"
#include "tap.h"

struct opts {
	bool all;
	const char *output;
	struct opt_given given;
};

static const struct opt table[] = {
	{ 'a', "all", NULL, "", OPT_FLAG, offsetof(struct opts, all), 0, 0, NULL, NULL },
	{ 'o', "output", "FILE", "", OPT_STR, offsetof(struct opts, output), 0, 0, NULL, NULL },
	{ 'g', NULL, NULL, "", OPT_FLAG, offsetof(struct opts, all), 0, 0, NULL, NULL },
	OPT_END,
};

static const struct opt_rule table_rules[] = { { "all,nonsense|output", "g|CMD|typo", "no" },
					       { NULL, NULL, NULL } };

static struct opts got;

static int keep_opts(void *opts, int argc, char **argv)
{
	got = *(struct opts *)opts;
	return EXIT_DONE;
}

static const struct command parsed = {
	.name = "parsed",
	.synopsis = "",
	.summary = "",
	.opts = table,
	.opts_sz = sizeof(struct opts),
	.given_off = offsetof(struct opts, given),
	.rules = table_rules,
	.run = keep_opts,
};

/* Parses one word. */
static const struct opt_given *parse(char *word)
{
	char *argv[] = { "parsed", word, NULL };

	command__main(&parsed, word ? 2 : 1, argv);
	return &got.given;
}

static void test_given(void)
{
	const struct opt_given *given = parse("-ga");

	ok(opt_given__has(given, "all"), "an option is given by its long name");
	ok(opt_given__has(given, "g"), "an option without a long name is given by its letter");
	ok(!opt_given__has(given, "output"), "an option that was not typed is not given");
	ok(!opt_given__has(given, "a"), "a letter does not name an option with a long name");
	ok(!opt_given__has(given, "al"), "the beginning of a name is no name");
	ok(!opt_given__has(given, "nonsense"), "an option that does not exist is not given");
	given = parse("--output=x");
	ok(opt_given__has(given, "output"), "a long option with its value is given");
	given = parse(NULL);
	ok(!opt_given__has(given, "all"), "an empty command line gives no option");
}

static void is_broken(const char *given, const char *unless, bool want, const char *name)
{
	const struct opt_rule rules[] = { { given, unless, "the sentence" }, { NULL, NULL, NULL } };
	const struct opt_fact facts[] = { { "CMD", true }, { "TERMINAL", false }, { NULL, false } };
	int err = opt_rules__check(rules, parse("-ga"), facts);

	is_s64(err, want ? -EINVAL : 0, "%s", name);
}

static void test_terms(void)
{
	is_broken("all", NULL, true, "a rule with one given option is broken");
	is_broken("output", NULL, false, "a rule with an option that is missing is kept");
	is_broken("all,output", NULL, false, "a rule needs all of its terms");
	is_broken("all,g", NULL, true, "a rule with two given options is broken");
	is_broken("output|g", NULL, true, "a term needs one of its names");
	is_broken("output|all,CMD", NULL, true, "a fact that holds counts as given");
	is_broken("all,TERMINAL", NULL, false, "a fact that does not hold is not given");
	is_broken("all,UNHEARD", NULL, false, "a fact that no one states does not hold");
	is_broken("all", "g", false, "an option that excuses the rule keeps it");
	is_broken("all", "output|TERMINAL", true, "excuses that do not hold change nothing");
	is_broken("all", "output,CMD", false, "one term of the excuses is enough");
}

static void test_unknown_names(void)
{
	static const struct command *const commands[] = { &cmd_trace,  &cmd_stack,  &cmd_stat,
							  &cmd_record, &cmd_script, &cmd_report,
							  &cmd_strace, &cmd_list,   &cmd_explain,
							  &cmd_doctor, &cmd_latency };
	char name[64];
	size_t i;

	is_str(opt_rules__unknown_name(&parsed, name, sizeof(name)), "nonsense",
	       "a name in a rule that is no option is found");
	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		is_str(opt_rules__unknown_name(commands[i], name, sizeof(name)), NULL,
		       "the rules of %s name options that it has", commands[i]->name);
}

int main(void)
{
	test_given();
	test_terms();
	test_unknown_names();
	return done_testing();
}
