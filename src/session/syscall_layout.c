// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/syscall_layout.h"

#include <stdio.h>
#include <string.h>

#include "event/syscall_nr.h"

/* Offset of the arguments, or of the value of sys_exit_X. */
#define ARGS_OFF 16
#define MAX_ARGS 6

/*
 * The calls of which an argument gives the number of bytes that the kernel copies:
 * check_faultable_syscall() of kernel/trace/trace_syscalls.c. Formats do not say which argument
 * that is; for fields printed as text they do not even say that there is one.
 */
static const struct {
	const char *name;
	__u8 sz_arg;
} sized_calls[] = {
	{ "write", 2 },       { "pwrite64", 2 },      { "mq_timedsend", 2 },
	{ "sethostname", 1 }, { "setdomainname", 1 }, { "kexec_file_load", 3 },
};

/* Does the format print the field's bytes one by one? */
static bool is_bytes(const struct tp_format *fmt, const struct tp_field *f)
{
	char expr[128];

	snprintf(expr, sizeof(expr), "__print_dynamic_array(%s,", f->name);
	return strstr(fmt->text, expr) != NULL;
}

static __u8 size_of(const struct tp_format *fmt, const struct tp_field *f)
{
	size_t i;

	for (i = 0; i < sizeof(sized_calls) / sizeof(sized_calls[0]); i++)
		if (strcmp(fmt->name + strlen("sys_enter_"), sized_calls[i].name) == 0)
			return sized_calls[i].sz_arg;
	return is_bytes(fmt, f) ? WIRE_DATA_NONE : WIRE_DATA_TEXT;
}

/* Reads the field "__ARG_val" of the argument ARG, one of `args`. */
static bool take_user_field(const struct tp_format *fmt, const struct tp_field *f,
			    const struct tp_field *args, struct syscall_layout *layout)
{
	char name[128];
	__u8 arg;

	if (layout->user_cnt == WIRE_DATA_FIELDS || f->flags & TP_FIELD_REL ||
	    f->off != ARGS_OFF + 8 * layout->arg_cnt + 4 * layout->user_cnt)
		return false;
	for (arg = 0; arg < layout->arg_cnt; arg++) {
		snprintf(name, sizeof(name), "__%s_val", args[arg].name);
		if (strcmp(f->name, name) != 0)
			continue;
		layout->user_sz = size_of(fmt, f);
		if (layout->user_sz < WIRE_DATA_TEXT && layout->user_sz >= layout->arg_cnt)
			return false;
		layout->user_args[layout->user_cnt++] = arg;
		return true;
	}
	return false;
}

bool syscall_layout__of(const struct tp_format *fmt, struct syscall_layout *layout)
{
	const struct tp_field *f = fmt->fields, *end = f + fmt->field_cnt, *args;

	*layout = (struct syscall_layout){ .is_enter = strncmp(fmt->name, "sys_enter_", 10) == 0 };
	if (!layout->is_enter && strncmp(fmt->name, "sys_exit_", 9) != 0)
		return false;
	while (f < end && f->flags & TP_FIELD_COMMON)
		f++;
	if (f == end || f->off != 8 || f->size != 4 || f->flags & TP_FIELD_DYNAMIC)
		return false;
	for (args = ++f; f < end && !(f->flags & TP_FIELD_DYNAMIC); f++) {
		if (layout->arg_cnt == MAX_ARGS || f->size != 8 ||
		    f->off != ARGS_OFF + 8 * layout->arg_cnt)
			return false;
		layout->arg_cnt++;
	}
	for (; f < end; f++)
		if (!layout->is_enter || !(f->flags & TP_FIELD_DYNAMIC) ||
		    !take_user_field(fmt, f, args, layout))
			return false;
	layout->nr = syscall_nr__by_event(fmt->name + (layout->is_enter ? 10 : 9));
	return layout->nr >= 0 && layout->nr < WIRE_MAX_SYSCALLS &&
	       (layout->is_enter || layout->arg_cnt == 1);
}

__u32 syscall_layout__user_data(const struct syscall_layout *layout)
{
	__u32 data = layout->user_cnt | (__u32)layout->user_sz << 16, i;

	for (i = 0; i < layout->user_cnt; i++)
		data |= (__u32)layout->user_args[i] << (4 + 4 * i);
	return data;
}
