// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Random arguments put together from pieces of good ones and from noise: the
 * parser ends with 0 or an error that it told, and the sanitizers are silent.
 * FUZZ_SEED and FUZZ_ROUNDS in the environment repeat a run or lengthen it.
 */
#include "event/event.h"

#include <errno.h>

#include "rnd.h"
#include "tap.h"

#include "event_tree.h"

static const char *const pieces[] = {
	"cycles",  "cs",       "sched:",    "sched_switch",
	"irq:*",   "*:*",      "*",         "?",
	"[a-z]",   "[",        ":",         "::",
	"u",       "k",        "ppp",       "D",
	"W",       "{",        "}",         ",",
	"/",       "//",       "=",         "msr",
	"cpu",     "tsc",      "event",     "umask",
	"edge",    "needy",    "odd",       "name",
	"0x3c",    "1",        "-1",        "99999999999999999999",
	"imc",     "r1a8",     "LLC-loads", "-misses",
	"?",       "é",        "\n",        " ",
	".",       "..",       "\x80",      "mem-loads",
	"ldlat=3", "{cs,",     "}:u",       "msr/",
	"/u",      "config1=",
};

/* Adds up to `cnt` pieces, now and then a byte of noise; stops where it is full. */
static void add_pieces(char *spec, size_t sz, size_t cnt)
{
	size_t len = strlen(spec);

	while (cnt--) {
		const char noise[2] = { (char)(1 + rnd(255)), '\0' };
		const char *piece = pieces[rnd(sizeof(pieces) / sizeof(pieces[0]))];

		if (rnd(16) == 0)
			piece = noise;
		if (len + strlen(piece) + 1 > sz)
			return;
		memcpy(spec + len, piece, strlen(piece) + 1);
		len += strlen(piece);
	}
}

/* One byte more, less, or another. */
static void damage(char *spec, size_t sz)
{
	size_t len = strlen(spec), at = rnd(len + 1);
	const char *from = pieces[rnd(sizeof(pieces) / sizeof(pieces[0]))];

	switch (rnd(3)) {
	case 0:
		if (len + 2 > sz)
			return;
		memmove(spec + at + 1, spec + at, len - at + 1);
		spec[at] = *from;
		break;
	case 1:
		memmove(spec + at, spec + at + (at < len), len - at + (at == len));
		break;
	default:
		if (at < len)
			spec[at] = *from;
	}
}

static void make_spec(char *spec, size_t sz)
{
	size_t cnt = rnd(3);

	*spec = '\0';
	if (rnd(2)) {
		add_pieces(spec, sz, 1 + rnd(12));
		return;
	}
	strcpy(spec, tree_specs[rnd(sizeof(tree_specs) / sizeof(tree_specs[0]))]);
	while (cnt--)
		damage(spec, sz);
}

static bool is_known_error(int err)
{
	return !err || err == -EINVAL || err == -ENOENT;
}

int main(void)
{
	const char *seed = getenv("FUZZ_SEED"), *rounds = getenv("FUZZ_ROUNDS");
	unsigned long cnt = rounds ? strtoul(rounds, NULL, 0) : 3000, i, odd = 0, good = 0;
	char spec[256], *untold = NULL;

	rnd_state = seed ? strtoull(seed, NULL, 0) : 0x9e3779b97f4a7c15;
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	tree_make();
	for (i = 0; i < cnt; i++) {
		struct event_list list = { 0 };
		const char *said;
		int err;

		make_spec(spec, sizeof(spec));
		tree_catch();
		err = event_list__add(&list, spec);
		said = tree_said();
		good += !err && list.cnt;
		if (!is_known_error(err) || (!err && !list.cnt) || !err != !*said) {
			odd++;
			free(untold);
			untold = strdup(spec);
		}
		event_list__free(&list);
	}
	if (!ok(!odd, "each of %lu is resolved, or refused with a sentence", cnt))
		diag("%lu were not; error or words missing for '%s'", odd, untold);
	ok(good > cnt / 50, "enough of them (%lu) were events", good);
	free(untold);
	return done_testing();
}
