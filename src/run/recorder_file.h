/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The file of a recording, or several in a row: existing processes first, then records as they
 * arrive.
 */
#ifndef BPFPERF_RUN_RECORDER_FILE_H
#define BPFPERF_RUN_RECORDER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sink/record_build_ids.h"
#include "source/aux_ring.h"

struct kernel_rings;
struct sampling_events;
struct data_writer;
struct recorder_config;
struct record;
struct worker;

struct recorder_file {
	const struct recorder_config *cfg;
	const struct sampling_events *sampling;
	char *const *argv; /* bpfperf's command line */
	struct data_writer *w;
	/*
	 * The thread of all writers: filters exclude bpfperf by its thread id
	 * (sampling_events__filter()).
	 */
	struct worker *worker;
	bool whole_cpus; /* all tasks are recorded, and synthesized at the beginning */
	const int *pids; /* else only these processes */
	size_t pid_cnt;
	pid_t cmd_pid; /* CMD, which waits for its exec; 0: none */
	const struct kernel_rings *rings;
	struct record_build_ids build_ids; /* build-ids of this file's mappings */
	uint64_t first_ns, last_ns; /* times of samples in this file */
	uint64_t bytes; /* bytes of all previous files */
	unsigned int file_cnt;
	uint64_t sample_cnt; /* samples in all files, counted with cfg->max_samples only */
	char **kept; /* names of the last cfg->max_files files that were ended; or NULL */
	uint64_t kept_cnt; /* of all such files */
	bool dirty; /* there are records after the last round */
	char name[4096]; /* name of the file that was ended last */
};

/*
 * Starts the writer's thread, once, before the first file. The members down to rings are set. 0
 * or -errno (logged).
 */
int recorder_file__start_worker(struct recorder_file *f);
/* Opens a file; an existing one is renamed to FILE.old. 0 or -errno (logged). */
int recorder_file__begin(struct recorder_file *f);
/* Writes a batch or AUX data of kernel rings. 0 or -errno (logged). */
int recorder_file__write(struct recorder_file *f, const struct record *rec);
/* Writes PERF_RECORD_LOST_SAMPLES: losses that no record of a ring has reported. */
int recorder_file__write_lost(struct recorder_file *f, uint64_t cnt);
/* Ends a round, if records were written since the last one. */
int recorder_file__round(struct recorder_file *f);
/* Ends the file as FILE.TIME, and begins the next one. */
int recorder_file__switch(struct recorder_file *f);
/* Ends the file; as_dump: as FILE.TIME. */
int recorder_file__end(struct recorder_file *f, bool as_dump);
void recorder_file__free(struct recorder_file *f);

/* Returns whether the files have cfg->max_samples; later samples are dropped. */
bool recorder_file__has_enough(const struct recorder_file *f);
/* Returns the number of bytes in all files so far. */
uint64_t recorder_file__written(const struct recorder_file *f);

#endif
