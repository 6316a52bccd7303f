/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The patterns of `~`, and the texts of == and !=, with the kernel's distinctions. */
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
	PATTERN_MIDDLE, /* *text*: anywhere in the field, even after a NUL */
	PATTERN_END, /* *text: the last bytes before the field's last one */
	PATTERN_GLOB, /* ? [ \ or an inner *: up to the first NUL */
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
 * The automaton that searches for a PATTERN_MIDDLE or PATTERN_GLOB. State j of `cnt` + 1: j tokens
 * are matched; bit j of `accepts[byte]`: the next token matches that byte; bit j of `stays`: there
 * is a `*`. It starts in state 0 and has matched in state cnt.
 */
struct pattern_automaton {
	unsigned int cnt;
	uint64_t accepts[256];
	uint64_t stays;
	bool ends_at_nul; /* the text ends at its first NUL */
};

/* 0, or -E2BIG: more than PATTERN_TOKENS. */
int pattern__compile(const struct pattern *p, struct pattern_automaton *a);

#endif
