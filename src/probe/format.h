/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Makes up the format of a probe's records, in the words of tracefs, so that all that reads
 * tracepoints reads probes.
 */
#ifndef BPFPERF_PROBE_FORMAT_H
#define BPFPERF_PROBE_FORMAT_H

#include "event/probe.h"
#include "event/tp_format.h"
#include "probe/place.h"

/*
 * Gives each field of the place its room in the record: fills in probe->fields (their steps are
 * taken over from the place) and the sizes, and returns the format for SYS:NAME with that id. NULL
 * and errno: ENOMEM; E2BIG: the fields are too large for a record.
 */
struct tp_format *probe_format__make(struct probe *probe, struct place *place, const char *sys,
				     const char *name, uint16_t id);

#endif
