/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The sentences that say a result, and the formats that print it. */
#ifndef BPFPERF_WHY_VERDICT_H
#define BPFPERF_WHY_VERDICT_H

#include "util/strbuf.h"
#include "why/result.h"

/*
 * Puts the verdict's sentence number i, from 0 on, into an empty buffer; texts are escaped. False:
 * there are no more. The first names the cause of most of the time.
 */
bool why_verdict__put(const struct why_result *res, size_t i, struct strbuf *out);

/* Puts all sentences as a member "verdict" of a JSON object, an array of strings. */
void why_verdict__put_json(const struct why_result *res, struct strbuf *out);
/* A cause in words, without its share: "main slept in work()". */
void why_cause__put(const struct why_cause *k, struct strbuf *out);
/* The thing that a blocked thread waited for, by its kind and the library's function: "a mutex". */
const char *why_object(enum why_kind kind, const char *call);

/* Percent of a total. */
static inline double why_share(uint64_t ns, uint64_t total_ns)
{
	return total_ns ? 100.0 * (double)ns / (double)total_ns : 0;
}

/* The ways to print a result. */
struct why_format {
	void (*put)(const struct why_result *res, struct strbuf *out);
};
extern const struct why_format why_text, why_json, why_html;

#endif
