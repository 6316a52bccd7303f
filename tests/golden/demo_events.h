/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Tracepoints of a tracefs made by hand, and records of them: a task switch, system calls (of
 * numbers that all architectures share), and one with fields of every type. The bytes of the
 * records are in the order of this machine, as those of a live session are.
 */
#ifndef BPFPERF_TESTS_GOLDEN_DEMO_EVENTS_H
#define BPFPERF_TESTS_GOLDEN_DEMO_EVENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* openat2(2) and pidfd_open(2). */
#define DEMO_OPENAT2 437
#define DEMO_PIDFD_OPEN 434

enum { DEMO_SWITCH_ID = 31, DEMO_ENTER_ID, DEMO_EXIT_ID, DEMO_TYPES_ID };

/* Resolved by event_list__add() in the order of the ids. */
#define DEMO_EVENTS                                                                                \
	"sched:sched_switch,raw_syscalls:sys_enter,raw_syscalls:sys_exit,demo:demo_types"

#define DEMO_COMMON                                                                                \
	"format:\n"                                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char demo_switch_format[] =
	"name: sched_switch\nID: 31\n" DEMO_COMMON
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s "
	"next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "
	"(REC->prev_state & 3) ? __print_flags(REC->prev_state & 3, \"|\", { 1, \"S\" }, "
	"{ 2, \"D\" }) : \"R\", REC->next_comm, REC->next_pid, REC->next_prio\n";

static const char demo_enter_format[] =
	"name: sys_enter\nID: 32\n" DEMO_COMMON "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\n"
	"print fmt: \"NR %ld (%lx, %lx)\", REC->id, REC->args[0], REC->args[1]\n";

static const char demo_exit_format[] =
	"name: sys_exit\nID: 33\n" DEMO_COMMON "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\n"
	"print fmt: \"NR %ld = %ld\", REC->id, REC->ret\n";

static const char demo_types_format[] =
	"name: demo_types\nID: 34\n" DEMO_COMMON "\tfield:u8 tiny;\toffset:8;\tsize:1;\tsigned:0;\n"
	"\tfield:bool yes;\toffset:9;\tsize:1;\tsigned:0;\n"
	"\tfield:s16 negative;\toffset:10;\tsize:2;\tsigned:1;\n"
	"\tfield:unsigned int flags;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:u64 big;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:void * ptr;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:char name[8];\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:int array[3];\toffset:40;\tsize:12;\tsigned:1;\n"
	"\tfield:__data_loc char[] path;\toffset:52;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc u16[] list;\toffset:56;\tsize:4;\tsigned:0;\n"
	"\tfield:u32 cpu;\toffset:60;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"tiny=%u yes=%d negative=%d flags=%s big=%llu ptr=%p name=%s path=%s\", "
	"REC->tiny, REC->yes, REC->negative, __print_flags(REC->flags, \"|\", { 1, \"READ\" }, "
	"{ 4, \"EXEC\" }), REC->big, REC->ptr, REC->name, __get_str(path)\n";

struct demo_switch {
	uint16_t id, zero;
	int32_t pid;
	char prev_comm[16];
	int32_t prev_pid, prev_prio;
	int64_t prev_state;
	char next_comm[16];
	int32_t next_pid, next_prio;
};

struct demo_enter {
	uint16_t id, zero;
	int32_t pid;
	int64_t nr;
	uint64_t args[6];
};

struct demo_exit {
	uint16_t id, zero;
	int32_t pid;
	int64_t nr, ret;
};

struct demo_types {
	uint16_t id, zero;
	int32_t pid;
	uint8_t tiny;
	bool yes;
	int16_t negative;
	uint32_t flags;
	uint64_t big, ptr;
	char name[8];
	int32_t array[3];
	uint32_t path, list; /* offset | size << 16 */
	uint32_t cpu;
	char path_text[24];
	uint16_t list_values[4];
};

/* `prev` goes to sleep (the idle task stays runnable), and `next` runs in its place. */
static inline struct demo_switch demo_switch__of(const char *prev, int32_t prev_pid,
						 const char *next, int32_t next_pid)
{
	struct demo_switch r = { .id = DEMO_SWITCH_ID,
				 .pid = prev_pid,
				 .prev_pid = prev_pid,
				 .prev_prio = 120,
				 .prev_state = prev_pid ? 1 : 0,
				 .next_pid = next_pid,
				 .next_prio = 120 };

	snprintf(r.prev_comm, sizeof(r.prev_comm), "%s", prev);
	snprintf(r.next_comm, sizeof(r.next_comm), "%s", next);
	return r;
}

static inline struct demo_enter demo_enter__of(int32_t pid, int64_t nr)
{
	return (struct demo_enter){
		DEMO_ENTER_ID, 0, pid, nr, { UINT64_MAX - 99, 0x7ffc1234, 0, 5, 6, UINT64_MAX }
	};
}

static inline struct demo_exit demo_exit__of(int32_t pid, int64_t nr, int64_t ret)
{
	return (struct demo_exit){ DEMO_EXIT_ID, 0, pid, nr, ret };
}

/* Texts that each format must escape in its own way. */
static inline struct demo_types demo_types__of(int32_t pid)
{
	return (struct demo_types){
		.id = DEMO_TYPES_ID,
		.pid = pid,
		.tiny = 255,
		.yes = true,
		.negative = -12345,
		.flags = 1 | 4 | 64,
		.big = UINT64_MAX,
		.ptr = 0xffff888012345678,
		.name = "a,b;\"c\"",
		.array = { 1, -2, 3 },
		.path = 64 | 24 << 16,
		.list = 88 | 8 << 16,
		.cpu = 7,
		.path_text = "/tmp/\303\244 line\nend\\\t.",
		.list_values = { 1, 2, 65535, 4 },
	};
}

static inline int demo_events__write_format(const char *sys, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "tracing/events/%s", sys);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "tracing/events/%s/%s", sys, name);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "tracing/events/%s/%s/format", sys, name);
	f = fopen(path, "we");
	if (!f || fputs(text, f) < 0)
		return -1;
	return fclose(f) ? -1 : 0;
}

/* Makes ./tracing for tracefs__set_dir(): 0 or -1. */
static inline int demo_events__write_tracefs(void)
{
	mkdir("tracing", 0755);
	mkdir("tracing/events", 0755);
	return demo_events__write_format("sched", "sched_switch", demo_switch_format) ||
			       demo_events__write_format("raw_syscalls", "sys_enter",
							 demo_enter_format) ||
			       demo_events__write_format("raw_syscalls", "sys_exit",
							 demo_exit_format) ||
			       demo_events__write_format("demo", "demo_types", demo_types_format)
		       ? -1
		       : 0;
}

#endif
