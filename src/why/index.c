// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/partition.h"
#include "why/index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An element of the ring of absences, or of that of samples. */
typedef uint32_t (*thread_fn)(const struct why_timeline *tl, uint32_t idx);

static uint32_t thread_of_absence(const struct why_timeline *tl, uint32_t idx)
{
	return why_timeline__absence(tl, idx)->thread;
}

static uint32_t absences_of(const struct why_thread *t)
{
	return t->kept_absences;
}

static uint32_t samples_of(const struct why_thread *t)
{
	return t->kept_samples;
}

static uint32_t thread_of_sample(const struct why_timeline *tl, uint32_t idx)
{
	return why_timeline__sample(tl, idx)->thread;
}

/* Sorts the elements from first to end by thread; they are in the order of time. */
static inline int sort(const struct why_timeline *tl, thread_fn thread_of,
		       uint32_t (*cnt_of)(const struct why_thread *t), uint32_t first, uint32_t end,
		       uint32_t **sorted, uint32_t **at)
{
	uint32_t *starts = calloc(tl->thread_cnt + 2, sizeof(*starts)), i;
	size_t t;

	*at = starts;
	*sorted = malloc((end - first + 1) * sizeof(**sorted));
	if (!starts || !*sorted)
		return -ENOMEM;
	/* Ends, which move down to the starts as elements are put. */
	for (t = 0; t < tl->thread_cnt; t++)
		starts[t] = cnt_of(&tl->threads[t]) + (t ? starts[t - 1] : 0);
	for (i = end; i != first; i--)
		(*sorted)[--starts[thread_of(tl, i - 1)]] = i - 1;
	starts[tl->thread_cnt] = end - first;
	return 0;
}

int why_index__build(struct why_index *ix, const struct why_timeline *tl)
{
	uint32_t absences = tl->absence_cnt < WHY_ABSENCES_MAX ? tl->absence_cnt : WHY_ABSENCES_MAX;
	uint32_t samples = tl->sample_cnt < WHY_SAMPLES_MAX ? tl->sample_cnt : WHY_SAMPLES_MAX;
	int err;

	*ix = (struct why_index){ .tl = tl };
	err = sort(tl, thread_of_absence, absences_of, tl->absence_cnt - absences, tl->absence_cnt,
		   &ix->absences, &ix->absence_at);
	if (!err)
		err = sort(tl, thread_of_sample, samples_of, tl->sample_cnt - samples,
			   tl->sample_cnt, &ix->samples, &ix->sample_at);
	ix->absence_hints = calloc(tl->thread_cnt + 1, sizeof(*ix->absence_hints));
	ix->sample_hints = calloc(tl->thread_cnt + 1, sizeof(*ix->sample_hints));
	return ix->absence_hints && ix->sample_hints ? err : -ENOMEM;
}

void why_index__free(struct why_index *ix)
{
	free(ix->absences);
	free(ix->absence_at);
	free(ix->samples);
	free(ix->sample_at);
	free(ix->absence_hints);
	free(ix->sample_hints);
	memset(ix, 0, sizeof(*ix));
}

static bool is_absence_before(const struct why_index *ix, uint32_t pos, uint64_t time_ns)
{
	return why_timeline__absence(ix->tl, ix->absences[pos])->start_ns < time_ns;
}

static bool is_sample_until(const struct why_index *ix, uint32_t pos, uint64_t time_ns)
{
	return why_timeline__sample(ix->tl, ix->samples[pos])->time_ns <= time_ns;
}

/*
 * Returns the position of the first element, from first to end, that is not before the time. It is
 * mostly near the one that was found last for the thread: searches go along a path.
 */
static inline uint32_t search(const struct why_index *ix,
			      bool (*before)(const struct why_index *ix, uint32_t pos, uint64_t ns),
			      uint32_t first, uint32_t end, uint32_t *hint, uint64_t time_ns)
{
	uint32_t low = *hint < first ? first : *hint > end ? end : *hint, high = low, by = 1;

	while (low > first && !before(ix, low - 1, time_ns)) {
		high = low - 1;
		low = high - first > by ? high - by : first;
		by *= 2;
	}
	while (high < end && before(ix, high, time_ns)) {
		low = high + 1;
		high = end - low > by ? low + by : end;
		by *= 2;
	}
	low = partition_point(low, high, i, before(ix, i, time_ns));
	*hint = low;
	return low;
}

uint32_t why_index__absence_before(const struct why_index *ix, uint32_t thread, uint64_t time_ns,
				   uint32_t *next)
{
	uint32_t first = ix->absence_at[thread], end = ix->absence_at[thread + 1];
	uint32_t low =
		search(ix, is_absence_before, first, end, &ix->absence_hints[thread], time_ns);

	*next = low < end ? ix->absences[low] : WHY_NONE;
	return low > first ? ix->absences[low - 1] : WHY_NONE;
}

uint32_t why_index__sample_until(const struct why_index *ix, uint32_t thread, uint64_t time_ns)
{
	uint32_t first = ix->sample_at[thread], end = ix->sample_at[thread + 1];
	uint32_t low = search(ix, is_sample_until, first, end, &ix->sample_hints[thread], time_ns);

	return low > first ? ix->samples[low - 1] : WHY_NONE;
}
