// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Arguments of prctl, ioctl, capabilities, io_uring and other calls of their own kind. */
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <linux/capability.h>
#include <linux/io_uring.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>

#include "strace/calls.h"

PRINT(ioctl_cmd)
{
	uint64_t cmd = (unsigned int)v->args[arg];
	static const char *const dirs[] = { "_IOC_NONE", "_IOC_WRITE", "_IOC_READ",
					    "_IOC_READ|_IOC_WRITE" };
	const char *name = names__find(&names_ioctl, cmd);

	if (name) {
		strbuf__puts(v->out, name);
		return;
	}
	strbuf__printf(v->out, "_IOC(%s, ", dirs[_IOC_DIR(cmd)]);
	put_hex(v->out, _IOC_TYPE(cmd));
	strbuf__puts(v->out, ", ");
	put_hex(v->out, _IOC_NR(cmd));
	strbuf__puts(v->out, ", ");
	put_hex(v->out, _IOC_SIZE(cmd));
	strbuf__putc(v->out, ')');
}

static void put_bit(struct strbuf *out, unsigned int flags, unsigned int bit, const char *name)
{
	strbuf__printf(out, "%s%s ", flags & bit ? "" : "-", name);
}

/* The baud rates by their code. */
static const struct name_of bauds[] = {
	NAME(B0),       NAME(B50),      NAME(B75),      NAME(B110),     NAME(B134),
	NAME(B150),     NAME(B200),     NAME(B300),     NAME(B600),     NAME(B1200),
	NAME(B1800),    NAME(B2400),    NAME(B4800),    NAME(B9600),    NAME(B19200),
	NAME(B38400),   NAME(B57600),   NAME(B115200),  NAME(B230400),  NAME(B460800),
	NAME(B500000),  NAME(B576000),  NAME(B921600),  NAME(B1000000), NAME(B1152000),
	NAME(B1500000), NAME(B2000000), NAME(B2500000), NAME(B3000000), NAME(B3500000),
	NAME(B4000000),
};

/* The kernel's struct termios: 36 bytes. */
static void put_termios(struct call_view *v, const unsigned int *t)
{
	static const struct names names = NAMES(bauds, NULL);
	struct strbuf *out = v->out;

	strbuf__putc(out, '{');
	put_enum(out, &names, t[2] & 010017);
	strbuf__putc(out, ' ');
	put_bit(out, t[1], OPOST, "opost");
	put_bit(out, t[3], ISIG, "isig");
	put_bit(out, t[3], ICANON, "icanon");
	put_bit(out, t[3], ECHO, "echo");
	strbuf__puts(out, "...}");
}

static bool put_ioctl_data(struct call_view *v, unsigned int arg, unsigned int cmd)
{
	const unsigned int *t;
	const uint16_t *w;
	const int *i;

	switch (cmd) {
	case TCGETS:
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
		t = view__struct(v, arg, 36);
		if (t)
			put_termios(v, t);
		return t != NULL;
	case TIOCGWINSZ:
	case TIOCSWINSZ:
		w = view__struct(v, arg, 8);
		if (w)
			strbuf__printf(v->out, "{ws_row=%u, ws_col=%u, ws_xpixel=%u, ws_ypixel=%u}",
				       w[0], w[1], w[2], w[3]);
		return w != NULL;
	case FIONBIO:
	case FIONREAD:
	case FIOASYNC:
	case TIOCGPGRP:
	case TIOCSPGRP:
	case TIOCOUTQ:
	case TIOCGPTN:
	case TIOCSPTLCK:
		i = view__struct(v, arg, 4);
		if (i)
			strbuf__printf(v->out, "[%d]", *i);
		return i != NULL;
	}
	return false;
}

PRINT(ioctl_arg)
{
	unsigned int cmd = (unsigned int)v->args[arg - 1];
	bool reads = cmd == TCGETS || cmd == TIOCGWINSZ || cmd == FIONREAD || cmd == TIOCGPGRP ||
		     cmd == TIOCOUTQ || cmd == TIOCGPTN;

	switch (cmd) {
	case FIOCLEX:
	case FIONCLEX:
	case TIOCNOTTY:
	case TIOCEXCL:
		return;
	case TCFLSH:
	case TCXONC:
	case TIOCSCTTY:
	case TCSBRK:
		strbuf__put_s64(v->out, (int64_t)v->args[arg]);
		return;
	}
	if ((reads && !view__is_written(v)) || !put_ioctl_data(v, arg, cmd)) {
		if (names__find(&names_ioctl, cmd))
			put_addr(v->out, v->args[arg]);
		else
			put_hex(v->out, v->args[arg]);
	}
}

/* prctl: argument 0 is the operation, printed as a name; how many others it has depends on it. */
PRINT(prctl_arg)
{
	unsigned int op = (unsigned int)v->args[0];
	size_t sz;
	const char *text;

	switch (op) {
	case PR_SET_NAME:
	case PR_GET_NAME:
		if (arg > 1)
			return;
		text = view__part(v, arg, 0, &sz);
		if (text && (op == PR_SET_NAME || view__is_written(v)))
			put_quoted(v->out, v->opts, text, strnlen(text, sz < 15 ? sz : 15),
				   strnlen(text, sz) > 15);
		else
			put_addr(v->out, v->args[arg]);
		return;
	case PR_GET_DUMPABLE:
	case PR_GET_KEEPCAPS:
	case PR_GET_SECCOMP:
	case PR_GET_TIMERSLACK:
	case PR_GET_SECUREBITS:
		return;
	case PR_SET_SECCOMP:
		if (arg == 1)
			put_enum(v->out, &names_seccomp_mode, v->args[1]);
		else if (arg == 2 && v->args[1] == SECCOMP_MODE_FILTER)
			put_fprog(v, arg, true);
		return;
	case PR_SET_PDEATHSIG:
		if (arg == 1)
			put_signal(v->out, (int)v->args[arg]);
		return;
	case PR_SET_DUMPABLE:
		if (arg == 1 && v->args[arg] < 3)
			strbuf__puts(v->out, v->args[arg] == 0   ? "SUID_DUMP_DISABLE"
					     : v->args[arg] == 1 ? "SUID_DUMP_USER"
								 : "SUID_DUMP_ROOT");
		return;
	case PR_SET_KEEPCAPS:
	case PR_SET_TIMERSLACK:
	case PR_SET_CHILD_SUBREAPER:
		if (arg == 1)
			strbuf__put_u64(v->out, v->args[arg]);
		return;
	case PR_CAPBSET_READ:
	case PR_CAPBSET_DROP:
		if (arg == 1) {
			const char *name = v->args[1] < 64 ? names__find(&names_capabilities,
									 1ull << v->args[1])
							   : NULL;

			if (name)
				strbuf__puts(v->out, name + 3);
			else
				put_hex(v->out, v->args[1]);
		}
		return;
	case PR_SET_NO_NEW_PRIVS:
	case PR_GET_NO_NEW_PRIVS:
	case PR_SET_THP_DISABLE:
	case PR_GET_THP_DISABLE:
		strbuf__put_u64(v->out, v->args[arg]);
		return;
	}
	put_hex(v->out, v->args[arg]);
}

PRINT(arch_prctl_arg)
{
	put_addr(v->out, v->args[arg]);
}

PRINT(cap_header)
{
	const unsigned int *h = view__entry(v, arg, 8);

	if (!h) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__puts(v->out, "{version=");
	put_enum(v->out, &names_cap_version, h[0]);
	strbuf__printf(v->out, ", pid=%d}", (int)h[1]);
}

PRINT(cap_data)
{
	const unsigned int *c = view__struct(v, arg, 24);
	static const char *const names[] = { "{effective=", ", permitted=", ", inheritable=" };
	int i;

	if (!c || (v->call->desc->args[arg]->is_out && !view__is_written(v))) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	for (i = 0; i < 3; i++) {
		strbuf__puts(v->out, names[i]);
		put_flags(v->out, &names_capabilities, c[i] | (uint64_t)c[i + 3] << 32);
	}
	strbuf__putc(v->out, '}');
}

PRINT(sched_param)
{
	const int *p = view__struct(v, arg, sizeof(*p));

	if (p && (!v->call->desc->args[arg]->is_out || view__is_written(v)))
		strbuf__printf(v->out, "[%d]", *p);
	else
		put_addr(v->out, v->args[arg]);
}

PRINT(robust_list)
{
	put_addr(v->out, v->args[arg]);
}

PRINT(struct_fields)
{
	put_addr(v->out, v->args[arg]);
}
