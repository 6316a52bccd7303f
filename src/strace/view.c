// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/view.h"

#include <errno.h>
#include <string.h>

#include "strace/fd_names.h"

void call_view__init(struct call_view *v, const struct call *call, const struct wire_call *rec,
		     bool returned)
{
	const void *at = rec + 1;

	v->call = call;
	v->rec = rec;
	v->args = (const uint64_t *)rec->args;
	v->ret = rec->ret;
	v->returned = returned;
	v->err = returned && rec->ret < 0 && rec->ret >= -4095 ? (int)-rec->ret : 0;
	v->is_wide = rec->nr < STRACE_CALLS;
	v->end = (const void *)rec + rec->head.sz;
	memset(v->first, 0, sizeof(v->first));
	memset(v->entry, 0, sizeof(v->entry));
	v->file_cnt = 0;
	v->at_result = false;
	while (at + sizeof(struct strace_chunk) <= v->end) {
		const struct strace_chunk *c = at;

		if (c->step < sizeof(*c) || at + sizeof(*c) + c->sz > v->end)
			break;
		if (c->fetch & STRACE_AT_ENTRY) {
			if ((c->fetch & ~STRACE_AT_ENTRY) < STRACE_ENTRIES)
				v->entry[c->fetch & ~STRACE_AT_ENTRY] = c;
		} else if (c->fetch == STRACE_FILE) {
			if (v->file_cnt < VIEW_FILES && c->sz >= sizeof(struct strace_file))
				v->files[v->file_cnt++] = (const void *)(c + 1);
		} else if (c->fetch < STRACE_FETCHES && !v->first[c->fetch]) {
			v->first[c->fetch] = c;
		}
		at += c->step;
	}
}

/* Returns a structure as 64-bit programs have it. */
static const void *widened(const struct call_view *v, unsigned int arg, const void *at, size_t *sz)
{
	enum narrow n = v->call->narrow[arg];

	if (v->is_wide || (n != NARROW_SIGNED && n != NARROW_UNSIGNED && n != NARROW_STAT64))
		return at;
	*sz = narrow__widen(n, v->wide[arg], at, *sz);
	return v->wide[arg];
}

const void *view__part(const struct call_view *v, unsigned int arg, unsigned int part, size_t *sz)
{
	int fetch = v->call->fetch[arg];
	const struct strace_chunk *c;

	*sz = 0;
	if (fetch < 0 || fetch + part >= STRACE_FETCHES)
		return NULL;
	c = v->first[fetch + part];
	if (!c || c->failed)
		return NULL;
	*sz = c->sz;
	return part ? c + 1 : widened(v, arg, c + 1, sz);
}

bool view__is_cut(const struct call_view *v, unsigned int arg)
{
	int fetch = v->call->fetch[arg];
	const struct strace_chunk *c = fetch < 0 ? NULL : v->first[fetch];

	return c && c->cut;
}

const void *view__struct(const struct call_view *v, unsigned int arg, size_t want)
{
	size_t sz;
	const void *at = view__part(v, arg, 0, &sz);

	return at && sz >= want ? at : NULL;
}

const void *view__entry(const struct call_view *v, unsigned int arg, size_t want)
{
	int entry = v->call->entry[arg];
	const struct strace_chunk *c = entry < 0 ? NULL : v->entry[entry];

	const void *at;
	size_t sz;

	if (!c || c->failed)
		return NULL;
	sz = c->sz;
	at = widened(v, arg, c + 1, &sz);
	return sz >= want ? at : NULL;
}

const void *view__elem(const struct call_view *v, unsigned int arg, unsigned int part,
		       unsigned int elem, size_t *sz)
{
	int fetch = v->call->fetch[arg];
	const void *at;

	*sz = 0;
	if (fetch < 0 || fetch + part >= STRACE_FETCHES)
		return NULL;
	at = v->first[fetch + part];
	while (at && at + sizeof(struct strace_chunk) <= v->end) {
		const struct strace_chunk *c = at;

		if (c->fetch != fetch + part || c->step < sizeof(*c) ||
		    at + sizeof(*c) + c->sz > v->end)
			break;
		if (c->elem == elem) {
			*sz = c->sz;
			return c->failed ? NULL : c + 1;
		}
		at += c->step;
	}
	return NULL;
}

const struct strace_file *view__file(const struct call_view *v, int fd)
{
	unsigned int i;

	for (i = 0; i < v->file_cnt; i++) {
		const struct strace_file *f = v->files[v->at_result ? v->file_cnt - 1 - i : i];

		if (f->fd == fd)
			return f;
	}
	return NULL;
}

void call_view__put_name(struct call_view *v)
{
	if (v->call->name)
		strbuf__puts(v->out, v->call->name);
	else
		strbuf__printf(v->out, "syscall_%#x", v->rec->nr % STRACE_CALLS);
}

bool call_view__put_arg(struct call_view *v, unsigned int i, bool only_begin)
{
	const struct call_desc *d = v->call->desc;

	if (i >= CALL_ARGS || (d && !d->args[i]))
		return false;
	if (!d) {
		put_hex(v->out, v->args[i]);
		return true;
	}
	if (only_begin && d->args[i]->is_out && v->args[i])
		return false;
	d->args[i]->print(v, i);
	return true;
}

bool call_view__put_args(struct call_view *v, bool only_begin)
{
	const struct call_desc *d = v->call->desc;
	unsigned int i;

	for (i = 0;; i++) {
		size_t before = v->out->len, at;

		if (i)
			strbuf__puts(v->out, ", ");
		at = v->out->len;
		if (!call_view__put_arg(v, i, only_begin)) {
			v->out->len = before;
			return i < CALL_ARGS && d && d->args[i];
		}
		/* An argument that this call does not use prints nothing. */
		if (v->out->len == at)
			v->out->len = before;
	}
}

static bool put_restart(struct strbuf *out, int err)
{
	switch (err) {
	case ERESTARTSYS:
		strbuf__puts(out, "? ERESTARTSYS (To be restarted if SA_RESTART is set)");
		return true;
	case ERESTARTNOINTR:
		strbuf__puts(out, "? ERESTARTNOINTR (To be restarted)");
		return true;
	case ERESTARTNOHAND:
		strbuf__puts(out, "? ERESTARTNOHAND (To be restarted if no handler)");
		return true;
	case ERESTART_RESTARTBLOCK:
		strbuf__puts(out, "? ERESTART_RESTARTBLOCK (Interrupted by signal)");
		return true;
	}
	return false;
}

void call_view__print_result(struct call_view *v)
{
	if (v->err) {
		if (put_restart(v->out, v->err))
			return;
		strbuf__puts(v->out, "-1 ");
		put_errno(v->out, v->err);
		strbuf__puts(v->out, " (");
		strbuf__puts(v->out, strerror(v->err));
		strbuf__putc(v->out, ')');
		return;
	}
	v->note->len = 0;
	v->at_result = true;
	if (v->opts->fds)
		fd_names__opened(v->opts->fds, v);
	if (v->call->desc && v->call->desc->ret)
		v->call->desc->ret(v);
	else if (v->is_wide)
		strbuf__put_s64(v->out, v->ret);
	else
		strbuf__put_s64(v->out, (int32_t)v->ret);
	if (v->note->len) {
		strbuf__puts(v->out, " (");
		strbuf__add(v->out, v->note->buf, v->note->len);
		strbuf__putc(v->out, ')');
	}
}
