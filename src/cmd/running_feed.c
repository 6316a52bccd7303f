// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/running_feed.h"

#include <stdint.h>

#include "session/bpf_symbols.h"
#include "sink/sink.h"
#include "source/running.h"

static int put(void *ctx, const void *rec, size_t sz)
{
	return sink__task(ctx, rec, 0, 0);
}

static int put_function(void *ctx, uint64_t addr, uint32_t len, const char *name)
{
	return running__bpf_function(ctx, addr, len, name);
}

int running_feed__all(struct sink *sink, bool with_maps)
{
	struct running r = { .names_only = !with_maps, .fn = put, .ctx = sink };
	int err = 0;

	if (!sink->wants_tasks)
		return 0;
	if (with_maps)
		err = running__kernel(&r);
	if (with_maps && !err)
		err = bpf_symbols__each(put_function, &r);
	return err ? err : running__all(&r);
}
