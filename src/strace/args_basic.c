// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Arguments that are numbers, names of numbers, texts and buffers. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "strace/calls.h"
#include "strace/path_set.h"

static const struct arg_type *type_of(const struct call_view *v, unsigned int arg)
{
	return v->call->desc->args[arg];
}

PRINT(int)
{
	strbuf__put_s64(v->out, (int)v->args[arg]);
}

PRINT(uint)
{
	strbuf__put_u64(v->out, (unsigned int)v->args[arg]);
}

PRINT(long)
{
	strbuf__put_s64(v->out, v->is_wide ? (int64_t)v->args[arg] : (int)v->args[arg]);
}

PRINT(ulong)
{
	strbuf__put_u64(v->out, v->is_wide ? v->args[arg] : (unsigned int)v->args[arg]);
}

PRINT(hex)
{
	put_hex(v->out, v->args[arg]);
}

PRINT(addr)
{
	put_addr(v->out, v->args[arg]);
}

PRINT(fd)
{
	put_fd(v, (int)v->args[arg]);
}

static void put_cwd(struct call_view *v)
{
	strbuf__puts(v->out, "AT_FDCWD");
	put_fd_name(v, AT_FDCWD);
}

PRINT(dirfd)
{
	if ((int)v->args[arg] == AT_FDCWD)
		put_cwd(v);
	else
		put_fd(v, (int)v->args[arg]);
}

PRINT(octal)
{
	put_octal(v->out, (unsigned int)v->args[arg], 3);
}

PRINT(mode)
{
	put_mode(v->out, (unsigned int)v->args[arg]);
}

PRINT(id)
{
	if ((unsigned int)v->args[arg] == (unsigned int)-1)
		strbuf__puts(v->out, "-1");
	else
		strbuf__put_u64(v->out, (unsigned int)v->args[arg]);
}

PRINT(pid)
{
	put_pid(v->out, v->opts, (int)v->args[arg]);
}

PRINT(dev)
{
	put_dev(v->out, v->args[arg]);
}

PRINT(sig)
{
	put_signal(v->out, (int)v->args[arg]);
}

PRINT(flags)
{
	put_flags(v->out, type_of(v, arg)->param, v->args[arg]);
}

PRINT(flags32)
{
	put_flags(v->out, type_of(v, arg)->param, (unsigned int)v->args[arg]);
}

PRINT(enum)
{
	put_enum(v->out, type_of(v, arg)->param, (unsigned int)v->args[arg]);
}

PRINT(path)
{
	size_t sz;
	const char *text = view__part(v, arg, 0, &sz);

	if (!text && v->exec && v->exec->path_sz) {
		text = (const char *)(v->exec + 1);
		sz = v->exec->path_sz;
	}

	if (!text) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	v->names_path |= v->opts->paths && path_set__has(v->opts->paths, text, strnlen(text, sz));
	put_quoted(v->out, v->opts, text, strnlen(text, sz), view__is_cut(v, arg));
}

PRINT(str)
{
	size_t sz;
	const char *text = view__part(v, arg, 0, &sz);

	if (text)
		put_text(v->out, v->opts, text, sz);
	else
		put_addr(v->out, v->args[arg]);
}

/* Prints a buffer of which `len` bytes are valid. */
static void put_buf(struct call_view *v, unsigned int arg, uint64_t len)
{
	size_t sz;
	const void *data = view__part(v, arg, 0, &sz);
	uint64_t shown = len < v->opts->str_sz ? len : v->opts->str_sz;

	if (!v->args[arg])
		strbuf__puts(v->out, "NULL");
	else if (!shown && !v->err)
		strbuf__puts(v->out, len ? "\"\"..." : "\"\"");
	else if (data && sz >= shown)
		put_quoted(v->out, v->opts, data, shown, shown < len);
	else
		put_addr(v->out, v->args[arg]);
}

PRINT(buf)
{
	put_buf(v, arg, v->args[arg + 1]);
}

PRINT(buf_out)
{
	if (view__is_written(v))
		put_buf(v, arg, (uint64_t)v->ret);
	else
		put_addr(v->out, v->args[arg]);
}

PRINT(int_ptr)
{
	const int *val = view__struct(v, arg, sizeof(*val));

	if (val)
		strbuf__printf(v->out, "[%d]", *val);
	else
		put_addr(v->out, v->args[arg]);
}

PRINT(ulong_ptr)
{
	const uint64_t *val = view__struct(v, arg, sizeof(*val));

	if (val)
		strbuf__printf(v->out, "[%llu]", (unsigned long long)*val);
	else
		put_addr(v->out, v->args[arg]);
}

/* A number that the call may change: [16], or [128 => 16]. The size is that of the type. */
PRINT(int_inout)
{
	size_t sz = type_of(v, arg)->sz;
	const void *before = view__entry(v, arg, sz), *after = view__struct(v, arg, sz);
	int64_t from, to;

	if (!before) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	from = sz == 8 ? *(const int64_t *)before : *(const int *)before;
	to = !after ? from : sz == 8 ? *(const int64_t *)after : *(const int *)after;
	if (v->err || from == to)
		strbuf__printf(v->out, "[%lld]", (long long)from);
	else
		strbuf__printf(v->out, "[%lld => %lld]", (long long)from, (long long)to);
}

PRINT(fd_pair)
{
	const int *fds = view__struct(v, arg, 2 * sizeof(*fds));

	if (!fds || !view__is_written(v)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__putc(v->out, '[');
	put_fd(v, fds[0]);
	strbuf__puts(v->out, ", ");
	put_fd(v, fds[1]);
	strbuf__putc(v->out, ']');
}

PRINT(id_array)
{
	bool is_out = type_of(v, arg)->is_out;
	uint64_t cnt = is_out ? (uint64_t)v->ret : v->args[arg - 1], i;
	size_t sz;
	const unsigned int *ids = view__part(v, arg, 0, &sz);

	if (is_out && !view__is_written(v)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	if (is_out && !v->args[arg - 1])
		cnt = 0;
	if (!cnt && v->args[arg]) {
		strbuf__puts(v->out, "[]");
		return;
	}
	if (!ids) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__putc(v->out, '[');
	for (i = 0; i < cnt && i < v->opts->str_sz && (i + 1) * sizeof(*ids) <= sz; i++)
		strbuf__printf(v->out, "%s%u", i ? ", " : "", ids[i]);
	strbuf__puts(v->out, i < cnt ? ", ...]" : "]");
}

/* Returns argument i of the program that runs after execve; NULL: unknown. */
static const char *exec_arg(const struct call_view *v, unsigned int i, size_t *len)
{
	const char *at, *end;

	if (!v->exec)
		return NULL;
	at = (const char *)(v->exec + 1) + v->exec->path_sz;
	end = at + v->exec->args_sz;
	for (; at < end; i--) {
		*len = strnlen(at, (size_t)(end - at));
		if (!i)
			return at;
		at += *len + 1;
	}
	return NULL;
}

/* The arguments are known from the program that runs now alone. */
static void put_exec_args(struct call_view *v, unsigned int arg)
{
	const char *text;
	unsigned int i;
	size_t len;

	if (!exec_arg(v, 0, &len)) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__putc(v->out, '[');
	for (i = 0; (text = exec_arg(v, i, &len)); i++) {
		if (i)
			strbuf__puts(v->out, ", ");
		if (i == v->opts->str_sz) {
			strbuf__puts(v->out, "...");
			break;
		}
		put_text(v->out, v->opts, text, len);
	}
	strbuf__putc(v->out, ']');
}

/*
 * Texts behind pointers in sz bytes, up to NULL; is_argv: the program that runs now may have them,
 * too.
 */
static void put_texts(struct call_view *v, unsigned int arg, const void *at, size_t sz,
		      bool is_argv)
{
	size_t cnt = sz / view__word_sz(v), len;
	unsigned int i;

	strbuf__putc(v->out, '[');
	for (i = 0; i < cnt && view__word(v, at, i); i++) {
		const char *text = view__elem(v, arg, 1, i, &len);

		if (!text && is_argv)
			text = exec_arg(v, i, &len);
		if (i)
			strbuf__puts(v->out, ", ");
		if (i == v->opts->str_sz && !v->opts->verbose) {
			strbuf__puts(v->out, "...");
			break;
		}
		if (text)
			put_text(v->out, v->opts, text, len);
		else
			put_addr(v->out, view__word(v, at, i));
	}
	if (i == cnt && i < v->opts->str_sz)
		put_rest(v->out, v->args[arg], sz, v->args[arg] + i * view__word_sz(v));
	strbuf__putc(v->out, ']');
}

/* The arguments of a new program. */
PRINT(argv)
{
	size_t sz;
	const void *at = view__part(v, arg, 0, &sz);

	if (at && sz >= view__word_sz(v))
		put_texts(v, arg, at, sz, true);
	else
		put_exec_args(v, arg);
}

PRINT(envp)
{
	size_t sz, i, cnt;
	const void *at = view__part(v, arg, 0, &sz);

	if (v->opts->verbose && at) {
		put_texts(v, arg, at, sz, false);
		return;
	}
	put_addr(v->out, v->args[arg]);
	cnt = sz / view__word_sz(v);
	if (!at || !cnt)
		return;
	for (i = 0; i < cnt && view__word(v, at, i); i++)
		;
	strbuf__printf(v->out, " /* %zu var%s%s */", i, i == 1 ? "" : "s",
		       i == cnt && (v->args[arg] + sz) % 4096 == 0 ? ", unterminated" : "");
}

PRINT(open_mode)
{
	unsigned int flags = (unsigned int)v->args[arg - 1];

	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE)
		print_octal(v, arg);
}

PRINT(mremap_addr)
{
	/* MREMAP_FIXED, or MREMAP_DONTUNMAP. */
	if (v->args[arg - 1] & 6)
		put_addr(v->out, v->args[arg]);
}

/* Random bytes are always printed as numbers. */
PRINT(random)
{
	struct text_opts opts = *v->opts;
	const struct text_opts *before = v->opts;

	opts.hex = 2;
	v->opts = &opts;
	print_buf_out(v, arg);
	v->opts = before;
}

/* An offset that the call advances. */
PRINT(off_inout)
{
	const int64_t *before = view__entry(v, arg, 8), *after = view__struct(v, arg, 8);

	if (!before) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__printf(v->out, "[%lld]", (long long)*before);
	if (view__is_written(v) && after && *after != *before) {
		v->out->len--;
		strbuf__printf(v->out, "] => [%lld]", (long long)*after);
	}
}

PRINT(mknod_dev)
{
	unsigned int type = (unsigned int)v->args[arg - 1] & S_IFMT;

	if (type == S_IFCHR || type == S_IFBLK)
		print_dev(v, arg);
}

/* Flags of System V IPC, with the mode. */
PRINT(ipc_flags)
{
	unsigned int flags = (unsigned int)v->args[arg];

	if (flags & ~0777u) {
		put_flags(v->out, &names_ipc, flags & ~0777u);
		strbuf__putc(v->out, '|');
	}
	put_octal(v->out, flags & 0777, 3);
}

PRINT(restart)
{
	strbuf__printf(v->out, "<... resuming interrupted %s ...>",
		       v->interrupted ? v->interrupted : "system call");
}

PRINT(sigreturn)
{
	const void *mask = view__entry(v, arg, 8);

	if (!mask)
		return;
	strbuf__puts(v->out, "{mask=");
	put_sigset(v->out, mask, 8);
	strbuf__putc(v->out, '}');
}

PRINT(ipc_key)
{
	if ((unsigned int)v->args[arg])
		put_hex(v->out, (unsigned int)v->args[arg]);
	else
		strbuf__puts(v->out, "IPC_PRIVATE");
}

PRINT(personality)
{
	/* This number asks for the current one. */
	if ((unsigned int)v->args[arg] == 0xffffffffu)
		put_hex(v->out, 0xffffffffu);
	else
		put_flags(v->out, &names_personality, (unsigned int)v->args[arg]);
}
