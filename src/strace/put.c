// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Numbers, names and texts in the notation of strace. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "strace/view.h"

const char *names__find(const struct names *n, uint64_t val)
{
	size_t i;

	for (i = 0; i < n->cnt; i++)
		if (n->at[i].val == val)
			return n->at[i].name;
	return NULL;
}

void put_enum(struct strbuf *out, const struct names *n, uint64_t val)
{
	const char *name = names__find(n, val);

	if (name) {
		strbuf__puts(out, name);
		return;
	}
	put_hex(out, val);
	if (n->unknown)
		strbuf__printf(out, " /* %s */", n->unknown);
}

void put_flags(struct strbuf *out, const struct names *n, uint64_t val)
{
	uint64_t rest = val;
	bool any = false;
	size_t i;

	if (n->enum_mask) {
		const char *name = names__find(n, val & n->enum_mask);

		if (name) {
			strbuf__puts(out, name);
			any = true;
			rest &= ~n->enum_mask;
		}
	} else if (!val) {
		const char *name = names__find(n, 0);

		strbuf__puts(out, name ? name : "0");
		return;
	}
	for (i = 0; i < n->cnt && rest; i++) {
		uint64_t bits = n->at[i].val;

		if (!bits || (rest & bits) != bits || (n->enum_mask && !(bits & ~n->enum_mask)))
			continue;
		if (any)
			strbuf__putc(out, '|');
		strbuf__puts(out, n->at[i].name);
		any = true;
		rest &= ~bits;
	}
	if (!rest && any)
		return;
	if (any)
		strbuf__putc(out, '|');
	put_hex(out, rest);
	if (!any && n->unknown)
		strbuf__printf(out, " /* %s */", n->unknown);
}

void put_hex(struct strbuf *out, uint64_t val)
{
	if (val)
		strbuf__puts(out, "0x");
	strbuf__put_hex(out, val);
}

void put_addr(struct strbuf *out, uint64_t addr)
{
	if (addr)
		put_hex(out, addr);
	else
		strbuf__puts(out, "NULL");
}

void put_rest(struct strbuf *out, uint64_t list, size_t sz, uint64_t next)
{
	strbuf__puts(out, ", ...");
	/* A copy that is shorter than it should be ends with a page. */
	if ((list + sz) % 4096 == 0)
		strbuf__printf(out, " /* %#llx */", (unsigned long long)next);
}

void put_octal(struct strbuf *out, uint64_t val, unsigned int width)
{
	char tmp[24], *end = tmp + sizeof(tmp), *p = end;

	do
		*--p = (char)('0' + (val & 7));
	while (val >>= 3);
	while (*p != '0' || (unsigned int)(end - p) < width)
		*--p = '0';
	strbuf__add(out, p, (size_t)(end - p));
}

void put_mode(struct strbuf *out, unsigned int mode)
{
	static const struct name_of types[] = { NAME(S_IFREG), NAME(S_IFSOCK), NAME(S_IFIFO),
						NAME(S_IFLNK), NAME(S_IFDIR),  NAME(S_IFBLK),
						NAME(S_IFCHR) };
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (mode & S_IFMT && types[i].val == (mode & S_IFMT))
			break;
	if (i == sizeof(types) / sizeof(types[0])) {
		put_octal(out, mode, 3);
		return;
	}
	strbuf__puts(out, types[i].name);
	strbuf__puts(out, mode & S_ISUID ? "|S_ISUID" : "");
	strbuf__puts(out, mode & S_ISGID ? "|S_ISGID" : "");
	strbuf__puts(out, mode & S_ISVTX ? "|S_ISVTX|" : "|");
	put_octal(out, mode & 0777, 3);
}

/* Bytes of a shown character at most: \ooo, \xhh. Printf would take most of a line's time. */
#define SHOWN_MAX 4

static char *shown_octal(char *p, unsigned char c, bool whole)
{
	*p++ = '\\';
	if (whole || c > 077)
		*p++ = (char)('0' + (c >> 6));
	if (whole || c > 07)
		*p++ = (char)('0' + (c >> 3 & 7));
	*p++ = (char)('0' + (c & 7));
	return p;
}

static char *shown_hex(char *p, unsigned char c)
{
	static const char digits[] = "0123456789abcdef";

	*p++ = '\\';
	*p++ = 'x';
	*p++ = digits[c >> 4];
	*p++ = digits[c & 15];
	return p;
}

/* An octal escape has all digits where the next character could be taken for one. */
static char *shown_char(char *p, unsigned char c, int next)
{
	static const char letters[256] = {
		['\n'] = 'n', ['\t'] = 't', ['\r'] = 'r',  ['\v'] = 'v',
		['\f'] = 'f', ['"'] = '"',  ['\\'] = '\\',
	};

	if (letters[c]) {
		*p++ = '\\';
		*p++ = letters[c];
	} else if (c >= ' ' && c < 0x7f) {
		*p++ = (char)c;
	} else {
		p = shown_octal(p, c, next >= '0' && next <= '7');
	}
	return p;
}

static bool is_printable(const unsigned char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((s[i] < ' ' && !strchr("\n\t\r\v\f", s[i])) || s[i] >= 0x7f || !s[i])
			return false;
	return true;
}

void put_bracketed(struct strbuf *out, const struct text_opts *opts, const void *data, size_t len)
{
	const unsigned char *s = data;
	char *p;
	size_t i;

	if (strbuf__reserve(out, len * SHOWN_MAX))
		return;
	p = out->buf + out->len;
	for (i = 0; i < len; i++) {
		if (opts->hex > 1)
			p = shown_hex(p, s[i]);
		else if (s[i] == '<' || s[i] == '>')
			p = shown_octal(p, s[i], false);
		else
			p = shown_char(p, s[i], i + 1 < len ? s[i + 1] : -1);
	}
	out->len = (size_t)(p - out->buf);
}

void put_quoted(struct strbuf *out, const struct text_opts *opts, const void *data, size_t len,
		bool more)
{
	const unsigned char *s = data;
	bool hex = opts->hex > 1 || (opts->hex == 1 && !is_printable(s, len));
	char *p;
	size_t i;

	if (strbuf__reserve(out, len * SHOWN_MAX + 2))
		return;
	p = out->buf + out->len;
	*p++ = '"';
	for (i = 0; i < len; i++)
		p = hex ? shown_hex(p, s[i]) : shown_char(p, s[i], i + 1 < len ? s[i + 1] : -1);
	*p++ = '"';
	out->len = (size_t)(p - out->buf);
	if (more)
		strbuf__puts(out, "...");
}

void put_text(struct strbuf *out, const struct text_opts *opts, const char *text, size_t len)
{
	size_t n = strnlen(text, len);
	bool more = n > opts->str_sz;

	put_quoted(out, opts, text, more ? opts->str_sz : n, more);
}

void put_errno(struct strbuf *out, int err)
{
	const char *name = strerrorname_np(err);

	if (name)
		strbuf__puts(out, name);
	else
		strbuf__printf(out, "%d", err);
}

/* The kernel's first real-time signal, of which the C library keeps some for itself. */
#define RTMIN 32

/* Appends the name of a signal without SIG. */
static void put_signal_name(struct strbuf *out, int sig)
{
	const char *name = sig < RTMIN ? sigabbrev_np(sig) : NULL;

	/* The C library prefers the other of two names. */
	if (sig == SIGIO)
		name = "IO";
	if (name)
		strbuf__puts(out, name);
	else if (sig == RTMIN)
		strbuf__puts(out, "RTMIN");
	else if (sig > RTMIN && sig <= 64)
		strbuf__printf(out, "RT_%d", sig - RTMIN);
	else
		strbuf__put_s64(out, sig);
}

void put_signal(struct strbuf *out, int sig)
{
	if (sig > 0 && sig <= 64)
		strbuf__puts(out, "SIG");
	put_signal_name(out, sig);
}

void put_sigset(struct strbuf *out, const void *set, size_t sz)
{
	uint64_t bits = 0;
	bool inverted, any = false;
	int sig;

	memcpy(&bits, set, sz < sizeof(bits) ? sz : sizeof(bits));
	/* A set with most signals is printed by those that it lacks. */
	inverted = __builtin_popcountll(bits) >= 64 * 2 / 3;
	if (inverted) {
		strbuf__putc(out, '~');
		bits = ~bits;
	}
	strbuf__putc(out, '[');
	for (sig = 1; sig <= 64; sig++) {
		if (!(bits >> (sig - 1) & 1))
			continue;
		if (any)
			strbuf__putc(out, ' ');
		put_signal_name(out, sig);
		any = true;
	}
	strbuf__putc(out, ']');
}

void put_pid(struct strbuf *out, const struct text_opts *opts, int pid)
{
	const char *name = NULL;

	strbuf__put_s64(out, pid);
	if (opts->decode_pids && pid > 0)
		name = opts->task_name(opts->task_ctx, (uint32_t)pid);
	if (!name)
		return;
	strbuf__putc(out, '<');
	put_bracketed(out, opts, name, strlen(name));
	strbuf__putc(out, '>');
}

void put_dev(struct strbuf *out, uint64_t dev)
{
	strbuf__puts(out, "makedev(");
	put_hex(out, major(dev));
	strbuf__puts(out, ", ");
	put_hex(out, minor(dev));
	strbuf__putc(out, ')');
}

void put_timespec(struct strbuf *out, int64_t sec, int64_t nsec)
{
	strbuf__printf(out, "{tv_sec=%lld, tv_nsec=%lld}", (long long)sec, (long long)nsec);
}
