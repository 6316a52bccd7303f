/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The directory of `perf record --threads`: the file `data` has the headers and records without a
 * time, data.0 and the following files have the records of a ring each, in the order of the kernel,
 * or, with --threads=core and the like, chunks of several rings.
 */
#ifndef BPFPERF_DATA_RECORDING_PARTS_H
#define BPFPERF_DATA_RECORDING_PARTS_H

#include <stdbool.h>

struct record;
struct recording;

/*
 * Opens the files beside rec->path, if that is such a `data`; without them rec->parts stays NULL.
 * 0, or -errno after one sentence.
 */
int recording_parts__open(struct recording *rec);
/* Once the headers are read: drops files beside a recording whose header knows of none. */
void recording_parts__check(struct recording *rec, bool is_directory);
void recording_parts__close(struct recording *rec);
/* Does each file have the records of one ring, so that their merger is nearly in order? */
bool recording_parts__has_ring_each(const struct recording *rec);
/*
 * The next record of all files, by its time; those without a time come first. As recording__next(),
 * but damage of a file ends that file alone, and is returned after the records of the others.
 */
int recording_parts__next(struct recording *rec, struct record *raw);

#endif
