/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The layouts that the programs of bpfperf strace and the loader share: the table that describes
 * each system call's memory, and the records.
 */
#ifndef BPFPERF_STRACE_WIRE_H
#define BPFPERF_STRACE_WIRE_H

#define STRACE_CALLS 1024 /* numbers of one ABI; a power of two */
#define STRACE_FETCHES 8 /* copies at the return; a power of two */
#define STRACE_ENTRIES 4 /* copies at the entry */
#define STRACE_FILES 2 /* descriptors among the arguments that are described at the entry */
#define STRACE_ENTRY_SZ 128 /* bytes of a copy at the entry; a power of two */
#define STRACE_COPY_MAX 4096 /* bytes of one copy */
#define STRACE_AT_MAX 5000 /* a copy begins before this offset of its record */
#define STRACE_STEPS 4096 /* copies of one record, and directory entries that are counted */
#define STRACE_OLD_STEPS 48 /* before 5.17 */
/* Threads that have a state: of the whole machine, and of CMD or some processes. */
#define STRACE_THREADS 8192
#define STRACE_TASK_THREADS 2048

enum strace_abi {
	STRACE_NATIVE,
	STRACE_COMPAT, /* the kernel's 32-bit interface */
	STRACE_ABIS,
};

/* The places of a copy's pointer, and of the number of its elements. */
enum strace_from {
	STRACE_ARG = 0, /* + index of the argument */
	STRACE_CHUNK = 8, /* + index of an earlier copy of this record */
	STRACE_CHUNK32 = 16, /* + index: a number of 32 bits */
	STRACE_ONE = 24, /* one element */
	STRACE_RESULT = 25, /* the result of the call */
	STRACE_BITS = 32, /* + index of the argument with a number of bits, in whole words */
	STRACE_POINTED = 40, /* + index of an argument that points to a number of 32 bits */
};

enum strace_kind {
	STRACE_TEXT = 1, /* up to a NUL */
	STRACE_BYTES = 2, /* elements of elem_sz bytes */
	STRACE_EACH = 4, /* one copy for each element of the copy that `from` names */
	STRACE_ON_SUCCESS = 8, /* only if the call has not failed */
	STRACE_PER_RESULT = 16, /* at most `result` elements */
	STRACE_NARROW = 64, /* the copy that `from` names has pointers and sizes of 32 bits */
	STRACE_DIRENTS = 32, /* the number of directory entries (8 bytes), in `result` bytes */
	/* At the entry: again at the return, if the memory was not there before. */
	STRACE_LATE = 128,
};

/* One copy of memory. */
struct strace_fetch {
	__u8 kind; /* enum strace_kind */
	__u8 from; /* enum strace_from: the pointer */
	__u8 cnt; /* enum strace_from: the number of elements */
	__u8 stride; /* STRACE_EACH: bytes from one pointer to the next */
	__u16 elem_sz;
	__u16 max_sz; /* at most STRACE_COPY_MAX */
	__u16 ptr_off, cnt_off; /* offsets in the copies that `from` and `cnt` name */
	__u8 pad[4];
};

enum strace_call_flag {
	STRACE_WANTED = 1, /* calls with this number are traced */
	STRACE_BEGINS = 2, /* a record is sent at the entry, with all copies, too */
	STRACE_NO_RETURN = 4, /* the call does not return */
	STRACE_FORKS = 8, /* the call returns in the new task, too, where it has no entry */
	STRACE_FRAME = 16, /* argument 0 is made: where the signal's frame has the set of signals */
	STRACE_FD_RESULT = 32, /* the result is a new descriptor */
	STRACE_FD_PAIR = 64, /* argument pair_arg points to two new descriptors */
	STRACE_STOPPED = 128, /* its records exceeded --budget: they are counted, and not sent */
};

/* The description of one system call, by strace_abi * STRACE_CALLS + number. */
struct strace_call {
	__u8 flags; /* enum strace_call_flag */
	__u8 fetch_cnt, entry_cnt;
	__u8 fd_args; /* bit per argument that is a descriptor; 0: files are not described */
	__u8 pair_arg;
	__u8 pad[3];
	struct strace_fetch fetch[STRACE_FETCHES];
	struct strace_fetch entry[STRACE_ENTRIES];
};

/* A copy in a record; the data follow. */
struct strace_chunk {
	__u16 sz; /* bytes of data */
	__u16 step; /* bytes from this chunk to the next, a multiple of 8 */
	__u8 fetch; /* index of its strace_fetch; STRACE_AT_ENTRY is added for `entry` */
	__u8 elem; /* STRACE_EACH: index of the element */
	__u8 failed; /* the memory cannot be read: sz is 0 */
	__u8 cut; /* text: it is longer than the copy */
};
#define STRACE_AT_ENTRY 0x80
#define STRACE_FILE 0x40 /* in place of an index: the data are a struct strace_file */

enum strace_file_flag {
	STRACE_FILE_PIPE = 1, /* a pipe without a name */
	STRACE_FILE_DELETED = 2, /* no directory has the name it was opened by */
};

/* The file of a descriptor, as the kernel has it: no other source knows a socket of the past. */
struct strace_file {
	__u64 ino;
	__s32 fd;
	/* of a device its number, else of its file system: the kernel's major << 20 | minor */
	__u32 dev;
	__u16 mode;
	__u16 flags; /* enum strace_file_flag */
	/* The rest is of sockets. */
	__u16 family;
	__u16 type; /* SOCK_STREAM, … */
	__u16 protocol;
	__u16 local_port, remote_port; /* in the order of bytes of this machine */
	__u16 path_sz;
	char protocol_name[16];
	__u64 peer_ino; /* AF_UNIX */
	union {
		struct {
			__u8 local[16], remote[16]; /* AF_INET has 4 bytes */
		};
		__u32 port_id; /* AF_NETLINK */
		char path[108]; /* AF_UNIX */
	};
};

struct strace_file_chunk {
	struct strace_chunk head;
	struct strace_file file;
};

/* The state of a thread. */
struct strace_thread {
	__u64 enter_ns; /* 0: it is not inside of a call */
	__u32 owner; /* of a slot: the kernel's thread id; 0: free */
	__u32 nr; /* with the ABI: index into the table */
	__u32 tgid, tid;
	__u8 sent; /* a WIRE_CALL_BEGIN was sent */
	__u8 is_x32;
	__u8 file_cnt;
	__u8 pad[5];
	/* The maps have no more of it where calls are counted: STRACE_COUNTED_SZ. */
	__u64 args[6];
	struct {
		struct strace_chunk head;
		__u8 data[STRACE_ENTRY_SZ];
	} entry[STRACE_ENTRIES];
	struct strace_file_chunk files[STRACE_FILES];
};

#define STRACE_COUNTED_SZ __builtin_offsetof(struct strace_thread, args)

enum wire_call_flag {
	WIRE_CALL_UNKNOWN_ENTRY = 1, /* the call began before the session */
	WIRE_CALL_BEGUN = 2, /* a WIRE_CALL_BEGIN was sent before */
	WIRE_CALL_X32 = 4,
	WIRE_CALL_KILLED = 8, /* its thread will not return from it: SIGKILL is pending */
};
struct wire_call {
	struct wire_rec head; /* time of the return; for WIRE_CALL_BEGIN of the entry */
	__u32 tid;
	__u16 nr; /* with the ABI: index into the table */
	__u16 flags; /* enum wire_call_flag */
	__s64 ret;
	__u64 enter_ns;
	__u64 stack; /* id of the stack, with has_callstack */
	__u64 args[6];
	/* struct strace_chunk follow */
};

#define WIRE_SIGINFO_SZ 48
struct wire_signal {
	struct wire_rec head;
	__u32 tid;
	__u16 sig;
	__u16 how; /* enum wire_signal_how */
	__u8 info[WIRE_SIGINFO_SZ]; /* the kernel's siginfo */
};
enum wire_signal_how {
	WIRE_SIGNAL_DELIVERED,
	WIRE_SIGNAL_IGNORED, /* the process ignores it: it was only sent */
	WIRE_SIGNAL_SENT, /* it will be delivered, or end the process */
};

/*
 * The program and its arguments, from the kernel: at the entry of execve they may not have been in
 * memory. The bytes of the path, with its NUL, and of the arguments follow.
 */
#define WIRE_EXEC_ARGS 2048
struct wire_exec {
	struct wire_rec head;
	__u32 tid;
	__u16 path_sz, args_sz;
};

struct wire_exit {
	struct wire_rec head;
	__u32 tid;
	__u32 code; /* as of wait(2) */
	__u32 exec_tid; /* a first thread ends, since this thread of its process calls exec; or 0 */
};

/* Counts of one call on one CPU, for -c and --budget. */
struct strace_count {
	__u64 calls, errors, ns;
	__u64 min_ns, max_ns;
	__u64 skipped; /* calls that were stopped */
};

#endif
