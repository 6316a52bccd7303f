// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/replay_machine.h"

#include "data/recording.h"
#include "machine/machine_maps.h"
#include "machine/proc_event.h"
#include "sym/sym.h"

void replay_machine__start(struct sym *sym, const struct recording *rec,
			   const struct sym_options *options)
{
	struct sym_options all = options ? *options : (struct sym_options){ 0 };

	all.offline = true;
	all.recorded_real_ns = rec->mtime_real_ns;
	sym__configure(sym, &all);
}

bool replay_machine__may_unwind(const struct recording *rec)
{
	size_t i;

	for (i = 0; i < rec->attrs.cnt; i++)
		if (rec->attrs.events[i].attr.sample_type & PERF_SAMPLE_STACK_USER)
			return true;
	return rec->is_pipe;
}

void replay_machine__record(struct sym *sym, const struct recording *rec,
			    const struct perf_event_header *hdr, uint64_t time_ns)
{
	struct proc_event ev;

	proc_event__parse(hdr, &ev);
	machine_maps__on_recorded(sym, rec, &ev);
}
