// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/walk_time.h"

/* Cycles are counted from now on. */
static void begin_cycles(struct walk_time *t)
{
	t->from_tsc = t->tsc;
	t->cycles = 0;
}

/* Time does not go back by an estimate. */
static void move_on(struct walk_time *t, uint64_t tsc)
{
	if (tsc > t->tsc)
		t->tsc = tsc;
}

static void take_tma(struct walk_time *t, const struct itrace_job *job, const struct packet *k)
{
	/* Its CTC has 16 bits, of which MTC shows eight. */
	t->has_ctc = t->has_tsc && job->ctc_ratio_d && job->mtc_freq <= 8;
	if (!t->has_ctc)
		return;
	t->ctc_tsc = t->tsc - k->cnt;
	t->from_ctc = k->value;
	t->ctc = k->value >> job->mtc_freq << job->mtc_freq;
	t->mtc = (uint8_t)(k->value >> job->mtc_freq);
}

static void take_mtc(struct walk_time *t, const struct itrace_job *job, const struct packet *k)
{
	uint8_t ticks = (uint8_t)(k->value - t->mtc);

	if (!t->has_ctc)
		return;
	t->mtc = (uint8_t)k->value;
	t->ctc += (uint64_t)ticks << job->mtc_freq;
	/* The first one may be that of TMA. */
	if (t->ctc < t->from_ctc)
		return;
	move_on(t, t->ctc_tsc + (t->ctc - t->from_ctc) * job->ctc_ratio_n / job->ctc_ratio_d);
	begin_cycles(t);
}

void walk_time__packet(struct walk_time *t, const struct itrace_job *job, const struct packet *k)
{
	switch (k->kind) {
	case PACKET_TSC:
		t->tsc = k->value;
		t->has_tsc = true;
		begin_cycles(t);
		break;
	case PACKET_TMA:
		take_tma(t, job, k);
		break;
	case PACKET_MTC:
		take_mtc(t, job, k);
		break;
	case PACKET_CYC:
		t->cycles += k->value;
		if (t->has_tsc && t->cbr && job->nom_freq)
			move_on(t, t->from_tsc + t->cycles * job->nom_freq / t->cbr);
		break;
	case PACKET_OVF:
		/* Ticks and cycles were lost: there is no time until they begin again. */
		t->has_ctc = false;
		t->cbr = 0;
		break;
	case PACKET_CBR:
		if (t->cbr != k->value)
			begin_cycles(t);
		t->cbr = (uint32_t)k->value;
		break;
	default:
		break;
	}
}
