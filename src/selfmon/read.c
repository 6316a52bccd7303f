// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Reads the counters of libbpfperf in user space, and explains a failed read. */
#include <string.h>
#include <unistd.h>

#include "selfmon/arch.h"
#include "selfmon/owner.h"
#include "selfmon/page.h"
#include "selfmon/why.h"

/* read(2) returns three words for a group, then a value for each member. */
#define GROUP_HEAD 3

static bool is_readable(const struct bpfperf_counter *c)
{
	return ARCH_HAS_PMC && c->page && owner__is_self(c->owner);
}

static int read_words(int fd, uint64_t *words, size_t cnt)
{
	ssize_t n;

	do {
		n = read(fd, words, cnt * sizeof(*words));
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	/* No data: the event is pinned, and there was no counter for it. */
	return n == (ssize_t)(cnt * sizeof(*words)) ? BPFPERF_READ : -ENODATA;
}

static int read_group(const struct bpfperf_counter *c, size_t cnt, struct bpfperf_value *vals)
{
	uint64_t words[GROUP_HEAD + BPFPERF_GROUP_MAX];
	int how = read_words(c->leader_fd, words, GROUP_HEAD + cnt);
	size_t i;

	for (i = 0; i < cnt && how >= 0; i++)
		vals[i] = (struct bpfperf_value){ words[GROUP_HEAD + i], words[1], words[2] };
	return how;
}

static int read_fd(const struct bpfperf_counter *c, struct bpfperf_value *val)
{
	struct bpfperf_value group[BPFPERF_GROUP_MAX];
	uint64_t words[3];
	int how;

	if (c->cnt > 1) {
		how = read_group(c, c->cnt, group);
		if (how >= 0)
			*val = group[c->idx];
		return how;
	}
	how = read_words(c->fd, words, 3);
	if (how >= 0)
		*val = (struct bpfperf_value){ words[0], words[1], words[2] };
	return how;
}

int bpfperf_read(const struct bpfperf_counter *c, struct bpfperf_value *val)
{
	if (is_readable(c) && page__read(c->page, arch_pmc, arch_cycles, val) == 0)
		return BPFPERF_USER;
	return read_fd(c, val);
}

int bpfperf_read_value(const struct bpfperf_counter *c, uint64_t *value)
{
	struct bpfperf_value val;
	int how;

	if (is_readable(c) && page__read_value(c->page, arch_pmc, value) == 0)
		return BPFPERF_USER;
	how = read_fd(c, &val);
	if (how >= 0)
		*value = val.value;
	return how;
}

/* Whether any page was written since its number was taken. */
static bool any_retry(const struct bpfperf_counter *c, size_t cnt, const uint32_t *seqs)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (page__retry(c[i].page, seqs[i]))
			return true;
	return false;
}

static int read_pages(const struct bpfperf_counter *c, size_t cnt, struct bpfperf_value *vals)
{
	uint32_t seqs[BPFPERF_GROUP_MAX];
	struct page_times times;
	size_t i;
	int err;

	do {
		for (i = 0; i < cnt; i++)
			seqs[i] = page__begin(c[i].page);
		err = page__times(c->page, arch_cycles, &times);
		for (i = 0; i < cnt && !err; i++)
			err = page__value(c[i].page, arch_pmc, &vals[i].value);
	} while (any_retry(c, cnt, seqs));
	for (i = 0; i < cnt && !err; i++)
		page__finish(&times, &vals[i]);
	return err;
}

int bpfperf_read_group(const struct bpfperf_counter *c, size_t cnt, struct bpfperf_value *vals)
{
	bool readable = true;
	size_t i;

	if (!cnt || cnt != c->cnt)
		return -EINVAL;
	if (cnt == 1)
		return bpfperf_read(c, vals);
	for (i = 0; i < cnt; i++)
		readable &= is_readable(&c[i]);
	if (readable && read_pages(c, cnt, vals) == 0)
		return BPFPERF_USER;
	return read_group(c, cnt, vals);
}

uint64_t bpfperf_scaled(const struct bpfperf_value *val)
{
	if (!val->running_ns)
		return 0;
	if (val->running_ns >= val->enabled_ns)
		return val->value;
	return (uint64_t)((unsigned __int128)val->value * val->enabled_ns / val->running_ns);
}

static bool is_of_kernel(const struct bpfperf_counter *c)
{
	return c->type == PERF_TYPE_SOFTWARE || c->type == PERF_TYPE_TRACEPOINT ||
	       c->type == PERF_TYPE_BREAKPOINT;
}

const char *bpfperf_why(const struct bpfperf_counter *c)
{
	const struct perf_event_mmap_page *page = c->page;

	if (!ARCH_HAS_PMC)
		return "this architecture's counters cannot be read in user space";
	if (is_of_kernel(c))
		return "the event is counted by the kernel, not by a PMU of the CPU; there is no "
		       "remedy";
	if (!page)
		return "the counter's page could not be mapped; raise "
		       "kernel.perf_event_mlock_kb or `ulimit -l`";
	if (!owner__is_self(c->owner))
		return "another thread opened the counter; open one in each thread that reads";
	if (!page->cap_user_rdpmc)
		return why__refused(c->type);
	if (!page->index)
		return "the counter is not on the PMU now: it is off, or waits for its "
		       "turn; " ARCH_REMEDY_OFF;
	if (!page__is_counter(page->index))
		return "the counter is a topdown metric, which only the kernel can count; there is "
		       "no remedy";
	if (!page->cap_user_time)
		return "the kernel's clock cannot be read in user space here; use "
		       "bpfperf_read_value(), which needs none";
	return NULL;
}
