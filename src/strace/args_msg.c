// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Vectors of buffers, and messages. */
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

#include "strace/calls.h"

void put_iov(struct call_view *v, unsigned int arg, unsigned int part, uint64_t list, uint64_t cnt,
	     uint64_t limit)
{
	size_t sz, len, word = view__word_sz(v);
	const void *at = view__part(v, arg, part, &sz);
	unsigned int i;

	if (cnt > 1024)
		cnt = 1024;
	if (cnt && sz < 2 * word) {
		put_addr(v->out, list);
		return;
	}
	strbuf__putc(v->out, '[');
	for (i = 0; i < cnt && 2 * word * (i + 1ull) <= sz; i++) {
		uint64_t base = view__word(v, at, 2 * i), want = view__word(v, at, 2 * i + 1);
		uint64_t shown;
		const void *data = view__elem(v, arg, part + 1, i, &len);

		if (i)
			strbuf__puts(v->out, ", ");
		if (i == v->opts->str_sz) {
			strbuf__puts(v->out, "...");
			break;
		}
		strbuf__puts(v->out, "{iov_base=");
		shown = want < limit ? want : limit;
		limit -= shown;
		if (shown > v->opts->str_sz) {
			if (data && len >= v->opts->str_sz)
				put_quoted(v->out, v->opts, data, v->opts->str_sz, true);
			else
				put_addr(v->out, base);
		} else if (!base) {
			strbuf__puts(v->out, "NULL");
		} else if (!shown) {
			strbuf__puts(v->out, "\"\"");
		} else if (data && len >= shown) {
			put_quoted(v->out, v->opts, data, shown, false);
		} else {
			put_addr(v->out, base);
		}
		strbuf__puts(v->out, ", iov_len=");
		strbuf__put_u64(v->out, want);
		strbuf__putc(v->out, '}');
	}
	if (i < cnt && i < v->opts->str_sz)
		put_rest(v->out, list, sz, list + 2 * word * i);
	strbuf__putc(v->out, ']');
}

PRINT(iov)
{
	size_t sz;

	if (!v->args[arg + 1] && v->args[arg])
		strbuf__puts(v->out, "[]");
	else if (view__part(v, arg, 0, &sz))
		put_iov(v, arg, 0, v->args[arg], v->args[arg + 1], UINT64_MAX);
	else
		put_addr(v->out, v->args[arg]);
}

PRINT(iov_out)
{
	size_t sz;

	if (!v->args[arg + 1] && v->args[arg])
		strbuf__puts(v->out, "[]");
	else if (view__part(v, arg, 0, &sz))
		/* After an error the buffers are not copied, and their addresses are printed. */
		put_iov(v, arg, 0, v->args[arg], v->args[arg + 1],
			view__is_written(v) ? (uint64_t)v->ret : UINT64_MAX);
	else
		put_addr(v->out, v->args[arg]);
}

static void put_cmsg_data(struct call_view *v, const struct cmsghdr *c, size_t len)
{
	const int *fds = (const int *)CMSG_DATA(c);
	size_t i;

	if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
		strbuf__putc(v->out, '[');
		for (i = 0; i < len / sizeof(*fds); i++) {
			if (i)
				strbuf__puts(v->out, ", ");
			put_fd(v, fds[i]);
		}
		strbuf__putc(v->out, ']');
	} else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS &&
		   len >= sizeof(struct ucred)) {
		const struct ucred *u = (const struct ucred *)fds;

		strbuf__printf(v->out, "{pid=%d, uid=%u, gid=%u}", u->pid, u->uid, u->gid);
	} else {
		put_quoted(v->out, v->opts, fds, len < v->opts->str_sz ? len : v->opts->str_sz,
			   len > v->opts->str_sz);
	}
}

static void put_cmsg(struct call_view *v, const struct cmsghdr *c, size_t data_sz)
{
	static const struct name_of types[] = { NAME(SCM_RIGHTS),
						NAME(SCM_CREDENTIALS),
						{ 29, "SO_TIMESTAMP_OLD" } };
	static const struct names names = NAMES(types, "SCM_???");

	strbuf__printf(v->out, "{cmsg_len=%zu, cmsg_level=", (size_t)c->cmsg_len);
	put_enum(v->out, &names_sol, (uint64_t)c->cmsg_level);
	strbuf__puts(v->out, ", cmsg_type=");
	if (c->cmsg_level == SOL_SOCKET)
		put_enum(v->out, &names, (uint64_t)c->cmsg_type);
	else
		put_hex(v->out, (uint64_t)c->cmsg_type);
	if (data_sz) {
		strbuf__puts(v->out, ", cmsg_data=");
		put_cmsg_data(v, c, data_sz);
	}
	strbuf__putc(v->out, '}');
}

static void put_control(struct call_view *v, const struct msghdr *m, const char *data, size_t sz)
{
	size_t at = 0;

	if (!m->msg_controllen || !m->msg_control)
		return;
	strbuf__puts(v->out, ", msg_control=");
	if (!data || sz < sizeof(struct cmsghdr) || !v->is_wide) {
		put_addr(v->out, (uint64_t)m->msg_control);
		return;
	}
	if (sz > m->msg_controllen)
		sz = m->msg_controllen;
	strbuf__putc(v->out, '[');
	while (at + sizeof(struct cmsghdr) <= sz) {
		const struct cmsghdr *c = (const void *)(data + at);

		if (c->cmsg_len < sizeof(*c) || c->cmsg_len > sz - at)
			break;
		if (at)
			strbuf__puts(v->out, ", ");
		put_cmsg(v, c, c->cmsg_len - sizeof(*c));
		at += CMSG_ALIGN(c->cmsg_len);
	}
	strbuf__putc(v->out, ']');
}

/* The copies of a message, by their numbers; 0: there is none. */
struct msg_parts {
	unsigned int name, iov, control;
};

/* limit: bytes in all buffers. */
static void put_msghdr(struct call_view *v, unsigned int arg, const struct msghdr *m,
		       const struct msg_parts *parts, uint64_t limit)
{
	struct strbuf *out = v->out;
	size_t sz = 0;
	const void *at = parts->name ? view__part(v, arg, parts->name, &sz) : NULL;

	strbuf__puts(out, "{msg_name=");
	if (m->msg_name && at && sz >= 2)
		put_sockaddr(v, at, sz);
	else
		put_addr(out, (uint64_t)m->msg_name);
	strbuf__printf(out, ", msg_namelen=%d, msg_iov=", (int)m->msg_namelen);
	if (parts->iov && view__part(v, arg, parts->iov, &sz))
		put_iov(v, arg, parts->iov, (uint64_t)m->msg_iov, m->msg_iovlen, limit);
	else if (m->msg_iov && !m->msg_iovlen)
		strbuf__puts(out, "[]");
	else
		put_addr(out, (uint64_t)m->msg_iov);
	strbuf__printf(out, ", msg_iovlen=%zu", (size_t)m->msg_iovlen);
	at = parts->control ? view__part(v, arg, parts->control, &sz) : NULL;
	put_control(v, m, at, at ? sz : 0);
	strbuf__printf(out, ", msg_controllen=%zu, msg_flags=", (size_t)m->msg_controllen);
	put_flags(out, &names_msg, (unsigned int)m->msg_flags);
	strbuf__putc(out, '}');
}

/* Returns the message, which is put into *wide if the program has 32 bits; NULL: there is none. */
static const struct msghdr *message_of(const struct call_view *v, unsigned int arg,
				       struct msghdr *wide)
{
	const uint32_t *m;

	if (v->is_wide)
		return view__struct(v, arg, sizeof(*wide));
	m = view__struct(v, arg, 7 * sizeof(*m));
	if (!m)
		return NULL;
	*wide = (struct msghdr){
		.msg_name = (void *)(uintptr_t)m[0],
		.msg_namelen = m[1],
		.msg_iov = (void *)(uintptr_t)m[2],
		.msg_iovlen = m[3],
		.msg_control = (void *)(uintptr_t)m[4],
		.msg_controllen = m[5],
		.msg_flags = (int)m[6],
	};
	return wide;
}

PRINT(msghdr)
{
	static const struct msg_parts parts = { 1, 2, 4 };
	bool is_out = v->call->desc->args[arg]->is_out;
	struct msghdr wide;
	const struct msghdr *m = message_of(v, arg, &wide);

	if (m && is_out && v->err)
		strbuf__printf(v->out, "{msg_namelen=%d}", (int)m->msg_namelen);
	else if (!m || (is_out && !view__is_written(v)))
		put_addr(v->out, v->args[arg]);
	else
		put_msghdr(v, arg, m, &parts, is_out ? (uint64_t)v->ret : UINT64_MAX);
}

/* Messages with copies of their buffers; of others there are the addresses. */
#define MESSAGES 3

static struct msg_parts message_parts(size_t i)
{
	if (i >= MESSAGES)
		return (struct msg_parts){ 0, 0, 0 };
	return (struct msg_parts){ i ? 0 : 1 + 2 * MESSAGES, 1 + 2 * (unsigned int)i, 0 };
}

void fetch_mmsghdrs(struct fetch_list *l, unsigned int arg)
{
	size_t i;

	fetch_messages(l, arg, sizeof(struct mmsghdr));
	for (i = 0; i < MESSAGES; i++)
		fetch_message_iov(l, arg, i * sizeof(struct mmsghdr));
	fetch_bytes_at(l, arg, offsetof(struct msghdr, msg_name),
		       offsetof(struct msghdr, msg_namelen), 1);
}

/* How many messages have been sent or received is the result. */
PRINT(mmsghdrs)
{
	bool is_out = v->call->desc->args[arg]->is_out, done = view__is_written(v);
	size_t cnt = is_out ? (size_t)v->ret : (unsigned int)v->args[arg + 1], sz, i;
	const struct mmsghdr *m = view__part(v, arg, 0, &sz);

	if (v->args[arg] && !(unsigned int)v->args[arg + 1]) {
		strbuf__puts(v->out, "[]");
		return;
	}
	if (!m || (is_out && !done)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__putc(v->out, '[');
	for (i = 0; i < cnt && (i + 1) * sizeof(*m) <= sz; i++) {
		const struct msg_parts parts = message_parts(i);

		if (i)
			strbuf__puts(v->out, ", ");
		if (i == v->opts->str_sz)
			break;
		strbuf__puts(v->out, "{msg_hdr=");
		put_msghdr(v, arg, &m[i].msg_hdr, &parts, is_out ? m[i].msg_len : UINT64_MAX);
		if (done && i < (size_t)v->ret)
			strbuf__printf(v->out, ", msg_len=%u", m[i].msg_len);
		strbuf__putc(v->out, '}');
	}
	strbuf__puts(v->out, i < cnt ? "...]" : "]");
}

/* The time that was given. */
PRINT(mmsg_timeout)
{
	const int64_t *t = view__entry(v, arg, 16);

	if (t)
		put_timespec(v->out, t[0], t[1]);
	else
		put_addr(v->out, v->args[arg]);
}
