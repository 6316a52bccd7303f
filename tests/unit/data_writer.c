// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* What is written is read back byte for byte: file and pipe, packed or not, killed, on a full disk. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "data/perf_file.h"
#include "data/recording.h"
#include "data/writer.h"
#include "event/tracefs.h"
#include "tap.h"
#include "util/strbuf.h"

#define RECORDS 20011
#define MANY 1500007 /* more than may wait to be written */
#define ROUND_OF 307 /* records */
#define AUX_SZ 4099 /* of one piece of AUX data */

static char dir[] = "/tmp/bpfperf-writer.XXXXXX";
static char path[sizeof(dir) + 64];

static struct perf_event_attr clock_attr(void)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
	};
}

/* The i-th record: a sample of any size up to the largest there is, that repeats itself a little. */
static size_t make_record(uint64_t *rec, uint32_t i)
{
	struct perf_event_header hdr = { .type = PERF_RECORD_SAMPLE };
	uint64_t x = i * 0x9e3779b97f4a7c15ull;
	size_t words = i % 1009 == 0 ? 65528 / 8 : 4 + i % 31, at;

	hdr.size = (uint16_t)(words * 8);
	memcpy(rec, &hdr, sizeof(hdr));
	rec[1] = 1001;
	rec[2] = 5000 + i;
	for (at = 3; at < words; at++) {
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		rec[at] = at % 3 ? x : 7;
	}
	return words * 8;
}

static struct data_writer *open_writer(const char *to, bool zstd)
{
	const struct data_writer_opts opts = { .zstd = zstd,
					       .use_clockid = true,
					       .clockid = CLOCK_MONOTONIC };
	const uint64_t ids[] = { 1001, 1003, 1007 };
	struct perf_event_attr attr = clock_attr();
	struct data_writer *w;

	if (data_writer__open(&w, to, &opts) || data_writer__add_attr(w, &attr, ids, 3, "my clock"))
		return NULL;
	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = 77;
	if (data_writer__add_attr(w, &attr, ids, 0, "demo:demo") || data_writer__begin(w))
		return NULL;
	return w;
}

static int write_records(struct data_writer *w, uint32_t cnt, bool aux)
{
	static uint64_t rec[65536 / 8];
	static uint8_t data[AUX_SZ];
	struct {
		struct perf_event_header hdr;
		uint64_t sz, off, reference;
		uint32_t idx, tid, cpu, zero;
	} auxtrace = { .hdr = { PERF_USER_AUXTRACE, 0, sizeof(auxtrace) },
		       .sz = (AUX_SZ + 7) & ~7u };
	uint32_t i;
	int err = 0;

	memset(data, 0xa5, sizeof(data));
	for (i = 0; i < cnt && !err; i++) {
		err = data_writer__write(w, rec, make_record(rec, i));
		if (!err && i % ROUND_OF == ROUND_OF - 1)
			err = data_writer__round(w);
		if (!err && aux && i % 5003 == 5002)
			err = data_writer__write_aux(w, &auxtrace.hdr, data, 4000, data + 4000,
						     AUX_SZ - 4000);
	}
	return err;
}

/* Reads all there is: how many samples, whether each is as it was made. */
static uint32_t read_back(const char *from, bool *is_same, struct recording **rec_p,
			  unsigned int *aux_cnt)
{
	static uint64_t want[65536 / 8];
	struct recording *rec = recording__open(from);
	struct raw_record raw;
	uint32_t cnt = 0;
	int got = 0;

	*is_same = false;
	*rec_p = rec;
	*aux_cnt = 0;
	if (!rec)
		return 0;
	*is_same = true;
	while ((got = recording__next(rec, &raw)) > 0) {
		*aux_cnt += raw.hdr->type == PERF_USER_AUXTRACE;
		if (raw.hdr->type != PERF_RECORD_SAMPLE)
			continue;
		if (make_record(want, cnt) != raw.hdr->size ||
		    memcmp(want, raw.hdr, raw.hdr->size) != 0)
			*is_same = false;
		cnt++;
	}
	if (got < 0)
		*is_same = false;
	return cnt;
}

static void check_head(const struct recording *rec, const char *kind)
{
	char host[256];

	gethostname(host, sizeof(host));
	is_u64(rec->attrs.cnt, 2, "%s: events", kind);
	is_str(rec->attrs.events[0].name, "my clock", "%s: the name of one", kind);
	ok(attrs__find(&rec->attrs, 1007) == &rec->attrs.events[0], "%s: its last id", kind);
	is_str(rec->hostname, host, "%s: host name", kind);
	is_str(rec->version, BPFPERF_VERSION, "%s: version", kind);
	ok(rec->attrs.events[1].fmt != NULL, "%s: the tracepoint's format", kind);
	is_str(rec->tracing.printk_formats, "0xffffffff81000000 : \"seven\"\n",
	       "%s: printk's texts", kind);
	is_u64(rec->dso_cnt, 1, "%s: build-ids", kind);
	if (rec->dso_cnt == 1) {
		is_str(rec->dsos[0].path, "/usr/bin/demo", "%s: of which file", kind);
		is_u64(rec->dsos[0].id.sz, 8, "%s: how long it is", kind);
		is_mem(rec->dsos[0].id.bytes, "12345678", 8, "%s: the id", kind);
	}
}

static void check_kind(bool pipe, bool zstd)
{
	char kind[32];
	struct recording *rec;
	struct data_writer *w;
	unsigned int aux;
	struct stat st;
	bool is_same;
	int fd = -1, saved = -1, err;

	snprintf(kind, sizeof(kind), "%s%s", pipe ? "pipe" : "file", zstd ? ", packed" : "");
	snprintf(path, sizeof(path), "%s/%s", dir, kind);
	if (pipe) {
		fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
		fflush(stdout);
		saved = dup(1);
		dup2(fd, 1);
		close(fd);
	}
	w = open_writer(pipe ? "-" : path, zstd);
	err = w ? write_records(w, RECORDS, true) : -1;
	if (w && !err) {
		data_writer__set_sample_time(w, 5000, 5000 + RECORDS - 1);
		data_writer__add_build_id(w, "/usr/bin/demo", false, "12345678", 8);
		err = data_writer__finish(w);
	}
	if (pipe) {
		dup2(saved, 1);
		close(saved);
	}
	ok(!err, "%s: written", kind);
	stat(path, &st);
	is_u64(w ? data_writer__written(w) : 0, (uint64_t)st.st_size,
	       "%s: as many bytes as are told", kind);
	data_writer__free(w);
	is_u64(read_back(path, &is_same, &rec, &aux), RECORDS, "%s: records read back", kind);
	ok(is_same, "%s: byte for byte", kind);
	is_u64(aux, RECORDS / 5003, "%s: AUX data", kind);
	if (rec) {
		ok(!rec->is_cut && !rec->lacks_features, "%s: it is complete", kind);
		check_head(rec, kind);
	}
	recording__close(rec);
}

/* Until the header tells of more than the first record. */
static void await_records(void)
{
	const struct timespec pause = { 0, 1000000 };
	struct perf_file_header h = { 0 };
	int fd;

	while (h.data.sz <= 8) {
		nanosleep(&pause, NULL);
		fd = open(path, O_RDONLY);
		if (fd >= 0 && pread(fd, &h, sizeof(h), 0) != sizeof(h))
			h.data.sz = 0;
		close(fd);
	}
}

/* Killed while it writes, at any moment: what is there is whole rounds from the first record on. */
static void check_killed(bool zstd)
{
	unsigned int turn, bad = 0, empty = 0, aux;
	struct recording *rec;
	bool is_same;
	uint32_t cnt;

	snprintf(path, sizeof(path), "%s/killed", dir);
	for (turn = 0; turn < 7; turn++) {
		struct timespec pause = { 0, 100000000 + turn * 13000000 };
		pid_t pid;

		unlink(path);
		pid = fork();

		if (!pid) {
			struct data_writer *w = open_writer(path, zstd);

			if (w)
				write_records(w, UINT32_MAX, false);
			_exit(1);
		}
		await_records();
		/* From here on any moment is as good as another. */
		nanosleep(&pause, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		cnt = read_back(path, &is_same, &rec, &aux);
		if (!rec || !is_same || cnt % ROUND_OF || !rec->is_cut || rec->lacks_features ||
		    !rec->hostname || !rec->attrs.events[1].fmt)
			bad++;
		empty += !cnt;
		recording__close(rec);
	}
	is_u64(bad, 0, "killed%s: whole rounds, with all features, each time",
	       zstd ? ", packed" : "");
	is_u64(empty, 0, "killed%s: and records are there", zstd ? ", packed" : "");
}

/* How many records whoever kills the writer now leaves, all of them whole; UINT32_MAX: it is no such file. */
static uint32_t left_now(void)
{
	struct recording *rec;
	unsigned int aux;
	bool is_same;
	uint32_t cnt = read_back(path, &is_same, &rec, &aux);

	if (!rec || !is_same || !rec->is_cut || rec->lacks_features)
		cnt = UINT32_MAX;
	recording__close(rec);
	return cnt;
}

/* Rounds that follow the beginning at once, and then nothing: they are part of the file soon all the same. */
static void check_quiet(bool zstd)
{
	const struct timespec pause = { 0, 1000000 };
	const char *kind = zstd ? ", packed" : "";
	unsigned int turns = 0, aux;
	struct recording *rec;
	struct data_writer *w;
	bool is_same;
	int err;

	snprintf(path, sizeof(path), "%s/quiet", dir);
	w = open_writer(path, zstd);
	err = w ? write_records(w, 3 * ROUND_OF, false) : -1;
	while (!err && left_now() != 3 * ROUND_OF && turns++ < 20000)
		nanosleep(&pause, NULL);
	is_u64(left_now(), 3 * ROUND_OF, "quiet%s: all rounds, while it still writes", kind);
	ok(w && !err && !data_writer__finish(w), "quiet%s: its end", kind);
	data_writer__free(w);
	is_u64(read_back(path, &is_same, &rec, &aux), 3 * ROUND_OF, "quiet%s: as many", kind);
	ok(rec && is_same && !rec->is_cut, "quiet%s: complete", kind);
	recording__close(rec);
	unlink(path);
}

/* No room left, as a limit of the file's size has it: -EFBIG. */
static void check_full(void)
{
	struct rlimit limit = { 3000017, RLIM_INFINITY }, before;
	struct recording *rec;
	struct data_writer *w;
	unsigned int aux;
	bool is_same;
	uint32_t cnt;
	int err;

	snprintf(path, sizeof(path), "%s/full", dir);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
	w = open_writer(path, false);
	err = w ? write_records(w, RECORDS, false) : -1;
	if (w && !err)
		err = data_writer__finish(w);
	is_s64(err, -EFBIG, "full: told");
	data_writer__free(w);
	setrlimit(RLIMIT_FSIZE, &before);
	cnt = read_back(path, &is_same, &rec, &aux);
	ok(rec && is_same && cnt % ROUND_OF == 0, "full: whole rounds can be read: %u records",
	   cnt);
	ok(rec && rec->is_cut && !rec->lacks_features, "full: with all features");
	recording__close(rec);
}

static bool is_pending(void)
{
	sigset_t set;

	sigpending(&set);
	return sigismember(&set, SIGINT);
}

struct late_reader {
	char from[32];
	bool is_over; /* nothing more is written */
	uint32_t cnt;
	bool is_same;
};

/* Reads only once the writer that waits for it has taken notice of the signal. */
static void *read_late(void *arg)
{
	const struct timespec pause = { 0, 1000000 };
	struct late_reader *r = arg;
	struct recording *rec;
	unsigned int aux;

	while (is_pending() && !__atomic_load_n(&r->is_over, __ATOMIC_ACQUIRE))
		nanosleep(&pause, NULL);
	r->cnt = read_back(r->from, &r->is_same, &rec, &aux);
	recording__close(rec);
	return NULL;
}

/* stdout becomes a pipe, of which *fd is the end to read from. What it was. */
static int pipe_stdout(int *fd)
{
	int fds[2], saved = dup(1);

	fflush(stdout);
	if (pipe(fds))
		exit(1);
	/* Also what stands before the records. */
	fcntl(fds[1], F_SETPIPE_SZ, 1 << 20);
	dup2(fds[1], 1);
	close(fds[1]);
	*fd = fds[0];
	return saved;
}

/* Ctrl-C while 256 MiB wait for who reads: nothing is lost, and it is still there for who waits for signals. */
static void check_asked(const sigset_t *set)
{
	struct late_reader reader = { .cnt = 0 };
	struct data_writer *w;
	int fd, saved = pipe_stdout(&fd), err, sig;
	bool is_left;
	pthread_t thread;

	snprintf(reader.from, sizeof(reader.from), "/proc/self/fd/%d", fd);
	kill(getpid(), SIGINT);
	pthread_create(&thread, NULL, read_late, &reader);
	w = open_writer("-", false);
	err = w ? write_records(w, MANY, false) : -1;
	is_left = is_pending();
	__atomic_store_n(&reader.is_over, true, __ATOMIC_RELEASE);
	if (!err)
		err = data_writer__finish(w);
	data_writer__free(w);
	dup2(saved, 1);
	close(saved);
	pthread_join(thread, NULL);
	close(fd);
	is_s64(err, 0, "asked to end: what waits is written");
	is_u64(reader.cnt, MANY, "asked to end: all records came");
	ok(reader.is_same, "asked to end: byte for byte");
	ok(is_left, "asked to end: whoever waits for the signal finds it");
	if (is_left)
		sigwait(set, &sig);
}

/* Ctrl-C again, while nobody reads. */
static void check_asked_twice(void)
{
	const struct timespec pause = { 0, 1000000 };
	int fd, saved, status;
	struct data_writer *w;
	pid_t pid = fork();

	if (!pid) {
		saved = pipe_stdout(&fd);
		w = open_writer("-", false);
		if (w)
			write_records(w, MANY, false);
		dup2(saved, 1);
		_exit(1);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		kill(pid, SIGINT);
		nanosleep(&pause, NULL);
	}
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT,
	   "asked to end: the second signal ends it at once");
}

static void check_signals(void)
{
	sigset_t set, before;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	/* As a shell starts what is in the background. */
	signal(SIGINT, SIG_DFL);
	check_asked(&set);
	check_asked_twice();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void put_file(const char *name, const char *text)
{
	char at[256];
	FILE *f;

	snprintf(at, sizeof(at), "%s/%s", dir, name);
	f = fopen(at, "w");
	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

/* A tracefs with one event. */
static void make_tracefs(void)
{
	char at[256];

	snprintf(at, sizeof(at), "mkdir -p %s/events/demo/demo", dir);
	if (system(at))
		exit(1);
	put_file("events/header_page", "page");
	put_file("events/header_event", "event");
	put_file("printk_formats", "0xffffffff81000000 : \"seven\"\n");
	put_file("events/demo/demo/format",
		 "name: demo\nID: 77\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		 "\tfield:u64 value;\toffset:8;\tsize:8;\tsigned:0;\n\n"
		 "print fmt: \"value=%llu\", REC->value\n");
	tracefs__set_dir(dir);
}

int main(void)
{
	char cmd[64];
	int kind;

	if (!mkdtemp(dir))
		return 1;
	make_tracefs();
	for (kind = 0; kind < 4; kind++)
		check_kind(kind & 1, kind & 2);
	check_killed(false);
	check_killed(true);
	check_quiet(false);
	check_quiet(true);
	check_full();
	check_signals();
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	if (system(cmd))
		diag("%s is left", dir);
	return done_testing();
}
