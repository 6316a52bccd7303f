/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Types of arguments, for the tables of calls. */
#ifndef BPFPERF_STRACE_CALLS_H
#define BPFPERF_STRACE_CALLS_H

#include "strace/names.h"
#include "strace/view.h"

/* clang-format off */
#define names_open_extra names_open_flags
#define TYPE(...) (&(const struct arg_type){ __VA_ARGS__ })
/* Numbers. */
#define INT TYPE(.print = print_int)
#define UINT TYPE(.print = print_uint)
#define LONG TYPE(.print = print_long)
#define ULONG TYPE(.print = print_ulong)
#define HEX TYPE(.print = print_hex)
#define ADDR TYPE(.print = print_addr)
#define FD TYPE(.print = print_fd)
#define DIRFD TYPE(.print = print_dirfd)
#define OCTAL TYPE(.print = print_octal)
#define MODE TYPE(.print = print_mode)
#define ID TYPE(.print = print_id)
#define PID TYPE(.print = print_pid)
#define SIG TYPE(.print = print_sig)
#define DEV TYPE(.print = print_dev)
#define FLAGS(n) TYPE(.print = print_flags, .param = &names_##n)
#define FLAGS32(n) TYPE(.print = print_flags32, .param = &names_##n)
#define ENUM(n) TYPE(.print = print_enum, .param = &names_##n)
/* Text and buffers: in (the call reads) and out (it writes). */
#define PATH TYPE(.print = print_path, .fetch = fetch_path, .is_portable = true)
#define PATH_OUT                                                                                   \
	TYPE(.print = print_path, .fetch = fetch_path, .is_out = true, .is_portable = true)
#define STR TYPE(.print = print_str, .fetch = fetch_str, .is_portable = true)
#define BUF TYPE(.print = print_buf, .fetch = fetch_buf, .is_portable = true)
#define BUF_OUT                                                                                    \
	TYPE(.print = print_buf_out, .fetch = fetch_buf_result, .is_out = true, .is_portable = true)
#define RANDOM_OUT                                                                                 \
	TYPE(.print = print_random, .fetch = fetch_buf_result, .is_out = true, .is_portable = true)
#define ARGV TYPE(.print = print_argv, .fetch = fetch_argv)
#define ENVP TYPE(.print = print_envp, .fetch = fetch_pointers)
#define IOV TYPE(.print = print_iov, .fetch = fetch_iov)
#define IOV_OUT TYPE(.print = print_iov_out, .fetch = fetch_iov)
#define MSGHDR TYPE(.print = print_msghdr, .fetch = fetch_msghdr)
#define MSGHDR_OUT TYPE(.print = print_msghdr, .fetch = fetch_msghdr, .is_out = true)
#define SOCKADDR TYPE(.print = print_sockaddr, .fetch = fetch_sockaddr, .is_portable = true)
#define SOCKADDR_OUT                                                                               \
	TYPE(.print = print_sockaddr_out, .fetch = fetch_sockaddr_out, .is_out = true,             \
	     .is_portable = true)
/* Structures. */
#define IN(p, n) TYPE(.print = print_##p, .fetch = fetch_struct, .sz = (n))
#define OUT(p, n) TYPE(.print = print_##p, .fetch = fetch_struct, .sz = (n), .is_out = true)
/* The call may overwrite what it reads: copied at the entry. */
#define IN_FIRST(p, n) TYPE(.print = print_##p, .fetch = fetch_struct_entry, .sz = (n))
#define INOUT(p, n) TYPE(.print = print_##p, .fetch = fetch_struct_inout, .sz = (n))
/* Arrays, of as many elements as the next argument says. */
#define ARRAY(p, n) TYPE(.print = print_##p, .fetch = fetch_array, .sz = (n))
#define FDSET TYPE(.print = print_fdset, .fetch = fetch_fdset)
/* The argument depends on others; memory is copied all the same. */
#define DEPENDS(p) TYPE(.print = print_##p)
#define NONE 0
/* Rows of the tables: name, classes, [result,] [flags,] arguments. */
#define CALL(n, c, ...) { .name = #n, .classes = (c), .args = { __VA_ARGS__ } }
#define CALL_RET(n, c, r, ...)                                                                     \
	{ .name = #n, .classes = (c), .args = { __VA_ARGS__ }, .ret = ret_##r }
#define CALL_FLAGS(n, c, r, f, ...)                                                                \
	{ .name = #n, .classes = (c), .args = { __VA_ARGS__ }, .ret = (r), .flags = (f) }

PRINT(random);
PRINT(off_inout);
PRINT(mknod_dev);
PRINT(ipc_flags);
PRINT(rlimit_first);
PRINT(time_left);
PRINT(ipc_key);
PRINT(personality);
void fetch_cpus(struct fetch_list *l, unsigned int arg);
void ret_membarrier(struct call_view *v);
void ret_prctl(struct call_view *v);
void ret_sched(struct call_view *v);
void ret_personality(struct call_view *v);
void ret_signal(struct call_view *v);
PRINT(bpf_attr);
PRINT(perf_attr);
PRINT(uring_params);
PRINT(landlock_ruleset);
PRINT(landlock_rule);
PRINT(seccomp_flags);
PRINT(seccomp_arg);
PRINT(mmsghdrs);
PRINT(mmsg_timeout);
void put_fprog(struct call_view *v, unsigned int arg, bool is_seccomp);
void fetch_bpf_attr(struct fetch_list *l, unsigned int arg);
void fetch_perf_attr(struct fetch_list *l, unsigned int arg);
void fetch_fprog(struct fetch_list *l, unsigned int arg);
void fetch_mmsghdrs(struct fetch_list *l, unsigned int arg);
void ret_landlock(struct call_view *v);
void fetch_dirents(struct fetch_list *l, unsigned int arg);
/* clang-format on */

/* Tables of calls_*.c; each ends with a member without a name. */
extern const struct call_desc calls_files[], calls_memory[], calls_net[], calls_proc[],
	calls_signal[], calls_time[], calls_other[];

#endif
