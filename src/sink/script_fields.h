/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The fields of an event's lines: those that were asked for, and that its samples have. */
#ifndef BPFPERF_SINK_SCRIPT_FIELDS_H
#define BPFPERF_SINK_SCRIPT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

struct recorded_event;
struct recording;
struct script_config;

/* Have its samples callchains that are printed? */
bool script_fields__has_chain(const struct script_config *cfg, const struct recorded_event *ev);
/* Are no samples of the event printed? */
bool script_fields__omits(const struct script_config *cfg, const struct recorded_event *ev);
/* Returns the fields that perf script prints for an event, without those that its samples lack. */
uint64_t script_fields__of(const struct script_config *cfg, const struct recorded_event *ev);
/*
 * Completes the configuration by the recording: a pipe has its clocks behind its first records. 0,
 * or -EINVAL (logged): it lacks what a field needs in all samples.
 */
int script_fields__begin(struct script_config *cfg, const struct recording *rec);

#endif
