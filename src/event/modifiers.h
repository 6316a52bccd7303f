/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The letters after an event: cycles:uD. */
#ifndef BPFPERF_EVENT_MODIFIERS_H
#define BPFPERF_EVENT_MODIFIERS_H

#include <stdbool.h>

#include "event/event.h"

#define MODIFIERS_HELP "u k h I G H p P S D W e b"

/* true if `s` is not empty and every character could be a modifier. */
bool modifiers__are_letters(const char *s);
/*
 * NULL if `s` is a valid string of modifiers; else the position of the first error in it, and in
 * *why a sentence without an end ("'u' is there twice").
 */
const char *modifiers__check(const char *s, const char **why);
/*
 * Applies two valid strings with perf's meanings: the first of u k h excludes the other two, and
 * later ones of the three include them again; G and H likewise. u and p exclude guests unless G or
 * H precedes them. The group's letters add to the event's own.
 */
void modifiers__apply(struct event *ev, const char *own, const char *of_group);

#endif
