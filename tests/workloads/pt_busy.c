// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * pt_busy ROUNDS: code of many kinds for tests of a processor's trace: threads with a lock,
 * indirect calls, recursion, signals with a handler, system calls, the C library's functions of
 * strings.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sum;
static unsigned long rounds;

static void on_signal(int sig)
{
	sum += (unsigned long)sig;
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static unsigned long recurse(unsigned long n)
{
	return n < 2 ? n : recurse(n - 1) + recurse(n - 2);
}

static unsigned long twice(unsigned long n)
{
	return n * 2;
}

static unsigned long thrice(unsigned long n)
{
	return n * 3;
}

static void *work(void *arg)
{
	static unsigned long (*const calls[])(unsigned long) = { recurse, twice, thrice };
	unsigned long i, n = (unsigned long)arg;
	char text[64];
	int numbers[32], k;

	for (i = 0; i < rounds; i++) {
		for (k = 0; k < 32; k++)
			numbers[k] = (int)((i + n) * 7919 + (unsigned long)k * 104729) % 1009;
		qsort(numbers, 32, sizeof(*numbers), compare);
		snprintf(text, sizeof(text), "%d %s %lu", numbers[0], "text", i);
		pthread_mutex_lock(&lock);
		sum += calls[(i + n) % 3](i % 9) + strlen(text);
		pthread_mutex_unlock(&lock);
		if (i % 16 == n % 16)
			raise(SIGUSR1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	unsigned long i;

	rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 10;
	signal(SIGUSR1, on_signal);
	for (i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i))
			return 1;
	work((void *)2);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return sum == 0;
}
