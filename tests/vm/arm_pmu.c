// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The arm64 PMU of a guest whose clock is its instruction count: a counter counts the same in
 * each run, overflows deliver samples, and user space reads a counter without a system call once
 * perf_user_access is 1. Prints TAP.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

#define USER_ACCESS "/proc/sys/kernel/perf_user_access"
#define LOOPS 1000000UL

/* config1 of the armv8 PMU: bit 1 user access. */
#define CONFIG1_USER 2

static int open_counter(uint64_t config, uint64_t config1, uint64_t period)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = config,
		.config1 = config1,
		.sample_period = period,
		.sample_type = period ? PERF_SAMPLE_IP : 0,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.disabled = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

/* Two instructions a round. */
static void loop(unsigned long rounds)
{
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(rounds) : : "cc");
}

static uint64_t count_loop(int fd)
{
	uint64_t val = 0;

	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	loop(LOOPS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	return read(fd, &val, sizeof(val)) == sizeof(val) ? val : 0;
}

static void test_counting(void)
{
	int fd = open_counter(PERF_COUNT_HW_INSTRUCTIONS, 0, 0);
	uint64_t first, again;

	if (!ok(fd >= 0, "instructions can be counted (%s)", fd < 0 ? strerror(errno) : "yes"))
		return;
	first = count_loop(fd);
	again = count_loop(fd);
	ok(first >= 2 * LOOPS && first < 2 * LOOPS + 1000, "a loop of %lu instructions counts %llu",
	   2 * LOOPS, (unsigned long long)first);
	/* A timer's interrupt in between costs a few on the way in and out. */
	ok(first - again + 100 <= 200, "the same loop counts %llu again",
	   (unsigned long long)again);
	close(fd);
}

static void test_overflow(void)
{
	int fd = open_counter(PERF_COUNT_HW_CPU_CYCLES, 0, 100000);
	size_t page_sz = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page;
	uint64_t cycles, samples;

	if (!ok(fd >= 0, "cycles can be sampled (%s)", fd < 0 ? strerror(errno) : "yes"))
		return;
	page = mmap(NULL, 9 * page_sz, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (!ok(page != MAP_FAILED, "into a ring"))
		return;
	cycles = count_loop(fd);
	/* struct perf_event_header and the address */
	samples = page->data_head / 16;
	ok(samples + 1 >= cycles / 100000 && samples <= cycles / 100000,
	   "%llu cycles give %llu samples of 100000", (unsigned long long)cycles,
	   (unsigned long long)samples);
	munmap(page, 9 * page_sz);
	close(fd);
}

#ifdef __aarch64__
static uint64_t read_cycle_counter(void)
{
	uint64_t val;

	__asm__ volatile("isb\n\tmrs %0, pmccntr_el0" : "=r"(val));
	return val;
}
#else
static uint64_t read_cycle_counter(void)
{
	return 0;
}
#endif

static void allow_user_access(void)
{
	FILE *f = fopen(USER_ACCESS, "w");

	ok(f && fputs("1", f) >= 0 && fclose(f) == 0, "perf_user_access can be set");
}

static void test_user_access(void)
{
	struct perf_event_mmap_page *page;
	uint64_t before, after;
	int fd;

	if (access(USER_ACCESS, W_OK)) {
		skip("user-space reads: this kernel has no perf_user_access");
		return;
	}
	allow_user_access();
	fd = open_counter(PERF_COUNT_HW_CPU_CYCLES, CONFIG1_USER, 0);
	page = fd < 0 ? MAP_FAILED
		      : mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	if (!ok(page != MAP_FAILED, "a counter's page is mapped"))
		return;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	/* 32 is the cycle counter; the page's index is one more, 0 means none. */
	if (!ok(page->cap_user_rdpmc && page->index == 32, "user space may read counter %u",
		page->index))
		return;
	before = read_cycle_counter();
	loop(LOOPS);
	after = read_cycle_counter();
	ok(after - before >= LOOPS && after - before < 100 * LOOPS,
	   "user space sees %llu cycles in a loop", (unsigned long long)(after - before));
	close(fd);
}

int main(void)
{
	test_counting();
	test_overflow();
	test_user_access();
	return done_testing();
}
