// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Recordings made by hand: read back value by value, in both byte orders, as file and pipe, packed
 * or not.
 */
#include <errno.h>

#include "data/perf_file.h"
#include "data/perf_sample.h"
#include "data/recording.h"
#include "decode/print.h"
#include "decode/raw_swap.h"
#include "perf_file_make.h"
#include "source/file.h"
#include "tap.h"

struct seen {
	struct recording *rec;
	uint64_t times[16];
	size_t cnt, full_cnt, tp_cnt, unparsed_cnt;
	struct printer *printer;
	struct strbuf text;
};

static uint64_t time_of(void *ctx, const struct perf_event_header *hdr)
{
	struct seen *seen = ctx;
	struct perf_sample s;

	seen->unparsed_cnt += perf_sample__parse(&s, &seen->rec->attrs, seen->rec->swap, hdr) != 0;
	seen->unparsed_cnt +=
		perf_sample__time(&seen->rec->attrs, seen->rec->swap, hdr) != s.time_ns;
	return s.time_ns;
}

static void check_words(const struct perf_words *w, uint64_t cnt, uint64_t first, const char *name)
{
	uint64_t i, bad = 0;

	is_u64(w->cnt, cnt, "%s: how many", name);
	for (i = 0; i < w->cnt; i++)
		bad += perf_words__get(w, i) != first + i;
	is_u64(bad, 0, "%s: each", name);
}

static void check_full(const struct perf_sample *s)
{
	is_u64(s->have, MADE_ALL_TYPE, "a sample has all fields");
	is_u64(s->id, MADE_ID + 1, "a sample: id");
	is_u64(s->ip, 1000, "a sample: ip");
	is_u64(s->pid, 4243, "a sample: pid");
	is_u64(s->tid, 4245, "a sample: tid");
	is_u64(s->cpu, 3, "a sample: cpu");
	is_u64(s->addr, 1003, "a sample: addr");
	is_u64(s->period, 1008, "a sample: period");
	is_u64(s->stream_id, 1009, "a sample: stream_id");
	is_u64(s->read.cnt, 9,
	       "a sample: group read of two, with number, two times, three words of each");
	is_u64(perf_words__get(&s->read, 8), 2007, "a sample: group read, last word");
	is_u64(s->callchain.cnt, 3, "a sample: callchain");
	is_u64(perf_words__get(&s->callchain, 2), 0x400456, "a sample: callchain, last address");
	is_u64(s->raw_sz, 4, "a sample: raw data");
	is_mem(s->raw, "rawd", 4, "a sample: raw data, bytes");
	is_u64(s->branch_hw_idx, 3000, "the branch stack's index");
	check_words(&s->branches, 3, 3001, "branches");
	is_u64(s->user_abi, PERF_SAMPLE_REGS_ABI_64, "a sample: user abi");
	check_words(&s->user_regs, 3, 4000, "user registers");
	is_u64(s->user_stack_sz, 8, "a sample: user stack");
	is_mem(s->user_stack, "stackbyt", 8, "a sample: user stack, bytes");
	is_u64(s->weight, 1014, "a sample: weight");
	is_u64(s->data_src, 1015, "a sample: data_src");
	is_u64(s->transaction, 1017, "a sample: transaction");
	check_words(&s->intr_regs, 3, 5000, "interrupt registers");
	is_u64(s->phys_addr, 1019, "a sample: phys_addr");
	is_u64(s->cgroup, 1021, "a sample: cgroup");
	is_u64(s->data_page_sz, 1022, "data page size");
	is_u64(s->code_page_sz, 1023, "code page size");
	is_u64(s->aux_sz, 8, "a sample: aux");
	is_mem(s->aux, "auxbytes", 8, "a sample: aux, bytes");
}

static void check_tp(struct seen *seen, const struct perf_sample *s)
{
	uint8_t raw[64];

	if (!ok(s->event->fmt && s->raw_sz == 36, "the tracepoint has its format and 36 bytes"))
		return;
	memcpy(raw, s->raw, s->raw_sz);
	if (s->swap)
		raw_swap(s->event->fmt, raw, s->raw_sz);
	strbuf__reset(&seen->text);
	printer__print(seen->printer, s->event->fmt, raw, s->raw_sz, &seen->text);
	is_str(strbuf__cstr(&seen->text), "value=12345678901 name=four",
	       "the tracepoint's record as text");
}

static int on_record(void *ctx, const struct record *rec)
{
	struct seen *seen = ctx;
	struct perf_sample s;

	if (!rec->time_ns)
		return 0;
	if (seen->cnt < 16)
		seen->times[seen->cnt++] = rec->time_ns;
	perf_sample__parse(&s, &seen->rec->attrs, seen->rec->swap, rec->hdr);
	if (rec->hdr->type != PERF_RECORD_SAMPLE)
		return 0;
	if (s.event->idx && !seen->full_cnt++)
		check_full(&s);
	else if (!s.event->idx && !seen->tp_cnt++)
		check_tp(seen, &s);
	return 0;
}

static int open_made(const struct made *m, char *path)
{
	int fd = memfd_create("made", 0);

	if (write(fd, m->p, m->sz) != (ssize_t)m->sz || lseek(fd, 0, SEEK_SET))
		return -1;
	sprintf(path, "/proc/self/fd/%d", fd);
	return fd;
}

static void test_kind(unsigned int kind)
{
	struct seen seen = { .printer = printer__new() };
	struct source *src;
	static struct made m;
	char path[64];
	int fd;
	size_t i, bad = 0;

	printf("# %s, %s, %s\n", kind & 1 ? "the other byte order" : "this byte order",
	       kind & 2 ? "pipe" : "file", kind & 4 ? "packed" : "plain");
	made_kind(&m, kind);
	fd = open_made(&m, path);
	seen.rec = recording__open(path);
	if (!ok(seen.rec, "the recording is opened"))
		return;
	src = file_source__new(seen.rec, time_of, &seen);
	is_s64(source__drain(src, true, on_record, &seen), 0, "the recording is read to its end");
	is_u64(seen.cnt, 8, "all records came");
	for (i = 0; i < seen.cnt; i++)
		bad += seen.times[i] != 100 + i;
	is_u64(bad, 0, "in the order of time");
	is_u64(source__late(src), 0, "a recording: none late");
	source__free(src);
	is_u64(seen.unparsed_cnt, 0, "all were understood");
	is_u64(seen.full_cnt, 2, "samples of the one event");
	is_u64(seen.tp_cnt, 4, "samples of the other");
	is_str(seen.rec->attrs.events[0].name, "demo:demo",
	       "the tracepoint is named by its format");
	is_str(seen.rec->attrs.events[1].name, "cpu-clock", "the other by its numbers");
	if (!(kind & 2)) {
		is_str(seen.rec->hostname, "box", "the host's name");
		is_u64(seen.rec->dso_cnt, 1, "a recording: one build-id");
		is_mem(seen.rec->dsos[0].id.bytes, "0123456789abcdefghij", 20,
		       "a recording: bytes of the build-id");
	}
	recording__close(seen.rec);
	printer__free(seen.printer);
	strbuf__free(&seen.text);
	close(fd);
}

#define BUILD_ID_BIT (1 << 14)
#define ATTR_BUILD_ID (1ULL << 34)

static void make_map(struct made *m, const void *build_id)
{
	size_t from = made_begin(m, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | BUILD_ID_BIT);

	made_u64(m, 0);
	made_u64(m, 0x400000);
	made_u64(m, 0x3000);
	made_u64(m, 0x1000);
	if (build_id) {
		made_bytes(m, build_id, 24);
	} else {
		made_u32(m, 8);
		made_u32(m, 1);
		made_u64(m, 771);
		made_u64(m, 4000000000);
	}
	made_u64(m, 5);
	made_text(m, "/usr/bin/worker");
	made_trailer(m, 101);
	made_end(m, from);
}

/* Returns misc of the mapping that the recording has; its inode in *ino. */
static uint16_t read_map(const struct made *m, uint64_t *ino)
{
	struct record raw = { 0 };
	struct recording *rec;
	uint16_t misc = 0;
	char path[64];
	int fd = open_made(m, path);

	*ino = 0;
	rec = recording__open(path);
	while (rec && recording__next(rec, &raw) > 0) {
		if (raw.hdr->type != PERF_RECORD_MMAP2)
			continue;
		misc = raw.hdr->misc;
		memcpy(ino, (const char *)raw.hdr + 48, 8);
	}
	if (rec)
		recording__close(rec);
	close(fd);
	return misc;
}

/*
 * A recorder without build ids beside one with them: the kernel sets the bit for both. Tools that
 * put build ids into a recording may not change its events.
 */
static void test_foreign_build_ids(bool swap)
{
	static const char *const ids[] = {
		"\24\0\0\0abcdefghijklmnopqrst",
		"\20\0\0\0abcdefghijklmnop\0\0\0\0",
		"\10\0\0\0abcdefgh\0\0\0\0\0\0\0\0\0\0\0\0",
	};
	const char *order = swap ? "the other byte order" : "this byte order";
	static struct made m, data;
	uint64_t ino, flags;
	size_t i;

	data = (struct made){ .swap = swap };
	m = (struct made){ .swap = swap };
	make_map(&data, NULL);
	made_file(&m, &data);
	is_u64(read_map(&m, &ino), PERF_RECORD_MISC_USER,
	       "no event with build ids, %s: the bit is cleared", order);
	is_u64(ino, 771, "no event with build ids, %s: the inode", order);
	for (i = 0; i < 3; i++) {
		data.sz = m.sz = 0;
		make_map(&data, ids[i]);
		made_file(&m, &data);
		is_u64(read_map(&m, &ino), PERF_RECORD_MISC_USER | BUILD_ID_BIT,
		       "no event with build ids, %s: a build id of %d bytes is kept", order,
		       ids[i][0]);
	}
	data.sz = m.sz = 0;
	make_map(&data, NULL);
	made_file(&m, &data);
	memcpy(&flags, m.p + MADE_ATTRS_OFF + 40, 8);
	flags |= swap ? __builtin_bswap64(made_reversed(ATTR_BUILD_ID)) : ATTR_BUILD_ID;
	memcpy(m.p + MADE_ATTRS_OFF + 40, &flags, 8);
	is_u64(read_map(&m, &ino), PERF_RECORD_MISC_USER | BUILD_ID_BIT,
	       "an event with build ids, %s: the bit is unchanged", order);
}

/* Cut off at every byte: what is whole before is handed on, and the end is told. */
static void test_cut(void)
{
	size_t sz, whole = 0, wrong = 0, last = 0;
	static struct made m;

	made_kind(&m, 2);
	for (sz = 16; sz <= m.sz; sz++) {
		struct made cut = m;
		struct seen seen = { .full_cnt = 1, .tp_cnt = 1 };
		struct source *src;
		char path[64];
		int fd, err;

		cut.sz = sz;
		fd = open_made(&cut, path);
		seen.rec = recording__open(path);
		src = seen.rec ? file_source__new(seen.rec, time_of, &seen) : NULL;
		err = src ? source__drain(src, true, on_record, &seen) : -1;
		source__free(src);
		whole += !err;
		wrong += seen.cnt < last;
		last = seen.cnt;
		recording__close(seen.rec);
		close(fd);
	}
	is_u64(last, 8, "whole, it has all its records");
	is_u64(wrong, 0, "a longer piece never has fewer records");
	/* Behind its header, and behind each of its 13 records. */
	is_u64(whole, 14, "a piece is whole only where a record ends");
}

/* A file whose two events have their ids in the same sz bytes, its first: is it taken? */
static bool opens_with_ids(uint64_t sz)
{
	static struct made m;
	struct made section = { 0 };
	struct recording *rec;
	char path[64];
	bool is_taken;
	size_t i;
	int fd;

	made_kind(&m, 0);
	made_section(&section, 0, sz);
	for (i = 0; i < 2; i++)
		memcpy(m.p + MADE_ATTRS_OFF + i * MADE_ATTR_SZ + 128, section.p, section.sz);
	fd = open_made(&m, path);
	rec = recording__open(path);
	is_taken = rec != NULL;
	recording__close(rec);
	close(fd);
	return is_taken;
}

/*
 * Reading takes no longer than the file's size allows, though thousands of events could name the
 * whole file as their ids.
 */
static void test_ids(void)
{
	static struct made m;

	made_kind(&m, 0);
	ok(opens_with_ids(m.sz / 2), "ids of two events that have room in the file");
	ok(!opens_with_ids(m.sz / 2 + 1), "together more than the file has: they are none");
}

/*
 * A package that begins with one of perf's own records: how many of it are read, and how that ends.
 */
static unsigned int read_packed(uint32_t type, int *end)
{
	static struct made plain, packed, m;
	unsigned int cnt = 0, i;
	struct recording *rec;
	struct record raw;
	char path[64];
	size_t at;
	int fd;

	plain.sz = packed.sz = m.sz = 0;
	at = made_begin(&plain, type, 0);
	for (i = 0; i < 5; i++)
		made_u64(&plain, 0);
	made_end(&plain, at);
	made_tp_sample(&plain, 101, 7);
	made_full_sample(&plain, 102);
	made_packed(&packed, &plain);
	made_file(&m, &packed);
	fd = open_made(&m, path);
	rec = recording__open(path);
	while (rec && (*end = recording__next(rec, &raw)) > 0)
		cnt++;
	recording__close(rec);
	close(fd);
	return cnt;
}

static void test_packed_aux(void)
{
	int end = -1;

	is_u64(read_packed(PERF_USER_AUXTRACE_INFO, &end), 3, "what tells of AUX data, packed");
	is_s64(end, 0, "a packed recording is read to its end");
	is_u64(read_packed(PERF_USER_AUXTRACE, &end), 0, "AUX data, packed");
	is_s64(end, -EBADMSG, "AUX data, packed: reported as damage");
}

int main(void)
{
	unsigned int kind;

	for (kind = 0; kind < 8; kind++)
		test_kind(kind);
	test_foreign_build_ids(false);
	test_foreign_build_ids(true);
	fflush(stdout);
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	test_cut();
	test_ids();
	test_packed_aux();
	return done_testing();
}
