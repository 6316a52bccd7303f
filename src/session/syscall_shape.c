// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/syscall_shape.h"

#include <stdio.h>
#include <string.h>

#include "event/syscall_nr.h"

/* Where the arguments begin, or the value that sys_exit_X has. */
#define ARGS_OFF 16
#define MAX_ARGS 6

/*
 * The calls of which the kernel takes as many bytes as an argument says: check_faultable_syscall()
 * of kernel/trace/trace_syscalls.c. Formats do not tell which argument that is, and of those that
 * are printed as text not even that there is one.
 */
static const struct {
	const char *name;
	__u8 sz_arg;
} sized_calls[] = {
	{ "write", 2 },       { "pwrite64", 2 },      { "mq_timedsend", 2 },
	{ "sethostname", 1 }, { "setdomainname", 1 }, { "kexec_file_load", 3 },
};

/* Are the field's bytes printed one by one? */
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

/* Takes the field "__ARG_val" of the argument ARG, which is one of `args`. */
static bool take_user_field(const struct tp_format *fmt, const struct tp_field *f,
			    const struct tp_field *args, struct syscall_shape *shape)
{
	char name[128];
	__u8 arg;

	if (shape->user_cnt == WIRE_DATA_FIELDS || f->flags & TP_FIELD_REL ||
	    f->off != ARGS_OFF + 8 * shape->arg_cnt + 4 * shape->user_cnt)
		return false;
	for (arg = 0; arg < shape->arg_cnt; arg++) {
		snprintf(name, sizeof(name), "__%s_val", args[arg].name);
		if (strcmp(f->name, name) != 0)
			continue;
		shape->user_sz = size_of(fmt, f);
		if (shape->user_sz < WIRE_DATA_TEXT && shape->user_sz >= shape->arg_cnt)
			return false;
		shape->user_args[shape->user_cnt++] = arg;
		return true;
	}
	return false;
}

bool syscall_shape__of(const struct tp_format *fmt, struct syscall_shape *shape)
{
	const struct tp_field *f = fmt->fields, *end = f + fmt->field_cnt, *args;

	*shape = (struct syscall_shape){ .is_enter = strncmp(fmt->name, "sys_enter_", 10) == 0 };
	if (!shape->is_enter && strncmp(fmt->name, "sys_exit_", 9) != 0)
		return false;
	while (f < end && f->flags & TP_FIELD_COMMON)
		f++;
	if (f == end || f->off != 8 || f->size != 4 || f->flags & TP_FIELD_DYNAMIC)
		return false;
	for (args = ++f; f < end && !(f->flags & TP_FIELD_DYNAMIC); f++) {
		if (shape->arg_cnt == MAX_ARGS || f->size != 8 ||
		    f->off != ARGS_OFF + 8 * shape->arg_cnt)
			return false;
		shape->arg_cnt++;
	}
	for (; f < end; f++)
		if (!shape->is_enter || !(f->flags & TP_FIELD_DYNAMIC) ||
		    !take_user_field(fmt, f, args, shape))
			return false;
	shape->nr = syscall_nr__by_event(fmt->name + (shape->is_enter ? 10 : 9));
	return shape->nr >= 0 && shape->nr < WIRE_MAX_SYSCALLS &&
	       (shape->is_enter || shape->arg_cnt == 1);
}

__u32 syscall_shape__user_data(const struct syscall_shape *shape)
{
	__u32 data = shape->user_cnt | (__u32)shape->user_sz << 16, i;

	for (i = 0; i < shape->user_cnt; i++)
		data |= (__u32)shape->user_args[i] << (4 + 4 * i);
	return data;
}
