/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The first reading of a recording: where the bytes of its trace are, which thread ran when on
 * which CPU, and which code was mapped where.
 */
#ifndef BPFPERF_ITRACE_COLLECT_H
#define BPFPERF_ITRACE_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "itrace/wire.h"
#include "util/u64map.h"

struct machine;
struct recording;
struct sym_options;

/* Files with code: each is a descriptor of the helper. */
#define COLLECT_IMAGES_MAX 400

/* A mapping of code in a process. */
struct collect_map {
	uint64_t addr, len, pgoff;
	uint32_t image;
	bool is_jit; /* in a JIT compiler's dump */
};

/* The mappings of a process from a time on, until one of them is replaced. */
struct collect_space {
	int32_t pid;
	uint64_t from_ns;
	struct collect_map *maps; /* by address; none overlaps another */
	size_t cnt, cap;
	/* Further ones likewise, until collect__settle(): a new one moves these few alone. */
	struct collect_map *late;
	size_t late_cnt, late_cap;
	/* 1 + the image of a JIT compiler's dump of which it has all functions; or 0 */
	uint32_t dump;
};

struct collect_queue {
	uint32_t idx; /* of the AUX area, as in its records */
	int32_t tid, cpu; /* -1: any */
	size_t first_switch, switch_cnt; /* of collect.switches */
	/* The pieces of its bytes: off and sz, and the position in the AUX area. */
	struct collect_piece {
		uint64_t off, sz, aux_off;
	} * pieces;
	size_t piece_cnt, piece_cap;
};

/* Bytes of an AUX area that were lost while recording. */
struct collect_loss {
	uint64_t time_ns;
	int32_t tid, cpu; /* of the area; cpu -1: unknown */
};

/* The kernel's code (itrace/kernel_code.h). */
struct collect_kernel {
	/* Addresses, as the recording has them. */
	struct collect_range {
		uint64_t addr, len;
		bool is_core; /* no module's */
	} * ranges;
	size_t range_cnt, range_cap;
	uint64_t text; /* address of _text; 0: unknown */
	struct itrace_poke *pokes; /* in order of time */
	size_t poke_cnt, poke_cap;
	struct collect_map *maps; /* what was found */
	size_t map_cnt, map_cap;
	bool is_live; /* from /proc/kcore */
	bool is_cut; /* there was more than a kernel has */
	const char *problem; /* why there is none; NULL: nothing is known against it */
};

struct collect {
	struct machine *machine;
	struct recording *rec;
	bool has_info, has_bad_info;
	struct itrace_job info; /* the members about time and processor */
	struct collect_queue *queues;
	size_t queue_cnt, queue_cap;
	struct u64map queue_of; /* idx and tid → queue */
	/* Threads that ran, of all CPUs, until they are put in order. */
	struct collect_run {
		struct itrace_switch sw;
		int32_t cpu;
		uint32_t order;
	} * runs;
	size_t run_cnt, run_cap;
	struct itrace_switch *switches; /* by CPU, then in order of time */
	struct collect_loss *losses; /* in order of time */
	size_t loss_cnt, loss_cap;
	struct collect_space *spaces;
	size_t space_cnt, space_cap;
	size_t map_cnt; /* of all spaces */
	struct u64map space_of; /* pid → its newest space */
	/* CoreSight: its trace units, and where the kernel wrote how many bytes of them. */
	struct itrace_etm *etms;
	size_t etm_cnt;
	bool has_virtual; /* timestamps are of the clock that has_ns in `info` converts */
	struct collect_aux {
		uint64_t time_ns, off, sz, flags;
		int32_t tid, cpu; /* -1: unknown */
		/* The queue's CPU, or its thread where areas are of threads. */
		int32_t key;
		uint32_t order;
	} * auxes; /* by key, then in order of time */
	size_t aux_cnt, aux_cap;
	struct u64map pid_of; /* tid → pid */
	struct u64map image_of; /* sym__file_idx() → image, or COLLECT_IMAGES_MAX: none */
	int *images; /* descriptors */
	size_t image_cnt, image_cap;
	size_t images_over_max, images_no_room; /* files left out */
	size_t maps_over_max; /* mappings left out */
	uint64_t now_ns;
	struct collect_kernel kernel;
};

/*
 * Reads the recording at `path`, which is no pipe, up to where it is damaged, if it is; then
 * whoever reads it next logs that. kcore_fd: /proc/kcore, which has the code of the running kernel;
 * -1: it cannot be read. 0, or -errno, logged: it has no trace before the damage.
 */
int collect__read(struct collect *c, const char *path, const struct sym_options *sym, int kcore_fd);
/* NULL members are accepted. */
void collect__free(struct collect *c);

#endif
