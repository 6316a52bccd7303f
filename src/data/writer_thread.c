// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The side of the writer that packs and writes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "data/deflate.h"
#include "data/writer_priv.h"
#include "util/log.h"
#include "util/mono.h"

static int put_round(struct data_writer *w)
{
	static const struct perf_event_header round = { .type = PERF_USER_FINISHED_ROUND,
							.size = sizeof(round) };

	return writer_io__append(w, &round, sizeof(round));
}

/*
 * Writes the record at `off` that also contains the table: returns its size, or -errno (not
 * logged).
 */
static int put_table(struct data_writer *w, uint64_t off)
{
	struct {
		struct perf_event_header hdr;
		uint64_t zero; /* with the header, the section of feature 0 */
		struct perf_file_section sections[PERF_FEATURE_WRITTEN_CNT];
	} rec = { .hdr = { .type = PERF_USER_FINISHED_ROUND } };
	size_t cnt = 0;
	unsigned int i;
	int err;

	for (i = 1; i < PERF_FEATURE_WRITTEN_CNT; i++)
		if (w->hdr.features[0] >> i & 1)
			rec.sections[cnt++] = w->sections[i];
	rec.hdr.size =
		(uint16_t)(sizeof(rec.hdr) + sizeof(rec.zero) + cnt * sizeof(rec.sections[0]));
	err = writer_io__patch(w, off, &rec, rec.hdr.size);
	if (err)
		return err;
	/*
	 * Only now: a process that reads the file at any moment finds the table at the end of the
	 * data.
	 */
	w->hdr.data.sz = off - w->hdr.data.off;
	w->saved_ns = mono_ns();
	err = writer_io__patch(w, offsetof(struct perf_file_header, data.sz), &w->hdr.data.sz,
			       sizeof(w->hdr.data.sz));
	return err ? err : rec.hdr.size;
}

int writer_thread__save(struct data_writer *w)
{
	int sz = put_table(w, w->off);

	if (sz < 0)
		return writer_io__log(w, sz);
	writer_io__moved(w, (size_t)sz);
	return 0;
}

/* True if the end of a round is the last data in the file, and the header does not cover it yet. */
static bool ends_unsaved(const struct data_writer *w)
{
	return !w->is_pipe && w->round_off > w->hdr.data.off + w->hdr.data.sz &&
	       w->off == w->round_off + sizeof(struct perf_event_header);
}

/* Saves a round after its end was written: the record with the table replaces it. */
static int save_last(struct data_writer *w)
{
	int sz = put_table(w, w->round_off);

	if (sz < 0)
		return writer_io__log(w, sz);
	writer_io__moved(w, (size_t)sz - sizeof(struct perf_event_header));
	return 0;
}

/* perf finds AUX data by this index; its entries are offset and size of the record. */
static void note_aux(struct data_writer *w, const struct block *b)
{
	struct perf_event_header hdr;
	uint64_t entry[2] = { w->off };

	memcpy(&hdr, b->data, sizeof(hdr));
	entry[1] = hdr.size;
	strbuf__add(&w->aux_index, entry, sizeof(entry));
}

static int put_block(struct data_writer *w, const struct block *b)
{
	int err;

	if (b->verbatim)
		note_aux(w, b);
	if (w->deflate && !b->verbatim) {
		strbuf__reset(&w->packed);
		err = deflate__pack(w->deflate, b->data, b->sz, &w->packed);
		if (err)
			return writer_io__log(w, err);
		err = writer_io__append(w, w->packed.buf, w->packed.len);
	} else {
		err = writer_io__append(w, b->data, b->sz);
	}
	if (err || !b->ends_round)
		return err;
	w->round_off = w->off;
	if (w->is_pipe || mono_ns() - w->saved_ns < SAVE_EVERY_NS)
		return put_round(w);
	return writer_thread__save(w);
}

/*
 * Call with the lock held: waits until the queue has a block, no more will come, or until_ns has
 * passed, if it is not 0.
 */
static void wait_filled(struct data_writer *w, uint64_t until_ns)
{
	struct timespec until = { (time_t)(until_ns / 1000000000), (long)(until_ns % 1000000000) };
	int err = 0;

	while (!w->first && !w->is_ending && !err)
		err = until_ns ? pthread_cond_timedwait(&w->filled, &w->lock, &until)
			       : pthread_cond_wait(&w->filled, &w->lock);
}

/* Takes the next block from the queue; NULL: no more will come, or none arrived by until_ns. */
static struct block *take_block(struct data_writer *w, uint64_t until_ns)
{
	struct block *b;

	pthread_mutex_lock(&w->lock);
	wait_filled(w, until_ns);
	b = w->first;
	if (b) {
		w->first = b->next;
		if (!w->first)
			w->last = &w->first;
	}
	pthread_mutex_unlock(&w->lock);
	return b;
}

static void give_back(struct data_writer *w, struct block *b)
{
	struct block *unused = b;

	pthread_mutex_lock(&w->lock);
	w->waiting_sz -= b->cap;
	if (w->spare_cnt < SPARE_MAX && b->cap == BLOCK_SZ) {
		b->next = w->spare;
		w->spare = b;
		w->spare_cnt++;
		unused = NULL;
	}
	pthread_cond_signal(&w->emptied);
	pthread_mutex_unlock(&w->lock);
	free(unused);
}

/*
 * After a failed write the file ends after the last complete round. The table replaces the
 * incomplete data; if there is no room for it either, the previous table stays valid.
 */
static void end_at_round(struct data_writer *w)
{
	uint64_t end;

	if (w->is_pipe)
		return;
	if (w->round_off > w->hdr.data.off + w->hdr.data.sz)
		put_table(w, w->round_off);
	end = w->hdr.data.off + w->hdr.data.sz;
	end += (uint64_t)__builtin_popcountll(w->hdr.features[0]) *
	       sizeof(struct perf_file_section);
	if (ftruncate(w->fd, (off_t)end))
		log_info("cannot shorten %s to its last complete round", w->path);
}

static void fail(struct data_writer *w, int err)
{
	end_at_round(w);
	pthread_mutex_lock(&w->lock);
	if (!w->err)
		w->err = err;
	pthread_mutex_unlock(&w->lock);
}

void writer_thread__main(void *arg)
{
	struct data_writer *w = arg;
	struct block *b;
	int err = 0;

	for (;;) {
		bool is_unsaved = !err && ends_unsaved(w);

		b = take_block(w, is_unsaved ? w->saved_ns + SAVE_EVERY_NS : 0);
		/* Save at the end, too: there may be no room for the data that follows. */
		if (!b && !is_unsaved)
			return;
		/* After an error the queue is still emptied, so that no caller waits for it. */
		if (!err) {
			err = b ? put_block(w, b) : save_last(w);
			if (err)
				fail(w, err);
		}
		if (b)
			give_back(w, b);
	}
}
