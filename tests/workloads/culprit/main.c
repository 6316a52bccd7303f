// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* culprit NAME [SECONDS]: runs one program, and prints its truth. */
#include "culprit.h"

#include <string.h>

static const struct culprit *const tables[] = {
	lock_culprits,   io_culprits,    peer_culprits,    cpu_culprits,
	memory_culprits, limit_culprits, softirq_culprits, chain_culprits,
};
#define TABLE_CNT (sizeof(tables) / sizeof(tables[0]))

/* Prints the names, one a line. */
static void list(int summaries)
{
	const struct culprit *c;
	size_t i;

	for (i = 0; i < TABLE_CNT; i++) {
		for (c = tables[i]; c->name; c++) {
			if (summaries)
				printf("  %-16s %s\n", c->name, c->summary);
			else
				printf("%s\n", c->name);
		}
	}
}

static const struct culprit *find(const char *name)
{
	const struct culprit *c;
	size_t i;

	for (i = 0; i < TABLE_CNT; i++)
		for (c = tables[i]; c->name; c++)
			if (!strcmp(c->name, name))
				return c;
	return NULL;
}

static int usage(void)
{
	fprintf(stderr, "Usage: culprit --list | --help | NAME [SECONDS]\n");
	return 2;
}

int main(int argc, char **argv)
{
	const struct culprit *culprit;
	struct truth truth = { 0 };
	uint64_t start_ns;
	double seconds = 1;
	char *end;

	if (argc < 2 || argc > 3)
		return usage();
	if (!strcmp(argv[1], "--list") || !strcmp(argv[1], "--help")) {
		list(!strcmp(argv[1], "--help"));
		return 0;
	}
	culprit = find(argv[1]);
	if (!culprit) {
		fprintf(stderr, "culprit: no program %s; --list prints the names\n", argv[1]);
		return 2;
	}
	if (argc == 3) {
		seconds = strtod(argv[2], &end);
		if (*end || end == argv[2] || !(seconds >= 0.1 && seconds <= 3600))
			return usage();
	}
	start_ns = now_ns();
	culprit->run(&truth, seconds);
	printf("wall_ms=%.1f cause_ms=%.1f cause=%s place=%s thread=%s%s%s\n",
	       (double)(now_ns() - start_ns) / MS_NS, (double)truth.cause_ns / MS_NS, truth.cause,
	       truth.place, truth.thread, *truth.more ? " " : "", truth.more);
	return 0;
}
