// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Fills in perf_event_attr like perf record: the fields of samples, their rate, and the records of
 * processes.
 */
#include <time.h>
#include <unistd.h>

#include "event/event.h"
#include "event/reg_names.h"
#include "perf/auxtrace_info.h"
#include "perf/sampling_priv.h"
#include "perf/perf_fd.h"

#define USUAL (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

#define LBR_STACK                                                                                  \
	(PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_NO_CYCLES |  \
	 PERF_SAMPLE_BRANCH_NO_FLAGS)

/* On these PMUs tell the latency of the instruction beside that of the access, as in perf. */
#if defined(__x86_64__) || defined(__powerpc__)
#define WEIGHT PERF_SAMPLE_WEIGHT_STRUCT
#else
#define WEIGHT PERF_SAMPLE_WEIGHT
#endif

static uint32_t quarter(size_t sz)
{
	return (uint32_t)(sz / 4);
}

/* Fields of all events, the dummy included. */
static void fill_common(struct perf_event_attr *attr, const struct sampling_config *cfg)
{
	const struct sampling_how *how = &cfg->how;

	attr->size = sizeof(*attr);
	attr->sample_id_all = 1;
	attr->read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	attr->use_clockid = how->use_clockid;
	attr->clockid = how->clockid;
	attr->watermark = 1;
	attr->wakeup_watermark = quarter(cfg->ring_sz);
	attr->inherit = cfg->inherit;
	attr->inherit_stat = how->thread_counts;
	if (how->running_time || how->thread_counts)
		attr->read_format |=
			PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (how->no_buffering) {
		attr->watermark = 0;
		attr->wakeup_events = 1;
	}
}

static void fill_stacks(struct perf_event_attr *attr, const struct sampling_how *how)
{
	if (how->callchain || how->user_stack_sz || how->lbr)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (how->user_stack_sz) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		/* Unwinding needs all general registers. */
		attr->sample_regs_user = regs__all();
		attr->sample_stack_user = how->user_stack_sz;
		attr->exclude_callchain_user = 1;
	}
	if (how->lbr) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = LBR_STACK;
		attr->exclude_callchain_user = 1;
	}
	if (how->branches) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = how->branches;
	}
	if (how->user_regs) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
		attr->sample_regs_user |= how->user_regs;
	}
	if (how->intr_regs) {
		attr->sample_type |= PERF_SAMPLE_REGS_INTR;
		attr->sample_regs_intr = how->intr_regs;
	}
	if (how->user_callchains)
		attr->exclude_callchain_kernel = 1;
	if (how->kernel_callchains)
		attr->exclude_callchain_user = 1;
}

struct sampling_how sampling_attr__how(const struct event *ev, const struct sampling_how *options)
{
	const struct event_sampling *terms = &ev->sampling;
	struct sampling_how how = *options;

	if (terms->chain) {
		how.callchain = terms->chain != EVENT_CHAIN_NO;
		how.lbr = terms->chain == EVENT_CHAIN_LBR;
		how.user_stack_sz = terms->chain != EVENT_CHAIN_DWARF ? 0
				    : options->user_stack_sz          ? options->user_stack_sz
								      : SAMPLING_STACK_SZ;
		/* --call-graph dwarf has them, too. */
		if (terms->chain == EVENT_CHAIN_DWARF)
			how.addr = how.data_src = true;
	} else if (terms->max_stack) {
		how.callchain = true;
	}
	if (terms->stack_sz && how.user_stack_sz)
		how.user_stack_sz = terms->stack_sz;
	if (terms->has_branches)
		how.branches = terms->branches;
	return how;
}

static void fill_fields(struct perf_event_attr *attr, const struct event *ev,
			const struct sampling_config *cfg, const struct sampling_how *how)
{
	attr->sample_type |= USUAL;
	if (ev->sampling.time == EVENT_OFF)
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_TIME;
	if (ev->sampling.inherit)
		attr->inherit = ev->sampling.inherit == EVENT_ON;
	/* Decoders know by it which area the time of a record is of. */
	if (how->cpu || !cfg->tid_cnt || cfg->has_aux)
		attr->sample_type |= PERF_SAMPLE_CPU;
	if (how->period_field || attr->freq)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	if (how->addr)
		attr->sample_type |= PERF_SAMPLE_ADDR;
	if (how->data_src)
		attr->sample_type |= PERF_SAMPLE_DATA_SRC;
	if (how->weight)
		attr->sample_type |= WEIGHT;
	if (how->phys_addr)
		attr->sample_type |= PERF_SAMPLE_PHYS_ADDR;
	if (how->cgroups)
		attr->sample_type |= PERF_SAMPLE_CGROUP;
	if (how->transaction)
		attr->sample_type |= PERF_SAMPLE_TRANSACTION;
	if (how->data_page_sz)
		attr->sample_type |= PERF_SAMPLE_DATA_PAGE_SIZE;
	if (how->code_page_sz)
		attr->sample_type |= PERF_SAMPLE_CODE_PAGE_SIZE;
	if (how->raw)
		attr->sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CPU;
	if (ev->kind == EVENT_TRACEPOINT)
		attr->sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	if (ev->read_group) {
		attr->sample_type |= PERF_SAMPLE_READ;
		attr->read_format |= PERF_FORMAT_GROUP;
		/*
		 * The kernel cannot read a group with members that are inherited separately (6.12).
		 */
		attr->inherit = 0;
	}
	fill_stacks(attr, how);
	attr->sample_max_stack = ev->sampling.max_stack;
	/* The kernel refuses it otherwise, since a user's stack may fault. */
	if (event__is_function(ev))
		attr->exclude_callchain_user = 1;
	perf_fd__keep_rate(attr);
}

static void fill_rate(struct perf_event_attr *attr, const struct event *ev,
		      const struct sampling_how *how)
{
	if (ev->sampling.period) {
		attr->sample_period = ev->sampling.period;
	} else if (ev->sampling.freq_hz) {
		attr->freq = 1;
		attr->sample_freq = ev->sampling.freq_hz;
	} else if (how->period) {
		attr->sample_period = how->period;
	} else if (how->freq_hz) {
		attr->freq = 1;
		attr->sample_freq = how->freq_hz;
	} else if (event__takes_each(ev)) {
		attr->sample_period = 1;
	} else {
		attr->freq = 1;
		attr->sample_freq = SAMPLING_DEFAULT_HZ;
	}
	if (how->no_samples)
		attr->sample_period = 0;
}

/* Members run while their leader does. */
static void fill_start(struct perf_event_attr *attr, const struct sampling_config *cfg,
		       bool is_member)
{
	attr->disabled = !is_member;
	attr->enable_on_exec = !is_member && cfg->start == SAMPLING_ON_EXEC;
}

void sampling_attr__fill(struct perf_event_attr *attr, const struct event *ev,
			 const struct sampling_config *cfg, bool is_member, bool sampled_by_leader)
{
	const struct sampling_how *how = &cfg->how, mine = sampling_attr__how(ev, how);

	perf_fd__attr(attr, ev);
	fill_common(attr, cfg);
	if (!sampled_by_leader || ev->sampling.period || ev->sampling.freq_hz)
		fill_rate(attr, ev, how);
	fill_fields(attr, ev, cfg, &mine);
	attr->write_backward = how->overwrite;
	if (how->overwrite)
		/* No reader waits for it. */
		attr->wakeup_watermark = UINT32_MAX;
	if (how->all_user)
		attr->exclude_kernel = attr->exclude_hv = 1;
	if (how->all_kernel)
		attr->exclude_user = 1;
	fill_start(attr, cfg, is_member);
}

void sampling_attr__fill_aux(struct perf_event_attr *attr, const struct event *ev,
			     const struct sampling_config *cfg, bool is_member)
{
	perf_fd__attr(attr, ev);
	fill_common(attr, cfg);
	attr->sample_period = 1;
	attr->sample_type = USUAL | PERF_SAMPLE_CPU;
	fill_start(attr, cfg, is_member);
	if (cfg->how.all_user)
		attr->exclude_kernel = attr->exclude_hv = 1;
	if (cfg->how.all_kernel)
		attr->exclude_user = 1;
	/*
	 * With the kernel's default, half of the area, it is full before the second watermark is
	 * passed.
	 */
	attr->aux_watermark = quarter(cfg->aux_sz);
}

void sampling_attr__sample_aux(struct perf_event_attr *attr, const struct event *ev,
			       const struct sampling_how *how)
{
	uint32_t sz = ev->aux_sample_sz ? ev->aux_sample_sz : how->aux_sample_sz;

	if (!how->aux_sample_sz || !sz)
		return;
	attr->sample_type |= PERF_SAMPLE_AUX;
	attr->aux_sample_size = sz;
}

void sampling_attr__fill_dummy(struct perf_event_attr *attr, const struct sampling_config *cfg,
			       const struct perf_event_attr *first, const struct event *trace)
{
	*attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_period = 1,
		/* Some readers take all trailers for those of the first event. */
		.sample_type = USUAL | (first->sample_type & PERF_SAMPLE_CPU),
		/* Allows the event to users who may not observe the kernel. */
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.mmap = 1,
		.mmap2 = 1,
		.mmap_data = cfg->how.mmap_data,
		.build_id = !cfg->how.no_build_id,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.namespaces = cfg->how.namespaces,
		.cgroup = cfg->how.cgroups,
		.context_switch = cfg->how.switches,
		.ksymbol = 1,
		.bpf_event = !cfg->how.no_bpf,
	};
	if (trace) {
		attr->text_poke = 1;
		/* The area of a thread has no other threads. */
		attr->context_switch |= cfg->cpu_cnt && auxtrace_info__needs_switches(trace);
	}
	fill_common(attr, cfg);
	attr->wakeup_watermark = quarter(cfg->track_ring_sz);
}
