/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Places of probes as `list` prints them. */
#ifndef BPFPERF_PROBE_PLACE_TEXT_H
#define BPFPERF_PROBE_PLACE_TEXT_H

#include "probe/place.h"
#include "util/strbuf.h"

/*
 * Puts a line: "u:app:handle(struct req *req, int len)  app.c:97  trap 0.55 us". hit_ns: what a hit
 * costs; 0: unknown.
 */
void place_text__put(const struct place *p, const char *name, uint32_t hit_ns, struct strbuf *sb);
/* Puts an object and a newline: name, kind, can, args, line, and hit with its class and ns. */
void place_text__put_json(const struct place *p, const char *name, uint32_t hit_ns,
			  struct strbuf *sb);

#endif
