// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * All that a writer of recordings is given comes back: a byte (packed or not), then records of
 * whatever sizes, types and bytes, with rounds between. Read again they are the same, in their
 * order.
 */
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#include "data/recording.h"
#include "data/writer.h"

#define RECORDS_MAX 512
#define ID 1001

struct given {
	struct perf_event_header *recs[RECORDS_MAX];
	size_t cnt;
};

static void fuzz_setup(void)
{
}

static void fuzz_seeds(void)
{
	uint8_t in[256];
	unsigned int k;
	size_t i;
	char name[16];

	for (k = 0; k < 4; k++) {
		for (i = 0; i < sizeof(in); i++)
			in[i] = (uint8_t)(i % 7 ? 3 * i + k : 9);
		in[0] = (uint8_t)k;
		snprintf(name, sizeof(name), "%u", k);
		fuzz_seed(name, in, sizeof(in));
	}
}

/*
 * A sample of at least its id and time; the fields behind them are the input's bytes, again and
 * again.
 */
static struct perf_event_header *make(struct fuzz_bytes *b, size_t nr)
{
	size_t words = 3 + fuzz_take(b, 2) % 8189, i;
	uint64_t *rec = malloc(words * 8), pattern = fuzz_take(b, 8);
	const struct perf_event_header hdr = { PERF_RECORD_SAMPLE, 0, (uint16_t)(words * 8) };

	memcpy(rec, &hdr, sizeof(hdr));
	rec[1] = ID;
	rec[2] = nr;
	for (i = 3; i < words; i++)
		rec[i] = pattern * i;
	return (void *)rec;
}

static int write_all(struct given *g, struct fuzz_bytes *b, const char *path, bool zstd)
{
	const struct data_writer_opts opts = { .zstd = zstd };
	const uint64_t id = ID;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
	};
	struct data_writer *w;
	int err;

	if (data_writer__open(&w, path, &opts))
		return -1;
	err = data_writer__add_attr(w, &attr, &id, 1, "clock");
	if (!err)
		err = data_writer__begin(w);
	while (!err && b->left && g->cnt < RECORDS_MAX) {
		bool ends_round = fuzz_take(b, 1) % 4 == 0;

		g->recs[g->cnt] = make(b, g->cnt);
		err = data_writer__write(w, g->recs[g->cnt], g->recs[g->cnt]->size);
		g->cnt++;
		if (!err && ends_round)
			err = data_writer__round(w);
	}
	if (!err)
		err = data_writer__finish(w);
	data_writer__free(w);
	return err;
}

static void read_all(const struct given *g, const char *path)
{
	struct recording *rec = recording__open(path);
	struct record raw;
	size_t i = 0;
	int got;

	fuzz_check(rec && !rec->is_cut && !rec->lacks_features);
	while ((got = recording__next(rec, &raw)) > 0) {
		if (raw.hdr->type != PERF_RECORD_SAMPLE)
			continue;
		fuzz_check(i < g->cnt && raw.hdr->size == g->recs[i]->size);
		fuzz_check(!memcmp(raw.hdr, g->recs[i], raw.hdr->size));
		i++;
	}
	fuzz_check(!got && i == g->cnt);
	recording__close(rec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	struct fuzz_bytes b = { data, sz };
	bool zstd = fuzz_take(&b, 1) & 1;
	struct given g = { .cnt = 0 };
	char path[64];
	int fd = memfd_create("output", MFD_CLOEXEC);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fuzz_check(!write_all(&g, &b, path, zstd));
	read_all(&g, path);
	while (g.cnt)
		free(g.recs[--g.cnt]);
	close(fd);
	return 0;
}
