// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Results of calls that are no decimal numbers, or have a note. */
#include <linux/prctl.h>

#include "strace/calls.h"

void ret_hex(struct call_view *v)
{
	put_hex(v->out, (uint64_t)v->ret);
}

void ret_octal(struct call_view *v)
{
	put_octal(v->out, (uint64_t)v->ret, 3);
}

void ret_fd(struct call_view *v)
{
	put_fd(v, v->ret);
}

void ret_unknown(struct call_view *v)
{
	strbuf__putc(v->out, '?');
}

void ret_int(struct call_view *v)
{
	strbuf__put_s64(v->out, (int)v->ret);
}

void ret_pid(struct call_view *v)
{
	put_pid(v->out, v->opts, (int)v->ret);
}

void ret_membarrier(struct call_view *v)
{
	if (v->args[0] || !v->ret) {
		strbuf__put_s64(v->out, v->ret);
		return;
	}
	put_hex(v->out, (uint64_t)v->ret);
	put_flags(v->note, &names_membarrier, (uint64_t)v->ret);
}

/* The number of a version, or a descriptor. */
void ret_landlock(struct call_view *v)
{
	if (v->args[2])
		strbuf__put_s64(v->out, v->ret);
	else
		put_fd(v, v->ret);
}

void ret_prctl(struct call_view *v)
{
	static const char *const dumpable[] = { "SUID_DUMP_DISABLE", "SUID_DUMP_USER",
						"SUID_DUMP_ROOT" };

	strbuf__put_s64(v->out, v->ret);
	if (v->args[0] == PR_GET_DUMPABLE && v->ret < 3)
		strbuf__puts(v->note, dumpable[v->ret]);
}

void ret_sched(struct call_view *v)
{
	const char *name = names__find(&names_sched, (uint64_t)v->ret);

	strbuf__put_s64(v->out, v->ret);
	if (name)
		strbuf__puts(v->note, name);
}

void ret_personality(struct call_view *v)
{
	put_hex(v->out, (uint64_t)v->ret);
	put_flags(v->note, &names_personality, (uint64_t)v->ret);
}

void ret_signal(struct call_view *v)
{
	strbuf__put_s64(v->out, v->ret);
	put_signal(v->note, (int)v->ret);
}
