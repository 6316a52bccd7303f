// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The result as JSON: all causes, threads and steps. Times are in nanoseconds. */
#include <string.h>

#include "why/verdict.h"

static void put_text(struct strbuf *out, const char *key, const char *text)
{
	strbuf__printf(out, "\"%s\":", key);
	strbuf__put_json(out, text, strlen(text));
}

static void put_member(struct strbuf *out, const char *key, const char *text)
{
	if (!*text)
		return;
	strbuf__putc(out, ',');
	put_text(out, key, text);
}

/* The tasks that had the CPU for longest; null: it was idle. */
static void put_insteads(const struct why_cause *k, struct strbuf *out)
{
	size_t i;

	if (!k->instead[0].name)
		return;
	strbuf__puts(out, ",\"instead\":[");
	for (i = 0; i < WHY_INSTEADS && k->instead[i].name; i++) {
		strbuf__puts(out, i ? "," : "");
		strbuf__puts(out, "{\"thread\":");
		if (*k->instead[i].name)
			strbuf__put_json(out, k->instead[i].name, strlen(k->instead[i].name));
		else
			strbuf__puts(out, "null");
		strbuf__printf(out, ",\"ns\":%llu}", (unsigned long long)k->instead[i].ns);
	}
	strbuf__putc(out, ']');
}

static void put_cause(const struct why_cause *k, struct strbuf *out)
{
	enum why_kind kind;

	strbuf__putc(out, '{');
	put_text(out, "state", why_kinds[k->kind].name);
	strbuf__printf(out, ",\"ns\":%llu,\"steps\":%llu,\"several_threads\":%s",
		       (unsigned long long)k->ns, (unsigned long long)k->step_cnt,
		       k->has_more_threads ? "true" : "false");
	put_member(out, "thread", k->comm);
	put_member(out, "function", k->function);
	put_member(out, "call", k->call);
	put_member(out, "syscall", k->syscall);
	put_member(out, "file", k->file);
	put_insteads(k, out);
	for (kind = WHY_USER; kind <= WHY_SPIN; kind++)
		if (k->samples[kind])
			strbuf__printf(out, ",\"%s_samples\":%llu", why_kinds[kind].name,
				       (unsigned long long)k->samples[kind]);
	if (k->waiter_kind != WHY_UNKNOWN) {
		strbuf__puts(out, ",\"waiter\":{");
		put_text(out, "state", why_kinds[k->waiter_kind].name);
		put_member(out, "thread", k->waiter_comm);
		put_member(out, "function", k->waiter_function);
		put_member(out, "call", k->waiter_call);
		strbuf__putc(out, '}');
	}
	strbuf__putc(out, '}');
}

static void put_causes(const struct why_result *res, struct strbuf *out)
{
	size_t i;

	strbuf__puts(out, "\"causes\":[");
	for (i = 0; i < res->causes.cnt; i++) {
		strbuf__puts(out, i ? ",\n" : "\n");
		put_cause(&res->causes.at[i], out);
	}
	strbuf__putc(out, ']');
}

static void put_states(const struct why_timeline *tl, const struct why_thread *t,
		       struct strbuf *out)
{
	size_t k, cnt = 0;

	strbuf__printf(out, "\"wall_ns\":%llu,\"on_cpu_ns\":%llu,\"page_faults\":%llu",
		       (unsigned long long)why_thread__wall_ns(tl, t),
		       (unsigned long long)why_thread__on_cpu_ns(tl, t),
		       (unsigned long long)t->fault_cnt);
	strbuf__printf(out, ",\"irq_ns\":%llu,\"softirq_ns\":%llu,\"steal_ns\":%llu,\"off_cpu\":{",
		       (unsigned long long)t->ns[WHY_IRQ], (unsigned long long)t->ns[WHY_SOFTIRQ],
		       (unsigned long long)t->ns[WHY_STEAL]);
	for (k = WHY_PREEMPTED; k < WHY_KINDS; k++) {
		if (!t->ns[k])
			continue;
		strbuf__printf(out, "%s\"%s\":%llu", cnt++ ? "," : "", why_kinds[k].name,
			       (unsigned long long)t->ns[k]);
	}
	strbuf__putc(out, '}');
}

static void put_threads(const struct why_result *res, struct strbuf *out)
{
	const struct why_timeline *tl = res->tl;
	size_t i, cnt = 0;

	strbuf__puts(out, "\"threads\":[");
	for (i = 0; i < tl->thread_cnt; i++) {
		const struct why_thread *t = &tl->threads[i];

		if (!t->is_target)
			continue;
		strbuf__printf(out, "%s\n{\"pid\":%d,\"tid\":%d,", cnt++ ? "," : "", t->pid,
			       t->tid);
		put_text(out, "comm", t->comm);
		strbuf__printf(out, ",\"begin_ns\":%llu,\"absences\":%llu,",
			       (unsigned long long)(t->begin_ns - tl->begin_ns),
			       (unsigned long long)t->absence_cnt);
		put_states(tl, t, out);
		strbuf__putc(out, '}');
	}
	strbuf__putc(out, ']');
}

static void put_path(const struct why_result *res, struct strbuf *out)
{
	const struct why_path *p = &res->path;
	const struct why_timeline *tl = res->tl;
	size_t i, cnt = 0;

	strbuf__puts(out, "\"path\":[");
	for (i = p->cnt; i-- > 0;) {
		const struct why_leg *leg = &p->legs[i];

		strbuf__printf(
			out, "%s\n{\"begin_ns\":%llu,\"ns\":%llu,\"tid\":%d,\"state\":\"%s\"}",
			cnt++ ? "," : "", (unsigned long long)(leg->begin_ns - tl->begin_ns),
			(unsigned long long)(why_path__leg_end(p, i) - leg->begin_ns),
			tl->threads[leg->thread].tid,
			why_kind__is_on_cpu((enum why_kind)leg->kind) ? "on-cpu"
								      : why_kinds[leg->kind].name);
	}
	strbuf__putc(out, ']');
}

static void put_json(const struct why_result *res, struct strbuf *out)
{
	strbuf__printf(out, "{\"wall_ns\":%llu,\"requests\":%llu,\"hops\":%llu,\"lost\":%llu,",
		       (unsigned long long)res->causes.total_ns,
		       (unsigned long long)res->tl->request_cnt,
		       (unsigned long long)res->path.hop_cnt, (unsigned long long)res->lost_cnt);
	why_verdict__put_json(res, out);
	strbuf__puts(out, ",\n");
	put_causes(res, out);
	strbuf__puts(out, ",\n");
	put_threads(res, out);
	strbuf__puts(out, ",\n");
	put_path(res, out);
	strbuf__puts(out, "}\n");
}

const struct why_format why_json = { put_json };
