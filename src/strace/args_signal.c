// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Arguments of calls on signals, and a signal's information. */
#include <signal.h>
#include <string.h>

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

PRINT(sigset)
{
	const void *set = struct_of(v, arg, 8);

	if (set && !is_unwritten(v, arg))
		put_sigset(v->out, set, 8);
	else
		put_addr(v->out, v->args[arg]);
}

/* The kernel's struct sigaction. */
struct kernel_sigaction {
	uint64_t handler, flags;
#if defined(__x86_64__) || defined(__s390x__) || defined(__powerpc64__) || defined(__aarch64__)
	uint64_t restorer;
#endif
	uint64_t mask;
};

PRINT(sigaction)
{
	const struct kernel_sigaction *sa = struct_of(v, arg, sizeof(*sa));
	struct strbuf *out = v->out;

	if (!sa || is_unwritten(v, arg)) {
		put_addr(out, v->args[arg]);
		return;
	}
	strbuf__puts(out, "{sa_handler=");
	if (sa->handler == 0)
		strbuf__puts(out, "SIG_DFL");
	else if (sa->handler == 1)
		strbuf__puts(out, "SIG_IGN");
	else
		put_hex(out, sa->handler);
	strbuf__puts(out, ", sa_mask=");
	put_sigset(out, &sa->mask, 8);
	strbuf__puts(out, ", sa_flags=");
	put_flags(out, &names_sigaction, sa->flags);
	if (sa->flags & 0x04000000) {
		strbuf__puts(out, ", sa_restorer=");
		put_addr(out, sa->restorer);
	}
	strbuf__putc(out, '}');
}

PRINT(sigaltstack)
{
	const stack_t *s = view__struct(v, arg, sizeof(*s));

	if (!s || is_unwritten(v, arg)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__puts(v->out, "{ss_sp=");
	put_addr(v->out, (uint64_t)s->ss_sp);
	strbuf__puts(v->out, ", ss_flags=");
	put_flags(v->out, &names_ss, (unsigned int)s->ss_flags);
	strbuf__printf(v->out, ", ss_size=%zu}", s->ss_size);
}

/* Codes of a signal's sender, and of the signals that have codes of their own. */
static const char *code_name(int sig, int code)
{
	static const char *const senders[] = { "SI_USER",    "SI_QUEUE", "SI_TIMER", "SI_MESGQ",
					       "SI_ASYNCIO", "SI_SIGIO", "SI_TKILL" };
	static const char *const child[] = { NULL,           "CLD_EXITED",  "CLD_KILLED",
					     "CLD_DUMPED",   "CLD_TRAPPED", "CLD_STOPPED",
					     "CLD_CONTINUED" };
	static const char *const segv[] = { NULL, "SEGV_MAPERR", "SEGV_ACCERR", "SEGV_BNDERR",
					    "SEGV_PKUERR" };
	static const char *const bus[] = { NULL, "BUS_ADRALN", "BUS_ADRERR", "BUS_OBJERR" };
	static const char *const fpe[] = { NULL,         "FPE_INTDIV", "FPE_INTOVF",
					   "FPE_FLTDIV", "FPE_FLTOVF", "FPE_FLTUND",
					   "FPE_FLTRES", "FPE_FLTINV", "FPE_FLTSUB" };
	static const char *const ill[] = { NULL,         "ILL_ILLOPC", "ILL_ILLOPN",
					   "ILL_ILLADR", "ILL_ILLTRP", "ILL_PRVOPC",
					   "ILL_PRVREG", "ILL_COPROC", "ILL_BADSTK" };
	static const char *const trap[] = { NULL, "TRAP_BRKPT", "TRAP_TRACE", "TRAP_BRANCH",
					    "TRAP_HWBKPT" };
	static const char *const sys[] = { NULL, "SYS_SECCOMP" };
#define CODE(table)                                                                                \
	(code > 0 && (size_t)code < sizeof(table) / sizeof((table)[0]) ? (table)[code] : NULL)

	if (code == 0x80)
		return "SI_KERNEL";
	if (code <= 0 && code > -7)
		return senders[-code];
	switch (sig) {
	case SIGCHLD:
		return CODE(child);
	case SIGSEGV:
		return CODE(segv);
	case SIGBUS:
		return CODE(bus);
	case SIGFPE:
		return CODE(fpe);
	case SIGILL:
		return CODE(ill);
	case SIGTRAP:
		return CODE(trap);
	case SIGSYS:
		return CODE(sys);
	}
	return NULL;
#undef CODE
}

static void put_sigval(struct strbuf *out, const siginfo_t *si)
{
	if (!si->si_value.sival_ptr)
		return;
	strbuf__printf(out, ", si_value={si_int=%d, si_ptr=%p}", si->si_value.sival_int,
		       si->si_value.sival_ptr);
}

/* Appends a time in the kernel's ticks, of which a second has 100 for programs. */
static void put_ticks(struct strbuf *out, const char *name, long long ticks)
{
	strbuf__printf(out, "%s%lld", name, ticks);
	if (ticks)
		strbuf__printf(out, " /* %lld.%02lld s */", ticks / 100, ticks % 100);
}

/* The members that depend on the code and the signal. */
static void put_sender(struct strbuf *out, const struct text_opts *opts, const siginfo_t *si)
{
	strbuf__puts(out, ", si_pid=");
	put_pid(out, opts, si->si_pid);
	strbuf__printf(out, ", si_uid=%u", si->si_uid);
}

static void put_siginfo_rest(struct strbuf *out, const struct text_opts *opts, const siginfo_t *si)
{
	int sig = si->si_signo, code = si->si_code;

	if (code == SI_TIMER) {
		strbuf__printf(out, ", si_timerid=%d, si_overrun=%d", si->si_timerid,
			       si->si_overrun);
		put_sigval(out, si);
	} else if (code <= 0) {
		put_sender(out, opts, si);
		put_sigval(out, si);
	} else if (sig == SIGCHLD) {
		put_sender(out, opts, si);
		strbuf__puts(out, ", si_status=");
		if (code == CLD_EXITED)
			strbuf__put_s64(out, si->si_status);
		else
			put_signal(out, si->si_status);
		put_ticks(out, ", si_utime=", si->si_utime);
		put_ticks(out, ", si_stime=", si->si_stime);
	} else if (sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE) {
		strbuf__puts(out, ", si_addr=");
		put_addr(out, (uint64_t)si->si_addr);
	} else if (sig == SIGPOLL) {
		strbuf__printf(out, ", si_band=%ld", si->si_band);
	} else if (code != 0x80 && (si->si_pid || si->si_uid)) {
		put_sender(out, opts, si);
		put_sigval(out, si);
	}
}

void put_siginfo(struct strbuf *out, const struct text_opts *opts, const void *info)
{
	siginfo_t si = {};
	const char *code;

	memcpy(&si, info, WIRE_SIGINFO_SZ);
	if (!si.si_signo) {
		strbuf__puts(out, "{}");
		return;
	}
	strbuf__puts(out, "{si_signo=");
	put_signal(out, si.si_signo);
	strbuf__puts(out, ", si_code=");
	code = code_name(si.si_signo, si.si_code);
	if (code)
		strbuf__puts(out, code);
	else
		strbuf__put_s64(out, si.si_code);
	if (si.si_errno) {
		strbuf__puts(out, ", si_errno=");
		put_errno(out, si.si_errno);
	}
	put_siginfo_rest(out, opts, &si);
	strbuf__putc(out, '}');
}

PRINT(siginfo)
{
	const void *info = view__struct(v, arg, WIRE_SIGINFO_SZ);

	if (info && !is_unwritten(v, arg))
		put_siginfo(v->out, v->opts, info);
	else
		put_addr(v->out, v->args[arg]);
}
