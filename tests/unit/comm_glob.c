// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Globs of names of threads: what fnmatch(3) says. */
#include <errno.h>
#include <fnmatch.h>

#include "target/comm_glob.h"
#include "tap.h"

static uint64_t state = 3;

/* Gives equal numbers on every run: splitmix64. */
static unsigned int rnd(unsigned int below)
{
	uint64_t z = (state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (unsigned int)((z ^ (z >> 31)) % below);
}

static void is_match(const char *glob, const char *comm, bool want)
{
	struct comm_glob g;

	ok(comm_glob__compile(&g, glob) == 0 && comm_glob__matches(&g, comm) == want,
	   "'%s' %s '%s'", glob, want ? "matches" : "does not match", comm);
}

static void test_random(void)
{
	static const char letters[] = "abc",
			  parts[][8] = { "a",    "b",     "c",      "*",   "?",   "[ab]",
					 "[!a]", "[a-c]", "[^b-c]", "\\b", "[]a]" };
	unsigned int i, k, cnt, bad = 0, matched = 0;
	char glob[64], comm[16];
	struct comm_glob g;

	for (i = 0; i < 100000; i++) {
		glob[0] = '\0';
		cnt = rnd(7);
		for (k = 0; k < cnt; k++)
			strcat(glob, parts[rnd(sizeof(parts) / sizeof(parts[0]))]);
		cnt = rnd(7);
		for (k = 0; k < cnt; k++)
			comm[k] = letters[rnd(3)];
		comm[k] = '\0';
		if (comm_glob__compile(&g, glob) ||
		    comm_glob__matches(&g, comm) != (fnmatch(glob, comm, 0) == 0)) {
			if (!bad++)
				diag("'%s' on '%s'", glob, comm);
		}
		matched += fnmatch(glob, comm, 0) == 0;
	}
	ok(!bad && matched > 1000, "100,000 random ones as fnmatch(3): %u differ, %u match", bad,
	   matched);
}

int main(void)
{
	struct comm_glob g;

	is_match("bash", "bash", true);
	is_match("bash", "bash2", false);
	is_match("", "", true);
	is_match("", "x", false);
	is_match("*", "", true);
	is_match("kworker/[0-9]*", "kworker/3:1", true);
	is_match("kworker/[0-9]*", "kworker/u8:2", false);
	is_match("*-named", "fam-named", true);
	is_match("a\\*b", "a*b", true);
	is_match("a\\*b", "axb", false);
	is_match("[", "[", true);
	is_match("\xc3\xa9*", "\xc3\xa9t\xc3\xa9", true);
	test_random();
	ok(comm_glob__compile(&g, "0123456789012345678901234567890") == 0,
	   "a pattern of 31 positions");
	ok(comm_glob__compile(&g, "01234567890123456789012345678901") == -EINVAL,
	   "a pattern of 32 positions is refused");
	return done_testing();
}
