// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Durations outside of the kernel: starts and ends of a recording, durations over time, and the
 * records that are made of a start and an end.
 */
#include <string.h>

#include "decode/field.h"
#include "event/event.h"
#include "span/each_event.h"
#include "span/heat.h"
#include "span/match.h"
#include "tap.h"

static struct wire_span span_of(uint64_t thread, uint64_t field, uint32_t flags)
{
	struct wire_span span = { .match = { 1, thread }, .flags = flags };

	span.from[WIRE_SPAN_REST] = field;
	return span;
}

static uint64_t end_at(struct span_match *m, uint64_t thread, uint64_t time_ns, uint64_t *field)
{
	struct wire_span span = span_of(thread, 0, 0);
	uint64_t ns = UINT64_MAX;

	if (!span_match__end(m, &span, 2, time_ns, &ns))
		return UINT64_MAX;
	*field = span.row[WIRE_SPAN_REST];
	return ns;
}

static void begin_at(struct span_match *m, uint64_t thread, uint64_t field, uint32_t flags,
		     uint64_t time_ns)
{
	struct wire_span span = span_of(thread, field, flags);

	span_match__begin(m, &span, 2, time_ns);
}

static void test_match(void)
{
	struct span_match m = {};
	uint64_t field = 0;
	const struct span_account *a = &m.accounts[1];

	begin_at(&m, 7, 42, 0, 1000);
	begin_at(&m, 8, 43, 0, 1100);
	ok(end_at(&m, 7, 1500, &field) == 500 && field == 42, "an end has the start of its key");
	ok(end_at(&m, 7, 1600, &field) == UINT64_MAX, "a start matches once");
	begin_at(&m, 8, 44, 0, 1700);
	ok(end_at(&m, 8, 1800, &field) == 100 && field == 44, "a second start replaces the first");
	begin_at(&m, 9, 1, WIRE_SPAN_FIRST, 2000);
	begin_at(&m, 9, 2, WIRE_SPAN_FIRST, 2100);
	ok(end_at(&m, 9, 2300, &field) == 300 && field == 1,
	   "with WIRE_SPAN_FIRST a second start is left out");
	begin_at(&m, 9, 1, 0, 3000);
	ok(end_at(&m, 9, 2900, &field) == 0, "time that goes backwards is none");
	begin_at(&m, 5, 1, 0, 4000);
	span_match__finish(&m);
	ok(a->starts == 7 && a->ends == 5 && a->matched == 4 && a->without_start == 1 &&
		   a->overwritten == 2 && a->waiting == 1,
	   "starts and ends are accounted for");
	span_match__free(&m);
}

static void test_heat(void)
{
	struct span_heat h;
	uint64_t sum = 0;
	unsigned int i;

	span_heat__init(&h, 1000, 100);
	for (i = 0; i < 5003; i++)
		span_heat__add(&h, 1000 + 100 * i + 50, i % 3, 800, 2);
	span_heat__finish(&h);
	for (i = 0; i < h.cnt; i++)
		sum += h.at[i].cnt;
	ok(sum == 10006, "heat map: no duration is lost (%llu)", (unsigned long long)sum);
	ok(h.slice_cnt <= 512 && h.slice_ns == 1600, "heat map: slices grow, %u of %llu ns",
	   h.slice_cnt, (unsigned long long)h.slice_ns);
	ok(h.cnt <= 3ul * h.slice_cnt, "heat map: equal places are one (%zu)", h.cnt);
	span_heat__free(&h);
}

/* Many durations in few places leave the slices as they are; many places make them longer. */
static void test_heat_room(void)
{
	struct span_heat h;
	uint64_t sum = 0;
	unsigned int i;

	span_heat__init(&h, 0, 100);
	for (i = 0; i < 2500007; i++)
		span_heat__add(&h, 1 + 100 * (i % 401), i % 3, 800, 1);
	ok(h.slice_cnt == 401 && h.slice_ns == 100,
	   "heat map: 2,500,007 in 401 slices, %u of %llu ns", h.slice_cnt,
	   (unsigned long long)h.slice_ns);
	span_heat__free(&h);

	span_heat__init(&h, 0, 100);
	for (i = 0; i < 2500007; i++)
		span_heat__add(&h, 1, i % 3, 800, 1);
	ok(h.cap <= 1u << 21, "heat map: one slice is joined, too (%zu cells of room)", h.cap);
	span_heat__free(&h);

	span_heat__init(&h, 0, 100);
	for (i = 0; i < 2500007; i++)
		span_heat__add(&h, 1 + 100 * (i % 401), i / 401, 800, 1);
	span_heat__finish(&h);
	for (i = 0; i < h.cnt; i++)
		sum += h.at[i].cnt;
	ok(sum == 2500007 && h.slice_ns > 100, "heat map: many rows make slices longer, %llu in %u",
	   (unsigned long long)sum, h.slice_cnt);
	span_heat__free(&h);
}

#define COMMON                                                                                     \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static struct event *event_of(const char *name, const char *fields)
{
	struct event *ev = event__new(EVENT_TRACEPOINT, name);
	char text[2048];

	snprintf(text, sizeof(text), "name: x\nID: 7\nformat:\n" COMMON "%s\nprint fmt: \"\"\n",
		 fields);
	ev->fmt = tp_format__parse("sys", name, text, strlen(text));
	return ev;
}

static const char *json_of(const struct sample *s, const char *name)
{
	static struct strbuf sb;
	const struct tp_field *f = tp_format__field(s->event->fmt, name);

	strbuf__reset(&sb);
	if (f)
		field__to_json(s->event->fmt, f, s->raw, s->raw_sz, &sb);
	return strbuf__cstr(&sb);
}

/* A start with a text at its end, whose record may be cut, and an end with an array. */
static void test_record(void)
{
	struct event *from = event_of("from", "\tfield:int nr;\toffset:8;\tsize:4;\tsigned:1;\n"
					      "\tfield:__data_loc char[] path;\toffset:12;\tsize:4;"
					      "\tsigned:0;\n");
	struct event *to = event_of("to", "\tfield:char comm[4];\toffset:8;\tsize:4;\tsigned:0;\n"
					  "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n");
	static const char start[24] = { 7,   0,   0,  0, 9, 0, 0,   0,   251, 255,
					255, 255, 16, 0, 4, 0, 'a', 'b', 'c', 0 };
	static const char end[24] = { 8, 0, 0, 0, 9, 0, 0, 0, 'x', 'y', 'z', 0, 0, 0, 0, 0, 3 };
	struct sample a = { .event = from, .raw = start, .raw_sz = 20 };
	struct sample b = { .event = to, .raw = end, .raw_sz = 24, .time_ns = 99, .tid = 9 };
	struct span_each each = { "pair:x", 1234, &a, &b };
	uint64_t buf[EACH_RECORD_MAX / 8];
	struct each_event made;
	struct sample s;

	ok(!each_event__init(&made, "pair:x", from, to, false, 60001), "an event is made up");
	is_str(made.ev->name, "latency:pair:x", "the name of the event has the pair");
	is_str(made.ev->fmt->name, "pair_x",
	       "the name in a recording has letters and digits alone");
	each_event__sample(&made, &each, buf, &s);
	ok(s.time_ns == 99 && s.period == 1234 && s.kind == SAMPLE_SPAN,
	   "the sample is of the end");
	is_str(json_of(&s, "duration"), "1234", "the duration is a field");
	is_str(json_of(&s, "from_nr"), "-5", "a number of the start");
	is_str(json_of(&s, "from_path"), "\"abc\"", "a text of the start");
	is_str(json_of(&s, "to_comm"), "\"xyz\"", "a text of the end");
	is_str(json_of(&s, "to_ret"), "3", "a number of the end");
	a.raw_sz = 18;
	each_event__sample(&made, &each, buf, &s);
	is_str(json_of(&s, "from_path"), "\"\"", "a text that was cut is empty");
	each_event__free(&made);
	event__free(made.ev);
	event__free(from);
	event__free(to);
}

int main(void)
{
	test_match();
	test_heat();
	test_heat_room();
	test_record();
	return done_testing();
}
