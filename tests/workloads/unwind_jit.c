// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * unwind_jit DIR: a JIT compiler of functions that use the frame pointer for something else, and
 * which writes jit-PID.dump as perf's jitdump-specification.txt has it. Reads commands, a line
 * each, and prints the last word when one is done:
 *
 *     make SLOT KIND NAME   writes a function, and runs it until the next command
 *     damage                writes what is no record
 *     fork                  forks a process with a dump of its own, in its parent's function
 *
 * KIND: told: with unwinding information; deep: likewise, with another frame; untold: without;
 * huge: the information says that it has 4 GB. Ends with its input.
 */
#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define SLOT_SZ 256
#define SLOTS 16

struct function {
	const uint8_t *code, *rules; /* DW_CFA_… of the code */
	size_t code_sz, rules_sz;
};
#define FUNCTION(name)                                                                             \
	{                                                                                          \
		name##_code, name##_rules, sizeof(name##_code), sizeof(name##_rules)               \
	}

#if defined(__x86_64__)
#define MACHINE EM_X86_64
/* push %rbp; xor %ebp,%ebp; 1: dec %rdi; jne 1b; pop %rbp; ret */
static const uint8_t told_code[] = { 0x55, 0x31, 0xed, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3 };
static const uint8_t told_rules[] = { 0x41, 0x0e, 16, 0x86, 2, 0x48, 0x0e, 8, 0xc6 };
/* the same within sub $0x1000,%rsp; add $0x1000,%rsp */
static const uint8_t deep_code[] = { 0x48, 0x81, 0xec, 0,    0x10, 0,    0,    0x55,
				     0x31, 0xed, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d,
				     0x48, 0x81, 0xc4, 0,    0x10, 0,    0,    0xc3 };
static const uint8_t deep_rules[] = { 0x47, 0x0e, 0x88, 0x20, 0x41, 0x0e, 0x90, 0x20, 0x86, 0x82,
				      0x04, 0x48, 0x0e, 0x88, 0x20, 0xc6, 0x47, 0x0e, 8 };
/* The CFA is sp + 8, with the return address below it. */
static const uint8_t cie[] = { 20, 0,    0,  0, 0,    0,    0, 0, 1,    'z', 'R', 0,
			       1,  0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1,   0,   0 };
#else
#define MACHINE EM_AARCH64
/* stp x29,x30,[sp,#-16]!; mov x29,xzr; 1: subs x0,x0,#1; b.ne 1b; ldp x29,x30,[sp],#16; ret */
static const uint8_t told_code[] = { 0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x1f, 0xaa,
				     0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff, 0xff, 0x54,
				     0xfd, 0x7b, 0xc1, 0xa8, 0xc0, 0x03, 0x5f, 0xd6 };
static const uint8_t told_rules[] = { 0x44, 0x0e, 16, 0x9d, 2, 0x9e, 1, 0x50, 0x0e, 0, 0xdd, 0xde };
/* the same within sub sp,sp,#0x1000; add sp,sp,#0x1000 */
static const uint8_t deep_code[] = { 0xff, 0x07, 0x40, 0xd1, 0xfd, 0x7b, 0xbf, 0xa9,
				     0xfd, 0x03, 0x1f, 0xaa, 0x00, 0x04, 0x00, 0xf1,
				     0xe1, 0xff, 0xff, 0x54, 0xfd, 0x7b, 0xc1, 0xa8,
				     0xff, 0x07, 0x40, 0x91, 0xc0, 0x03, 0x5f, 0xd6 };
static const uint8_t deep_rules[] = { 0x44, 0x0e, 0x80, 0x20, 0x44, 0x0e, 0x90, 0x20,
				      0x9d, 0x82, 0x04, 0x9e, 0x81, 0x04, 0x50, 0x0e,
				      0x80, 0x20, 0xdd, 0xde, 0x44, 0x0e, 0 };
/* The CFA is sp; the return address is in x30. */
static const uint8_t cie[] = { 20, 0,    0,  0, 0,    0,    0,  0, 1, 'z', 'R', 0,
			       1,  0x78, 30, 1, 0x1b, 0x0c, 31, 0, 0, 0,   0,   0 };
#endif

static const struct function told = FUNCTION(told), deep = FUNCTION(deep);

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* A record, which is written at once: readers may read at any time. */
static uint8_t record[8192];
static size_t record_sz;

static void put(const void *data, size_t sz)
{
	memcpy(record + record_sz, data, sz);
	record_sz += sz;
}

static void begin(uint32_t id)
{
	const uint32_t words[] = { id, 0 };
	const uint64_t time = now_ns();

	record_sz = 0;
	put(words, sizeof(words));
	put(&time, sizeof(time));
}

static void end(int fd)
{
	const uint32_t sz = (uint32_t)record_sz;

	memcpy(record + 4, &sz, sizeof(sz));
	if (write(fd, record, record_sz) != (ssize_t)record_sz)
		exit(1);
}

static void put_load(int fd, const char *name, const uint8_t *code, const struct function *f)
{
	static uint64_t index;
	const uint32_t ids[] = { (uint32_t)getpid(), (uint32_t)getpid() };
	const uint64_t words[] = { (uintptr_t)code, (uintptr_t)code, f->code_sz, ++index };

	begin(0);
	put(ids, sizeof(ids));
	put(words, sizeof(words));
	put(name, strlen(name) + 1);
	put(f->code, f->code_sz);
	end(fd);
}

/* The .eh_frame, as if it were 8-byte aligned behind the code; then its header, of one function. */
static void put_unwind(int fd, const struct function *f, int is_huge)
{
	const int32_t back = (int32_t)(f->code_sz + 7) & ~7;
	/* the augmentation's size and the rules, up to a multiple of 4 */
	const int32_t tail_sz = (int32_t)(1 + f->rules_sz + 3) & ~3;
	const int32_t fde[] = { 12 + tail_sz, sizeof(cie) + 4, -(back + (int32_t)sizeof(cie) + 8),
				(int32_t)f->code_sz };
	const int32_t frame_sz = (int32_t)(sizeof(cie) + sizeof(fde)) + tail_sz + 4;
	const int32_t header[] = { 0x3b031b01, -frame_sz - 4, 1, -back - frame_sz,
				   (int32_t)sizeof(cie) - frame_sz };
	const uint64_t sz = (uint64_t)frame_sz + sizeof(header);
	const uint64_t said_sz = is_huge ? 4ull << 30 : sz;
	const uint64_t sizes[] = { said_sz, sizeof(header), said_sz };
	uint8_t tail[64] = { 0 };

	memcpy(tail + 1, f->rules, f->rules_sz);
	begin(4);
	put(sizes, sizeof(sizes));
	put(cie, sizeof(cie));
	put(fde, sizeof(fde));
	put(tail, (size_t)tail_sz + 4); /* and a terminator */
	put(header, sizeof(header));
	end(fd);
}

static __attribute__((noinline)) void run(void *code)
{
	void (*fn)(uint64_t);

	memcpy(&fn, &code, sizeof(fn));
	fn(3000000);
	__asm__ volatile(""); /* no tail call */
}

static void make(int fd, uint8_t *code, const char *kind, const char *name)
{
	const struct function *f = strcmp(kind, "deep") ? &told : &deep;

	memcpy(code, f->code, f->code_sz);
	__builtin___clear_cache((char *)code, (char *)code + f->code_sz);
	if (strcmp(kind, "untold"))
		put_unwind(fd, f, !strcmp(kind, "huge"));
	put_load(fd, name, code, f);
	printf("%s\n", name);
}

static void damage(int fd)
{
	memset(record, 0xa5, sizeof(record));
	if (write(fd, record, sizeof(record)) < 0)
		exit(1);
	printf("damage\n");
}

static void *dump_at;

static int open_dump(const char *dir)
{
	const uint32_t head[] = { 0x4a695444, 1, 40, MACHINE, 0, (uint32_t)getpid() };
	const uint64_t rest[] = { now_ns(), 0 };
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, getpid());
	fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0644);
	if (fd < 0 || write(fd, head, sizeof(head)) < 0 || write(fd, rest, sizeof(rest)) < 0 ||
	    (dump_at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0)) == MAP_FAILED)
		exit(1);
	return fd;
}

/* Like CPython, the child has no other dump than its own. */
static void fork_child(const char *dir, void *code)
{
	int fds[2];
	char byte = 0;
	pid_t pid;

	if (pipe(fds))
		exit(1);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		munmap(dump_at, 4096);
		open_dump(dir);
		if (write(fds[1], &byte, 1) < 0)
			exit(1);
		for (;;)
			run(code);
	}
	if (read(fds[0], &byte, 1) < 0)
		exit(1);
	printf("%d\n", pid);
}

int main(int argc, char **argv)
{
	uint8_t *code = mmap(NULL, SLOTS * SLOT_SZ, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pollfd in = { .events = POLLIN };
	char line[256], kind[32], name[64];
	const char *dir = argc > 1 ? argv[1] : ".";
	int fd = open_dump(dir), slot = -1;

	if (code == MAP_FAILED)
		return 1;
	setbuf(stdin, NULL);
	for (;;) {
		if (slot >= 0)
			run(code + slot * SLOT_SZ);
		if (!poll(&in, 1, slot >= 0 ? 0 : -1))
			continue;
		if (!fgets(line, sizeof(line), stdin))
			return 0;
		if (sscanf(line, "make %d %31s %63s", &slot, kind, name) == 3 && slot < SLOTS)
			make(fd, code + slot * SLOT_SZ, kind, name);
		else if (!strcmp(line, "fork\n") && slot >= 0)
			fork_child(dir, code + slot * SLOT_SZ);
		else
			damage(fd);
		fflush(stdout);
	}
}
