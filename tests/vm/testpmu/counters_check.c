// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The PMU "testpmu" as the kernel schedules it: what fits its four counters counts all the time,
 * what does not is refused or takes turns, and counts and samples are what the events say.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

#define PMU "/sys/bus/event_source/devices/testpmu/"
#define EVENT_MAX 8
/* attr.config, as in the PMU's format directory. */
#define TIME 0x0ull
#define TICK 0x1ull
#define ON(counters) ((uint64_t)(counters) << 8)
#define RATE(rate) ((uint64_t)(rate) << 12)

struct reading {
	uint64_t value, enabled_ns, running_ns;
};

static int pmu_type_id;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void burn(uint64_t ms)
{
	uint64_t end_ns = now_ns() + ms * 1000000;

	while (now_ns() < end_ns)
		;
}

static int pmu_type(void)
{
	FILE *f = fopen(PMU "type", "r");
	int type = -1;

	if (f && fscanf(f, "%d", &type) != 1)
		type = -1;
	if (f)
		fclose(f);
	return type;
}

static struct perf_event_attr attr_of(uint64_t config)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = pmu_type_id,
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return attr;
}

/* A file descriptor or -errno. */
static int open_attr(struct perf_event_attr *attr, int leader)
{
	int fd = syscall(SYS_perf_event_open, attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int open_event(uint64_t config, int leader)
{
	struct perf_event_attr attr = attr_of(config);

	return open_attr(&attr, leader);
}

/* Opens a group; the result is that of the last event that was tried. */
static int open_group(const uint64_t *configs, int cnt, int *fds)
{
	int i;

	for (i = 0; i < EVENT_MAX; i++)
		fds[i] = -1;
	for (i = 0; i < cnt; i++) {
		fds[i] = open_event(configs[i], i ? fds[0] : -1);
		if (fds[i] < 0)
			return fds[i];
	}
	return 0;
}

static void close_all(int *fds)
{
	int i;

	for (i = EVENT_MAX - 1; i >= 0; i--) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

static struct reading read_event(int fd)
{
	struct reading r = {};

	if (read(fd, &r, sizeof(r)) != sizeof(r))
		memset(&r, 0, sizeof(r));
	return r;
}

static unsigned int percent(struct reading r)
{
	return r.enabled_ns ? r.running_ns * 100 / r.enabled_ns : 0;
}

/* Part is within a tenth of whole, of which the kernel's clock and ours differ. */
static bool is_near(uint64_t part, uint64_t whole)
{
	return part >= whole - whole / 10 && part <= whole + whole / 10;
}

static void tick(unsigned int units)
{
	char text[16];
	int fd = open(PMU "tick", O_WRONLY | O_CLOEXEC), len;

	len = snprintf(text, sizeof(text), "%u", units);
	if (fd < 0 || write(fd, text, len) != len)
		ok(false, "a tick is written: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
}

static void check_exact(void)
{
	int fd = open_event(TICK, -1), fast = open_event(TICK | RATE(3), -1), i;

	for (i = 0; i < 10; i++)
		tick(1000);
	is_u64(read_event(fd).value, 10000, "ticks are counted");
	is_u64(read_event(fast).value, 30000, "rate multiplies them");
	close(fd);
	close(fast);
}

/* Samples that are in the ring of an event, which holds nothing else. */
static uint64_t sample_cnt(struct perf_event_mmap_page *page)
{
	uint64_t at, cnt = 0, head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	struct perf_event_header *h;

	for (at = 0; at < head; at += h->size) {
		h = (struct perf_event_header *)((uint8_t *)page + page->data_offset + at);
		cnt += h->type == PERF_RECORD_SAMPLE;
	}
	return cnt;
}

static void *map_ring(int fd)
{
	size_t sz = (1 + 16) * (size_t)sysconf(_SC_PAGESIZE);

	return mmap(NULL, sz, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void check_sampling(uint64_t config, uint64_t period, const char *name)
{
	struct perf_event_attr attr = attr_of(config);
	struct perf_event_mmap_page *page;
	uint64_t cnt, want;
	int fd, i;

	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME;
	attr.disabled = 1;
	fd = open_attr(&attr, -1);
	page = fd < 0 ? MAP_FAILED : map_ring(fd);
	if (!ok(page != MAP_FAILED, "%s: an event that samples is opened", name))
		return;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	if (config & TICK) {
		for (i = 0; i < 20; i++)
			tick(500);
	} else {
		burn(500);
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	cnt = sample_cnt(page);
	want = read_event(fd).value / period;
	/* The last may have become due with the end; of those due at once the PMU takes 32. */
	if (config & TICK)
		is_u64(cnt, want, "%s: a sample a period", name);
	else
		ok(cnt + 1 + want / 10 >= want && cnt <= want,
		   "%s: %" PRIu64 " samples in %" PRIu64 " periods", name, cnt, want);
	close(fd);
}

static void check_groups(void)
{
	static const uint64_t any[] = { TIME, TIME, TIME, TIME, TIME };
	static const uint64_t same[] = { TIME | ON(1), TIME | ON(1) };
	static const uint64_t three[] = { TIME | ON(3), TIME | ON(3), TIME | ON(3) };
	/* They fit, though not each on the first counter it may be on. */
	static const uint64_t moved[] = { TIME, TIME | ON(3), TIME | ON(3), TIME | ON(4) };
	int fds[EVENT_MAX];

	ok(!open_group(any, 4, fds), "a group of four");
	burn(100);
	ok(percent(read_event(fds[0])) >= 99 && percent(read_event(fds[3])) >= 99,
	   "a group of four counts all the time");
	close_all(fds);
	is_u64(-open_group(any, 5, fds), EINVAL, "a group of five is refused");
	close_all(fds);
	is_u64(-open_group(same, 2, fds), EINVAL, "two of one counter in a group are refused");
	close_all(fds);
	is_u64(-open_group(three, 3, fds), EINVAL, "three of two counters in a group are refused");
	close_all(fds);
	ok(!open_group(moved, 4, fds), "a group that fits when its events are moved");
	burn(100);
	ok(percent(read_event(fds[0])) >= 99 && percent(read_event(fds[3])) >= 99,
	   "a group that fits when its events are moved counts all the time");
	close_all(fds);
}

/* cnt events on counters for fewer: each runs its share, and its scaled count is the time. */
static void check_shared(int cnt, int counters, uint64_t config, const char *name)
{
	unsigned int share = counters * 100 / cnt, sum = 0;
	int fds[EVENT_MAX], i, fair = 0, right = 0;
	struct reading r;

	for (i = 0; i < EVENT_MAX; i++)
		fds[i] = i < cnt ? open_event(config, -1) : -1;
	burn(1500);
	for (i = 0; i < cnt; i++) {
		r = read_event(fds[i]);
		sum += percent(r);
		fair += percent(r) + 20 >= share && percent(r) <= share + 20;
		right += is_near(r.value, r.running_ns);
		printf("# %s: %" PRIu64 " counted, %" PRIu64 " of %" PRIu64 " ns, %u%%\n", name,
		       r.value, r.running_ns, r.enabled_ns, percent(r));
	}
	is_u64(fair, cnt, "%s: each has its share", name);
	is_u64(right, cnt, "%s: each counts while it runs, and only then", name);
	ok(sum + 8 >= counters * 100u && sum <= counters * 100u + 8, "%s: %u%% in all", name, sum);
	close_all(fds);
}

static void check_pinned(void)
{
	struct perf_event_attr attr = attr_of(TIME);
	struct reading r;
	int fds[EVENT_MAX], i, running = 0;

	attr.pinned = 1;
	for (i = 0; i < EVENT_MAX; i++)
		fds[i] = i < 5 ? open_attr(&attr, -1) : -1;
	burn(100);
	for (i = 0; i < 4; i++)
		running += percent(read_event(fds[i])) >= 99;
	is_u64(running, 4, "four pinned events count all the time");
	is_u64(read(fds[4], &r, sizeof(r)), 0, "the fifth is in error");
	close_all(fds);
}

static void check_refusals(void)
{
	struct perf_event_attr attr = attr_of(TIME);

	is_u64(-open_event(2, -1), EINVAL, "an event that is not there");
	is_u64(-open_event(1ull << 20, -1), EINVAL, "bits that are not there");
	attr.exclude_kernel = 1;
	is_u64(-open_attr(&attr, -1), EOPNOTSUPP, "counts are not split by mode");
}

int main(void)
{
	pmu_type_id = pmu_type();
	if (pmu_type_id < 0)
		skip_all("there is no PMU testpmu; insmod testpmu.ko");
	check_exact();
	check_sampling(TICK, 1000, "tick");
	check_sampling(TIME, 5000000, "time");
	check_groups();
	check_shared(6, 4, TIME, "six on four");
	check_shared(2, 1, TIME | ON(8), "two on one");
	check_pinned();
	check_refusals();
	return done_testing();
}
