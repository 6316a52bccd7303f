/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The columns of a report by their names, as `report -s` and -F take them. */
#ifndef BPFPERF_PROFILE_HIST_KEYS_H
#define BPFPERF_PROFILE_HIST_KEYS_H

#include "profile/hist.h"

struct strbuf;

#define HIST_KEY_NAMES                                                                             \
	"comm, dso, sym, pid, tid, cpu, event, srcline, trace, parent, weight, local_weight, "     \
	"cgroup, socket, time, ins_lat, local_ins_lat, srcfile, addr, code_page_size, "            \
	"transaction, symbol_size, dso_size; with --mem-mode mem, locked, tlb, snoop, "            \
	"blocked, symbol_daddr, dso_daddr, symbol_iaddr, phys_daddr, dcacheline, "                 \
	"data_page_size; with -b "                                                                 \
	"dso_from, dso_to, symbol_from, symbol_to, srcline_from, srcline_to, mispredict, abort, "  \
	"in_tx, cycles; numbers: overhead, overhead_sys, overhead_us, overhead_guest_sys, "        \
	"overhead_guest_us, overhead_children, sample, period"

#define HIST_MAX_WIDTH 4096

/*
 * Set the keys of a struct hist_config from a list: those of -s, by which lines are ordered, too,
 * and those of -F, which are all columns, or with + before the list numbers to be added. 0, or
 * -EINVAL (logged).
 */
int hist_keys__sort_by(void *hist_config, const char *arg);
int hist_keys__set_fields(void *hist_config, const char *arg);
/* Sets the widths of columns from a list of numbers. 0, or -EINVAL (logged). */
int hist_keys__set_widths(void *hist_config, const char *arg);
/* Is a key a number of the line? */
bool hist_keys__have_numbers(const struct hist_config *cfg);

/* Puts the names of the keys, separated by commas. */
void hist_keys__put(const struct hist_config *cfg, struct strbuf *out);

#endif
