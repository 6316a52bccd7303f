// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/hist_head.h"

#include <string.h>

#include "profile/hist_keys.h"
#include "sink/hist_text.h"
#include "util/strbuf.h"

typedef unsigned long long ull;

/* Puts a count in thousands, millions, … if it is large. */
static void put_samples(struct strbuf *out, uint64_t cnt)
{
	const char *unit = " KMG";

	while (cnt > 1000 && unit[1]) {
		cnt /= 1000;
		unit++;
	}
	strbuf__printf(out, "# Samples: %llu%c of event", (ull)cnt, *unit);
}

/* Puts "anon group { a, b }", or the name of the one event. */
static void put_event_names(const struct hist_event *ev, uint32_t cnt, struct strbuf *out)
{
	bool has_frame = cnt > 1 && !ev->is_made_group;
	uint32_t i;

	if (has_frame) {
		if (ev->group)
			strbuf__put_escaped(out, ev->group, strlen(ev->group));
		else
			strbuf__puts(out, "anon group");
		strbuf__puts(out, " { ");
	}
	for (i = 0; i < cnt; i++) {
		strbuf__puts(out, i ? ", " : "");
		strbuf__put_escaped(out, ev[i].name, strlen(ev[i].name));
	}
	strbuf__puts(out, has_frame ? " }" : "");
}

void hist_head__put_events(const struct hist_event *ev, uint32_t cnt,
			   const struct hist_config *hist, const struct hist_text_config *cfg,
			   struct strbuf *out)
{
	uint64_t samples = 0, period = 0;
	uint32_t i;

	for (i = 0; i < cnt; i++) {
		samples += ev[i].samples;
		period += ev[i].period;
	}
	put_samples(out, samples);
	strbuf__puts(out, ev->member_cnt > 1 ? "s '" : " '");
	put_event_names(ev, cnt, out);
	strbuf__puts(out, "'");
	if (cfg->only.time)
		strbuf__printf(out, " (time slices: %s)", cfg->only.time);
	if (hist->is_memory) {
		strbuf__printf(out, "\n# Total weight : %llu\n# Sort order   : ", (ull)period);
		hist_keys__put(hist, out);
	} else {
		strbuf__printf(out, "\n# Event count (approx.): %llu", (ull)period);
	}
	strbuf__puts(out, "\n#\n");
}

/* Puts the one name that was selected, which may have no column. */
static void put_only(struct strbuf *out, const char *column, const char *names)
{
	if (!names || strchr(names, ','))
		return;
	strbuf__printf(out, "# %s: ", column);
	strbuf__put_escaped(out, names, strlen(names));
	strbuf__putc(out, '\n');
}

void hist_head__put(const struct hist *hist, const struct hist_text_config *cfg, struct strbuf *out)
{
	uint32_t i;

	strbuf__puts(out, "#\n");
	for (i = 0; i < hist->cfg.key_cnt; i++) {
		if (hist->cfg.keys[i] == HIST_COMM)
			put_only(out, "comm", cfg->only.comm);
		else if (hist->cfg.keys[i] == HIST_DSO)
			put_only(out, "dso", cfg->only.dso);
		else if (hist->cfg.keys[i] == HIST_SYM)
			put_only(out, "symbol", cfg->only.symbol);
	}
	strbuf__printf(out, "#\n# Total Lost Samples: %llu\n#\n", (ull)hist->lost);
}
