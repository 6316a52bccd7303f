/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The patterns of `~`, and the texts of == and !=, with the kernel's distinctions. A text ends at
 * its first NUL, or with its field. The kernel (6.18 at least) also searches for MIDDLE behind the
 * NUL, and compares END with the last bytes of an array before its last one.
 */
#ifndef BPFPERF_FILTER_PATTERN_H
#define BPFPERF_FILTER_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel's MAX_FILTER_STR_VAL, its NUL included. */
#define PATTERN_MAX 256
/* Maximum number of characters, ? and […] of a searched pattern: its states fit 64 bits. */
#define PATTERN_TOKENS 63

enum pattern_kind {
	PATTERN_FULL, /* the whole text */
	PATTERN_FRONT, /* text* */
	PATTERN_MIDDLE, /* *text*: anywhere in the text */
	PATTERN_END, /* *text: the last bytes of the text */
	PATTERN_GLOB, /* ? [ \ or an inner * */
};

struct pattern {
	enum pattern_kind kind;
	bool invert; /* ~ "!…" */
	uint16_t len; /* of text */
	char text[PATTERN_MAX]; /* NUL-terminated; without the stars of FRONT, MIDDLE, END */
};

/*
 * Classifies `text` of `len` < PATTERN_MAX bytes like filter_parse_regex(); is_glob: it is the
 * operand of ~.
 */
void pattern__init(struct pattern *p, const char *text, size_t len, bool is_glob);

/*
 * True for a pattern that an automaton searches for. An array may have more bytes after its text,
 * so that the end of the text is searched for as well.
 */
static inline bool pattern__is_searched(const struct pattern *p, bool in_array)
{
	return p->kind == PATTERN_MIDDLE || p->kind == PATTERN_GLOB ||
	       (p->kind == PATTERN_END && in_array);
}

/*
 * The automaton that searches for a pattern in the bytes up to the first NUL. State j of `cnt` + 1:
 * j tokens are matched; bit j of `accepts[byte]`: the next token matches that byte; bit j of
 * `stays`: there is a `*`. It starts in state 0 and has matched in state cnt.
 */
struct pattern_automaton {
	unsigned int cnt;
	uint64_t accepts[256];
	uint64_t stays;
};

/* 0, or -E2BIG: more than PATTERN_TOKENS. */
int pattern__compile(const struct pattern *p, struct pattern_automaton *a);

#endif
