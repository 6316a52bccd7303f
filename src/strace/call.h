/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The system calls that bpfperf strace knows: their arguments, each with a type, which says what
 * memory the argument points to and how it is printed. The table of the BPF programs is derived
 * from these descriptions.
 */
#ifndef BPFPERF_STRACE_CALL_H
#define BPFPERF_STRACE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "bpf/strace_wire.h"

struct call_view;
struct fetch_list;

/* The type of an argument. */
struct arg_type {
	/* Prints argument arg. */
	void (*print)(struct call_view *v, unsigned int arg);
	/* Adds the copies of the memory behind the argument; NULL: it is no pointer. */
	void (*fetch)(struct fetch_list *list, unsigned int arg);
	const void *param; /* a table of names, or the description of a structure */
	size_t sz; /* size of a structure or an element */
	bool is_out; /* the kernel writes the memory: it is read if the call succeeds */
	bool is_portable; /* the memory has the same layout in 32-bit programs */
};

/* Classes of -e trace=%CLASS. */
enum call_class {
	CLASS_FILE = 1 << 0,
	CLASS_DESC = 1 << 1,
	CLASS_NETWORK = 1 << 2,
	CLASS_PROCESS = 1 << 3,
	CLASS_MEMORY = 1 << 4,
	CLASS_SIGNAL = 1 << 5,
	CLASS_IPC = 1 << 6,
	CLASS_CREDS = 1 << 7,
	CLASS_CLOCK = 1 << 8,
	CLASS_PURE = 1 << 9,
	CLASS_STAT = 1 << 10,
	CLASS_STATFS = 1 << 11,
};

#define CALL_ARGS 6

struct call_desc {
	const char *name;
	unsigned int classes; /* enum call_class */
	const struct arg_type *args[CALL_ARGS];
	void (*ret)(struct call_view *v); /* prints the result of success; NULL: decimal */
	unsigned int flags; /* enum strace_call_flag of strace_wire.h */
};

/* A call of one ABI. */
struct call {
	const struct call_desc *desc; /* NULL: unknown */
	const char *name; /* NULL: there is no call of this number */
	/* Index of the first copy of each argument at the return and at the entry; -1: none. */
	__s8 fetch[CALL_ARGS], entry[CALL_ARGS];
	__u8 narrow[CALL_ARGS]; /* enum narrow: the layout of each argument in 32-bit programs */
};

/* The calls by strace_abi * STRACE_CALLS + number, and their descriptions for the programs. */
struct call_table {
	struct call calls[STRACE_ABIS * STRACE_CALLS];
	struct strace_call wire[STRACE_ABIS * STRACE_CALLS];
};

/* Limits of copies. */
struct fetch_limits {
	unsigned int str_sz; /* -s: bytes of a string, or elements of an array */
	bool verbose; /* -v: variables of the environment, and directory entries */
	bool files; /* the files of descriptors are described */
};

/* Creates the table of all calls; none is wanted yet. NULL and errno ENOMEM. */
struct call_table *call_table__new(const struct fetch_limits *limits);
void call_table__free(struct call_table *t);

/* All descriptions, in arrays that end with a member without a name. */
extern const struct call_desc *const call_descs[];
/* The description of a call by name; NULL: unknown. */
const struct call_desc *call_desc__find(const char *name);

/* The copies of one call, while its description is made. */
struct fetch_list {
	struct strace_call *wire;
	struct call *call;
	const struct call_desc *desc;
	const struct fetch_limits *limits;
	bool is_narrow; /* pointers have 32 bits */
};

/*
 * Functions for arg_type.fetch. Sizes that depend on another argument are in the argument behind
 * this one.
 */
void fetch_path(struct fetch_list *l, unsigned int arg);
void fetch_str(struct fetch_list *l, unsigned int arg);
void fetch_buf(struct fetch_list *l, unsigned int arg); /* bytes, as many as the next one says */
void fetch_buf_result(struct fetch_list *l, unsigned int arg); /* as many as the result says */
void fetch_struct(struct fetch_list *l, unsigned int arg); /* arg_type.sz bytes */
void fetch_array(struct fetch_list *l,
		 unsigned int arg); /* elements; the next one has the number */
void fetch_array_prev(struct fetch_list *l, unsigned int arg); /* the previous one has the number */
void fetch_array_result(struct fetch_list *l, unsigned int arg);
void fetch_argv(struct fetch_list *l, unsigned int arg);
void fetch_pointers(struct fetch_list *l, unsigned int arg); /* pointers up to NULL */
void fetch_iov(struct fetch_list *l, unsigned int arg);
void fetch_msghdr(struct fetch_list *l, unsigned int arg);
void fetch_sockaddr(struct fetch_list *l, unsigned int arg); /* the next one is its size */
/* The next one points to its size. */
void fetch_sockaddr_out(struct fetch_list *l, unsigned int arg);
void fetch_buf_pointed(struct fetch_list *l, unsigned int arg);
void fetch_int_inout(struct fetch_list *l, unsigned int arg); /* at the entry, and at the return */
void fetch_struct_inout(struct fetch_list *l, unsigned int arg);
void fetch_struct_entry(struct fetch_list *l, unsigned int arg); /* only at the entry */
/*
 * Copies for structures: the argument, of as many bytes as the next argument says, at most max_sz;
 * then, behind a pointer at an offset in it, a text, or elements; their number is at cnt_off.
 */
void fetch_sized(struct fetch_list *l, unsigned int arg, size_t max_sz);
void fetch_text_at(struct fetch_list *l, unsigned int arg, size_t ptr_off);
void fetch_bytes_at(struct fetch_list *l, unsigned int arg, size_t ptr_off, size_t cnt_off,
		    size_t elem_sz);
/* Structures with a struct msghdr each; then the buffers of the one at an offset. */
void fetch_messages(struct fetch_list *l, unsigned int arg, size_t sz);
void fetch_message_iov(struct fetch_list *l, unsigned int arg, size_t off);
/* Copies sz bytes at the entry. */
void fetch_bytes_at_entry(struct fetch_list *l, unsigned int arg, size_t sz);
void fetch_fdset(struct fetch_list *l, unsigned int arg); /* argument 0 is the number of bits */

#endif
