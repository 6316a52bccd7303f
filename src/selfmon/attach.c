// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Wraps a counter that the caller opened. The kernel reports no read_format of a descriptor, so it
 * is concluded from what read(2) returns: its size, and words that cannot be the two times.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "selfmon/page.h"
#include "selfmon/priv.h"

/* A counter's words in the format that is asked for. */
struct reading {
	uint64_t value, enabled_ns, running_ns;
};

/*
 * 1; 0 if the counter is pinned and in error state, when no format has a word; -EINVAL if the
 * format has another size. A larger format is refused by the kernel (ENOSPC).
 */
static int read_words(int fd, struct reading *r)
{
	ssize_t n;

	do {
		n = read(fd, r, sizeof(*r));
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == ENOSPC ? -EINVAL : -errno;
	if (n == 0)
		return 0;
	return n == (ssize_t)sizeof(*r) ? 1 : -EINVAL;
}

/* Copies the members of the page that the kernel set together. */
static void copy_page(struct perf_event_mmap_page *to, const struct perf_event_mmap_page *page)
{
	uint32_t seq;

	do {
		seq = page__begin(page);
		to->index = ONCE(page->index);
		to->offset = ONCE(page->offset);
		to->time_running = ONCE(page->time_running);
	} while (page__retry(page, seq));
}

/*
 * Two other format bits make three words, too. True if the words of a reading before the page was
 * mapped and of one after it can be value, enabled and running:
 *   ID     no time equals the counter's id twice
 *   LOST   is 0 in a counter, while running is at least the page's and not 0 with a value
 *   GROUP  begins with the number of counters, 1; a value behind it does not fit between the times
 * LOST in place of a time is not noticed in a counter that has never been on the PMU.
 */
static bool has_both_times(const struct reading *before, const struct reading *after, uint64_t id,
			   const struct perf_event_mmap_page *page)
{
	bool is_still = before->running_ns == after->running_ns;
	bool begins_with_1 = before->value == 1 && after->value == 1;

	if (is_still && after->running_ns == id)
		return false;
	if (before->enabled_ns == id && after->enabled_ns == id)
		return false;
	if (after->running_ns > after->enabled_ns || (after->value && !after->running_ns))
		return false;
	if (after->running_ns < page->time_running && (is_still || begins_with_1))
		return false;
	/* The offset of a counter that is not on the PMU is its value. */
	return !begins_with_1 || page->index || page->offset <= 1;
}

int bpfperf_attach(struct bpfperf_counter *c, int fd)
{
	struct perf_event_mmap_page page;
	struct reading before, after;
	uint64_t id;
	int had, err;

	*c = (struct bpfperf_counter){ .fd = -1, .leader_fd = -1 };
	/* First, since this fails of each other file, which read(2) might wait for. */
	if (ioctl(fd, PERF_EVENT_IOC_ID, &id))
		return -errno;
	had = read_words(fd, &before);
	if (had < 0)
		return had;
	*c = (struct bpfperf_counter){ .fd = fd, .leader_fd = fd, .cnt = 1, .type = UINT32_MAX };
	err = counter__map_page(c);
	if (err)
		goto cleanup;
	copy_page(&page, c->page);
	err = read_words(fd, &after);
	if (err == 1)
		err = had && !has_both_times(&before, &after, id, &page) ? -EINVAL : 0;
cleanup:
	if (err)
		bpfperf_close(c, 1);
	return err;
}
