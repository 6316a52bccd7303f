/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The patterns of `~`, and the texts of == and !=, as the kernel tells them apart. */
#ifndef BPFPERF_FILTER_PATTERN_H
#define BPFPERF_FILTER_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel's MAX_FILTER_STR_VAL, its NUL included. */
#define PATTERN_MAX 256
/* A searched pattern has at most so many characters, ? and […]: its states fit 64 bits. */
#define PATTERN_TOKENS 63

enum pattern_kind {
	PATTERN_FULL, /* the whole text */
	PATTERN_FRONT, /* text* */
	PATTERN_MIDDLE, /* *text*: anywhere in the field, behind a NUL too */
	PATTERN_END, /* *text: the last bytes before the field's last one */
	PATTERN_GLOB, /* ? [ \ or a * in the midst: up to the first NUL */
};

struct pattern {
	enum pattern_kind kind;
	bool invert; /* ~ "!…" */
	uint16_t len; /* of text */
	char text[PATTERN_MAX]; /* NUL-terminated; without the stars of FRONT, MIDDLE, END */
};

/*
 * Sorts `text` of `len` < PATTERN_MAX bytes as filter_parse_regex() does; is_glob: it stands behind
 * ~.
 */
void pattern__init(struct pattern *p, const char *text, size_t len, bool is_glob);

/*
 * The automaton that looks for a PATTERN_MIDDLE or PATTERN_GLOB. State j of `cnt` + 1: j tokens
 * are found; bit j of `accepts[byte]`: the token that comes then takes that byte; bit j of
 * `stays`: a `*` stands there. It starts in state 0 and has found when it is in state cnt.
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
