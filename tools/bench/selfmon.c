// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * selfmon WHAT N: N reads of a counter, each way; prints the nanoseconds of one.
 *   none   an empty loop
 *   value  the value, in user space, of a simulated page whose PMU is a word in memory
 *   times  value and times, the same way, with a simulated clock
 *   lib    bpfperf_read() of task-clock, or of cycles where user space can read them
 *   read   read(2) of the same counter
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "selfmon/bpfperf.h"
#include "selfmon/page.h"

static struct perf_event_mmap_page page = {
	.cap_user_rdpmc = 1,
	.cap_user_time = 1,
	.index = 1,
	.pmc_width = 48,
	.time_mult = 1u << 10,
	.time_shift = 10,
};
static volatile uint64_t word = 12345;

static uint64_t word_pmc(uint32_t idx)
{
	return word + idx;
}

static uint64_t word_clock(void)
{
	return word;
}

/* Not inlined, as a call of the library is not. */
static __attribute__((noinline)) int read_value(uint64_t *value)
{
	return page__read_value(&page, word_pmc, value);
}

static __attribute__((noinline)) int read_times(struct bpfperf_value *val)
{
	return page__read(&page, word_pmc, word_clock, val);
}

static int open_counter(struct bpfperf_counter *c)
{
	struct perf_event_attr cycles = { .type = PERF_TYPE_HARDWARE,
					  .config = PERF_COUNT_HW_CPU_CYCLES,
					  .exclude_kernel = 1 };
	struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_TASK_CLOCK,
					 .exclude_kernel = 1 };

	return bpfperf_open(c, &cycles, 1, NULL) ? bpfperf_open(c, &clock, 1, NULL) : 0;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000, i;
	struct bpfperf_counter c = { .fd = -1 };
	struct bpfperf_value val = { 0 };
	uint64_t start_ns, buf[3];

	if ((!strcmp(what, "lib") || !strcmp(what, "read")) && open_counter(&c))
		return 77;
	start_ns = now_ns();
	if (!strcmp(what, "none"))
		for (i = 0; i < n; i++)
			__asm__ volatile("" : : "r"(&val) : "memory");
	else if (!strcmp(what, "value"))
		for (i = 0; i < n; i++)
			read_value(&val.value);
	else if (!strcmp(what, "times"))
		for (i = 0; i < n; i++)
			read_times(&val);
	else if (!strcmp(what, "lib"))
		for (i = 0; i < n; i++)
			bpfperf_read(&c, &val);
	else if (!strcmp(what, "read"))
		for (i = 0; i < n && read(c.fd, buf, sizeof(buf)) == sizeof(buf); i++)
			;
	else
		return 2;
	printf("%.1f\n", (double)(now_ns() - start_ns) / (double)n);
	return 0;
}
