/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Passes events of processes and of code to the symbolizer: live, and from a recording. */
#ifndef BPFPERF_MACHINE_MACHINE_MAPS_H
#define BPFPERF_MACHINE_MACHINE_MAPS_H

#include <stdint.h>

struct proc_event;
struct recording;
struct sym;
struct sym_build_id;

/* Applies an event of this machine at its time (CLOCK_MONOTONIC, ns). */
void machine_maps__on_event(struct sym *sym, const struct proc_event *ev, uint64_t time_ns);
/*
 * Applies an event of a recording: mappings get the recording's build ids, and its kernel may lie
 * at another address.
 */
void machine_maps__on_recorded(struct sym *sym, const struct recording *rec,
			       const struct proc_event *ev);
/*
 * Tells the symbolizer of which kernel the recording is: by the id of its mapping (NULL: none), or
 * the recording's list of build ids, or its release and architecture. text: address of _text, or 0.
 */
void machine_maps__set_kernel(struct sym *sym, const struct recording *rec,
			      const struct sym_build_id *id, uint64_t text);

#endif
