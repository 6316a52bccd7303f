/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Parts of collect.c: mappings of processes, which all begin at collect.now_ns; CoreSight. */
#ifndef BPFPERF_ITRACE_COLLECT_PRIV_H
#define BPFPERF_ITRACE_COLLECT_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "itrace/collect.h"

/* Mappings of a process: further ones are counted in maps_over_max. */
#define COLLECT_SPACE_MAPS_MAX 65536

/* All return 0; -ENOMEM; or -E2BIG, logged: there are too many mappings. */

/*
 * Mappings of a process, which are in order of address, do not overlap each other, and replace what
 * they overlap of before.
 */
int collect__map(struct collect *c, int32_t pid, const struct collect_map *list, size_t cnt);
/* Mappings likewise, which are all functions of a JIT compiler's dump, an image. */
int collect__map_dump(struct collect *c, int32_t pid, const struct collect_map *list, size_t cnt,
		      uint32_t image);
/* Has the process all functions of this dump, so that they need not be mapped again? */
bool collect__has_dump(const struct collect *c, int32_t pid, uint32_t image);
/* A process begins with the mappings of its parent, but for functions of a JIT compiler. */
int collect__fork(struct collect *c, int32_t pid, int32_t parent);
/* Puts all mappings into collect_space.maps, when the last one was added. 0 or -ENOMEM. */
int collect__settle(struct collect *c);
/* A process loses its mappings. */
int collect__exec(struct collect *c, int32_t pid);

struct perf_event_header;
struct record;

/*
 * AUXTRACE_INFO of CoreSight (tools/perf/util/cs-etm.h). 0; -ENOENT: it is of another trace unit;
 * -ENOTSUP: of one of 32-bit processors; -EBADMSG: it is too short; -ENOMEM.
 */
int collect_etm__info(struct collect *c, const struct perf_event_header *hdr);
/* Notes where bytes of CoreSight were written. 0 or -ENOMEM. */
int collect_etm__aux(struct collect *c, const struct record *rec);
/* Puts them in order by queue, once all were noted. */
void collect_etm__sort(struct collect *c);
/* The first of a queue; aux_cnt: it has none. */
size_t collect_etm__first_aux(const struct collect *c, const struct collect_queue *q);
/* Takes the trace ids of CPUs, and how timestamps are converted, from records of these. */
void collect_etm__record(struct collect *c, const struct record *rec);

#endif
