/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Random filters of an event, and random records for them: often near each other. */
#ifndef BPFPERF_TESTS_FILTER_WORDS_H
#define BPFPERF_TESTS_FILTER_WORDS_H

#include <stdio.h>
#include <string.h>

#include "event/tp_format.h"
#include "rnd.h"
#include "util/strbuf.h"

/* An event with a field of each kind. */
__attribute__((unused)) static const char words_format[] =
	"name: t\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char arr[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:__data_loc char[] dyn;\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc char[] rel;\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:const char * ptr;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:s8 s8;\toffset:40;\tsize:1;\tsigned:1;\n"
	"\tfield:u8 u8;\toffset:41;\tsize:1;\tsigned:0;\n"
	"\tfield:s16 s16;\toffset:42;\tsize:2;\tsigned:1;\n"
	"\tfield:u32 u32;\toffset:44;\tsize:4;\tsigned:0;\n"
	"\tfield:s64 s64;\toffset:48;\tsize:8;\tsigned:1;\n"
	"\tfield:u64 u64;\toffset:56;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc cpumask_t mask;\toffset:64;\tsize:4;\tsigned:0;\n"
	"\tfield:int s32;\toffset:68;\tsize:4;\tsigned:1;\n"
	"\nprint fmt: \"\"\n";

static const char *const words_texts[] = {
	"",
	"a",
	"ab",
	"abc",
	"bash",
	"bashful",
	"kworker",
	"cat",
	"sched_pingpong",
	"fifteen_letters",
	"a/b/c",
	"/bin/ls",
	"x y z",
	"10",
	"sixteen_letters_",
};

static const char *const words_patterns[] = {
	"*",        "**",     "a*",      "*a",         "*a*",       "b?sh",  "[a-c]*", "[!a]*",
	"k*er",     "*o*er*", "!bash",   "!*s*",       "1*",        "10",    "\\a*",   "a\\*",
	"a[",       "[]a]*",  "[a-]?",   "?*?",        "*[z-a]*",   "a\\",   "sched*", "*pong",
	"*in?pon*", "/bin/*", "*/[bc]*", "fifteen*",   "*_letters", "b*h*l", "*",      "?",
	"*a*b*c*",  "[!!]*",  "[^a]*",   "*letters_*", "",          "a?*?c", "*?",     "[-a]*",
};

static const char *const words_numbers[] = {
	"0",          "1",
	"2",          "3",
	"7",          "100",
	"120",        "0x7f",
	"0x80",       "255",
	"0400",       "0x7fff",
	"0xffffffff", "-1",
	"-128",       "0x80000000",
	"4294967296", "0x123456789abcdef0",
	"-2",         "2147483647",
	"'a'",        "0x7fffffffffffffff",
	"17ull",
};

#define WORDS_PICK(arr) ((arr)[rnd(sizeof(arr) / sizeof((arr)[0]))])

static bool words__is_text(const struct tp_field *f)
{
	return (strstr(f->type, "char") && strchr(f->type, '[')) || !strcmp(f->type, "char *") ||
	       !strcmp(f->type, "const char *");
}

static bool words__is_mask(const struct tp_field *f)
{
	return (f->flags & TP_FIELD_DYNAMIC) &&
	       (strstr(f->type, "cpumask_t") || strstr(f->type, "long"));
}

static bool words__usable(const struct tp_field *f)
{
	if (!f->size || !strcmp(f->name, "common_flags") || !strncmp(f->name, "common_preempt", 14))
		return false;
	return words__is_text(f) || words__is_mask(f) ||
	       (!(f->flags & TP_FIELD_DYNAMIC) &&
		(f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8));
}

static void words__put_cpus(struct strbuf *sb, const char *name)
{
	static const char *const ops[] = { "==", "!=", "&" };
	static const char *const lists[] = { "0",   "1",   "0-1",   "0-3",
					     "2,3", "0,2", "63-66", "0-7:1/2" };

	strbuf__printf(sb, "%s %s CPUS{%s}", name, WORDS_PICK(ops), WORDS_PICK(lists));
}

static void words__put_text(struct strbuf *sb, const char *name, const char *suffix)
{
	char q = rnd(2) ? '"' : '\'';

	if (rnd(2))
		strbuf__printf(sb, "%s%s ~ %c%s%c", name, suffix, q, WORDS_PICK(words_patterns), q);
	else
		strbuf__printf(sb, "%s%s%s%c%s%c", name, suffix, rnd(2) ? " == " : "!=", q,
			       WORDS_PICK(words_texts), q);
}

static void words__put_number(struct strbuf *sb, const char *name, bool is_signed)
{
	static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=", "&" };
	const char *num = WORDS_PICK(words_numbers);

	if (!is_signed && *num == '-')
		num++;
	strbuf__printf(sb, "%s %s %s", name, WORDS_PICK(ops), num);
}

static void words__put_pred(struct strbuf *sb, const struct tp_format *fmt)
{
	const struct tp_field *f;

	if (rnd(8) == 0) {
		switch (rnd(3)) {
		case 0:
			words__put_number(sb, "CPU", true);
			return;
		case 1:
			words__put_cpus(sb, "CPU");
			return;
		default:
			words__put_text(sb, "COMM", "");
			return;
		}
	}
	do
		f = &fmt->fields[rnd(fmt->field_cnt)];
	while (!words__usable(f));
	if (words__is_text(f))
		words__put_text(sb, f->name, strchr(f->type, '*') && rnd(2) ? ".ustring" : "");
	else if (words__is_mask(f) || rnd(8) == 0)
		words__put_cpus(sb, f->name);
	else
		words__put_number(sb, f->name, f->flags & TP_FIELD_SIGNED);
}

/* A filter of up to `cnt` predicates. */
static void words__put_filter(struct strbuf *sb, const struct tp_format *fmt, unsigned int cnt)
{
	unsigned int left = 1 + (unsigned int)rnd(cnt);

	if (rnd(3) == 0)
		strbuf__puts(sb, "!");
	if (left == 1) {
		words__put_pred(sb, fmt);
		return;
	}
	strbuf__puts(sb, "(");
	words__put_filter(sb, fmt, left / 2);
	strbuf__puts(sb, rnd(2) ? " && " : "||");
	words__put_filter(sb, fmt, left - left / 2);
	if (rnd(2)) {
		strbuf__puts(sb, rnd(2) ? "&&" : " || ");
		words__put_pred(sb, fmt);
	}
	strbuf__puts(sb, ")");
}

/* A text with its NUL, which an array that it fills has no room for. */
static void words__copy(char *to, const char *text, size_t sz)
{
	size_t len = strlen(text) + 1;

	memcpy(to, text, len < sz ? len : sz);
}

/* 16 bytes of a task's name, now and then with what an older name left behind the NUL. */
static void words__comm(char comm[16])
{
	unsigned int i;

	memset(comm, 0, 16);
	for (i = 0; rnd(3) == 0 && i < 15; i++)
		comm[15 - i] = (char)('a' + rnd(3));
	words__copy(comm, WORDS_PICK(words_texts), 16);
}

static void words__field(char *entry, const struct tp_field *f, uint32_t *end)
{
	uint64_t v =
		rnd(2) ? strtoull(WORDS_PICK(words_numbers), NULL, 0) : rnd(1ULL << (1 + rnd(62)));
	const char *text = WORDS_PICK(words_texts);
	uint32_t len, loc;

	if (f->flags & TP_FIELD_DYNAMIC) {
		if (words__is_text(f)) {
			len = (uint32_t)strlen(text) + 1;
			memcpy(entry + *end, text, len);
		} else {
			len = 128;
			memset(entry + *end, 0, len);
			entry[*end] = (char)rnd(16);
			if (rnd(4) == 0)
				entry[*end + 8] = (char)rnd(16);
		}
		loc = *end - (f->flags & TP_FIELD_REL ? f->off + 4u : 0);
		if (rnd(32) == 0)
			len = 0;
		loc |= len << 16;
		memcpy(entry + f->off, &loc, sizeof(loc));
		*end += words__is_text(f) ? (uint32_t)strlen(text) + 1 : 128;
	} else if (words__is_text(f) && (f->flags & TP_FIELD_ARRAY)) {
		memset(entry + f->off, 0, f->size);
		words__copy(entry + f->off, text, f->size);
		if (rnd(4) == 0 && f->size == 16)
			words__comm(entry + f->off);
	} else {
		memcpy(entry + f->off, &v, f->size < 8 ? f->size : 8);
	}
}

/* Fills a record of the format in; returns its bytes. */
__attribute__((unused)) static uint32_t words__record(const struct tp_format *fmt, char *entry)
{
	uint32_t end = fmt->fixed_sz;
	size_t i;

	for (i = 0; i < fmt->field_cnt; i++)
		words__field(entry, &fmt->fields[i], &end);
	return end;
}

#endif
