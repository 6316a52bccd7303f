// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * PERF_RECORD_TIME_CONV of a recording with AUX data, as perf 5.10 and newer write it (event.h of
 * libperf): 56 bytes, from the page of a ring.
 */
#include "run/recorder_auxtrace.h"

#include <unistd.h>

#include <linux/perf_event.h>

#include "data_writing.h"
#include "tap.h"

static const struct perf_event_mmap_page arm_page = {
	.cap_user_time_zero = 1,
	.cap_user_time_short = 1,
	.time_shift = 21,
	.time_mult = 33554432,
	.time_zero = 7000000000007,
	.time_cycles = 123456789,
	.time_mask = (1ull << 56) - 1,
};

/* Writes what the page says; the number of records that say it, the last one in *conv. */
static uint32_t write_clock(const struct perf_event_mmap_page *page, bool zstd, uint64_t conv[7])
{
	struct data_writer *w;
	struct recording *rec;
	struct record raw;
	uint32_t cnt = 0;
	int err;

	snprintf(path, sizeof(path), "%s/clock", dir);
	w = open_writer(path, zstd);
	err = w ? recorder_auxtrace__write_clock(w, page) : -1;
	if (!err)
		err = write_records(w, ROUND_OF, false);
	if (!err)
		err = data_writer__finish(w);
	data_writer__free(w);
	is_s64(err, 0, "a recording is written");
	rec = recording__open(path);
	while (rec && (err = recording__next(rec, &raw)) > 0) {
		if (raw.hdr->type != PERF_USER_TIME_CONV)
			continue;
		cnt++;
		memset(conv, 0, 7 * sizeof(conv[0]));
		memcpy(conv, raw.hdr, raw.hdr->size < 56 ? raw.hdr->size : 56);
	}
	is_s64(err, 0, "the recording is read to its end");
	recording__close(rec);
	unlink(path);
	return cnt;
}

static void check_words(const uint64_t conv[7], const uint64_t want[6], const char *name)
{
	struct perf_event_header hdr;
	unsigned int i, wrong = 0;

	memcpy(&hdr, conv, sizeof(hdr));
	is_u64(hdr.size, 56, "%s: the size of the record", name);
	for (i = 0; i < 6; i++)
		if (conv[1 + i] != want[i] && ++wrong)
			diag("word %u: %#llx, expected %#llx", i, (unsigned long long)conv[1 + i],
			     (unsigned long long)want[i]);
	is_u64(wrong, 0, "%s: the words of the record", name);
}

int main(void)
{
	const uint64_t arm[] = { 21, 33554432, 7000000000007, 123456789, (1ull << 56) - 1, 0x101 };
	const uint64_t x86[] = { 31, 33554432, 7000000000007, 0, 0, 0x1 };
	struct perf_event_mmap_page page = arm_page;
	uint64_t conv[7] = { 0 };

	if (!mkdtemp(dir))
		return 1;
	is_u64(write_clock(&page, false, conv), 1, "a clock of few bits: it is told");
	check_words(conv, arm, "a clock of few bits");
	page.cap_user_time_short = 0;
	page.time_shift = 31;
	is_u64(write_clock(&page, true, conv), 1, "a clock of 64 bits, packed: it is told");
	check_words(conv, x86, "a clock of 64 bits");
	page.cap_user_time_zero = 0;
	is_u64(write_clock(&page, false, conv), 0, "no clock that is known: nothing is told");
	rmdir(dir);
	return done_testing();
}
