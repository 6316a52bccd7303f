// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "host/running_kernel.h"

#include <string.h>
#include <sys/utsname.h>

/* Recorders that are no Linux programs write the names of compilers. */
static const char *arch_of(const char *name)
{
	static const char *const also[][2] = { { "arm64", "aarch64" }, { "amd64", "x86_64" } };
	size_t i;

	for (i = 0; i < sizeof(also) / sizeof(*also); i++)
		if (!strcmp(name, also[i][0]))
			return also[i][1];
	return name;
}

enum kernel_origin running_kernel__compare(const char *release, const char *arch)
{
	struct utsname un;

	if ((!release && !arch) || uname(&un))
		return KERNEL_UNSTATED;
	if (release && strcmp(release, un.release))
		return KERNEL_OTHER;
	return arch && strcmp(arch_of(arch), arch_of(un.machine)) ? KERNEL_OTHER : KERNEL_RUNNING;
}
