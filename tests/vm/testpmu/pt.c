// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The part of Intel PT: the files of its PMU in sysfs, and a file of packets that is written into
 * the AUX area while a task whose name begins with "pt_" runs. The file is named by writing its
 * path to the PMU's file "stream", and is played once; then it is named again.
 */
#include <linux/device.h>
#include <linux/kernel_read_file.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

#include "aux.h"
#include "testpmu.h"

/* Bytes in a millisecond. */
#define PIECE_MAX 4096
/* Milliseconds that a task runs before: by then its program is mapped. */
#define TICKS_BEFORE 20
/* A TSC packet whose time the player fills in. */
#define TSC_PACKET 0x19
#define TSC_SZ 8
/* tests/workloads/pt_loop.c: the bytes before its rounds, and those of a round. */
#define HEAD_SZ 35
#define ROUND_SZ 8

static DEFINE_RAW_SPINLOCK(lock);
static u8 *stream;
static size_t stream_sz, stream_at;
static typeof(perf_output_copy_aux) *copy_aux_fn;

static void fill_times(void)
{
#ifdef CONFIG_X86
	u64 now = rdtsc();
	size_t i;

	for (i = 0; i + TSC_SZ <= stream_sz; i++) {
		if (stream[i] != TSC_PACKET || memchr_inv(stream + i + 1, 0xff, TSC_SZ - 1))
			continue;
		memcpy(stream + i + 1, &now, TSC_SZ - 1);
		now++;
	}
#endif
}

static bool is_paused(const struct perf_event *event)
{
#ifdef PERF_EF_PAUSE
	return READ_ONCE(event->hw.aux_paused);
#else
	return false;
#endif
}

void pt__play(struct aux_event *ae, u64 room)
{
	u64 sz;

	if (strncmp(current->comm, "pt_", 3) || is_paused(ae->event) || ae->ticks++ < TICKS_BEFORE)
		return;
	raw_spin_lock(&lock);
	if (!stream_at)
		fill_times();
	sz = min3((u64)(stream_sz - stream_at), room, (u64)PIECE_MAX);
	/* A unit stops behind a whole packet, at any byte; readers pad the piece. */
	if (sz < stream_sz - stream_at && stream_at + sz > HEAD_SZ)
		sz -= (stream_at + sz - HEAD_SZ) % ROUND_SZ;
	if (sz)
		aux_event__put(ae, stream + stream_at, sz);
	stream_at += sz;
	raw_spin_unlock(&lock);
}

long pt__copy_aux(struct perf_output_handle *aux, struct perf_output_handle *to, unsigned long from,
		  unsigned long until)
{
	return copy_aux_fn ? copy_aux_fn(aux, to, from, until) : 0;
}

/* The address of what the kernel keeps to itself, by way of a probe on it. */
int pt__init(void)
{
	struct kprobe probe = { .symbol_name = "perf_output_copy_aux" };

	if (register_kprobe(&probe))
		return 0;
	copy_aux_fn = (typeof(copy_aux_fn))probe.addr;
	unregister_kprobe(&probe);
	return 0;
}

void pt__exit(void)
{
	vfree(stream);
	stream = NULL;
	stream_sz = stream_at = 0;
}

static void take_stream(u8 *buf, size_t sz)
{
	unsigned long flags;
	u8 *old;

	raw_spin_lock_irqsave(&lock, flags);
	old = stream;
	stream = buf;
	stream_sz = sz;
	stream_at = 0;
	raw_spin_unlock_irqrestore(&lock, flags);
	vfree(old);
}

static ssize_t stream_store(struct device *dev, struct device_attribute *attr, const char *text,
			    size_t len)
{
	char *path = kstrndup(text, len, GFP_KERNEL);
	void *buf = NULL;
	ssize_t sz;

	if (!path)
		return -ENOMEM;
	sz = kernel_read_file_from_path(strim(path), 0, &buf, INT_MAX, NULL, READING_FIRMWARE);
	kfree(path);
	if (sz < 0)
		return sz;
	take_stream(buf, sz);
	return len;
}

/* Bytes that have been played. */
static ssize_t stream_show(struct device *dev, struct device_attribute *attr, char *text)
{
	return sysfs_emit(text, "%zu of %zu\n", stream_at, stream_sz);
}

static DEVICE_ATTR_RW(stream);

/* A file with one text. */
#define TEXT_ATTR(var, file, content)                                                              \
	static ssize_t var##_show(struct device *dev, struct device_attribute *attr, char *text)   \
	{                                                                                          \
		return sysfs_emit(text, content "\n");                                             \
	}                                                                                          \
	static struct device_attribute dev_attr_##var = {                                          \
		.attr = { .name = file, .mode = 0444 },                                            \
		.show = var##_show,                                                                \
	}

TEXT_ATTR(max_nonturbo_ratio, "max_nonturbo_ratio", "24");
TEXT_ATTR(mtc_cap, "mtc", "1");
TEXT_ATTR(psb_cyc_cap, "psb_cyc", "1");
TEXT_ATTR(mtc_periods_cap, "mtc_periods", "249");
TEXT_ATTR(psb_periods_cap, "psb_periods", "3f");
TEXT_ATTR(cycle_thresholds_cap, "cycle_thresholds", "1fff");
TEXT_ATTR(topa_multiple_entries_cap, "topa_multiple_entries", "1");
TEXT_ATTR(event_trace_cap, "event_trace", "0");

static struct attribute *stream_attrs[] = { &dev_attr_stream.attr,
					    &dev_attr_max_nonturbo_ratio.attr, NULL };
static struct attribute *caps_attrs[] = {
	&dev_attr_mtc_cap.attr,
	&dev_attr_psb_cyc_cap.attr,
	&dev_attr_mtc_periods_cap.attr,
	&dev_attr_psb_periods_cap.attr,
	&dev_attr_cycle_thresholds_cap.attr,
	&dev_attr_topa_multiple_entries_cap.attr,
	&dev_attr_event_trace_cap.attr,
	NULL,
};

PMU_FORMAT_ATTR(pt, "config:0");
PMU_FORMAT_ATTR(cyc, "config:1");
PMU_FORMAT_ATTR(pwr_evt, "config:4");
PMU_FORMAT_ATTR(fup_on_ptw, "config:5");
PMU_FORMAT_ATTR(mtc, "config:9");
PMU_FORMAT_ATTR(tsc, "config:10");
PMU_FORMAT_ATTR(noretcomp, "config:11");
PMU_FORMAT_ATTR(ptw, "config:12");
PMU_FORMAT_ATTR(branch, "config:13");
PMU_FORMAT_ATTR(mtc_period, "config:14-17");
PMU_FORMAT_ATTR(cyc_thresh, "config:19-22");
PMU_FORMAT_ATTR(psb_period, "config:24-27");

static struct attribute *format_attrs[] = {
	&format_attr_pt.attr,
	&format_attr_cyc.attr,
	&format_attr_pwr_evt.attr,
	&format_attr_fup_on_ptw.attr,
	&format_attr_mtc.attr,
	&format_attr_tsc.attr,
	&format_attr_noretcomp.attr,
	&format_attr_ptw.attr,
	&format_attr_branch.attr,
	&format_attr_mtc_period.attr,
	&format_attr_cyc_thresh.attr,
	&format_attr_psb_period.attr,
	NULL,
};

static const struct attribute_group stream_group = { .attrs = stream_attrs };
static const struct attribute_group caps_group = { .name = "caps", .attrs = caps_attrs };
static const struct attribute_group format_group = { .name = "format", .attrs = format_attrs };
const struct attribute_group *pt_groups[] = { &stream_group, &caps_group, &format_group, NULL };
