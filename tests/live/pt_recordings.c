// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
// parallel: yes
/*
 * A stream of Intel PT packets in a recording as `bpfperf record` writes it around one: perf's
 * decoder takes it, and finds each instruction (`perf script --itrace=i1i`). The machine needs no
 * trace unit: sysfs is a tree of our own, and the packets are those of tests/workloads/pt_loop.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/event_tree.h"
#include "data/writer.h"
#include "event/event.h"
#include "event/pmu.h"
#include "machine/synthesize.h"
#include "perf/auxtrace_info.h"
#include "perf/sampling.h"
#include "perf/sampling_priv.h"
#include "run/recorder_auxtrace.h"
#include "source/kernel_rings.h"
#include "tap.h"

#define ROUNDS 1000
#define IPS_OF_ROUND 5

static char dir[] = "/tmp/bpfperf-pt.XXXXXX";
static const char *loop;

static void make_sysfs(void)
{
	char path[512];

	if (!mkdtemp(tree))
		exit(99);
	atexit(tree_remove);
	tree_intel_pt();
	tree_file("24\n", "pmu/intel_pt/max_nonturbo_ratio");
	snprintf(path, sizeof(path), "%s/pmu", tree);
	pmu__set_sysfs(path);
}

static char *read_all(const char *path, size_t *sz)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;

	*sz = 0;
	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	*sz = (size_t)ftell(f);
	rewind(f);
	text = malloc(*sz + 1);
	if (!text || fread(text, 1, *sz, f) != *sz)
		exit(99);
	text[*sz] = '\0';
	fclose(f);
	return text;
}

static int write_record(void *ctx, const void *rec, size_t sz)
{
	return data_writer__write(ctx, rec, sz);
}

/* PERF_RECORD_AUX, as the kernel announces the data. */
static int write_aux_record(struct data_writer *w, size_t sz, size_t trailer_sz)
{
	struct {
		struct perf_event_header hdr;
		uint64_t off, sz, flags;
		char trailer[64];
	} rec = { .hdr = { .type = PERF_RECORD_AUX, .size = (uint16_t)(32 + trailer_sz) },
		  .sz = sz };

	return data_writer__write(w, &rec, rec.hdr.size);
}

static int write_recording(const char *path, struct evsel *sel, pid_t pid, char *stream, size_t sz)
{
	const struct data_writer_opts opts = { .argv = (char *const[]){ "bpfperf", NULL } };
	const struct auxtrace_setup setup = { .event = sel };
	struct aux_data aux = { .data1 = stream, .sz1 = sz };
	struct kernel_ring ring = { .cpu = -1, .tid = pid };
	struct synthesize synthesize = {
		.trailer_sz = synthesize__trailer_sz(sel->attr.sample_type),
		.fn = write_record,
	};
	uint64_t id = 7;
	struct data_writer *w;
	int err = data_writer__open(&w, path, &opts);

	if (err)
		return err;
	synthesize.ctx = w;
	err = data_writer__add_attr(w, &sel->attr, &id, 1, sel->name);
	if (!err)
		err = data_writer__begin(w);
	if (!err)
		err = recorder_auxtrace__write_info(w, &setup);
	if (!err)
		err = synthesize__process(&synthesize, pid);
	if (!err)
		err = write_aux_record(w, sz, synthesize.trailer_sz);
	if (!err)
		err = recorder_auxtrace__write(w, &ring, &aux);
	if (!err)
		err = data_writer__round(w);
	if (!err)
		err = data_writer__finish(w);
	data_writer__free(w);
	return err;
}

/* Compares addresses, one a line, with those of the loop. */
static void check_ips(const char *recording)
{
	char cmd[1024], line[128], want[128];
	FILE *ours, *of_perf;
	uint64_t same = 0, cnt = 0;

	snprintf(cmd, sizeof(cmd), "%s --ips %d", loop, ROUNDS);
	ours = popen(cmd, "re");
	snprintf(cmd, sizeof(cmd), "perf script -i %s --itrace=i1i -F ip 2>%s/err", recording, dir);
	of_perf = popen(cmd, "re");
	while (fgets(line, sizeof(line), of_perf)) {
		cnt++;
		if (!fgets(want, sizeof(want), ours))
			break;
		same += strtoull(line, NULL, 16) == strtoull(want, NULL, 16);
	}
	pclose(of_perf);
	pclose(ours);
	is_u64(cnt, ROUNDS * IPS_OF_ROUND, "perf script --itrace=i1i: instructions");
	is_u64(same, cnt, "perf script --itrace=i1i: each is the loop's");
}

static pid_t start_loop(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		execl(loop, loop, "60", NULL);
		_exit(99);
	}
	return pid;
}

/* The loop runs while its mappings are read: when /proc shows its program. */
static void wait_for_exec(pid_t pid)
{
	char path[64], exe[512], want[512];
	ssize_t len;

	if (!realpath(loop, want))
		exit(99);
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	do {
		len = readlink(path, exe, sizeof(exe) - 1);
		exe[len > 0 ? len : 0] = '\0';
	} while (strcmp(exe, want) && !waitpid(pid, NULL, WNOHANG));
}

static void test_recording(const struct event *ev)
{
	struct sampling_config cfg = { .aux_sz = 1 << 20, .tid_cnt = 1 };
	struct evsel sel = { .ev = ev, .name = ev->name, .cpus = (int[]){ -1 }, .cpu_cnt = 1 };
	char path[512], cmd[1024], *stream;
	size_t sz;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/stream", dir);
	snprintf(cmd, sizeof(cmd), "%s --stream %s %d", loop, path, ROUNDS);
	is_s64(system(cmd), 0, "a stream of packets is made");
	stream = read_all(path, &sz);
	sampling_attr__fill_aux(&sel.attr, ev, &cfg, false);
	pid = start_loop();
	wait_for_exec(pid);
	snprintf(path, sizeof(path), "%s/pt.data", dir);
	is_s64(write_recording(path, &sel, pid, stream, sz), 0, "a recording is written around it");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	check_ips(path);
	snprintf(cmd, sizeof(cmd), "perf script -i %s -D 2>/dev/null | grep -c 'TIP.PGE 0x'", path);
	is_s64(system(cmd), 0, "perf script -D: packets of Intel PT");
	free(stream);
}

int main(void)
{
	struct event_list list = { 0 };
	const char *build = getenv("O");
	char cmd[128];

	if (system("perf version >/dev/null 2>&1"))
		skip_all("perf is not installed");
#ifndef __x86_64__
	skip_all("the loop is of x86-64");
#endif
	if (asprintf((char **)&loop, "%s/workloads/pt_loop", build ? build : "build") < 0 ||
	    !mkdtemp(dir))
		return 99;
	make_sysfs();
	is_s64(event_list__add(&list, "intel_pt//u"), 0, "intel_pt//u: an event");
	is_u64(list.events[0]->config, 0x300e601, "intel_pt//u: the config that perf has");
	test_recording(list.events[0]);
	event_list__free(&list);
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	if (system(cmd))
		diag("%s is left", dir);
	return done_testing();
}
