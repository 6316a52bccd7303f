/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Terms of an event that are no fields of its PMU, but say how it is sampled. */
#ifndef BPFPERF_EVENT_EVENT_OPTIONS_H
#define BPFPERF_EVENT_EVENT_OPTIONS_H

#include <stddef.h>

struct event;
struct event_term;

/*
 * Applies such a term, which is at offset `at` of term->spec; val: the text after '=', or NULL. 0;
 * -ENOENT: there is no such term; -EINVAL from spec__error().
 */
int event_options__set(const struct event_term *term, size_t at, struct event *ev, const char *key,
		       const char *val);
/*
 * Applies those of an event of perf's own or a tracepoint, and its name=: the text of len bytes at
 * offset off of term->text. 0, -ENOMEM, or -EINVAL from spec__error().
 */
int event_options__set_all(const struct event_term *term, size_t off, size_t len, struct event *ev);
/*
 * Warns of terms that only record heeds, in another command. The period is no such term: tables of
 * the CPUs' events give one for each.
 */
void event_options__warn_unused(const struct event *const *events, size_t cnt);

#endif
