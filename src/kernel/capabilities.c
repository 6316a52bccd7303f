// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
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
	BIT(CAP_SYSLOG),
};

/* The user and the group that own nothing. */
#define NO_ID 65534

static uint64_t kept;

struct caps {
	struct __user_cap_header_struct head;
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	uint64_t permitted;
};

static int get_caps(struct caps *caps)
{
	caps->head = (struct __user_cap_header_struct){ .version = _LINUX_CAPABILITY_VERSION_3 };
	if (syscall(SYS_capget, &caps->head, caps->data))
		return -errno;
	caps->permitted = caps->data[0].permitted | (uint64_t)caps->data[1].permitted << 32;
	return 0;
}

/* 0 or -errno. */
static int keep_here(void)
{
	uint64_t keep = kept;
	struct caps caps;
	int err = get_caps(&caps);
	size_t i;

	if (err)
		return err;
	if (keep & SPLIT_OFF & ~caps.permitted)
		keep |= BIT(CAP_SYS_ADMIN);
	for (i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		caps.data[i].permitted &= (uint32_t)(keep >> 32 * i);
		caps.data[i].effective = caps.data[i].permitted;
		caps.data[i].inheritable &= caps.data[i].permitted;
	}
	return syscall(SYS_capset, &caps.head, caps.data) ? -errno : 0;
}

/* In each thread; a handler of signals, so that it makes system calls alone. */
static void keep_in_thread(void)
{
	keep_here();
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

int capabilities__keep_to_read(bool starts_programs)
{
	struct caps caps;
	unsigned long cap;

	choose(CAPABILITY_READ_FILES | CAPABILITY_KERNEL_NAMES);
	for (cap = 0; !prctl(PR_CAPBSET_DROP, cap, 0, 0, 0); cap++)
		;
	/* Without the capability nothing of root could be read. */
	if (!geteuid() && !get_caps(&caps) && caps.permitted & BIT(CAP_DAC_READ_SEARCH)) {
		syscall(SYS_setgroups, 0, NULL);
		syscall(SYS_setfsgid, NO_ID);
		syscall(SYS_setfsuid, NO_ID);
		if (starts_programs) {
			prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
			syscall(SYS_setresgid, NO_ID, NO_ID, NO_ID);
			syscall(SYS_setresuid, NO_ID, NO_ID, NO_ID);
		}
	}
	/* With another id the kernel has taken the capability out of the effective ones. */
	return keep_here();
}

void capabilities__keep_to_detach(void)
{
	choose(CAPABILITY_READ_FILES);
	keep_in_thread();
}
