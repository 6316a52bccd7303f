// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/replay_losses.h"

#include <errno.h>
#include <string.h>

#include <linux/perf_event.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "source/file.h"
#include "util/log.h"

/* PERF_RECORD_MISC_LOST_SAMPLES_BPF of perf's own headers: what a filter dropped. */
#define MISC_LOST_SAMPLES_BPF (1 << 15)

void replay_losses__sample(struct replay_losses *gaps, int err)
{
	gaps->damaged_cnt += err == -EBADMSG;
	gaps->unknown_cnt += err == -ENOENT;
}

static void log_stopped(const struct recording *rec, const char *rest)
{
	if (rec->sz)
		log_note("stopped after %.3f of %.3f MB of %s: the records after that are not %s",
			 (double)rec->read_sz / 1e6, (double)rec->sz / 1e6, rec->path, rest);
	else
		log_note("stopped after %.3f MB of %s, before its end: the records after that are "
			 "not %s",
			 (double)rec->read_sz / 1e6, rec->path, rest);
}

/* LOST has an id before the number; LOST_SAMPLES only the number. */
static uint64_t count_of(const struct perf_event_header *hdr)
{
	size_t at = hdr->type == PERF_RECORD_LOST ? 8 : 0;
	uint64_t cnt;

	if (hdr->size < sizeof(*hdr) + at + 8)
		return 0;
	memcpy(&cnt, (const char *)(hdr + 1) + at, 8);
	return cnt;
}

/*
 * perf writes the kernel's count of lost records of each event (PERF_FORMAT_LOST) at the end,
 * including those of LOST records: LOST_SAMPLES without a time. The kernel's own LOST_SAMPLES have
 * a time; bpfperf's, the losses without a LOST record, have the id 0.
 */
static bool is_sum(const struct recording *rec, const struct perf_event_header *hdr)
{
	const uint64_t id = PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER;
	struct perf_sample s;

	return !perf_sample__parse(&s, &rec->attrs, rec->swap, hdr) && !s.time_ns &&
	       (s.id || !(s.have & id));
}

uint64_t replay_losses__lost(struct replay_losses *gaps, const struct recording *rec,
			     const struct perf_event_header *hdr)
{
	enum lost_cause cause = lost_cause__of_misc(hdr->misc);
	uint64_t cnt = count_of(hdr);

	if (hdr->type != PERF_RECORD_LOST && hdr->misc & MISC_LOST_SAMPLES_BPF)
		return 0;
	if (hdr->type == PERF_RECORD_LOST_SAMPLES)
		gaps->lost_samples_cnt += cnt;
	if (hdr->type == PERF_RECORD_LOST && cause != LOST_RING_FULL)
		gaps->by_cause[cause] += cnt;
	else if (hdr->type == PERF_RECORD_LOST)
		gaps->reported_cnt += cnt;
	else if (is_sum(rec, hdr))
		gaps->summed_cnt += cnt;
	else
		gaps->other_cnt += cnt;
	return cnt;
}

uint64_t replay_losses__lost_cnt(const struct replay_losses *gaps)
{
	uint64_t both =
		gaps->reported_cnt > gaps->summed_cnt ? gaps->reported_cnt : gaps->summed_cnt;
	size_t i;

	for (i = 0; i < LOST_CAUSE_CNT; i++)
		both += gaps->by_cause[i];
	return both + gaps->other_cnt;
}

void replay_losses__log(const struct replay_losses *gaps, const struct recording *rec,
			const char *rest)
{
	typedef unsigned long long ull;
	uint64_t lost = replay_losses__lost_cnt(gaps);
	size_t i;

	/*
	 * A recorder that writes the names of events only at the end writes the host name there,
	 * too.
	 */
	if (rec->is_cut)
		log_warn("the recording was not ended (its recorder was killed, or the disk was "
			 "full): %sits records are %s up to the last complete one",
			 rec->hostname ? "" : "it has no names of its events and formats; ", rest);
	if (rec->is_stopped)
		log_stopped(rec, rest);
	if (rec->lacks_features)
		log_warn("%s is damaged after its records: names of events, formats or build-ids "
			 "are missing; take a complete copy of it",
			 rec->path);
	for (i = 0; i < LOST_CAUSE_CNT; i++) {
		lost -= gaps->by_cause[i];
		if (gaps->by_cause[i])
			log_warn("%llu records are missing in the recording: %s; larger rings (-m) "
				 "do not change that",
				 (ull)gaps->by_cause[i], lost_cause__name((enum lost_cause)i));
	}
	if (lost)
		log_warn("%llu records were lost while recording; larger rings (-m) lose fewer",
			 (ull)lost);
	if (gaps->damaged_cnt)
		log_warn("%llu samples are omitted: they are shorter than their fields",
			 (ull)gaps->damaged_cnt);
	if (gaps->unknown_cnt)
		log_warn("%llu samples are omitted: they belong to no event of the recording",
			 (ull)gaps->unknown_cnt);
	if (gaps->deferred_cnt)
		log_warn(
			"%llu samples are %s without their user callchains: the recording has none "
			"for them, since their threads ended in the kernel or stayed there, or "
			"records were lost",
			(ull)gaps->deferred_cnt, rest);
	if (gaps->late_cnt)
		log_warn("%llu records are out of order: the recording marks no rounds to sort "
			 "within, or rounds larger than the %u MiB that are sorted at once",
			 (ull)gaps->late_cnt, FILE_HELD_MAX_SZ >> 20);
}
