/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Perf's feature sections about the machine on which a recording was made. */
#ifndef BPFPERF_DATA_HOST_INFO_H
#define BPFPERF_DATA_HOST_INFO_H

#include <stdint.h>

#include "util/strbuf.h"

/* Appends a string of a feature section: its size as u32, the text, NULs to a multiple of 64. */
void host_info__put_text(struct strbuf *sb, const char *text);
/*
 * Appends the section of one of the features HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC,
 * CPUID, TOTAL_MEM, CPU_TOPOLOGY, NUMA_TOPOLOGY, PMU_MAPPINGS. Appends nothing if this machine does
 * not provide the information, or for any other feature.
 */
void host_info__put(struct strbuf *sb, unsigned int feature);

#endif
