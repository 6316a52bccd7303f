// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Lengths of x86-64 instructions: chosen ones, and those of this program, as objdump has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "util/x86_insn.h"

#define BYTES_MAX 32

/* Bytes in hexadecimal; returns their number. */
static size_t read_bytes(const char *text, uint8_t bytes[BYTES_MAX])
{
	unsigned int byte;
	size_t cnt = 0;
	int used;

	while (cnt < BYTES_MAX && sscanf(text, " %2x%n", &byte, &used) == 1) {
		bytes[cnt++] = (uint8_t)byte;
		text += used;
	}
	return cnt;
}

static size_t length_of(const uint8_t *bytes, size_t sz)
{
	uint32_t flags;

	return x86_insn__length(bytes, sz, true, &flags);
}

/* One of each shape: prefixes, operands in memory, immediate values, vector prefixes. */
static const char *const shapes[] = {
	"55",
	"48 89 e5",
	"f3 0f 1e fa",
	"c3",
	"c2 08 00",
	"e8 01 02 03 04",
	"eb 10",
	"0f 84 01 02 03 04",
	"48 b8 01 02 03 04 05 06 07 08",
	"66 b8 01 02",
	"b8 01 02 03 04",
	"83 c7 64",
	"81 c7 01 02 03 04",
	"66 81 c7 01 02",
	"8b 15 cd 2d 00 00",
	"8b 44 24 08",
	"8b 84 24 08 01 00 00",
	"8b 04 25 01 02 03 04",
	"8b 04 85 01 02 03 04",
	"f6 c1 01",
	"f6 d1",
	"f7 c1 01 02 03 04",
	"48 f7 d9",
	"66 f7 c1 01 02",
	"a1 01 02 03 04 05 06 07 08",
	"c8 10 00 00",
	"0f 05",
	"0f a2",
	"0f ba e0 05",
	"66 0f 70 c1 1b",
	"66 0f 3a 0f c1 08",
	"66 0f 38 00 c1",
	"0f 0d 08",
	"c5 f8 77",
	"c5 f9 6f 04 24",
	"c4 e2 7d 18 05 01 02 03 04",
	"c4 e3 7d 19 c1 01",
	"62 f1 7c 48 10 44 24 01",
	"62 f3 75 48 25 c2 ff",
	"67 8b 00",
	"2e 66 0f 1f 84 00 00 00 00 00",
	"66 66 2e 0f 1f 84 00 00 00 00 00",
	"c7 04 24 01 02 03 04",
	"48 c7 c0 01 02 03 04",
	"f0 48 0f b1 0e",
	"f2 0f 10 04 24",
	"8f 04 24",
	"6a 01",
	"68 01 02 03 04",
	"69 c0 01 02 03 04",
	"6b c0 05",
	"d5 00 90",
	"d5 10 ff d0",
	"d5 18 89 c0",
	"d5 08 b8 01 02 03 04 05 06 07 08",
	"d5 80 af c1",
	"d5 00 a1 01 02 03 04 05 06 07 08",
	"f3 0f 01 ca",
};

static void test_shapes(void)
{
	uint8_t bytes[BYTES_MAX];
	size_t i, sz, wrong = 0, cut = 0;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		memset(bytes, 0x90, sizeof(bytes));
		sz = read_bytes(shapes[i], bytes);
		if (length_of(bytes, sizeof(bytes)) != sz) {
			diag("%s: %zu", shapes[i], length_of(bytes, sizeof(bytes)));
			wrong++;
		}
		cut += length_of(bytes, sz - 1) != 0;
	}
	is_u64(wrong, 0, "each shape of an instruction has its length");
	is_u64(cut, 0, "an instruction that is cut off has none");
}

static void test_unknown(void)
{
	static const char *const texts[] = { "06 90 90",    "d4 00 90",    "ea 90 90",   "0f 04 90",
					     "d5 00 70 00", "d5 00 a0 90", "d5 80 84 00" };
	uint8_t bytes[BYTES_MAX];
	size_t i, known = 0;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		memset(bytes, 0x90, sizeof(bytes));
		read_bytes(texts[i], bytes);
		known += length_of(bytes, sizeof(bytes)) != 0;
	}
	is_u64(known, 0, "bytes that are no instruction of 64-bit code have no length");
}

static uint32_t flags_of(const char *text)
{
	uint8_t bytes[BYTES_MAX];
	uint32_t flags;

	memset(bytes, 0x90, sizeof(bytes));
	read_bytes(text, bytes);
	x86_insn__length(bytes, sizeof(bytes), true, &flags);
	return flags;
}

static void test_flags(void)
{
	const uint32_t branch = X86_INSN_BRANCH,
		       iret = branch | X86_INSN_RETURN | X86_INSN_INTERRUPT;

	is_u64(flags_of("0f 01 c2"), branch | X86_INSN_CALL | X86_INSN_VMENTRY,
	       "VMLAUNCH enters a guest");
	is_u64(flags_of("0f 01 ca"), 0, "CLAC goes on");
	is_u64(flags_of("f3 0f 01 ca"), iret, "ERETU returns to user code");
	is_u64(flags_of("f2 0f 01 ca"), iret, "ERETS returns within the kernel");
	is_u64(flags_of("f3 0f 01 ec"), iret, "UIRET returns from a user interrupt");
	is_u64(flags_of("d5 00 a1 01 02 03 04 05 06 07 08"), branch, "JMPABS is a jump");
	is_u64(flags_of("a1 01 02 03 04 05 06 07 08"), 0,
	       "the opcode of JMPABS without REX2 is a load");
	is_u64(flags_of("d5 10 ff d0"), branch | X86_INSN_CALL, "REX2: a call by a register");
}

/* Takes a line of objdump: address, tab, bytes, tab, instruction. Returns whether it is one. */
static bool take_line(char *line, const char **bytes)
{
	char *first = strchr(line, '\t'), *second = first ? strchr(first + 1, '\t') : NULL;

	/* It joins fwait to the instruction behind it. */
	if (!second || strstr(second, "(bad)") || !strncmp(first + 1, "9b ", 3))
		return false;
	*second = '\0';
	*bytes = first + 1;
	return true;
}

static void test_own_code(void)
{
	FILE *f = popen("objdump -dw --insn-width=15 /proc/$PPID/exe 2>/dev/null", "r");
	uint64_t cnt = 0, wrong = 0;
	uint8_t bytes[BYTES_MAX];
	char line[1024];
	const char *text;

	while (f && fgets(line, sizeof(line), f)) {
		size_t sz;

		if (!take_line(line, &text))
			continue;
		memset(bytes, 0x90, sizeof(bytes));
		sz = read_bytes(text, bytes);
		cnt++;
		if (length_of(bytes, sizeof(bytes)) != sz && wrong++ < 5)
			diag("%s", text);
	}
	if (f)
		pclose(f);
	if (!cnt) {
		skip("objdump is not there");
		return;
	}
	ok(cnt > 1000, "this program has %llu instructions", (unsigned long long)cnt);
	is_u64(wrong, 0, "the length of each is that of objdump");
}

int main(void)
{
	test_shapes();
	test_unknown();
	test_flags();
#ifdef __x86_64__
	test_own_code();
#endif
	return done_testing();
}
