// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/sampler_output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "run/confine.h"
#include "run/live_run.h"
#include "run/sampler.h"
#include "event/event.h"
#include "machine/machine.h"
#include "sink/profile_sink.h"
#include "sink/sink.h"
#include "sink/top.h"
#include "util/err.h"

/* Opens the view, and the sink of the file if there is one. */
static int open_top(struct live_run *run, const struct event_list *events,
		    const struct sink_ops *ops, struct sink_config *cfg)
{
	struct sink *file = ops ? sink__new(ops, &run->out, cfg) : NULL;

	if (ops && !file)
		return -ENOMEM;
	cfg->color = out__may_color();
	run->sink = top__new(file, cfg,
			     !events->cnt                  ? "time off the CPU"
			     : cfg->profile->off_events[0] ? "time on and off the CPU"
							   : events->events[0]->name);
	if (!run->sink)
		sink__free(file);
	return run->sink ? 0 : -ENOMEM;
}

/* With the tree that is made of it, bpfperf takes nine times as much at its end. */
#define PROFILE_MAX_SZ (24u << 20)

int sampler_output__open(struct live_run *run, struct sampler_config *o, struct exporter *exporter)
{
	struct sink_config cfg = {
		.sym = run->machine->sym,
		.events = &o->events,
		.profile = &o->profile,
		.extras = &o->recording.extra,
	};
	bool to_stdout = !o->output || !strcmp(o->output, "-");
	int err;

	o->recording.extra.kind = PERF_DATA_EXTRA;
	o->profile.sz_max = PROFILE_MAX_SZ;
	if (exporter && o->export.every_ns) {
		out__name(&run->out, NULL);
		return exporter__open(exporter, &o->export, o->ops, o->output, o->duration_ns, &cfg,
				      &run->sink);
	}
	run->workload.to_stderr = o->ops->is_binary && to_stdout;
	err = sink__open_out(o->ops, &run->out, o->output);
	if (err)
		return err;
	cfg.color = run->out.is_tty && out__may_color();
	if (o->top)
		return open_top(run, &o->events, to_stdout ? NULL : o->ops, &cfg);
	run->sink = sink__new(o->ops, &run->out, &cfg);
	return run->sink ? 0 : -ENOMEM;
}

int sampler_output__convert(struct live_run *run, const char *path)
{
	int err = sink__begin(run->sink), last;

	if (!err)
		err = confine__to_reading(false);
	run->out.stop_is_end = true;
	if (!err)
		err = sink__load(run->sink, path);
	if (!err) {
		out__begin(&run->out);
		err = sink__end(run->sink);
	}
	last = out__close(&run->out);
	err = err__keep_first(err, last);
	return err == -EPIPE ? 0 : err;
}
