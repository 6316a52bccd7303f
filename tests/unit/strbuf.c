// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/strbuf.h"

#include <errno.h>
#include <stdlib.h>

#include "tap.h"
#include "util/digits.h"

static struct strbuf sb = STRBUF_INIT;

static const char *text(void)
{
	return strbuf__cstr(&sb);
}

static void test_life(void)
{
	char *before;
	size_t i;

	is_str(text(), "", "an empty buffer is the empty string");
	strbuf__puts(&sb, "abc");
	strbuf__putc(&sb, 'd');
	strbuf__add(&sb, "e\0f", 3);
	is_u64(sb.len, 7, "bytes are counted, NUL too");
	is_mem(text(), "abcde\0f", 8, "bytes are kept, with a NUL behind them");
	is_u64(sb.len, 7, "the NUL behind is not counted");
	strbuf__add(&sb, NULL, 0);
	is_u64(sb.len, 7, "add of nothing is allowed");

	before = sb.buf;
	strbuf__reset(&sb);
	ok(sb.len == 0 && sb.buf == before, "reset keeps the memory");

	for (i = 0; i < 100000; i++)
		strbuf__putc(&sb, (char)('a' + i % 26));
	is_u64(sb.len, 100000, "a buffer grows byte by byte");
	for (i = 0; i < 100000 && sb.buf[i] == (char)('a' + i % 26); i++)
		;
	is_u64(i, 100000, "a buffer grows without a byte changed");

	strbuf__free(&sb);
	ok(!sb.buf && !sb.len && !sb.cap, "free leaves an empty buffer");
	is_s64(strbuf__grow(&sb, 1000), 0, "a freed buffer grows from nothing");
	ok(sb.cap >= 1000, "reserve makes the room asked for");
	strbuf__free(&sb);
}

static void test_printf(void)
{
	char *want = malloc(5001);

	memset(want, 'x', 5000);
	want[5000] = '\0';
	is_s64(strbuf__printf(&sb, "%d-%s", 42, "ab"), 0, "printf adds its text");
	is_str(text(), "42-ab", "printf: the text added");
	strbuf__reset(&sb);
	strbuf__printf(&sb, "%s|", want);
	is_u64(sb.len, 5001, "printf longer than the room there was");
	is_mem(sb.buf, want, 5000, "printf longer than the room: the whole text");
	strbuf__free(&sb);
	free(want);
}

static void test_utf8(void)
{
	static const struct {
		const char *from, *to;
	} all[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "caf\xc3\xa9 \xf0\x9f\x98\x80", "caf\xc3\xa9 \xf0\x9f\x98\x80" },
		{ "m\xe4in", "m\xef\xbf\xbdin" },
		{ "\xed\xa0\x80x", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx" },
		{ "cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd" },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		strbuf__reset(&sb);
		strbuf__put_utf8(&sb, all[i].from, strlen(all[i].from));
		is_str(text(), all[i].to, "only valid UTF-8, %zu", i);
	}
	strbuf__free(&sb);
}

static void check_number(uint64_t v)
{
	char want[64];

	strbuf__reset(&sb);
	strbuf__put_u64(&sb, v);
	strbuf__putc(&sb, ' ');
	strbuf__put_s64(&sb, (int64_t)v);
	strbuf__putc(&sb, ' ');
	strbuf__put_hex(&sb, v);
	snprintf(want, sizeof(want), "%" PRIu64 " %" PRId64 " %" PRIx64, v, (int64_t)v, v);
	is_str(text(), want, "%" PRIu64 " unsigned, signed, hexadecimal", v);
}

static void test_numbers(void)
{
	uint64_t p = 1;
	int digits;

	check_number(0);
	for (digits = 1; digits <= 20; digits++, p *= 10) {
		check_number(p - 1);
		check_number(p);
	}
	check_number(INT64_MAX);
	check_number(1ULL << 63);
	check_number(UINT64_MAX);
	strbuf__reset(&sb);
	strbuf__put_s64(&sb, -1);
	strbuf__putc(&sb, ' ');
	strbuf__put_s64(&sb, INT64_MIN);
	is_str(text(), "-1 -9223372036854775808", "the smallest number");

	strbuf__reset(&sb);
	strbuf__put_u64_pad(&sb, 7, 9, '0');
	strbuf__putc(&sb, '|');
	strbuf__put_u64_pad(&sb, 42, 5, ' ');
	strbuf__putc(&sb, '|');
	strbuf__put_u64_pad(&sb, 123456, 3, '0');
	strbuf__putc(&sb, '|');
	strbuf__put_u64_pad(&sb, 0, 0, '0');
	is_str(text(), "000000007|   42|123456|0", "padding of numbers and text");
	strbuf__free(&sb);
}

/* The random numbers are the same each time: splitmix64. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static void test_numbers_random(void)
{
	uint64_t state = 1, v;
	unsigned int i, bad = 0;
	char want[64];

	for (i = 0; i < 20000; i++) {
		v = next_random(&state);
		v >>= next_random(&state) % 64;
		strbuf__reset(&sb);
		strbuf__put_u64(&sb, v);
		strbuf__putc(&sb, ' ');
		strbuf__put_u64_pad(&sb, v, 12, '0');
		strbuf__put_hex_pad(&sb, v, 13, ' ');
		snprintf(want, sizeof(want), "%" PRIu64 " %012" PRIu64 "%13" PRIx64, v, v, v);
		bad += strcmp(text(), want) != 0;
	}
	is_u64(bad, 0, "20,000 numbers of all lengths are what printf says");
	strbuf__free(&sb);
}

/* The hot paths' printers of numbers, compared with printf. */
static void test_digits_random(void)
{
	uint64_t state = 2, v;
	unsigned int i, bad = 0;
	char got[64], want[64], *p;

	for (i = 0; i < 20000; i++) {
		v = next_random(&state);
		v >>= next_random(&state) % 64;
		p = digits__s64(got, (int64_t)v);
		*p++ = ' ';
		p = digits__hex(p, v);
		*p++ = ' ';
		p = digits__ns(p, (uint32_t)(v % 1000000000));
		*p = '\0';
		snprintf(want, sizeof(want), "%" PRId64 " %" PRIx64 " %09" PRIu64, (int64_t)v, v,
			 v % 1000000000);
		bad += strcmp(got, want) != 0;
	}
	is_u64(bad, 0, "20,000 numbers in decimal, hexadecimal and as nanoseconds");
}

static const char *escaped(const char *s, size_t len)
{
	strbuf__reset(&sb);
	strbuf__put_escaped(&sb, s, len);
	return text();
}

/*
 * Text of ASCII is copied eight bytes at a time where all are printable: compared with the same
 * text, put byte by byte.
 */
static void test_escaped_random(void)
{
	struct strbuf want = STRBUF_INIT;
	unsigned int i, k, len, bad = 0;
	uint64_t state = 3;
	char in[40];

	for (i = 0; i < 20000; i++) {
		len = next_random(&state) % sizeof(in);
		strbuf__reset(&want);
		for (k = 0; k < len; k++) {
			/* One byte of 16 is any of ASCII, the others are printable. */
			in[k] = (char)(next_random(&state) % 16 ? 0x20 + next_random(&state) % 95
								: next_random(&state) % 128);
			strbuf__put_escaped(&want, in + k, 1);
		}
		bad += strcmp(escaped(in, len), strbuf__cstr(&want)) != 0;
	}
	is_u64(bad, 0, "escaped text: 20,000 texts are what their bytes are one by one");
	strbuf__free(&want);
}

static void test_escaped(void)
{
	is_str(escaped("plain", 5), "plain", "plain text stays");
	is_str(escaped("", 0), "", "escaped text: empty text stays empty");
	is_str(escaped("a\nb\tc", 5), "a\\nb\\tc", "escaped text: line feed and tab");
	is_str(escaped("\033[31mred\033[0m", 12), "\\x1b[31mred\\x1b[0m",
	       "escaped text: escape sequences");
	is_str(escaped("\0a\x7f\r", 4), "\\x00a\\x7f\\x0d", "escaped text: NUL, DEL, CR");
	is_str(escaped("caf\xc3\xa9", 5), "caf\xc3\xa9", "escaped text: bytes beyond ASCII stay");
	is_str(escaped("\xc2\x9bJ\xc2\xa0", 5), "\\xc2\\x9bJ\xc2\xa0",
	       "escaped text: controls of C1, not U+00A0");
	is_str(escaped("a\xc2", 2), "a\xc2", "escaped text: a sequence that is cut stays");
	is_str(escaped("\x9b[1mlat\xe9n", 9), "\\x9b[1mlat\xe9n",
	       "escaped text: a byte that is a control character to terminals of 8 bits");
	is_str(escaped("\xe2\x9b\x84", 3), "\xe2\x9b\x84",
	       "escaped text: such a byte within a character stays");
	ok(strbuf__has_control("a\x85", 2) && !strbuf__has_control("\xe2\x9b\x84", 3),
	   "escaped text: such bytes are found as control characters");
	strbuf__free(&sb);
}

static const char *json(const char *s, size_t len)
{
	strbuf__reset(&sb);
	strbuf__put_json(&sb, s, len);
	return text();
}

static void test_json(void)
{
	is_str(json("", 0), "\"\"", "an empty JSON string");
	is_str(json("a\"b\\c", 5), "\"a\\\"b\\\\c\"", "quote and backslash");
	is_str(json("\n\0\x1f\x7f", 4), "\"\\u000a\\u0000\\u001f\\u007f\"",
	       "JSON string: control characters");
	is_str(json("\xc2\x80\xc2\x9bJ\xc2\x9f\xc2\xa0", 9), "\"\\u0080\\u009bJ\\u009f\xc2\xa0\"",
	       "JSON string: controls of C1, not U+00A0");
	is_str(json("\xc2", 1), "\"\\ufffd\"", "JSON string: half of a C1 control is no control");
	is_str(json("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9),
	       "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
	       "JSON string: UTF-8 of two, three, four bytes stays");
	is_str(json("\xff", 1), "\"\\ufffd\"", "JSON string: a byte that begins nothing");
	is_str(json("\xc0\xaf", 2), "\"\\ufffd\\ufffd\"", "JSON string: an overlong slash");
	is_str(json("\xe0\x80\x80", 3), "\"\\ufffd\\ufffd\\ufffd\"",
	       "JSON string: an overlong NUL");
	is_str(json("\xed\xa0\x80", 3), "\"\\ufffd\\ufffd\\ufffd\"", "JSON string: a surrogate");
	is_str(json("\xf4\x90\x80\x80", 4), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"",
	       "JSON string: beyond U+10FFFF");
	is_str(json("a\xe2\x82", 3), "\"a\\ufffd\\ufffd\"", "a sequence cut off by the end");
	is_str(json("\xe2(\xa1", 3), "\"\\ufffd(\\ufffd\"", "a sequence broken in the middle");
	strbuf__free(&sb);
}

static const char *csv(const char *s, size_t len)
{
	strbuf__reset(&sb);
	strbuf__put_csv(&sb, s, len);
	return text();
}

static void test_csv(void)
{
	is_str(csv("", 0), "", "an empty cell");
	is_str(csv("plain text", 10), "plain text", "a plain cell has no quotes");
	is_str(csv("a,b", 3), "\"a,b\"", "a comma wants quotes");
	is_str(csv("say \"hi\"", 8), "\"say \"\"hi\"\"\"", "quotes are doubled");
	is_str(csv("a\nb\033[1m\r", 8), "a\\nb\\x1b[1m\\x0d", "control characters are escaped");
	is_str(csv("\xc2\x85", 2), "\\xc2\\x85", "control characters of C1 are escaped, too");
	is_str(csv("=HYPERLINK(1)", 13), "'=HYPERLINK(1)", "a formula becomes text");
	is_str(csv("@SUM(1),2", 9), "\"'@SUM(1),2\"", "a formula with a comma becomes text");
	is_str(csv("-1+cmd|' /C x'!A0", 17), "'-1+cmd|' /C x'!A0", "a reference becomes text");
	is_str(csv("-bash", 5), "-bash", "a name with a dash is no formula");
	is_str(csv("caf\xc3\xa9,\xff", 7), "\"caf\xc3\xa9,\xef\xbf\xbd\"",
	       "UTF-8 stays, other bytes become U+FFFD");
	strbuf__free(&sb);
}

/* Memory for the last pad is refused, which is no finding here. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void test_pad(void)
{
	strbuf__reset(&sb);
	strbuf__puts(&sb, "12/3");
	strbuf__pad(&sb, 3, 5);
	is_str(text(), "12/3    ", "a column is padded to its width");
	strbuf__pad(&sb, 3, 5);
	strbuf__pad(&sb, 0, 7);
	is_str(text(), "12/3    ", "a column that is wide enough stays");
	ok(!strbuf__has_failed(), "padding has had its memory");
	strbuf__pad(&sb, 3, SIZE_MAX / 2);
	is_str(text(), "12/3    ", "a column without memory for its width stays");
	ok(strbuf__has_failed(), "padding without memory is noted");
}

int main(void)
{
	test_life();
	test_utf8();
	test_printf();
	test_numbers();
	test_numbers_random();
	test_digits_random();
	test_escaped();
	test_escaped_random();
	test_json();
	test_csv();
	test_pad();
	return done_testing();
}
