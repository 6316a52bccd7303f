/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Time that readers have spent on files of others to no end, by owner, and what it leaves to
 * further requests. Nothing is counted for those that reader__is_trusted(). reader__hurry() and
 * reader__charge() belong to it. All functions may be called by any thread.
 */
#ifndef BPFPERF_READER_LOST_TIME_H
#define BPFPERF_READER_LOST_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Adds time that was lost until now. Returns whether files of the owner are still read. */
bool lost_time__add(uid_t owner, uint64_t lost_ns);
/*
 * Counts an answer that took from begin_ns (CLOCK_MONOTONIC) until now: it is worth its time, but
 * in a hurry its user waits for it, too.
 */
void lost_time__answer(uid_t owner, uint64_t begin_ns);
/*
 * Returns when a request of begin_ns that may take until end_ns ends: not later than the hurry
 * leaves it time.
 */
uint64_t lost_time__end(uid_t owner, uint64_t begin_ns, uint64_t end_ns);

#endif
