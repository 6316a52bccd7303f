// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/brief.h"

#include <stdlib.h>

#include "machine/proc_event.h"
#include "util/array.h"

/*
 * Samples are taken of a process that ends until its last switch, which follows the record of its
 * end. Such a sample shows the process's name, so that the process must be known.
 */
#define AFTERLIFE_NS 20000000ull

struct life {
	uint64_t fork_ns, end_ns; /* 0: not read yet */
	/* It has a sample, a child or a second thread, or two processes had the id meanwhile. */
	bool busy;
	bool skipped; /* decided at its first record's turn */
	uint32_t next_free;
};

void brief__init(struct brief *b)
{
	*b = (struct brief){ .by_pid = U64MAP_INIT, .free = U64MAP_NONE };
}

void brief__free(struct brief *b)
{
	u64map__free(&b->by_pid);
	free(b->lives);
	brief__init(b);
}

static uint32_t new_life(struct brief *b)
{
	uint32_t at = b->free;

	if (at != U64MAP_NONE) {
		b->free = b->lives[at].next_free;
	} else {
		if (array__reserve((void **)&b->lives, &b->cap, b->cnt + 1, sizeof(*b->lives)))
			return U64MAP_NONE;
		at = (uint32_t)b->cnt++;
	}
	b->lives[at] = (struct life){ 0 };
	return at;
}

/* NULL: no memory. From then on a mark may be missing. */
static struct life *life_of(struct brief *b, int32_t pid)
{
	uint32_t *at = u64map__slot(&b->by_pid, (uint32_t)pid);

	if (at && *at == U64MAP_NONE)
		*at = new_life(b);
	if (at && *at != U64MAP_NONE)
		return &b->lives[*at];
	b->lost_ns = UINT64_MAX;
	return NULL;
}

static void set_busy(struct brief *b, int32_t pid)
{
	struct life *life = life_of(b, pid);

	if (life)
		life->busy = true;
}

/* The records of a life are of several CPUs, so that its end may be read before its begin. */
static void on_begin(struct brief *b, int32_t pid, uint64_t time_ns)
{
	struct life *life = life_of(b, pid);

	if (!life)
		return;
	life->busy |= life->fork_ns || (life->end_ns && life->end_ns < time_ns);
	life->fork_ns = time_ns;
}

static void on_end(struct brief *b, int32_t pid, uint64_t time_ns)
{
	struct life *life = life_of(b, pid);

	if (!life)
		return;
	life->busy |= life->end_ns != 0;
	life->end_ns = time_ns;
}

void brief__on_read(struct brief *b, const struct proc_event *ev, uint64_t time_ns)
{
	switch (ev->kind) {
	case PROC_FORK:
		on_begin(b, ev->pid, time_ns);
		set_busy(b, ev->parent_pid);
		break;
	case PROC_THREAD:
		/* It may outlive the first thread, and that one's end is the process's here. */
		set_busy(b, ev->pid);
		break;
	case PROC_EXIT:
		on_end(b, ev->pid, time_ns);
		break;
	case PROC_LOST:
		if (b->lost_ns < time_ns)
			b->lost_ns = time_ns;
		break;
	default:
		break;
	}
}

void brief__on_sample(struct brief *b, int32_t pid)
{
	set_busy(b, pid);
}

static bool is_brief(const struct brief *b, const struct life *life, uint64_t horizon_ns)
{
	return !life->busy && life->fork_ns > b->lost_ns && life->end_ns > life->fork_ns &&
	       life->end_ns < horizon_ns && horizon_ns - life->end_ns >= AFTERLIFE_NS;
}

static void end(struct brief *b, int32_t pid)
{
	uint32_t *slot = u64map__slot(&b->by_pid, (uint32_t)pid), at = slot ? *slot : U64MAP_NONE;

	if (at == U64MAP_NONE)
		return;
	b->lives[at].next_free = b->free;
	b->free = at;
	*slot = U64MAP_NONE;
}

bool brief__skips(struct brief *b, const struct proc_event *ev, uint64_t time_ns,
		  uint64_t horizon_ns)
{
	uint32_t at;
	struct life *life;
	bool skipped;

	if (ev->kind > PROC_MMAP_DATA || ev->kind == PROC_NOTHING)
		return false;
	at = u64map__get(&b->by_pid, (uint32_t)ev->pid);
	if (at == U64MAP_NONE)
		return false;
	life = &b->lives[at];
	if (ev->kind == PROC_FORK && life->fork_ns == time_ns)
		life->skipped = is_brief(b, life, horizon_ns);
	skipped = life->skipped;
	if (ev->kind == PROC_EXIT)
		end(b, ev->pid);
	return skipped;
}
