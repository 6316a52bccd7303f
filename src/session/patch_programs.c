// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/patch_programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "util/log.h"

static bool starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool patch_programs__serves(const char *prog_name, const struct event *ev, bool is_classic)
{
	const char *sys = ev->fmt->sys, *name = ev->fmt->name;

	if (strcmp(prog_name, "classic_tp") == 0)
		return is_classic;
	if (is_classic)
		return false;
	if (starts_with(prog_name, "classic_"))
		prog_name += strlen("classic_");
	else if (starts_with(prog_name, "raw_"))
		prog_name += strlen("raw_");
	if (starts_with(prog_name, "named_"))
		return strcmp(sys, "syscalls") == 0 &&
		       starts_with(name, prog_name + strlen("named_")) &&
		       name[strlen(prog_name) - strlen("named_")] == '_';
	return strcmp(sys, "syscalls") != 0 && strcmp(name, prog_name) == 0;
}

int patch_programs__put(struct trace_bpf *skel, const struct event_list *events,
			const bool *is_classic, const struct patch_event *patches,
			struct patch_tables *tables)
{
	struct patch_event *own = calloc(events->cnt + 1, sizeof(*own));
	struct bpf_program *prog;
	int err = own ? 0 : -ENOMEM;
	size_t i, cnt;

	bpf_object__for_each_program (prog, skel->obj) {
		if (err || !bpf_program__autoload(prog))
			continue;
		for (i = cnt = 0; i < events->cnt; i++)
			if (patch_programs__serves(bpf_program__name(prog), events->events[i],
						   is_classic[i]) &&
			    (patches[i].first || patches[i].filter || patches[i].more))
				own[cnt++] = patches[i];
		err = patch_code__put(prog, own, cnt, tables);
	}
	free(own);
	if (err == -E2BIG)
		log_error("the filters of all these events are too large for one BPF program; name "
			  "fewer events or shorten the filters");
	else if (err)
		log_error("cannot put the filters into the BPF programs: %s", strerror(-err));
	return err;
}
