// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * names_calls odd            system calls whose arguments point to text and bytes of every kind: of
 * each length at which
 *                            records change, unprintable, unreadable, at a mapping's end, in pages
 *                            that are not in memory
 *                            yet. All is at the same addresses in each run, and 23040 (0x5a00) is
 *                            the descriptor: what a
 *                            tracer shows of two runs is the same.
 * names_calls busy P N       P processes, each N times openat() of "/no/PID/I", I from 0 on.
 *
 * Prints how many calls it made of each, or the processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FD 0x5a00
#define TEXT_AT ((char *)0x5a0000000000)
#define FILE_AT ((char *)0x5a1000000000)
#define PAGE 65536 /* the largest of all kernels */
/* Pages that are read in with another that is asked for lie nearer than this. */
#define FAR (1 << 20)
#define FAR_CNT 31

static unsigned int openats, writes;

static void open_name(const char *name)
{
	syscall(SYS_openat, FD, name, O_RDONLY, 0);
	openats++;
}

static void write_bytes(const char *from, size_t sz)
{
	syscall(SYS_write, FD, from, sz);
	writes++;
}

static char *map(char *at, size_t sz, int fd)
{
	char *got = mmap(at, sz, PROT_READ | (fd < 0 ? PROT_WRITE : 0),
			 MAP_PRIVATE | MAP_FIXED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);

	if (got != at) {
		perror("names_calls: mmap");
		exit(1);
	}
	return got;
}

/* Texts of n bytes, and buffers of as many. */
static void call_by_length(char *text)
{
	static const size_t lengths[] = { 0,   1,   2,   7,   8,   9,   15,  16,  17,  62,
					  63,  64,  65,  66,  67,  163, 164, 165, 166, 167,
					  168, 169, 170, 171, 172, 254, 255, 256, 999 };
	size_t i, k;

	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		for (k = 0; k < lengths[i]; k++)
			text[k] = (char)('a' + k % 26);
		text[k] = '\0';
		open_name(text);
		write_bytes(text, lengths[i]);
	}
	write_bytes(text, (size_t)-1);
	write_bytes(text, 1 << 30);
}

/* Each byte there is, at each place of a word. */
static void call_by_byte(char *text)
{
	int c;

	for (c = 1; c < 256; c++) {
		memcpy(text, "odd_name.x", 11);
		text[c % 10] = (char)c;
		open_name(text);
		write_bytes(text, 11);
	}
}

/* Nothing is readable behind `end`. */
static void call_at_end(char *end)
{
	size_t back;

	for (back = 1; back < 20; back += 3) {
		memset(end - back, 'e', back);
		open_name(end - back);
		write_bytes(end - back, back);
		write_bytes(end - back, back + 1);
		end[-1] = '\0';
		open_name(end - back);
	}
	/* Readable as far as records show it, but not as far as the kernel reads. */
	memset(end - 100, 'f', 100);
	open_name(end - 100);
	write_bytes(end - 100, 101);
	open_name(NULL);
	open_name((char *)1);
	open_name(end);
	open_name((char *)-4096);
	write_bytes(end, 7);
	write_bytes(NULL, 7);
}

/*
 * Names in a file that is mapped, but in pages that were never read; every other lies across two
 * of them.
 */
static void call_not_in_memory(void)
{
	char path[] = "/tmp/names_calls.XXXXXX", name[64];
	int fd = mkstemp(path), i;

	for (i = 0; i < FAR_CNT; i++) {
		int len = snprintf(name, sizeof(name), "/no/not_in_memory_%d", i);

		if (pwrite(fd, name, (size_t)len + 1, (off_t)i * FAR + PAGE - i % 2 * 9) < 0)
			perror("names_calls: pwrite");
	}
	if (ftruncate(fd, (off_t)FAR_CNT * FAR))
		perror("names_calls: ftruncate");
	map(FILE_AT, (size_t)FAR_CNT * FAR, fd);
	for (i = 0; i < FAR_CNT; i++)
		open_name(FILE_AT + (size_t)i * FAR + PAGE - i % 2 * 9);
	/* Again, as bytes. */
	map(FILE_AT, (size_t)FAR_CNT * FAR, fd);
	for (i = 0; i < FAR_CNT; i++)
		write_bytes(FILE_AT + (size_t)i * FAR + PAGE - i % 2 * 9, 19);
	close(fd);
	unlink(path);
}

/* Calls with more than one, with another argument for the size, at other places. */
static void call_others(char *text)
{
	char *second = text + 300, *third = text + 600;

	strcpy(text, "first\001name");
	memset(second, 's', 200);
	second[200] = '\0';
	strcpy(third, "third");
	syscall(SYS_renameat2, FD, text, FD, second, 0);
	syscall(SYS_renameat2, FD, second, FD, text, 0);
	syscall(SYS_renameat2, FD, NULL, FD, text, 0);
	syscall(SYS_renameat2, FD, text, FD, NULL, 0);
	syscall(SYS_linkat, FD, text, FD, third, 0);
	syscall(SYS_symlinkat, text, FD, third);
	syscall(SYS_mount, text, second, third, 0, NULL);
	syscall(SYS_mount, NULL, third, second, 0, NULL);
	syscall(SYS_pwrite64, FD, text, 9, 0);
	syscall(SYS_mq_timedsend, FD, text, 9, 0, NULL);
	syscall(SYS_sethostname, third, -1);
	syscall(SYS_setdomainname, second, 65);
	syscall(SYS_execve, text, NULL, NULL);
	syscall(SYS_execve, second, NULL, NULL);
}

static int call_odd(void)
{
	char *text = map(TEXT_AT, 2 * PAGE, -1);

	munmap(text + PAGE, PAGE);
	/* First bytes that are no text: from those on perf shows all bytes as numbers. */
	call_by_byte(text);
	call_by_length(text);
	call_at_end(text + PAGE);
	call_not_in_memory();
	call_others(text);
	printf("openat=%u write=%u not_in_memory=%u\n", openats, writes, FAR_CNT);
	return 0;
}

static int call_busy(int processes, int calls)
{
	char name[64];
	int i;

	while (processes-- > 0) {
		if (fork() != 0)
			continue;
		for (i = 0; i < calls; i++) {
			snprintf(name, sizeof(name), "/no/%d/%d", (int)getpid(), i);
			open_name(name);
		}
		printf("pid=%d count=%d\n", (int)getpid(), calls);
		return 0;
	}
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "odd"))
		return call_odd();
	if (argc == 4 && !strcmp(argv[1], "busy"))
		return call_busy(atoi(argv[2]), atoi(argv[3]));
	fprintf(stderr, "names_calls: odd, or busy P N\n");
	return 2;
}
