/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * libpfm4, loaded when a name is looked up in it: its tables of pointers take the dynamic linker
 * 1 ms and 2 MB, which each start would pay. A static program contains it.
 */
#ifndef BPFPERF_EVENT_PFM_LIB_H
#define BPFPERF_EVENT_PFM_LIB_H

#include <perfmon/pfmlib_perf_event.h>

#define PFM_LIB_FUNCTIONS(X)                                                                       \
	X(initialize)                                                                              \
	X(terminate)                                                                               \
	X(get_perf_event_encoding)                                                                 \
	X(get_os_event_encoding)                                                                   \
	X(get_pmu_info)                                                                            \
	X(get_event_info)                                                                          \
	X(get_event_attr_info)                                                                     \
	X(get_event_next)

/* pfm_NAME() of libpfm4 is called NAME. */
struct pfm_lib {
#define PFM_LIB_MEMBER(name) __typeof__(pfm_##name) *name;
	PFM_LIB_FUNCTIONS(PFM_LIB_MEMBER)
#undef PFM_LIB_MEMBER
};

/* The library, initialized; NULL: it is not installed (logged once), or knows no PMU. */
const struct pfm_lib *pfm_lib__get(void);
/* The next pfm_lib__get() initializes it again, with the environment of that time. */
void pfm_lib__restart(void);

#endif
