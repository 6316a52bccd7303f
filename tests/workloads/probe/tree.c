// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Calls in threads, children, and a program that these exec. Usage: tree N
 * one(): N times in the main thread, and in each of two others.
 * two(): N times in each of three children, and again after their exec.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) int one(int x)
{
	__asm__ volatile("");
	return x + 1;
}

__attribute__((noinline)) int two(int x)
{
	__asm__ volatile("");
	return x + 2;
}

static void call(int (*fn)(int), int n)
{
	while (n-- > 0)
		fn(n);
}

static void *in_thread(void *n)
{
	call(one, *(int *)n);
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, i;
	pthread_t threads[2];

	if (argc > 2) {
		call(two, n);
		return 0;
	}
	call(one, n);
	for (i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, in_thread, &n))
			return 1;
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < 3; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid)
			continue;
		call(two, n);
		execl(argv[0], argv[0], argv[1], "again", (char *)NULL);
		_exit(1);
	}
	while (wait(&i) > 0)
		if (i)
			return 1;
	return 0;
}
