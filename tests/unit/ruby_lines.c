// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Tables of lines of Ruby's code, made as iseq.c makes them, and names of its functions. */
#include <errno.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/interp_wire.h"
#include "lang/codes.h"
#include "lang/ruby_lines.h"
#include "tap.h"

#define ENTRIES_MAX 300
#define CODE_MAX 2000

struct made {
	uint8_t bytes[16384];
	size_t sz;
};

/* A table for code of `words` words, with an entry at each of the positions. */
static void make(struct made *m, const uint32_t *positions, uint32_t cnt, uint32_t words)
{
	struct ruby_lines head = { .cnt = cnt, .entries_sz = 12 * cnt };
	uint64_t first[6] = { 0 };
	struct {
		uint32_t before, spare;
		uint64_t ranks, bits[8];
	} blocks[(CODE_MAX + 511) / 512] = { 0 };
	uint32_t i, k, word, block_cnt = words < 54 ? 0 : (words - 54 + 511) / 512;
	uint8_t *at = m->bytes + sizeof(head);
	uint32_t first_sz = words < 54 ? (words + 8) / 9 * 8 : 48;

	memset(m, 0, sizeof(*m));
	for (i = 0; i < cnt; i++, at += 12) {
		int32_t line = 100 + (int32_t)i;

		memcpy(at, &line, sizeof(line));
	}
	for (i = 0; i < first_sz / 8 * 9; i++) {
		uint64_t until = 0;

		for (k = 0; k < cnt; k++)
			until += positions[k] <= i;
		first[i / 9] |= (until & 127) << i % 9 * 7;
	}
	for (k = 0; k < block_cnt; k++) {
		for (i = 0; i < cnt; i++) {
			uint32_t pos = positions[i] - 54;

			blocks[k].before += positions[i] < 54 + 512 * k;
			if (positions[i] < 54 + 512 * k || pos / 512 != k)
				continue;
			blocks[k].bits[pos % 512 / 64] |= 1ull << pos % 64;
			for (word = pos % 512 / 64 + 1; word < 8; word++)
				blocks[k].ranks += 1ull << (word - 1) * 9;
		}
	}
	memcpy(at, first, first_sz);
	memcpy(at + first_sz, blocks, block_cnt * sizeof(*blocks));
	head.positions_sz = first_sz + block_cnt * (uint32_t)sizeof(*blocks);
	memcpy(m->bytes, &head, sizeof(head));
	m->sz = sizeof(head) + head.entries_sz + head.positions_sz;
}

/* Looks each position up. Returns how many have a line other than that of the last entry. */
static int count_wrong(const struct made *m, const uint32_t *positions, uint32_t cnt,
		       uint32_t words)
{
	uint32_t pos, entry = 0;
	int wrong = 0;

	for (pos = 0; pos < words; pos++) {
		while (entry < cnt && positions[entry] <= pos)
			entry++;
		/* The frame's word is the one behind the instruction. */
		wrong += ruby_lines__find(m->bytes, m->sz, pos + 1) != (entry ? 99 + entry : 0);
	}
	return wrong;
}

static void test_lines(void)
{
	static const uint32_t sizes[] = { 2, 9, 53, 54, 55, 118, 566, 567, 1999 };
	uint32_t positions[ENTRIES_MAX], cnt, i, s;
	static struct made m;

	for (s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		for (cnt = 0, i = 0; i < sizes[s] && cnt < ENTRIES_MAX; i += 1 + i % 7)
			positions[cnt++] = i;
		make(&m, positions, cnt, sizes[s]);
		is_s64(count_wrong(&m, positions, cnt, sizes[s]), 0, "each position has its line");
	}
	is_s64(ruby_lines__find(m.bytes, m.sz, 0), 100, "before the first instruction: its line");
	is_s64(ruby_lines__find(m.bytes, m.sz, 1u << 20), 0, "behind the table");
	is_s64(ruby_lines__find(m.bytes, m.sz - 1, 1), 0, "a table that is cut");
	is_s64(ruby_lines__find(m.bytes, 3, 1), 0, "a table without its head");
	positions[0] = 0;
	make(&m, positions, 1, 30);
	is_s64(ruby_lines__find(m.bytes, m.sz, 29), 100, "one entry is for all");
	memset(m.bytes, 0xff, sizeof(m.bytes));
	is_s64(ruby_lines__find(m.bytes, m.sz, 5), 0, "sizes beyond the table");
}

static void test_names(void)
{
	struct interp_def d = { .id = 107, .language = INTERP_RUBY };
	struct codes c = { .func_cnt = 0 };
	struct code_name name;

	d.name = (struct interp_text){ .cnt = 7, .sz = 7, .width = INTERP_UTF8 };
	d.path = (struct interp_text){ .cnt = 600, .sz = 4, .width = INTERP_UTF8 };
	memcpy(d.data, "\xc3\xa9t\xc3\xa9!\0a.rb", 11);
	ok(!codes__define(&c, &d, offsetof(struct interp_def, data) + 11), "code of Ruby is taken");
	codes__name(&c, codes__place(&c, INTERP_FRAME | 107ull << INTERP_INSTR_BITS), &name);
	is_str(name.name, "\xc3\xa9t\xc3\xa9!", "a name is UTF-8, and ends with its NUL");
	is_str(name.file, "a.rb...", "a path that is cut says so");
	ok(name.language == INTERP_RUBY && !name.line,
	   "a function has its language, and no line without a table");
	codes__name(&c, codes__place(&c, INTERP_FRAME | (__u64)INTERP_RUBY << INTERP_INSTR_BITS),
		    &name);
	ok(name.language == INTERP_RUBY && !name.name,
	   "a function whose definition found no room has its language, and no name");
	d.language = INTERP_RUBY + 1;
	is_s64(codes__define(&c, &d, offsetof(struct interp_def, data) + 11), -EINVAL,
	       "a language that is not known is refused");
	codes__name(&c, codes__recorded(&c, "rb::block in <class:A>:/srv/a.rb") | 12, &name);
	is_str(name.name, "block in <class:A>", "a recorded mapping has the name");
	is_str(name.file, "/srv/a.rb", "a recorded mapping has the file");
	ok(name.language == INTERP_RUBY && codes__is_recorded("rb::a:b") &&
		   !codes__is_recorded("/usr/lib/libc.so.6"),
	   "mappings are told apart");
	codes__free(&c);
}

int main(void)
{
	test_lines();
	test_names();
	return done_testing();
}
