// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The AUX area of the PMU "testaux": whether the words in it are what was written. Each is one more
 * than the one before it, save where PERF_RECORD_AUX says that some were left out.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

#define DATA_PAGES 16
#define WORD_TAG 0x7e57ull

struct aux_reader {
	int fd;
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint8_t *aux;
	uint64_t data_sz, aux_sz;
	/* what has been read */
	uint64_t next_off; /* where the next AUX record has to begin */
	uint64_t word; /* the last */
	uint64_t record_cnt, word_cnt, bad_cnt, gap_cnt, truncated_cnt, lost_cnt;
	bool gap_allowed; /* the record before was truncated */
};

static uint64_t page_sz(void)
{
	return sysconf(_SC_PAGESIZE);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static int pmu_type(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/testaux/type", "r");
	int type = -1;

	if (f && fscanf(f, "%d", &type) != 1)
		type = -1;
	if (f)
		fclose(f);
	return type;
}

static int open_event(int type, unsigned int words_per_ms, uint64_t aux_sz)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = words_per_ms,
		.disabled = 1,
		/*
		 * With the kernel's own, half of the area, it is full before the second is passed.
		 */
		.aux_watermark = aux_sz / 4,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.sample_id_all = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* aux_prot: PROT_READ alone makes the kernel overwrite what is oldest. */
static int map_event(struct aux_reader *r, unsigned int aux_pages, int aux_prot)
{
	r->data_sz = DATA_PAGES * page_sz();
	r->aux_sz = aux_pages * page_sz();
	r->page = mmap(NULL, r->data_sz + page_sz(), PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	if (r->page == MAP_FAILED)
		return -errno;
	r->data = (uint8_t *)r->page + page_sz();
	r->page->aux_offset = r->data_sz + page_sz();
	r->page->aux_size = r->aux_sz;
	r->aux = mmap(NULL, r->aux_sz, aux_prot, MAP_SHARED, r->fd, r->page->aux_offset);
	return r->aux == MAP_FAILED ? -errno : 0;
}

static void close_event(struct aux_reader *r)
{
	munmap(r->aux, r->aux_sz);
	munmap(r->page, r->data_sz + page_sz());
	close(r->fd);
}

static void check_words(struct aux_reader *r, uint64_t off, uint64_t sz)
{
	uint64_t at, word;

	for (at = off; at + sizeof(word) <= off + sz; at += sizeof(word)) {
		word = *(volatile uint64_t *)(r->aux + at % r->aux_sz);
		if (word >> 48 != WORD_TAG)
			r->bad_cnt++;
		word &= (1ull << 48) - 1;
		if (r->word_cnt++ && word != r->word + 1) {
			if (r->gap_allowed && at == off && word > r->word)
				r->lost_cnt += word - r->word - 1;
			else
				r->gap_cnt++;
		}
		r->word = word;
	}
}

static void take_record(struct aux_reader *r, const struct perf_event_header *h)
{
	/* struct { struct perf_event_header header; u64 aux_offset, aux_size, flags; … } */
	const uint64_t *aux = (const uint64_t *)(h + 1);

	if (h->type != PERF_RECORD_AUX)
		return;
	r->record_cnt++;
	if (aux[0] != r->next_off || aux[1] % sizeof(uint64_t))
		r->gap_cnt++;
	check_words(r, aux[0], aux[1]);
	r->gap_allowed = aux[2] & PERF_AUX_FLAG_TRUNCATED;
	r->truncated_cnt += r->gap_allowed;
	r->next_off = aux[0] + aux[1];
}

/* Reads all records that are there, and gives what they speak of back to the kernel. */
static void drain(struct aux_reader *r)
{
	uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->page->data_tail;
	uint8_t buf[1024];
	struct perf_event_header h;
	size_t i;

	while (tail < head) {
		memcpy(&h, r->data + tail % r->data_sz, sizeof(h));
		for (i = 0; i < h.size && i < sizeof(buf); i++)
			buf[i] = r->data[(tail + i) % r->data_sz];
		take_record(r, (struct perf_event_header *)buf);
		tail += h.size;
	}
	__atomic_store_n(&r->page->data_tail, tail, __ATOMIC_RELEASE);
	__atomic_store_n(&r->page->aux_tail, r->next_off, __ATOMIC_RELEASE);
}

static void burn(uint64_t ms)
{
	uint64_t end_ns = now_ns() + ms * 1000000;

	while (now_ns() < end_ns)
		;
}

static bool begin(struct aux_reader *r, int type, unsigned int rate, unsigned int pages, int prot)
{
	int err;

	memset(r, 0, sizeof(*r));
	r->fd = open_event(type, rate, pages * page_sz());
	if (!ok(r->fd >= 0, "an event is opened: %s", r->fd < 0 ? strerror(errno) : "yes"))
		return false;
	err = map_event(r, pages, prot);
	return ok(!err, "%u AUX pages are mapped: %s", pages, err ? strerror(-err) : "yes");
}

static void no_bad_word(const struct aux_reader *r, const char *what)
{
	printf("# %s: %" PRIu64 " records, %" PRIu64 " words, %" PRIu64 " truncated, %" PRIu64
	       " words left out\n",
	       what, r->record_cnt, r->word_cnt, r->truncated_cnt, r->lost_cnt);
	is_u64(r->bad_cnt, 0, "%s: no word that was not written", what);
	is_u64(r->gap_cnt, 0, "%s: no gap that no record tells of", what);
}

/* A reader that keeps up: nothing is left out. */
static void check_trace(int type)
{
	struct aux_reader r;
	int i;

	/* Larger than what the PMU writes at once after the emulator has stood still. */
	if (!begin(&r, type, 500, 256, PROT_READ | PROT_WRITE))
		return;
	ioctl(r.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (i = 0; i < 200; i++) {
		burn(5);
		drain(&r);
	}
	ioctl(r.fd, PERF_EVENT_IOC_DISABLE, 0);
	drain(&r);
	no_bad_word(&r, "trace");
	is_u64(r.truncated_cnt, 0, "trace: nothing is truncated");
	ok(r.word_cnt > 100000, "trace: there are words: %" PRIu64, r.word_cnt);
	ok(r.record_cnt > 5, "trace: there are records: %" PRIu64, r.record_cnt);
	close_event(&r);
}

/* A reader that does not keep up: each gap is told of, and the event can be started again. */
static void check_truncated(int type)
{
	struct aux_reader r;
	int i;

	if (!begin(&r, type, 2000, 4, PROT_READ | PROT_WRITE))
		return;
	for (i = 0; i < 20; i++) {
		/* ENABLE alone does not start it again on each kernel. */
		ioctl(r.fd, PERF_EVENT_IOC_DISABLE, 0);
		ioctl(r.fd, PERF_EVENT_IOC_ENABLE, 0);
		burn(20);
		drain(&r);
	}
	no_bad_word(&r, "truncated");
	ok(r.truncated_cnt >= 15, "truncated: it was: %" PRIu64, r.truncated_cnt);
	ok(r.lost_cnt > 0, "truncated: words were left out: %" PRIu64, r.lost_cnt);
	close_event(&r);
}

/* The oldest words are overwritten: the area holds the newest. */
static void check_snapshot(int type)
{
	uint64_t head, before = 0;
	struct aux_reader r;
	int i;

	if (!begin(&r, type, 500, 16, PROT_READ))
		return;
	for (i = 0; i < 5; i++) {
		ioctl(r.fd, PERF_EVENT_IOC_ENABLE, 0);
		burn(100);
		ioctl(r.fd, PERF_EVENT_IOC_DISABLE, 0);
		head = __atomic_load_n(&r.page->aux_head, __ATOMIC_ACQUIRE);
		ok(head > before, "snapshot: the head moves: %" PRIu64, head);
		r.word_cnt = 0;
		if (head < r.aux_sz)
			check_words(&r, 0, head);
		else
			check_words(&r, head - r.aux_sz, r.aux_sz);
		is_u64(r.word, head / sizeof(uint64_t) - 1,
		       "snapshot: its last word is the newest");
		before = head;
	}
	ok(head > r.aux_sz, "snapshot: the area was wrapped around %" PRIu64 " times",
	   head / r.aux_sz);
	no_bad_word(&r, "snapshot");
	close_event(&r);
}

static void check_refusals(int type)
{
	struct aux_reader r;
	int second, err;

	memset(&r, 0, sizeof(r));
	r.fd = open_event(type, 0, 0);
	second = open_event(type, 0, 0);
	ok(second < 0 && errno == EBUSY, "a second event of the thread is refused");
	if (second >= 0)
		close(second);
	close(r.fd);
	r.fd = open_event(type, 0, 0);
	err = map_event(&r, 3, PROT_READ | PROT_WRITE);
	is_u64(-err, EINVAL, "three pages are refused");
	close(r.fd);
}

int main(void)
{
	int type = pmu_type();

	if (type < 0)
		skip_all("there is no PMU testaux; insmod testpmu.ko");
	check_trace(type);
	check_truncated(type);
	check_snapshot(type);
	check_refusals(type);
	return done_testing();
}
