// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* A flight recorder that has shown enough in a dump (--max-events) makes no other. */
#include "run/flight_recorder.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "live_rings.h"
#include "sink/out.h"
#include "sink/sink.h"
#include "tap.h"
#include "util/stop_signals.h"

/* One row is enough. */
static int on_record(void *ctx, const struct record *rec)
{
	unsigned int *rows = ctx;

	*rows += rec->kind == RECORD_COUNTERS;
	return rec->kind == RECORD_COUNTERS;
}

static void test_enough(struct flight_recorder *r, const unsigned int *rows)
{
	struct wire_rec row = { .sz = sizeof(row), .kind = WIRE_COUNTERS };
	uint32_t cpu = (uint32_t)sched_getcpu();

	for (row.time_ns = 1; row.time_ns < 7; row.time_ns++)
		live_source__add(r->src, cpu, &row);
	is_s64(flight_recorder__check(r), 0, "nothing asks for a dump");
	is_u64(*rows, 0, "there is none");
	kill(getpid(), SIGUSR2);
	is_s64(flight_recorder__check(r), 1, "a dump that shows enough ends the recording");
	is_u64(*rows, 1, "the last dump is the only one");
	is_u64(r->dump_cnt, 1, "the last dump is the only one in the output, too");
}

int main(void)
{
	struct live_config cfg = { .overwrite = true };
	const struct sink_config nothing = { 0 };
	const struct sink_ops *json;
	unsigned int rows = 0;
	struct flight_recorder r = { .fn = on_record, .ctx = &rows };
	struct out out = { 0 };

	if (geteuid())
		skip_all("needs root");
	stop_signals__block_usr2();
	json = sink__choose(trace_sinks, "json", NULL, NULL);
	r.src = live_rings__open(&cfg);
	if (ok(r.src && json && !out__open(&out, "/dev/null") &&
		       (r.sink = sink__new(json, &out, &nothing)) &&
		       !flight_recorder__open(&r, -1, NULL),
	       "a flight recorder"))
		test_enough(&r, &rows);
	live_source__free(r.src);
	sink__free(r.sink);
	flight_recorder__close(&r);
	out__close(&out);
	return done_testing();
}
