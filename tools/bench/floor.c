// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * floor [-e | -p | -t] [-m PAGES] NR CMD [ARG…]: runs CMD while floor.bpf.c sends a record for each
 * system call of the machine; counts those with number NR of CMD's process and throws them away.
 * With -t the record carries its time and arguments; with -e the attached program does nothing, and
 * with -p neither does a second one, at the return.
 * Prints "delivered=N lost=N others=N wakeups=N".
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "floor.skel.h"
#include "source/ring_sample.h"

struct floor_record {
	__u64 pid_tgid;
	__u64 nr;
	__u64 rest[6];
};

struct counts {
	unsigned long long delivered, lost, others;
	__u64 nr;
	pid_t pid;
};

static volatile sig_atomic_t child_done;

static void on_child(int sig)
{
	(void)sig;
	child_done = 1;
}

static enum bpf_perf_event_ret on_event(void *ctx, int cpu, struct perf_event_header *hdr)
{
	struct counts *c = ctx;

	(void)cpu;
	if (hdr->type == PERF_RECORD_SAMPLE) {
		/* PERF_SAMPLE_RAW: a u32 size, then the record. */
		const char *raw = (const char *)(hdr + 1) + sizeof(__u32);
		struct floor_record rec;

		memcpy(&rec, raw, sizeof(rec));
		if (rec.nr == c->nr && (pid_t)(rec.pid_tgid >> 32) == c->pid)
			c->delivered++;
		else
			c->others++;
	} else if (hdr->type == PERF_RECORD_LOST) {
		c->lost += ((const __u64 *)(hdr + 1))[1];
	}
	return LIBBPF_PERF_EVENT_CONT;
}

/* A ring per CPU whose reader is woken when a quarter of it is full. */
static struct perf_buffer *open_rings(int map_fd, size_t pages, struct counts *counts)
{
	struct perf_event_attr attr = ring_sample__attr();

	attr.watermark = 1;
	attr.wakeup_watermark = (__u32)(pages * (size_t)sysconf(_SC_PAGESIZE) / 4);
	return perf_buffer__new_raw(map_fd, pages, &attr, on_event, counts, NULL);
}

/* The child waits at `gate` until the tracer is ready. */
static pid_t start_command(char **argv, int *gate)
{
	int fds[2];
	pid_t pid;
	char c;

	if (pipe(fds))
		return -1;
	pid = fork();
	if (pid)
		close(fds[0]);
	*gate = fds[1];
	if (pid)
		return pid;
	close(fds[1]);
	if (read(fds[0], &c, 1) != 1)
		_exit(127);
	close(fds[0]);
	execvp(argv[0], argv);
	perror(argv[0]);
	_exit(127);
}

int main(int argc, char **argv)
{
	struct counts counts = { 0 };
	struct floor_bpf *skel = NULL;
	struct perf_buffer *rings = NULL;
	unsigned long wakeups = 0;
	size_t pages = 1024;
	int status = 0, gate, err = 1;
	bool empty = false, pair = false, timed = false;

	if (argc > 1 && argv[1][0] == '-' && strchr("ept", argv[1][1])) {
		pair = argv[1][1] == 'p';
		timed = argv[1][1] == 't';
		empty = !timed;
		argc--;
		argv++;
	}
	if (argc > 2 && !strcmp(argv[1], "-m")) {
		pages = strtoul(argv[2], NULL, 0);
		argc -= 2;
		argv += 2;
	}
	if (argc < 3) {
		fprintf(stderr, "usage: floor [-e | -p | -t] [-m PAGES] NR CMD [ARG…]\n");
		return 2;
	}
	counts.nr = strtoull(argv[1], NULL, 0);
	signal(SIGCHLD, on_child);
	counts.pid = start_command(argv + 2, &gate);
	if (counts.pid < 0)
		return 1;
	skel = floor_bpf__open();
	if (!skel)
		goto cleanup;
	bpf_program__set_autoload(skel->progs.floor_sys_enter, !empty && !timed);
	bpf_program__set_autoload(skel->progs.timed_sys_enter, timed);
	bpf_program__set_autoload(skel->progs.empty_sys_enter, empty);
	bpf_program__set_autoload(skel->progs.empty_sys_exit, pair);
	if (floor_bpf__load(skel))
		goto cleanup;
	rings = open_rings(bpf_map__fd(skel->maps.rings), pages, &counts);
	if (!rings || floor_bpf__attach(skel))
		goto cleanup;

	if (write(gate, "", 1) != 1)
		goto cleanup;
	while (!child_done) {
		perf_buffer__poll(rings, 100);
		wakeups++;
	}
	waitpid(counts.pid, &status, 0);
	perf_buffer__consume(rings);
	printf("delivered=%llu lost=%llu others=%llu wakeups=%lu\n", counts.delivered, counts.lost,
	       counts.others, wakeups);
	err = status ? 1 : 0;
cleanup:
	close(gate);
	perf_buffer__free(rings);
	floor_bpf__destroy(skel);
	return err;
}
