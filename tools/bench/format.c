// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * format [-r ROUNDS] [-F FORMAT] [-o FILE] PERF.DATA: replays the records of a `perf record` of
 * tracepoints through bpfperf's reader, from memory, and prints what each of its stages costs:
 *
 *     records=N ring=NS order=NS decode=NS format=NS write=NS all=NS bytes=N
 *
 * in nanoseconds of this thread's CPU time per record, each the least of ROUNDS (interleaved): a
 * stage is what a run with it costs more than one without. `write` goes to FILE (/dev/null).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <linux/types.h>

#include "bpf/wire.h"
#include "machine/machine.h"
#include "decode/presenter.h"
#include "decode/trace_record.h"
#include "event/event.h"
#include "sink/out.h"
#include "sink/sink.h"
#include "source/merge.h"
#include "source/queue.h"
#include "sym/sym.h"
#include "util/strbuf.h"

/* Records between two looks at the rings, as in source/live.c. */
#define BATCH 4096
#define CPUS 256

/* A record of the file, as it would lie in a ring of bpfperf's. */
struct replay_rec {
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t sz; /* bytes at `bytes` */
	bool is_task;
	const void *bytes;
};

struct replay {
	const char *file;
	size_t file_sz;
	struct replay_rec *recs; /* by time */
	size_t cnt, cap, sample_cnt;
	struct event_list events;
	struct queue queues[2 * CPUS];
	struct queue_pool pool;
	struct trace_decoder decoder;
	struct presenter presenter;
	struct machine *machine;
	struct sym *sym;
	const struct sink_ops *ops;
	uint64_t bytes; /* of output */
};

/* struct perf_file_header, its beginning. */
struct file_header {
	uint64_t magic, size, attr_size;
	uint64_t attrs_off, attrs_sz, data_off, data_sz;
};

static void *xalloc(void *p)
{
	if (!p) {
		fprintf(stderr, "format: out of memory\n");
		exit(1);
	}
	return p;
}

static struct replay_rec *add(struct replay *r, uint64_t time_ns, uint32_t cpu, bool is_task)
{
	if (r->cnt == r->cap) {
		r->cap = r->cap ? r->cap * 2 : 1 << 16;
		r->recs = xalloc(realloc(r->recs, r->cap * sizeof(*r->recs)));
	}
	r->recs[r->cnt] = (struct replay_rec){ time_ns, cpu, 0, is_task, NULL };
	return &r->recs[r->cnt++];
}

/*
 * PERF_SAMPLE_IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW, what perf record makes of tracepoints on CPUs.
 */
#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |                   \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)
struct file_sample {
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, res;
	uint64_t period;
	uint32_t raw_sz;
	char raw[];
};

static void add_sample(struct replay *r, const struct perf_event_header *hdr, bool has_id)
{
	const struct file_sample *s = (const void *)((const char *)(hdr + 1) + (has_id ? 8 : 0));
	struct replay_rec *rec = add(r, s->time_ns, s->cpu, false);
	size_t sz = offsetof(struct wire_tp, entry) + s->raw_sz;
	struct wire_tp *tp = xalloc(calloc(1, (sz + 7) & ~(size_t)7));

	tp->head.sz = (uint16_t)sz;
	tp->head.kind = WIRE_TP;
	tp->head.tgid = s->pid;
	tp->head.time_ns = s->time_ns;
	memcpy(&tp->entry, s->raw, s->raw_sz);
	rec->bytes = tp;
	rec->sz = (uint32_t)sz;
	r->sample_cnt++;
}

/*
 * FORK, COMM, EXIT with sample_id_all: pid/tid, time, cpu and, before the identifier, nothing else.
 */
static void add_task(struct replay *r, const struct perf_event_header *hdr, bool has_id)
{
	const char *end = (const char *)hdr + hdr->size - (has_id ? 8 : 0);
	struct replay_rec *rec;
	uint64_t time_ns;
	uint32_t cpu;

	memcpy(&cpu, end - 8, sizeof(cpu));
	memcpy(&time_ns, end - 16, sizeof(time_ns));
	rec = add(r, time_ns, cpu < CPUS ? cpu : 0, true);
	rec->bytes = hdr;
	rec->sz = hdr->size;
}

static int by_time(const void *a, const void *b)
{
	const struct replay_rec *l = a, *r = b;

	if (l->time_ns != r->time_ns)
		return l->time_ns < r->time_ns ? -1 : 1;
	return l->bytes < r->bytes ? -1 : l->bytes > r->bytes;
}

static int read_file(struct replay *r, const char *path)
{
	const struct file_header *fh;
	const struct perf_event_attr *attr;
	const char *p, *end;
	struct stat st;
	int fd = open(path, O_RDONLY);
	bool has_id;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	r->file_sz = (size_t)st.st_size;
	r->file = mmap(NULL, r->file_sz, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	close(fd);
	if (r->file == MAP_FAILED)
		return -errno;
	fh = (const void *)r->file;
	attr = (const void *)(r->file + fh->attrs_off);
	has_id = attr->sample_type & PERF_SAMPLE_IDENTIFIER;
	if (memcmp(&fh->magic, "PERFILE2", 8) || (attr->sample_type & SAMPLE_TYPE) != SAMPLE_TYPE ||
	    attr->sample_type & ~(uint64_t)(SAMPLE_TYPE | PERF_SAMPLE_IDENTIFIER))
		return -EINVAL;
	end = r->file + fh->data_off + fh->data_sz;
	for (p = r->file + fh->data_off; p + sizeof(struct perf_event_header) <= end;) {
		const struct perf_event_header *hdr = (const void *)p;

		if (hdr->type == PERF_RECORD_SAMPLE)
			add_sample(r, hdr, has_id);
		else if (hdr->type == PERF_RECORD_COMM || hdr->type == PERF_RECORD_FORK ||
			 hdr->type == PERF_RECORD_EXIT)
			add_task(r, hdr, has_id);
		if (hdr->size < sizeof(*hdr))
			break;
		p += hdr->size;
	}
	qsort(r->recs, r->cnt, sizeof(*r->recs), by_time);
	return 0;
}

/* The stages of one run; each contains those before. */
enum stage { RING, ORDER, DECODE, FORMAT, WRITE, STAGES };

struct run {
	struct replay *r;
	enum stage upto;
	struct sink *sink;
	struct out *out;
};

static int show(struct run *run, const struct queue *q, const void *bytes, uint64_t time_ns)
{
	struct replay *r = run->r;
	struct sample s;

	if (q >= r->queues + CPUS) {
		const struct record rec = {
			.time_ns = time_ns,
			.cpu = q->cpu,
			.kind = RECORD_PROC,
			.hdr = bytes,
		};

		return machine__process(r->machine, &rec);
	}
	if (run->upto < DECODE || !trace_decoder__sample(&r->decoder, bytes, q->cpu, &s) ||
	    run->upto < FORMAT)
		return 0;
	if (run->upto < WRITE && run->out->buf.len > 200000) {
		r->bytes += run->out->buf.len;
		strbuf__reset(&run->out->buf);
	}
	if (presenter__complete(&r->presenter, &s, sink__needs(run->sink, &s)))
		return -ENOMEM;
	return sink__sample(run->sink, &s);
}

/* Hands on what the queues hold, as source/live.c does. */
static int merge_all(struct run *run)
{
	struct replay *r = run->r;
	struct queue *heap[2 * CPUS];
	size_t cnt = 0, i;
	int err = 0;

	for (i = 0; i < 2 * CPUS; i++)
		if (!queue__is_empty(&r->queues[i]))
			heap[cnt++] = &r->queues[i];
	merge__heapify(heap, cnt);
	while (cnt && !err) {
		struct queue *q = heap[0];
		const struct queue_ref *ref = queue__peek(q);

		err = show(run, q, ref->rec, ref->time_ns);
		queue__pop(q);
		cnt = merge__advance(heap, cnt);
	}
	return err;
}

static void drop_all(struct replay *r)
{
	size_t i;

	for (i = 0; i < 2 * CPUS; i++)
		while (!queue__is_empty(&r->queues[i]))
			queue__pop(&r->queues[i]);
}

static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

/* CPU time of one run over all records, or 0 after a failure. */
static uint64_t replay(struct replay *r, enum stage upto, const char *path)
{
	struct out out;
	struct sink_config cfg = { .sym = r->sym, .events = &r->events };
	struct run run = { r, upto, NULL, &out };
	uint64_t start;
	size_t i, k;
	int err;

	r->machine = xalloc(machine__new(NULL));
	r->decoder.tasks = r->machine->tasks;
	r->bytes = 0;
	if (out__open(&out, path))
		return 0;
	out__begin(&out);
	run.sink = xalloc(sink__new(r->ops, &out, &cfg));
	err = presenter__init(&r->presenter, r->sym);
	if (!err)
		err = sink__begin(run.sink);
	start = cpu_ns();
	for (i = 0; i < r->cnt && !err; i = k) {
		for (k = i; k < r->cnt && k < i + BATCH; k++) {
			const struct replay_rec *rec = &r->recs[k];

			queue__push(&r->queues[rec->cpu + (rec->is_task ? CPUS : 0)], rec->time_ns,
				    rec->bytes, rec->sz);
		}
		if (upto == RING)
			drop_all(r);
		else
			err = merge_all(&run);
	}
	start = cpu_ns() - start;
	if (!err && upto == WRITE)
		err = sink__end(run.sink);
	if (upto < WRITE)
		strbuf__reset(&out.buf);
	sink__free(run.sink);
	presenter__free(&r->presenter);
	err = out__close(&out) || err;
	machine__free(r->machine);
	return err ? 0 : start;
}

static int open_events(struct replay *r, const char *names)
{
	size_t i;
	int err = event_list__add(&r->events, names);

	if (err)
		return err;
	for (i = 0; i < 2 * CPUS; i++) {
		r->queues[i].cpu = (uint32_t)(i % CPUS);
		r->queues[i].pool = &r->pool;
	}
	r->sym = xalloc(sym__new());
	return trace_decoder__init(&r->decoder, &r->events, NULL);
}

static void measure(struct replay *r, unsigned int rounds, const char *out)
{
	static const char *const names[] = { "ring", "order", "decode", "format", "write" };
	uint64_t best[STAGES] = { 0 }, ns, before = 0;
	unsigned int round;
	int stage;

	for (round = 0; round < rounds; round++)
		for (stage = 0; stage < STAGES; stage++) {
			ns = replay(r, (enum stage)stage, stage == WRITE ? out : "/dev/null");
			if (!ns)
				exit(1);
			if (!best[stage] || ns < best[stage])
				best[stage] = ns;
			if (stage == FORMAT)
				before = r->bytes;
		}
	printf("records=%zu", r->sample_cnt);
	for (stage = 0; stage < STAGES; stage++)
		printf(" %s=%.1f", names[stage],
		       ((double)best[stage] - (stage ? (double)best[stage - 1] : 0)) /
			       (double)r->sample_cnt);
	printf(" all=%.1f bytes=%llu\n", (double)best[WRITE] / (double)r->sample_cnt,
	       (unsigned long long)before);
}

int main(int argc, char **argv)
{
	static struct replay r;
	const char *format = "text", *out = "/dev/null", *events = NULL;
	unsigned int rounds = 5;
	int opt, err;

	while ((opt = getopt(argc, argv, "r:F:o:e:")) != -1) {
		if (opt == 'r')
			rounds = (unsigned int)strtoul(optarg, NULL, 10);
		else if (opt == 'F')
			format = optarg;
		else if (opt == 'o')
			out = optarg;
		else if (opt == 'e')
			events = optarg;
		else
			optind = argc;
	}
	r.ops = sink__choose(trace_sinks, format, NULL, NULL);
	if (optind + 1 != argc || !rounds || !events || !r.ops) {
		fprintf(stderr,
			"usage: format -e EVENT,… [-r ROUNDS] [-F FORMAT] [-o FILE] PERF.DATA\n");
		return 2;
	}
	err = read_file(&r, argv[optind]);
	if (err) {
		fprintf(stderr, "format: %s: %s\n", argv[optind], strerror(-err));
		return 1;
	}
	if (open_events(&r, events))
		return 1;
	measure(&r, rounds, out);
	return 0;
}
