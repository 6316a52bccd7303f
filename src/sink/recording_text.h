/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* report --header and --stats: facts about a recording, in the form of perf report. */
#ifndef BPFPERF_SINK_RECORDING_TEXT_H
#define BPFPERF_SINK_RECORDING_TEXT_H

#include <stdbool.h>

struct out;
struct recording;
struct strbuf;

enum recording_header {
	RECORDING_NO_HEADER,
	RECORDING_HEADER,
	RECORDING_FULL_HEADER, /* with the parts of the machine */
};

static inline enum recording_header recording_header__of(bool is_wanted, bool is_full)
{
	return !is_wanted ? RECORDING_NO_HEADER
	       : is_full  ? RECORDING_FULL_HEADER
			  : RECORDING_HEADER;
}

/* Puts the machine and the command of the recording as comments, and its events. */
void recording_text__put_header(const struct recording *rec, enum recording_header header,
				struct strbuf *sb);
/* For a header alone: completes the names of events, as records would. 0 or -ENOMEM. */
int recording_text__put_header_alone(struct recording *rec, enum recording_header header,
				     struct strbuf *sb);
/*
 * Reads a recording from its first record to the end, and prints the number of its records by type
 * and event. 0, or -errno (logged).
 */
int recording_text__stats(struct recording *rec, enum recording_header header, struct out *out);

#endif
