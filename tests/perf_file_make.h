/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Small recordings made by hand, in either byte order, as a file or a pipe,
 * packed or not: one tracepoint (id MADE_TP_ID) and one software event whose
 * samples have every field there is.
 */
#ifndef BPFPERF_TESTS_PERF_FILE_MAKE_H
#define BPFPERF_TESTS_PERF_FILE_MAKE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#define MAKE_FN __attribute__((unused)) static

#define MADE_TP_ID 77
#define MADE_TP_TYPE                                                                               \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)
/* All of them; WEIGHT_STRUCT excludes WEIGHT. */
#define MADE_ALL_TYPE (((1ULL << 25) - 1) & ~(1ULL << 24))
#define MADE_READ_FORMAT 31 /* both times, ids, group, losses */
#define MADE_BRANCH_TYPE (1ULL << 17) /* HW_INDEX */
#define MADE_REGS 0x83
#define MADE_ID 1001 /* of the tracepoint; the other is one more */

struct made {
	uint8_t p[65536];
	size_t sz;
	bool swap;
};

MAKE_FN void made_bytes(struct made *m, const void *data, size_t sz)
{
	memcpy(m->p + m->sz, data, sz);
	m->sz += sz;
}

MAKE_FN void made_u64(struct made *m, uint64_t v)
{
	v = m->swap ? __builtin_bswap64(v) : v;
	made_bytes(m, &v, 8);
}

MAKE_FN void made_u32(struct made *m, uint32_t v)
{
	v = m->swap ? __builtin_bswap32(v) : v;
	made_bytes(m, &v, 4);
}

MAKE_FN void made_u16(struct made *m, uint16_t v)
{
	v = m->swap ? __builtin_bswap16(v) : v;
	made_bytes(m, &v, 2);
}

/* Padded with NULs to a multiple of 8. */
MAKE_FN void made_text(struct made *m, const char *text)
{
	made_bytes(m, text, strlen(text) + 1);
	while (m->sz & 7)
		m->p[m->sz++] = 0;
}

/* Begins a record; its size is set by made_end(). */
MAKE_FN size_t made_begin(struct made *m, uint32_t type, uint16_t misc)
{
	size_t at = m->sz;

	made_u32(m, type);
	made_u16(m, misc);
	made_u16(m, 0);
	return at;
}

MAKE_FN void made_end(struct made *m, size_t at)
{
	size_t end = m->sz;

	m->sz = at + 6;
	made_u16(m, (uint16_t)(end - at));
	m->sz = end;
}

/* Adds the trailer of sample_id_all for the tracepoint's event. */
MAKE_FN void made_trailer_of(struct made *m, uint64_t time_ns, uint32_t tid)
{
	made_u32(m, 4243);
	made_u32(m, tid);
	made_u64(m, time_ns);
	made_u32(m, 3);
	made_u32(m, 0);
	made_u64(m, MADE_ID);
}

MAKE_FN void made_trailer(struct made *m, uint64_t time_ns)
{
	made_trailer_of(m, time_ns, 4245);
}

MAKE_FN void made_comm(struct made *m, uint64_t time_ns)
{
	size_t at = made_begin(m, PERF_RECORD_COMM, 0);

	made_u32(m, 4243);
	made_u32(m, 4245);
	made_text(m, "worker");
	made_trailer(m, time_ns);
	made_end(m, at);
}

MAKE_FN void made_mmap2(struct made *m, uint64_t time_ns)
{
	size_t at = made_begin(m, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);

	made_u32(m, 4243);
	made_u32(m, 4243);
	made_u64(m, 0x400000);
	made_u64(m, 0x3000);
	made_u64(m, 0x1000);
	made_u32(m, 8);
	made_u32(m, 1);
	made_u64(m, 771);
	made_u64(m, 0);
	made_u32(m, 5);
	made_u32(m, 2);
	made_text(m, "/usr/bin/worker");
	made_trailer(m, time_ns);
	made_end(m, at);
}

MAKE_FN void made_tp_sample(struct made *m, uint64_t time_ns, uint64_t value)
{
	size_t at = made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);

	made_u64(m, MADE_ID);
	made_u64(m, 0xffffffff81234567);
	made_u32(m, 4243);
	made_u32(m, 4245);
	made_u64(m, time_ns);
	made_u32(m, 3);
	made_u32(m, 0);
	made_u64(m, 1);
	made_u32(m, 36);
	made_u16(m, MADE_TP_ID);
	made_u16(m, 0);
	made_u32(m, 4245);
	made_u64(m, value);
	made_u32(m, 28 | 5 << 16);
	made_u32(m, 11);
	made_u32(m, 22);
	made_bytes(m, "four\0\0\0\0", 8);
	made_end(m, at);
}

/*
 * Each field is a number of its own: 1000 and its bit's number. The first member of its group has
 * the count and the id of `member`; the callchain is of cnt words.
 */
MAKE_FN void made_chain_sample(struct made *m, uint64_t time_ns, uint32_t tid,
			       const uint64_t *member, const uint64_t *chain, size_t cnt)
{
	size_t at = made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	size_t i;

	made_u64(m, MADE_ID + 1);
	made_u64(m, 1000);
	made_u32(m, 4243);
	made_u32(m, tid);
	made_u64(m, time_ns);
	made_u64(m, 1003);
	made_u64(m, MADE_ID + 1);
	made_u64(m, 1009);
	made_u32(m, 3);
	made_u32(m, 0);
	made_u64(m, 1008);
	made_u64(m, 2); /* a group of two: value, id, lost of each */
	for (i = 0; i < 8; i++)
		made_u64(m, i == 2 || i == 3 ? member[i - 2] : 2000 + i);
	made_u64(m, cnt);
	for (i = 0; i < cnt; i++)
		made_u64(m, chain[i]);
	made_u32(m, 4); /* raw */
	made_bytes(m, "rawd", 4);
	made_u64(m, 1); /* one branch, behind the hardware's index */
	made_u64(m, 3000);
	for (i = 0; i < 3; i++)
		made_u64(m, 3001 + i);
	made_u64(m, PERF_SAMPLE_REGS_ABI_64);
	for (i = 0; i < 3; i++)
		made_u64(m, 4000 + i);
	made_u64(m, 16); /* of the stack, 8 bytes were there */
	made_bytes(m, "stackbytes......", 16);
	made_u64(m, 8);
	made_u64(m, 1014);
	made_u64(m, 1015);
	made_u64(m, 1017);
	made_u64(m, PERF_SAMPLE_REGS_ABI_64);
	for (i = 0; i < 3; i++)
		made_u64(m, 5000 + i);
	made_u64(m, 1019);
	made_u64(m, 1021);
	made_u64(m, 1022);
	made_u64(m, 1023);
	made_u64(m, 8);
	made_bytes(m, "auxbytes", 8);
	made_end(m, at);
}

MAKE_FN void made_full_sample(struct made *m, uint64_t time_ns)
{
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x400123, 0x400456 },
			      member[] = { 2002, 2003 };

	made_chain_sample(m, time_ns, 4245, member, chain, 3);
}

/* Two rounds of two rings: times 100 to 107, each ring in order, the file not. */
MAKE_FN void made_records(struct made *m)
{
	size_t at;

	made_comm(m, 100);
	made_tp_sample(m, 102, 12345678901ull);
	made_tp_sample(m, 105, 7);
	made_mmap2(m, 101);
	made_full_sample(m, 103);
	at = made_begin(m, 68, 0);
	made_end(m, at);
	made_tp_sample(m, 106, 8);
	made_full_sample(m, 104);
	made_tp_sample(m, 107, 9);
	at = made_begin(m, 68, 0);
	made_end(m, at);
}

/* The records of `from` in two packages, cut inside a record; rounds are not packed. */
MAKE_FN void made_packed(struct made *m, const struct made *from)
{
	ZSTD_CStream *z = ZSTD_createCStream();
	size_t cut = from->sz / 2 - 3, at, i;
	uint8_t out[4096];

	for (i = 0; i < 2; i++) {
		ZSTD_inBuffer in = { from->p, i ? from->sz : cut, i ? cut : 0 };
		ZSTD_outBuffer o = { out, sizeof(out), 0 };

		ZSTD_compressStream(z, &o, &in);
		ZSTD_flushStream(z, &o);
		at = made_begin(m, 81, 0);
		made_bytes(m, out, o.pos);
		made_end(m, at);
	}
	ZSTD_freeCStream(z);
}

MAKE_FN uint64_t made_reversed(uint64_t v)
{
	uint64_t r = 0;
	int i;

	for (i = 0; i < 64; i++)
		r |= (v >> i & 1) << (63 - i);
	return r;
}

/* perf_event_attr in its 128 bytes. */
MAKE_FN void made_attr(struct made *m, bool is_full)
{
	uint64_t flags = 1ULL << 18; /* sample_id_all */
	size_t end = m->sz + 128;

	made_u32(m, is_full ? PERF_TYPE_SOFTWARE : PERF_TYPE_TRACEPOINT);
	made_u32(m, 128);
	made_u64(m, is_full ? PERF_COUNT_SW_CPU_CLOCK : MADE_TP_ID);
	made_u64(m, 1);
	made_u64(m, is_full ? MADE_ALL_TYPE : MADE_TP_TYPE);
	made_u64(m, is_full ? MADE_READ_FORMAT : 0);
	made_u64(m, m->swap ? made_reversed(flags) : flags);
	made_u64(m, 0);
	made_u64(m, 0);
	made_u64(m, 0);
	made_u64(m, is_full ? MADE_BRANCH_TYPE : 0);
	made_u64(m, is_full ? MADE_REGS : 0);
	made_u32(m, is_full ? 16 : 0);
	made_u32(m, 0);
	made_u64(m, is_full ? MADE_REGS : 0);
	while (m->sz < end)
		m->p[m->sz++] = 0;
}

MAKE_FN void made_tracing_data(struct made *m)
{
	static const char format[] =
		"name: demo\nID: 77\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:u64 value;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:__data_loc char[] name;\toffset:16;\tsize:4;\tsigned:0;\n"
		"\tfield:u32 words[2];\toffset:20;\tsize:8;\tsigned:0;\n\n"
		"print fmt: \"value=%llu name=%s\", REC->value, __get_str(name)\n";
	uint16_t one = 1;
	bool is_big = !*(uint8_t *)&one != m->swap;

	made_bytes(m, "\x17\x08\x44tracing0.6", 14);
	made_bytes(m, is_big ? "\1\10" : "\0\10", 2);
	made_u32(m, 4096);
	made_bytes(m, "header_page", 12);
	made_u64(m, 0);
	made_bytes(m, "header_event", 13);
	made_u64(m, 0);
	made_u32(m, 0);
	made_u32(m, 1);
	made_bytes(m, "demo", 5);
	made_u32(m, 1);
	made_u64(m, sizeof(format) - 1);
	made_bytes(m, format, sizeof(format) - 1);
	made_u32(m, 0);
	made_u32(m, 0);
	made_u64(m, 0);
}

MAKE_FN void made_section(struct made *m, uint64_t off, uint64_t sz)
{
	made_u64(m, off);
	made_u64(m, sz);
}

/* The place of a file's two events: each an attr and the section of its ids. */
#define MADE_ATTRS_OFF 104
#define MADE_ATTR_SZ (128 + 16)

/*
 * The file form: header, attrs, ids, data, and the features tracing data, build-ids and host name.
 */
MAKE_FN void made_file(struct made *m, const struct made *data)
{
	const size_t ids = MADE_ATTRS_OFF + 2 * MADE_ATTR_SZ, at = ids + 16;
	struct made td = { .swap = m->swap }, host = { .swap = m->swap }, id = { .swap = m->swap };
	size_t feat = at + data->sz + 3 * 16, rec;

	made_tracing_data(&td);
	made_u32(&host, 16);
	made_bytes(&host, "box\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
	rec = made_begin(&id, 0, PERF_RECORD_MISC_USER);
	made_u32(&id, UINT32_MAX);
	made_bytes(&id, "0123456789abcdefghij\0\0\0\0", 24);
	made_text(&id, "/usr/bin/worker");
	made_end(&id, rec);

	made_u64(m, 0x32454c4946524550ULL);
	made_u64(m, 104);
	made_u64(m, MADE_ATTR_SZ);
	made_section(m, MADE_ATTRS_OFF, 2 * MADE_ATTR_SZ);
	made_section(m, at, data->sz);
	made_section(m, 0, 0);
	made_u64(m, 1 << 1 | 1 << 2 | 1 << 3);
	made_u64(m, 0);
	made_u64(m, 0);
	made_u64(m, 0);
	made_attr(m, false);
	made_section(m, ids, 8);
	made_attr(m, true);
	made_section(m, ids + 8, 8);
	made_u64(m, MADE_ID);
	made_u64(m, MADE_ID + 1);
	made_bytes(m, data->p, data->sz);
	made_section(m, feat, td.sz);
	made_section(m, feat + td.sz, id.sz);
	made_section(m, feat + td.sz + id.sz, host.sz);
	made_bytes(m, td.p, td.sz);
	made_bytes(m, id.p, id.sz);
	made_bytes(m, host.p, host.sz);
}

/* The pipe form. */
MAKE_FN void made_pipe(struct made *m, const struct made *data)
{
	struct made td = { .swap = m->swap };
	size_t at, i;

	made_u64(m, 0x32454c4946524550ULL);
	made_u64(m, 16);
	for (i = 0; i < 2; i++) {
		at = made_begin(m, 64, 0);
		made_attr(m, i);
		made_u64(m, MADE_ID + i);
		made_end(m, at);
	}
	made_tracing_data(&td);
	at = made_begin(m, 66, 0);
	made_u32(m, (uint32_t)td.sz);
	made_end(m, at);
	made_bytes(m, td.p, td.sz);
	while ((m->sz - at - 12) & 7)
		m->p[m->sz++] = 0;
	made_bytes(m, data->p, data->sz);
}

/* All of its kinds, by number: bit 0 the other byte order, bit 1 a pipe, bit 2 packed. */
MAKE_FN void made_kind(struct made *m, unsigned int kind)
{
	static struct made plain, packed;

	plain.sz = packed.sz = m->sz = 0;
	plain.swap = packed.swap = m->swap = kind & 1;
	made_records(&plain);
	if (kind & 4) {
		/* The last is a round's end, and is not packed. */
		plain.sz = 0;
		made_comm(&plain, 100);
		made_mmap2(&plain, 101);
		made_tp_sample(&plain, 102, 12345678901ull);
		made_full_sample(&plain, 103);
		made_full_sample(&plain, 104);
		made_tp_sample(&plain, 105, 7);
		made_tp_sample(&plain, 106, 8);
		made_tp_sample(&plain, 107, 9);
		made_packed(&packed, &plain);
	}
	if (kind & 2)
		made_pipe(m, kind & 4 ? &packed : &plain);
	else
		made_file(m, kind & 4 ? &packed : &plain);
}

#endif
