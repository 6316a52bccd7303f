// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/replay_dump.h"

#include "itrace/packets.h"
#include "run/replay.h"
#include "sink/script_dump.h"

static size_t put_packets(void *ctx, const uint8_t *p, size_t sz, uint64_t at, bool is_end,
			  struct strbuf *out)
{
	struct packets *packets = ctx;

	if (!at)
		*packets = (struct packets){ 0 };
	return packets__put(packets, p, sz, is_end, out);
}

int replay_dump__print(struct replay *r, struct out *out)
{
	struct packets packets = { 0 };
	const struct script_dump_trace trace = { put_packets, &packets };
	int err = script_dump(r->rec, out, &trace);

	replay_losses__log(&r->losses, r->rec, "shown");
	return err;
}
