// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * forged_ruby LIBRUBY MODE SEC: a thread of Ruby with structures of the interpreter as it likes, in
 * a function that libruby has called:
 *
 *     many      frames of 2000 different codes
 *     wild      code that is not in memory
 *     long      a name of 2^40 bytes, a table of 4,000,000,000 lines
 *     huge      a stack of 2^60 words
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CODES 2000

struct text {
	uint64_t flags, class, sz, at;
};
struct code {
	uint64_t words[32]; /* 1: instructions, 8: path, 10: label, 11: line, 15: lines */
};
struct frame {
	uint64_t pc, sp, iseq, self, ep, block, base, jit; /* of 3.1 */
};

static const struct text name = { 5 | 1u << 13, 0, 6, (uint64_t)(uintptr_t) "forged" };
static struct text name_used, path = { 5 | 1u << 13, 0, 9, 0 };
static struct code codes[CODES];
static uint64_t iseqs[CODES][3], env, context[64];
static struct frame frames[CODES + 1];
static volatile uint64_t sink;
static time_t end;

static uint64_t addr(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static void forge(const char *mode)
{
	int i;

	name_used = name;
	path.at = addr("forged.rb");
	for (i = 0; i < CODES; i++) {
		codes[i].words[1] = addr(codes);
		codes[i].words[8] = addr(&path);
		codes[i].words[10] = addr(&name_used);
		codes[i].words[11] = (uint64_t)i << 1;
		iseqs[i][2] = addr(&codes[i]);
		frames[i].pc = addr(codes) + 8;
		frames[i].iseq = addr(iseqs[i]);
		frames[i].ep = addr(&env);
	}
	context[0] = addr(frames);
	context[1] = sizeof(frames) / 8;
	context[2] = addr(frames);
	if (strcmp(mode, "wild") == 0) {
		iseqs[0][2] = 0x123456789abc0;
	} else if (strcmp(mode, "long") == 0) {
		name_used.sz = 1ull << 40;
		codes[0].words[17] = 4000000000;
	} else if (strcmp(mode, "huge") == 0) {
		context[1] = 1ull << 60;
	}
}

static void spin(const char *word, int len, void *arg)
{
	int i;

	while (time(NULL) < end)
		for (i = 0; i < 100000; i++)
			sink += (uint64_t)i * sink + (uint64_t)len;
	(void)word;
	(void)arg;
}

int main(int argc, char **argv)
{
	void (*each_words)(const char *, void (*)(const char *, int, void *), void *);
	uint64_t *current;
	void *lib;

	if (argc < 4) {
		fprintf(stderr, "usage: forged_ruby LIBRUBY MODE SEC\n");
		return 2;
	}
	lib = dlopen(argv[1], RTLD_NOW);
	if (!lib) {
		fprintf(stderr, "forged_ruby: %s\n", dlerror());
		return 1;
	}
	*(void **)&each_words = dlsym(lib, "ruby_each_words");
	current = dlsym(lib, "ruby_current_ec");
	if (!each_words || !current) {
		fprintf(stderr, "forged_ruby: %s\n", dlerror());
		return 1;
	}
	forge(argv[2]);
	*current = addr(context);
	end = time(NULL) + atoi(argv[3]);
	each_words("one", spin, NULL);
	return 0;
}
