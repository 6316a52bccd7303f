// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Calls of a processor's trace in --format perfetto: slices that nest, on the thread's track. */
#include "data/perf_sample.h"
#include "decode/named.h"
#include "sink/perfetto_priv.h"
#include "sink/sink.h"

bool perfetto_slices__is_branch(const struct sample *s)
{
	return s->perf && s->perf->event->is_made && s->perf->have & PERF_SAMPLE_ADDR;
}

static void end_slices(struct perfetto *p, struct perfetto_thread *th, uint32_t cnt, uint64_t ts_ns)
{
	for (; cnt && th->depth; cnt--, th->depth--) {
		trace_event__begin(&p->writer, 'E', ts_ns, th->pid, th->tid);
		trace_event__end(&p->writer);
	}
}

static void begin_slice(struct perfetto *p, struct perfetto_thread *th, const struct sample *s,
			uint64_t ts_ns)
{
	const struct named_place *place = s->lines->cnt > 1 ? s->lines->at[1].place : NULL;
	const struct sym_frame *f = place && place->cnt ? &place->frames[place->cnt - 1] : NULL;
	struct strbuf name = STRBUF_INIT;

	if (f && f->name)
		strbuf__puts(&name, f->name);
	else
		strbuf__printf(&name, "0x%llx", (unsigned long long)s->perf->addr);
	trace_event__begin(&p->writer, 'B', ts_ns, th->pid, th->tid);
	trace_event__name(&p->writer, strbuf__cstr(&name), f ? f->module : "[unknown]");
	trace_event__end(&p->writer);
	strbuf__free(&name);
	th->depth++;
}

void perfetto_slices__put(struct perfetto *p, struct perfetto_thread *th, const struct sample *s,
			  uint64_t ts_ns)
{
	end_slices(p, th, s->perf->popped, ts_ns);
	if (s->perf->pushed)
		begin_slice(p, th, s, ts_ns);
}

void perfetto_slices__end(struct perfetto *p, struct perfetto_thread *th, uint64_t ts_ns)
{
	end_slices(p, th, th->depth, ts_ns);
}
