// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Hostile recordings: mutations of small ones of every kind (byte order, file
 * or pipe, packed or not), each read to its end, every field of every sample
 * touched, every tracepoint's text printed. Nothing may crash, hang, or take
 * memory that the file does not account for; what it answers is of no
 * interest. Inputs that led further than all before them (more records, more
 * fields) are kept and mutated in turn. Bounded by time, or by the number of
 * inputs given as an argument; the seed is printed, and may be given behind it.
 */
#include <errno.h>
#include <sys/resource.h>
#include <time.h>

#include "perf_file_make.h"
#include "recording_touch.h"
#include "cpu_ns.h"
#include "rnd.h"
#include "tap.h"
#include "util/mono.h"

#define FUZZ_NS 10000000000ull
/* On a busy machine it goes on until it has read these. */
#define CNT_MIN 501
/* One input of at most 64 KiB, under the sanitizers on a busy machine. */
#define ONE_MAX_NS 5000000000ull
#define CORPUS_MAX 512

struct input_file {
	uint8_t *data;
	size_t sz;
};

static struct input_file corpus[CORPUS_MAX];
static size_t corpus_cnt;
static uint64_t seen_features;

static void add_input(const void *data, size_t sz)
{
	struct input_file *to;

	if (!sz)
		return;
	to = &corpus[corpus_cnt < CORPUS_MAX ? corpus_cnt++ : 8 + rnd(CORPUS_MAX - 8)];
	free(to->data);
	to->data = malloc(sz);
	to->sz = sz;
	memcpy(to->data, data, sz);
}

/* Bytes, numbers that hurt, pieces moved within it or in from another, an end that is missing. */
static size_t mutate(uint8_t *data, size_t sz)
{
	static const uint64_t nasty[] = {
		0,          1,       7,          8,          0x7f,      0xff,       0xffff,
		0x7fffffff, 1 << 30, 0xffffffff, 1ULL << 32, INT64_MAX, UINT64_MAX, UINT64_MAX - 7,
		0xfff8,     24
	};
	const struct input_file *other = &corpus[rnd((uint32_t)corpus_cnt)];
	uint32_t n = 1 + rnd(8);

	while (n--) {
		size_t len = (size_t)1 << rnd(4), at = rnd((uint32_t)sz), from;

		if (rnd(2))
			at &= ~(size_t)7;
		if (at + len > sz)
			continue;
		switch (rnd(5)) {
		case 0:
			data[at] ^= (uint8_t)(1 << rnd(8));
			break;
		case 1:
			data[at] = (uint8_t)rnd(256);
			break;
		case 2:
			len *= 8;
			from = rnd((uint32_t)other->sz);
			if (from + len <= other->sz && at + len <= sz)
				memcpy(data + at, other->data + from, len);
			break;
		case 3:
			len *= 8;
			from = rnd((uint32_t)sz) & ~7u;
			if (from + len <= sz && at + len <= sz)
				memmove(data + at, data + from, len);
			break;
		default:
			memcpy(data + at, &nasty[rnd(sizeof(nasty) / sizeof(*nasty))],
			       len < 8 ? len : 8);
			break;
		}
	}
	return rnd(16) ? sz : 1 + rnd((uint32_t)sz);
}

static uint64_t read_cnt;

/* Reads one input; keeps it where it showed something new. */
static void run(const uint8_t *data, size_t sz, int fd)
{
	struct reading r = { .text_left = rnd(64) ? 0 : 4 };
	char path[64];

	if (ftruncate(fd, 0) || pwrite(fd, data, sz, 0) != (ssize_t)sz)
		return;
	read_cnt++;
	sprintf(path, "/proc/self/fd/%d", fd);
	if (reading__do(&r, path) && (r.features & ~seen_features)) {
		seen_features |= r.features;
		add_input(data, sz);
	}
}

static void fuzz(uint64_t max_cnt)
{
	uint64_t start = mono_ns(), slowest = 0, cnt = 0, one, grown;
	int fd = memfd_create("input", 0);
	struct rusage before, after;
	static struct made made;
	static uint8_t data[sizeof(made.p)];
	unsigned int kind;

	for (kind = 0; kind < 8; kind++) {
		made_kind(&made, kind);
		run(made.p, made.sz, fd);
		add_input(made.p, made.sz);
	}
	getrusage(RUSAGE_SELF, &before);
	while (max_cnt ? cnt < max_cnt : cnt < CNT_MIN || mono_ns() - start < FUZZ_NS) {
		const struct input_file *in = &corpus[rnd(2) ? rnd(8) : rnd((uint32_t)corpus_cnt)];
		size_t sz = in->sz;

		memcpy(data, in->data, sz);
		sz = mutate(data, sz);
		one = cpu_ns();
		run(data, sz, fd);
		one = cpu_ns() - one;
		slowest = one > slowest ? one : slowest;
		cnt++;
	}
	getrusage(RUSAGE_SELF, &after);
	close(fd);
	grown = (uint64_t)(after.ru_maxrss - before.ru_maxrss);
	printf("# %llu inputs, %zu kept, slowest %llu us, %llu KiB more memory\n",
	       (unsigned long long)cnt, corpus_cnt, (unsigned long long)slowest / 1000,
	       (unsigned long long)grown);
	is_u64(read_cnt, cnt + 8, "each input was read");
	ok(slowest < ONE_MAX_NS, "no input took long");
	/* A zstd window may be 128 MiB; what was asked for and not touched does not count. */
	ok(grown < 512 * 1024, "no input took memory without bounds");
}

/* libtraceevent loses memory of formats that it refuses. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\n";
}

int main(int argc, char **argv)
{
	size_t i;

	rnd_state = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL);
	printf("# seed %llu\n", (unsigned long long)rnd_state);
	fflush(stdout);
	/* Every input has its sentence. The sanitizers' reports go where ASAN_OPTIONS says. */
	if (!getenv("FUZZ_TALK") && !freopen("/dev/null", "w", stderr))
		return 1;
	fuzz(argc > 1 ? strtoull(argv[1], NULL, 0) : 0);
	for (i = 0; i < corpus_cnt; i++)
		free(corpus[i].data);
	return done_testing();
}
