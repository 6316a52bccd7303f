/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names of flags and numbers, from the kernel's UAPI headers. */
#ifndef BPFPERF_STRACE_NAMES_H
#define BPFPERF_STRACE_NAMES_H

#include "strace/view.h"

/* names_fs.c */
extern const struct names names_open, names_open_flags, names_access, names_at, names_at_access,
	names_at_statx, names_statx_mask, names_statx_attr, names_seek, names_fcntl, names_fd,
	names_lock_type, names_flock, names_falloc, names_rename, names_unlink_at, names_mount,
	names_umount, names_fadvise, names_splice, names_xattr, names_resolve, names_inotify,
	names_inotify_init, names_memfd, names_statfs_type, names_statfs_flags, names_eventfd,
	names_dup3, names_link_at, names_sync_range, names_seal, names_fanotify_init, names_fsopen,
	names_fsmount, names_move_mount, names_open_tree, names_fspick, names_fsconfig,
	names_close_range, names_lease, names_at_empty;
/* names_mem.c */
extern const struct names names_prot, names_map, names_mremap, names_madvise, names_msync,
	names_mlock, names_mlockall, names_mbind_mode, names_pkey;
/* names_net.c */
extern const struct names names_family, names_socket_type, names_socket_flags, names_inet_proto,
	names_msg, names_sol, names_so, names_tcp, names_ip, names_ipv6, names_shutdown,
	names_netlink_proto, names_accept, names_ethertype;
/* names_proc.c */
extern const struct names names_clone, names_wait, names_waitid_type, names_sigprocmask,
	names_sigaction, names_clock, names_timer_abs, names_itimer, names_rlimit, names_rusage,
	names_futex, names_poll, names_epoll, names_epoll_op, names_epoll_create, names_prctl,
	names_arch_prctl, names_sched, names_prio, names_getrandom, names_signalfd, names_timerfd,
	names_ss, names_rseq, names_membarrier, names_seccomp_op, names_seccomp_flags,
	names_bpf_cmd, names_ipc, names_shm, names_semctl, names_ptrace, names_cap_version,
	names_kcmp, names_personality, names_io_uring_enter, names_perf_flags, names_pidfd,
	names_capabilities;
/* names_bpf.c */
extern const struct names names_bpf_map_type, names_bpf_prog_type, names_bpf_attach_type,
	names_bpf_map_flag, names_bpf_prog_flag, names_bpf_attach_flag, names_bpf_elem_flag;
/* names_kernel.c */
extern const struct names names_perf_type, names_perf_hw, names_perf_sw, names_perf_cache,
	names_perf_cache_op, names_perf_cache_result, names_perf_attr_size, names_perf_sample,
	names_perf_branch, names_perf_format, names_breakpoint, names_io_uring_setup,
	names_io_uring_feature, names_landlock_fs, names_landlock_create, names_landlock_rule,
	names_seccomp_action, names_seccomp_mode;
/* names_ioctl.c */
extern const struct names names_ioctl;

#endif
