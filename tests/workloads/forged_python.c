// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * forged_python MODE SEC: claims to be Python 3.11, with structures of the interpreter as it likes:
 *
 *     good      one frame, forged()
 *     loop      a frame that calls itself
 *     threads   a thread that follows itself, and is none of this process
 *     wild      code that is not in memory
 *     long      a name of 4 GiB
 *     many      frames of 2000 different code objects
 *     deep      calls of the loop without end
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

__attribute__((section(".PyRuntime"), used)) uint64_t _PyRuntime[1024] = { 1 };
__attribute__((used)) const unsigned long Py_Version = 0x030b07f0;

#define CODES 2000

struct text {
	uint64_t head[2], len, hash;
	uint32_t state, pad;
	uint64_t spare;
	char text[32];
};
struct bytes {
	uint64_t head[2], sz, hash;
	uint8_t data[16];
};
struct code {
	uint64_t words[32]; /* 14: file, 16: name, 17: lines */
};
struct frame {
	uint64_t words[4], code, spare, previous, instr;
	uint32_t pad;
	uint8_t is_entry, owner, rest[2];
	uint64_t more[4];
};
struct cframe {
	uint64_t tracing, frame, previous;
};

static struct text name = { .len = 6, .state = 1 << 2 | 1 << 5 | 1 << 6, .text = "forged" };
static struct text file = { .len = 9, .state = 1 << 2 | 1 << 5 | 1 << 6, .text = "forged.py" };
static struct bytes lines = { .sz = 2, .data = { 0x80 | 13 << 3 | 7, 0 } };
static struct code codes[CODES];
static struct frame frames[CODES];
static uint64_t interpreter[64], thread[64];
static volatile uint64_t sink;

static uint64_t addr(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static void forge(const char *mode)
{
	int i;

	_PyRuntime[5] = addr(interpreter);
	interpreter[2] = addr(thread);
	thread[19] = (uint64_t)pthread_self();
	for (i = 0; i < CODES; i++) {
		codes[i].words[9] = 1;
		codes[i].words[10] = (uint64_t)i;
		codes[i].words[14] = addr(&file);
		codes[i].words[16] = addr(&name);
		codes[i].words[17] = addr(&lines);
		frames[i].code = addr(&codes[i]);
		frames[i].previous = i + 1 < CODES ? addr(&frames[i + 1]) : 0;
		frames[i].instr = addr(&codes[i]) + 184;
	}
	if (strcmp(mode, "many") != 0) {
		frames[0].is_entry = 1;
		frames[0].previous = 0;
	}
	if (strcmp(mode, "loop") == 0) {
		frames[0].is_entry = 0;
		frames[0].previous = addr(&frames[0]);
	} else if (strcmp(mode, "threads") == 0) {
		thread[1] = addr(thread);
		thread[19]++;
	} else if (strcmp(mode, "wild") == 0) {
		frames[0].code = 0x123456789abc0;
	} else if (strcmp(mode, "long") == 0) {
		name.len = 1ull << 32;
	}
}

__attribute__((noinline)) static int spin(const char *mode, time_t end)
{
	volatile struct cframe cframe = { .frame = addr(&frames[0]) };
	int i;

	thread[7] = addr((const void *)&cframe);
	if (strcmp(mode, "deep") == 0)
		cframe.previous = thread[7];
	while (time(NULL) < end)
		for (i = 0; i < 100000; i++)
			sink += (uint64_t)i * sink;
	return (int)(cframe.tracing + sink % 1);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: forged_python MODE SEC\n");
		return 2;
	}
	forge(argv[1]);
	return spin(argv[1], time(NULL) + atoi(argv[2])) + 0;
}
