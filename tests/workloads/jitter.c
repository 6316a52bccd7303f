// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * jitter [DIR [ROUNDS]]: a JIT compiler of three functions, which writes jit-PID.dump as perf's
 * jitdump-specification.txt has it. The first and the second are at one address, one after the
 * other; the third has two source lines and unwinding information, and is moved. Prints pid=PID.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE EM_X86_64
/* 1: dec %rdi; jne 1b; ret */
static const uint8_t loop[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#else
#define MACHINE EM_AARCH64
/* 1: subs x0, x0, #1; b.ne 1b; ret */
static const uint8_t loop[] = { 0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff,
				0xff, 0x54, 0xc0, 0x03, 0x5f, 0xd6 };
#endif

static uint64_t rounds = 300000000;

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void put(int fd, const void *data, size_t sz)
{
	if (write(fd, data, sz) != (ssize_t)sz)
		exit(1);
}

static void put_prefix(int fd, uint32_t id, size_t sz)
{
	const uint32_t words[] = { id, (uint32_t)sz };
	uint64_t time = now_ns();

	put(fd, words, sizeof(words));
	put(fd, &time, sizeof(time));
}

static void put_load(int fd, const char *name, const void *code, uint64_t index)
{
	const uint32_t ids[] = { (uint32_t)getpid(), (uint32_t)getpid() };
	const uint64_t words[] = { (uintptr_t)code, (uintptr_t)code, sizeof(loop), index };
	size_t name_sz = strlen(name) + 1;

	put_prefix(fd, 0, 16 + sizeof(ids) + sizeof(words) + name_sz + sizeof(loop));
	put(fd, ids, sizeof(ids));
	put(fd, words, sizeof(words));
	put(fd, name, name_sz);
	put(fd, loop, sizeof(loop));
}

static void put_move(int fd, const void *from, const void *to, uint64_t index)
{
	const uint32_t ids[] = { (uint32_t)getpid(), (uint32_t)getpid() };
	const uint64_t words[] = { (uintptr_t)to, (uintptr_t)from, (uintptr_t)to, sizeof(loop),
				   index };

	put_prefix(fd, 1, 16 + sizeof(ids) + sizeof(words));
	put(fd, ids, sizeof(ids));
	put(fd, words, sizeof(words));
}

/* Line 7 begins with the function, line 8 with its second instruction. */
static void put_lines(int fd, const void *code, const char *file)
{
	const uint64_t head[] = { (uintptr_t)code, 2 };
	const uint64_t second = (uintptr_t)code + (sizeof(loop) == 6 ? 3 : 4);
	const int32_t seven[] = { 7, 0 }, eight[] = { 8, 0 };

	put_prefix(fd, 2, 16 + sizeof(head) + 2 * 16 + strlen(file) + 1 + 2);
	put(fd, head, sizeof(head));
	put(fd, head, 8);
	put(fd, seven, sizeof(seven));
	put(fd, file, strlen(file) + 1);
	put(fd, &second, 8);
	put(fd, eight, sizeof(eight));
	put(fd, "\xff", 2);
}

/* The .eh_frame: a function that leaves the stack as it is; then its header, of one function. */
static void put_unwind(int fd)
{
	const uint8_t arm64 = MACHINE == EM_AARCH64;
	const int32_t code_sz = sizeof(loop), back = (code_sz + 7) & ~7;
	const uint8_t cie[] = { 20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, arm64 ? 30 : 16,
				1, 0x1b,
				/* the CFA is sp, or sp + 8 with the return address below it */
				0x0c, arm64 ? 31 : 7, arm64 ? 0 : 8, arm64 ? 0 : 0x90,
				arm64 ? 0 : 1, 0, 0 };
	const int32_t fde[] = { 16, 28, -(back + 32), code_sz, 0, 0 };
	const int32_t frame_sz = sizeof(cie) + sizeof(fde);
	const int32_t header[] = { 0x3b031b01, -frame_sz - 4, 1, -back - frame_sz,
				   -(int32_t)sizeof(fde) };
	const uint64_t sz = sizeof(cie) + sizeof(fde) + sizeof(header);
	const uint64_t sizes[] = { sz, sizeof(header), sz };

	put_prefix(fd, 4, 16 + sizeof(sizes) + sz);
	put(fd, sizes, sizeof(sizes));
	put(fd, cie, sizeof(cie));
	put(fd, fde, sizeof(fde));
	put(fd, header, sizeof(header));
}

static __attribute__((noinline)) void run(void *code)
{
	void (*fn)(uint64_t);

	memcpy(&fn, &code, sizeof(fn));
	__builtin___clear_cache((char *)code, (char *)code + sizeof(loop));
	fn(rounds);
	__asm__ volatile(""); /* no tail call */
}

int main(int argc, char **argv)
{
	const uint32_t head[] = { 0x4a695444, 1, 40, MACHINE, 0, (uint32_t)getpid() };
	uint64_t rest[] = { now_ns(), 0 };
	char path[512], source[512];
	uint8_t *code;
	int fd;

	if (argc > 2)
		rounds = strtoull(argv[2], NULL, 10);
	snprintf(path, sizeof(path), "%s/jit-%d.dump", argc > 1 ? argv[1] : ".", getpid());
	snprintf(source, sizeof(source), "%s/app.js", argc > 1 ? argv[1] : ".");
	fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0644);
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	if (fd < 0 || code == MAP_FAILED)
		return 1;
	put(fd, head, sizeof(head));
	put(fd, rest, sizeof(rest));
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		return 1;
	printf("pid=%d\n", getpid());
	fflush(stdout);

	memcpy(code, loop, sizeof(loop));
	put_load(fd, "first_one", code, 1);
	run(code);
	put_load(fd, "second_one", code, 2);
	run(code);
	memcpy(code + 256, loop, sizeof(loop));
	put_lines(fd, code + 256, source);
	put_unwind(fd);
	put_load(fd, "third one of app.js:7", code + 256, 3);
	run(code + 256);
	memcpy(code + 1024, loop, sizeof(loop));
	put_move(fd, code + 256, code + 1024, 3);
	memset(code + 256, 0, sizeof(loop));
	run(code + 1024);
	put_prefix(fd, 3, 16);
	return 0;
}
