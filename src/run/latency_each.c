// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/latency_each.h"

#include <errno.h>

#include "machine/machine.h"
#include "source/source.h"

int latency_each__init(struct latency_each *each, const struct latency_pairs *pairs,
		       struct machine *machine)
{
	each->pairs = pairs;
	if (trace_decoder__init(&each->decoder, &pairs->events, machine->tasks) ||
	    presenter__init(&each->from, machine->sym) || presenter__init(&each->to, machine->sym))
		return -ENOMEM;
	each->decoder.ext_sz = sizeof(struct wire_span_ext);
	return 0;
}

void latency_each__free(struct latency_each *each)
{
	trace_decoder__free(&each->decoder);
	presenter__free(&each->from);
	presenter__free(&each->to);
}

/* The start has left its entry alone: the common fields have its event and its thread. */
static bool decode_start(const struct latency_each *each, const struct wire_span_ext *ext,
			 const struct sample *to, struct sample *from)
{
	const struct wire_entry *entry = (const void *)ext->start;

	if (ext->start_sz < sizeof(*entry) || ext->start_sz > sizeof(ext->start) ||
	    entry->type >= each->decoder.id_cnt || !each->decoder.by_id[entry->type])
		return false;
	*from = (struct sample){
		.time_ns = to->time_ns - ext->ns,
		.tid = entry->pid,
		.comm = "",
		.event = each->decoder.by_id[entry->type],
		.raw = entry,
		.raw_sz = ext->start_sz,
	};
	return true;
}

int latency_each__put(struct latency_each *each, const struct record *rec, struct strbuf *out)
{
	const struct wire_span_ext *ext = (const void *)(rec->wire + 1);
	struct sample from, to;
	struct span_each e = { .from = &from, .to = &to };

	if (!trace_decoder__sample(&each->decoder, rec->wire, rec->cpu, &to) ||
	    ext->pair >= each->pairs->cnt || !decode_start(each, ext, &to, &from))
		return 0;
	if (presenter__complete(&each->from, &from, each->needs) ||
	    presenter__complete(&each->to, &to, each->needs))
		return -ENOMEM;
	e.pair = each->pairs->pairs[ext->pair].name;
	e.ns = ext->ns;
	each->put(out, &e);
	return 1;
}
