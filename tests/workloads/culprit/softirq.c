// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A program whose CPU receives packets for another one. In a network namespace of its own, packets
 * of the loopback device are received on one CPU (receive packet steering), where a filter makes
 * each of them expensive.
 */
#include "culprit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>

/* Each kernel lets a socket have so many instructions by default (optmem_max: 20 KiB). */
#define FILTER_CNT 2000

static volatile int *victim_done;
static int storm_fd;
static uint64_t iteration_cnt, victim_wall_ns;

/* Work by count: the thread's CPU time has the interrupts in it on most kernels. */
PLACE void storm_victim_work(uint64_t cnt)
{
	volatile uint64_t i;

	for (i = 0; i < cnt; i++)
		;
}

PLACE void storm_victim(void *arg)
{
	uint64_t start_ns = now_ns();

	(void)arg;
	storm_victim_work(iteration_cnt);
	victim_wall_ns = now_ns() - start_ns;
}

PLACE void storm_send(void *arg)
{
	char byte = 0;

	(void)arg;
	while (!*victim_done)
		if (send(storm_fd, &byte, 1, 0) < 0 && errno != ENOBUFS && errno != ECONNREFUSED)
			die("send: %s", strerror(errno));
	STAY();
}

/* Brings up the loopback device of a new namespace; its packets are received on cpu. */
static void steer_loopback(int cpu)
{
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	char mask[512] = "";
	int fd, i;

	if (unshare(CLONE_NEWNET | CLONE_NEWNS))
		skip("unshare: %s; run as root", strerror(errno));
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &ifr))
		skip("lo: %s; run as root", strerror(errno));
	close(fd);
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("sysfs", "/sys", "sysfs", 0, NULL))
		skip("/sys of a network namespace: %s", strerror(errno));
	/* Words of 32 CPUs, the last ones first. */
	snprintf(mask, sizeof(mask), "%x", 1u << cpu % 32);
	for (i = 0; i < cpu / 32; i++)
		strcat(mask, ",00000000");
	fd = open("/sys/class/net/lo/queues/rx-0/rps_cpus", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, mask, strlen(mask)) < 0)
		skip("this kernel does not steer packets (rps_cpus: %s)", strerror(errno));
	close(fd);
}

/* Returns a socket that drops each packet after a filter of 2000 instructions. */
static int expensive_socket(struct sockaddr_in *addr)
{
	static struct sock_filter code[FILTER_CNT];
	struct sock_fprog prog = { .len = FILTER_CNT, .filter = code };
	socklen_t addr_sz = sizeof(*addr);
	int fd = socket(AF_INET, SOCK_DGRAM, 0), i;

	for (i = 0; i < FILTER_CNT - 1; i++)
		code[i] = (struct sock_filter)BPF_STMT(
			BPF_ALU | (i % 2 ? BPF_DIV : BPF_XOR) | BPF_K, 0x5aa5u + i);
	code[i] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)))
		skip("no socket with a filter (%s); raise net.core.optmem_max", strerror(errno));
	if (bind(fd, (struct sockaddr *)addr, sizeof(*addr)) ||
	    getsockname(fd, (struct sockaddr *)addr, &addr_sz))
		die("socket: %s", strerror(errno));
	return fd;
}

/* Returns how long the work takes on a quiet CPU: the shortest of some attempts. */
PLACE uint64_t storm_calibrate(uint64_t cnt)
{
	uint64_t start_ns, ns, best_ns = UINT64_MAX;
	int i;

	for (i = 0; i < 5; i++) {
		start_ns = now_ns();
		storm_victim_work(cnt);
		ns = now_ns() - start_ns;
		best_ns = ns < best_ns ? ns : best_ns;
	}
	return best_ns;
}

static void run_softirq(struct truth *truth, double seconds)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	int cpu = nth_cpu(0), other = nth_cpu(1), fd;
	struct worker victim = { "victim", cpu, storm_victim, NULL, 0 };
	uint64_t quiet_ns;
	pid_t pid;

	if (other < 0)
		skip("softirq needs two CPUs; allow it a second one");
	steer_loopback(cpu);
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	fd = expensive_socket(&addr);
	storm_fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (storm_fd < 0 || connect(storm_fd, (struct sockaddr *)&addr, sizeof(addr)))
		die("connect: %s", strerror(errno));
	iteration_cnt = 2000000;
	quiet_ns = storm_calibrate(iteration_cnt);
	iteration_cnt = (uint64_t)(seconds * 300 * MS_NS / (double)quiet_ns * 2000000);
	victim_done = shared_memory(sizeof(*victim_done));
	pid = child__start("sender", other, storm_send, NULL);
	workers__start(&victim, 1);
	workers__join(&victim, 1);
	*victim_done = 1;
	child__join(pid);
	close(fd);
	*truth = (struct truth){ "softirq", "storm_victim_work", "victim", 0, "" };
	truth->cause_ns = victim_wall_ns - (uint64_t)(seconds * 300 * MS_NS);
	snprintf(truth->more, sizeof(truth->more),
		 "softirq=NET_RX quiet_ms=%.1f peer=sender peer_place=storm_send cpu=%d",
		 seconds * 300, cpu);
}

const struct culprit softirq_culprits[] = {
	{ "softirq", "a CPU receives packets while its thread has work", run_softirq },
	{ 0 },
};
