/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The names of the fields of `perf script`. */
#ifndef BPFPERF_SINK_SCRIPT_FIELD_NAMES_H
#define BPFPERF_SINK_SCRIPT_FIELD_NAMES_H

/* All names, as a list for messages. */
#define SCRIPT_FIELD_NAMES                                                                         \
	"comm, pid, tid, cpu, time, period, event, trace, addr, ip, sym, symoff, dso, srcline, "   \
	"srccode, iregs, uregs, misc, data_src, weight, ins_lat, phys_addr, data_page_size, "      \
	"code_page_size, insn, insnlen, flags, brstack, brstacksym, brstackoff, "                  \
	"brstackinsn, brstackinsnlen, callindent, synth, bpf-output, "                             \
	"tod"

/*
 * Parses a list of names into a struct script_choice, as of -F: `name,name`, or `+name,-name` for
 * changes of the default, behind `sw:` or another type for its events alone. 0, or -EINVAL, logged.
 */
int script_field_names__parse(void *choice, const char *arg);

#endif
