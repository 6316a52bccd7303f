// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The side of the writer that receives records. */
#include "data/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "data/deflate.h"
#include "data/writer_priv.h"
#include "util/array.h"
#include "util/log.h"
#include "util/out_file.h"
#include "util/stop_signals.h"
#include "util/worker.h"

#define WAIT_NS 50000000

static int open_deflate(struct data_writer *w)
{
	if (!w->opts.zstd)
		return 0;
	if (!w->opts.level)
		w->opts.level = 1;
	w->deflate = deflate__new(w->opts.level);
	if (w->deflate)
		return 0;
	if (errno == EINVAL)
		log_error("zstd has no level %d; choose from 1 to 22", w->opts.level);
	else
		log_error("no memory for zstd");
	return -errno;
}

/* The thread waits for this condition until a time of this clock. */
static void init_filled(struct data_writer *w)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->filled, &attr);
	pthread_condattr_destroy(&attr);
}

int data_writer__open(struct data_writer **wp, const char *path,
		      const struct data_writer_opts *opts)
{
	struct data_writer *w = calloc(1, sizeof(*w));
	int err;

	*wp = NULL;
	if (!w) {
		log_error("no memory to write a recording");
		return -ENOMEM;
	}
	w->opts = *opts;
	w->last = &w->first;
	pthread_mutex_init(&w->lock, NULL);
	init_filled(w);
	pthread_cond_init(&w->emptied, NULL);
	err = writer_open__fd(w, path);
	if (!err)
		err = open_deflate(w);
	if (err) {
		data_writer__free(w);
		return err;
	}
	*wp = w;
	return 0;
}

/* No software event; the number of the tracepoint is in the lower half. */
#define BARE_EVENT (1ULL << 32)

/*
 * perf takes each sample of a tracepoint to have its record, and crashes on one without (report,
 * sched, timechart, mem …): stacks of a tracepoint are written as those of an event that only its
 * name describes.
 */
static void describe_bare(struct perf_event_attr *attr)
{
	if (attr->type != PERF_TYPE_TRACEPOINT || attr->sample_type & PERF_SAMPLE_RAW)
		return;
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config |= BARE_EVENT;
}

int data_writer__add_attr(struct data_writer *w, const struct perf_event_attr *attr,
			  const uint64_t *ids, size_t ids_cnt, const char *name)
{
	struct written_event *ev;
	size_t sz = attr->size && attr->size < sizeof(*attr) ? attr->size : sizeof(*attr);

	_Static_assert(sizeof(*attr) <= ATTR_MAX_SZ, "all fields are written");

	if (array__reserve((void **)&w->events, &w->event_cap, w->event_cnt + 1,
			   sizeof(*w->events)))
		return writer_io__log(w, -ENOMEM);
	ev = &w->events[w->event_cnt];
	memset(ev, 0, sizeof(*ev));
	memcpy(&ev->attr, attr, sz);
	describe_bare(&ev->attr);
	ev->ids = calloc(ids_cnt + 1, sizeof(*ids));
	ev->name = strdup(name);
	w->event_cnt++;
	if (!ev->ids || !ev->name)
		return writer_io__log(w, -ENOMEM);
	if (ids_cnt)
		memcpy(ev->ids, ids, ids_cnt * sizeof(*ids));
	ev->id_cnt = ids_cnt;
	return 0;
}

void data_writer__use_format(struct data_writer *w, const struct tp_format *fmt)
{
	if (w->event_cnt)
		w->events[w->event_cnt - 1].fmt = fmt;
}

void data_writer__set_group(struct data_writer *w, size_t member_cnt)
{
	w->events[w->event_cnt - 1].member_cnt = (uint32_t)member_cnt;
}

/* Keeps the previous recording as FILE.old, as perf record does. 0 or -errno (logged). */
static int keep_old(struct data_writer *w)
{
	char old[PATH_MAX + 8];
	struct stat st;
	bool is_new;
	int fd;

	if (!w->opts.keep_old || w->is_pipe || w->is_new || fstat(w->fd, &st) || !st.st_size)
		return 0;
	snprintf(old, sizeof(old), "%s.old", w->path);
	if (rename(w->path, old)) {
		log_info("%s is overwritten: %s", w->path, strerror(errno));
		return 0;
	}
	fd = out_file__open(w->path, 0, WRITER_FILE_MODE, &is_new);
	if (fd < 0) {
		out_file__log(w->path, fd);
		return fd;
	}
	close(w->fd);
	w->fd = fd;
	return 0;
}

int data_writer__begin(struct data_writer *w)
{
	int err = keep_old(w);

	if (!err)
		err = writer_head__begin(w);

	if (err) {
		w->err = err;
		return err;
	}
	w->is_begun = true;
	w->worker = w->opts.worker ? w->opts.worker : worker__new();
	if (!w->worker) {
		err = -errno;
		log_error("cannot start a thread to write %s: %s", w->path, strerror(-err));
		return err;
	}
	w->is_working = true;
	worker__run(w->worker, writer_thread__main, w);
	return 0;
}

/*
 * Call with the lock held: waits until there is room in the queue. 0 or the first error. If the
 * user asks for an end meanwhile, the queued data is still written, as long as the reader of the
 * pipe accepts any of it.
 */
static int wait_for_room(struct data_writer *w, size_t sz)
{
	struct timespec until;
	sigset_t blocked;
	int sig = 0;

	while (!w->err && w->waiting_sz && w->waiting_sz + sz > QUEUE_MAX_SZ) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += WAIT_NS;
		if (until.tv_nsec >= 1000000000) {
			until.tv_nsec -= 1000000000;
			until.tv_sec++;
		}
		pthread_cond_timedwait(&w->emptied, &w->lock, &until);
		if (w->may_block && !w->is_asked) {
			sig = stop_signals__take(&blocked);
			w->is_asked = sig;
		}
	}
	if (sig)
		stop_signals__put_back(sig, &blocked);
	return w->err;
}

/*
 * Allocates a block with room for at least sz bytes, which counts as queued from now on. NULL:
 * *err.
 */
static struct block *new_block(struct data_writer *w, size_t sz, int *err)
{
	size_t cap = sz > BLOCK_SZ ? sz : BLOCK_SZ;
	struct block *b = NULL;

	pthread_mutex_lock(&w->lock);
	*err = wait_for_room(w, cap);
	if (!*err && cap == BLOCK_SZ) {
		b = w->spare;
		if (b) {
			w->spare = b->next;
			w->spare_cnt--;
		}
	}
	if (!*err)
		w->waiting_sz += cap;
	pthread_mutex_unlock(&w->lock);
	if (*err)
		return NULL;
	if (!b)
		b = malloc(sizeof(*b) + cap);
	if (!b) {
		*err = writer_io__log(w, -ENOMEM);
		return NULL;
	}
	memset(b, 0, sizeof(*b));
	b->cap = cap;
	return b;
}

/*
 * While the thread lags behind, many small rounds are queued, so each block frees the memory that
 * it does not use.
 */
static struct block *shrink(struct data_writer *w, struct block *b)
{
	struct block *smaller;

	if (w->waiting_sz <= SPARE_MAX * BLOCK_SZ || b->sz > b->cap / 2)
		return b;
	smaller = realloc(b, sizeof(*b) + b->sz);
	if (!smaller)
		return b;
	w->waiting_sz -= smaller->cap - smaller->sz;
	smaller->cap = smaller->sz;
	return smaller;
}

/* Passes the block that is being filled to the thread. 0 or the first error. */
static int hand_over(struct data_writer *w, bool ends_round)
{
	struct block *b = w->cur;
	int err;

	w->cur = NULL;
	pthread_mutex_lock(&w->lock);
	err = w->err;
	if (b) {
		b = shrink(w, b);
		b->ends_round = ends_round;
		*w->last = b;
		w->last = &b->next;
		pthread_cond_signal(&w->filled);
	}
	pthread_mutex_unlock(&w->lock);
	return err;
}

int data_writer__write(struct data_writer *w, const void *recs, size_t sz)
{
	const uint8_t *p = recs;
	size_t piece;
	int err = 0;

	while (sz && !err) {
		if (w->cur && w->cur->sz == w->cur->cap)
			err = hand_over(w, false);
		if (!w->cur && !err)
			w->cur = new_block(w, 0, &err);
		if (err)
			break;
		piece = w->cur->cap - w->cur->sz;
		piece = sz < piece ? sz : piece;
		memcpy(w->cur->data + w->cur->sz, p, piece);
		w->cur->sz += piece;
		p += piece;
		sz -= piece;
	}
	return err;
}

int data_writer__round(struct data_writer *w)
{
	int err = 0;

	/* Also if nothing was written since the last round: the ordering matters, not the bytes. */
	if (!w->cur)
		w->cur = new_block(w, 0, &err);
	return err ? err : hand_over(w, true);
}

int data_writer__write_aux(struct data_writer *w, const struct perf_event_header *rec,
			   const void *data1, size_t sz1, const void *data2, size_t sz2)
{
	size_t sz = (sz1 + sz2 + 7) & ~(size_t)7;
	int err = hand_over(w, false);
	struct block *b;

	if (err)
		return err;
	b = new_block(w, rec->size + sz, &err);
	if (!b)
		return err;
	b->verbatim = true;
	memcpy(b->data, rec, rec->size);
	memcpy(b->data + rec->size, data1, sz1);
	if (sz2)
		memcpy(b->data + rec->size + sz1, data2, sz2);
	memset(b->data + rec->size + sz1 + sz2, 0, sz - sz1 - sz2);
	b->sz = rec->size + sz;
	w->cur = b;
	return hand_over(w, false);
}

int data_writer__add_build_id(struct data_writer *w, const char *path, bool is_kernel,
			      const void *id, size_t id_sz)
{
	struct {
		struct perf_event_header hdr;
		int32_t pid; /* pid of a guest; -1: this machine */
		uint8_t id[20], id_sz, zero[3];
	} rec = { .pid = -1, .id_sz = (uint8_t)id_sz };
	static const char zeros[64];
	/* Padded like perf does: a NUL, then up to a multiple of 64. */
	size_t len = strlen(path), pad = 64 - (len & 63);

	_Static_assert(sizeof(rec) == 36, "as perf's files have it");
	if (id_sz > sizeof(rec.id) || len > 4096)
		return 0;
	/* MISC_BUILD_ID_SIZE: the size follows the id. */
	rec.hdr.misc =
		(uint16_t)((is_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER) | 1 << 15);
	rec.hdr.size = (uint16_t)(sizeof(rec) + len + pad);
	memcpy(rec.id, id, id_sz);
	if (strbuf__reserve(&w->build_ids, rec.hdr.size))
		return writer_io__log(w, -ENOMEM);
	strbuf__add(&w->build_ids, &rec, sizeof(rec));
	strbuf__add(&w->build_ids, path, len);
	strbuf__add(&w->build_ids, zeros, pad);
	return 0;
}

void data_writer__set_sample_time(struct data_writer *w, uint64_t first_ns, uint64_t last_ns)
{
	w->first_ns = first_ns;
	w->last_ns = last_ns;
}

uint64_t data_writer__written(struct data_writer *w)
{
	return __atomic_load_n(&w->written, __ATOMIC_RELAXED);
}

static void finish_work(struct data_writer *w)
{
	if (!w->is_working)
		return;
	pthread_mutex_lock(&w->lock);
	w->is_ending = true;
	pthread_cond_signal(&w->filled);
	pthread_mutex_unlock(&w->lock);
	worker__wait(w->worker);
	w->is_working = false;
}

int data_writer__finish(struct data_writer *w)
{
	if (w->is_finished || !w->is_begun)
		return w->err;
	w->is_finished = true;
	hand_over(w, false);
	finish_work(w);
	if (!w->err)
		w->err = writer_head__end(w);
	return w->err;
}

static void free_blocks(struct block *b)
{
	struct block *next;

	for (; b; b = next) {
		next = b->next;
		free(b);
	}
}

void data_writer__free(struct data_writer *w)
{
	size_t i;

	if (!w)
		return;
	finish_work(w);
	if (w->worker != w->opts.worker)
		worker__free(w->worker);
	free_blocks(w->first);
	free(w->cur);
	free_blocks(w->spare);
	for (i = 0; i < w->event_cnt; i++) {
		free(w->events[i].ids);
		free(w->events[i].name);
	}
	free(w->events);
	strbuf__free(&w->build_ids);
	strbuf__free(&w->packed);
	strbuf__free(&w->aux_index);
	deflate__free(w->deflate);
	pthread_cond_destroy(&w->emptied);
	pthread_cond_destroy(&w->filled);
	pthread_mutex_destroy(&w->lock);
	if (w->is_new && !w->is_begun)
		unlink(w->path);
	if (w->owns_fd && w->fd >= 0)
		close(w->fd);
	free(w);
}
