/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_EXPORT_UNIT_H
#define BPFPERF_EXPORT_UNIT_H

#include "util/strbuf.h"

/*
 * Appends the unit of systemd (dist/bpfperf.service) for this kernel and the program at this path;
 * last_cap: the kernel's last capability, of kernel.cap_last_cap.
 */
void unit__put(struct strbuf *sb, const char *program, long last_cap);

#endif
