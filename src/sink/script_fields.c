// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_fields.h"

#include <errno.h>
#include <string.h>

#include "data/attrs.h"
#include "data/recording.h"
#include "sink/script.h"
#include "util/log.h"

bool script_fields__has_chain(const struct script_config *cfg, const struct recorded_event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !cfg->no_callchain;
}

/* Fields, and what a sample must have for them. */
static const struct {
	uint64_t field;
	uint64_t needs; /* any of these PERF_SAMPLE_* */
} needed[] = {
	{ SCRIPT_PID | SCRIPT_TID, PERF_SAMPLE_TID },
	{ SCRIPT_CPU, PERF_SAMPLE_CPU },
	{ SCRIPT_TIME | SCRIPT_TOD, PERF_SAMPLE_TIME },
	{ SCRIPT_ADDR, PERF_SAMPLE_ADDR },
	{ SCRIPT_IREGS, PERF_SAMPLE_REGS_INTR },
	{ SCRIPT_UREGS, PERF_SAMPLE_REGS_USER },
	{ SCRIPT_DATA_SRC, PERF_SAMPLE_DATA_SRC },
	{ SCRIPT_WEIGHT, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT },
	{ SCRIPT_INS_LAT, PERF_SAMPLE_WEIGHT_STRUCT },
	{ SCRIPT_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR },
	{ SCRIPT_DATA_PAGE_SZ, PERF_SAMPLE_DATA_PAGE_SIZE },
	{ SCRIPT_CODE_PAGE_SZ, PERF_SAMPLE_CODE_PAGE_SIZE },
	{ SCRIPT_BRANCHES | SCRIPT_CODE, PERF_SAMPLE_BRANCH_STACK },
};

bool script_fields__omits(const struct script_config *cfg, const struct recorded_event *ev)
{
	const struct script_part *part = script_choice__of(&cfg->choice, ev->attr.type);

	return part != &cfg->choice.all && !script_part__is_set(part);
}

uint64_t script_fields__of(const struct script_config *cfg, const struct recorded_event *ev)
{
	const uint64_t front = SCRIPT_COMM | SCRIPT_TID | SCRIPT_CPU | SCRIPT_TIME | SCRIPT_EVENT;
	const uint64_t code = SCRIPT_IP | SCRIPT_SYM | SCRIPT_SYMOFF | SCRIPT_DSO;
	/* Events of `perf mem` and `perf c2c`. */
	const uint64_t memory = SCRIPT_ADDR | SCRIPT_DATA_SRC | SCRIPT_WEIGHT | SCRIPT_INS_LAT |
				SCRIPT_PHYS_ADDR | SCRIPT_DATA_PAGE_SZ | SCRIPT_CODE_PAGE_SZ;
	uint64_t have = ev->attr.sample_type;
	const struct script_part *part = script_choice__of(&cfg->choice, ev->attr.type);
	uint64_t fields = part->fields;
	bool is_bpf =
		ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_BPF_OUTPUT;
	size_t i;

	if (script_fields__omits(cfg, ev))
		return 0;
	if (!fields && ev->attr.type == PERF_TYPE_TRACEPOINT)
		fields = front | SCRIPT_TRACE | (script_fields__has_chain(cfg, ev) ? code : 0);
	else if (!fields && ev->attr.type == PERF_TYPE_SYNTH)
		fields = front | SCRIPT_SYNTH | code;
	else if (!fields)
		fields = front | SCRIPT_PERIOD | code |
			 (ev->is_made                      ? SCRIPT_ADDR
			  : ev->attr.type == PERF_TYPE_RAW ? memory
							   : SCRIPT_BPF_OUTPUT);
	fields = (fields | part->more) & ~part->less;
	if (cfg->full_paths)
		fields |= SCRIPT_FULL_PATH;
	if (!is_bpf)
		fields &= ~SCRIPT_BPF_OUTPUT;
	if (ev->attr.type != PERF_TYPE_SYNTH)
		fields &= ~SCRIPT_SYNTH;
	if (!ev->is_made)
		fields &= ~(SCRIPT_FLAGS | SCRIPT_INSN | SCRIPT_INSN_LEN | SCRIPT_CALLINDENT);
	/* Branches alone have calls. */
	if (ev->attr.config != PERF_COUNT_HW_BRANCH_INSTRUCTIONS)
		fields &= ~SCRIPT_CALLINDENT;
	for (i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!(have & needed[i].needs))
			fields &= ~needed[i].field;
	return fields;
}

/* Are instructions of this machine decoded? A recording without its architecture is of this one. */
static bool is_x86(const struct recording *rec)
{
	const char *arch = rec->arch;

	if (!arch)
		return !recording__is_arm64(rec);
	return !strncmp(arch, "x86", 3) || (arch[0] == 'i' && !strcmp(arch + 2, "86"));
}

#define BRANCH_KINDS                                                                               \
	(PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_ANY_RETURN |                             \
	 PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_ABORT_TX | PERF_SAMPLE_BRANCH_COND |     \
	 PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_IND_JUMP | PERF_SAMPLE_BRANCH_CALL)

/* Code between branches is known if all of them are recorded. 0, or -EINVAL, logged. */
static int check_branches(const struct recording *rec)
{
	const struct recorded_event *ev;
	bool has_some = false, has_all = false;
	size_t i;

	for (i = 0; i < rec->attrs.cnt; i++) {
		ev = &rec->attrs.events[i];
		if (ev->is_made || !(ev->attr.sample_type & PERF_SAMPLE_BRANCH_STACK))
			continue;
		has_some = true;
		/* perf inject makes branch stacks of a processor's trace, without a kind. */
		has_all |= ev->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY ||
			   !(ev->attr.branch_sample_type & BRANCH_KINDS);
	}
	if (has_some && !has_all) {
		log_error(
			"-F brstackinsn: %s has branches of some kinds alone, so the code between "
			"them is not known; record with -b, or -j any",
			rec->path);
		return -EINVAL;
	}
	if (is_x86(rec))
		return 0;
	log_error("-F brstackinsn: instructions of x86 alone are decoded, and %s is of %s; print "
		  "the branches with -F brstacksym",
		  rec->path, rec->arch ?: "arm64");
	return -EINVAL;
}

int script_fields__begin(struct script_config *cfg, const struct recording *rec)
{
	uint64_t asked = script_choice__asked(&cfg->choice);

	cfg->is_arm64 = recording__is_arm64(rec);
	cfg->real_off_ns = rec->moment_real_ns - rec->moment_ns;
	if (asked & SCRIPT_TOD && !rec->moment_real_ns) {
		log_error("-F tod: %s does not say what time of the day it was; record with -k "
			  "CLOCK",
			  rec->path);
		return -EINVAL;
	}
	return asked & SCRIPT_CODE ? check_branches(rec) : 0;
}
