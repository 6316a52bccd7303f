// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * libbpfperf on this kernel, whatever its counters can: every read is between two read(2) of the
 * same counter; groups; another thread and a child; the clock beside perf's own timestamps.
 * selfmon SECONDS: the clock for that long (default 2).
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "selfmon/bpfperf.h"
#include "tap.h"

#define READS 10007

static const struct perf_event_attr faults = { .type = PERF_TYPE_SOFTWARE,
					       .config = PERF_COUNT_SW_PAGE_FAULTS };
static const struct perf_event_attr task_clock = { .type = PERF_TYPE_SOFTWARE,
						   .config = PERF_COUNT_SW_TASK_CLOCK };

static struct bpfperf_value read_fd(const struct bpfperf_counter *c)
{
	struct bpfperf_value val = { 0 };

	if (read(c->fd, &val, sizeof(val)) != sizeof(val))
		memset(&val, 0, sizeof(val));
	return val;
}

static bool in_order(const struct bpfperf_value *a, const struct bpfperf_value *b)
{
	return a->value <= b->value && a->enabled_ns <= b->enabled_ns &&
	       a->running_ns <= b->running_ns;
}

/* cycles where there is a PMU, else task-clock. */
static void test_reads(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.config = PERF_COUNT_HW_CPU_CYCLES,
					.exclude_kernel = 1,
					.exclude_hv = 1 };
	unsigned long by[2] = { 0, 0 }, bad = 0, failed = 0;
	struct bpfperf_value before, val, after;
	struct bpfperf_counter c;
	uint64_t value;
	int i, how, err;

	err = bpfperf_open(&c, &attr, 1, NULL);
	if (err) {
		diag("no cycles here: %s; task-clock in their place", strerror(-err));
		err = bpfperf_open(&c, &task_clock, 1, NULL);
	}
	if (!ok(!err, "a counter opens"))
		return;
	for (i = 0; i < READS; i++) {
		before = read_fd(&c);
		how = bpfperf_read(&c, &val);
		after = read_fd(&c);
		failed += how < 0;
		if (how >= 0)
			by[how]++;
		bad += !in_order(&before, &val) || !in_order(&val, &after);
		how = bpfperf_read_value(&c, &value);
		failed += how < 0 || value < after.value;
	}
	is_u64(failed, 0, "%d reads succeed", READS);
	is_u64(bad, 0, "each is between the read(2) before and after it");
	ok(!by[BPFPERF_READ] == !bpfperf_why(&c), "why: %s",
	   bpfperf_why(&c) ? bpfperf_why(&c) : "nothing needs read(2)");
	diag("%lu in user space, %lu by read(2)", by[BPFPERF_USER], by[BPFPERF_READ]);
	bpfperf_close(&c, 1);
	ok(c.fd == -1, "the counter's descriptor is closed");
}

static void touch_pages(size_t cnt)
{
	size_t sz = (size_t)sysconf(_SC_PAGESIZE), i;
	volatile char *p =
		mmap(NULL, cnt * sz, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise((void *)p, cnt * sz, MADV_NOHUGEPAGE);
	for (i = 0; i < cnt; i++)
		p[i * sz] = 1;
	munmap((void *)p, cnt * sz);
}

static void test_group(void)
{
	struct perf_event_attr attrs[] = { faults, task_clock, faults };
	struct bpfperf_value a[3], b[3], one;
	struct bpfperf_counter c[3];
	size_t bad = 99;

	attrs[0].disabled = 1;
	if (!ok(bpfperf_open(c, attrs, 3, NULL) == 0, "a group of three opens"))
		return;
	touch_pages(13);
	ok(bpfperf_read_group(c, 3, a) == BPFPERF_READ, "software events need read(2)");
	ok(!a[0].value && !a[1].value && !a[0].enabled_ns, "a disabled group counts nothing");
	bpfperf_enable(c);
	touch_pages(1013);
	bpfperf_disable(c);
	bpfperf_read_group(c, 3, b);
	ok(b[0].value >= 1013 && b[0].value < 1100, "an enabled group counts %" PRIu64 " faults",
	   b[0].value);
	is_u64(b[2].value, b[0].value, "one event twice: equal values");
	ok(b[1].value > 0 && b[0].enabled_ns == b[2].enabled_ns,
	   "members of a group: one enabled time");
	ok(bpfperf_read(&c[2], &one) == BPFPERF_READ && one.value == b[2].value,
	   "a member of a group is read alone");
	bpfperf_reset(c);
	bpfperf_read(&c[0], &one);
	is_u64(one.value, 0, "a reset counter counts from 0");
	ok(bpfperf_read_group(c, 2, a) == -EINVAL, "half a group is no group");
	bpfperf_close(c, 3);

	attrs[1].type = 4242;
	ok(bpfperf_open(c, attrs, 3, &bad) < 0 && bad == 1,
	   "a refused group: the refused event is named");
	ok(bpfperf_open(c, attrs, BPFPERF_GROUP_MAX + 1, NULL) == -EINVAL,
	   "a group of too many events is refused");
}

/* A counter that somebody else opened. */
static void test_attach(void)
{
	struct perf_event_attr attr = task_clock;
	struct bpfperf_value val, after;
	struct bpfperf_counter c;
	int fd;

	attr.size = sizeof(attr);
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (!ok(fd >= 0 && bpfperf_attach(&c, fd) == 0, "a counter of another owner is mapped"))
		return;
	ok(bpfperf_read(&c, &val) == BPFPERF_READ && val.value > 0,
	   "a counter of another owner is read");
	bpfperf_close(&c, 1);
	ok(read(fd, &after, sizeof(after)) == sizeof(after) && in_order(&val, &after),
	   "closing a counter of another owner leaves its descriptor open");
	close(fd);
	ok(bpfperf_attach(&c, fd) == -EBADF, "a closed counter cannot be mapped");
}

/* A counter before it is enabled, while it counts, and after it has counted. */
enum stage { STAGE_NEW, STAGE_COUNTS, STAGE_COUNTED, STAGES };

static const char *const stage_names[] = { "not enabled", "counting", "stopped" };

/* A counter with a read_format, in a stage; pages: faults that it has counted. -1: refused. */
static int open_format(const struct perf_event_attr *wanted, uint64_t format, enum stage stage,
		       size_t pages)
{
	struct perf_event_attr attr = *wanted;
	int fd;

	attr.size = sizeof(attr);
	attr.disabled = 1;
	attr.read_format = format;
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (fd < 0 || stage == STAGE_NEW)
		return fd;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	touch_pages(pages);
	if (stage == STAGE_COUNTED)
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	return fd;
}

/*
 * Attaches with each read_format that the kernel has; the number of wrong results. The bit of 16 is
 * PERF_FORMAT_LOST, which headers before 6.0 lack: in place of a time it looks like the time of a
 * counter that has never run.
 */
static unsigned int attach_formats(const struct perf_event_attr *attr, enum stage stage,
				   size_t pages, unsigned int *tried)
{
	const uint64_t both = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	unsigned int wrong = 0;
	uint64_t format;

	for (format = 0; format < 32; format++) {
		int fd = open_format(attr, format, stage, pages), err;
		bool looks_right = stage == STAGE_NEW && (format == 17 || format == 18);
		struct bpfperf_counter c;

		if (fd < 0)
			continue;
		err = bpfperf_attach(&c, fd);
		++*tried;
		if (!looks_right && err != (format == both ? 0 : -EINVAL)) {
			diag("read_format %" PRIu64 ", %s: %d", format, stage_names[stage], err);
			wrong++;
		}
		bpfperf_close(&c, 1);
		close(fd);
	}
	return wrong;
}

static void test_formats(void)
{
	static const size_t pages[] = { 0, 1, 2, 97 };
	const struct perf_event_attr *attrs[] = { &faults, &task_clock };
	unsigned int stage, tried = 0, wrong = 0;
	struct bpfperf_counter c;
	int pipes[2];
	size_t i, j;

	for (stage = 0; stage < STAGES; stage++)
		for (i = 0; i < 2; i++)
			for (j = 0; j < 4; j++)
				wrong += attach_formats(attrs[i], stage, pages[j], &tried);
	ok(tried >= STAGES * 2 * 4 * 16, "counters of %u read_formats are attached", tried);
	is_u64(wrong, 0, "attach: only value, enabled and running is accepted");
	if (pipe(pipes) == 0) {
		ok(bpfperf_attach(&c, pipes[0]) == -ENOTTY && c.fd == -1,
		   "attach: a pipe is refused, and not read");
		close(pipes[0]);
		close(pipes[1]);
	}
}

/* The reason why a counter that another thread opened is read by read(2). */
static const char *elsewhere = "another thread";

static void *read_elsewhere(void *arg)
{
	struct bpfperf_value val;

	return (void *)(intptr_t)(bpfperf_read(arg, &val) == BPFPERF_READ && bpfperf_why(arg) &&
				  strstr(bpfperf_why(arg), elsewhere));
}

/* Opens a counter of a PMU; without one, a clock of the kernel, which has a reason of its own. */
static int open_of_pmu(struct bpfperf_counter *c)
{
	struct perf_event_attr cycles = { .type = PERF_TYPE_HARDWARE, .size = sizeof(cycles) }, tsc;
	FILE *type = fopen("/sys/bus/event_source/devices/msr/type", "r");

	tsc = cycles;
	if (type && fscanf(type, "%u", &tsc.type) != 1)
		tsc.type = PERF_TYPE_HARDWARE;
	if (type)
		fclose(type);
	if (!bpfperf_open(c, &cycles, 1, NULL) || !bpfperf_open(c, &tsc, 1, NULL))
		return 0;
	elsewhere = "counted by the kernel";
	return bpfperf_open(c, &task_clock, 1, NULL);
}

/* Returns the number of what is wrong. */
static int read_in_child(const struct bpfperf_counter *c)
{
	struct bpfperf_value val;
	uint64_t value;

	if (bpfperf_read(c, &val) != BPFPERF_READ || !val.value)
		return 1;
	if (bpfperf_read_value(c, &value) != BPFPERF_READ || !value)
		return 2;
	return strstr(bpfperf_why(c), elsewhere) ? 0 : 3;
}

/* Forks as _Fork(3) does: no handler of pthread_atfork(3) runs. */
static pid_t fork_silently(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static void test_owner(void)
{
	struct bpfperf_counter c;
	pthread_t thread;
	void *good;
	int status;
	pid_t pid;

	if (open_of_pmu(&c))
		return;
	pthread_create(&thread, NULL, read_elsewhere, &c);
	pthread_join(thread, &good);
	ok(good, "another thread reads the counter by read(2) and gets the reason");
	pid = fork();
	if (pid == 0)
		_exit(read_in_child(&c));
	waitpid(pid, &status, 0);
	ok(status == 0, "a child reads the counter by read(2) and gets the reason");
	pid = fork_silently();
	if (pid == 0)
		_exit(read_in_child(&c));
	waitpid(pid, &status, 0);
	is_u64((uint64_t)status, 0,
	       "a child of _Fork() reads the counter by read(2) and gets the reason");
	bpfperf_close(&c, 1);
}

/* Whether there is any memory. */
static bool is_mapped(const void *page)
{
	unsigned char is_resident;

	return !mincore((void *)(uintptr_t)page, (size_t)sysconf(_SC_PAGESIZE), &is_resident);
}

static void *close_elsewhere(void *arg)
{
	struct bpfperf_counter *c = arg;
	const void *page = c->page;

	bpfperf_close(c, 1);
	return (void *)(intptr_t)!is_mapped(page);
}

/*
 * A child has none of its parent's pages; where one was, it may have something of its own. The
 * number of what is wrong.
 */
static int close_in_child(struct bpfperf_counter *c)
{
	volatile char *mine = mmap((void *)(uintptr_t)c->page, c->page_sz, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	struct bpfperf_counter own;
	const void *page;

	if (mine != c->page)
		return 1;
	*mine = 42;
	bpfperf_close(c, 1);
	if (c->fd != -1 || !is_mapped((const void *)mine) || *mine != 42)
		return 2;
	if (bpfperf_open(&own, &task_clock, 1, NULL) || !own.page)
		return 3;
	page = own.page;
	bpfperf_close(&own, 1);
	return is_mapped(page) ? 4 : 0;
}

static void test_close(void)
{
	struct bpfperf_value before, after;
	struct bpfperf_counter c;
	pthread_t thread;
	int status = -1;
	void *good;
	pid_t pid;

	if (bpfperf_open(&c, &task_clock, 1, NULL))
		return;
	if (!c.page) {
		skip("the page of a counter cannot be mapped here");
		bpfperf_close(&c, 1);
		return;
	}
	before = read_fd(&c);
	pid = fork();
	if (pid == 0)
		_exit(close_in_child(&c));
	waitpid(pid, &status, 0);
	is_u64((uint64_t)status, 0,
	       "a child closes the counter, and its own: only that was mapped there");
	pid = fork_silently();
	if (pid == 0)
		_exit(close_in_child(&c));
	waitpid(pid, &status, 0);
	is_u64((uint64_t)status, 0,
	       "a child of _Fork() closes the counter, and its own: only that was mapped there");
	after = read_fd(&c);
	ok(is_mapped(c.page) && in_order(&before, &after) && after.value > before.value,
	   "a child closes the counter: the parent's is still read");
	pthread_create(&thread, NULL, close_elsewhere, &c);
	pthread_join(thread, &good);
	ok(good, "another thread closes the counter: it is unmapped");
}

/* perf's time of a renaming of this thread, from the kernel's record of it. */
static uint64_t stamp(int fd, struct perf_event_mmap_page *page)
{
	char *data = (char *)page + page->data_offset, rec[256];
	struct perf_event_header *hdr = (void *)rec;
	uint64_t tail = page->data_tail, i, time;

	prctl(PR_SET_NAME, "selfmon");
	for (i = 0; i < sizeof(*hdr); i++)
		rec[i] = data[(tail + i) % page->data_size];
	if (page->data_head == tail || hdr->size > sizeof(rec) || hdr->type != PERF_RECORD_COMM)
		return 0;
	for (; i < hdr->size; i++)
		rec[i] = data[(tail + i) % page->data_size];
	page->data_tail = tail + hdr->size;
	/* With PERF_SAMPLE_TIME alone, sample_id is the time. */
	memcpy(&time, rec + hdr->size - sizeof(time), sizeof(time));
	return time;
}

static void test_clock(double seconds)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY,
					.sample_type = PERF_SAMPLE_TIME,
					.comm = 1,
					.sample_id_all = 1 };
	uint64_t outside = 0, worst = 0, begin, end, before, time, after, stamps = 0;
	int64_t raw_ns, least = INT64_MIN, most = INT64_MAX;
	size_t page_sz = (size_t)sysconf(_SC_PAGESIZE);
	struct bpfperf_clock clk;
	struct timespec raw, wait = { 0, 1000000 };
	void *page;
	int fd, err;

	err = bpfperf_clock_open(&clk);
	if (err) {
		ok(err == -ENOTSUP, "no clock is offered: %s", strerror(-err));
		skip("the clock cannot be converted here (kernel clock is not the hardware's)");
		return;
	}
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	page = mmap(NULL, 2 * page_sz, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (!ok(page != MAP_FAILED, "a ring for perf's timestamps"))
		return;
	begin = bpfperf_cycles_to_ns(&clk, bpfperf_cycles());
	do {
		before = bpfperf_cycles_to_ns(&clk, bpfperf_cycles());
		time = stamp(fd, page);
		after = bpfperf_cycles_to_ns(&clk, bpfperf_cycles());
		clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
		end = bpfperf_cycles_to_ns(&clk, bpfperf_cycles());
		stamps++;
		if (time + 1000 < before || time > after + 1000)
			outside++;
		if (time < before && before - time > worst)
			worst = before - time;
		if (time > after && time - after > worst)
			worst = time - after;
		/* The difference of the two clocks, which was read between `after` and `end`. */
		raw_ns = (int64_t)raw.tv_sec * 1000000000 + raw.tv_nsec;
		if (raw_ns - (int64_t)end > least)
			least = raw_ns - (int64_t)end;
		if (raw_ns - (int64_t)after < most)
			most = raw_ns - (int64_t)after;
		nanosleep(&wait, NULL);
	} while (end - begin < (uint64_t)(seconds * 1e9));
	is_u64(outside, 0, "%" PRIu64 " timestamps of perf are where the clock was, within 1 us",
	       stamps);
	/*
	 * The kernel multiplies the cycles of CLOCK_MONOTONIC_RAW by a rounded number of 23 bits
	 * (clocks_calc_mult_shift() for 600 s of a GHz clock): half of its last bit is 60 ns a
	 * second.
	 */
	ok(least - most<100 + (int64_t)(60 * seconds),
			   "in %.1f s it and CLOCK_MONOTONIC_RAW moved apart by %" PRId64
			   " ns at least",
			   seconds, least>
				   most
		   ? least - most
		   : 0);
	diag("a timestamp was %" PRIu64 " ns outside at most", worst);
	munmap(page, 2 * page_sz);
	close(fd);
}

/* A file that a sentence names; true also if it names none. */
static bool names_what_exists(const char *why)
{
	const char *from = strstr(why, "/sys/") ? strstr(why, "/sys/") : strstr(why, "/proc/");
	char path[256];

	if (!from)
		return true;
	snprintf(path, sizeof(path), "%.*s", (int)strcspn(from, " ,;:"), from);
	return !access(path, F_OK);
}

/* The first event of each PMU of this machine, and one that the kernel counts. */
static void test_reasons(void)
{
	struct perf_event_attr attr = { 0 };
	struct bpfperf_counter c;
	unsigned int refused = 0;
	const char *why;

	for (attr.type = 0; attr.type < 64; attr.type++) {
		attr.config = attr.type == PERF_TYPE_SOFTWARE ? PERF_COUNT_SW_TASK_CLOCK : 0;
		if (bpfperf_open(&c, &attr, 1, NULL)) {
			refused++;
			continue;
		}
		why = bpfperf_why(&c);
		ok(!why || names_what_exists(why), "type %u: %s", attr.type,
		   why ? why : "is read in user space");
		bpfperf_close(&c, 1);
	}
	diag("%u types have no PMU here that counts tasks", refused);
}

int main(int argc, char **argv)
{
	test_reads();
	test_group();
	test_attach();
	test_formats();
	test_owner();
	test_close();
	test_reasons();
	test_clock(argc > 1 ? atof(argv[1]) : 2);
	return done_testing();
}
