// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/recorded_gaps.h"

#include <errno.h>
#include <string.h>

#include <linux/perf_event.h>

#include "data/recording.h"
#include "util/log.h"

void recorded_gaps__sample(struct recorded_gaps *gaps, int err)
{
	gaps->damaged_cnt += err == -EBADMSG;
	gaps->unknown_cnt += err == -ENOENT;
}

/* LOST has an id before the number; LOST_SAMPLES only the number. */
uint64_t recorded_gaps__lost(struct recorded_gaps *gaps, const struct perf_event_header *hdr)
{
	size_t at = hdr->type == PERF_RECORD_LOST ? 8 : 0;
	uint64_t cnt;

	if (hdr->size < sizeof(*hdr) + at + 8)
		return 0;
	memcpy(&cnt, (const char *)(hdr + 1) + at, 8);
	gaps->lost_cnt += cnt;
	return cnt;
}

void recorded_gaps__tell(const struct recorded_gaps *gaps, const struct recording *rec,
			 const char *rest)
{
	typedef unsigned long long ull;

	/* Who writes names at the end only has written the host's there, too. */
	if (rec->is_cut)
		log_warn("the recording was not ended (its recorder was killed, or the disk was "
			 "full): %sits records are %s up to the last complete one",
			 rec->hostname ? "" : "it has no names of its events and formats; ", rest);
	if (rec->lacks_features)
		log_warn("%s is damaged behind its records: names of events, formats or build-ids "
			 "are missing; take a whole copy of it",
			 rec->path);
	if (gaps->lost_cnt)
		log_warn("%llu records were lost while recording; larger rings (-m) lose fewer",
			 (ull)gaps->lost_cnt);
	if (gaps->damaged_cnt)
		log_warn("%llu samples are left out: they are shorter than their fields",
			 (ull)gaps->damaged_cnt);
	if (gaps->unknown_cnt)
		log_warn("%llu samples are left out: they are of no event of the recording",
			 (ull)gaps->unknown_cnt);
}
