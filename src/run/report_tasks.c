// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/report_tasks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "machine/proc_event.h"
#include "sink/out.h"
#include "machine/recorded_maps.h"
#include "sink/recording_text.h"
#include "util/array.h"
#include "util/log.h"
#include "util/u64map.h"

#define COMM_SZ 16
#define NONE UINT32_MAX
/* Deeper threads are printed at this depth. */
#define DEPTH_MAX 100

struct task {
	int32_t pid, tid, ppid; /* ppid -1: the recording does not say */
	char comm[COMM_SZ];
	/* The tree, by index. A parent comes before its children, so there is no circle. */
	uint32_t parent, first_child, last_child, next;
};

struct task_list {
	struct task *at;
	size_t cnt, cap;
	struct u64map by_tid;
};

/* Returns the thread, which is added if it is new; NULL: no memory. */
static struct task *find_task(struct task_list *l, int32_t pid, int32_t tid)
{
	uint32_t *slot = u64map__slot(&l->by_tid, (uint32_t)tid);
	struct task *t;

	if (!slot || (*slot == U64MAP_NONE &&
		      array__reserve((void **)&l->at, &l->cap, l->cnt + 1, sizeof(*l->at))))
		return NULL;
	if (*slot != U64MAP_NONE)
		return &l->at[*slot];
	*slot = (uint32_t)l->cnt;
	t = &l->at[l->cnt++];
	*t = (struct task){ .pid = pid, .tid = tid, .ppid = -1, .parent = NONE };
	t->first_child = t->last_child = t->next = NONE;
	return t;
}

static int take_event(struct task_list *l, const struct proc_event *ev)
{
	size_t sz = ev->comm_sz < COMM_SZ - 1 ? ev->comm_sz : COMM_SZ - 1;
	uint32_t parent;
	struct task *t;

	switch (ev->kind) {
	case PROC_FORK:
	case PROC_THREAD:
		/* The parent comes first. */
		if (ev->parent_tid > 0 && !find_task(l, ev->parent_pid, ev->parent_tid))
			return -ENOMEM;
		t = find_task(l, ev->pid, ev->tid);
		if (t && t->ppid < 0)
			t->ppid = ev->parent_tid;
		/* Until it gets a name of its own. */
		parent = u64map__get(&l->by_tid, (uint32_t)ev->parent_tid);
		if (t && !*t->comm && parent != U64MAP_NONE)
			memcpy(t->comm, l->at[parent].comm, sizeof(t->comm));
		return t ? 0 : -ENOMEM;
	case PROC_COMM:
	case PROC_EXEC:
		t = find_task(l, ev->pid, ev->tid);
		if (t)
			snprintf(t->comm, sizeof(t->comm), "%.*s", (int)sz, ev->comm);
		return t ? 0 : -ENOMEM;
	default:
		return 0;
	}
}

static void build_tree(struct task_list *l)
{
	uint32_t i;

	for (i = 0; i < l->cnt; i++) {
		struct task *t = &l->at[i], *parent;
		uint32_t up = t->ppid < 0 ? NONE : u64map__get(&l->by_tid, (uint32_t)t->ppid);

		if (up >= i)
			continue;
		parent = &l->at[up];
		t->parent = up;
		if (parent->first_child == NONE)
			parent->first_child = i;
		else
			l->at[parent->last_child].next = i;
		parent->last_child = i;
	}
}

/* Puts a thread, and where they are asked for the mappings of its process. */
static void put_task(const struct task *t, int depth, const struct recorded_maps *maps,
		     struct strbuf *sb)
{
	size_t begin = sb->len, indent;

	strbuf__printf(sb, "  %8d %8d %8d |%*s", t->pid, t->tid, t->ppid,
		       depth < DEPTH_MAX ? depth : DEPTH_MAX, "");
	indent = sb->len - begin;
	if (*t->comm)
		strbuf__put_escaped(sb, t->comm, strlen(t->comm));
	else
		strbuf__printf(sb, ":%d", t->tid);
	strbuf__putc(sb, '\n');
	if (maps)
		recorded_maps__put(maps, t->pid, indent, sb);
}

/* Prints a thread, and below it those that it has started. */
static void put_tree(const struct task_list *l, uint32_t root, const struct recorded_maps *maps,
		     struct strbuf *sb)
{
	uint32_t i = root;
	int depth = 0;

	while (i != NONE) {
		put_task(&l->at[i], depth, maps, sb);
		if (l->at[i].first_child != NONE) {
			i = l->at[i].first_child;
			depth++;
			continue;
		}
		while (i != root && l->at[i].next == NONE) {
			i = l->at[i].parent;
			depth--;
		}
		i = i == root ? NONE : l->at[i].next;
	}
}

int report_tasks__print(struct recording *rec, enum recording_header header, bool has_maps,
			struct out *out)
{
	struct task_list l = { .at = NULL };
	struct recorded_maps maps = { .events = NULL };
	struct task *idle = find_task(&l, 0, 0);
	struct proc_event ev;
	struct record raw;
	int got = 0, err = idle ? 0 : -ENOMEM;
	uint32_t i;

	if (idle)
		memcpy(idle->comm, "swapper", sizeof("swapper"));
	while (!err && (got = recording__next(rec, &raw)) > 0) {
		if (raw.kind != RECORD_PROC)
			continue;
		proc_event__parse(raw.hdr, &ev);
		err = take_event(&l, &ev);
		if (!err && has_maps)
			err = recorded_maps__take(
				&maps, raw.hdr, &ev,
				perf_sample__time(&rec->attrs, rec->swap, raw.hdr));
	}
	if (!err && got >= 0)
		err = recorded_maps__build(&maps);
	if (err)
		log_error("%s: out of memory", has_maps ? "--mmaps" : "--tasks");
	build_tree(&l);
	recording_text__put_header(rec, header, &out->buf);
	strbuf__printf(&out->buf, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	for (i = 0; i < l.cnt; i++)
		if (l.at[i].parent == NONE)
			put_tree(&l, i, has_maps ? &maps : NULL, &out->buf);
	free(l.at);
	u64map__free(&l.by_tid);
	recorded_maps__free(&maps);
	return err ? err : got;
}
