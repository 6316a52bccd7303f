// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Recordings are read back byte for byte: file and pipe, packed or not, killed. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "data_writing.h"
#include "tap.h"

#define RECORDS 20011

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

/*
 * How many records whoever kills the writer now leaves, all of them whole; UINT32_MAX: it is no
 * such file.
 */
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

/*
 * Rounds that follow the beginning at once, and then nothing: they are part of the file soon all
 * the same.
 */
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
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	if (system(cmd))
		diag("%s is left", dir);
	return done_testing();
}
