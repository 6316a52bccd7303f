// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/capabilities.h"

#include <linux/capability.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/thread.h"

#define BIT(cap) (1ull << (cap))

/* Before these capabilities were split off (5.8, 5.9), or without them, CAP_SYS_ADMIN serves. */
#define SPLIT_OFF (BIT(CAP_BPF) | BIT(CAP_PERFMON) | BIT(CAP_CHECKPOINT_RESTORE))

/* The capabilities of each of enum capability_needs. */
static const uint64_t needed[] = {
	BIT(CAP_DAC_READ_SEARCH),
	BIT(CAP_SYS_PTRACE) | BIT(CAP_CHECKPOINT_RESTORE) | BIT(CAP_SYSLOG),
	BIT(CAP_BPF) | BIT(CAP_PERFMON),
	BIT(CAP_DAC_OVERRIDE) | BIT(CAP_FOWNER) | BIT(CAP_CHOWN),
	BIT(CAP_SYS_ADMIN),
	BIT(CAP_PERFMON) | BIT(CAP_SYS_PTRACE) | BIT(CAP_IPC_LOCK),
	BIT(CAP_SETUID) | BIT(CAP_SETGID),
};

static uint64_t kept;

/* In each thread; a handler of signals, so that it makes system calls alone. */
static void keep_in_thread(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	uint64_t has, keep = kept;
	size_t i;

	if (syscall(SYS_capget, &head, data))
		return;
	has = data[0].permitted | (uint64_t)data[1].permitted << 32;
	if (keep & SPLIT_OFF & ~has)
		keep |= BIT(CAP_SYS_ADMIN);
	for (i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].permitted &= (uint32_t)(keep >> 32 * i);
		data[i].effective &= data[i].permitted;
		data[i].inheritable &= data[i].permitted;
	}
	syscall(SYS_capset, &head, data);
}

static void choose(unsigned int needs)
{
	size_t i;

	kept = 0;
	for (i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (needs & 1u << i)
			kept |= needed[i];
}

void capabilities__keep(unsigned int needs)
{
	choose(needs);
	thread__run_in_all(keep_in_thread);
}

void capabilities__keep_to_detach(void)
{
	choose(CAPABILITY_READ_FILES);
	keep_in_thread();
}
