// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/replay_itrace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/attrs.h"
#include "data/recording.h"
#include "itrace/decoder.h"
#include "itrace/options.h"
#include "itrace/stacks.h"
#include "kernel/limits.h"
#include "run/replay.h"
#include "util/log.h"
#include "util/stop_signals.h"

typedef unsigned long long ull;

/* Items after which it is checked whether a signal asks for the end. */
#define STOP_CHECK_CNT 1024

struct replay_itrace {
	struct replay *replay;
	const struct itrace_options *options;
	struct itrace_decoder *decoder;
	struct itrace_stacks stacks;
	struct perf_sample sample; /* the last one: members that none has are zero */
	uint64_t *chain; /* of a sample: 2 * options->chain_max + 1 words */
	struct itrace_last *last; /* of a sample: options->last_max branches */
	uint64_t skip_left; /* samples that are still left out */
	uint32_t events[ITRACE_KIND_CNT]; /* index + 1; 0: not wanted */
	uint32_t passed_cnt; /* items */
	bool is_done;
};

#define BASE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

#define SYNTH(kind, name)                                                                          \
	{                                                                                          \
		name, PERF_TYPE_SYNTH, PERF_SYNTH_##kind, BASE | PERF_SAMPLE_ADDR,                 \
			1u << ITRACE_##kind                                                        \
	}

/* The events of the samples, with perf's names. */
static const struct made_event {
	const char *name;
	uint32_t type;
	uint64_t config, sample_type;
	uint32_t wants; /* any of these bits of itrace_options.want */
} made_events[ITRACE_KIND_CNT] = {
	[ITRACE_INSN] = { "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, BASE,
			  1u << ITRACE_INSN },
	[ITRACE_BRANCH] = { "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
			    BASE | PERF_SAMPLE_ADDR,
			    1u << ITRACE_BRANCH | 1u << ITRACE_CALL | 1u << ITRACE_RETURN },
	[ITRACE_PTWRITE] = SYNTH(PTWRITE, "ptwrite"),
	[ITRACE_MWAIT] = SYNTH(MWAIT, "mwait"),
	[ITRACE_PWRE] = SYNTH(PWRE, "pwre"),
	[ITRACE_EXSTOP] = SYNTH(EXSTOP, "exstop"),
	[ITRACE_PWRX] = SYNTH(PWRX, "pwrx"),
	[ITRACE_CBR] = SYNTH(CBR, "cbr"),
	[ITRACE_PSB] = SYNTH(PSB, "psb"),
	/* Its name is without levels, as perf's is. */
	[ITRACE_TRANSACTION] = { "transactions", PERF_TYPE_RAW, 6, BASE, 1u << ITRACE_TRANSACTION },
};

/* The levels of privilege that the first event of a trace unit has: the one with the AUX area. */
static void set_levels(struct perf_event_attr *attr, const struct recording *rec)
{
	size_t i;

	for (i = 0; i < rec->attrs.cnt; i++) {
		const struct perf_event_attr *a = &rec->attrs.events[i].attr;

		/* The numbers of other units are those of perf_event_open(2). */
		if (a->type < PERF_TYPE_MAX)
			continue;
		attr->exclude_kernel = a->exclude_kernel;
		attr->exclude_user = a->exclude_user;
		return;
	}
}

static int make_event(struct replay_itrace *ri, enum itrace_kind kind)
{
	const struct made_event *e = &made_events[kind];
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = e->type,
		.config = e->config,
		.sample_type = e->sample_type,
		.sample_period = 1,
	};
	char name[32];
	struct recorded_event *ev;

	if (!(ri->options->want & e->wants))
		return 0;
	if (kind == ITRACE_INSN && ri->options->chain_max)
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (kind == ITRACE_INSN && ri->options->last_max)
		attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	if (itrace_decoder__has_cpus(ri->decoder))
		attr.sample_type |= PERF_SAMPLE_CPU;
	set_levels(&attr, ri->replay->rec);
	snprintf(name, sizeof(name), "%s%s", e->name,
		 kind == ITRACE_TRANSACTION || e->type == PERF_TYPE_SYNTH ? ""
		 : attr.exclude_kernel                                    ? ":u"
		 : attr.exclude_user                                      ? ":k"
									  : "");
	ev = attrs__make(&ri->replay->rec->attrs, &attr, name);
	if (!ev)
		return -ENOMEM;
	ri->events[kind] = ev->idx + 1;
	return 0;
}

static int make_events(struct replay_itrace *ri)
{
	unsigned int kind;
	int err = ri->chain && ri->last ? 0 : -ENOMEM;

	for (kind = 0; kind < ITRACE_KIND_CNT && !err; kind++)
		err = made_events[kind].name ? make_event(ri, kind) : 0;
	return err;
}

static void log_no_memory(void)
{
	log_error("no memory to decode a trace; end other programs, or omit --itrace");
}

struct replay_itrace *replay_itrace__new(struct replay *r, const struct replay_config *cfg)
{
	struct replay_itrace *ri = calloc(1, sizeof(*ri));
	int err = 0;

	if (!ri) {
		log_no_memory();
		return NULL;
	}
	ri->replay = r;
	ri->options = cfg->itrace;
	ri->skip_left = cfg->itrace->skip_cnt;
	itrace_stacks__init(&ri->stacks, cfg->itrace->last_max);
	ri->last = calloc((size_t)cfg->itrace->last_max + 1, sizeof(*ri->last));
	ri->chain = calloc(2 * (size_t)cfg->itrace->chain_max + 1, sizeof(*ri->chain));
	if (!r->rec->sz) {
		log_error("--itrace reads the recording twice; write it to a file first, and give "
			  "it with -i");
		replay_itrace__free(ri);
		errno = EINVAL;
		return NULL;
	}
	/* Each file with code stays open. */
	limits__raise_files();
	ri->decoder = itrace_decoder__open(r->rec->path, cfg->itrace, &cfg->sym, &r->itrace_program,
					   r->kcore_fd - 1);
	/* The code has been copied; nothing else is to have all of the memory. */
	if (r->kcore_fd)
		close(r->kcore_fd - 1);
	r->kcore_fd = 0;
	if (!ri->decoder)
		err = -errno;
	if (!err && !make_events(ri)) {
		ri->sample.cbr_unit = itrace_decoder__cbr_unit(ri->decoder);
		return ri;
	}
	if (!err) {
		log_no_memory();
		err = -ENOMEM;
	}
	replay_itrace__free(ri);
	errno = -err;
	return NULL;
}

static void log_sums(const struct itrace_decoder *d)
{
	const struct itrace_sums *s = itrace_decoder__sums(d);
	const char *problem = itrace_decoder__kernel_problem(d);

	log_info("trace: %llu bytes captured, %llu decoded, %llu skipped", (ull)s->captured_sz,
		 (ull)s->decoded_sz, (ull)s->skipped_sz);
	if (s->gap_cnt[ITRACE_GAP_OVERFLOW])
		log_warn("the processor dropped packets of its trace %llu times; record with a "
			 "larger AUX area (-m ,SIZE) or fewer packets",
			 (ull)s->gap_cnt[ITRACE_GAP_OVERFLOW]);
	if (s->gap_cnt[ITRACE_GAP_LOST])
		log_warn("bytes of the trace were lost %llu times while it was recorded; record "
			 "with a larger AUX area (-m ,SIZE)",
			 (ull)s->gap_cnt[ITRACE_GAP_LOST]);
	if (s->gap_cnt[ITRACE_GAP_NO_CODE] > s->kernel_gap_cnt)
		log_warn("the trace runs %llu times through code that is not known; give its files "
			 "with --symfs, or trace user code alone",
			 (ull)(s->gap_cnt[ITRACE_GAP_NO_CODE] - s->kernel_gap_cnt));
	if (s->kernel_gap_cnt)
		log_warn("the trace runs %llu times through code of the kernel that is not known: "
			 "%s",
			 (ull)s->kernel_gap_cnt, problem ? problem : "no file has it");
	if (s->gap_cnt[ITRACE_GAP_PACKET])
		log_warn("the trace has packets of event or trigger tracing that libipt does not "
			 "know at %llu places; record without them (event=0)",
			 (ull)s->gap_cnt[ITRACE_GAP_PACKET]);
	if (s->gap_cnt[ITRACE_GAP_UNIT])
		log_warn("the trace has bytes of units that the recording does not describe, at "
			 "%llu places; record with fewer sources in one buffer",
			 (ull)s->gap_cnt[ITRACE_GAP_UNIT]);
	if (s->gap_cnt[ITRACE_GAP_DAMAGE])
		log_warn("the trace is damaged at %llu places; record it again",
			 (ull)s->gap_cnt[ITRACE_GAP_DAMAGE]);
	if (s->gap_cnt[ITRACE_GAP_CRASH])
		log_warn("%s ended %llu times while it decoded; give it more memory, or report it "
			 "with the recording",
			 itrace_decoder__program(d), (ull)s->gap_cnt[ITRACE_GAP_CRASH]);
	if (s->skipped_sz)
		log_warn("%llu of the trace's %llu bytes were not decoded; they begin at the gaps "
			 "that --itrace=e shows",
			 (ull)s->skipped_sz, (ull)s->captured_sz);
}

void replay_itrace__free(struct replay_itrace *ri)
{
	if (!ri)
		return;
	if (ri->is_done)
		log_sums(ri->decoder);
	itrace_decoder__free(ri->decoder);
	itrace_stacks__free(&ri->stacks);
	free(ri->chain);
	free(ri->last);
	free(ri);
}

/* A gap, in the place where items are missing. */
static int pass_gap(struct replay_itrace *ri, const struct itrace_item *item, int32_t cpu)
{
	static const enum lost_cause causes[ITRACE_GAP_CNT] = {
		[ITRACE_GAP_OVERFLOW] = LOST_TRACE_OVERFLOW,
		[ITRACE_GAP_NO_CODE] = LOST_TRACE_CODE,
		[ITRACE_GAP_DAMAGE] = LOST_TRACE_DAMAGE,
		[ITRACE_GAP_CRASH] = LOST_TRACE_CRASH,
		[ITRACE_GAP_LOST] = LOST_TRACE_ABSENT,
		[ITRACE_GAP_PACKET] = LOST_TRACE_PACKET,
		[ITRACE_GAP_UNIT] = LOST_TRACE_UNIT,
	};
	struct lost lost = {
		.time_ns = item->time_ns,
		.cnt = item->period,
		.cpu = cpu < 0 ? UINT32_MAX : (uint32_t)cpu,
		.tid = item->tid < 0 ? 0 : item->tid,
		.cause = item->gap < ITRACE_GAP_CNT ? causes[item->gap] : LOST_TRACE_DAMAGE,
	};

	itrace_stacks__forget(&ri->stacks, item->tid);
	return replay__lost(ri->replay, &lost);
}

static bool needs_stacks(const struct replay_itrace *ri)
{
	return ri->options->chain_max || ri->options->wants_stacks;
}

static int pass(struct replay_itrace *ri, const struct itrace_item *item, int32_t cpu)
{
	/* Large, and mostly zero. */
	struct perf_sample *ps = &ri->sample;
	struct itrace_change change = { 0 };
	int err = 0;

	if (item->kind == ITRACE_ERROR)
		return pass_gap(ri, item, cpu);
	if (item->kind == ITRACE_BRANCH && needs_stacks(ri))
		err = itrace_stacks__branch(&ri->stacks, item, &change);
	if (!err && item->kind == ITRACE_BRANCH && ri->options->last_max)
		err = itrace_stacks__keep(&ri->stacks, item);
	/* Calls and returns also come for the stacks alone. */
	if (err ||
	    (item->kind == ITRACE_BRANCH && !itrace__wants_branch(ri->options->want, item->flags)))
		return err;
	if (item->kind >= ITRACE_KIND_CNT || !ri->events[item->kind])
		return 0;
	if (ri->skip_left) {
		ri->skip_left--;
		return 0;
	}
	ps->event = &ri->replay->rec->attrs.events[ri->events[item->kind] - 1];
	ps->have = ps->event->attr.sample_type;
	ps->time_ns = item->time_ns;
	ps->ip = item->ip;
	ps->addr = item->to;
	ps->period = item->kind == ITRACE_INSN ? item->period : 1;
	ps->pid = (uint32_t)item->pid;
	ps->tid = (uint32_t)item->tid;
	ps->cpu = (uint32_t)cpu;
	if (cpu < 0)
		ps->have &= ~(uint64_t)PERF_SAMPLE_CPU;
	ps->cpumode = item->is_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	ps->insn_flags = item->flags;
	ps->is_at_ip = item->period != 0;
	ps->popped = change.popped;
	ps->pushed = change.pushed;
	ps->depth = change.depth;
	ps->callchain.cnt = ps->branches.cnt = 0;
	if (ps->have & PERF_SAMPLE_CALLCHAIN) {
		ps->callchain.p = (const uint8_t *)ri->chain;
		ps->callchain.cnt = itrace_stacks__chain(&ri->stacks, item->tid, item->ip,
							 ri->options->chain_max, ri->chain);
	}
	if (ps->have & PERF_SAMPLE_BRANCH_STACK) {
		ps->branches.p = (const uint8_t *)ri->last;
		ps->branches.cnt = 3 * itrace_stacks__last(&ri->stacks, item->tid, ri->last);
	}
	ps->insn = item->insn;
	ps->insn_len = item->insn_len <= sizeof(item->insn) ? item->insn_len : 0;
	return replay__made_sample(ri->replay, ps);
}

int replay_itrace__until(struct replay_itrace *ri, uint64_t time_ns)
{
	const struct itrace_item *item;
	int32_t cpu;
	int got = 0, err = 0;

	while (!err && (got = itrace_decoder__next(ri->decoder, time_ns, &item, &cpu)) > 0) {
		err = pass(ri, item, cpu);
		if (!err && ri->passed_cnt++ % STOP_CHECK_CNT == 0 && stop_signals__caught(NULL))
			err = -ECANCELED;
	}
	ri->is_done = time_ns == UINT64_MAX && !got;
	return err ? err : got;
}
