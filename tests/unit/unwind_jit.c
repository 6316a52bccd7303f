// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Unwinding information in dumps of JIT compilers: V8's own bytes, none, and wrong ones; and of
 * code as it is in memory, where functions replace each other.
 */
#include "unwind/jit.h"

#include <elf.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/unwind_wire.h"
#include "rnd.h"
#include "sym/jit_dump.h"
#include "sym/jit_words.h"
#include "tap.h"
#include "unwind/words.h"

#define CODE_SZ 477

/* Written by node --perf-prof-unwinding-info of a function of CODE_SZ bytes. */
static const uint8_t frame[] = {
	0x18, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x7a, 0x4c, 0x52, 0x00, 0x01,
	0x78, 0x10, 0x02, 0xff, 0x1b, 0x0c, 0x07, 0x08, 0x90, 0x01, 0x00, 0x00, 0x00, 0x00,
	0x20, 0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0xfc, 0xfd, 0xff, 0xff, 0xdd, 0x01,
	0x00, 0x00, 0x00, 0x4f, 0x0e, 0x10, 0x86, 0x02, 0x43, 0x0d, 0x06, 0x74, 0x0d, 0x07,
	0x41, 0x0e, 0x08, 0x52, 0x0c, 0x06, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00,
};
static const uint8_t frame_header[] = {
	0x01, 0x1b, 0x03, 0x3b, 0xb8, 0xff, 0xff, 0xff, 0x01, 0x00,
	0x00, 0x00, 0xdc, 0xfd, 0xff, 0xff, 0xd8, 0xff, 0xff, 0xff,
};

static void put_u64(struct strbuf *sb, uint64_t v)
{
	strbuf__add(sb, &v, sizeof(v));
}

static uint64_t time_ns = 7; /* of the next record */

static void put_prefix(struct strbuf *sb, uint32_t id, uint32_t sz)
{
	strbuf__add(sb, &id, sizeof(id));
	strbuf__add(sb, &sz, sizeof(sz));
	put_u64(sb, time_ns);
}

static void put_unwind(struct strbuf *sb, uint64_t sz, uint64_t header_sz)
{
	put_prefix(sb, 4, (uint32_t)(16 + 24 + sizeof(frame) + sizeof(frame_header)));
	put_u64(sb, sz);
	put_u64(sb, header_sz);
	put_u64(sb, sz);
	strbuf__add(sb, frame, sizeof(frame));
	strbuf__add(sb, frame_header, sizeof(frame_header));
}

/* Returns the offset of the code. */
static uint64_t put_load_at(struct strbuf *sb, uint64_t addr, uint64_t sz, uint64_t index)
{
	static const char code[CODE_SZ];

	put_prefix(sb, 0, (uint32_t)(16 + 40 + 2 + sz));
	put_u64(sb, 0);
	put_u64(sb, addr);
	put_u64(sb, addr);
	put_u64(sb, sz);
	put_u64(sb, index);
	strbuf__add(sb, "f", 2);
	strbuf__add(sb, code, sz);
	return sb->len - sz;
}

static uint64_t put_load(struct strbuf *sb, uint64_t sz, uint64_t index)
{
	return put_load_at(sb, index << 20, sz, index);
}

static void put_move(struct strbuf *sb, uint64_t addr, uint64_t sz, uint64_t index)
{
	put_prefix(sb, 1, 16 + 48);
	put_u64(sb, 0);
	put_u64(sb, addr);
	put_u64(sb, 0);
	put_u64(sb, addr);
	put_u64(sb, sz);
	put_u64(sb, index);
}

static void put_head(struct strbuf *sb, uint32_t machine)
{
	const uint32_t words[] = { 0x4a695444, 1, 40, machine, 0, 1 };

	strbuf__add(sb, words, sizeof(words));
	put_u64(sb, 7);
	put_u64(sb, 0);
}

/* Reads the dump as bpfperf does; the result is that of unwind_jit__read(). */
static int read_dump(const struct strbuf *sb, struct unwind_table *table, const char *name)
{
	struct reader_request req = { .body = sb->buf, .sz = sb->len };
	int fd = memfd_create("dump", MFD_CLOEXEC), err;
	struct strbuf answer = STRBUF_INIT;
	struct jit_dump *d;

	is_s64(write(fd, sb->buf, sb->len), (int64_t)sb->len, "%s: written", name);
	is_s64(jit_dump_op.run(&req, &answer), 0, "%s: read", name);
	d = jit_dump__take(answer.buf, answer.len);
	err = unwind_jit__read(table, fd, (uint16_t)d->machine, d->unwinds, d->unwind_cnt);
	jit_dump__free(d);
	strbuf__free(&answer);
	close(fd);
	return err;
}

static void test_right(void)
{
	struct strbuf sb = STRBUF_INIT;
	struct unwind_table table;
	const struct unwind_rule *rule;
	uint64_t told, none, empty, at;

	put_head(&sb, EM_X86_64);
	put_unwind(&sb, sizeof(frame) + sizeof(frame_header), sizeof(frame_header));
	told = put_load(&sb, CODE_SZ, 1);
	none = put_load(&sb, 32, 2);
	put_unwind(&sb, sizeof(frame_header), sizeof(frame_header));
	empty = put_load(&sb, 48, 3);
	is_s64(read_dump(&sb, &table, "a dump"), 0, "a dump: has a table");
	rule = unwind_table__find(&table, told + 14);
	ok(rule->cfa == UNWIND_CFA_SP && rule->cfa_off == 8, "before the frame pointer is pushed");
	rule = unwind_table__find(&table, told + 15);
	ok(rule->cfa == UNWIND_CFA_SP && rule->cfa_off == 16, "after the frame pointer is pushed");
	rule = unwind_table__find(&table, told + 18);
	ok(rule->cfa == UNWIND_CFA_FP && rule->cfa_off == 16, "with the frame pointer");
	ok(unwind_table__find(&table, told - 1)->cfa == UNWIND_CFA_UNKNOWN, "before the function");
	ok(unwind_table__find(&table, none)->cfa == UNWIND_CFA_UNKNOWN,
	   "a function without unwinding information has no rule");
	rule = unwind_table__find(&table, empty + 47);
	ok(rule->cfa == UNWIND_CFA_FP && rule->ra_off == -8 && rule->fp_off == -16,
	   "a function with empty information has a frame pointer");
	ok(unwind_table__find(&table, empty + 48)->cfa == UNWIND_CFA_UNKNOWN,
	   "behind the last function");
	ok(unwind_table__to_vaddr(&table, told, &at) && at == told, "code is at its offset");
	unwind_table__free(&table);
	strbuf__free(&sb);
}

static void is_nothing(uint32_t machine, uint64_t sz, uint64_t header_sz, uint64_t code_sz,
		       int want, const char *name)
{
	struct strbuf sb = STRBUF_INIT;
	struct unwind_table table;

	put_head(&sb, machine);
	put_unwind(&sb, sz, header_sz);
	put_load(&sb, code_sz, 1);
	is_s64(read_dump(&sb, &table, name), want, "%s: no table", name);
	strbuf__free(&sb);
}

static void test_wrong(void)
{
	const uint64_t sz = sizeof(frame) + sizeof(frame_header);

	is_nothing(EM_X86_64, sz, sizeof(frame_header), CODE_SZ - 8, -ENODATA,
		   "rules of another place");
	is_nothing(EM_X86_64, sz + 1, sizeof(frame_header), CODE_SZ, -ENODATA,
		   "more bytes than the record");
	is_nothing(EM_X86_64, UINT64_MAX, 8, CODE_SZ, -ENODATA, "bytes without end");
	is_nothing(EM_X86_64, sz, sz + 1, CODE_SZ, -ENODATA, "a header larger than all");
	is_nothing(EM_X86_64, 20, 0, CODE_SZ, -ENODATA, "a torn frame");
	is_nothing(EM_386, sz, sizeof(frame_header), CODE_SZ, -ENOTSUP, "another machine");
}

/* The offsets in a request may be any: nothing is read beyond the file. */
static void test_forged(void)
{
	const struct unwind_jit forged[] = {
		{ UINT64_MAX - 8, 64, 0, 0 },     { 64, UINT64_MAX - 8, 0, 0 },
		{ 64, 64, UINT64_MAX, 64 },       { 64, 64, 0, UINT64_MAX },
		{ 64, 64, 1ull << 62, 1u << 20 }, { 64, 64, 4096, 64 },
	};
	int fd = memfd_create("dump", MFD_CLOEXEC);
	struct unwind_table table;

	is_s64(ftruncate(fd, 4096), 0, "forged functions: a file");
	is_s64(unwind_jit__read(&table, fd, EM_X86_64, forged, sizeof(forged) / sizeof(*forged)),
	       -ENODATA, "forged functions: no table");
	close(fd);
}

#define FUNCTIONS 211
#define BASE (126ull << 39)
#define AREA 16384

struct placed {
	uint64_t addr, sz, time_ns, off;
};

/*
 * Functions at any addresses and times, some of which are moved: with V8's information, with a
 * frame pointer, or with none. placed has two of each.
 */
static size_t put_placed(struct strbuf *sb, struct placed *placed)
{
	uint64_t i;
	size_t cnt = 0;

	put_head(sb, EM_X86_64);
	for (i = 0; i < FUNCTIONS; i++) {
		uint64_t kind = rnd(3);
		struct placed *p = &placed[cnt++];

		p->sz = kind ? 1 + rnd(CODE_SZ) : CODE_SZ;
		p->addr = BASE + rnd(AREA);
		p->time_ns = time_ns = 1 + rnd(64);
		if (kind < 2)
			put_unwind(sb, (kind ? 0 : sizeof(frame)) + sizeof(frame_header),
				   sizeof(frame_header));
		p->off = put_load_at(sb, p->addr, p->sz, i);
		if (rnd(4))
			continue;
		placed[cnt] = *p;
		p = &placed[cnt++];
		p->addr = BASE + rnd(AREA);
		p->time_ns = time_ns = 64 + rnd(64);
		put_move(sb, p->addr, p->sz, i);
	}
	return cnt;
}

/* The youngest function at an address; NULL: none. */
static const struct placed *youngest_at(const struct placed *placed, size_t cnt, uint64_t addr)
{
	const struct placed *best = NULL, *p;

	for (p = placed; p < placed + cnt; p++)
		if (addr - p->addr < p->sz && (!best || p->time_ns > best->time_ns ||
					       (p->time_ns == best->time_ns && p->off > best->off)))
			best = p;
	return best;
}

/* The rule at an offset from the base, found as bpf/unwind_walk.bpf.h does; NULL: none. */
static const struct unwind_rule *find_rule(const __u64 *words, size_t cnt, uint64_t off)
{
	size_t low = 0, high = words[0], at;
	uint64_t want = off << UNWIND_RULE_BITS | UNWIND_RULE_MASK;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (words[UNWIND_HEAD_WORDS + mid] <= want)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return NULL;
	at = UNWIND_HEAD_WORDS + words[0] +
	     UNWIND_RULE_WORDS * (words[UNWIND_HEAD_WORDS + low - 1] & UNWIND_RULE_MASK);
	return at + UNWIND_RULE_WORDS <= cnt ? (const struct unwind_rule *)&words[at] : NULL;
}

/* Makes words as bpfperf's reader does. */
static int make_words(int fd, uint64_t base, struct strbuf *answer)
{
	struct reader_request req = {
		.body = (const char *)&base, .sz = sizeof(base), .fds = { fd }, .fd_cnt = 1
	};

	return jit_words_op.run(&req, answer);
}

/* Rows ascend, and no more are said to be there than there are. */
static bool are_rows_sound(const struct strbuf *answer)
{
	const __u64 *words = (const __u64 *)answer->buf;
	size_t cnt = answer->len / sizeof(*words), i;

	if (!cnt || words[0] >= cnt)
		return false;
	for (i = 1; i < words[0]; i++)
		if (words[i] >> UNWIND_RULE_BITS >= words[i + 1] >> UNWIND_RULE_BITS)
			return false;
	return true;
}

/* Bytes of a dump are changed, where they count most often: in the heads of records. */
static void test_damaged(void)
{
	static struct placed placed[2 * FUNCTIONS];
	struct strbuf sb = STRBUF_INIT, answer = STRBUF_INIT;
	uint64_t made = 0, refused = 0, unsound = 0, i, k;
	int fd = memfd_create("dump", MFD_CLOEXEC), err;

	put_placed(&sb, placed);
	for (i = 0; i < 1001; i++) {
		char *bytes = malloc(sb.len);

		memcpy(bytes, sb.buf, sb.len);
		for (k = 0; k <= i % 8; k++)
			bytes[i % 2 ? rnd(600) : rnd(sb.len)] = (char)rnd(256);
		if (pwrite(fd, bytes, sb.len, 0) != (ssize_t)sb.len)
			break;
		free(bytes);
		strbuf__reset(&answer);
		err = make_words(fd, BASE, &answer);
		made += !err;
		refused += err != 0;
		unsound += !err && !are_rows_sound(&answer);
	}
	is_u64(made + refused, 1001, "damaged dumps: each has an end");
	ok(made > 99 && refused > 9, "damaged dumps: some have words, some have none");
	is_u64(unsound, 0, "damaged dumps: rows ascend in all words");
	strbuf__free(&answer);
	strbuf__free(&sb);
	close(fd);
}

static void test_placed(void)
{
	static struct placed placed[2 * FUNCTIONS];
	struct strbuf sb = STRBUF_INIT, answer = STRBUF_INIT;
	int fd = memfd_create("dump", MFD_CLOEXEC);
	uint64_t off, ruled = 0, unruled = 0, wrong = 0;
	const struct unwind_segment all = { .sz = 1ull << 39 };
	size_t cnt = put_placed(&sb, placed), word_cnt;
	struct unwind_table table;
	__u64 *words;

	is_s64(read_dump(&sb, &table, "functions in memory"), 0, "functions in memory: a table");
	is_s64(write(fd, sb.buf, sb.len), (int64_t)sb.len, "functions in memory: a dump");
	is_s64(make_words(fd, BASE, &answer), 0, "functions in memory: words are made");
	for (off = 0; off < AREA + 2 * CODE_SZ; off++) {
		const struct placed *p = youngest_at(placed, cnt, BASE + off);
		const struct unwind_rule *got =
			find_rule((const __u64 *)answer.buf, answer.len / 8, off);
		const struct unwind_rule *want =
			p ? unwind_table__find(&table, p->off + (BASE + off - p->addr)) : NULL;

		if (want && want->cfa == UNWIND_CFA_UNKNOWN)
			want = NULL;
		ruled += want != NULL;
		unruled += want == NULL;
		wrong += !got != !want || (got && memcmp(got, want, sizeof(*got)));
	}
	ok(ruled > 999, "functions in memory: many bytes have a rule");
	ok(unruled > 999, "functions in memory: many bytes have none");
	is_u64(wrong, 0, "functions in memory: each byte has the rule of the youngest");
	/* Half of a function is below the base, or above its reach. */
	strbuf__reset(&answer);
	is_s64(make_words(fd, BASE + AREA / 2, &answer), 0,
	       "a base in their midst: words are made");
	strbuf__reset(&answer);
	is_s64(make_words(fd, BASE + AREA + (1 << 20), &answer), 0,
	       "a base above all of them: words are made");
	is_u64(*(const __u64 *)answer.buf, 0, "a base above all of them: there is no row");
	is_s64(unwind_words__place(&table, &all, 1, 101, &words, &word_cnt), -EFBIG,
	       "functions in memory: no more words than are wanted");
	unwind_table__free(&table);
	strbuf__free(&answer);
	strbuf__free(&sb);
	close(fd);
}

int main(void)
{
	test_right();
	test_placed();
	test_damaged();
	test_wrong();
	test_forged();
	return done_testing();
}
