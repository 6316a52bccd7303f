// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Arguments that are times, and of calls that wait: poll, select, epoll, futex. */
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <time.h>

#include <linux/futex.h>

#include "strace/calls.h"

/* Returns memory of sz bytes as it was when the call began, else as it is at the return. */
static const void *struct_of(const struct call_view *v, unsigned int arg, size_t sz)
{
	const void *at = view__entry(v, arg, sz);

	return at ? at : view__struct(v, arg, sz);
}

/* Prints pairs of 64-bit numbers with these names. */
static void put_pair(struct strbuf *out, const int64_t *at, const char *second)
{
	strbuf__puts(out, "{tv_sec=");
	strbuf__put_s64(out, at[0]);
	strbuf__puts(out, ", ");
	strbuf__puts(out, second);
	strbuf__putc(out, '=');
	strbuf__put_s64(out, at[1]);
	strbuf__putc(out, '}');
}

static bool is_unwritten(const struct call_view *v, unsigned int arg)
{
	return v->call->desc->args[arg]->is_out && !view__is_written(v);
}

static void print_pairs(struct call_view *v, unsigned int arg, const char *second, int cnt)
{
	const int64_t *t = struct_of(v, arg, (size_t)cnt * 16);
	int i;

	if (!t || is_unwritten(v, arg)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	if (cnt > 1)
		strbuf__putc(v->out, '[');
	for (i = 0; i < cnt; i++) {
		if (i)
			strbuf__puts(v->out, ", ");
		put_pair(v->out, t + 2 * i, second);
	}
	if (cnt > 1)
		strbuf__putc(v->out, ']');
}

PRINT(timespec)
{
	print_pairs(v, arg, "tv_nsec", 1);
}

PRINT(timeval)
{
	print_pairs(v, arg, "tv_usec", 1);
}

PRINT(timezone)
{
	const struct timezone *tz = view__struct(v, arg, sizeof(*tz));

	if (tz && (!v->call->desc->args[arg]->is_out || view__is_written(v)))
		strbuf__printf(v->out, "{tz_minuteswest=%d, tz_dsttime=%d}", tz->tz_minuteswest,
			       tz->tz_dsttime);
	else
		put_addr(v->out, v->args[arg]);
}

PRINT(timeval_pair)
{
	print_pairs(v, arg, "tv_usec", 2);
}

/* The rest of an interrupted sleep. */
PRINT(time_left)
{
	bool interrupted = v->err == 4 || v->err == 516;

	if (interrupted && v->args[arg] && view__struct(v, arg, 16))
		print_timespec(v, arg);
	else
		put_addr(v->out, v->args[arg]);
}

static void put_file_time(struct strbuf *out, const int64_t *t)
{
	if (t[1] == ((1l << 30) - 1l)) {
		strbuf__puts(out, "UTIME_NOW");
	} else if (t[1] == ((1l << 30) - 2l)) {
		strbuf__puts(out, "UTIME_OMIT");
	} else {
		put_pair(out, t, "tv_nsec");
		put_date(out, t[0], (uint64_t)t[1]);
	}
}

/* The times of a file, as for utimensat. */
PRINT(timespec_pair)
{
	const int64_t *t = struct_of(v, arg, 32);

	if (!t) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__putc(v->out, '[');
	put_file_time(v->out, t);
	strbuf__puts(v->out, ", ");
	put_file_time(v->out, t + 2);
	strbuf__putc(v->out, ']');
}

static void print_interval(struct call_view *v, unsigned int arg, const char *second)
{
	const int64_t *t = struct_of(v, arg, 32);

	if (!t || is_unwritten(v, arg)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__puts(v->out, "{it_interval=");
	put_pair(v->out, t, second);
	strbuf__puts(v->out, ", it_value=");
	put_pair(v->out, t + 2, second);
	strbuf__putc(v->out, '}');
}

PRINT(itimerval)
{
	print_interval(v, arg, "tv_usec");
}

PRINT(itimerspec)
{
	print_interval(v, arg, "tv_nsec");
}

PRINT(pollfds)
{
	uint64_t cnt = v->args[arg + 1], i;
	size_t sz;
	const struct pollfd *p = view__part(v, arg, 0, &sz);

	if (!p && v->args[arg] && !cnt) {
		strbuf__puts(v->out, "[]");
		return;
	}
	if (!p || sz < sizeof(*p)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__putc(v->out, '[');
	for (i = 0; i < cnt && (i + 1) * sizeof(*p) <= sz; i++) {
		if (i)
			strbuf__puts(v->out, ", ");
		if (i == v->opts->str_sz) {
			strbuf__puts(v->out, "...");
			break;
		}
		strbuf__puts(v->out, "{fd=");
		put_fd(v, p[i].fd);
		if (p[i].fd >= 0) {
			strbuf__puts(v->out, ", events=");
			put_flags(v->out, &names_poll, (uint16_t)p[i].events);
		}
		strbuf__putc(v->out, '}');
	}
	if (i < cnt && i < v->opts->str_sz)
		put_rest(v->out, v->args[arg], sz, v->args[arg] + i * sizeof(*p));
	strbuf__putc(v->out, ']');
}

static void put_left(struct call_view *v, unsigned int arg, const char *second)
{
	const int64_t *left = arg < CALL_ARGS && v->args[arg] ? view__struct(v, arg, 16) : NULL;

	if (!left)
		return;
	if (v->note->len)
		strbuf__puts(v->note, ", ");
	strbuf__puts(v->note, "left ");
	put_pair(v->note, left, second);
}

/* The descriptors that are ready: in a note behind the result. */
void ret_poll(struct call_view *v)
{
	bool is_ppoll = strncmp(v->call->name, "ppoll", 5) == 0, any = false;
	size_t sz, i;
	const struct pollfd *p = view__part(v, 0, 0, &sz);
	struct strbuf *out = v->out;

	strbuf__put_s64(v->out, v->ret);
	if (!v->ret) {
		strbuf__puts(v->note, "Timeout");
		return;
	}
	if (!p)
		return;
	v->out = v->note;
	strbuf__putc(v->note, '[');
	for (i = 0; i < v->args[1] && (i + 1) * sizeof(*p) <= sz; i++) {
		if (!p[i].revents || p[i].fd < 0)
			continue;
		strbuf__puts(v->note, any ? ", {fd=" : "{fd=");
		put_fd(v, p[i].fd);
		strbuf__puts(v->note, ", revents=");
		put_flags(v->note, &names_poll, (uint16_t)p[i].revents);
		strbuf__putc(v->note, '}');
		any = true;
	}
	strbuf__putc(v->note, ']');
	v->out = out;
	if (is_ppoll)
		put_left(v, 2, "tv_nsec");
}

static void put_fds(struct call_view *v, const uint64_t *set, size_t sz, uint64_t cnt)
{
	bool any = false;
	uint64_t fd;

	strbuf__putc(v->out, '[');
	for (fd = 0; fd < cnt && fd < 8 * sz; fd++) {
		if (!(set[fd / 64] >> (fd % 64) & 1))
			continue;
		if (any)
			strbuf__putc(v->out, ' ');
		put_fd(v, (int64_t)fd);
		any = true;
	}
	strbuf__putc(v->out, ']');
}

/* Argument 0 is the number of descriptors. */
PRINT(fdset)
{
	size_t sz = ((v->args[0] & 0xffff) + 63) / 64 * 8;
	const uint64_t *set;

	if (sz > STRACE_ENTRY_SZ)
		sz = STRACE_ENTRY_SZ;
	set = view__entry(v, arg, sz);
	if (set && v->args[arg])
		put_fds(v, set, sz, v->args[0]);
	else
		put_addr(v->out, v->args[arg]);
}

void ret_select(struct call_view *v)
{
	static const char *const names[] = { "in ", "out ", "except " };
	struct strbuf *out = v->out;
	unsigned int i;
	size_t sz, k;

	strbuf__put_s64(v->out, v->ret);
	if (!v->ret) {
		strbuf__puts(v->note, "Timeout");
		return;
	}
	v->out = v->note;
	for (i = 0; i < 3; i++) {
		const uint64_t *set = view__part(v, 1 + i, 0, &sz);
		uint64_t all = 0;

		for (k = 0; set && k < sz / 8; k++)
			all |= set[k];
		if (!all)
			continue;
		if (v->note->len)
			strbuf__puts(v->note, ", ");
		strbuf__puts(v->note, names[i]);
		put_fds(v, set, sz, v->args[0]);
	}
	v->out = out;
	put_left(v, 4, v->call->name[0] == 'p' ? "tv_nsec" : "tv_usec");
}

static void put_epoll_event(struct call_view *v, const struct epoll_event *e)
{
	strbuf__puts(v->out, "{events=");
	put_flags(v->out, &names_epoll, e->events);
	strbuf__puts(v->out, ", data={u32=");
	strbuf__put_u64(v->out, e->data.u32);
	strbuf__puts(v->out, ", u64=");
	strbuf__put_u64(v->out, e->data.u64);
	strbuf__puts(v->out, "}}");
}

PRINT(epoll_event)
{
	const struct epoll_event *e = view__struct(v, arg, sizeof(*e));

	if (e && v->args[1] != EPOLL_CTL_DEL)
		put_epoll_event(v, e);
	else
		put_addr(v->out, v->args[arg]);
}

PRINT(epoll_events)
{
	size_t sz;
	const struct epoll_event *e = view__part(v, arg, 0, &sz);
	int64_t i;

	if (!view__is_written(v)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__putc(v->out, '[');
	for (i = 0; e && i < v->ret && ((size_t)i + 1) * sizeof(*e) <= sz; i++) {
		if (i)
			strbuf__puts(v->out, ", ");
		if (i == (int64_t)v->opts->str_sz) {
			strbuf__puts(v->out, "...");
			break;
		}
		put_epoll_event(v, &e[i]);
	}
	strbuf__putc(v->out, ']');
}

static unsigned int futex_cmd(const struct call_view *v)
{
	return (unsigned int)v->args[1] & FUTEX_CMD_MASK;
}

PRINT(futex_op)
{
	unsigned int op = (unsigned int)v->args[arg], cmd = futex_cmd(v);
	const char *name = names__find(&names_futex, cmd);

	if (name)
		strbuf__puts(v->out, name);
	else
		put_hex(v->out, cmd);
	if (name && op & FUTEX_PRIVATE_FLAG)
		strbuf__puts(v->out, "_PRIVATE");
	if (op & FUTEX_CLOCK_REALTIME)
		strbuf__puts(v->out, "|FUTEX_CLOCK_REALTIME");
	if (!name)
		strbuf__puts(v->out, " /* FUTEX_??? */");
}

/* The fourth argument and those behind it: their meaning depends on the operation. */
PRINT(futex_timeout)
{
	switch (futex_cmd(v)) {
	case FUTEX_WAKE:
	case FUTEX_FD:
	case FUTEX_UNLOCK_PI:
	case FUTEX_TRYLOCK_PI:
	case FUTEX_WAKE_BITSET:
		return;
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
	case FUTEX_WAKE_OP:
		strbuf__put_u64(v->out, (unsigned int)v->args[arg]);
		return;
	}
	print_timespec(v, arg);
}

static void put_wake_op(struct strbuf *out, unsigned int op)
{
	static const char *const ops[] = { "FUTEX_OP_SET", "FUTEX_OP_ADD", "FUTEX_OP_OR",
					   "FUTEX_OP_ANDN", "FUTEX_OP_XOR" };
	static const char *const cmps[] = {
		"FUTEX_OP_CMP_EQ", "FUTEX_OP_CMP_NE", "FUTEX_OP_CMP_LT",
		"FUTEX_OP_CMP_LE", "FUTEX_OP_CMP_GT", "FUTEX_OP_CMP_GE"
	};
	unsigned int what = op >> 28 & 7, cmp = op >> 24 & 15;

	if (op >> 31)
		strbuf__puts(out, "FUTEX_OP_OPARG_SHIFT<<28|");
	if (what < 5)
		strbuf__printf(out, "%s<<28|", ops[what]);
	else
		strbuf__printf(out, "%#x<<28|", what);
	put_hex(out, op >> 12 & 0xfff);
	strbuf__puts(out, "<<12|");
	if (cmp < 6)
		strbuf__printf(out, "%s<<24|", cmps[cmp]);
	else
		strbuf__printf(out, "%#x<<24|", cmp);
	put_hex(out, op & 0xfff);
}

PRINT(futex_val3)
{
	unsigned int cmd = futex_cmd(v);
	bool is_bitset = cmd == FUTEX_WAIT_BITSET || cmd == FUTEX_WAKE_BITSET;

	if (arg == 4) {
		if (cmd == FUTEX_REQUEUE || cmd == FUTEX_CMP_REQUEUE ||
		    cmd == FUTEX_CMP_REQUEUE_PI || cmd == FUTEX_WAKE_OP ||
		    cmd == FUTEX_WAIT_REQUEUE_PI)
			put_addr(v->out, v->args[arg]);
		return;
	}
	if (is_bitset && (unsigned int)v->args[arg] == FUTEX_BITSET_MATCH_ANY)
		strbuf__puts(v->out, "FUTEX_BITSET_MATCH_ANY");
	else if (is_bitset)
		put_hex(v->out, (unsigned int)v->args[arg]);
	else if (cmd == FUTEX_WAKE_OP)
		put_wake_op(v->out, (unsigned int)v->args[arg]);
	else if (cmd == FUTEX_CMP_REQUEUE || cmd == FUTEX_CMP_REQUEUE_PI)
		strbuf__put_u64(v->out, (unsigned int)v->args[arg]);
}
