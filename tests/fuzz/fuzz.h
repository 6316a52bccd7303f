/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Shared by all fuzzers. A fuzzer is one file with fuzz_seeds(), which hands
 * its first inputs to fuzz_seed(), and LLVMFuzzerTestOneInput() (libFuzzer's
 * documentation). FUZZ_SEEDS=DIR has it write its seeds there and do nothing
 * else. An answer that is wrong is as bad as a crash: fuzz_check().
 */
#ifndef BPFPERF_TESTS_FUZZ_H
#define BPFPERF_TESTS_FUZZ_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_FN __attribute__((unused)) static

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz);
int LLVMFuzzerInitialize(int *argc, char ***argv);
void __sanitizer_set_death_callback(void (*callback)(void));
void __sanitizer_print_stack_trace(void);

static void fuzz_seeds(void);
/* Once, before the first input. */
static void fuzz_setup(void);

/* Not assert(), which talks to a stderr that is closed. */
#define fuzz_check(cond)                                                                           \
	do {                                                                                       \
		if (!(cond))                                                                       \
			__builtin_trap();                                                          \
	} while (0)

/* One input to begin with. */
FUZZ_FN void fuzz_seed(const char *name, const void *data, size_t sz)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/seed.%s", getenv("FUZZ_SEEDS"), name);
	f = fopen(path, "we");
	if (!f || fwrite(data, 1, sz, f) != sz || fclose(f)) {
		perror(path);
		exit(1);
	}
}

FUZZ_FN void fuzz_seed_text(const char *name, const char *text)
{
	fuzz_seed(name, text, strlen(text));
}

/* A child that tries a hostile format may die: that is no finding. */
static void fuzz_in_child(void)
{
	static const int sigs[] = { SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM, SIGXCPU };
	size_t i;

	__sanitizer_set_death_callback(NULL);
	for (i = 0; i < sizeof(sigs) / sizeof(*sigs); i++)
		signal(sigs[i], SIG_DFL);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	fuzz_setup();
	if (getenv("FUZZ_SEEDS")) {
		fuzz_seeds();
		exit(0);
	}
	pthread_atfork(NULL, NULL, fuzz_in_child);
	return 0;
}

/* These lose memory of formats and files that they refuse; readers are replaced. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\nleak:libelf\nleak:libdw\n";
}

/* Numbers taken off an input's begin; 0 where it has ended. */
struct fuzz_bytes {
	const uint8_t *p;
	size_t left;
};

FUZZ_FN uint64_t fuzz_take(struct fuzz_bytes *b, size_t sz)
{
	uint64_t v = 0;

	sz = sz < b->left ? sz : b->left;
	memcpy(&v, b->p, sz);
	b->p += sz;
	b->left -= sz;
	return v;
}

/* The rest as a text of its own, to be freed: what is read behind its end is seen. */
FUZZ_FN char *fuzz_text(const struct fuzz_bytes *b)
{
	char *text = malloc(b->left + 1);

	memcpy(text, b->p, b->left);
	text[b->left] = '\0';
	return text;
}

/* A few bits of chance that are the same for the same input (FNV-1a). */
FUZZ_FN uint32_t fuzz_hash(const uint8_t *p, size_t sz)
{
	uint32_t h = 2166136261u;

	while (sz--)
		h = (h ^ *p++) * 16777619u;
	return h ^ h >> 15;
}

#endif
