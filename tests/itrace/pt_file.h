/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The file that pt_make writes: a part of pt_make.c. */
/* The first PSB in the second half of an area; sz: there is none. */
static uint64_t psb_after(const struct area *a, uint64_t sz)
{
	static const uint8_t psb[16] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
					 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 };
	const uint8_t *p = memmem(a->buf + sz / 2, sz - sz / 2, psb, sizeof(psb));

	return p ? (uint64_t)(p - a->buf) : 0;
}

/*
 * Writes a record with the bytes of an area from `from` to `to`, padded as perf does. lost: bytes
 * by which its position is higher.
 */
static void write_aux(FILE *f, const struct area *a, uint32_t idx, uint64_t from, uint64_t to,
		      uint64_t lost)
{
	const uint64_t sz = to - from, zero = 0;
	struct {
		struct perf_event_header h;
		uint64_t sz, off, reference;
		uint32_t idx, tid, cpu, unused;
	} aux = {
		.h = { 71, 0, sizeof(aux) },
		.sz = (sz + 7) & ~7ull,
		.off = from + lost,
		.reference = idx + 1 + from,
		.idx = idx,
		.tid = a->tid,
		.cpu = a->cpu,
	};

	fwrite(&aux, 1, sizeof(aux), f);
	fwrite(a->buf + from, 1, sz, f);
	fwrite(&zero, 1, aux.sz - sz, f);
}

/* Writes the recording: tools/perf/Documentation/perf.data-file-format.txt. */
static void write_file(const char *path)
{
	struct perf_event_attr attrs[2] = {
		{ .type = 8,
		  .size = 128,
		  .config = 0x2000 | 0x400 | 0x200 | 2 | 1 | MTC_FREQ << 14 },
		{ .type = 1, .size = 128, .config = 9 },
	};
	uint64_t priv[18] = { 8,
			      TIME_SHIFT,
			      TIME_MULT,
			      TIME_ZERO,
			      1,
			      0x400,
			      0x800,
			      per_cpu ? 3 : 0,
			      with_snapshots,
			      per_cpu,
			      0x200,
			      0x3c000,
			      CTC_N,
			      1,
			      2,
			      RATIO,
			      0,
			      0 };
	struct {
		struct perf_event_header h;
		uint32_t type, unused;
		uint64_t priv[18];
	} info = { { 70, 0, sizeof(info) }, 1, 0, { 0 } };
	uint64_t head[13] = { 0x32454c4946524550ull, 104, 144, 0, 288, 0, 0, 0, 0, 0, 0, 0, 0 };
	uint64_t ids[2] = { 1, 2 }, at, cut;
	struct perf_event_header round = { 68, 0, 8 };
	FILE *f = fopen(path, "w");
	size_t i;

	if (!f)
		die(path);
	for (i = 0; i < 2; i++) {
		attrs[i].sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
		attrs[i].sample_id_all = 1;
		attrs[i].exclude_kernel = attrs[i].exclude_hv = 1;
		attrs[i].read_format = PERF_FORMAT_ID;
		attrs[i].sample_period = 1;
	}
	attrs[1].mmap = attrs[1].mmap2 = attrs[1].comm = attrs[1].task = 1;
	attrs[1].context_switch = per_cpu;
	memcpy(info.priv, priv, sizeof(priv));
	head[3] = 104 + 16;
	head[5] = 104 + 16 + 288;
	fwrite(head, 1, 104, f);
	fwrite(ids, 1, 16, f);
	for (i = 0; i < 2; i++) {
		uint64_t section[2] = { 104 + 8 * i, 8 };

		fwrite(&attrs[i], 1, 128, f);
		fwrite(section, 1, 16, f);
	}
	fwrite(&info, 1, sizeof(info), f);
	fwrite(records, 1, records_sz, f);
	fwrite(&round, 1, 8, f);
	for (i = 0; i < area_cnt; i++) {
		flush_bits(&areas[i]);
		pt_enc_get_offset(areas[i].encoder, &at);
		/* In two pieces, which follow each other. */
		cut = with_splits && at ? at / 2 | 1
		      : with_snapshots  ? at / 4 * 3
					: psb_after(&areas[i], at);
		write_aux(f, &areas[i], (uint32_t)i, 0, cut, 0);
		write_aux(f, &areas[i], (uint32_t)i, with_snapshots ? at / 4 : cut, at,
			  with_losses && !i ? 4096 : 0);
	}
	at = (uint64_t)ftell(f);
	head[6] = at - head[5];
	rewind(f);
	fwrite(head, 1, 104, f);
	fclose(f);
}
