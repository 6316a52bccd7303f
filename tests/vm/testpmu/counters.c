// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The PMU "testpmu": events on four counters. A counter here is a place, nothing else: what an
 * event counts is computed from the time since it was put there, so that events can change
 * places whenever a new one comes.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/irq_regs.h>

#include "testpmu.h"

#define COUNTER_CNT 4
#define COUNTERS_ALL ((1u << COUNTER_CNT) - 1)
/* Bits of attr.config. */
#define CONFIG_EVENT 0xffull
#define CONFIG_COUNTERS_SHIFT 8
#define CONFIG_COUNTERS 0xf00ull
#define CONFIG_RATE_SHIFT 12
#define CONFIG_RATE 0xff000ull
/* Below it the timer would be all that runs. */
#define TIMER_MIN_NS 10000ll
/* Samples that one interrupt takes; what is due beyond is dropped. */
#define OVERFLOW_MAX 32

enum testpmu_code {
	CODE_TIME, /* nanoseconds × rate */
	CODE_TICK, /* what is written to the file "tick" on that CPU × rate */
	CODE_CNT,
};

/* An event's state; struct hw_perf_event is a union whose parts overlay each other. */
struct counter_event {
	struct perf_event *event;
	struct hrtimer timer;
	u64 since_ns;
	u32 rate;
	u8 code;
	u8 counters; /* mask of those it may be on */
};

struct counters_cpu {
	struct counter_event *events[COUNTER_CNT];
	int cnt;
};

static DEFINE_PER_CPU(struct counters_cpu, counters_cpu);
static struct pmu counters_pmu;
/* Not exported to modules. */
static typeof(&perf_event_overflow) overflow_fn;

/*
 * Puts an event on a counter, and those in its way on others: the augmenting path of a bipartite
 * matching. owner[] and counters[] are by counter and by event; seen: counters already looked at.
 */
static bool place(const u8 *counters, s8 *owner, int who, unsigned int *seen)
{
	int i;

	for (i = 0; i < COUNTER_CNT; i++) {
		if (!(counters[who] & (1u << i)) || *seen & (1u << i))
			continue;
		*seen |= 1u << i;
		if (owner[i] < 0 || place(counters, owner, owner[i], seen)) {
			owner[i] = who;
			return true;
		}
	}
	return false;
}

/* Whether there is a counter for each of cnt events at once. */
static bool all_fit(const u8 *counters, int cnt)
{
	s8 owner[COUNTER_CNT] = { -1, -1, -1, -1 };
	unsigned int seen;
	int i;

	for (i = 0; i < cnt; i++) {
		seen = 0;
		if (!place(counters, owner, i, &seen))
			return false;
	}
	return true;
}

static bool is_ours(struct perf_event *event)
{
	return event->pmu == &counters_pmu;
}

static u8 counters_of(struct perf_event *event)
{
	u8 mask = (event->attr.config & CONFIG_COUNTERS) >> CONFIG_COUNTERS_SHIFT;

	return event->attr.type == PERF_TYPE_HARDWARE || !mask ? COUNTERS_ALL : mask;
}

/* A group that could never run is refused when it is made. */
static int validate_group(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	u8 counters[COUNTER_CNT + 1];
	int cnt = 0;

	counters[cnt++] = counters_of(event);
	if (leader != event) {
		if (is_ours(leader))
			counters[cnt++] = counters_of(leader);
		for_each_sibling_event(sibling, leader)
		{
			if (!is_ours(sibling))
				continue;
			if (cnt > COUNTER_CNT)
				return -EINVAL;
			counters[cnt++] = counters_of(sibling);
		}
	}
	return all_fit(counters, cnt) ? 0 : -EINVAL;
}

static struct pt_regs *regs_of_now(void)
{
	return get_irq_regs() ?: task_pt_regs(current);
}

static bool is_excluded(struct perf_event *event, struct pt_regs *regs)
{
	if (event->attr.exclude_idle && is_idle_task(current))
		return true;
	return user_mode(regs) ? event->attr.exclude_user : event->attr.exclude_kernel;
}

static void counters_stop(struct perf_event *event, int flags);

/* Takes the samples that are due. */
static void take_samples(struct counter_event *ce, struct pt_regs *regs)
{
	struct hw_perf_event *hw = &ce->event->hw;
	struct perf_sample_data data;
	int left = OVERFLOW_MAX;

	while (hw->sample_period && local64_read(&hw->period_left) <= 0) {
		hw->last_period = hw->sample_period;
		if (!left--) {
			local64_set(&hw->period_left, hw->sample_period);
			break;
		}
		local64_add(hw->sample_period, &hw->period_left);
		perf_sample_data_init(&data, 0, hw->last_period);
		if (is_excluded(ce->event, regs))
			continue;
		if (overflow_fn(ce->event, &data, regs)) {
			counters_stop(ce->event, 0);
			break;
		}
		if (hw->state & PERF_HES_STOPPED)
			break;
	}
}

static void count(struct counter_event *ce, u64 units)
{
	u64 delta = units * ce->rate;

	local64_add(delta, &ce->event->count);
	local64_sub(delta, &ce->event->hw.period_left);
}

/* Brings the count of an event that runs up to now. */
static void update(struct counter_event *ce)
{
	u64 now_ns;

	if (ce->code != CODE_TIME)
		return;
	now_ns = local_clock();
	if (now_ns > ce->since_ns)
		count(ce, now_ns - ce->since_ns);
	ce->since_ns = now_ns;
}

static void start_timer(struct counter_event *ce)
{
	s64 left = local64_read(&ce->event->hw.period_left);

	if (ce->code != CODE_TIME || !is_sampling_event(ce->event))
		return;
	left = max_t(s64, left, 0);
	left = max_t(s64, div_u64(left, ce->rate), TIMER_MIN_NS);
	hrtimer_start(&ce->timer, ns_to_ktime(left), HRTIMER_MODE_REL_PINNED_HARD);
}

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	struct counter_event *ce = container_of(timer, struct counter_event, timer);

	if (ce->event->hw.state & PERF_HES_STOPPED)
		return HRTIMER_NORESTART;
	update(ce);
	take_samples(ce, regs_of_now());
	if (!(ce->event->hw.state & PERF_HES_STOPPED))
		start_timer(ce);
	/* A period that goes on has started its timer itself. */
	return HRTIMER_NORESTART;
}

static void perf_counters_start(struct perf_event *event, int flags)
{
	struct counter_event *ce = event->pmu_private;
	struct hw_perf_event *hw = &event->hw;

	if (!(hw->state & PERF_HES_STOPPED))
		return;
	hw->state = 0;
	ce->since_ns = local_clock();
	start_timer(ce);
	perf_event_update_userpage(event);
}

static void counters_stop(struct perf_event *event, int flags)
{
	struct counter_event *ce = event->pmu_private;

	if (!(event->hw.state & PERF_HES_STOPPED)) {
		update(ce);
		event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
		/* From the timer itself this fails, and need not succeed. */
		hrtimer_try_to_cancel(&ce->timer);
	}
}

static int counters_add(struct perf_event *event, int flags)
{
	struct counters_cpu *cpu = this_cpu_ptr(&counters_cpu);
	struct counter_event *ce = event->pmu_private;
	u8 counters[COUNTER_CNT];
	int i;

	if (cpu->cnt == COUNTER_CNT)
		return -EAGAIN;
	for (i = 0; i < cpu->cnt; i++)
		counters[i] = cpu->events[i]->counters;
	counters[i] = ce->counters;
	if (!all_fit(counters, cpu->cnt + 1))
		return -EAGAIN;
	cpu->events[cpu->cnt++] = ce;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		perf_counters_start(event, PERF_EF_RELOAD);
	return 0;
}

static void counters_del(struct perf_event *event, int flags)
{
	struct counters_cpu *cpu = this_cpu_ptr(&counters_cpu);
	int i;

	counters_stop(event, PERF_EF_UPDATE);
	for (i = 0; i < cpu->cnt; i++) {
		if (cpu->events[i]->event != event)
			continue;
		memmove(&cpu->events[i], &cpu->events[i + 1],
			(cpu->cnt - i - 1) * sizeof(cpu->events[0]));
		cpu->cnt--;
		break;
	}
	perf_event_update_userpage(event);
}

static void counters_read(struct perf_event *event)
{
	struct counter_event *ce = event->pmu_private;

	if (!(event->hw.state & PERF_HES_STOPPED))
		update(ce);
}

static void counters_destroy(struct perf_event *event)
{
	struct counter_event *ce = event->pmu_private;

	hrtimer_cancel(&ce->timer);
	event->pmu_private = NULL;
	kfree(ce);
}

/* Reads what attr asks for. 0, -ENOENT: not for this PMU, or another -errno. */
static int configure(struct perf_event *event, struct counter_event *ce)
{
	const struct perf_event_attr *attr = &event->attr;

	ce->counters = counters_of(event);
	ce->rate = 1;
	if (attr->type == PERF_TYPE_HARDWARE && counters_pmu.type == PERF_TYPE_RAW) {
		switch (attr->config) {
		case PERF_COUNT_HW_INSTRUCTIONS:
			ce->rate = 2;
			return 0;
		case PERF_COUNT_HW_CPU_CYCLES:
			return 0;
		}
		return -ENOENT;
	}
	if (attr->type != counters_pmu.type)
		return -ENOENT;
	ce->code = attr->config & CONFIG_EVENT;
	ce->rate = ((attr->config & CONFIG_RATE) >> CONFIG_RATE_SHIFT) ?: 1;
	if (attr->config & ~(CONFIG_EVENT | CONFIG_COUNTERS | CONFIG_RATE) || ce->code >= CODE_CNT)
		return -EINVAL;
	return 0;
}

/* A counter of time keeps its frequency without adjusting. */
static void fix_period(struct perf_event *event, const struct counter_event *ce)
{
	struct hw_perf_event *hw = &event->hw;

	if (!event->attr.freq || ce->code != CODE_TIME)
		return;
	hw->sample_period = div64_u64(NSEC_PER_SEC * ce->rate, event->attr.sample_freq) ?: 1;
	hw->last_period = hw->sample_period;
	local64_set(&hw->period_left, hw->sample_period);
	event->attr.sample_period = hw->sample_period;
	event->attr.freq = 0;
}

static int counters_event_init(struct perf_event *event)
{
	struct counter_event want = {}, *ce;
	int err = configure(event, &want);

	if (err)
		return err;
	/* The count is not split by mode; samples are. */
	if (has_branch_stack(event) ||
	    (!is_sampling_event(event) && (event->attr.exclude_user || event->attr.exclude_kernel)))
		return -EOPNOTSUPP;
	err = validate_group(event);
	if (err)
		return err;
	ce = kmemdup(&want, sizeof(want), GFP_KERNEL);
	if (!ce)
		return -ENOMEM;
	ce->event = event;
	testpmu__timer_init(&ce->timer, on_timer);
	fix_period(event, ce);
	event->hw.state = PERF_HES_STOPPED;
	event->pmu_private = ce;
	event->destroy = counters_destroy;
	return 0;
}

/* A number written here is what each "tick" event that runs on this CPU counts. */
static ssize_t tick_store(struct device *dev, struct device_attribute *attr, const char *buf,
			  size_t len)
{
	struct counters_cpu *cpu;
	unsigned long flags;
	u32 units;
	int i, err;

	err = kstrtou32(buf, 0, &units);
	if (err)
		return err;
	local_irq_save(flags);
	cpu = this_cpu_ptr(&counters_cpu);
	for (i = 0; i < cpu->cnt; i++) {
		struct counter_event *ce = cpu->events[i];

		if (ce->code != CODE_TICK || ce->event->hw.state & PERF_HES_STOPPED)
			continue;
		count(ce, units);
		take_samples(ce, task_pt_regs(current));
	}
	local_irq_restore(flags);
	return len;
}

static DEVICE_ATTR_WO(tick);

PMU_FORMAT_ATTR(event, "config:0-7");
PMU_FORMAT_ATTR(counters, "config:8-11");
PMU_FORMAT_ATTR(rate, "config:12-19");

/* Not "time": perf takes that for a term of its own. */
PMU_EVENT_ATTR_STRING(ns, ns_attr, "event=0");
PMU_EVENT_ATTR_STRING(tick, tick_attr, "event=1");
PMU_EVENT_ATTR_STRING(fast, fast_attr, "event=0,rate=16");
PMU_EVENT_ATTR_STRING(first, first_attr, "event=0,counters=1");
PMU_EVENT_ATTR_STRING(low, low_attr, "event=0,counters=3");

static struct attribute *tick_attrs[] = { &dev_attr_tick.attr, NULL };

static struct attribute *format_attrs[] = {
	&format_attr_event.attr,
	&format_attr_counters.attr,
	&format_attr_rate.attr,
	NULL,
};

static struct attribute *event_attrs[] = {
	&ns_attr.attr.attr,    &tick_attr.attr.attr, &fast_attr.attr.attr,
	&first_attr.attr.attr, &low_attr.attr.attr,  NULL,
};

static const struct attribute_group tick_group = { .attrs = tick_attrs };
static const struct attribute_group format_group = { .name = "format", .attrs = format_attrs };
static const struct attribute_group events_group = { .name = "events", .attrs = event_attrs };
static const struct attribute_group *groups[] = { &tick_group, &format_group, &events_group, NULL };

static struct pmu counters_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_hw_context,
	.attr_groups = groups,
	.event_init = counters_event_init,
	.add = counters_add,
	.del = counters_del,
	.start = perf_counters_start,
	.stop = counters_stop,
	.read = counters_read,
/* Before 6.2 only PMUs that say so share the context of the machine's own. */
#ifdef PERF_PMU_CAP_HETEROGENEOUS_CPUS
	.capabilities = PERF_PMU_CAP_HETEROGENEOUS_CPUS,
#endif
};

/* The address of what the kernel keeps to itself, by way of a probe on it. */
static int find_overflow(void)
{
	struct kprobe probe = { .symbol_name = "perf_event_overflow" };
	int err = register_kprobe(&probe);

	if (err)
		return err;
	overflow_fn = (typeof(overflow_fn))probe.addr;
	unregister_kprobe(&probe);
	return 0;
}

int counters__register(bool as_cpu)
{
	int err = find_overflow();

	if (err)
		return err;
	return perf_pmu_register(&counters_pmu, as_cpu ? "cpu" : "testpmu",
				 as_cpu ? PERF_TYPE_RAW : -1);
}

void counters__unregister(void)
{
	perf_pmu_unregister(&counters_pmu);
}
