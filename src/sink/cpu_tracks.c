// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/cpu_tracks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/field.h"
#include "event/event.h"

/* Upper bound of the time the kernel takes from the sched_switch record to the switch. */
#define LEAVING_NS 20000

static struct cpu_track *track_of(struct cpu_tracks *t, uint32_t cpu)
{
	struct cpu_track *c, *bigger;
	char name[24];

	if (cpu >= t->cpu_cnt) {
		size_t cnt = cpu + 1u;

		bigger = realloc(t->cpus, cnt * sizeof(*bigger));
		if (!bigger)
			return NULL;
		memset(bigger + t->cpu_cnt, 0, (cnt - t->cpu_cnt) * sizeof(*bigger));
		t->cpus = bigger;
		t->cpu_cnt = cnt;
	}
	c = &t->cpus[cpu];
	if (!c->is_named) {
		snprintf(name, sizeof(name), "CPU %u", cpu);
		trace_event__meta_name(t->writer, "thread_name", TRACE_EVENT_CPUS_PID,
				       TRACE_EVENT_CPU_TID(cpu), name);
		trace_event__meta_index(t->writer, "thread_sort_index", TRACE_EVENT_CPUS_PID,
					TRACE_EVENT_CPU_TID(cpu), cpu);
		c->is_named = true;
	}
	return c;
}

/* Returns ts_ns, but not before the slice's begin: a late record must not end it earlier. */
static uint64_t not_back(struct cpu_track *c, uint64_t ts_ns)
{
	if (ts_ns > c->last_ns)
		c->last_ns = ts_ns;
	return c->last_ns;
}

static void set_comm(struct cpu_track *c, const char *comm, size_t len)
{
	if (len >= sizeof(c->comm))
		len = sizeof(c->comm) - 1;
	memcpy(c->comm, comm, len);
	c->comm[len] = '\0';
}

static void begin_slice(struct cpu_track *c, int32_t tid, const char *comm, size_t comm_len,
			uint64_t ts_ns)
{
	c->is_known = true;
	c->tid = tid;
	/* The end of a slice moves last_ns, so the next slice does not begin before it. */
	c->since_ns = not_back(c, ts_ns);
	set_comm(c, comm, comm_len);
}

/* Returns "S", "R+", … like the event's print format; the bits are fixed since 4.14. */
static const char *state_letter(uint64_t state)
{
	static const char *const names[] = { "S", "D", "T", "t", "X", "Z", "P", "I" };
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (state & 1u << i)
			return names[i];
	return state & 0x100 ? "R+" : "R";
}

/* Ends the slice and writes it. state: the state in which the thread left the CPU, or NULL. */
static void end_slice(struct cpu_tracks *t, uint32_t cpu, uint64_t ts_ns, const char *state)
{
	struct cpu_track *c = &t->cpus[cpu];
	struct strbuf *out = t->writer->out;
	uint64_t ns = not_back(c, ts_ns) - c->since_ns;

	if (c->is_known && c->tid) {
		trace_event__begin(t->writer, 'X', c->since_ns, TRACE_EVENT_CPUS_PID,
				   TRACE_EVENT_CPU_TID(cpu));
		trace_event__dur(t->writer, ns);
		trace_event__name(t->writer, c->comm, "running");
		strbuf__puts(out, ",\"args\":{\"tid\":");
		strbuf__put_s64(out, c->tid);
		if (state) {
			strbuf__puts(out, ",\"state\":\"");
			strbuf__puts(out, state);
			strbuf__putc(out, '"');
		}
		strbuf__putc(out, '}');
		trace_event__end(t->writer);
	}
	c->is_known = false;
}

int cpu_tracks__record(struct cpu_tracks *t, const struct sample *s, uint64_t ts_ns)
{
	struct cpu_track *c = track_of(t, s->cpu);

	if (!c)
		return -ENOMEM;
	if (c->is_known && c->tid == s->tid && s->tid)
		set_comm(c, s->comm, strlen(s->comm));
	if (c->is_known && c->tid == s->tid)
		return 0;
	if (s->tid == c->left_tid && ts_ns - c->left_ns < LEAVING_NS)
		return 0;
	/*
	 * Needed even if every switch is recorded: some kernels do not deliver the switches of
	 * chosen tasks.
	 */
	end_slice(t, s->cpu, ts_ns, NULL);
	/* If every switch is recorded, the thread of the first record has run from the start. */
	if (!t->tasks_filtered && !t->has_gaps && !c->last_ns)
		ts_ns = t->start_ns;
	begin_slice(c, s->tid, s->comm, strlen(s->comm), ts_ns);
	return 0;
}

static void find_fields(struct cpu_tracks *t, const struct tp_format *fmt)
{
	t->prev_state = tp_format__field(fmt, "prev_state");
	t->next_comm = tp_format__field(fmt, "next_comm");
	t->next_pid = tp_format__field(fmt, "next_pid");
}

void cpu_tracks__switch(struct cpu_tracks *t, const struct sample *s, uint64_t ts_ns)
{
	struct cpu_track *c = &t->cpus[s->cpu];
	uint64_t next = 0, state = 0;
	const char *comm;
	uint32_t len;

	if (!t->next_pid)
		find_fields(t, s->event->fmt);
	if (!t->next_pid || !t->next_comm || !t->prev_state)
		return;
	field__get_u64(t->prev_state, s->raw, s->raw_sz, &state);
	end_slice(t, s->cpu, ts_ns, state_letter(state));
	c->left_tid = s->tid;
	c->left_ns = ts_ns;
	comm = field__data(t->next_comm, s->raw, s->raw_sz, &len);
	if (t->tasks_filtered || !comm || field__get_u64(t->next_pid, s->raw, s->raw_sz, &next))
		return;
	begin_slice(c, (int32_t)next, comm, strnlen(comm, len), ts_ns);
}

int cpu_tracks__lost(struct cpu_tracks *t, uint32_t cpu, uint64_t ts_ns)
{
	struct cpu_track *c = track_of(t, cpu);

	if (!c)
		return -ENOMEM;
	end_slice(t, cpu, ts_ns, NULL);
	/* The thread is known to run from its first record on. */
	not_back(c, ts_ns);
	return 0;
}

void cpu_tracks__end(struct cpu_tracks *t, uint64_t ts_ns)
{
	uint32_t cpu;

	for (cpu = 0; cpu < t->cpu_cnt; cpu++)
		end_slice(t, cpu, ts_ns, NULL);
}

void cpu_tracks__free(struct cpu_tracks *t)
{
	free(t->cpus);
	t->cpus = NULL;
	t->cpu_cnt = 0;
}
