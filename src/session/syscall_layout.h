/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Layouts of the syscalls:* records, as the running kernel's tracefs describes them, for the one
 * program that makes the records of all calls.
 */
#ifndef BPFPERF_SESSION_SYSCALL_LAYOUT_H
#define BPFPERF_SESSION_SYSCALL_LAYOUT_H

#include <stdbool.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "event/tp_format.h"

struct syscall_layout {
	int nr; /* number of the call, below WIRE_MAX_SYSCALLS */
	bool is_enter;
	__u8 arg_cnt; /* number of arguments of sys_enter_X: 0 to 6 */
	/*
	 * Fields with copies of the memory behind arguments (6.19), in the encoding of
	 * WIRE_DATA_*() in bpf/wire.h.
	 */
	__u8 user_cnt, user_args[WIRE_DATA_FIELDS], user_sz;
};

/*
 * Reads the layout of a format. sys_enter_X is "__syscall_nr", padding, each argument in 8 bytes,
 * and from 6.19 on a __data_loc word, "__ARG_val", for each of up to three arguments that point to
 * text or bytes. sys_exit_X is "__syscall_nr" and "ret". False: it is neither. If neither the
 * format nor the table of calls gives the size of a field, the field stays empty (WIRE_DATA_NONE).
 */
bool syscall_layout__of(const struct tp_format *fmt, struct syscall_layout *layout);
/* Encodes these fields into a word of bpf/wire.h; 0: there are none. */
__u32 syscall_layout__user_data(const struct syscall_layout *layout);

#endif
