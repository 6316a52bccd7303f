/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The files of descriptors, for -y and -yy: inode, device, and the addresses of a socket. They are
 * read in the kernel, while the call is made: by the time a record is printed, the descriptor may
 * be closed, or be another file's.
 */
#ifndef BPFPERF_STRACE_FILES_BPF_H
#define BPFPERF_STRACE_FILES_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "compat.bpf.h"
#include "files.bpf.h"
#include "strace_wire.h"

/* Files are described. */
const volatile _Bool describe_files __weak = 0;

/* Constants of include/uapi/linux, unchanged since they exist. */
#define S_IFMT 00170000
#define S_IFSOCK 0140000
#define S_IFBLK 0060000
#define S_IFCHR 0020000
#define S_IFIFO 0010000
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define AF_NETLINK 16
#define PIPEFS_MAGIC 0x50495045

struct proto___file {
	char name[32];
} COMPAT_FLAVOUR;

struct in6_addr___file {
	__u8 unused;
} COMPAT_FLAVOUR;

struct sock_common___file {
	__u32 skc_daddr, skc_rcv_saddr;
	__u16 skc_dport, skc_num;
	unsigned short skc_family;
	struct in6_addr___file skc_v6_daddr, skc_v6_rcv_saddr;
} COMPAT_FLAVOUR;

struct socket___file;

struct sock___file {
	struct sock_common___file __sk_common;
	struct proto___file *sk_prot_creator;
	struct socket___file *sk_socket;
	unsigned long sk_ino;
	__u16 sk_type, sk_protocol;
} COMPAT_FLAVOUR;

struct socket___file {
	struct sock___file *sk;
	struct file___file *file;
} COMPAT_FLAVOUR;

struct sockaddr_un___file {
	char sun_path[108];
} COMPAT_FLAVOUR;

struct unix_address___file {
	int len;
	struct sockaddr_un___file name[0];
} COMPAT_FLAVOUR;

struct unix_sock___file {
	struct unix_address___file *addr;
	struct sock___file *peer;
} COMPAT_FLAVOUR;

struct netlink_sock___file {
	__u32 portid;
} COMPAT_FLAVOUR;

/* The socket keeps its inode's number from 6.18 on: 5d6b58c932ec (net: lockless sock_i_ino()). */
static __always_inline __u64 socket_ino(struct sock___file *sk)
{
	if (bpf_core_field_exists(sk->sk_ino))
		return BPF_CORE_READ(sk, sk_ino);
	return BPF_CORE_READ(sk, sk_socket, file, f_inode, i_ino);
}

static __always_inline void take_unix(struct strace_file *to, struct unix_sock___file *sk)
{
	struct unix_address___file *addr;
	struct sock___file *peer;
	int len;

	/* The module of these sockets may be missing. */
	if (!bpf_core_type_exists(struct unix_sock___file))
		return;
	peer = BPF_CORE_READ(sk, peer);
	if (peer)
		to->peer_ino = socket_ino(peer);
	addr = BPF_CORE_READ(sk, addr);
	if (!addr)
		return;
	/* The family comes before the path. */
	len = BPF_CORE_READ(addr, len) - (int)sizeof(__u16);
	if (len <= 0 || len > (int)sizeof(to->path))
		return;
	to->path_sz = (__u16)len;
	bpf_probe_read_kernel(to->path, sizeof(to->path), &addr->name[0].sun_path);
}

static __always_inline void take_inet(struct strace_file *to, struct sock___file *sk)
{
	struct sock_common___file *c = &sk->__sk_common;

	to->local_port = BPF_CORE_READ(c, skc_num);
	to->remote_port = __builtin_bswap16(BPF_CORE_READ(c, skc_dport));
	if (to->family == AF_INET) {
		bpf_probe_read_kernel(to->local, 4, &c->skc_rcv_saddr);
		bpf_probe_read_kernel(to->remote, 4, &c->skc_daddr);
	} else if (bpf_core_field_exists(c->skc_v6_daddr)) {
		bpf_probe_read_kernel(to->local, 16, &c->skc_v6_rcv_saddr);
		bpf_probe_read_kernel(to->remote, 16, &c->skc_v6_daddr);
	}
}

static __always_inline void take_socket(struct strace_file *to, struct socket___file *socket)
{
	struct sock___file *sk = BPF_CORE_READ(socket, sk);
	struct proto___file *proto;

	if (!sk)
		return;
	proto = BPF_CORE_READ(sk, sk_prot_creator);
	to->family = BPF_CORE_READ(sk, __sk_common.skc_family);
	to->type = BPF_CORE_READ(sk, sk_type);
	to->protocol = BPF_CORE_READ(sk, sk_protocol);
	bpf_probe_read_kernel_str(to->protocol_name, sizeof(to->protocol_name), &proto->name);
	if (to->family == AF_UNIX)
		take_unix(to, (void *)sk);
	else if (to->family == AF_INET || to->family == AF_INET6)
		take_inet(to, sk);
	else if (to->family == AF_NETLINK && bpf_core_type_exists(struct netlink_sock___file))
		to->port_id = BPF_CORE_READ((struct netlink_sock___file *)sk, portid);
}

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct strace_file_chunk);
} strace_file __weak SEC(".maps");

static __always_inline _Bool is_device(__u16 mode)
{
	return (mode & S_IFMT) == S_IFCHR || (mode & S_IFMT) == S_IFBLK;
}

/*
 * Describes the file of a descriptor of the current task in this CPU's strace_file. Returns whether
 * there is one. A global function: the verifier follows it once, not for each descriptor.
 */
__weak __noinline int take_file(__s32 fd)
{
	__u32 zero = 0;
	struct strace_file_chunk *chunk = bpf_map_lookup_elem(&strace_file, &zero);
	struct file___file *file = describe_files && chunk ? file_of(fd) : NULL;
	struct dentry___file *dentry;
	struct inode___file *inode;
	struct strace_file *to;

	if (!file || !chunk)
		return 0;
	to = &chunk->file;
	__builtin_memset(chunk, 0, sizeof(*chunk));
	chunk->head.sz = sizeof(*to);
	chunk->head.step = sizeof(*chunk);
	chunk->head.fetch = STRACE_FILE;
	inode = BPF_CORE_READ(file, f_inode);
	dentry = BPF_CORE_READ(file, f_path.dentry);
	to->fd = fd;
	to->ino = BPF_CORE_READ(inode, i_ino);
	to->mode = BPF_CORE_READ(inode, i_mode);
	to->dev = is_device(to->mode) ? BPF_CORE_READ(inode, i_rdev)
				      : BPF_CORE_READ(inode, i_sb, s_dev);
	if (!BPF_CORE_READ(dentry, d_hash.pprev) && BPF_CORE_READ(dentry, d_parent) != dentry)
		to->flags |= STRACE_FILE_DELETED;
	if ((to->mode & S_IFMT) == S_IFSOCK)
		take_socket(to, BPF_CORE_READ(file, private_data));
	else if ((to->mode & S_IFMT) == S_IFIFO &&
		 BPF_CORE_READ(inode, i_sb, s_magic) == PIPEFS_MAGIC)
		to->flags |= STRACE_FILE_PIPE;
	return 1;
}

/* Puts the description of a descriptor's file into `to`. Returns whether there is one. */
static __always_inline _Bool put_file(struct strace_file_chunk *to, __s32 fd)
{
	__u32 zero = 0;
	const struct strace_file_chunk *file = bpf_map_lookup_elem(&strace_file, &zero);

	return file && take_file(fd) && !bpf_probe_read_kernel(to, sizeof(*to), file);
}

/* Describes the files of the descriptors among a call's arguments. Returns their number. */
static __always_inline __u8 take_files(struct strace_file_chunk *to, const __u64 *args,
				       const struct strace_call *call)
{
	__u32 i, cnt = 0;

	/* 5.10 refuses the layout that clang gives this loop. */
#pragma clang loop unroll(full)
	for (i = 0; i < 6; i++) {
		if (!(call->fd_args >> i & 1) || cnt >= STRACE_FILES)
			continue;
		if (put_file(&to[cnt & (STRACE_FILES - 1)], (__s32)args[i]))
			cnt++;
	}
	return (__u8)cnt;
}

/*
 * Appends the descriptors that a call has returned to a record of sz bytes. Returns its new size.
 */
static __always_inline __u64 put_new_files(struct wire_call *rec, __u64 sz,
					   const struct strace_call *call)
{
	__s32 fds[2] = { (__s32)rec->ret, -1 };
	__u32 arg = call->pair_arg, i;

	if (rec->ret < 0 || !(call->flags & (STRACE_FD_RESULT | STRACE_FD_PAIR)))
		return sz;
	barrier_var(arg);
	if (arg > 5)
		arg = 5;
	if (call->flags & STRACE_FD_PAIR &&
	    bpf_probe_read_user(fds, sizeof(fds), (void *)rec->args[arg]))
		return sz;
	for (i = 0; i < 2; i++) {
		barrier_var(sz);
		sz &= 4095;
		if (put_file((void *)rec + sz, fds[i]))
			sz += sizeof(struct strace_file_chunk);
	}
	return sz;
}

#endif
