// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/profile_times.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"

/* Slices begin with 131 us: a second has 7630 of them, which are halved three times. */
#define FIRST_SHIFT 17

/* A sleep of so many slices is added without a look for values that are there already. */
#define LOOSE_MIN 8

static int append(struct profile_times *t, const struct profile_time *value)
{
	if (array__reserve((void **)&t->values, &t->cap, t->cnt + 1, sizeof(*t->values)))
		return -ENOMEM;
	t->values[t->cnt++] = *value;
	return 0;
}

/* Adds a value of a slice that is within the range. */
static int add_value(struct profile_times *t, const struct profile_time *value)
{
	uint64_t key = (uint64_t)value->stack << 32 | (uint32_t)value->slice;
	uint32_t *slot = u64map__slot(&t->by_slice, key);

	if (!slot)
		return -ENOMEM;
	if (*slot != U64MAP_NONE) {
		t->values[*slot].samples += value->samples;
		t->values[*slot].weight += value->weight;
		return 0;
	}
	*slot = (uint32_t)t->cnt;
	return append(t, value);
}

/* Sums up equal values, after the length of all slices was doubled so many times. */
static int sum_up(struct profile_times *t, unsigned int doublings)
{
	size_t cnt = t->cnt, i;
	int err = 0;

	u64map__free(&t->by_slice);
	t->cnt = 0;
	t->has_loose = false;
	t->shift = (uint8_t)(t->shift + doublings);
	t->first >>= doublings;
	t->last >>= doublings;
	for (i = 0; i < cnt && !err; i++) {
		struct profile_time value = t->values[i];

		value.slice >>= doublings;
		err = add_value(t, &value);
	}
	return err;
}

/* Doubles the length of all slices. */
static int coarsen(struct profile_times *t)
{
	return sum_up(t, 1);
}

/* Makes the slices so long that the range from `first` to `last` (slices of 1 << shift ns) fits. */
static int widen(struct profile_times *t, uint8_t shift, uint64_t first, uint64_t last)
{
	int err = 0;

	if (!t->cnt) {
		t->shift = shift;
		t->first = first;
		t->last = last;
	}
	while (t->shift < shift && !err)
		err = coarsen(t);
	first >>= t->shift - shift;
	last >>= t->shift - shift;
	t->first = first < t->first ? first : t->first;
	t->last = last > t->last ? last : t->last;
	while (t->last - t->first >= PROFILE_TIMES_SLICES && !err)
		err = coarsen(t);
	return err;
}

/*
 * Spreads a weight over the slices; what has no time of its own is in the last one. Where there is
 * room, the values of a long sleep are not looked for: of the threads that sleep all the time each
 * has hundreds, which are all new.
 */
static int spread(struct profile_times *t, struct profile_time value, uint64_t begin_ns,
		  uint64_t end_ns)
{
	uint64_t left = value.weight, last = end_ns >> t->shift, samples = value.samples, next_ns;
	bool is_loose =
		last - (begin_ns >> t->shift) >= LOOSE_MIN && t->cnt < PROFILE_TIMES_VALUES / 2;
	int err = 0;

	t->has_loose |= is_loose;
	value.samples = 0;
	for (value.slice = begin_ns >> t->shift; value.slice < last && !err; value.slice++) {
		next_ns = (value.slice + 1) << t->shift;
		value.weight = next_ns - begin_ns < left ? next_ns - begin_ns : left;
		left -= value.weight;
		begin_ns = next_ns;
		err = is_loose ? append(t, &value) : add_value(t, &value);
	}
	value.samples = samples;
	value.weight = left;
	return err ? err : add_value(t, &value);
}

static int limit_values(struct profile_times *t)
{
	int err = t->cnt > PROFILE_TIMES_VALUES && t->has_loose ? sum_up(t, 0) : 0;

	while (t->cnt > PROFILE_TIMES_VALUES && t->first != t->last && !err)
		err = coarsen(t);
	return err;
}

int profile_times__add(struct profile_times *t, uint32_t stack, uint64_t begin_ns, uint64_t end_ns,
		       uint64_t weight)
{
	const struct profile_time value = { .stack = stack, .samples = 1, .weight = weight };
	int err;

	if (!end_ns) {
		t->incomplete = true;
		return 0;
	}
	err = widen(t, FIRST_SHIFT, begin_ns >> FIRST_SHIFT, end_ns >> FIRST_SHIFT);
	if (!err)
		err = spread(t, value, begin_ns, end_ns);
	return err ? err : limit_values(t);
}

int profile_times__put(struct profile_times *t, uint8_t shift, const struct profile_time *value)
{
	struct profile_time at = *value;
	int err = widen(t, shift, value->slice, value->slice);

	at.slice >>= t->shift - shift;
	if (!err)
		err = add_value(t, &at);
	return err ? err : limit_values(t);
}

void profile_times__free(struct profile_times *t)
{
	free(t->values);
	u64map__free(&t->by_slice);
	*t = (struct profile_times){ 0 };
}
