// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Makes system calls with structures that few programs use: bpf, perf_event_open, io_uring_setup,
 * seccomp, landlock, messages in arrays, and a large directory. Most of them fail, on purpose.
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/landlock.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define ADDRESS(p) ((unsigned long)(p))

static int bpf(int cmd, union bpf_attr attr, unsigned int sz)
{
	return (int)syscall(SYS_bpf, cmd, &attr, sz);
}

static int test_maps(void)
{
	unsigned int key = 1;
	unsigned long val = 2;
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_HASH,
				.key_size = 4,
				.value_size = 8,
				.max_entries = 11,
				.map_name = "a_map" };
	int map = bpf(BPF_MAP_CREATE, attr, sizeof(attr));

	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.map_flags = BPF_F_RDONLY | BPF_F_MMAPABLE;
	close(bpf(BPF_MAP_CREATE, attr, 72));
	attr.map_type = 99;
	bpf(BPF_MAP_CREATE, attr, 16);
	syscall(SYS_bpf, BPF_MAP_CREATE, NULL, 16);
	attr = (union bpf_attr){ .map_fd = (unsigned int)map,
				 .key = ADDRESS(&key),
				 .value = ADDRESS(&val),
				 .flags = BPF_NOEXIST };
	bpf(BPF_MAP_UPDATE_ELEM, attr, 32);
	attr.flags = 0;
	bpf(BPF_MAP_LOOKUP_ELEM, attr, 32);
	bpf(BPF_MAP_GET_NEXT_KEY, attr, 32);
	bpf(BPF_MAP_DELETE_ELEM, attr, 32);
	bpf(BPF_MAP_DELETE_ELEM, attr, 16);
	return map;
}

static void test_objects(int map)
{
	struct bpf_insn insns[] = { { .code = 0xb7, .imm = 1 }, { .code = 0x95 } };
	struct bpf_map_info info = { 0 };
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
				.insns = ADDRESS(insns),
				.insn_cnt = 2,
				.license = ADDRESS("GPL"),
				.prog_name = "a_prog" };
	int prog = bpf(BPF_PROG_LOAD, attr, sizeof(attr));

	attr.insn_cnt = 1;
	bpf(BPF_PROG_LOAD, attr, 48);
	attr = (union bpf_attr){ .info.bpf_fd = (unsigned int)map,
				 .info.info_len = sizeof(info),
				 .info.info = ADDRESS(&info) };
	bpf(BPF_OBJ_GET_INFO_BY_FD, attr, 16);
	attr = (union bpf_attr){ .map_id = 1234567891 };
	bpf(BPF_MAP_GET_FD_BY_ID, attr, 12);
	bpf(BPF_PROG_GET_FD_BY_ID, attr, 12);
	bpf(BPF_BTF_GET_FD_BY_ID, attr, 12);
	attr = (union bpf_attr){ .pathname = ADDRESS("/sys/fs/bpf/none"),
				 .bpf_fd = (unsigned int)map };
	bpf(BPF_OBJ_GET, attr, 16);
	attr = (union bpf_attr){ .attach_bpf_fd = (unsigned int)prog,
				 .attach_type = BPF_CGROUP_INET_INGRESS,
				 .attach_flags = BPF_F_ALLOW_MULTI };
	bpf(BPF_PROG_ATTACH, attr, 20);
	bpf(BPF_PROG_DETACH, attr, 20);
	attr = (union bpf_attr){ .raw_tracepoint.name = ADDRESS("sys_enter"),
				 .raw_tracepoint.prog_fd = (unsigned int)-1 };
	bpf(BPF_RAW_TRACEPOINT_OPEN, attr, 16);
	attr = (union bpf_attr){ .btf = ADDRESS("xxx"), .btf_size = 3 };
	bpf(BPF_BTF_LOAD, attr, 28);
	attr = (union bpf_attr){ .link_create.prog_fd = (unsigned int)-1,
				 .link_create.target_fd = 1,
				 .link_create.attach_type = BPF_TRACE_FENTRY };
	bpf(BPF_LINK_CREATE, attr, 16);
	bpf(BPF_PROG_BIND_MAP, attr, 12);
	close(map);
	close(prog);
}

static void perf_open(struct perf_event_attr attr, int pid, int cpu, unsigned long flags)
{
	close((int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, flags));
}

static void test_perf(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER7,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1009,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.read_format = PERF_FORMAT_ID,
		.disabled = 1,
		.inherit = 1,
		.exclude_kernel = 1,
		.wakeup_events = 1,
	};

	perf_open(attr, 0, -1, PERF_FLAG_FD_CLOEXEC);
	attr.freq = 1;
	attr.sample_freq = 99;
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	attr.watermark = 1;
	attr.precise_ip = 2;
	attr.use_clockid = 1;
	attr.clockid = 1;
	attr.sample_type |= PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_CALLCHAIN;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER;
	perf_open(attr, -1, 0, 0);
	attr = (struct perf_event_attr){ .type = PERF_TYPE_TRACEPOINT,
					 .config = 1,
					 .size = PERF_ATTR_SIZE_VER0 };
	perf_open(attr, 0, -1, 0);
	attr = (struct perf_event_attr){ .type = PERF_TYPE_HW_CACHE,
					 .config = 0x10002,
					 .size = PERF_ATTR_SIZE_VER5 };
	perf_open(attr, 0, -1, 0);
	attr = (struct perf_event_attr){ .type = PERF_TYPE_RAW,
					 .config = 0x1c2,
					 .size = PERF_ATTR_SIZE_VER6,
					 .exclude_kernel = 1 };
	perf_open(attr, 0, -1, 0);
	attr.type = PERF_TYPE_BREAKPOINT;
	attr.config = 0;
	attr.bp_type = 2;
	attr.bp_addr = 0x1234;
	attr.bp_len = 4;
	perf_open(attr, 0, -1, 0);
	attr.type = 77;
	perf_open(attr, 0, -1, 0);
	attr.size = 1;
	perf_open(attr, 0, -1, 0);
	syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0);
}

static void test_uring(void)
{
	struct io_uring_params p = { .flags = IORING_SETUP_CQSIZE, .cq_entries = 8 };
	close((int)syscall(SYS_io_uring_setup, 3, &p));
	memset(&p, 0, sizeof(p));
	p.flags = IORING_SETUP_SQPOLL;
	p.sq_thread_cpu = 1;
	p.sq_thread_idle = 10;
	p.resv[0] = 1;
	close((int)syscall(SYS_io_uring_setup, 1, &p));
	syscall(SYS_io_uring_setup, 1, NULL);
}

static void test_seccomp(void)
{
	struct sock_filter f[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4),
				   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xc000003e, 1, 0),
				   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
				   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 5),
				   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_THREAD),
				   BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 3),
				   BPF_STMT(BPF_MISC | BPF_TAX, 0),
				   BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 14),
				   BPF_STMT(BPF_ST, 1),
				   BPF_STMT(BPF_RET | BPF_A, 0) };
	struct sock_fprog p = { 4, f };
	unsigned int action = SECCOMP_RET_KILL_PROCESS;
	struct seccomp_notif_sizes ns;
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	setsockopt(s, SOL_SOCKET, SO_ATTACH_FILTER, &p, sizeof(p));
	p.len = 10;
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &p);
	p.len = 3;
	syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
	syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &ns);
	syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (!fork()) {
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p);
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &p);
		_exit(0);
	}
	wait(NULL);
	close(s);
}

static void test_landlock(void)
{
	struct landlock_ruleset_attr r = { .handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE |
								LANDLOCK_ACCESS_FS_WRITE_FILE };
	struct landlock_path_beneath_attr b = { .allowed_access = LANDLOCK_ACCESS_FS_EXECUTE,
						.parent_fd = 0 };
	int fd = (int)syscall(SYS_landlock_create_ruleset, &r, 8, 0);
	syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
	syscall(SYS_landlock_create_ruleset, &r, 4, 0);
	syscall(SYS_landlock_add_rule, fd, LANDLOCK_RULE_PATH_BENEATH, &b, 0);
	syscall(SYS_landlock_restrict_self, -1, 0);
	close(fd);
}

static void test_messages(void)
{
	int sv[2];
	char b1[8] = "one", b2[8] = "twotwo", c1[8], c2[8], c3[8];
	struct iovec o[3] = { { b1, 3 }, { b2, 6 }, { b1, 2 } },
		     i[3] = { { c1, 8 }, { c2, 8 }, { c3, 8 } };
	struct mmsghdr m[3] = { { { .msg_iov = o, .msg_iovlen = 1 }, 0 },
				{ { .msg_iov = o + 1, .msg_iovlen = 2 }, 0 } },
		       r[3] = { { { .msg_iov = i, .msg_iovlen = 1 }, 0 },
				{ { .msg_iov = i + 1, .msg_iovlen = 1 }, 0 },
				{ { .msg_iov = i + 2, .msg_iovlen = 1 }, 0 } };

	socketpair(AF_UNIX, SOCK_DGRAM, 0, sv);
	sendmmsg(sv[0], m, 2, MSG_DONTWAIT);
	recvmmsg(sv[1], r, 3, MSG_DONTWAIT, NULL);
	recvmmsg(sv[1], r, 3, MSG_DONTWAIT, NULL);
	sendmmsg(-1, m, 2, 0);
	sendmmsg(sv[0], m, 0, 0);
	close(sv[0]);
	close(sv[1]);
}

/* The directory has more entries than a record has room for. */
static void test_directory(const char *path)
{
	char buf[32768];
	int dir = open(path, O_RDONLY | O_DIRECTORY);

	while (syscall(SYS_getdents64, dir, buf, sizeof(buf)) > 0)
		;
	close(dir);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		test_directory(argv[1]);
	test_objects(test_maps());
	test_perf();
	test_uring();
	test_landlock();
	test_messages();
	test_seccomp();
	return 0;
}
