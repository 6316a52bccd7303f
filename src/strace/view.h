/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* One system call while it is printed: its record, taken apart, and the text so far. */
#ifndef BPFPERF_STRACE_VIEW_H
#define BPFPERF_STRACE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "strace/call.h"
#include "strace/narrow.h"
#include "util/strbuf.h"

/* Results of calls that the kernel restarts; they are not seen by programs. */
#define ERESTARTSYS 512
#define ERESTARTNOINTR 513
#define ERESTARTNOHAND 514
#define ERESTART_RESTARTBLOCK 516

/* How text is printed. */
struct text_opts {
	unsigned int str_sz; /* -s */
	bool verbose; /* -v: structures are not abbreviated */
	int hex; /* 1: -x, strings that are no ASCII are hexadecimal; 2: -xx, all strings */
	int fd_paths; /* 1: -y, 2: -yy */
	/* Names of descriptors, for fd_paths and paths; NULL: they are not wanted. Not owned */
	struct fd_names *fds;
	const struct path_set *paths; /* -P; NULL: all calls. Not owned */
	/* Returns the name of a thread, valid until the next call; NULL: unknown */
	const char *(*task_name)(void *ctx, uint32_t tid);
	void *task_ctx; /* for task_name */
	bool decode_pids; /* --decode-pids=comm: names of threads follow their ids */
};

struct fd_names;
struct path_set;

/* Descriptors among the arguments, and two that are new. */
#define VIEW_FILES (STRACE_FILES + 2)

struct call_view {
	struct strbuf *out;
	struct strbuf *note; /* text behind the result, printed in parentheses */
	const struct text_opts *opts;
	const struct call *call;
	const struct wire_call *rec;
	const uint64_t *args;
	int64_t ret;
	int err; /* error of the call, positive; 0: it succeeded */
	bool returned; /* the call is over: ret and err are valid */
	bool was_killed; /* its thread ends inside of it: memory it writes was not written */
	bool is_wide; /* pointers have 64 bits */
	/* Structures of 32-bit programs, widened, by argument. Not owned */
	uint64_t (*wide)[NARROW_WORDS];
	/* The first chunk of each fetch; NULL: none. */
	const struct strace_chunk *first[STRACE_FETCHES], *entry[STRACE_ENTRIES];
	/* The files of descriptors: of the arguments, and then those of the results. */
	const struct strace_file *files[VIEW_FILES];
	unsigned int file_cnt;
	bool at_result; /* the result is printed */
	const void *end; /* of the record */
	bool names_path; /* what was printed names one of opts->paths */
	const char *interrupted; /* the call that restart_syscall resumes; NULL: unknown */
	/* The program that a successful execve runs, from the kernel; NULL: unknown. */
	const struct wire_exec *exec;
};

/* Takes a record apart. */
void call_view__init(struct call_view *v, const struct call *call, const struct wire_call *rec,
		     bool returned);
/* Appends the call's name. */
void call_view__put_name(struct call_view *v);
/*
 * Appends argument i, nothing if the call does not use it. Returns false if there is none; with
 * only_begin also for the first argument that the call writes, and those behind it.
 */
bool call_view__put_arg(struct call_view *v, unsigned int i, bool only_begin);
/* Appends all of these arguments, with commas. Returns whether others follow. */
bool call_view__put_args(struct call_view *v, bool only_begin);
/* Appends the result, with the error's name, and the note. */
void call_view__print_result(struct call_view *v);

/*
 * Returns the copy number `part` of an argument's memory and its bytes; NULL: there is none, or it
 * could not be read.
 */
const void *view__part(const struct call_view *v, unsigned int arg, unsigned int part, size_t *sz);
/* Is the text of an argument longer than its copy? */
bool view__is_cut(const struct call_view *v, unsigned int arg);
/* Returns a copy of at least sz bytes; NULL: there is none. */
const void *view__struct(const struct call_view *v, unsigned int arg, size_t sz);
/* Returns the copy made at the entry. */
const void *view__entry(const struct call_view *v, unsigned int arg, size_t sz);
/* Returns word i of an array of pointers or sizes. */
static inline uint64_t view__word(const struct call_view *v, const void *at, size_t i)
{
	return v->is_wide ? ((const uint64_t *)at)[i] : ((const uint32_t *)at)[i];
}
static inline size_t view__word_sz(const struct call_view *v)
{
	return v->is_wide ? sizeof(uint64_t) : sizeof(uint32_t);
}
/* Returns the copy of one element of part, and its bytes; NULL: there is none. */
const void *view__elem(const struct call_view *v, unsigned int arg, unsigned int part,
		       unsigned int elem, size_t *sz);
/* Returns the file that a descriptor had at the entry, or has as a result; NULL: unknown. */
const struct strace_file *view__file(const struct call_view *v, int fd);
/* Has memory that the kernel writes been written? */
static inline bool view__is_written(const struct call_view *v)
{
	return v->returned && !v->err;
}

/* Names of numbers. */
struct name_of {
	uint64_t val;
	const char *name;
};

struct names {
	const struct name_of *at;
	size_t cnt;
	const char *unknown; /* "O_???" */
	uint64_t enum_mask; /* bits that are a number, not flags: O_ACCMODE */
};

#define NAME(c)                                                                                    \
	{                                                                                          \
		(uint64_t)(c), #c                                                                  \
	}
#define NAMES(table, unknown_name)                                                                 \
	{                                                                                          \
		table, sizeof(table) / sizeof((table)[0]), unknown_name, 0                         \
	}

const char *names__find(const struct names *n, uint64_t val);
/* "A|B|0x40"; a value without any name is "0x40 /\* O_??? *\/". */
void put_flags(struct strbuf *out, const struct names *n, uint64_t val);
/* The name, or "0x5 /\* PROT_??? *\/". */
void put_enum(struct strbuf *out, const struct names *n, uint64_t val);

void put_addr(struct strbuf *out, uint64_t addr); /* NULL or 0x… */
/*
 * Appends what stands for the elements from `next` on, of a list at `list` of which sz bytes were
 * copied: "...", and the address if the memory ends there.
 */
void put_rest(struct strbuf *out, uint64_t list, size_t sz, uint64_t next);
void put_hex(struct strbuf *out, uint64_t val); /* 0, or 0x… */
void put_octal(struct strbuf *out, uint64_t val, unsigned int width); /* 0644 */
/* The mode of a file: S_IFREG|0644. */
void put_mode(struct strbuf *out, unsigned int mode);
/* Bytes in quotes; `more`: "..." follows. */
void put_quoted(struct strbuf *out, const struct text_opts *opts, const void *data, size_t len,
		bool more);
/* Bytes of a name in angle brackets, which are escaped in it. */
void put_bracketed(struct strbuf *out, const struct text_opts *opts, const void *data, size_t len);
/* Text up to a NUL among len bytes, cut to opts->str_sz. */
void put_text(struct strbuf *out, const struct text_opts *opts, const char *text, size_t len);
void put_errno(struct strbuf *out, int err); /* "ENOENT" */
void put_signal(struct strbuf *out, int sig); /* "SIGCHLD" */
void put_sigset(struct strbuf *out, const void *set, size_t sz); /* "[CHLD INT]", "~[KILL]" */
void put_fd(struct call_view *v, int64_t fd);
/* Appends "<path>" of a descriptor, or of AT_FDCWD, with -y; notices paths of -P. */
void put_fd_name(struct call_view *v, int fd);
/* The id of a thread, with its name where that is asked for. */
void put_pid(struct strbuf *out, const struct text_opts *opts, int pid);
void put_dev(struct strbuf *out, uint64_t dev); /* makedev(0x8, 0x1) */
/* The date as a comment: " /\* 2023-11-14T22:13:20+0000 *\/". */
void put_date(struct strbuf *out, int64_t sec, uint64_t nsec);
void put_timespec(struct strbuf *out, int64_t sec, int64_t nsec);
void put_sockaddr(struct call_view *v, const void *addr, size_t sz);
void put_siginfo(struct strbuf *out, const struct text_opts *opts, const void *info);
/* The elements of an iovec at the address `list`; `limit`: bytes in all of them. */
void put_iov(struct call_view *v, unsigned int arg, unsigned int part, uint64_t list, uint64_t cnt,
	     uint64_t limit);
void put_wait_status(struct strbuf *out, unsigned int status);

/* Functions for arg_type.print, of several files. */
#define PRINT(name) void print_##name(struct call_view *v, unsigned int arg)
PRINT(int);
PRINT(uint);
PRINT(long);
PRINT(ulong);
PRINT(hex);
PRINT(addr);
PRINT(fd);
PRINT(dirfd);
PRINT(mode);
PRINT(octal);
PRINT(id);
PRINT(pid);
PRINT(dev);
PRINT(sig);
PRINT(flags);
PRINT(flags32);
PRINT(enum);
PRINT(path);
PRINT(str);
PRINT(buf);
PRINT(buf_out);
PRINT(struct_fields);
PRINT(int_ptr);
PRINT(int_inout);
PRINT(ulong_ptr);
PRINT(fd_pair);
PRINT(id_array);
PRINT(argv);
PRINT(envp);
PRINT(iov);
PRINT(iov_out);
PRINT(msghdr);
PRINT(sockaddr);
PRINT(sockaddr_out);
PRINT(sockopt);
PRINT(stat);
PRINT(statx);
PRINT(statfs);
PRINT(timespec);
PRINT(timeval);
PRINT(timezone);
PRINT(timeval_pair);
PRINT(timespec_pair);
PRINT(itimerval);
PRINT(itimerspec);
PRINT(rlimit);
PRINT(rusage);
PRINT(utsname);
PRINT(sysinfo);
PRINT(sigset);
PRINT(sigaction);
PRINT(siginfo);
PRINT(sigaltstack);
PRINT(sigreturn);
PRINT(wait_status);
PRINT(pollfds);
PRINT(fdset);
PRINT(epoll_event);
PRINT(epoll_events);
PRINT(clone_flags);
PRINT(clone_args);
PRINT(futex_op);
PRINT(futex_timeout);
PRINT(futex_val3);
PRINT(open_mode);
PRINT(ioctl_cmd);
PRINT(ioctl_arg);
PRINT(fcntl_cmd);
PRINT(fcntl_arg);
PRINT(getdents);
PRINT(cpu_set);
PRINT(cap_header);
PRINT(cap_data);
PRINT(prctl_arg);
PRINT(arch_prctl_arg);
PRINT(sched_param);
PRINT(open_how);
PRINT(mremap_addr);
PRINT(robust_list);
PRINT(socket_type);
PRINT(socket_protocol);
PRINT(msg_len);
PRINT(restart);

/* Functions for call_desc.ret. */
void ret_hex(struct call_view *v);
void ret_octal(struct call_view *v);
void ret_fd(struct call_view *v);
void ret_unknown(struct call_view *v); /* "?": the call does not return */
void ret_fcntl(struct call_view *v);
void ret_poll(struct call_view *v);
void ret_select(struct call_view *v);
void ret_int(struct call_view *v);
void ret_pid(struct call_view *v);

#endif
