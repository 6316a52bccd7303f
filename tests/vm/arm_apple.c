// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * arm_apple TYPE: libbpfperf on the PMU of this number, whose driver may refuse events that count
 * guests, too. Prints TAP.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "tap.h"

#include "selfmon/bpfperf.h"

int main(int argc, char **argv)
{
	/* INST_ALL, twice: there are two counters for it, and no third. */
	struct perf_event_attr attrs[3] = { { .config = 0x8c },
					    { .config = 0x8c },
					    { .config = 0x8c } };
	struct bpfperf_counter counters[3];
	struct bpfperf_value val;
	size_t i, bad = 9;
	int err;

	for (i = 0; i < 3; i++)
		attrs[i].type = argc > 1 ? (unsigned int)atoi(argv[1]) : PERF_TYPE_RAW;
	err = bpfperf_open(counters, attrs, 2, &bad);
	if (!ok(err == 0, "libbpfperf opens a group of two events"))
		diag("%s, event %zu", strerror(-err), bad);
	if (!err) {
		ok(bpfperf_read(&counters[1], &val) >= 0, "libbpfperf reads the second event");
		bpfperf_close(counters, 2);
	}
	err = bpfperf_open(counters, attrs, 3, &bad);
	ok(err == -EINVAL && bad == 2, "libbpfperf says that a third one has no counter");
	return done_testing();
}
