// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The live source: lost records, by cause. */
#include <string.h>

#include "source/cpu_counts.h"
#include "source/live_priv.h"

void live_source__lost(const struct live_source *src, uint32_t cpu, uint64_t lost[LOST_CPU_CAUSES])
{
	memset(lost, 0, LOST_CPU_CAUSES * sizeof(*lost));
	if (!src->batches.cpus)
		return;
	cpu_counts__lost(&src->batches.cpus[cpu], src->flight != NULL,
			 live_source__has_ring(src, cpu), lost);
}

int live_source__hand_on_lost(struct live_source *src, uint32_t cpu, uint64_t time_ns, uint64_t max,
			      record_fn fn, void *ctx)
{
	struct record rec = { .time_ns = time_ns, .cpu = cpu, .kind = RECORD_LOST };
	uint64_t lost[LOST_CPU_CAUSES];
	int cause, err = 0;

	live_source__lost(src, cpu, lost);
	for (cause = 0; cause < LOST_CPU_CAUSES && max && !err; cause++) {
		rec.cause = (enum lost_cause)cause;
		rec.lost_cnt = lost[cause] - src->lost_handed_on[cpu][cause];
		if (rec.lost_cnt > max)
			rec.lost_cnt = max;
		if (!rec.lost_cnt)
			continue;
		src->lost_handed_on[cpu][cause] += rec.lost_cnt;
		max -= rec.lost_cnt;
		err = fn(ctx, &rec);
	}
	return err;
}
