// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The live view of time off the CPU: its screen, rows that unfold, and absences that go on. */
#include "sink/top.h"

#include "event/event.h"
#include "named_stacks.h"
#include "sink/sink.h"
#include "tap.h"
#include "util/mono.h"
#include "util/term.h"

#define ENTRY " do_syscall_64 entry_SYSCALL_64_after_hwframe | "
#define LIBC "/usr/lib/libc.so.6: "
#define APP " /bin/app: "
#define S 1000000000ull

static const struct event asleep = { .name = "asleep" };
static const struct profile_config with_off = { .off_events = { &asleep } };

static struct sink *open_top(const struct profile_config *profile)
{
	struct sink_config cfg = { .profile = profile };
	struct sink *sink = top__new(NULL, &cfg, "title");

	sink__begin(sink);
	return sink;
}

static void add(struct sink *sink, const char *comm, const char *stack, uint64_t ns)
{
	named_stacks__add(&top__of(sink)->profile, SAMPLE_OFF_CPU, comm, stack, ns);
}

/* Draws the screen, without sequences, blanks at the end of lines, and the time in its head. */
static void draw(struct top *top, struct strbuf *sb, size_t width, size_t height)
{
	struct strbuf raw = STRBUF_INIT;
	const char *c;

	is_s64(top__draw(top, &raw, width, height), 0, "the screen of %zu × %zu is drawn", width,
	       height);
	strbuf__reset(sb);
	for (c = strbuf__cstr(&raw); *c; c++) {
		if (*c == '\033')
			c += strcspn(c, "HKJm");
		else if (*c != '\r')
			strbuf__putc(sb, *c);
	}
	strbuf__free(&raw);
}

static void press(struct top *top, const int *keys)
{
	for (; *keys; keys++)
		top__key(top, *keys, 24);
}

#define PRESS(top, ...) press(top, (const int[]){ __VA_ARGS__, 0 })

/* Compares the lines below the first one, which has the time. */
static void is_screen(struct top *top, const char *want, const char *name)
{
	struct strbuf sb = STRBUF_INIT;
	const char *rows;

	draw(top, &sb, 80, 24);
	rows = strchr(strbuf__cstr(&sb), '\n');
	is_str(rows ? rows + 1 : NULL, want, "%s", name);
	strbuf__free(&sb);
}

/* Two threads read, in one function by two ways; one sleeps, one waits for a disk. */
static struct sink *open_example(void)
{
	struct sink *sink = open_top(&with_off);

	add(sink, "reader",
	    "[sleeping] __schedule schedule anon_pipe_read vfs_read ksys_read" ENTRY LIBC "read" APP
	    "get_line parse main __libc_start_main",
	    5 * S);
	add(sink, "reader",
	    "[sleeping] __schedule schedule schedule_timeout unix_stream_read_generic vfs_read "
	    "ksys_read" ENTRY LIBC "read" APP "get_line load main __libc_start_main",
	    1 * S);
	add(sink, "reader",
	    "[runnable] __schedule schedule anon_pipe_read vfs_read ksys_read" ENTRY LIBC "read" APP
	    "get_line parse main __libc_start_main",
	    S / 2);
	add(sink, "napper",
	    "[sleeping] __schedule schedule do_nanosleep hrtimer_nanosleep common_nsleep "
	    "__x64_sys_clock_nanosleep" ENTRY LIBC "clock_nanosleep" APP "nap main",
	    3 * S);
	add(sink, "writer",
	    "[uninterruptible] __schedule schedule io_schedule jbd2_log_wait_commit "
	    "__x64_sys_fsync" ENTRY LIBC "fsync" APP "save main",
	    S / 4);
	add(sink, "kworker/0:1", "[idle] __schedule schedule worker_thread kthread ret_from_fork",
	    S / 4);
	top__tick(top__of(sink));
	return sink;
}

static void test_screen(void)
{
	struct sink *sink = open_example();
	struct top *top = top__of(sink);

	is_screen(top,
		  "waits by time, the last seconds    right unfolds  ? keys  q quit\n"
		  "    share      time  state            call             function\n"
		  ">  60.00%   6.000 s  sleeping         read             get_line  app\n"
		  "   30.00%   3.000 s  sleeping         clock_nanosleep  nap  app\n"
		  "    5.00%  500.0 ms  runnable         read             get_line  app\n"
		  "    2.50%  250.0 ms  uninterruptible  fsync            save  app\n"
		  "    2.50%  250.0 ms  idle                              worker_thread  [kernel]",
		  "a row for each function, state and call");
	PRESS(top, TERM_RIGHT);
	is_screen(top,
		  "waits by time, the last seconds    right unfolds  ? keys  q quit\n"
		  "    share      time  state            call             function\n"
		  ">  60.00%   6.000 s  sleeping         read             get_line  app\n"
		  "                     > read > ksys_read > vfs_read\n"
		  "   50.00%   5.000 s    > anon_pipe_read\n"
		  "   10.00%   1.000 s    > unix_stream_read_generic\n"
		  "   50.00%   5.000 s  < parse < main < __libc_start_main (reader)\n"
		  "   10.00%   1.000 s  < load < main < __libc_start_main (reader)\n"
		  "   30.00%   3.000 s  sleeping         clock_nanosleep  nap  app\n"
		  "    5.00%  500.0 ms  runnable         read             get_line  app\n"
		  "    2.50%  250.0 ms  uninterruptible  fsync            save  app\n"
		  "    2.50%  250.0 ms  idle                              worker_thread  [kernel]",
		  "right unfolds a row: its path into the kernel, and its callers");
	PRESS(top, TERM_DOWN, TERM_DOWN, TERM_LEFT, TERM_DOWN, TERM_ENTER);
	is_screen(top,
		  "waits by time, the last seconds    right unfolds  ? keys  q quit\n"
		  "    share      time  state            call             function\n"
		  "   60.00%   6.000 s  sleeping         read             get_line  app\n"
		  ">  30.00%   3.000 s  sleeping         clock_nanosleep  nap  app\n"
		  "                     > clock_nanosleep > __x64_sys_clock_nanosleep\n"
		  "                     < main (napper)\n"
		  "    5.00%  500.0 ms  runnable         read             get_line  app\n"
		  "    2.50%  250.0 ms  uninterruptible  fsync            save  app\n"
		  "    2.50%  250.0 ms  idle                              worker_thread  [kernel]",
		  "left on a line below a row folds the row; Enter unfolds another");
	PRESS(top, TERM_ENTER, '/', 'f', 's', 'y', TERM_ENTER);
	is_screen(top,
		  "waits by time, the last seconds  /fsy    right unfolds  ? keys  q quit\n"
		  "    share      time  state            call   function\n"
		  ">   2.50%  250.0 ms  uninterruptible  fsync  save  app",
		  "/ finds a call");
	PRESS(top, '/', 'i', 'd', 'l', 'e', TERM_ENTER);
	is_screen(top,
		  "waits by time, the last seconds  /idle    right unfolds  ? keys  q quit\n"
		  "    share      time  state      call  function\n"
		  ">   2.50%  250.0 ms  idle             worker_thread  [kernel]",
		  "/ finds a state");
	sink__free(sink);
}

static void test_views(void)
{
	struct sink *sink = open_example();
	struct top *top = top__of(sink);

	PRESS(top, '\t', 't', '/', 'n', 'a', 'p', TERM_ENTER, TERM_RIGHT);
	is_screen(top,
		  "functions by total, the last seconds  /nap    right unfolds  ? keys  q quit\n"
		  "     self     total      time  function\n"
		  ">   0.00%   30.00%   3.000 s  nap  /bin/app\n"
		  "                              < main (napper)",
		  "functions: right shows the callers");
	PRESS(top, 's', '/', 'a', 'n', 'o', 'n', TERM_ENTER);
	is_screen(top,
		  "functions by self, the last seconds  /anon    right unfolds  ? keys  q quit\n"
		  "     self     total      time  function\n"
		  ">  55.00%   55.00%   5.500 s  anon_pipe_read  [kernel.kallsyms]",
		  "functions: none of the scheduler, and no states");
	PRESS(top, TERM_ESC, '\t');
	is_screen(
		top,
		"stacks by self, the last seconds    right unfolds  ? keys  q quit\n"
		"    share      time  thread: function < its caller < ...\n"
		">  50.00%   5.000 s  reader: [sleeping] < anon_pipe_read < vfs_read < ksys_read \n"
		"   30.00%   3.000 s  napper: [sleeping] < __x64_sys_clock_nanosleep < do_syscall\n"
		"   10.00%   1.000 s  reader: [sleeping] < unix_stream_read_generic < vfs_read < \n"
		"    5.00%  500.0 ms  reader: [runnable] < anon_pipe_read < vfs_read < ksys_read \n"
		"    2.50%  250.0 ms  writer: [uninterruptible] < jbd2_log_wait_commit < __x64_sy\n"
		"    2.50%  250.0 ms  kworker/0:1: [idle] < worker_thread < kthread < ret_from_fo",
		"stacks: the state, and no frames of the scheduler");
	PRESS(top, TERM_END, TERM_ENTER, TERM_END);
	is_screen(
		top,
		"stacks by self, the last seconds    right unfolds  ? keys  q quit\n"
		"    share      time  thread: function < its caller < ...\n"
		"   50.00%   5.000 s  reader: [sleeping] < anon_pipe_read < vfs_read < ksys_read \n"
		"   30.00%   3.000 s  napper: [sleeping] < __x64_sys_clock_nanosleep < do_syscall\n"
		"   10.00%   1.000 s  reader: [sleeping] < unix_stream_read_generic < vfs_read < \n"
		"    5.00%  500.0 ms  reader: [runnable] < anon_pipe_read < vfs_read < ksys_read \n"
		"    2.50%  250.0 ms  writer: [uninterruptible] < jbd2_log_wait_commit < __x64_sy\n"
		"    2.50%  250.0 ms  kworker/0:1: [idle] < worker_thread < kthread < ret_from_fo\n"
		"                      [idle]\n"
		"                      __schedule  ([kernel.kallsyms])\n"
		"                      schedule  ([kernel.kallsyms])\n"
		"                      worker_thread  ([kernel.kallsyms])\n"
		"                      kthread  ([kernel.kallsyms])\n"
		">                     ret_from_fork  ([kernel.kallsyms])",
		"stacks: Enter shows all frames, and the selection reaches the last");
	PRESS(top, 'w');
	ok(top->mode == TOP_WAITS, "w shows the waits");
	PRESS(top, 'k', '\t');
	ok(top->mode == TOP_WAITS, "Tab leads from the stacks to the waits");
	sink__free(sink);
}

/* Without time off the CPU there are no waits; rows of functions unfold all the same. */
static void test_on_cpu(void)
{
	static const struct profile_config no_off = { 0 };
	struct sink *sink = open_top(&no_off);
	struct top *top = top__of(sink);
	struct profile *p = &top->profile;

	named_stacks__add(p, SAMPLE_ON_CPU, "w", "| inner outer main", 1);
	named_stacks__add(p, SAMPLE_ON_CPU, "w", "| inner outer outer main", 1);
	named_stacks__add(p, SAMPLE_ON_CPU, "v", "| inner other", 1);
	top__tick(top);
	PRESS(top, 'w', TERM_RIGHT);
	is_screen(
		top,
		"functions by self, the last seconds    right unfolds  ? keys  q quit\n"
		"     self     total   samples  function\n"
		"> 100.00%  100.00%         3  inner  /bin/app\n"
		"            66.67%         2  < outer\n"
		"            33.33%         1    < main (w)\n"
		"            33.33%         1    < outer < main (w)\n"
		"            33.33%         1  < other (v)",
		"a profile of the CPU: functions unfold to their callers, split where these differ");
	PRESS(top, '\t', '\t');
	ok(top->mode == TOP_FUNCTIONS, "a profile of the CPU: Tab knows two views");
	sink__free(sink);
}

/* The selection follows its row; the top of the list stays the top. */
static void test_follow(void)
{
	struct sink *sink = open_example();
	struct top *top = top__of(sink);
	struct strbuf sb = STRBUF_INIT;

	draw(top, &sb, 80, 24);
	PRESS(top, TERM_DOWN);
	add(sink, "writer",
	    "[uninterruptible] __schedule schedule io_schedule jbd2_log_wait_commit "
	    "__x64_sys_fsync" ENTRY LIBC "fsync" APP "save main",
	    20 * S);
	top__tick(top);
	draw(top, &sb, 80, 24);
	ok(strstr(strbuf__cstr(&sb), "\n>  ") && strstr(strstr(sb.buf, "\n>  "), "nap  app"),
	   "the selection stays on its row when another comes before it");
	is_u64(top->selected, 2, "the selection's row is the third now");
	PRESS(top, TERM_HOME);
	add(sink, "napper",
	    "[sleeping] __schedule schedule do_nanosleep hrtimer_nanosleep common_nsleep "
	    "__x64_sys_clock_nanosleep" ENTRY LIBC "clock_nanosleep" APP "nap main",
	    100 * S);
	top__tick(top);
	draw(top, &sb, 80, 24);
	is_u64(top->selected, 0, "the first row stays selected, whichever it is");
	strbuf__free(&sb);
	sink__free(sink);
}

static void test_narrow(void)
{
	struct sink *sink = open_example();
	struct top *top = top__of(sink);
	struct strbuf sb = STRBUF_INIT;
	size_t i, width = 0, lines = 1, widest = 0;

	add(sink, "evil\033[2J", "[sleeping] __schedule | bad\033[2Jname main", 40 * S);
	top__tick(top);
	PRESS(top, TERM_RIGHT);
	draw(top, &sb, 40, 6);
	for (i = 0; i < sb.len; i++) {
		width = sb.buf[i] == '\n' ? 0 : width + 1;
		lines += sb.buf[i] == '\n';
		widest = width > widest ? width : widest;
	}
	is_u64(widest, 40, "a narrow window: no line is wider");
	is_u64(lines, 6, "a low window: no line is below it");
	draw(top, &sb, 80, 24);
	ok(strstr(strbuf__cstr(&sb), "bad\\x1b[2Jname"),
	   "control characters of a name are escaped");
	PRESS(top, TERM_END);
	draw(top, &sb, 80, 6);
	ok(strstr(strbuf__cstr(&sb), "\n>"), "a low window scrolls to the selection");
	strbuf__free(&sb);
	sink__free(sink);
}

/* An absence, as a sample. */
static struct sample absence(uint64_t ns, const struct callchain *waker)
{
	return (struct sample){ .comm = "w",
				.kind = SAMPLE_OFF_CPU,
				.event = &asleep,
				.state = "[sleeping]",
				.waker = waker,
				.waker_comm = "waker",
				.period = ns };
}

static void tick_with(struct top *top, uint64_t ongoing_ns)
{
	struct sample s = absence(ongoing_ns, NULL);

	top__begin_ongoing(top);
	if (ongoing_ns)
		is_s64(top__add_ongoing(top, &s), 0, "an absence that goes on is added");
	is_s64(top__tick(top), 0, "the rows are updated");
}

static void test_ongoing(void)
{
	const struct callchain no_frames = { 0 };
	struct sample s = absence(4 * S, &no_frames);
	struct sink *sink = open_top(&with_off);
	struct top *top = top__of(sink);

	tick_with(top, 1 * S);
	is_u64(top->wait_rows[0].self, 1 * S, "an absence that goes on has the time up to now");
	is_u64(profile__samples(&top->profile), 0, "an absence that goes on is no sample");
	tick_with(top, 3 * S);
	is_u64(top->wait_rows[0].self, 3 * S, "an absence that goes on is not added up");
	ok(top->wait_rows[0].recent_self == 1 * S * 0.8 + 2 * S,
	   "an absence that goes on: each second has its part");
	/* With its waker the sleep is another stack, and the same wait. */
	sink__sample(sink, &s);
	tick_with(top, 0);
	is_u64(top->wait_cnt, 1, "an absence that ended has one row");
	is_u64(top->wait_rows[0].self, 4 * S, "an absence that ended counts once");
	is_u64(top->sum, 4 * S, "an absence that ended: the sum counts it once");
	is_u64(profile__samples(&top->profile), 1, "an absence that ended is a sample");

	PRESS(top, 'z');
	s.time_ns = top->begin_ns + 2 * S;
	sink__sample(sink, &s);
	tick_with(top, 0);
	is_u64(top->wait_rows[0].self, 2 * S, "after z an absence counts from then on");
	sink__free(sink);
}

#define THREADS 64

/* Adds a stack of two kernel functions, the first one a note. */
static void add_noted(struct profile *p, uint8_t event, const char *comm, uint32_t note)
{
	const uint32_t locs[] = { note, profile__named_loc(p, "wait", "[kernel.kallsyms]", true,
							   FRAME_NATIVE) };
	struct profile_stack st = { .event = event,
				    .group = { texts__add(&p->texts, comm, strlen(comm)),
					       TEXTS_NONE },
				    .kern_cnt = 2,
				    .samples = 1,
				    .weight = S };

	profile__add_stack(p, &st, locs);
}

/*
 * Stacks that differ in event and state have rows of their own, whichever indexes these have: here
 * the states' differ in one bit, as the events' do.
 */
static void test_states(void)
{
	struct sink *sink = open_top(&with_off);
	struct top *top = top__of(sink);
	struct profile *p = &top->profile;
	struct profile_event runnable = { .name = texts__add(&p->texts, "runnable", 8),
					  .is_ns = true,
					  .kind = SAMPLE_OFF_CPU };
	struct strbuf sb = STRBUF_INIT;
	uint32_t notes[3], i;
	char comm[16];

	named_stacks__event(p, SAMPLE_OFF_CPU);
	profile__add_event(p, &runnable);
	notes[0] = profile__named_loc(p, "[sleeping]", "", true, FRAME_NATIVE);
	notes[1] = profile__named_loc(p, "[stopped]", "", true, FRAME_NATIVE);
	notes[2] = profile__named_loc(p, "[preempted since before]", "", true, FRAME_NATIVE);
	for (i = 0; i < THREADS; i++) {
		snprintf(comm, sizeof(comm), "thread-%u", i);
		add_noted(p, 1, comm, notes[2]);
		add_noted(p, 0, comm, notes[0]);
	}
	top__tick(top);
	PRESS(top, 'k');
	draw(top, &sb, 80, 24);
	is_u64(top->order_cnt, 2ull * THREADS, "stacks of two states are two rows");
	strbuf__free(&sb);
	sink__free(sink);
}

int main(void)
{
	test_screen();
	test_states();
	test_views();
	test_on_cpu();
	test_follow();
	test_narrow();
	test_ongoing();
	return done_testing();
}
