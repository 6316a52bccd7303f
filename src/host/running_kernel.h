/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Compares a kernel's own name with that of the running one. */
#ifndef BPFPERF_HOST_RUNNING_KERNEL_H
#define BPFPERF_HOST_RUNNING_KERNEL_H

enum kernel_origin {
	KERNEL_UNSTATED, /* neither release nor architecture are known */
	KERNEL_RUNNING, /* those that are known are the running kernel's */
	KERNEL_OTHER,
};

/* release: as uname -r prints it; arch: as uname -m does, or "arm64". Each may be NULL: unknown. */
enum kernel_origin running_kernel__compare(const char *release, const char *arch);

#endif
