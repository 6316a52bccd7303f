/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A tracefs and a sysfs of our own for the tests of event/, in a directory
 * that goes when the test ends, and what is said on stderr, caught.
 */
#ifndef BPFPERF_TESTS_EVENT_TREE_H
#define BPFPERF_TESTS_EVENT_TREE_H

#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "event/pmu.h"
#include "event/tracefs.h"

static char tree[] = "/tmp/event-tree.XXXXXX";

/* Events that a user may ask for in this tree. */
__attribute__((unused)) static const char *const tree_specs[] = {
	"cycles:u",
	"{cs:k,faults}:uD,dummy",
	"cpu/event=0x3c,umask=1,edge/pp",
	"msr/tsc/u,sched:sched_switch:k",
	"cpu/mem-loads,ldlat=30/P",
	"irq:irq_*,sched:*,raw_syscalls:sys_e?it",
	"imc/event=1,umask=0xff/",
	"L1D_PEND_MISS:PENDING:u",
	"r1a8,LLC-loads-misses:ppp",
	"cpu/needy,event=3,name=x,period=1/,*:*",
	"[a-z]ched:*",
	"task-clock,{dummy:S,cs}:W",
	"mem:0x10/8:rw:u,{mem:16:x,cs}",
	"cycles/aux-output,name=x/,cpu/aux-action=pause,aux-sample-size=64/",
};

static inline void tree_file(const char *text, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A file of the tree with its directories. */
static inline void tree_file(const char *text, const char *fmt, ...)
{
	char path[512], *slash;
	va_list ap;
	FILE *f;
	int len = snprintf(path, sizeof(path), "%s/", tree);

	va_start(ap, fmt);
	vsnprintf(path + len, sizeof(path) - (size_t)len, fmt, ap);
	va_end(ap);
	for (slash = strchr(path + strlen(tree), '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	f = fopen(path, "we");
	if (!f)
		exit(99);
	fputs(text, f);
	fclose(f);
}

static inline void tree_tracepoint(const char *sys, const char *name, unsigned int id)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "name: %s\nID: %u\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		 "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		 "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		 "\tfield:int nr;\toffset:8;\tsize:4;\tsigned:1;\n\n"
		 "print fmt: \"nr=%%d\", REC->nr\n",
		 name, id);
	tree_file(text, "tracing/events/%s/%s/format", sys, name);
}

struct tree_tp {
	const char *sys, *name;
	unsigned int id;
};

static const struct tree_tp tree_tps[] = {
	{ "irq", "irq_handler_entry", 101 },   { "irq", "irq_handler_exit", 102 },
	{ "raw_syscalls", "sys_enter", 201 },  { "raw_syscalls", "sys_exit", 202 },
	{ "sched", "sched_switch", 301 },      { "sched", "sched_wakeup", 302 },
	{ "sched", "sched_waking", 303 },      { "sched", "pp", 304 },
	{ "syscalls", "sys_enter_read", 401 },
};

static inline int tree_remove_one(const char *path, const struct stat *st, int flag,
				  struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

static inline void tree_remove(void)
{
	nftw(tree, tree_remove_one, 8, FTW_DEPTH | FTW_PHYS);
	tracefs__set_dir(NULL);
	pmu__set_sysfs(NULL);
}

static inline void tree_make_tracefs(void)
{
	size_t i;

	for (i = 0; i < sizeof(tree_tps) / sizeof(tree_tps[0]); i++)
		tree_tracepoint(tree_tps[i].sys, tree_tps[i].name, tree_tps[i].id);
	/* One that has no format: it went away in between. */
	tree_file("0\n", "tracing/events/sched/gone/enable");
	tree_file("0\n", "tracing/events/sched/enable");
	tree_file("0\n", "tracing/events/enable");
	tree_tracepoint("ftrace", "function", 1);
	tree_file("no format at all\n", "tracing/events/sched/broken/format");
}

static inline void tree_make_core_pmu(void)
{
	tree_file("4\n", "pmu/cpu/type");
	tree_file("config:0-7\n", "pmu/cpu/format/event");
	tree_file("config:8-15\n", "pmu/cpu/format/umask");
	tree_file("config:18\n", "pmu/cpu/format/edge");
	tree_file("config:24-31\n", "pmu/cpu/format/cmask");
	tree_file("config1:0-15\n", "pmu/cpu/format/ldlat");
	tree_file("config:0-7,32-35\n", "pmu/cpu/format/event_x");
	tree_file("config2:4,6,8-9\n", "pmu/cpu/format/sparse");
	tree_file("config2:63\n", "pmu/cpu/format/top");
	tree_file("config3:0-7\n", "pmu/cpu/format/later");
	tree_file("config:9-3\n", "pmu/cpu/format/backwards");
	tree_file("config:0-64\n", "pmu/cpu/format/too_wide");
	tree_file("config:\n", "pmu/cpu/format/no_bits");
	tree_file("config:1-\n", "pmu/cpu/format/no_end");
	tree_file("event=0x3c\n", "pmu/cpu/events/cpu-cycles");
	tree_file("event=0xcd,umask=0x1,ldlat=3\n", "pmu/cpu/events/mem-loads");
	tree_file("event=?,umask=2\n", "pmu/cpu/events/needy");
	tree_file("event=1,later=2\n", "pmu/cpu/events/odd");
	tree_file("event=0x00,umask=0x04,edge\n", "pmu/cpu/events/flagged");
}

static inline void tree_make_pmus(void)
{
	unsigned int i;

	tree_make_core_pmu();
	for (i = 0; i < 2; i++) {
		char type[16];

		snprintf(type, sizeof(type), "%u\n", 20 + i);
		tree_file(type, "pmu/uncore_imc_%u/type", i);
		tree_file("0,28\n", "pmu/uncore_imc_%u/cpumask", i);
		tree_file("config:0-7\n", "pmu/uncore_imc_%u/format/event", i);
		tree_file("config:8-15\n", "pmu/uncore_imc_%u/format/umask", i);
		tree_file("event=0x04,umask=0x03\n", "pmu/uncore_imc_%u/events/cas_count_read", i);
		tree_file("6.103515625e-5\n", "pmu/uncore_imc_%u/events/cas_count_read.scale", i);
		tree_file("MiB\n", "pmu/uncore_imc_%u/events/cas_count_read.unit", i);
	}
	tree_file("10\n", "pmu/msr/type");
	tree_file("config:0-63\n", "pmu/msr/format/event");
	tree_file("event=0x00\n", "pmu/msr/events/tsc");
	tree_file("8\n", "pmu/armv8_pmuv3_0/type");
	tree_file("0-3\n", "pmu/armv8_pmuv3_0/cpus");
	tree_file("config:0-15\n", "pmu/armv8_pmuv3_0/format/event");
	tree_file("event=0x0011\n", "pmu/armv8_pmuv3_0/events/cpu_cycles");
	tree_file("30\n", "pmu/bare/type");
}

/* Both trees, in place of the machine's own. */
static inline void tree_make(void)
{
	char path[512];

	if (!mkdtemp(tree))
		exit(99);
	atexit(tree_remove);
	tree_make_tracefs();
	tree_make_pmus();
	snprintf(path, sizeof(path), "%s/tracing", tree);
	tracefs__set_dir(path);
	snprintf(path, sizeof(path), "%s/pmu", tree);
	pmu__set_sysfs(path);
}

static int tree_stderr = -1;

/* Keeps stderr from here on for tree_said(), which opens it again. */
static inline void tree_catch(void)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/stderr", tree);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	fflush(stderr);
	tree_stderr = dup(2);
	if (fd < 0 || tree_stderr < 0 || dup2(fd, 2) < 0)
		exit(99);
	close(fd);
}

static inline const char *tree_said(void)
{
	static char text[4096];
	ssize_t len;

	fflush(stderr);
	len = pread(2, text, sizeof(text) - 1, 0);
	text[len > 0 ? len : 0] = '\0';
	dup2(tree_stderr, 2);
	close(tree_stderr);
	return text;
}

/* The trace unit of Intel PT, in pmu/, but for its frequency. */
__attribute__((unused)) static void tree_intel_pt(void)
{
	tree_file("8\n", "pmu/intel_pt/type");
	tree_file("config:0\n", "pmu/intel_pt/format/pt");
	tree_file("config:1\n", "pmu/intel_pt/format/cyc");
	tree_file("config:9\n", "pmu/intel_pt/format/mtc");
	tree_file("config:10\n", "pmu/intel_pt/format/tsc");
	tree_file("config:11\n", "pmu/intel_pt/format/noretcomp");
	tree_file("config:13\n", "pmu/intel_pt/format/branch");
	tree_file("config:14-17\n", "pmu/intel_pt/format/mtc_period");
	tree_file("config:24-27\n", "pmu/intel_pt/format/psb_period");
	tree_file("1\n", "pmu/intel_pt/caps/mtc");
	tree_file("249\n", "pmu/intel_pt/caps/mtc_periods");
	tree_file("1\n", "pmu/intel_pt/caps/psb_cyc");
	tree_file("3f\n", "pmu/intel_pt/caps/psb_periods");
}

#endif
