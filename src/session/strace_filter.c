// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/strace_filter.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "bpf/strace_wire.h"
#include "session/event_filters.h"
#include "util/log.h"

struct strace_filter {
	struct filter *filter;
	struct patch_tables tables;
};

static void put_field(struct strbuf *out, const char *type, const char *name, size_t off, size_t sz,
		      bool is_signed)
{
	strbuf__printf(out, "\tfield:%s %s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n", type, name, off,
		       sz, is_signed);
}

/* The format of a call's record, as the one of a tracepoint would be. */
static struct tp_format *call_format(void)
{
	struct strbuf text = STRBUF_INIT;
	struct tp_format *fmt;
	char name[8] = "arg0";
	size_t i;

	strbuf__puts(&text, "name: call\nID: 1\nformat:\n");
	/* An empty line ends the fields that all tracepoints have. */
	put_field(&text, "unsigned short", "common_type", 0, 2, false);
	strbuf__putc(&text, '\n');
	put_field(&text, "long", "ret", offsetof(struct wire_call, ret), 8, true);
	for (i = 0; i < 6; i++) {
		name[3] = (char)('0' + i);
		put_field(&text, "unsigned long", name, offsetof(struct wire_call, args) + 8 * i, 8,
			  false);
	}
	strbuf__puts(&text, "\nprint fmt: \"\"\n");
	fmt = tp_format__parse("strace", "call", strbuf__cstr(&text), text.len);
	strbuf__free(&text);
	return fmt;
}

struct strace_filter *strace_filter__new(const char *expr)
{
	struct strace_filter *f = calloc(1, sizeof(*f));
	struct filter_fault fault = FILTER_FAULT_INIT;
	struct tp_format *fmt = call_format();
	int err = -ENOMEM;

	if (f && fmt)
		err = filter__parse(&f->filter, expr, fmt, event_filters__env(), &fault);
	else
		log_error("out of memory");
	if (fault.err)
		filter_fault__log(&fault, expr);
	else if (!err && filter__hint(f->filter))
		log_warn("--filter: %s", filter__hint(f->filter));
	filter_fault__free(&fault);
	tp_format__free(fmt);
	if (!err)
		return f;
	free(f);
	return NULL;
}

void strace_filter__free(struct strace_filter *f)
{
	if (!f)
		return;
	filter__free(f->filter);
	patch_tables__free(&f->tables);
	free(f);
}

uint32_t strace_filter__needs(const struct strace_filter *f)
{
	return filter__needs(f->filter);
}

int strace_filter__put(struct strace_filter *f, struct bpf_program *prog)
{
	const struct patch_event call = { .filter = f->filter };
	int err = patch_code__put(prog, &call, 1, NULL, &f->tables);

	if (err == -E2BIG)
		log_error("--filter is too large for a BPF program; shorten it");
	else if (err)
		log_error("cannot put the filter into the BPF programs: %s", strerror(-err));
	return err;
}
