/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Functions that the files of the library share. */
#ifndef BPFPERF_SELFMON_PRIV_H
#define BPFPERF_SELFMON_PRIV_H

#include "selfmon/bpfperf.h"

/*
 * Maps the page of c->fd, and makes the calling thread the owner of the counter. 0; or -errno, and
 * the counter can be read by read(2) alone.
 */
int counter__map_page(struct bpfperf_counter *c) __attribute__((visibility("hidden")));

#endif
