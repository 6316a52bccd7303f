// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
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

static uint32_t thread_of_sample(const struct why_timeline *tl, uint32_t idx)
{
	return why_timeline__sample(tl, idx)->thread;
}

/* Sorts the elements from first to end by thread; they are in the order of time. */
static int sort(const struct why_timeline *tl, thread_fn thread_of, uint32_t first, uint32_t end,
		uint32_t **sorted, uint32_t **at)
{
	uint32_t *starts = calloc(tl->thread_cnt + 2, sizeof(*starts)), i;
	size_t t;

	*at = starts;
	*sorted = malloc((end - first + 1) * sizeof(**sorted));
	if (!starts || !*sorted)
		return -ENOMEM;
	/* Counts, then ends, which move down to the starts as elements are put. */
	for (i = first; i != end; i++)
		starts[thread_of(tl, i)]++;
	for (t = 1; t <= tl->thread_cnt; t++)
		starts[t] += starts[t - 1];
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
	err = sort(tl, thread_of_absence, tl->absence_cnt - absences, tl->absence_cnt,
		   &ix->absences, &ix->absence_at);
	if (!err)
		err = sort(tl, thread_of_sample, tl->sample_cnt - samples, tl->sample_cnt,
			   &ix->samples, &ix->sample_at);
	return err;
}

void why_index__free(struct why_index *ix)
{
	free(ix->absences);
	free(ix->absence_at);
	free(ix->samples);
	free(ix->sample_at);
	memset(ix, 0, sizeof(*ix));
}

uint32_t why_index__absence_before(const struct why_index *ix, uint32_t thread, uint64_t time_ns,
				   uint32_t *next)
{
	uint32_t first = ix->absence_at[thread], end = ix->absence_at[thread + 1];
	uint32_t low = first, high = end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (why_timeline__absence(ix->tl, ix->absences[middle])->start_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	*next = low < end ? ix->absences[low] : WHY_NONE;
	return low > first ? ix->absences[low - 1] : WHY_NONE;
}

uint32_t why_index__sample_until(const struct why_index *ix, uint32_t thread, uint64_t time_ns)
{
	uint32_t first = ix->sample_at[thread], low = first, high = ix->sample_at[thread + 1];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (why_timeline__sample(ix->tl, ix->samples[middle])->time_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low > first ? ix->samples[low - 1] : WHY_NONE;
}
