// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Arguments of calls on processes: waiting, cloning, limits. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include <linux/prctl.h>

#include "strace/calls.h"

static bool is_unwritten(const struct call_view *v, unsigned int arg)
{
	return v->call->desc->args[arg]->is_out && !view__is_written(v);
}

/* Returns memory as it was when the call began, else as it is at the return. */
static const void *struct_of(const struct call_view *v, unsigned int arg, size_t sz)
{
	const void *at = view__entry(v, arg, sz);

	return at ? at : view__struct(v, arg, sz);
}

void put_wait_status(struct strbuf *out, unsigned int status)
{
	int s = (int)status;

	if (WIFEXITED(s)) {
		strbuf__printf(out, "{WIFEXITED(s) && WEXITSTATUS(s) == %d}", WEXITSTATUS(s));
	} else if (WIFSTOPPED(s)) {
		strbuf__puts(out, "{WIFSTOPPED(s) && WSTOPSIG(s) == ");
		put_signal(out, WSTOPSIG(s));
		strbuf__putc(out, '}');
	} else if (WIFCONTINUED(s)) {
		strbuf__puts(out, "{WIFCONTINUED(s)}");
	} else {
		strbuf__puts(out, "{WIFSIGNALED(s) && WTERMSIG(s) == ");
		put_signal(out, WTERMSIG(s));
		strbuf__puts(out, WCOREDUMP(s) ? " && WCOREDUMP(s)}" : "}");
	}
}

PRINT(wait_status)
{
	const unsigned int *status = view__struct(v, arg, sizeof(*status));

	if (!status || !view__is_written(v) || !v->ret) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__putc(v->out, '[');
	put_wait_status(v->out, *status);
	strbuf__putc(v->out, ']');
}

static void put_usage_time(struct strbuf *out, const char *name, const struct timeval *t)
{
	strbuf__printf(out, "%s={tv_sec=%ld, tv_usec=%ld}", name, (long)t->tv_sec,
		       (long)t->tv_usec);
}

PRINT(rusage)
{
	const struct rusage *u = view__struct(v, arg, sizeof(*u));
	struct strbuf *out = v->out;

	if (!u || !view__is_written(v) || (!v->ret && strcmp(v->call->name, "wait4") == 0)) {
		put_addr(out, v->args[arg]);
		return;
	}
	put_usage_time(out, "{ru_utime", &u->ru_utime);
	put_usage_time(out, ", ru_stime", &u->ru_stime);
	if (!v->opts->verbose) {
		strbuf__puts(out, ", ...}");
		return;
	}
	strbuf__printf(out, ", ru_maxrss=%ld, ru_ixrss=%ld, ru_idrss=%ld, ru_isrss=%ld",
		       u->ru_maxrss, u->ru_ixrss, u->ru_idrss, u->ru_isrss);
	strbuf__printf(out, ", ru_minflt=%ld, ru_majflt=%ld, ru_nswap=%ld, ru_inblock=%ld",
		       u->ru_minflt, u->ru_majflt, u->ru_nswap, u->ru_inblock);
	strbuf__printf(out, ", ru_oublock=%ld, ru_msgsnd=%ld, ru_msgrcv=%ld, ru_nsignals=%ld",
		       u->ru_oublock, u->ru_msgsnd, u->ru_msgrcv, u->ru_nsignals);
	strbuf__printf(out, ", ru_nvcsw=%ld, ru_nivcsw=%ld}", u->ru_nvcsw, u->ru_nivcsw);
}

static void put_limit(struct call_view *v, uint64_t val)
{
	if (val == UINT64_MAX)
		strbuf__puts(v->out, v->call->name[0] == 'p' ? "RLIM64_INFINITY" : "RLIM_INFINITY");
	else if (val > 1024 && val % 1024 == 0)
		strbuf__printf(v->out, "%llu*1024", (unsigned long long)val / 1024);
	else
		strbuf__put_u64(v->out, val);
}

PRINT(rlimit)
{
	const uint64_t *l = struct_of(v, arg, 16);

	if (!l || is_unwritten(v, arg)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__puts(v->out, "{rlim_cur=");
	put_limit(v, l[0]);
	strbuf__puts(v->out, ", rlim_max=");
	put_limit(v, l[1]);
	strbuf__putc(v->out, '}');
}

PRINT(rlimit_first)
{
	print_rlimit(v, arg);
}

/* The names are longer than -s. */
static void put_member(struct call_view *v, const char *name, const char *text)
{
	struct text_opts opts = *v->opts;

	opts.str_sz = 65;
	strbuf__puts(v->out, name);
	put_text(v->out, &opts, text, 65);
}

PRINT(utsname)
{
	const struct utsname *u = view__struct(v, arg, sizeof(*u));

	if (!u || !view__is_written(v)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	put_member(v, "{sysname=", u->sysname);
	put_member(v, ", nodename=", u->nodename);
	if (!v->opts->verbose) {
		strbuf__puts(v->out, ", ...}");
		return;
	}
	put_member(v, ", release=", u->release);
	put_member(v, ", version=", u->version);
	put_member(v, ", machine=", u->machine);
	put_member(v, ", domainname=", u->domainname);
	strbuf__putc(v->out, '}');
}

PRINT(sysinfo)
{
	const struct sysinfo *s = view__struct(v, arg, sizeof(*s));

	if (!s || !view__is_written(v)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__printf(v->out, "{uptime=%ld, loads=[%lu, %lu, %lu], totalram=%lu, freeram=%lu",
		       s->uptime, s->loads[0], s->loads[1], s->loads[2], s->totalram, s->freeram);
	strbuf__printf(v->out, ", sharedram=%lu, bufferram=%lu, totalswap=%lu, freeswap=%lu",
		       s->sharedram, s->bufferram, s->totalswap, s->freeswap);
	strbuf__printf(v->out, ", procs=%u, totalhigh=%lu, freehigh=%lu, mem_unit=%u}", s->procs,
		       s->totalhigh, s->freehigh, s->mem_unit);
}

#define CLONE_SIGNALS 0xffu
#define CLONE_SETTLS 0x80000
#define CLONE_PARENT_SETTID 0x100000
#define CLONE_CHILD_BITS 0x1200000
#define CLONE_PIDFD 0x1000
#define CLONE_FILES 0x400

/*
 * clone()'s arguments are printed by name, and only those that its flags use. Argument 0 has the
 * flags, 1 the stack; the places of the others depend on the architecture.
 */
#if defined(__x86_64__)
enum { CLONE_CTID = 3, CLONE_TLS = 4 };
#else
enum { CLONE_CTID = 4, CLONE_TLS = 3 };
#endif

static void put_clone_flags(struct strbuf *out, uint64_t flags)
{
	uint64_t bits = flags & ~(uint64_t)CLONE_SIGNALS;
	int sig = (int)(flags & CLONE_SIGNALS);

	if (bits)
		put_flags(out, &names_clone, bits);
	if (bits && sig)
		strbuf__putc(out, '|');
	if (sig)
		put_signal(out, sig);
	if (!flags)
		strbuf__putc(out, '0');
}

PRINT(clone_flags)
{
	uint64_t flags = v->args[0];
	struct strbuf *out = v->out;
	const int *tid;

	if (arg)
		return;
	strbuf__puts(out, "child_stack=");
	put_addr(out, v->args[1]);
	strbuf__puts(out, ", flags=");
	put_clone_flags(out, flags);
	if (flags & (CLONE_PARENT_SETTID | CLONE_PIDFD)) {
		tid = view__struct(v, 2, sizeof(*tid));
		strbuf__puts(out, flags & CLONE_PIDFD ? ", pidfd=" : ", parent_tid=");
		if (tid && view__is_written(v))
			strbuf__printf(out, "[%d]", *tid);
		else
			put_addr(out, v->args[2]);
	}
	if (flags & CLONE_SETTLS) {
		strbuf__puts(out, ", tls=");
		put_hex(out, v->args[CLONE_TLS]);
	}
	if (flags & CLONE_CHILD_BITS) {
		strbuf__puts(out, ", child_tidptr=");
		put_addr(out, v->args[CLONE_CTID]);
	}
}

struct kernel_clone_args {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_sz, tls;
	uint64_t set_tid, set_tid_sz, cgroup;
};

PRINT(clone_args)
{
	struct kernel_clone_args c = {};
	struct strbuf *out = v->out;
	size_t sz;
	const void *at = view__part(v, arg, 0, &sz);

	if (!at || sz < 64) {
		put_addr(out, v->args[arg]);
		return;
	}
	memcpy(&c, at, sz < sizeof(c) ? sz : sizeof(c));
	strbuf__puts(out, "{flags=");
	put_flags(out, &names_clone, c.flags);
	if (c.flags & CLONE_PIDFD) {
		strbuf__puts(out, ", pidfd=");
		put_addr(out, c.pidfd);
	}
	if (c.flags & CLONE_CHILD_BITS) {
		strbuf__puts(out, ", child_tid=");
		put_addr(out, c.child_tid);
	}
	if (c.flags & CLONE_PARENT_SETTID) {
		strbuf__puts(out, ", parent_tid=");
		put_addr(out, c.parent_tid);
	}
	strbuf__puts(out, ", exit_signal=");
	put_signal(out, (int)c.exit_signal);
	strbuf__puts(out, ", stack=");
	put_addr(out, c.stack);
	strbuf__puts(out, ", stack_size=");
	put_hex(out, c.stack_sz);
	if (c.flags & CLONE_SETTLS) {
		strbuf__puts(out, ", tls=");
		put_hex(out, c.tls);
	}
	strbuf__putc(out, '}');
	if (view__is_written(v) && c.flags & CLONE_PARENT_SETTID)
		strbuf__printf(out, " => {parent_tid=[%lld]}", (long long)v->ret);
}

/* The set of CPUs that the kernel has written, or that argument 1 has bytes of. */
PRINT(cpu_set)
{
	size_t sz, i;
	const unsigned char *set = view__part(v, arg, 0, &sz);
	bool any = false;

	if (!set || is_unwritten(v, arg)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__putc(v->out, '[');
	for (i = 0; i < 8 * sz; i++) {
		if (!(set[i / 8] >> (i % 8) & 1))
			continue;
		strbuf__printf(v->out, "%s%zu", any ? " " : "", i);
		any = true;
	}
	strbuf__putc(v->out, ']');
}
