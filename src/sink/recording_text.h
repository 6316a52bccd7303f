/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* report --header, --stats and --tasks: facts about a recording, in the form of perf report. */
#ifndef BPFPERF_SINK_RECORDING_TEXT_H
#define BPFPERF_SINK_RECORDING_TEXT_H

#include <stdbool.h>

struct out;
struct recording;
struct strbuf;

/* Puts the machine and the command of the recording as comments, and its events. */
void recording_text__put_header(const struct recording *rec, struct strbuf *sb);
/*
 * Reads a recording from its first record to the end, and prints the number of its records by type
 * and event. 0, or -errno (logged).
 */
int recording_text__stats(struct recording *rec, bool has_header, struct out *out);
/* Reads it likewise, and prints its threads as a tree. 0, or -errno (logged). */
int recording_text__tasks(struct recording *rec, bool has_header, struct out *out);

#endif
