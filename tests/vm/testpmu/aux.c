// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The PMU "testaux": while its event runs, words of 64 bits, each one more than the one before, go
 * into the AUX area. Words for which there is no room are numbered all the same, so that a gap says
 * how many they were.
 */
#include <linux/module.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>

#include "aux.h"
#include "testpmu.h"

/* The upper 16 bits of each word; the others are its number. */
#define AUX_TAG (0x7e57ull << 48)
/* Bits of attr.config: words in a millisecond. */
#define CONFIG_RATE 0xffffull
#define RATE_DEFAULT 500
#define TIMER_NS NSEC_PER_MSEC
/* A CPU that was held up writes no more than this at once. */
#define WORDS_MAX 65536

static struct pmu aux_pmu;
static bool is_pt;

/* Bytes that can be written before handle has to be closed. */
static u64 room_of(const struct aux_event *ae)
{
	return ae->area->overwrite ? U64_MAX : ae->handle.size - ae->written;
}

static bool open_handle(struct aux_event *ae)
{
	ae->area = perf_aux_output_begin(&ae->handle, ae->event);
	if (!ae->area)
		return false;
	ae->head = ae->handle.head;
	ae->written = 0;
	return true;
}

static void close_handle(struct aux_event *ae)
{
	u64 sz = ae->written;

	if (!ae->area)
		return;
	if (ae->area->overwrite) {
		sz = min(sz, ae->area->sz);
		ae->handle.head = ae->head;
	}
	ae->area = NULL;
	perf_aux_output_end(&ae->handle, sz);
}

/* Writes what is due by now. False where there was no room for all. */
static bool write_words(struct aux_event *ae)
{
	u64 now_ns = local_clock(), cnt, i;
	bool fits;

	if (now_ns <= ae->since_ns)
		return true;
	cnt = div_u64((now_ns - ae->since_ns) * ae->rate, NSEC_PER_MSEC);
	ae->since_ns += div_u64(cnt * NSEC_PER_MSEC, ae->rate);
	if (cnt > WORDS_MAX) {
		cnt = WORDS_MAX;
		ae->since_ns = now_ns;
	}
	fits = cnt <= room_of(ae) / sizeof(u64);
	for (i = 0; i < cnt; i++, ae->word++) {
		u64 at = ae->head & (ae->area->sz - 1);

		if (!fits && room_of(ae) < sizeof(u64))
			continue;
		*(u64 *)(ae->area->pages[at >> PAGE_SHIFT] + (at & ~PAGE_MASK)) =
			AUX_TAG | ae->word;
		ae->head += sizeof(u64);
		ae->written += sizeof(u64);
	}
	return fits;
}

void aux_event__put(struct aux_event *ae, const void *data, u64 sz)
{
	while (sz) {
		u64 at = ae->head & (ae->area->sz - 1), in_page = at & ~PAGE_MASK;
		u64 part = min_t(u64, sz, PAGE_SIZE - in_page);

		memcpy(ae->area->pages[at >> PAGE_SHIFT] + in_page, data, part);
		data += part;
		sz -= part;
		ae->head += part;
		ae->written += part;
	}
}

static void aux_write(struct aux_event *ae)
{
	if (is_pt) {
		pt__play(ae, room_of(ae));
		return;
	}
	if (write_words(ae))
		return;
	/* This also has the event disabled, until the reader has made room. */
	perf_aux_output_flag(&ae->handle, PERF_AUX_FLAG_TRUNCATED);
	close_handle(ae);
	ae->event->hw.state |= PERF_HES_STOPPED;
}

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	struct aux_event *ae = container_of(timer, struct aux_event, timer);

	if (ae->event->hw.state & PERF_HES_STOPPED)
		return HRTIMER_NORESTART;
	aux_write(ae);
	/* The reader is told of what is there each time a watermark has been passed. */
	if (ae->area && !ae->area->overwrite && ae->head >= ae->handle.wakeup) {
		close_handle(ae);
		if (!open_handle(ae))
			ae->event->hw.state |= PERF_HES_STOPPED;
	}
	if (ae->event->hw.state & PERF_HES_STOPPED)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(TIMER_NS));
	return HRTIMER_RESTART;
}

/* Pausing (6.13) leaves the area open: the kernel marks the event, and the player looks. */
static bool only_pauses(int flags)
{
#ifdef PERF_EF_PAUSE
	return flags & (PERF_EF_PAUSE | PERF_EF_RESUME);
#else
	return false;
#endif
}

static void aux_start(struct perf_event *event, int flags)
{
	struct aux_event *ae = event->pmu_private;

	if (only_pauses(flags) || !(event->hw.state & PERF_HES_STOPPED) || !open_handle(ae))
		return;
	event->hw.state = 0;
	ae->since_ns = local_clock();
	hrtimer_start(&ae->timer, ns_to_ktime(TIMER_NS), HRTIMER_MODE_REL_PINNED_HARD);
}

static void aux_stop(struct perf_event *event, int flags)
{
	struct aux_event *ae = event->pmu_private;

	if (only_pauses(flags) || event->hw.state & PERF_HES_STOPPED)
		return;
	/* The timer is this CPU's and interrupts are off: it does not run now. */
	hrtimer_try_to_cancel(&ae->timer);
	/* A file is played while its program runs, not while it is stopped. */
	if (!is_pt)
		aux_write(ae);
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	close_handle(ae);
}

static int aux_add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!(flags & PERF_EF_START))
		return 0;
	aux_start(event, flags);
	return event->hw.state & PERF_HES_STOPPED ? -EINVAL : 0;
}

static void aux_del(struct perf_event *event, int flags)
{
	aux_stop(event, PERF_EF_UPDATE);
}

static void aux_read(struct perf_event *event)
{
}

static void aux_destroy(struct perf_event *event)
{
	struct aux_event *ae = event->pmu_private;

	hrtimer_cancel(&ae->timer);
	event->pmu_private = NULL;
	kfree(ae);
}

static int aux_event_init(struct perf_event *event)
{
	struct aux_event *ae;

	if (event->attr.type != aux_pmu.type)
		return -ENOENT;
	if (!is_pt && event->attr.config & ~CONFIG_RATE)
		return -EINVAL;
	ae = kzalloc(sizeof(*ae), GFP_KERNEL);
	if (!ae)
		return -ENOMEM;
	ae->event = event;
	ae->rate = event->attr.config & CONFIG_RATE ?: RATE_DEFAULT;
	testpmu__timer_init(&ae->timer, on_timer);
	event->hw.state = PERF_HES_STOPPED;
	event->pmu_private = ae;
	event->destroy = aux_destroy;
	return 0;
}

static void *aux_setup(struct perf_event *event, void **pages, int page_cnt, bool overwrite)
{
	struct aux_area *area;

	if (page_cnt & (page_cnt - 1))
		return NULL;
	area = kzalloc(struct_size(area, pages, page_cnt), GFP_KERNEL);
	if (!area)
		return NULL;
	area->sz = (u64)page_cnt << PAGE_SHIFT;
	area->overwrite = overwrite;
	memcpy(area->pages, pages, page_cnt * sizeof(*pages));
	return area;
}

static void aux_free(void *area)
{
	kfree(area);
}

/* Address filters are taken and have no effect. */
static void aux_addr_filters_sync(struct perf_event *event)
{
}

static int aux_addr_filters_validate(struct list_head *filters)
{
	return 0;
}

static long aux_snapshot(struct perf_event *event, struct perf_output_handle *handle,
			 unsigned long sz)
{
	struct aux_event *ae = event->pmu_private;
	u64 to, mask;

	if (!ae->area)
		return 0;
	/* All of sz, in any case: the kernel complains otherwise. */
	mask = ae->area->sz - 1;
	to = ae->head & mask;
	return pt__copy_aux(&ae->handle, handle, (to - sz) & mask, to);
}

PMU_FORMAT_ATTR(rate, "config:0-15");

static struct attribute *format_attrs[] = { &format_attr_rate.attr, NULL };
static const struct attribute_group format_group = { .name = "format", .attrs = format_attrs };
static const struct attribute_group *groups[] = { &format_group, NULL };

static struct pmu aux_pmu = {
	.module = THIS_MODULE,
	.capabilities = PERF_PMU_CAP_EXCLUSIVE,
	.task_ctx_nr = perf_sw_context,
	.attr_groups = groups,
	.event_init = aux_event_init,
	.add = aux_add,
	.del = aux_del,
	.start = aux_start,
	.stop = aux_stop,
	.read = aux_read,
	.setup_aux = aux_setup,
	.free_aux = aux_free,
};

int testaux__register(bool as_intel_pt)
{
	int err = as_intel_pt ? pt__init() : 0;

	if (err)
		return err;
	is_pt = as_intel_pt;
	if (is_pt) {
		aux_pmu.capabilities |= PERF_PMU_CAP_ITRACE;
#ifdef PERF_PMU_CAP_AUX_PAUSE
		aux_pmu.capabilities |= PERF_PMU_CAP_AUX_PAUSE;
#endif
		aux_pmu.attr_groups = pt_groups;
		aux_pmu.nr_addr_filters = 2;
		aux_pmu.addr_filters_sync = aux_addr_filters_sync;
		aux_pmu.addr_filters_validate = aux_addr_filters_validate;
		aux_pmu.snapshot_aux = aux_snapshot;
	}
	err = perf_pmu_register(&aux_pmu, is_pt ? "intel_pt" : "testaux", -1);
	if (err && is_pt)
		pt__exit();
	return err;
}

void testaux__unregister(void)
{
	perf_pmu_unregister(&aux_pmu);
	if (is_pt)
		pt__exit();
}
