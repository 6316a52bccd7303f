/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Memory that is made present before it is written. */
#ifndef BPFPERF_UTIL_PRESENT_H
#define BPFPERF_UTIL_PRESENT_H

#include <stddef.h>

/*
 * Makes the whole pages of these bytes present with one call: a fault for each page costs more than
 * what is written there, up to 100 times as much under some hypervisors. For memory that is written
 * soon; without effect before Linux 5.14.
 */
void present__make(void *p, size_t sz);

#endif
