// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Drops unwanted samples in the kernel: those that --filter rejects, and those of bpfperf itself.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include "event/event.h"
#include "perf/sampling.h"
#include "util/fs.h"
#include "util/log.h"
#include "util/strbuf.h"

/*
 * Composes "(FILTER) && common_pid != A && …" over the threads of this process; common_pid is a
 * thread's id. 0 or -errno.
 */
static int put_filter(struct strbuf *sb, const char *filter, bool without_self)
{
	DIR *dir = without_self ? opendir("/proc/self/task") : NULL;
	const char *and = "";
	struct dirent *e;
	int err = without_self && !dir ? -errno : 0;

	if (filter) {
		strbuf__printf(sb, "(%s)", filter);
		and = " && ";
	}
	while (dir && (e = fs__next_entry(dir, &err))) {
		if (atoi(e->d_name) <= 0)
			continue;
		strbuf__printf(sb, "%scommon_pid != %s", and, e->d_name);
		and = " && ";
	}
	if (dir)
		closedir(dir);
	return err;
}

static int filter_tracepoint(const struct evsel *sel, bool without_self)
{
	struct strbuf sb = STRBUF_INIT;
	int err = put_filter(&sb, sel->ev->filter, without_self);

	if (err) {
		log_error("the threads of bpfperf, which are not recorded, cannot be read: %s",
			  strerror(-err));
		strbuf__free(&sb);
		return err;
	}
	err = sb.len ? evsel__ioctl(sel, PERF_EVENT_IOC_SET_FILTER,
				    (unsigned long)strbuf__cstr(&sb))
		     : 0;
	strbuf__free(&sb);
	if (err)
		log_error("--filter '%s' of %s: the kernel refuses it (%s); its fields are in "
			  "tracefs, in the event's file `format`",
			  sel->ev->filter ? sel->ev->filter : "", sel->name, strerror(-err));
	return err;
}

/*
 * Loads: return bpf_get_current_pid_tgid() >> 32 != PID, where 0 drops a sample. Returns its fd, or
 * -errno.
 */
static int load_not_self(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_pid_tgid },
		{ .code = BPF_ALU64 | BPF_RSH | BPF_K, .dst_reg = BPF_REG_0, .imm = 32 },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K,
		  .dst_reg = BPF_REG_0,
		  .off = 2,
		  .imm = (int)getpid() },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 1 },
		{ .code = BPF_JMP | BPF_EXIT },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_PERF_EVENT, "not_self", "Dual BSD/GPL", insns,
			       sizeof(insns) / sizeof(insns[0]), NULL);

	return fd < 0 ? -errno : fd;
}

/* "filter 0x1000/0x200@/path", as the kernel reads it. */
static int filter_addrs(const struct evsel *sel)
{
	int err = evsel__ioctl(sel, PERF_EVENT_IOC_SET_FILTER, (unsigned long)sel->ev->filter);

	if (err)
		log_error("--filter '%s' of %s: the kernel refuses it (%s); write 'filter "
			  "START/SIZE@FILE', with the offset in the file as START",
			  sel->ev->filter, sel->name, strerror(-err));
	return err;
}

static bool is_sampled(const struct evsel *sel)
{
	return sel->attr.type < PERF_TYPE_TRACEPOINT || sel->attr.type == PERF_TYPE_HW_CACHE ||
	       sel->attr.type == PERF_TYPE_RAW || sel->attr.sample_period > 1;
}

static void exclude_self(const struct sampling_events *c)
{
	int prog_fd = load_not_self(), err;
	size_t i;

	for (i = 0; i + 1 < c->set.cnt && prog_fd >= 0; i++) {
		const struct evsel *sel = &c->set.events[i];

		if (sel->ev->kind == EVENT_TRACEPOINT || sel->has_aux || !is_sampled(sel) ||
		    !sel->attr.sample_period)
			continue;
		err = evsel__ioctl(sel, PERF_EVENT_IOC_SET_BPF, (unsigned long)prog_fd);
		if (err)
			log_info("%s has samples of bpfperf itself: %s", sel->name, strerror(-err));
	}
	if (prog_fd >= 0)
		close(prog_fd);
}

int sampling_events__filter(struct sampling_events *c, bool keep_self)
{
	bool whole_cpus = c->set.cnt > 1 && c->set.events[0].tids[0] == -1;
	bool without_self = whole_cpus && !keep_self;
	size_t i;
	int err = 0;

	for (i = 0; i + 1 < c->set.cnt && !err; i++)
		if (c->set.events[i].ev->kind == EVENT_TRACEPOINT)
			err = filter_tracepoint(&c->set.events[i], without_self);
		else if (c->set.events[i].ev->filter)
			err = filter_addrs(&c->set.events[i]);
	if (!err && without_self)
		exclude_self(c);
	return err;
}
