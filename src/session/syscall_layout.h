/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The records of syscalls:*, as the running kernel's tracefs describes them:
 * what the one program of all of them must know of each.
 */
#ifndef BPFPERF_SESSION_SYSCALL_LAYOUT_H
#define BPFPERF_SESSION_SYSCALL_LAYOUT_H

#include <stdbool.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "event/tp_format.h"

struct syscall_layout {
	int nr; /* of the call, below WIRE_MAX_SYSCALLS */
	bool is_enter;
	__u8 arg_cnt; /* arguments of sys_enter_X: 0 to 6 */
	/* Fields with what arguments point to (6.19); as in WIRE_DATA_*() of bpf/wire.h. */
	__u8 user_cnt, user_args[WIRE_DATA_FIELDS], user_sz;
};

/*
 * sys_enter_X is "__syscall_nr", padding, each argument in 8 bytes, and from
 * 6.19 on a __data_loc word for each of up to three arguments that point to
 * text or bytes: "__ARG_val". sys_exit_X is "__syscall_nr" and "ret". False:
 * it is neither. Where the format does not tell how many bytes a field has,
 * and the call is not known, the field is to be left empty (WIRE_DATA_NONE).
 */
bool syscall_layout__of(const struct tp_format *fmt, struct syscall_layout *layout);
/* The latter in a word, as bpf/wire.h has it; 0: there are none. */
__u32 syscall_layout__user_data(const struct syscall_layout *layout);

#endif
