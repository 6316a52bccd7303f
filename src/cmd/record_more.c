// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/record_more.h"

#include <errno.h>
#include <sched.h>
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
	{ "aux-sample", "AUX data is not put into samples; give an AUX event of its own, and -S" },
	{ "clang-opt", "events are not compiled from C; give -e EVENT --filter EXPR" },
	{ "clang-path", "events are not compiled from C; give -e EVENT --filter EXPR" },
	{ "vmlinux", "it is for events compiled from C; `bpfperf report -k FILE` reads one" },
	{ "group", "give a group in braces: -e '{a,b}'" },
	{ "kcore", "the kernel's code is not copied; keep a copy of /proc/kallsyms" },
	{ "off-cpu", "bpfperf stack --off-cpu records time off the CPU, in the kernel" },
	{ "debuginfod", "debug files are taken from debuginfod's cache when a recording is read" },
	{ "switch-output-event", "bpfperf trace --overwrite --trigger EVENT dumps at an event" },
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
