// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The text of perf script: samples with all that their lines may have, and may lack. */
#include "profile/script_text.h"

#include <string.h>

#include "profile/profile.h"
#include "profile/profile_read.h"
#include "tap.h"

static bool is_part(struct text_part part, const char *text)
{
	return text_part__is(&part, text);
}

static void read_one(struct script_text *t, const char *text, struct script_sample *s)
{
	script_text__begin(t, text, strlen(text));
	is_s64(script_text__next(t, s), 1, "a sample is read: %.20s", text);
}

static void test_head(void)
{
	struct script_sample s;
	struct script_text t;

	read_one(&t, " V8 Worker 7  12/34 [003]  1.000002:   1009 cycles:u: \n", &s);
	ok(is_part(s.comm, "V8 Worker 7"), "head: a name with spaces and a number");
	is_s64(s.pid, 12, "head: the process");
	is_s64(s.tid, 34, "head: the thread");
	is_u64(s.cpu, 3, "head: the CPU");
	is_u64(s.time_ns, 1000002000, "head: the time");
	is_u64(s.period, 1009, "head: the period");
	ok(is_part(s.event, "cycles:u"), "head: the event with its modifier");
	script_text__free(&t);

	read_one(&t, "java  3244 cpu-clock: \n", &s);
	ok(is_part(s.comm, "java") && is_part(s.event, "cpu-clock"), "head: the least");
	is_s64(s.pid, -1, "head without a process");
	is_u64(s.cpu, UINT32_MAX, "head without a CPU");
	is_u64(s.period, 1, "head without a period: an event");
	ok(!s.has_period && !s.time_ns, "head without a period: it is not given");
	script_text__free(&t);

	read_one(&t, "sh 9 [000] 2.5: sched:sched_switch: prev_comm=sh ==> next (x)\n", &s);
	ok(is_part(s.event, "sched:sched_switch"), "head: a tracepoint");
	ok(is_part(s.trace, "prev_comm=sh ==> next (x)"), "head: the text of a tracepoint");
	is_u64(s.frame_cnt, 0, "head: the text of a tracepoint is no function");
	is_u64(s.time_ns, 2500000000, "head: a short fraction of a second");
	script_text__free(&t);

	read_one(&t, ":-1 -1 [001] 3.000000007: 1 cycles:  ff81 [unknown] ([unknown])\n", &s);
	is_s64(s.tid, -1, "head: a thread that perf does not know");
	is_u64(s.time_ns, 3000000007, "head: a time in nanoseconds");
	is_u64(s.frame_cnt, 1, "head: a function in the line");
	ok(!s.frames[0].name.len && !s.frames[0].module.len, "head: it is unknown");
	script_text__free(&t);
}

static const char chain[] = "x 7 1.0: 1 cycles:\n"
			    "\tffffffff81000010 do_it+0x10 ([kernel.kallsyms])\n"
			    "\t 7f00 f(int, char*)+0x2 (/lib/x (deleted))\n"
			    "\t 7f01 g (inlined)\n"
			    "  x.c:12\n"
			    "7f02 h+0x (/tmp/a)\n"
			    "\t 7f03  ([vdso])\n"
			    "y 8 2.0: 3 cycles:\n\n";

static void test_frames(void)
{
	struct script_sample s;
	struct script_text t;

	read_one(&t, chain, &s);
	is_u64(s.frame_cnt, 5, "callchain: its functions");
	ok(is_part(s.frames[0].name, "do_it") && s.frames[0].off == 16, "callchain: an offset");
	ok(s.frames[0].is_kernel, "callchain: the kernel's");
	is_u64(s.frames[0].addr, 0xffffffff81000010, "callchain: an address");
	ok(is_part(s.frames[1].name, "f(int, char*)"), "callchain: a name with arguments");
	ok(is_part(s.frames[1].module, "/lib/x (deleted)"), "callchain: a deleted file");
	ok(s.frames[2].is_inlined && is_part(s.frames[2].name, "g"), "callchain: an inlined one");
	ok(is_part(s.frames[3].name, "h+0x"), "callchain: an offset without digits is a name");
	ok(!s.frames[4].name.len && !s.frames[4].is_kernel, "callchain: the vDSO is no kernel's");
	is_u64(t.odd_cnt, 1, "callchain: a source line is passed over");
	is_s64(script_text__next(&t, &s), 1, "callchain: a sample follows without an empty line");
	is_u64(s.period, 3, "callchain: the next sample");
	is_s64(script_text__next(&t, &s), 0, "callchain: the end");
	script_text__free(&t);
}

static void test_no_times(void)
{
	struct script_sample s;
	struct script_text t;

	read_one(&t,
		 "a 1 cycles:\nb 2 cycles: \n\tffffffff81000000 [unknown] ([unknown])\n"
		 "\tffffffff81000000 f\n",
		 &s);
	is_u64(s.frame_cnt, 0, "no times: the next sample is no function");
	is_s64(script_text__next(&t, &s), 1, "no times: the next sample");
	is_s64(s.tid, 2, "no times: its thread");
	is_u64(s.frame_cnt, 2, "no times: its functions");
	ok(s.frames[0].is_kernel && !s.frames[0].module.len,
	   "callchain: without a file, an address in the upper half is the kernel's");
	ok(s.frames[1].is_kernel, "callchain: without a column of files, too");
	is_s64(script_text__next(&t, &s), 0, "no times: the end");
	script_text__free(&t);
}

static void test_formats(void)
{
	static const char folded[] = "sh;main;read 7\n", lines[] = "# perf\n\njava 7 cycles:\n";

	ok(!script_text__is(folded, strlen(folded)), "folded stacks are no text of perf script");
	ok(script_text__is(lines, strlen(lines)), "comments come before the first sample");
	ok(script_text__is(chain, strlen(chain)), "a sample with a time");
	ok(!script_text__is("", 0), "nothing is no text of perf script");
	ok(!script_text__is("\n#\n", 3), "comments alone are none");
}

static void test_profile(void)
{
	static const char text[] = "java 5 1.0: 10 cycles:\n\t1 a->b->c (/tmp/perf-5.map)\n"
				   "\t2 T::operator->() (/bin/x)\n\t3 [unknown] (/lib/y.so)\n\n"
				   "java 5 2.0: 11 cycles:\n\t1 a->b->c (/tmp/perf-5.map)\n"
				   "\t2 T::operator->() (/bin/x)\n\t3 [unknown] (/lib/y.so)\n";
	static const char *const names[] = { "c", "b", "a", "T::operator->()", "[y.so]" };
	struct profile p;
	size_t bad, i;
	uint16_t cnt;

	profile__init(&p, NULL, PROFILE_BY_THREAD);
	is_s64(profile_read__script(&p, text, strlen(text), PROFILE_PART_BOTH, &bad), 0,
	       "profile: the text is read");
	is_u64(p.stack_cnt, 1, "profile: equal stacks are one");
	is_u64(p.stacks[0].samples, 2, "profile: its samples");
	is_u64(p.stacks[0].weight, 21, "profile: its period");
	is_str(profile__text(&p, p.stacks[0].group[0]), "java-5/5", "profile: by thread");
	is_u64(p.meta.duration_ns, 1000000000, "profile: the time between its samples");
	is_u64(profile_stack__depth(&p.stacks[0]), 5, "profile: inlined Java functions count");
	for (i = 0; i < 5; i++)
		is_str(profile__text(&p, p.funcs[profile__funcs(&p, p.frames[i], &cnt)[0]].name),
		       names[i], "profile: function %zu", i);
	profile__free(&p);
}

int main(void)
{
	test_head();
	test_frames();
	test_no_times();
	test_formats();
	test_profile();
	return done_testing();
}
