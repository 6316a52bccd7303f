// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Derives the table of the BPF programs from the descriptions of calls. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/syscall_nr.h"
#include "strace/calls.h"
#include "strace/narrow.h"

static struct strace_fetch *add(struct fetch_list *l, unsigned int arg, struct strace_fetch f)
{
	struct strace_call *w = l->wire;

	if (w->fetch_cnt == STRACE_FETCHES)
		return NULL;
	if (l->call->fetch[arg] < 0)
		l->call->fetch[arg] = (__s8)w->fetch_cnt;
	w->fetch[w->fetch_cnt] = f;
	return &w->fetch[w->fetch_cnt++];
}

static void add_entry(struct fetch_list *l, unsigned int arg, struct strace_fetch f)
{
	struct strace_call *w = l->wire;

	if (w->entry_cnt == STRACE_ENTRIES)
		return;
	l->call->entry[arg] = (__s8)w->entry_cnt;
	w->entry[w->entry_cnt++] = f;
}

static const struct arg_type *type_of(const struct fetch_list *l, unsigned int arg)
{
	return l->desc->args[arg];
}

/* Returns the bytes of an argument's structure in the program. */
static size_t size_of(const struct fetch_list *l, unsigned int arg)
{
	size_t sz = type_of(l, arg)->sz;

	return l->is_narrow ? narrow__sz(l->call->narrow[arg], sz) : sz;
}

/* Bytes of a pointer, and the kind of copies behind pointers. */
static __u8 word_sz(const struct fetch_list *l)
{
	return l->is_narrow ? 4 : 8;
}

static __u8 pointers(const struct fetch_list *l)
{
	return l->is_narrow ? STRACE_NARROW : 0;
}

static __u8 when(const struct fetch_list *l, unsigned int arg)
{
	return type_of(l, arg)->is_out ? STRACE_ON_SUCCESS : 0;
}

static __u16 bounded(size_t sz)
{
	return sz > STRACE_COPY_MAX ? STRACE_COPY_MAX : (__u16)sz;
}

void fetch_path(struct fetch_list *l, unsigned int arg)
{
	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_TEXT | when(l, arg),
				   .from = (__u8)arg,
				   .max_sz = STRACE_COPY_MAX });
}

void fetch_str(struct fetch_list *l, unsigned int arg)
{
	/* One byte more shows whether the text is longer; one is for the NUL. */
	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_TEXT | when(l, arg),
				   .from = (__u8)arg,
				   .max_sz = bounded(l->limits->str_sz + 2) });
}

static void fetch_bytes(struct fetch_list *l, unsigned int arg, unsigned int cnt, size_t elem_sz,
			size_t max_sz)
{
	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_BYTES | when(l, arg),
				   .from = (__u8)arg,
				   .cnt = (__u8)cnt,
				   .elem_sz = (__u16)elem_sz,
				   .max_sz = bounded(max_sz) });
}

void fetch_buf(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes(l, arg, STRACE_ARG + arg + 1, 1, l->limits->str_sz);
}

void fetch_buf_result(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes(l, arg, STRACE_RESULT, 1, l->limits->str_sz);
}

void fetch_struct(struct fetch_list *l, unsigned int arg)
{
	size_t sz = size_of(l, arg);

	fetch_bytes(l, arg, STRACE_ONE, sz, sz);
}

/* Arrays are printed up to as many elements as a string has bytes. */
static size_t array_sz(const struct fetch_list *l, unsigned int arg)
{
	return type_of(l, arg)->sz * (l->limits->str_sz + 1);
}

void fetch_array(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes(l, arg, STRACE_ARG + arg + 1, type_of(l, arg)->sz, array_sz(l, arg));
}

void fetch_array_prev(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes(l, arg, STRACE_ARG + arg - 1, type_of(l, arg)->sz, array_sz(l, arg));
}

void fetch_cpus(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes(l, arg, STRACE_ARG + arg - 1, 1, 1024);
}

void fetch_array_result(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes(l, arg, STRACE_RESULT, type_of(l, arg)->sz, array_sz(l, arg));
}

/* The texts behind an array of pointers that is already copied by fetch `base`. */
static void add_texts(struct fetch_list *l, unsigned int arg, __u8 base)
{
	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_TEXT | STRACE_EACH | pointers(l),
				   .from = STRACE_CHUNK + base,
				   .stride = word_sz(l),
				   .max_sz = bounded(l->limits->str_sz + 2) });
}

void fetch_pointers(struct fetch_list *l, unsigned int arg)
{
	__u8 base = l->wire->fetch_cnt;

	fetch_bytes(l, arg, STRACE_ONE, STRACE_COPY_MAX / 2, STRACE_COPY_MAX / 2);
	if (l->limits->verbose)
		add_texts(l, arg, base);
}

void fetch_dirents(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes(l, arg, STRACE_RESULT, 1, l->limits->verbose ? STRACE_COPY_MAX : 0);
	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_DIRENTS | STRACE_ON_SUCCESS, .from = (__u8)arg });
}

void fetch_argv(struct fetch_list *l, unsigned int arg)
{
	size_t sz = word_sz(l) * (l->limits->str_sz < 64 ? l->limits->str_sz + 1 : 64);
	__u8 base = l->wire->fetch_cnt;

	fetch_bytes(l, arg, STRACE_ONE, sz, sz);
	add_texts(l, arg, base);
}

/* Adds the copies of an array of struct iovec that is already copied by fetch `base`. */
static void add_iov_data(struct fetch_list *l, unsigned int arg, __u8 base)
{
	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_BYTES | STRACE_EACH | pointers(l) | when(l, arg),
				   .from = STRACE_CHUNK + base,
				   .cnt = STRACE_CHUNK + base,
				   .stride = (__u8)(2 * word_sz(l)),
				   .cnt_off = word_sz(l),
				   .elem_sz = 1,
				   .max_sz = bounded(l->limits->str_sz) });
}

void fetch_iov(struct fetch_list *l, unsigned int arg)
{
	size_t cnt = l->limits->str_sz < 64 ? l->limits->str_sz + 1 : 64;
	__u8 base = l->wire->fetch_cnt;

	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_BYTES,
				   .from = (__u8)arg,
				   .cnt = (__u8)(STRACE_ARG + arg + 1),
				   .elem_sz = (__u16)(2 * word_sz(l)),
				   .max_sz = bounded(2 * word_sz(l) * cnt) });
	add_iov_data(l, arg, base);
}

/* Offsets in struct msghdr. */
enum {
	MSG_NAME = 0,
	MSG_IOV = 16,
	MSG_IOVLEN = 24,
};

static void add_part(struct fetch_list *l, unsigned int arg, __u8 msg, __u16 ptr_off, __u8 cnt,
		     __u16 cnt_off, __u16 elem_sz, size_t max_sz)
{
	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_BYTES | pointers(l) | when(l, arg),
				   .from = STRACE_CHUNK + msg,
				   .cnt = cnt + msg,
				   .ptr_off = ptr_off,
				   .cnt_off = cnt_off,
				   .elem_sz = elem_sz,
				   .max_sz = bounded(max_sz) });
}

/* A struct msghdr is seven words, but that a 64-bit one has two numbers of 32 bits. */
void fetch_msghdr(struct fetch_list *l, unsigned int arg)
{
	__u8 msg = l->wire->fetch_cnt, word = word_sz(l);
	size_t iov_sz = 2 * (size_t)word;

	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_BYTES,
				   .from = (__u8)arg,
				   .cnt = STRACE_ONE,
				   .elem_sz = (__u16)(7 * word),
				   .max_sz = (__u16)(7 * word) });
	add_part(l, arg, msg, MSG_NAME, STRACE_CHUNK32, word, 1, 128);
	add_part(l, arg, msg, 2 * word, STRACE_CHUNK, 3 * word, (__u16)iov_sz,
		 iov_sz * (l->limits->str_sz < 32 ? l->limits->str_sz + 1 : 33));
	add_iov_data(l, arg, msg + 2);
	add_part(l, arg, msg, 4 * word, STRACE_CHUNK, 5 * word, 1, 512);
}

void fetch_messages(struct fetch_list *l, unsigned int arg, size_t sz)
{
	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_BYTES,
				   .from = (__u8)arg,
				   .cnt = (__u8)(STRACE_ARG + arg + 1),
				   .elem_sz = (__u16)sz,
				   .max_sz = bounded(sz * (l->limits->str_sz + 1)) });
}

void fetch_message_iov(struct fetch_list *l, unsigned int arg, size_t off)
{
	__u8 array = (__u8)l->call->fetch[arg], base = l->wire->fetch_cnt;

	add_part(l, arg, array, (__u16)(off + MSG_IOV), STRACE_CHUNK, (__u16)(off + MSG_IOVLEN), 16,
		 16 * (l->limits->str_sz < 32 ? l->limits->str_sz + 1 : 33));
	add_iov_data(l, arg, base);
}

void fetch_sockaddr(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes(l, arg, STRACE_ARG + arg + 1, 1, 128);
}

void fetch_sockaddr_out(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes(l, arg, STRACE_POINTED + arg + 1, 1, 128);
}

void fetch_buf_pointed(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes(l, arg, STRACE_POINTED + arg + 1, 1,
		    l->limits->str_sz < 128 ? 128 : l->limits->str_sz);
}

static void bytes_at_entry(struct fetch_list *l, unsigned int arg, size_t sz, __u8 kind)
{
	add_entry(l, arg,
		  (struct strace_fetch){ .kind = STRACE_BYTES | kind,
					 .from = (__u8)arg,
					 .cnt = STRACE_ONE,
					 .elem_sz = (__u16)sz,
					 .max_sz = STRACE_ENTRY_SZ });
}

void fetch_bytes_at_entry(struct fetch_list *l, unsigned int arg, size_t sz)
{
	bytes_at_entry(l, arg, sz, 0);
}

void fetch_int_inout(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes_at_entry(l, arg, size_of(l, arg));
	fetch_struct(l, arg);
}

void fetch_struct_inout(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes_at_entry(l, arg, size_of(l, arg));
	fetch_struct(l, arg);
}

void fetch_struct_entry(struct fetch_list *l, unsigned int arg)
{
	bytes_at_entry(l, arg, size_of(l, arg), STRACE_LATE);
}

void fetch_sized(struct fetch_list *l, unsigned int arg, size_t max_sz)
{
	fetch_bytes(l, arg, STRACE_ARG + arg + 1, 1, max_sz);
}

void fetch_text_at(struct fetch_list *l, unsigned int arg, size_t ptr_off)
{
	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_TEXT,
				   .from = (__u8)(STRACE_CHUNK + l->call->fetch[arg]),
				   .ptr_off = (__u16)ptr_off,
				   .max_sz = bounded(l->limits->str_sz + 2) });
}

void fetch_bytes_at(struct fetch_list *l, unsigned int arg, size_t ptr_off, size_t cnt_off,
		    size_t elem_sz)
{
	add(l, arg,
	    (struct strace_fetch){ .kind = STRACE_BYTES,
				   .from = (__u8)(STRACE_CHUNK + l->call->fetch[arg]),
				   .cnt = (__u8)(STRACE_CHUNK32 + l->call->fetch[arg]),
				   .ptr_off = (__u16)ptr_off,
				   .cnt_off = (__u16)cnt_off,
				   .elem_sz = (__u16)elem_sz,
				   .max_sz = bounded(elem_sz * (l->limits->str_sz + 1)) });
}

void fetch_fdset(struct fetch_list *l, unsigned int arg)
{
	add_entry(l, arg,
		  (struct strace_fetch){ .kind = STRACE_BYTES,
					 .from = (__u8)arg,
					 .cnt = STRACE_BITS,
					 .elem_sz = 1,
					 .max_sz = STRACE_ENTRY_SZ });
	fetch_bytes(l, arg, STRACE_BITS, 1, STRACE_ENTRY_SZ);
}

const struct call_desc *call_desc__find(const char *name)
{
	const struct call_desc *const *table, *d;

	for (table = call_descs; *table; table++)
		for (d = *table; d->name; d++)
			if (strcmp(d->name, name) == 0)
				return d;
	return NULL;
}

/* Notes the descriptors among the arguments and results. */
static void describe_files(struct strace_call *wire, const struct call_desc *desc)
{
	unsigned int arg;

	if (desc->ret == ret_fd || desc->ret == ret_fcntl)
		wire->flags |= STRACE_FD_RESULT;
	for (arg = 0; arg < CALL_ARGS && desc->args[arg]; arg++) {
		const struct arg_type *type = desc->args[arg];

		if (type->print == print_fd || type->print == print_dirfd)
			wire->fd_args |= (__u8)(1u << arg);
		if (type->print == print_fd_pair) {
			wire->flags |= STRACE_FD_PAIR;
			wire->pair_arg = (__u8)arg;
		}
	}
}

static void describe(struct call_table *t, size_t i, bool is_compat,
		     const struct fetch_limits *limits)
{
	struct call *call = &t->calls[i];
	struct fetch_list list = { &t->wire[i], call, call->desc, limits, is_compat };
	unsigned int arg;

	memset(call->fetch, -1, sizeof(call->fetch));
	memset(call->entry, -1, sizeof(call->entry));
	if (!call->desc)
		return;
	t->wire[i].flags = (__u8)call->desc->flags;
	if (limits->files)
		describe_files(&t->wire[i], call->desc);
	for (arg = 0; arg < CALL_ARGS && call->desc->args[arg]; arg++) {
		const struct arg_type *type = call->desc->args[arg];

		if (is_compat)
			call->narrow[arg] = (__u8)narrow__of(type, call->name);
		if (type->fetch && (!is_compat || call->narrow[arg] != NARROW_UNKNOWN))
			type->fetch(&list, arg);
	}
}

struct call_table *call_table__new(const struct fetch_limits *limits)
{
	struct call_table *t = calloc(1, sizeof(*t));
	size_t i;

	if (!t) {
		errno = ENOMEM;
		return NULL;
	}
	for (i = 0; i < STRACE_ABIS * STRACE_CALLS; i++) {
		bool is_compat = i >= STRACE_CALLS;
		int64_t nr = (int64_t)(i % STRACE_CALLS);
		struct call *call = &t->calls[i];

		call->name = is_compat ? syscall_nr__compat_name(nr) : syscall_nr__name(nr);
		if (call->name)
			call->desc =
				is_compat ? narrow__desc(call->name) : call_desc__find(call->name);
		describe(t, i, is_compat, limits);
	}
	return t;
}

void call_table__free(struct call_table *t)
{
	free(t);
}
