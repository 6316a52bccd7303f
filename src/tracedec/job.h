/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The job: what is to be decoded, and the code images it ran through (itrace/wire.h). */
#ifndef BPFPERF_TRACEDEC_JOB_H
#define BPFPERF_TRACEDEC_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "itrace/wire.h"

/* The space of the kernel's code, which is in all others, too. */
#define JOB_KERNEL UINT32_MAX

struct job_code {
	/* from the section's vaddr on; NULL: not mapped. The kernel's can be written. */
	uint8_t *bytes;
	uint64_t vaddr, sz;
};

struct images;

struct job {
	struct itrace_job head;
	const struct itrace_section *sections;
	const struct itrace_space *spaces; /* by pid, then by time */
	const struct itrace_switch *switches;
	const struct itrace_queue *queues;
	const struct itrace_piece *pieces;
	const struct itrace_chunk *chunks;
	/* CoreSight alone has the next two. */
	const struct itrace_etm *etms;
	const struct itrace_thread *threads; /* by tid */
	const struct itrace_poke *pokes;
	uint32_t poked; /* the code is as after this number of them */
	int *isids; /* of each section, from 1 on; negative: it cannot be read */
	struct job_code *code; /* by isid */
	size_t code_cnt;
	struct images *images; /* of libipt, where that decodes (ptdec/image.h) */
};

/* Reads the job. 0 or -errno. */
int job__open(struct job *j);
/* Maps the code of section i under that id, if it can be. */
void job__map_code(struct job *j, uint32_t i, int isid);
/* The index of a process's space at that time; space_cnt: it has none. */
uint32_t job__space(const struct job *j, int32_t pid, uint64_t time_ns);
/*
 * The number of a queue's switches up to this time, of which the first `from` are known to be.
 */
uint32_t job__switches(const struct job *j, const struct itrace_queue *q, uint32_t from,
		       uint64_t time_ns);
/*
 * The code at an address of a space; *isid: its section, *sz: bytes up to the section's end. NULL:
 * none.
 */
const uint8_t *job__find_code(const struct job *j, uint32_t space, uint64_t addr, int *isid,
			      size_t *sz);
/* Reads the bytes of a chunk and of its tail into buf. false: they are not all there. */
bool job__read(const struct job *j, const struct itrace_chunk *chunk, uint8_t *buf);
/* The code at an address of a section; *sz: bytes up to its end. NULL: none. */
const uint8_t *job__code(const struct job *j, int isid, uint64_t addr, size_t *sz);

#endif
