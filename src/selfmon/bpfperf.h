/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * libbpfperf: a thread reads its own performance counters, without a system call if the machine
 * allows it. See libbpfperf(3).
 *
 * The functions print nothing and return 0 or more, or -errno. Reads do not allocate, take no lock,
 * and are safe in signal handlers.
 */
#ifndef BPFPERF_H
#define BPFPERF_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define BPFPERF_GROUP_MAX 64 /* counters of one group */

/* A counter's value. enabled: the time it was enabled; running: the time it was on the PMU. */
struct bpfperf_value {
	uint64_t value;
	uint64_t enabled_ns, running_ns;
};

/* One counter. Members other than fd are internal to the library. */
struct bpfperf_counter {
	const void *page; /* struct perf_event_mmap_page, or NULL */
	uint64_t owner; /* the thread that the counter belongs to */
	int fd; /* -1: closed */
	int leader_fd; /* leader of its group; fd if it is the leader or alone */
	uint16_t idx, cnt; /* its index in the group and the group's size */
	uint32_t page_sz;
	uint32_t owns_fd;
	uint32_t type; /* of its attr; UINT32_MAX: unknown */
};

/* How a value was read. */
enum bpfperf_how {
	BPFPERF_USER = 0, /* in user space */
	BPFPERF_READ = 1, /* by read(2): bpfperf_why() gives the reason */
};

/*
 * bpfperf_open() with attrs of attr_sz bytes each, as struct perf_event_attr is larger in the
 * headers of newer kernels. Bytes unknown to the library must be 0, else -E2BIG. bpfperf_open() is
 * inlined into the program, with its size; the linkable function of that name uses the library's
 * own size.
 */
int bpfperf_open_sized(struct bpfperf_counter *counters, const struct perf_event_attr *attrs,
		       size_t attr_sz, size_t cnt, size_t *bad);
/*
 * Opens cnt counters of the calling thread as one group that counts at the same time, counters[0]
 * its leader; one: a counter alone. attrs[i] needs type and config, and may have config1, config2,
 * exclude_*, pinned and exclusive; the library sets size, read_format, what the architecture wants
 * for reads from user space, and exclude_guest where the PMU cannot count guests. The leader's
 * `disabled` is kept: with it, nothing counts until bpfperf_enable(). 0; or -errno of what was
 * refused, its index in *bad (bad may be NULL), and nothing is open.
 */
#ifdef BPFPERF_LINKED
int bpfperf_open(struct bpfperf_counter *counters, const struct perf_event_attr *attrs, size_t cnt,
		 size_t *bad);
#else
static inline int bpfperf_open(struct bpfperf_counter *counters,
			       const struct perf_event_attr *attrs, size_t cnt, size_t *bad)
{
	return bpfperf_open_sized(counters, attrs, sizeof(*attrs), cnt, bad);
}
#endif
/*
 * Wraps a counter with perf_event_open(2)'s fd, which the caller must close: not in a group, with
 * PERF_FORMAT_TOTAL_TIME_ENABLED|_RUNNING as its read_format, not inherited, and of the calling
 * thread; or of a CPU, as long as the caller is bound to that CPU. 0; -EINVAL if the counter has
 * another read_format; -errno. After an error the counter is closed, and fd is open.
 */
int bpfperf_attach(struct bpfperf_counter *counter, int fd);
/*
 * Unmaps and closes; for a group, all of it. A struct that was never opened must be zeroed with fd
 * -1. Closing in a child of fork(2) leaves the parent's counters open in the parent.
 */
void bpfperf_close(struct bpfperf_counter *counters, size_t cnt);

/* Controls the whole group led by counters[0], or one counter alone. 0 or -errno. */
int bpfperf_enable(const struct bpfperf_counter *leader);
int bpfperf_disable(const struct bpfperf_counter *leader);
int bpfperf_reset(const struct bpfperf_counter *leader);

/* Reads the current value and times: an enum bpfperf_how, or -errno. */
int bpfperf_read(const struct bpfperf_counter *counter, struct bpfperf_value *val);
/*
 * Reads the value alone: cheaper, and without a system call even if the page has no clock (most
 * virtual machines).
 */
int bpfperf_read_value(const struct bpfperf_counter *counter, uint64_t *val);
/*
 * Reads all cnt counters of the group led by counters[0] at one time on the PMU: the kernel changed
 * none of them between the first read and the last.
 */
int bpfperf_read_group(const struct bpfperf_counter *counters, size_t cnt,
		       struct bpfperf_value *vals);

/*
 * The reason why bpfperf_read() needs read(2) at this moment, as one sentence with its remedy; NULL
 * if it does not. Static storage.
 */
const char *bpfperf_why(const struct bpfperf_counter *counter);

/* value × enabled ÷ running, rounded down: the extrapolated count. 0 if it never ran. */
uint64_t bpfperf_scaled(const struct bpfperf_value *val);

/* The hardware clock (TSC, CNTVCT) beside perf's clock, which stamps samples. */
struct bpfperf_clock {
	uint64_t time_zero, time_cycles, time_mask;
	uint32_t time_mult;
	uint16_t time_shift;
};

/*
 * Reads the conversion from the kernel. It is valid for all threads and CPUs, until the kernel
 * changes its clock (TSC recalibrated or found unstable). 0; -ENOTSUP if the kernel offers none, as
 * in most virtual machines; -errno.
 */
int bpfperf_clock_open(struct bpfperf_clock *clock);
/* The hardware clock now; 0 if there is none that user space may read. */
uint64_t bpfperf_cycles(void);
/* Converts a value of the hardware clock to perf's time in ns, and back. */
uint64_t bpfperf_cycles_to_ns(const struct bpfperf_clock *clock, uint64_t cycles);
uint64_t bpfperf_ns_to_cycles(const struct bpfperf_clock *clock, uint64_t ns);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
