// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/latency_replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opt.h"
#include "filter/run.h"
#include "machine/machine.h"
#include "machine/proc_event.h"
#include "run/agg_stacks.h"
#include "run/latency_output.h"
#include "run/latency_pairs.h"
#include "run/latency_run.h"
#include "run/replay.h"
#include "sink/out.h"
#include "sink/sink.h"
#include "span/match.h"
#include "util/err.h"
#include "util/log.h"
#include "util/stop_signals.h"

#define HEAT_SLICE_NS 1000000

/* The code of one event in both of its roles. */
struct event_code {
	const struct event *ev;
	struct code start, end;
	bool starts, ends;
};

struct latency_replay {
	const struct latency_options *opts;
	struct latency_pairs *pairs;
	struct replay replay;
	struct out out;
	const struct span_format *format;
	struct event_code *codes;
	size_t code_cnt;
	struct span_match match;
	struct latency_cells cells;
	struct span_heat heat;
	struct agg_stacks stacks; /* names the kernel's functions in rows */
	struct u64map pids; /* thread → process */
	struct machine_subscriber subscriber;
	struct patch_env env;
	char *entry; /* CODE_ENTRY_MAX bytes */
	uint32_t entry_sz; /* of the record before */
};

static int on_event(void *ctx, const struct proc_event *ev, const struct record *rec)
{
	struct latency_replay *l = ctx;
	uint32_t *slot;

	if (ev->kind != PROC_FORK && ev->kind != PROC_THREAD)
		return 0;
	slot = u64map__slot(&l->pids, (uint64_t)ev->tid);
	if (!slot)
		return -ENOMEM;
	*slot = (uint32_t)ev->pid;
	return 0;
}

static bool is_one_of(const int *ids, size_t cnt, int id)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (ids[i] == id)
			return true;
	return false;
}

/* Is the task of a start or an end one of -p and -t? */
static bool is_wanted(const struct latency_replay *l, const struct sample *s)
{
	const struct targets *t = l->opts->targets;
	const struct pair *pair = &l->pairs->pairs[l->env.span.match[0] % WIRE_SPAN_PAIRS];
	int32_t tid = s->tid, pid = s->pid;

	if ((!t->pid_cnt && !t->tid_cnt) || !(l->env.span.flags & WIRE_SPAN_TASK))
		return true;
	if (pair->is_of_woken) {
		tid = (int32_t)l->env.span.match[1];
		pid = (int32_t)u64map__get(&l->pids, (uint64_t)tid);
	}
	return is_one_of(t->pids, t->pid_cnt, pid) || is_one_of(t->tids, t->tid_cnt, tid);
}

/* The facts that generated code finds in the environment. */
static void fill_env(struct latency_replay *l, const struct sample *s)
{
	struct patch_env *env = &l->env;

	memset(env->comm, 0, sizeof(env->comm));
	memcpy(env->comm, s->comm, strnlen(s->comm, sizeof(env->comm) - 1));
	env->cpu = s->cpu;
	env->tid = (uint32_t)s->tid;
	env->tgid = (uint32_t)s->pid;
	env->span.thread = s->tid ? (uint32_t)s->tid : WIRE_COUNTER_IDLE | s->cpu;
}

/* Copies the record, with zeros behind it: fields of a short one are 0. */
static void set_entry(struct latency_replay *l, const struct sample *s)
{
	uint32_t sz = s->raw_sz < CODE_ENTRY_MAX ? s->raw_sz : CODE_ENTRY_MAX;

	memcpy(l->entry, s->raw, sz);
	if (l->entry_sz > sz)
		memset(l->entry + sz, 0, l->entry_sz - sz);
	l->entry_sz = sz;
}

static int end_pair(struct latency_replay *l, const struct sample *s)
{
	unsigned int words = l->pairs->spans.match_words;
	struct wire_span *span = &l->env.span;
	uint64_t ns, row[WIRE_SPAN_ROW];
	int err;

	if (!is_wanted(l, s) || !span_match__end(&l->match, span, words, s->time_ns, &ns))
		return 0;
	memcpy(row, span->row, sizeof(row));
	err = latency_cells__put(&l->cells, l->pairs, row, (unsigned int)span->match[0], ns);
	if (err || l->format != &span_html)
		return err;
	return span_heat__add(&l->heat, s->time_ns, latency_row__id(row),
			      (uint32_t)row[WIRE_SPAN_BUCKET], 1);
}

static void start_heat(struct latency_replay *l, uint64_t time_ns)
{
	span_heat__init(&l->heat, time_ns, HEAT_SLICE_NS);
	l->heat.is_relative = true;
}

/* An error ends the run: it is told once. */
static int run_code(const struct code *c, struct latency_replay *l, bool *yes)
{
	uint64_t r0;
	int err = code__run(c, l->entry, &l->env, &r0);

	*yes = r0 != 0;
	if (err)
		log_error("no code of bpfperf: a filter or a key of the pairs has an instruction "
			  "that it cannot run on recordings; measure live, and report this");
	return err;
}

static int replay_sample(void *ctx, const struct sample *s)
{
	struct latency_replay *l = ctx;
	const struct event_code *code = NULL;
	bool yes = false;
	uint32_t *slot;
	size_t i;
	int err = 0;

	for (i = 0; i < l->code_cnt && !code; i++)
		if (l->codes[i].ev == s->event)
			code = &l->codes[i];
	if (!code || !s->raw)
		return 0;
	if (!l->heat.slice_ns)
		start_heat(l, s->time_ns);
	slot = u64map__slot(&l->pids, (uint64_t)s->tid);
	if (!slot)
		return -ENOMEM;
	*slot = (uint32_t)s->pid;
	set_entry(l, s);
	fill_env(l, s);
	if (code->ends)
		err = run_code(&code->end, l, &yes);
	if (!err && yes)
		err = end_pair(l, s);
	yes = false;
	if (!err && code->starts)
		err = run_code(&code->start, l, &yes);
	if (!err && yes && is_wanted(l, s))
		err = span_match__begin(&l->match, &l->env.span, l->pairs->spans.match_words,
					s->time_ns);
	return err;
}

static unsigned int replay_needs(void *ctx, const struct sample *s)
{
	return SAMPLE_KEEP;
}

/* Before the first sample the events of a file are known. */
static int replay_begin(void *ctx)
{
	struct latency_replay *l = ctx;
	struct latency_pairs *p = l->pairs;
	size_t i;
	int err;

	p->recorded = replay__events(&l->replay);
	err = latency_pairs__open(p, l->opts->by);
	if (!err && latency_pairs__by_stack(p)) {
		log_error("-i: rows of a recording have no stacks; omit stack of --by");
		err = -EINVAL;
	}
	l->codes = err ? NULL : calloc(p->events.cnt + 1, sizeof(*l->codes));
	if (!err && !l->codes)
		err = -ENOMEM;
	for (i = 0; i < p->events.cnt && !err; i++) {
		struct event_code *c = &l->codes[l->code_cnt++];

		c->ev = p->events.events[i];
		c->starts = p->starts[i].role != NULL;
		c->ends = p->ends[i].role != NULL;
		if (c->starts)
			err = latency_pairs__compile(p, i, true, &c->start);
		if (!err && c->ends)
			err = latency_pairs__compile(p, i, false, &c->end);
	}
	return err;
}

static int print_table(struct latency_replay *l)
{
	const struct span_print print = {
		.out = &l->out.buf,
		.sym = l->replay.machine->sym,
		.hist = l->opts->hist,
		.heat = &l->heat,
	};
	const char *names[WIRE_SPAN_PAIRS];
	struct span_result res;
	unsigned int i;
	int err;

	span_match__finish(&l->match);
	latency_cells__finish(&l->cells);
	span_heat__finish(&l->heat);
	err = latency_pairs__result(l->pairs, &l->cells, NULL, &l->stacks, &res);
	for (i = 0; i < l->pairs->cnt; i++)
		names[i] = l->pairs->pairs[i].name;
	res.accounts = l->match.accounts;
	res.pair_names = names;
	res.pair_cnt = l->pairs->cnt;
	if (!err)
		l->format->rows(&print, &res, true);
	span_result__free(&res);
	for (i = 0; i < l->pairs->cnt && !err; i++)
		latency_output__account(names[i], &l->match.accounts[i]);
	return err ? err : out__commit(&l->out);
}

static int read_and_print(struct latency_replay *l)
{
	static const struct replay_ops ops = {
		.begin = replay_begin,
		.needs = replay_needs,
		.sample = replay_sample,
	};
	const struct replay_config cfg = { .form = PERF_STACK_AS_RECORDED, .rest = "measured" };
	int err, last;

	agg_stacks__init(&l->stacks, l->replay.machine);
	l->subscriber = (struct machine_subscriber){ .fn = on_event, .ctx = l };
	machine__subscribe(l->replay.machine, &l->subscriber);
	err = replay__read(&l->replay, &cfg, &ops, l);
	if (err == -ENOMEM || err == -E2BIG || err == -EINVAL || err == -ENOEXEC)
		return err;
	out__begin(&l->out);
	last = print_table(l);
	return err__keep_first(err, last);
}

static void close_all(struct latency_replay *l)
{
	size_t i;

	out__close(&l->out);
	for (i = 0; i < l->code_cnt; i++) {
		code__free(&l->codes[i].start);
		code__free(&l->codes[i].end);
	}
	free(l->codes);
	free(l->entry);
	span_match__free(&l->match);
	latency_cells__free(&l->cells);
	span_heat__free(&l->heat);
	u64map__free(&l->pids);
	agg_stacks__free(&l->stacks);
	replay__close(&l->replay);
}

int latency_replay(const struct latency_options *opts, struct latency_pairs *pairs)
{
	const struct sink_ops *ops = latency_output__choose(opts->format, opts->output, false);
	struct latency_replay l = { .opts = opts, .pairs = pairs };
	int status = EXIT_USAGE, err, last;

	if (!ops || replay__check_output(opts->input, opts->output))
		return EXIT_USAGE;
	l.format = latency_output__tables(ops);
	status = EXIT_FAILED;
	stop_signals__catch();
	l.entry = calloc(1, CODE_ENTRY_MAX);
	if (!l.entry || replay__init(&l.replay) || sink__open_out(ops, &l.out, opts->output) ||
	    replay__open(&l.replay, opts->input, NULL))
		goto cleanup;
	err = read_and_print(&l);
	last = out__close(&l.out);
	err = err__keep_first(err, last);
	if (err == -EINVAL)
		status = EXIT_USAGE;
	if (!err || err == -EPIPE)
		status = opts->lost_exit && replay_losses__lost_cnt(&l.replay.losses) ? EXIT_LOST
										      : EXIT_DONE;
cleanup:
	close_all(&l);
	return status;
}
