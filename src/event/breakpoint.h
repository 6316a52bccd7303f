/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Terms of hardware breakpoints: mem:ADDR[/LEN][:rwx]. Internal to event/. */
#ifndef BPFPERF_EVENT_BREAKPOINT_H
#define BPFPERF_EVENT_BREAKPOINT_H

#include <stdbool.h>

#include "event/event_term.h"

/* Returns whether the text is such a term: it begins with "mem:". */
bool breakpoint__is_term(const char *text);
/*
 * Resolves the term. Without kinds of access it stands for reads and writes; without a length for 4
 * bytes, or for one instruction. 0, -ENOMEM, or -EINVAL from spec__error().
 */
int breakpoint__resolve(struct event_term *term);

#endif
