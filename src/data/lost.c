// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/lost.h"

static const char *const names[LOST_CAUSE_CNT] = {
	[LOST_RING_FULL] = "ring full",
	[LOST_NESTED] = "nested too deep",
	[LOST_NO_RING] = "no ring on this CPU",
	[LOST_OTHER] = "refused by the kernel",
	[LOST_PAUSED] = "paused for a dump",
	[LOST_MISSED] = "program already running",
	[LOST_BUDGET] = "over the budget",
	[LOST_ABSENT] = "program never run",
	[LOST_TRACE_OVERFLOW] = "trace overflow",
	[LOST_TRACE_CODE] = "no code for the trace",
	[LOST_TRACE_DAMAGE] = "damaged trace",
	[LOST_TRACE_CRASH] = "trace decoder ended",
	[LOST_TRACE_ABSENT] = "trace lost while recording",
	[LOST_TRACE_PACKET] = "unknown packet in the trace",
	[LOST_TRACE_UNIT] = "trace of an unknown unit",
};

const char *lost_cause__name(enum lost_cause cause)
{
	return names[cause];
}
