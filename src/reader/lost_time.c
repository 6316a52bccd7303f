// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "reader/lost_time.h"

#include <pthread.h>

#include "reader/reader.h"
#include "util/mono.h"
#include "util/stop_signals.h"

/* Time that files of one other user may cost without an answer, in all. */
#define OTHERS_MAX_NS 2000000000ull
/*
 * For the files of all other users together without an answer, from the end of the recording on:
 * one user has half of what the others have left, so that there is always something for the next.
 * An answer counts from QUICK_NS on.
 */
#define HURRY_MAX_NS 70000000ull
#define QUICK_NS 5000000ull
/* Less is not worth a request. */
#define SHARE_MIN_NS 1000000ull
#define OWNERS_MAX 64

struct lost_time {
	uid_t owner;
	uint64_t ns;
	uint64_t hurry_ns; /* the part in the hurry */
};

static struct {
	pthread_mutex_t lock; /* protects the members */
	struct lost_time owners[OWNERS_MAX];
	uint32_t owner_cnt;
	uint64_t hurry_ns; /* of all owners */
} lost = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Time of the first reader__hurry(); 0: there is no hurry. */
static uint64_t hurry_since_ns;

void reader__hurry(void)
{
	uint64_t none = 0;

	__atomic_compare_exchange_n(&hurry_since_ns, &none, mono_ns(), false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
}

/* The thread that would take a stop signal may be the one that waits for a reader. */
static uint64_t hurry_since(void)
{
	if (!__atomic_load_n(&hurry_since_ns, __ATOMIC_RELAXED) && stop_signals__pending())
		reader__hurry();
	return __atomic_load_n(&hurry_since_ns, __ATOMIC_RELAXED);
}

/* Returns where the time of an owner is counted; the last place is shared by the rest. */
static struct lost_time *get(uid_t owner)
{
	uint32_t i;

	for (i = 0; i < lost.owner_cnt && lost.owners[i].owner != owner; i++)
		;
	if (i == lost.owner_cnt && i < OWNERS_MAX - 1)
		lost.owners[lost.owner_cnt++] = (struct lost_time){ owner, 0, 0 };
	return &lost.owners[i];
}

/* Returns the part of the time since begin_ns that is in the hurry; 0: there is none. */
static uint64_t hurried_ns(uint64_t begin_ns)
{
	uint64_t since_ns = hurry_since();

	return since_ns ? mono_ns() - (since_ns > begin_ns ? since_ns : begin_ns) : 0;
}

static bool add(uid_t owner, uint64_t ns, uint64_t in_hurry_ns)
{
	struct lost_time *of_owner;
	bool may_read;

	pthread_mutex_lock(&lost.lock);
	of_owner = get(owner);
	of_owner->ns += ns;
	of_owner->hurry_ns += in_hurry_ns;
	lost.hurry_ns += in_hurry_ns;
	may_read = of_owner->ns < OTHERS_MAX_NS;
	pthread_mutex_unlock(&lost.lock);
	return may_read;
}

bool lost_time__add(uid_t owner, uint64_t lost_ns)
{
	return reader__is_trusted(owner) || add(owner, lost_ns, hurried_ns(mono_ns() - lost_ns));
}

void reader__charge(uid_t owner, uint64_t lost_ns)
{
	lost_time__add(owner, lost_ns);
}

void lost_time__answer(uid_t owner, uint64_t begin_ns)
{
	uint64_t ns = hurried_ns(begin_ns);

	if (ns > QUICK_NS && !reader__is_trusted(owner))
		add(owner, 0, ns - QUICK_NS);
}

/* Time that the hurry leaves to the files of an owner. */
static uint64_t left_ns(uid_t owner)
{
	uint64_t own_ns, others_ns, share_ns;

	pthread_mutex_lock(&lost.lock);
	own_ns = get(owner)->hurry_ns;
	others_ns = lost.hurry_ns - own_ns;
	pthread_mutex_unlock(&lost.lock);
	share_ns = others_ns < HURRY_MAX_NS ? (HURRY_MAX_NS - others_ns) / 2 : 0;
	return share_ns >= own_ns + SHARE_MIN_NS ? share_ns - own_ns : 0;
}

uint64_t lost_time__end(uid_t owner, uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t since_ns = hurry_since(), hurried_end_ns;

	if (!since_ns || reader__is_trusted(owner))
		return end_ns;
	hurried_end_ns = (begin_ns > since_ns ? begin_ns : since_ns) + left_ns(owner);
	return hurried_end_ns < end_ns ? hurried_end_ns : end_ns;
}
