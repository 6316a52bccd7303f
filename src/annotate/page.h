/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Functions with their instructions and samples, for the page of --format flame. */
#ifndef BPFPERF_ANNOTATE_PAGE_H
#define BPFPERF_ANNOTATE_PAGE_H

#include <stddef.h>

#include "annotate/annotate.h"
#include "annotate/counts.h"
#include "util/strbuf.h"

struct code_page {
	const struct annotate_config *cfg;
	struct annotated *found; /* of addr_counts__find(); they are sorted anew */
	size_t found_cnt;
	const char **event_names; /* by index */
	size_t event_cnt;
	size_t sz_max; /* bytes of JSON, after which no further function begins */
	/* results */
	size_t left_out; /* functions that sz_max left out: those with the smallest shares */
	size_t bare_cnt; /* functions of which only the sampled addresses are shown */
	const struct annotated *bare; /* the first of them */
	int bare_err; /* of code_rows__each(), for it */
};

/*
 * Puts JSON, of functions those with the largest share of an event first:
 *
 *     {"functions":[{"name":…,"module":…,"kernel":bool,"start":"401126",
 *      "rows":[["mix"],["x ^= x >> 33;",7,0],[4,"mov    %rax,%rbx"],…],
 *      "counts":[["cpu-clock",4,13,6500000,…],…]},…],"left_out":N,"files":["/src/a.c",…]}
 *
 * name and module are as those of the profile's functions; start is the hexadecimal address of the
 * first byte. A row of one member names the function that the next rows are of; of three, it is a
 * source line: its text, null if the file cannot be read, its number and its file's index; of two,
 * it is an instruction: its distance from start, and its text. counts: for an event, distance,
 * samples and period of each address that has some. 0 or -ENOMEM.
 */
int code_page__put(struct code_page *page, struct strbuf *json);

#endif
