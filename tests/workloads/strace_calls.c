// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Makes many different system calls, with arguments of many kinds, for the comparison of what
 * bpfperf strace and strace print. Nothing that it does outlives it: it works in a directory that
 * it makes and removes.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define CALL(name, ...) syscall(SYS_##name, ##__VA_ARGS__)
#ifdef SYS_open
#define OLD(name, ...) syscall(SYS_##name, ##__VA_ARGS__)
#else
#define OLD(name, ...) 0
#endif

static char buf[4096];

static void files(void)
{
	struct stat st;
	struct statfs sf;
	struct timespec times[2] = { { 1, 2 }, { 3, UTIME_OMIT } };
	struct iovec iov[3] = { { "ab", 2 }, { "", 0 }, { "c\n\t\001", 4 } };
	struct iovec in[2] = { { buf, 3 }, { buf + 100, 100 } };
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 2 };
	int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0644), other, dir, pipes[2];
	off_t off = 1;

	CALL(write, fd, "0123456789012345678901234567890123456789", 40);
	CALL(pwrite64, fd, "\"quoted\\\"", 9, 3);
	CALL(writev, fd, iov, 3);
	CALL(pwritev, fd, iov, 3, 1, 0);
	CALL(lseek, fd, 0, SEEK_SET);
	CALL(read, fd, buf, 20);
	CALL(pread64, fd, buf, 100, 5);
	CALL(readv, fd, in, 2);
	CALL(preadv, fd, in, 2, 0, 0);
	CALL(read, 99, buf, 20);
	CALL(write, fd, (void *)1, 20);
	CALL(fstat, fd, &st);
	CALL(fstatfs, fd, &sf);
	CALL(statfs, ".", &sf);
	OLD(stat, "file", &st);
	OLD(lstat, "missing", &st);
	OLD(stat, "/dev/null", &st);
	CALL(newfstatat, AT_FDCWD, "file", &st, AT_SYMLINK_NOFOLLOW);
	OLD(access, "file", R_OK | W_OK);
	CALL(faccessat, AT_FDCWD, "file", F_OK);
	CALL(faccessat2, AT_FDCWD, "file", X_OK, AT_EACCESS);
	CALL(fcntl, fd, F_GETFL);
	CALL(fcntl, fd, F_SETFL, O_APPEND | O_NONBLOCK);
	CALL(fcntl, fd, F_GETFD);
	CALL(fcntl, fd, F_SETFD, FD_CLOEXEC);
	CALL(fcntl, fd, F_GETFD);
	other = (int)CALL(fcntl, fd, F_DUPFD_CLOEXEC, 20);
	CALL(fcntl, fd, F_SETLK, &lock);
	CALL(fcntl, fd, F_GETLK, &lock);
	CALL(flock, fd, LOCK_EX | LOCK_NB);
	CALL(ftruncate, fd, 100);
	OLD(truncate, "file", 90);
	CALL(fallocate, fd, FALLOC_FL_KEEP_SIZE, 0, 4096);
	CALL(fadvise64, fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	CALL(readahead, fd, 0, 100);
	CALL(fsync, fd);
	CALL(fdatasync, fd);
	CALL(sync_file_range, fd, 0, 10, SYNC_FILE_RANGE_WRITE);
	CALL(fchmod, fd, 0600);
	OLD(chmod, "file", 04755);
	CALL(fchmodat, AT_FDCWD, "file", 0644);
	CALL(fchown, fd, -1, -1);
	OLD(chown, "file", getuid(), -1);
	OLD(lchown, "file", -1, getgid());
	CALL(fchownat, AT_FDCWD, "file", -1, -1, AT_SYMLINK_NOFOLLOW);
	CALL(utimensat, AT_FDCWD, "file", times, 0);
	CALL(utimensat, fd, NULL, NULL, 0);
	OLD(mkdir, "dir", 0755);
	CALL(mkdirat, AT_FDCWD, "dir2", 0700);
	OLD(rmdir, "dir2");
	OLD(rename, "file", "file2");
	CALL(renameat, AT_FDCWD, "file2", AT_FDCWD, "file3");
	CALL(renameat2, AT_FDCWD, "file3", AT_FDCWD, "file", RENAME_NOREPLACE);
	OLD(link, "file", "link");
	CALL(linkat, AT_FDCWD, "file", AT_FDCWD, "link2", 0);
	OLD(symlink, "file", "sym");
	CALL(symlinkat, "a/very/long/target/that/is/longer/than/thirty-two/bytes", AT_FDCWD,
	     "sym2");
	OLD(readlink, "sym", buf, 100);
	CALL(readlinkat, AT_FDCWD, "sym2", buf, 100);
	OLD(unlink, "link");
	CALL(unlinkat, AT_FDCWD, "link2", 0);
	CALL(unlinkat, AT_FDCWD, "dir", AT_REMOVEDIR);
	OLD(unlink, "sym");
	OLD(unlink, "sym2");
	OLD(mknod, "fifo", S_IFIFO | 0600, 0);
	CALL(mknodat, AT_FDCWD, "fifo", S_IFIFO | 0600, 0);
	OLD(unlink, "fifo");
	dir = (int)CALL(openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CALL(getdents64, dir, buf, sizeof(buf));
	CALL(getdents64, dir, buf, sizeof(buf));
	CALL(fchdir, dir);
	CALL(chdir, ".");
	CALL(getcwd, buf, sizeof(buf));
	CALL(umask, 022);
	CALL(dup, fd);
	OLD(dup2, fd, 30);
	CALL(dup3, fd, 31, O_CLOEXEC);
	CALL(close, 31);
	CALL(close_range, 30, 40, 0);
	CALL(pipe2, pipes, O_CLOEXEC | O_NONBLOCK);
	CALL(sendfile, pipes[1], fd, &off, 10);
	CALL(splice, fd, NULL, pipes[1], NULL, 10, SPLICE_F_MOVE);
	CALL(tee, pipes[0], pipes[1], 10, SPLICE_F_NONBLOCK);
	CALL(vmsplice, pipes[1], iov, 1, 0);
	CALL(copy_file_range, fd, NULL, other, NULL, 5, 0);
	CALL(setxattr, "file", "user.name", "value", 5, XATTR_CREATE);
	CALL(getxattr, "file", "user.name", buf, 100);
	CALL(listxattr, "file", buf, 100);
	CALL(removexattr, "file", "user.name");
	CALL(fgetxattr, fd, "user.none", buf, 100);
	CALL(ioctl, fd, TCGETS, buf);
	CALL(ioctl, pipes[0], FIONREAD, buf);
	CALL(ioctl, fd, FIOCLEX);
	CALL(inotify_init1, IN_CLOEXEC);
	CALL(inotify_add_watch, 5, ".", IN_CREATE | IN_DELETE);
	CALL(memfd_create, "name", MFD_CLOEXEC);
	CALL(eventfd2, 3, EFD_CLOEXEC | EFD_SEMAPHORE);
	CALL(syncfs, fd);
	CALL(openat, AT_FDCWD, "missing", O_WRONLY | O_EXCL);
	OLD(open, "missing", O_RDONLY | O_NOFOLLOW | O_PATH);
	CALL(openat, AT_FDCWD, (void *)8, O_RDONLY);
	CALL(statx, AT_FDCWD, "file", AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, buf);
	OLD(unlink, "file");
}

static void memory(void)
{
	char *at = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int id;

	CALL(mprotect, at, 4096, PROT_READ);
	CALL(mprotect, at, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
	CALL(madvise, at, 4096, MADV_DONTNEED);
	CALL(msync, at, 4096, MS_SYNC);
	CALL(mincore, at, 4096, buf);
	CALL(mlock, at, 4096);
	CALL(munlock, at, 4096);
	CALL(mlock2, at, 4096, MLOCK_ONFAULT);
	at = mremap(at, 16384, 32768, MREMAP_MAYMOVE);
	CALL(munmap, at, 32768);
	CALL(brk, 0);
	CALL(membarrier, 0, 0, 0);
	id = (int)CALL(shmget, IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	at = (char *)CALL(shmat, id, NULL, SHM_RDONLY);
	CALL(shmdt, at);
	CALL(shmctl, id, IPC_RMID, NULL);
	CALL(set_robust_list, NULL, 24);
	CALL(pkey_alloc, 0, 1);
}

static void sockets(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
				    .sin6_addr = in6addr_loopback,
				    .sin6_port = htons(9) };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/no/such/socket" };
	struct sockaddr_storage from;
	socklen_t len = sizeof(from);
	struct iovec iov = { "hello", 5 }, back = { buf, 100 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	char control[CMSG_SPACE(sizeof(int))] = {};
	int pair[2], fd, one = 1, udp, peer;

	CALL(socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
	CALL(sendto, pair[0], "data", 4, MSG_NOSIGNAL, NULL, 0);
	CALL(recvfrom, pair[1], buf, 100, 0, NULL, NULL);
	CALL(sendmsg, pair[0], &msg, 0);
	msg.msg_iov = &back;
	CALL(recvmsg, pair[1], &msg, MSG_DONTWAIT);
	CALL(recvmsg, pair[1], &msg, MSG_DONTWAIT);
	msg.msg_iov = &iov;
	msg.msg_control = control;
	msg.msg_controllen = sizeof(control);
	CMSG_FIRSTHDR(&msg)->cmsg_level = SOL_SOCKET;
	CMSG_FIRSTHDR(&msg)->cmsg_type = SCM_RIGHTS;
	CMSG_FIRSTHDR(&msg)->cmsg_len = CMSG_LEN(sizeof(int));
	CALL(sendmsg, pair[0], &msg, 0);
	CALL(shutdown, pair[0], SHUT_RDWR);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
	CALL(setsockopt, fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	CALL(setsockopt, fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	CALL(bind, fd, &in, sizeof(in));
	CALL(listen, fd, 5);
	CALL(getsockname, fd, &from, &len);
	len = sizeof(one);
	CALL(getsockopt, fd, SOL_SOCKET, SO_TYPE, &one, &len);
	peer = socket(AF_INET, SOCK_STREAM, 0);
	CALL(getsockname, fd, &in, &(socklen_t){ sizeof(in) });
	CALL(connect, peer, &in, sizeof(in));
	len = sizeof(from);
	CALL(accept4, fd, &from, &len, SOCK_NONBLOCK);
	CALL(getpeername, peer, &from, &len);
	CALL(accept, 99, NULL, NULL);
	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	CALL(connect, fd, &un, sizeof(un.sun_family) + strlen(un.sun_path) + 1);
	udp = socket(AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	CALL(sendto, udp, "x", 1, 0, &in6, sizeof(in6));
	CALL(socket, AF_NETLINK, SOCK_RAW, 0);
	CALL(socket, 999, 1, 0);
}

static void waiting(void)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET, .data.u64 = 7 }, got[4];
	struct timespec ts = { 0, 1000 }, left;
	struct timeval tv = { 0, 1000 };
	int ep = epoll_create1(EPOLL_CLOEXEC), pipes[2], tfd;
	struct itimerspec its = { { 0, 0 }, { 1, 0 } }, old;
	struct pollfd p[2];
	uint64_t mask = 1u << (SIGUSR1 - 1);
	fd_set in;

	CALL(pipe2, pipes, 0);
	CALL(write, pipes[1], "x", 1);
	CALL(epoll_ctl, ep, EPOLL_CTL_ADD, pipes[0], &ev);
	CALL(epoll_pwait, ep, got, 4, 10, NULL, 8);
	OLD(epoll_wait, ep, got, 4, 0);
	CALL(epoll_ctl, ep, EPOLL_CTL_DEL, pipes[0], NULL);
	p[0] = (struct pollfd){ .fd = pipes[0], .events = POLLIN | POLLPRI };
	p[1] = (struct pollfd){ .fd = -1, .events = POLLOUT };
	OLD(poll, p, 2, 10);
	p[0].events = POLLPRI;
	OLD(poll, p, 1, 1);
	CALL(ppoll, p, 1, &ts, NULL, 8);
	FD_ZERO(&in);
	FD_SET(pipes[0], &in);
	OLD(select, pipes[0] + 1, &in, NULL, NULL, &tv);
	CALL(nanosleep, &ts, &left);
	CALL(clock_nanosleep, CLOCK_MONOTONIC, 0, &ts, NULL);
	CALL(clock_gettime, CLOCK_REALTIME, &ts);
	CALL(clock_getres, CLOCK_MONOTONIC, &ts);
	OLD(gettimeofday, &tv, NULL);
	tfd = (int)CALL(timerfd_create, CLOCK_MONOTONIC, TFD_CLOEXEC);
	CALL(timerfd_settime, tfd, 0, &its, &old);
	CALL(timerfd_gettime, tfd, &old);
	CALL(signalfd4, -1, &mask, 8, SFD_CLOEXEC);
	CALL(getitimer, ITIMER_REAL, buf);
	OLD(alarm, 0);
	CALL(futex, buf, FUTEX_WAKE_PRIVATE, 1);
	CALL(futex, buf, FUTEX_WAIT, 12345, NULL);
	CALL(sched_yield);
}

static void handler(int sig __attribute__((unused)))
{
}

static void processes(void)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct rlimit rl;
	struct rusage ru;
	struct utsname uts;
	struct sysinfo si;
	uint64_t mask = 1u << (SIGUSR2 - 1), old;
	stack_t st = { .ss_flags = SS_DISABLE };
	unsigned int cap[2] = { _LINUX_CAPABILITY_VERSION_3, 0 }, data[6];
	int status, child;
	siginfo_t info;

	CALL(getpid);
	CALL(getppid);
	CALL(gettid);
	CALL(getuid);
	CALL(geteuid);
	CALL(getgid);
	CALL(getegid);
	OLD(getpgrp);
	CALL(getpgid, 0);
	CALL(getsid, 0);
	CALL(getresuid, buf, buf + 4, buf + 8);
	CALL(getresgid, buf, buf + 4, buf + 8);
	CALL(getgroups, 10, buf);
	CALL(setpgid, 0, 0);
	CALL(getpriority, PRIO_PROCESS, 0);
	CALL(setpriority, PRIO_PROCESS, 0, 0);
	OLD(getrlimit, RLIMIT_NOFILE, &rl);
	CALL(prlimit64, 0, RLIMIT_CORE, NULL, &rl);
	CALL(prlimit64, 0, RLIMIT_CORE, &rl, NULL);
	CALL(getrusage, RUSAGE_SELF, &ru);
	CALL(uname, &uts);
	CALL(sysinfo, &si);
	CALL(prctl, PR_SET_NAME, "renamed");
	CALL(prctl, PR_GET_NAME, buf);
	CALL(prctl, PR_SET_PDEATHSIG, SIGTERM);
	CALL(prctl, PR_GET_DUMPABLE);
	CALL(prctl, PR_CAPBSET_READ, CAP_NET_RAW);
	CALL(capget, cap, data);
	CALL(getrandom, buf, 8, GRND_NONBLOCK);
	CALL(getcpu, buf, buf + 4, NULL);
	CALL(sched_getaffinity, 0, 128, buf);
	CALL(sched_setaffinity, 0, 128, buf);
	CALL(sched_getscheduler, 0);
	CALL(sched_getparam, 0, buf);
	CALL(sched_get_priority_max, SCHED_FIFO);
	CALL(sched_get_priority_min, SCHED_OTHER);
	CALL(personality, 0xffffffff);
	CALL(rt_sigprocmask, SIG_BLOCK, &mask, &old, 8);
	CALL(rt_sigpending, &old, 8);
	CALL(rt_sigprocmask, SIG_SETMASK, &old, NULL, 8);
	CALL(sigaltstack, &st, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	sigaction(SIGHUP, NULL, &sa);
	CALL(kill, getpid(), SIGUSR1);
	CALL(tgkill, getpid(), getpid(), SIGUSR1);
	CALL(tkill, getpid(), 0);
	CALL(kill, getpid(), 999);
	child = fork();
	if (!child)
		_exit(3);
	CALL(wait4, child, &status, 0, &ru);
	child = fork();
	if (!child) {
		raise(SIGTERM);
		_exit(0);
	}
	CALL(waitid, P_PID, child, &info, WEXITED, NULL);
	child = fork();
	if (!child) {
		CALL(setsid);
		execl("/no/such/program", "name", "arg \n", (char *)NULL);
		execl("/bin/true", "true", "a very long argument that is longer than 32 bytes",
		      (char *)NULL);
	}
	CALL(wait4, child, &status, 0, NULL);
	CALL(wait4, -1, &status, WNOHANG, NULL);
	CALL(unshare, 0);
	CALL(setuid, getuid());
	CALL(setgid, getgid());
	CALL(setreuid, -1, -1);
	CALL(setresuid, -1, -1, -1);
	CALL(setfsuid, -1);
	CALL(pidfd_open, getpid(), 0);
}

int main(void)
{
	char dir[] = "/tmp/strace_calls.XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	files();
	memory();
	sockets();
	waiting();
	processes();
	if (chdir("/"))
		return 1;
	rmdir(dir);
	return 0;
}
