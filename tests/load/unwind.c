// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The walk in the kernel: a program without frame pointers, 200 calls deep, is sampled by a clock
 * and each stack is taken by the tables in maps. Each comes to the outermost frame, by the same
 * last ones; by the mappings of a set, and by those that the kernel has.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <linux/types.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "tap.h"
#include "session/unwind_put.h"
#include "unwind/file.h"
#include "unwind/words.h"
#include "unwind_program.h"
#include "unwind_test.skel.h"

#define WALKS 503
#define TABLES_MAX 16
/* Time for that many at one in a quarter of a millisecond, on a busy and slow machine. */
#define DEADLINE_S 60

static struct unwind_mapping mappings[TABLES_MAX];
static unsigned int walks, complete, same_bottom, deepest, by_fp;
static uint64_t bottom[3];

/* Lets walks find the table by the file that they find in the kernel's tree of mappings. */
static bool put_file(struct unwind_test_bpf *skel, uint32_t table, int file, uint32_t dev)
{
	const struct unwind_file_use use = { .table = table };
	struct unwind_file_id id = { .dev = dev };
	struct stat st;

	if (fstat(file, &st))
		return false;
	id.ino = st.st_ino;
	id.sz = (__u64)st.st_size;
	id.ctime_ns = (__u64)st.st_ctim.tv_sec * 1000000000 + (__u64)st.st_ctim.tv_nsec;
	return !bpf_map_update_elem(bpf_map__fd(skel->maps.unwind_file_ids), &id, &use, 0);
}

/* One executable mapping and the table of its file, which is on the device. */
static bool put_mapping(struct unwind_test_bpf *skel, struct unwind_mapping *m, const char *path,
			uint64_t off, uint32_t dev)
{
	int file = open(path, O_RDONLY | O_CLOEXEC), fd;
	struct unwind_table t;
	__u64 *words;
	size_t cnt;
	bool good;

	if (file < 0 || unwind_file__read(&t, file))
		return false;
	words = unwind_words__make(&t, &cnt);
	fd = words ? unwind_put__words(words, cnt) : -ENOMEM;
	good = fd >= 0 &&
	       !bpf_map_update_elem(bpf_map__fd(skel->maps.unwind_tables), &m->table, &fd, 0) &&
	       put_file(skel, m->table, file, dev);
	m->base = m->start - off;
	free(words);
	unwind_table__free(&t);
	close(fd);
	close(file);
	return good;
}

static bool put_process(struct unwind_test_bpf *skel, pid_t pid)
{
	char name[64], line[512], perms[5], path[256];
	__u32 cnt = 0, set = 1, major, minor;
	uint64_t off;
	FILE *f;
	int fd, err;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	f = fopen(name, "re");
	while (f && fgets(line, sizeof(line), f) && cnt < TABLES_MAX) {
		struct unwind_mapping *m = &mappings[cnt];
		uint64_t start, end;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %*s %255s", &start,
			   &end, perms, &off, &major, &minor, path) < 7 ||
		    perms[2] != 'x' || path[0] != '/')
			continue;
		*m = (struct unwind_mapping){ .start = start, .end = end, .table = cnt + 1 };
		if (!put_mapping(skel, m, path, off, major << 20 | minor))
			return false;
		cnt++;
	}
	if (f)
		fclose(f);
	fd = unwind_put__mappings(mappings, cnt);
	err = fd < 0 ? fd : bpf_map_update_elem(bpf_map__fd(skel->maps.unwind_sets), &set, &fd, 0);
	close(fd);
	return cnt && !err;
}

static int on_walk(void *ctx, void *data, size_t sz)
{
	const struct unwind_state *s = data;

	walks++;
	by_fp += s->by_fp;
	deepest = s->cnt > deepest ? s->cnt : deepest;
	if (s->end != UNWIND_OUTERMOST || s->cnt < 3) {
		if (walks - complete < 5)
			diag("incomplete: end %u after %u frames, pc %#llx", s->end, s->cnt,
			     s->pcs[s->cnt - 1]);
		return 0;
	}
	/* main's caller, its caller, and _start: the same in each. */
	if (!complete++)
		memcpy(bottom, &s->pcs[s->cnt - 3], sizeof(bottom));
	same_bottom += !memcmp(bottom, &s->pcs[s->cnt - 3], sizeof(bottom));
	return 0;
}

static void tell_cost(struct unwind_test_bpf *skel)
{
	struct bpf_prog_info info = { 0 };
	__u32 len = sizeof(info);

	if (!bpf_obj_get_info_by_fd(bpf_program__fd(skel->progs.walk), &info, &len) && info.run_cnt)
		diag("%llu runs, %llu ns each, of 230 frames or so", info.run_cnt,
		     info.run_time_ns / info.run_cnt);
}

static void sample(struct unwind_test_bpf *skel, pid_t pid, const char *by)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.sample_period = 250000 };
	int fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	struct ring_buffer *rb =
		ring_buffer__new(bpf_map__fd(skel->maps.walks), on_walk, NULL, NULL);
	int stats = bpf_enable_stats(BPF_STATS_RUN_TIME);
	struct bpf_link *link = bpf_program__attach_perf_event(skel->progs.walk, fd);
	time_t end;

	if (!ok(rb && link, "%s: the walk is attached to the sampled event", by))
		return;
	/* A poll ends with the first walk, however soon that comes. */
	end = time(NULL) + DEADLINE_S;
	while (walks < WALKS && time(NULL) < end)
		ring_buffer__poll(rb, 100);
	tell_cost(skel);
	bpf_link__destroy(link);
	ring_buffer__consume(rb);
	ring_buffer__free(rb);
	close(stats);
	diag("%u walks, %u complete, %u deep at most, %u frames by frame pointer", walks, complete,
	     deepest, by_fp);
	ok(walks >= WALKS, "%s: at least %u stacks are walked", by, WALKS);
	is_u64(skel->bss->refused_cnt, 0, "%s: no stack was lost", by);
	ok(complete * 100 >= walks * 99, "%s: 99 %% reach the outermost frame", by);
	is_u64(same_bottom, complete, "%s: all complete stacks end in one outermost frame", by);
	ok(deepest >= 200, "%s: the deepest stack has 200 frames", by);
}

/* Walks stacks of the process by the mappings of a set; page_shift: by the kernel's tree. */
static void walk_by(const char *by, __u32 page_shift, pid_t pid)
{
	struct unwind_test_bpf *skel = unwind_test_bpf__open();

	walks = complete = same_bottom = deepest = by_fp = 0;
	skel->rodata->target_tgid = (__u32)pid;
	skel->rodata->page_shift = page_shift;
	bpf_map__set_max_entries(skel->maps.unwind_tables, TABLES_MAX + 1);
	bpf_map__set_max_entries(skel->maps.unwind_file_ids, TABLES_MAX);
	bpf_map__set_max_entries(skel->maps.unwind_sets, 2);
	if (ok(!unwind_test_bpf__load(skel), "%s: the verifier accepts the walk", by) &&
	    ok(put_process(skel, pid), "%s: tables of the program's files are loaded", by))
		sample(skel, pid, by);
	unwind_test_bpf__destroy(skel);
}

/* From 6.1 on. */
static bool has_tree(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool has = btf && btf__find_by_name_kind(btf, "maple_tree", BTF_KIND_STRUCT) > 0;

	btf__free(btf);
	return has;
}

int main(void)
{
	char dir[] = "/tmp/bpfperf-unwind.XXXXXX", mode[] = "deep", path[sizeof(dir) + 8];
	char *argv[] = { path, mode, NULL };
	int32_t tid;
	pid_t pid;

	if (geteuid())
		skip_all("loading programs needs root");
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/unwind", dir);
	build_program(dir, "", "unwind");
	pid = start_program(argv, &tid);
	if (ok(tid, "the program to unwind runs")) {
		walk_by("by a set", 0, pid);
		if (has_tree())
			walk_by("by the kernel's tree", (__u32)__builtin_ctzl(getpagesize()), pid);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	unlink(path);
	rmdir(dir);
	return done_testing();
}
