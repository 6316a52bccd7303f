// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/record_more.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "event/reg_names.h"
#include "util/log.h"

static int set_regs(uint64_t *mask, const char *option, const char *arg)
{
	const char *bad = "";

	if (!arg) {
		*mask = regs__all();
		return 0;
	}
	if (!regs__parse(arg, mask, &bad))
		return 0;
	log_error("%s=%s: there is no register %.*s; give names such as ip,sp (arm64: pc,sp), or "
		  "none for all of them",
		  option, arg, (int)strcspn(bad, ","), bad);
	return -EINVAL;
}

int record_more__user_regs(void *more, const char *arg)
{
	return set_regs(&((struct record_more *)more)->how.user_regs, "--user-regs", arg);
}

int record_more__intr_regs(void *more, const char *arg)
{
	return set_regs(&((struct record_more *)more)->how.intr_regs, "--intr-regs", arg);
}

int record_more__synth(void *more, const char *arg)
{
	static const char *const all[] = { "all", "task", "mmap", "cgroup" };
	size_t i;

	((struct record_more *)more)->no_synthesis = !strcmp(arg, "no");
	if (((struct record_more *)more)->no_synthesis)
		return 0;
	/* Tasks, mappings and control groups come together. */
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(arg, all[i]))
			return 0;
	log_error("--synth %s: choose all, or no", arg);
	return -EINVAL;
}

/* perf's size without an argument, and its limit: a record has 64 KiB at most. */
#define AUX_SAMPLE_DEFAULT_SZ 4096
#define AUX_SAMPLE_MAX_SZ (60 * 1024)

int record_more__aux_sample(void *more, const char *arg)
{
	struct sampling_how *how = &((struct record_more *)more)->how;
	unsigned long sz = AUX_SAMPLE_DEFAULT_SZ;
	char *end = NULL;

	if (arg)
		sz = strtoul(arg, &end, 0);
	if (arg && (*arg < '0' || *arg > '9' || *end || !sz || sz > AUX_SAMPLE_MAX_SZ)) {
		log_error("--aux-sample=%s: give a number of bytes from 1 to %d", arg,
			  AUX_SAMPLE_MAX_SZ);
		return -EINVAL;
	}
	how->aux_sample_sz = (uint32_t)sz;
	return 0;
}

int record_more__trigger(void *more, const char *arg)
{
	return event_list__add(&((struct record_more *)more)->triggers, arg);
}

int record_more__group(const struct record_more *more, struct event_list *events)
{
	return more->group ? event_list__join(events) : 0;
}

int record_more__ignore(void *more, const char *arg)
{
	return 0;
}

int record_more__set_realtime(const struct record_more *more)
{
	const struct sched_param param = { .sched_priority = (int)more->realtime };

	if (!more->realtime || !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		return 0;
	log_error("-r %d: %s; run as root, or omit it", param.sched_priority, strerror(errno));
	return -EPERM;
}

/* Options of perf record 6.1 that are not there, and what to do instead. */
static const struct {
	const char *name, *why;
} absent[] = {
	{ "clang-opt", "events are not compiled from C; give -e EVENT --filter EXPR" },
	{ "clang-path", "events are not compiled from C; give -e EVENT --filter EXPR" },
	{ "kcore", "the kernel's code is not copied; keep a copy of /proc/kallsyms" },
	{ "off-cpu", "bpfperf stack --off-cpu records time off the CPU, in the kernel" },
};

bool record_more__explain(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(absent) / sizeof(*absent); i++)
		if (strlen(absent[i].name) == len && !memcmp(absent[i].name, name, len)) {
			log_error("record has no --%s: %s", absent[i].name, absent[i].why);
			return true;
		}
	return false;
}
