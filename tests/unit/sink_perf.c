// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format perf: each field of a sample, of a loss and of a process record is read back from the
 * recording.
 */
#include <fcntl.h>
#include <unistd.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "event/event.h"
#include "machine/proc_event.h"
#include "sink/out.h"
#include "sink/profile_sink.h"
#include "sink/sink.h"
#include "tap.h"

extern const struct sink_ops perf_sink;

static char path[] = "/tmp/bpfperf-sink.XXXXXX";

static struct event cpu_clock = {
	.kind = EVENT_SOFTWARE, .name = (char *)"cpu-clock", .type = PERF_TYPE_SOFTWARE, .group = -1
};
static struct event asleep = {
	.kind = EVENT_TOOL, .name = (char *)"asleep", .type = EVENT_TYPE_TOOL, .group = -1
};
static struct event *events[] = { &cpu_clock };
static const struct event_list list = { .events = events, .cnt = 1 };
static struct profile_config profile = { .off_events = { &asleep }, .meta.freq_hz = 997 };

static const uint64_t kern[] = { 0xffffffff81000001, 0xffffffff81000002 };
static uint64_t user[200];

/* The kernel's record of a rename, with a trailer that is not ours. */
static struct {
	struct perf_event_header hdr;
	uint32_t pid, tid;
	char comm[8];
	uint64_t time_ns;
} comm = {
	{ PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, sizeof(comm) }, 4241, 4243, "worker", 1
};

static int write_all(struct sink *sink)
{
	struct sample s = {
		.time_ns = 1000003,
		.period = 1009,
		.cpu = 3,
		.pid = 4241,
		.tid = 4243,
		.comm = "worker",
		.event = &cpu_clock,
		.chain = { kern, user, 2, 3, false },
	};
	const struct record comm_record = {
		.time_ns = 1000001,
		.cpu = 5,
		.kind = RECORD_PROC,
		.hdr = &comm.hdr,
	};
	struct proc_event ev;
	const struct lost lost = {
		.time_ns = 1000007, .cnt = 77, .cpu = 3, .cause = LOST_RING_FULL
	};
	int err = sink__begin(sink);

	proc_event__parse(&comm.hdr, &ev);
	if (!err)
		err = sink__start(sink);
	if (!err)
		err = sink__task(sink, &ev, &comm_record);
	if (!err)
		err = sink__sample(sink, &s);
	s.event = &asleep;
	s.kind = SAMPLE_OFF_CPU;
	s.time_ns = 1000005;
	s.chain = (struct callchain){ NULL, user, 0, 200, false };
	if (!err)
		err = sink__sample(sink, &s);
	if (!err)
		err = sink__lost(sink, &lost);
	if (!err)
		err = sink__flush(sink);
	return err ? err : sink__end(sink);
}

static void check_head(const struct perf_sample *s, uint64_t time_ns)
{
	is_u64(s->time_ns, time_ns, "a sample: time");
	is_u64(s->cpu, 3, "a sample: cpu");
	is_u64(s->pid, 4241, "a sample: pid");
	is_u64(s->tid, 4243, "a sample: tid");
	is_u64(s->period, 1009, "the period is the weight");
}

static void check_on(const struct perf_sample *s)
{
	const uint64_t want[] = {
		PERF_CONTEXT_KERNEL, kern[0], kern[1], PERF_CONTEXT_USER, user[0], user[1], user[2]
	};
	uint64_t i, bad = 0;

	is_str(s->event->name, "cpu-clock", "a sample: the event's id");
	ok(s->event->attr.freq && s->event->attr.sample_freq == 997,
	   "a sample: the event's period");
	check_head(s, 1000003);
	is_u64(s->ip, kern[0], "a sample: ip");
	is_u64(s->callchain.cnt, 7, "a sample: both sides, and their marks");
	for (i = 0; i < s->callchain.cnt && i < 7; i++)
		bad += perf_words__get(&s->callchain, i) != want[i];
	is_u64(bad, 0, "a sample: each address");
}

/* At most the kernel's default limit for perf. */
static void check_off(const struct perf_sample *s, uint16_t misc)
{
	is_str(s->event->name, "asleep", "time off the CPU is an event of its own");
	check_head(s, 1000005);
	is_u64(s->ip, user[0], "off the CPU: ip in user code");
	is_u64(misc, PERF_RECORD_MISC_USER, "off the CPU: the header says user");
	ok(s->callchain.cnt >= 128 && s->callchain.cnt <= 201,
	   "off the CPU: so many functions and a mark");
	is_u64(perf_words__get(&s->callchain, 0), PERF_CONTEXT_USER,
	       "off the CPU: the mark of user code");
	is_u64(perf_words__get(&s->callchain, 127), user[126], "off the CPU: the last of 127");
}

static void check_comm(const struct recording *rec, const struct perf_event_header *hdr)
{
	struct perf_sample s;

	is_u64(hdr->misc, PERF_RECORD_MISC_COMM_EXEC, "a rename: its flags");
	is_mem(hdr + 1, &comm.pid, 16, "a rename: ids and name");
	is_s64(perf_sample__parse(&s, &rec->attrs, rec->swap, hdr), 0,
	       "a rename: there is a trailer");
	is_u64(s.time_ns, 1000001, "a rename: the trailer has the time");
	is_u64(s.tid, 4243, "a rename: the trailer has the thread");
	is_u64(s.cpu, 5, "a rename: the trailer has the CPU");
}

static void check_lost(const struct recording *rec, const struct perf_event_header *hdr)
{
	struct perf_sample s;
	uint64_t body[2];

	memcpy(body, hdr + 1, sizeof(body));
	is_u64(body[1], 77, "a loss: the number lost");
	is_s64(perf_sample__parse(&s, &rec->attrs, rec->swap, hdr), 0,
	       "a loss: there is a trailer");
	is_u64(s.time_ns, 1000007, "a loss: the trailer has the time");
	is_u64(s.cpu, 3, "a loss: the trailer has the CPU");
}

static void check_all(struct recording *rec)
{
	unsigned int cnt[PERF_RECORD_MAX + 1] = { 0 };
	struct perf_sample s;
	struct record raw;

	while (recording__next(rec, &raw) > 0) {
		if (raw.hdr->type > PERF_RECORD_MAX)
			continue;
		cnt[raw.hdr->type]++;
		if (raw.hdr->type == PERF_RECORD_COMM) {
			check_comm(rec, raw.hdr);
		} else if (raw.hdr->type == PERF_RECORD_LOST) {
			check_lost(rec, raw.hdr);
		} else if (raw.hdr->type == PERF_RECORD_SAMPLE) {
			is_s64(perf_sample__parse(&s, &rec->attrs, rec->swap, raw.hdr), 0,
			       "a sample of the recording is parsed");
			if (cnt[PERF_RECORD_SAMPLE] == 1)
				check_on(&s);
			else
				check_off(&s, raw.hdr->misc);
		}
	}
	is_u64(cnt[PERF_RECORD_SAMPLE], 2, "the recording: two samples");
	is_u64(cnt[PERF_RECORD_COMM], 1, "the recording: one rename");
	is_u64(cnt[PERF_RECORD_LOST], 1, "the recording: one loss");
	ok(!rec->is_cut && !rec->lacks_features, "the recording is complete");
}

int main(void)
{
	const struct sink_config cfg = { .events = &list, .profile = &profile };
	struct recording *rec;
	struct sink *sink;
	struct out out;
	size_t i;
	int fd = mkstemp(path);

	close(fd);
	for (i = 0; i < 200; i++)
		user[i] = 0x400000 + i;
	if (fd < 0 || out__open(&out, path))
		return 1;
	sink = sink__new(&perf_sink, &out, &cfg);
	is_s64(sink ? write_all(sink) : -1, 0, "the recording is written");
	sink__free(sink);
	out__close(&out);
	rec = recording__open(path);
	if (ok(rec != NULL, "the recording is read"))
		check_all(rec);
	recording__close(rec);
	unlink(path);
	return done_testing();
}
