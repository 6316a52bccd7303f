// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
// parallel: yes
/*
 * Recordings of `perf record`, cut off at each byte of their records (a disk that was full, a copy
 * that broke off), and then at some of what follows: what stood whole before the cut is read, no
 * more and no less, and whatever the cut, reading ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "source/file.h"
#include "tap.h"

#define SAMPLES_MAX 100000
/* Behind the records lie names, formats and kallsyms: megabytes. */
#define TAIL_STEP 7919
/*
 * Before the first sample stands what tells of modules and of BPF programs: as many as the machine
 * has.
 */
#define HEAD_STEP 61

static uint8_t *whole;
static size_t whole_sz;
static int cut_fd;

struct seen {
	const struct recording *rec;
	uint64_t off[SAMPLES_MAX]; /* of each sample, or of the package that it is in */
	size_t cnt;
};
static struct seen all, some;

static uint64_t time_of(void *ctx, const struct perf_event_header *hdr)
{
	struct seen *s = ctx;

	return perf_sample__time(&s->rec->attrs, s->rec->swap, hdr);
}

static int on_record(void *ctx, const struct record *rec)
{
	struct seen *s = ctx;

	if (rec->hdr->type == PERF_RECORD_SAMPLE && s->cnt < SAMPLES_MAX)
		s->off[s->cnt++] = rec->off;
	return 0;
}

/* Each cut is reported: ten thousand sentences, which are dropped. */
static void be_quiet(bool quiet)
{
	static int kept = -1;
	int fd;

	fflush(stderr);
	if (quiet) {
		kept = dup(STDERR_FILENO);
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		dup2(fd, STDERR_FILENO);
		close(fd);
	} else {
		dup2(kept, STDERR_FILENO);
		close(kept);
	}
}

/* False where it cannot even be opened. */
static bool read_all(struct seen *s, int *err)
{
	struct source *src;
	struct recording *rec;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", cut_fd);
	s->cnt = 0;
	rec = recording__open(path);
	if (!rec)
		return false;
	s->rec = rec;
	src = file_source__new(rec, time_of, s);
	*err = source__drain(src, true, on_record, s);
	source__free(src);
	recording__close(rec);
	return true;
}

static uint64_t u64_at(size_t off)
{
	uint64_t v;

	memcpy(&v, whole + off, sizeof(v));
	return v;
}

/* Samples of the whole file that end before the cut. */
static size_t expected(size_t cut)
{
	size_t i, cnt = 0;
	uint16_t sz;

	for (i = 0; i < all.cnt; i++) {
		memcpy(&sz, whole + all.off[i] + 6, sizeof(sz));
		cnt += all.off[i] + sz <= cut;
	}
	return cnt;
}

static bool load(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0 || fstat(fd, &st))
		return false;
	whole_sz = (size_t)st.st_size;
	whole = malloc(whole_sz);
	if (read(fd, whole, whole_sz) != (ssize_t)whole_sz)
		return false;
	close(fd);
	cut_fd = memfd_create("cut", MFD_CLOEXEC);
	return write(cut_fd, whole, whole_sz) == (ssize_t)whole_sz && read_all(&all, &err) && !err;
}

/* The next cut, between begin and end of the records at each byte. */
static size_t shorter(size_t cut, size_t begin, size_t end)
{
	size_t first = all.off[0];

	if (cut > end && cut - end > TAIL_STEP)
		return cut - TAIL_STEP;
	return cut > begin + 1009 && cut + 1009 < first ? cut - HEAD_STEP : cut - 1;
}

static void cut_everywhere(const char *what, bool is_pipe)
{
	size_t begin = is_pipe ? 16 : u64_at(40);
	size_t end = is_pipe ? whole_sz : begin + u64_at(48), cut, cuts = 0, bad = 0, bad_at = 0;
	int err;

	be_quiet(true);
	/* From the end, so that the file only ever becomes shorter. */
	for (cut = whole_sz - 1; cut; cut = shorter(cut, begin, end)) {
		bool opened;

		if (ftruncate(cut_fd, (off_t)cut))
			break;
		err = 0;
		opened = read_all(&some, &err);
		cuts++;
		/* Sections behind the records may change their formats, but not their number. */
		if (!opened ? cut > begin : some.cnt != expected(cut)) {
			bad++;
			bad_at = cut;
		}
	}
	be_quiet(false);
	if (!ok(!bad && cuts > 1000, "%s: %zu samples, cut off at %zu places", what, all.cnt, cuts))
		diag("%zu cuts differ; one is at %zu (records %zu to %zu): %zu samples, "
		     "expected %zu",
		     bad, bad_at, begin, end, some.cnt, expected(bad_at));
	free(whole);
	close(cut_fd);
}

int main(void)
{
	static const struct {
		const char *what, *options;
		bool is_pipe;
	} kinds[] = {
		{ "samples with stacks", "-g -e cpu-clock -F 997 -o cut.data", false },
		{ "a tracepoint", "-e sched:sched_process_exit -o cut.data", false },
		{ "packed", "-z -g -e cpu-clock -F 997 -o cut.data", false },
		{ "two events", "-e cpu-clock,page-faults -c 1000003 -o cut.data", false },
		{ "a pipe", "-e cpu-clock -F 997 -o - >cut.data", true },
	};
	char dir[] = "/tmp/cut-recordings.XXXXXX", cmd[2 * PATH_MAX], exe[PATH_MAX] = "";
	const char *build;
	size_t i;

	/* build/live/cut_recordings, build/workloads/spin */
	if (readlink("/proc/self/exe", exe, sizeof(exe) - 1) < 0)
		return 1;
	build = dirname(dirname(exe));
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		/* Without build-ids: those of the pipe form come first, and are many. */
		snprintf(cmd, sizeof(cmd),
			 "perf record -q -B -N %s -- sh -c 'for i in 1 2 3; do "
			 "%s/workloads/spin 0.02 >&2; done' 2>/dev/null",
			 kinds[i].options, build);
		if (ok(!system(cmd) && load("cut.data") && all.cnt > 2, "%s: perf record",
		       kinds[i].what))
			cut_everywhere(kinds[i].what, kinds[i].is_pipe);
	}
	unlink("cut.data");
	/* perf record keeps the one before. */
	unlink("cut.data.old");
	if (chdir("/") || rmdir(dir))
		return 1;
	return done_testing();
}
