/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options of explain: events, and the machine that they are planned for. */
#ifndef BPFPERF_CMD_EXPLAIN_OPTS_H
#define BPFPERF_CMD_EXPLAIN_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/opt_rules.h"
#include "plan/model.h"

#define SPECS_MAX 64

/* on, off, or the machine's setting */
enum choice { CHOICE_DEFAULT, CHOICE_OFF, CHOICE_ON };

/* Arguments of an option that may be given several times. */
struct spec_list {
	const char *specs[SPECS_MAX];
	size_t cnt;
};

struct explain_opts {
	struct spec_list events, cpu_events, disabled;
	const char *pmu;
	const char *kernel;
	enum choice ht, watchdog, tfa, tsx, brs;
	int watchdog_counter; /* the counter + 1, so that 0 is none */
	uint64_t sibling, sibling_other; /* general counters */
	uint64_t sibling_busy_plus_1; /* percent + 1; 0: not given */
	uint64_t sibling_offcore[2];
	size_t sibling_offcore_cnt;
	uint64_t northbridge; /* general counters */
	uint64_t mux_ms; /* 0: the machine's */
	uint64_t run_ms;
	uint64_t burst_ms;
	uint64_t busy_plus_1; /* percent + 1; 0: not given */
	bool all_cpus, record;
	bool json;
	struct opt_given given;
};

extern const struct opt explain_opt_table[];
extern const struct opt_rule explain_rules[];

/* Takes a word among the options for one of -e. */
int explain_opts__positional(void *opts, const char *arg);

#endif
