// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/script_records.h"

#include <errno.h>
#include <string.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "decode/sample.h"
#include "machine/tasks.h"
#include "run/replay.h"
#include "sink/script.h"
#include "sink/script_events.h"
#include "sink/script_fields.h"
#include "util/strbuf.h"

/* The function in which code was replaced: "vfs_read+0x12"; nothing, if none is known. */
static void name_poke(struct replay *r, const struct perf_event_header *hdr, struct strbuf *name)
{
	struct sym_frame frame;
	uint64_t addr;

	if (hdr->type != PERF_RECORD_TEXT_POKE || hdr->size < sizeof(*hdr) + sizeof(addr))
		return;
	memcpy(&addr, hdr + 1, sizeof(addr));
	sym__function(r->machine->sym, true, sym__kernel_place(r->machine->sym, addr), &frame);
	if (frame.name)
		strbuf__printf(name, "%s+0x%llx", frame.name, (unsigned long long)frame.off);
}

int script_records__print(struct replay *r, const struct script_events *show,
			  struct script_config *cfg, struct sink *sink, const struct record *rec)
{
	const struct recording *file = r->rec;
	struct perf_sample trailer = { 0 };
	struct sample s = { .perf = &trailer };
	struct strbuf name = STRBUF_INIT;
	int err;

	if (!script_events__has(show, rec->hdr->type) || !file->attrs.cnt)
		return 0;
	if (script_fields__begin(cfg, file))
		return -EINVAL;
	perf_sample__parse(&trailer, &file->attrs, file->swap, rec->hdr);
	if (!trailer.event)
		trailer.event = file->attrs.events;
	trailer.cpumode = rec->hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	s.time_ns = rec->time_ns == UINT64_MAX ? 0 : rec->time_ns;
	s.cpu = trailer.cpu;
	s.pid = (int32_t)trailer.pid;
	s.tid = (int32_t)trailer.tid;
	s.comm = tasks__comm(r->machine->tasks, script_events__tid(rec->hdr, s.tid));
	name_poke(r, rec->hdr, &name);
	s.text = strbuf__cstr(&name);
	s.text_len = name.len;
	err = script__record(sink, &s, rec->hdr);
	strbuf__free(&name);
	return err;
}
