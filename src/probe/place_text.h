/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Places of probes as `list` prints them. */
#ifndef BPFPERF_PROBE_PLACE_TEXT_H
#define BPFPERF_PROBE_PLACE_TEXT_H

#include "probe/place.h"
#include "util/strbuf.h"

/* Puts a line: "u:app:handle(struct req *req, int len)  app.c:97". */
void place_text__put(const struct place *p, const char *name, struct strbuf *sb);
/* Puts an object and a newline: name, kind, can, args and line. */
void place_text__put_json(const struct place *p, const char *name, struct strbuf *sb);

#endif
