// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/prog_info.h"

#include <linux/types.h>
#include <linux/bpf.h>
#include <bpf/bpf.h>

uint64_t prog_info__missed(int fd)
{
	struct bpf_prog_info info = {};
	__u32 len = sizeof(info);

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &len))
		return 0;
	return info.recursion_misses;
}
