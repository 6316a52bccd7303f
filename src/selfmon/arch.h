/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The differences between architectures:
 *   arch_pmc(idx)     counter idx (the page's index − 1) of this CPU's PMU
 *   arch_cycles()     the clock that time_mult and time_shift convert
 *   arch_ask(attr)    asks for reads from user space, where the kernel wants to be asked
 *   ARCH_HAS_PMC      whether user space can read counters at all
 *   ARCH_REMEDY       what to do where the kernel does not let it
 *   ARCH_CORE_FILE    the file in sysfs that only the CPU's own PMUs have
 *   ARCH_SWITCH       the file that allows reads, with %s for the PMU's name
 *   ARCH_ALLOWED      why a counter cannot be read where that file allows it
 *   ARCH_NO_SWITCH    what to do where that file is missing
 *   ARCH_REMEDY_OFF   what to do where the page has no index
 */
#ifndef BPFPERF_SELFMON_ARCH_H
#define BPFPERF_SELFMON_ARCH_H

#if defined(__x86_64__) || defined(__i386__)
#include "selfmon/arch/x86.h"
#elif defined(__aarch64__)
#include "selfmon/arch/arm64.h"
#else
#include "selfmon/arch/generic.h"
#endif

#endif
