// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/counter_text.h"

#include <string.h>

#include "event/event.h"

/* The counter never ran while it was enabled, or could not be read. */
static bool never_ran(const struct counter_growth *g)
{
	return !g->running_ns && !g->value;
}

static bool is_scaled(const struct counter_growth *g)
{
	return g->running_ns && g->running_ns < g->enabled_ns;
}

static uint64_t scaled(const struct counter_growth *g)
{
	return (uint64_t)((double)g->value * (double)g->enabled_ns / (double)g->running_ns + 0.5);
}

void counter_text__put_text(const struct event_list *events, const struct counter_growth *counters,
			    struct strbuf *out)
{
	size_t i;

	strbuf__puts(out, " {");
	for (i = 0; i < events->cnt; i++) {
		const struct counter_growth *g = &counters[i];

		if (i)
			strbuf__putc(out, ' ');
		strbuf__puts(out, events->events[i]->name);
		strbuf__putc(out, '=');
		if (never_ran(g)) {
			strbuf__puts(out, "<not counted>");
		} else if (is_scaled(g)) {
			strbuf__putc(out, '~');
			strbuf__put_u64(out, scaled(g));
			strbuf__printf(out, " (%.1f%%)",
				       100.0 * (double)g->running_ns / (double)g->enabled_ns);
		} else {
			strbuf__put_u64(out, g->value);
		}
	}
	strbuf__putc(out, '}');
}

void counter_text__put_json(const struct event_list *events, const struct counter_growth *counters,
			    struct strbuf *out)
{
	size_t i;

	strbuf__puts(out, ",\"counters\":{");
	for (i = 0; i < events->cnt; i++) {
		const struct counter_growth *g = &counters[i];

		if (i)
			strbuf__putc(out, ',');
		strbuf__put_json(out, events->events[i]->name, strlen(events->events[i]->name));
		strbuf__puts(out, ":{\"value\":");
		if (never_ran(g))
			strbuf__puts(out, "null");
		else
			strbuf__put_u64(out, g->value);
		if (is_scaled(g)) {
			strbuf__puts(out, ",\"scaled\":");
			strbuf__put_u64(out, scaled(g));
		}
		strbuf__puts(out, ",\"enabled\":");
		strbuf__put_u64(out, g->enabled_ns);
		strbuf__puts(out, ",\"running\":");
		strbuf__put_u64(out, g->running_ns);
		strbuf__putc(out, '}');
	}
	strbuf__putc(out, '}');
}
