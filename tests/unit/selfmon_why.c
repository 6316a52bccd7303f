// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpfperf_why(): the remedy is one that helps the event in question, and each file that it names is
 * there. The PMUs are those of a directory that the test makes.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selfmon/arch.h"
#include "selfmon/bpfperf.h"
#include "selfmon/owner.h"
#include "selfmon/why.h"
#include "tap.h"

#define DEVICES "/sys/bus/event_source/devices"
/* Numbers that PMUs got at boot. */
#define MSR 13
#define ATOM 10
#define NO_PMU 77

static char root[] = "/tmp/selfmon-why.XXXXXX";

static void make(const char *path, const char *text)
{
	char full[512], *slash;
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	file = fopen(full, "w");
	if (!ok(file && fputs(text, file) >= 0, "%s is made", path))
		return;
	fclose(file);
}

/* A machine with a core PMU and msr; `core` is its name in sysfs. */
static void make_machine(const char *core, const char *allowed)
{
	char path[256];

	snprintf(path, sizeof(path), DEVICES "/%s/type", core);
	make(path, "4\n");
	snprintf(path, sizeof(path), DEVICES "/%s/" ARCH_CORE_FILE, core);
	make(path, "0\n");
	snprintf(path, sizeof(path), ARCH_SWITCH, core);
	make(path, allowed);
	make(DEVICES "/msr/type", "13\n");
}

static bool has(const char *why, const char *text)
{
	return why && strstr(why, text);
}

static const char *refused(struct bpfperf_counter *c, uint32_t type)
{
	c->type = type;
	return bpfperf_why(c);
}

/* Events that the kernel counts itself, on a page of any kind. */
static void test_kernel(struct bpfperf_counter *c)
{
	static const uint32_t types[] = { PERF_TYPE_SOFTWARE, PERF_TYPE_TRACEPOINT,
					  PERF_TYPE_BREAKPOINT };
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		ok(has(refused(c, types[i]), "counted by the kernel") &&
			   has(refused(c, types[i]), "no remedy"),
		   "type %u is counted by the kernel, without a remedy", types[i]);
}

static void test_core(struct bpfperf_counter *c, const char *core)
{
	static const uint32_t types[] = { PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE, PERF_TYPE_RAW };
	char path[256];
	size_t i;

	snprintf(path, sizeof(path), ARCH_SWITCH, core);
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		ok(has(refused(c, types[i]), "write 1 to") && has(refused(c, types[i]), path),
		   "%s, type %u: its switch is named", core, types[i]);
	make(path, "1\n");
	ok(has(refused(c, PERF_TYPE_RAW), "is 1, but " ARCH_ALLOWED) &&
		   !has(bpfperf_why(c), "write 1"),
	   "%s, reads are allowed now: to be opened again", core);
	make(path, "0\n");
}

static void test_others(struct bpfperf_counter *c, const char *core)
{
	const char *why = refused(c, MSR);

	ok(has(why, "PMU msr") && has(why, "no remedy"), "msr has no remedy: %s", why);
	ok(!has(why, "rdpmc") && !has(why, "perf_user_access"), "msr: no setting is named");
	why = refused(c, NO_PMU);
	ok(has(why, "no remedy") && !has(why, "rdpmc") && !has(why, "perf_user_access"),
	   "a type that is not in sysfs: no setting is named");
	why = refused(c, UINT32_MAX);
	ok(has(why, core) && has(why, "else there is no remedy"),
	   "a counter of an unknown type: the remedy has a condition: %s", why);
}

/* Two kinds of cores: each PMU has its own number. */
static void test_hybrid(struct bpfperf_counter *c)
{
	char path[256];

	make(DEVICES "/cpu_atom/type", "10\n");
	make(DEVICES "/cpu_atom/" ARCH_CORE_FILE, "0\n");
	snprintf(path, sizeof(path), ARCH_SWITCH, "cpu_atom");
	make(path, "0\n");
	ok(has(refused(c, ATOM), path), "the small cores' PMU has its own switch");
	ok(!has(bpfperf_why(c), "/cpu/"),
	   "the small cores' PMU: the file of no other one is named");
}

static void test_pages(struct bpfperf_counter *c, struct perf_event_mmap_page *page)
{
	page->cap_user_rdpmc = page->cap_user_time = page->index = 1;
	page->pmc_width = 48;
	c->type = PERF_TYPE_RAW;
	ok(!bpfperf_why(c), "a counter on its PMU needs no remedy");
	page->index = 0;
	ok(has(bpfperf_why(c), ARCH_REMEDY_OFF), "a counter off its PMU: fewer events");
	c->page = NULL;
	ok(has(bpfperf_why(c), "mlock"), "a page that could not be mapped");
	c->page = page;
	c->owner++;
	ok(has(bpfperf_why(c), "another thread"), "a counter of another thread");
	c->owner--;
}

static void test_without_pmu(struct bpfperf_counter *c)
{
	char empty[sizeof(root) + 8];

	snprintf(empty, sizeof(empty), "%s/empty", root);
	why__set_root(empty);
	ok(has(refused(c, PERF_TYPE_HARDWARE), "no PMU of this machine") &&
		   !has(bpfperf_why(c), "/sys/"),
	   "a machine without a PMU: no file is named");
}

int main(void)
{
	struct perf_event_mmap_page page = { .cap_user_rdpmc = 0 };
	struct bpfperf_counter c = { .page = &page, .owner = owner__take() };
	char command[sizeof(root) + 16];

	if (!ARCH_HAS_PMC) {
		ok(true, "no counter can be read in user space here");
		return done_testing();
	}
	if (!ok(mkdtemp(root) != NULL, "a directory for the PMUs"))
		return done_testing();
	why__set_root(root);
	make_machine("cpu_core", "0\n");
	test_kernel(&c);
	test_core(&c, "cpu_core");
	test_others(&c, "cpu_core");
	test_hybrid(&c);
	test_pages(&c, &page);
	memset(&page, 0, sizeof(page));
	test_without_pmu(&c);
	snprintf(command, sizeof(command), "rm -r %s", root);
	is_s64(system(command), 0, "the directory is removed");
	return done_testing();
}
