// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/recording_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/perf_file.h"
#include "data/perf_sample.h"
#include "data/record_layout.h"
#include "data/recording.h"
#include "sink/machine_text.h"
#include "sink/out.h"
#include "util/log.h"

#define SEC_NS UINT64_C(1000000000)

static void put_text(struct strbuf *sb, const char *key, const char *text)
{
	if (!text)
		return;
	strbuf__printf(sb, "# %s : ", key);
	strbuf__put_escaped(sb, text, strlen(text));
	strbuf__putc(sb, '\n');
}

static void put_capture_time(const struct recording *rec, struct strbuf *sb)
{
	time_t sec = (time_t)(rec->mtime_real_ns / (int64_t)SEC_NS);
	char text[64];
	struct tm tm;

	if (!rec->mtime_real_ns || !localtime_r(&sec, &tm) ||
	    !strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm))
		return;
	strbuf__printf(sb, "# captured on    : %s\n", text);
}

static void put_event(const struct recorded_event *ev, struct strbuf *sb)
{
	const struct perf_event_attr *a = &ev->attr;

	strbuf__puts(sb, "# event : name = ");
	strbuf__put_escaped(sb, ev->name, strlen(ev->name));
	strbuf__printf(sb,
		       ", , type = %u, size = %u, config = %#" PRIx64
		       ", { sample_period, sample_freq } = %" PRIu64 ", sample_type = %#" PRIx64
		       ", read_format = %#" PRIx64 ", flags = %#" PRIx64 "\n",
		       a->type, a->size, (uint64_t)a->config, (uint64_t)a->sample_period,
		       (uint64_t)a->sample_type, (uint64_t)a->read_format, ev->flags);
}

static void put_time(struct strbuf *sb, const char *key, uint64_t ns)
{
	strbuf__printf(sb, "# time of %s sample : %" PRIu64 ".%06" PRIu64 "\n", key, ns / SEC_NS,
		       ns % SEC_NS / 1000);
}

static void put_part(const struct recording *rec, enum recorded_part part,
		     enum recording_header header, struct strbuf *sb)
{
	if (header == RECORDING_FULL_HEADER)
		machine_text__put(rec, part, sb);
}

void recording_text__put_header(const struct recording *rec, enum recording_header header,
				struct strbuf *sb)
{
	size_t i;

	if (header == RECORDING_NO_HEADER)
		return;
	strbuf__puts(sb, "# ========\n");
	put_capture_time(rec, sb);
	put_text(sb, "hostname", rec->hostname);
	put_text(sb, "os release", rec->release);
	put_text(sb, "perf version", rec->version);
	put_text(sb, "arch", rec->arch);
	if (rec->cpu_cnt)
		strbuf__printf(sb, "# nrcpus online : %u\n# nrcpus avail : %u\n",
			       rec->online_cpu_cnt, rec->cpu_cnt);
	put_text(sb, "cpudesc", rec->cpudesc);
	put_text(sb, "cpuid", rec->cpuid);
	if (rec->total_mem_kib)
		strbuf__printf(sb, "# total memory : %" PRIu64 " kB\n", rec->total_mem_kib);
	put_text(sb, "cmdline", rec->cmdline);
	for (i = 0; i < rec->attrs.cnt; i++)
		put_event(&rec->attrs.events[i], sb);
	put_part(rec, PART_CPUS, header, sb);
	put_part(rec, PART_NUMA_NODES, header, sb);
	put_part(rec, PART_CACHES, header, sb);
	if (rec->last_ns) {
		put_time(sb, "first", rec->first_ns);
		put_time(sb, "last", rec->last_ns);
		strbuf__printf(sb, "# sample duration : %10.3f ms\n",
			       (double)(rec->last_ns - rec->first_ns) / 1e6);
	}
	put_part(rec, PART_MEMORY, header, sb);
	if (rec->zstd_level)
		strbuf__printf(sb, "# compressed : Zstd, level = %u, ratio = %u\n", rec->zstd_level,
			       rec->zstd_ratio);
	put_part(rec, PART_HYBRID, header, sb);
	strbuf__puts(sb, "# ========\n#\n");
}

int recording_text__put_header_alone(struct recording *rec, enum recording_header header,
				     struct strbuf *sb)
{
	if (recording__complete_events(rec)) {
		log_error("no memory to read a recording");
		return -ENOMEM;
	}
	recording_text__put_header(rec, header, sb);
	return 0;
}

/* Numbers of records, by type and by event. */
struct record_counts {
	uint64_t types[PERF_USER_COMPRESSED2 + 1], others;
	uint64_t *samples; /* by index of the event */
	size_t sample_cap;
};

static int count_sample(struct record_counts *c, struct recording *rec,
			const struct perf_event_header *hdr)
{
	size_t cnt = rec->attrs.cnt;
	struct perf_sample s;
	uint64_t *moved;

	if (cnt > c->sample_cap) {
		moved = reallocarray(c->samples, cnt, sizeof(*moved));
		if (!moved)
			return -ENOMEM;
		memset(moved + c->sample_cap, 0, (cnt - c->sample_cap) * sizeof(*moved));
		c->samples = moved;
		c->sample_cap = cnt;
	}
	if (!perf_sample__parse(&s, &rec->attrs, rec->swap, hdr) && s.event)
		c->samples[s.event->idx]++;
	return 0;
}

static void put_type(struct strbuf *sb, uint32_t type, uint64_t cnt, uint64_t total)
{
	const char *name = record_layout__name(type) ?: "PERF_RECORD_UNKNOWN";

	if (cnt)
		strbuf__printf(sb, "%16s events: %10" PRIu64 "  (%4.1f%%)\n",
			       name + strlen("PERF_RECORD_"), cnt,
			       100.0 * (double)cnt / (double)total);
}

static void put_counts(const struct record_counts *c, const struct recording *rec,
		       struct strbuf *sb)
{
	uint64_t total = c->others;
	size_t i, cnt = sizeof(c->types) / sizeof(*c->types);

	for (i = 0; i < cnt; i++)
		total += c->types[i];
	strbuf__printf(sb, "\nAggregated stats:\n%16s events: %10" PRIu64 "\n", "TOTAL", total);
	for (i = 0; i < cnt; i++)
		put_type(sb, (uint32_t)i, c->types[i], total);
	put_type(sb, UINT32_MAX, c->others, total);
	for (i = 0; i < c->sample_cap; i++) {
		const char *name = rec->attrs.events[i].name;

		if (!c->samples[i])
			continue;
		strbuf__put_escaped(sb, name, strlen(name));
		strbuf__printf(sb, " stats:\n%16s events: %10" PRIu64 "\n", "SAMPLE",
			       c->samples[i]);
	}
}

int recording_text__stats(struct recording *rec, enum recording_header header, struct out *out)
{
	struct record_counts c = { .others = 0 };
	struct record raw;
	int got, err = 0;

	while (!err && (got = recording__next(rec, &raw)) > 0) {
		if (raw.hdr->type < sizeof(c.types) / sizeof(*c.types))
			c.types[raw.hdr->type]++;
		else
			c.others++;
		if (raw.hdr->type == PERF_RECORD_SAMPLE)
			err = count_sample(&c, rec, raw.hdr);
	}
	if (!err)
		err = got;
	else
		log_error("--stats: out of memory");
	c.types[PERF_USER_COMPRESSED] = rec->package_cnt;
	c.types[PERF_USER_COMPRESSED2] = rec->package2_cnt;
	recording_text__put_header(rec, header, &out->buf);
	put_counts(&c, rec, &out->buf);
	free(c.samples);
	return err;
}
