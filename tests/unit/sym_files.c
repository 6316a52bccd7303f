// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The parts of src/sym that read what others wrote: kernel symbols, tables, build-ids. */
#include "sym/ahead.h"
#include "sym/demangle.h"
#include "sym/kallsyms.h"
#include "sym/ksyms.h"
#include "sym/sym.h"
#include "sym/sym_priv.h"
#include "util/fs.h"

#include <fcntl.h>
#include <dirent.h>
#include <limits.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

static void test_demangle(void)
{
	static const struct {
		const char *mangled, *want;
	} rows[] = {
		{ "_ZN3foo3barIiEEvi", "foo::bar<int>" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back" },
		{ "_ZN12_GLOBAL__N_14workEv", "(anonymous namespace)::work" },
		{ "_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
		{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>" },
		{ "main", NULL },
		{ "_Z", NULL },
		{ "_ZN", NULL },
		{ "_start", NULL },
		{ "", NULL },
	};
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool done;

		strbuf__reset(&sb);
		done = demangle(rows[i].mangled, &sb);
		if (rows[i].want)
			is_str(strbuf__cstr(&sb), rows[i].want, "%s", rows[i].mangled);
		else
			ok(!done && !sb.len, "\"%s\" stays as it is", rows[i].mangled);
	}
	strbuf__free(&sb);
}

static void test_ksyms(void)
{
	struct ksyms ks = { 0 };
	uint64_t base = 0xffffffffc0001000, first, second, off = 0;

	is_u64(ksyms__place(&ks, base), base, "without any, an address is its place");
	ksyms__add(&ks, base, 0x100, "bpf_prog_one");
	first = ksyms__place(&ks, base + 0x10);
	ok(first != base + 0x10, "code that came has places of its own");
	ksyms__remove(&ks, base, 0x100, "bpf_prog_one");
	is_u64(ksyms__place(&ks, base + 0x10), base + 0x10, "none once it went");
	ksyms__add(&ks, base - 0x40, 0x80, "bpf_prog_two");
	second = ksyms__place(&ks, base + 0x10);
	is_str(ksyms__find(&ks, first, &off), "bpf_prog_one", "the first at this address");
	is_u64(off, 0x10, "the offset in it");
	is_str(ksyms__find(&ks, second, &off), "bpf_prog_two", "the second at this address");
	is_u64(off, 0x50, "the offset in the second");
	ksyms__add(&ks, base - 0x10, 0x20, "bpf_prog_three");
	is_str(ksyms__find(&ks, ksyms__place(&ks, base), &off), "bpf_prog_three",
	       "one that came over another");
	is_u64(ksyms__place(&ks, base + 0x20), base + 0x20, "a place of which nothing remains");
	ksyms__remove(&ks, base + 0x1000, 0x100, "bpf_prog_old");
	is_str(ksyms__find(&ks, base + 0x10ff, &off), "bpf_prog_old",
	       "a place of before the recording that went");
	ok(!ksyms__find(&ks, base + 0x1100, &off), "a place of before the recording: its end");
	ksyms__free(&ks);
}

/* A file of the mapped kind in `sym`, at an address of its own; its functions are asked for. */
static const char *name_at(struct sym *sym, const char *path, const struct sym_build_id *id,
			   uint64_t off)
{
	struct sym_map map = { .addr = 0x10000000, .len = 1 << 30, .path = path, .build_id = id };
	struct sym_result res;

	sym__on_exec(sym, 1 << 29);
	sym__on_mmap(sym, 1 << 29, &map);
	sym__user(sym, 1 << 29, 0x10000000 + off, &res);
	return res.name;
}

/* Programs of BPF that come and go, and processes whose files do. */
static void test_forget(void)
{
	const uint64_t base = 0xffffffffc0000000;
	struct sym *sym = sym__new();
	struct sym_ksymbol k = { .addr = base, .len = 64, .name = "bpf_prog_goes" };
	struct sym_map map = { .addr = 0x10000000, .len = 4096, .path = "/gone", .maj = 1 };
	struct sym_result res;
	uint64_t place = 0;
	int i;

	for (i = 0; i < 70000; i++) {
		map.ino = (uint64_t)i + 1;
		sym__on_exec(sym, 1 << 29);
		sym__on_mmap(sym, 1 << 29, &map);
		place = sym__place(sym, 1 << 29, 0x10000000);
		k.is_gone = false;
		sym__on_ksymbol(sym, &k);
		k.is_gone = true;
		sym__on_ksymbol(sym, &k);
		if (i % 100 == 0)
			sym__forget(sym);
	}
	is_str(sym__path(sym, place), "/gone", "the 70,000th file is known");
	ok(sym__file_idx(place) < 2000, "files that nothing maps are forgotten");
	k.is_gone = false;
	sym__on_ksymbol(sym, &k);
	sym__forget(sym);
	sym__kernel(sym, sym__kernel_place(sym, base + 1), &res);
	is_str(res.name, "bpf_prog_goes", "the 70,000th program of BPF has its name");
	sym__free(sym);
}

/* Is a deleted file of this name open? */
static bool is_held(const char *name)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *e;
	char target[PATH_MAX];
	bool found = false;
	ssize_t len;

	while (dir && (e = readdir(dir))) {
		len = readlinkat(dirfd(dir), e->d_name, target, sizeof(target) - 1);
		target[len < 0 ? 0 : len] = '\0';
		found |= strstr(target, name) && strstr(target, "(deleted)");
	}
	closedir(dir);
	return found;
}

/* A program that was deleted, of a process that runs on, and then ends. */
static void test_deleted_is_closed(void)
{
	struct sym_map map = { .addr = 0x10000000, .len = 4096, .path = "deleted" };
	struct sym *sym = sym__new();
	struct sym_result res;
	struct stat st;
	int i, self, fd;

	self = open("/proc/self/exe", O_RDONLY);
	fd = open("deleted", O_CREAT | O_RDWR, 0700);
	ok(sendfile(fd, self, NULL, 1 << 16) == 1 << 16, "a program that will be deleted");
	close(self);
	fstat(fd, &st);
	map.ino = st.st_ino;
	map.maj = major(st.st_dev);
	map.min = minor(st.st_dev);
	map.path = realpath("deleted", NULL);
	close(fd);
	sym__on_exec(sym, 1 << 29);
	sym__on_mmap(sym, 1 << 29, &map);
	sym__user(sym, 1 << 29, 0x10000000, &res);
	unlink("deleted");
	sym->dsos.keep_ns = 0;
	sym__forget(sym);
	ok(is_held("/deleted"), "a deleted file is open while its process runs");
	/* Ended processes are kept for late samples, until others have ended. */
	for (i = 0; i <= PROCS_DEAD_MAX; i++) {
		sym__on_exec(sym, (1 << 29) + i);
		sym__on_exit(sym, (1 << 29) + i);
	}
	sym__forget(sym);
	ok(!is_held("/deleted"), "a deleted file is closed when nothing has it mapped");
	free((char *)map.path);
	sym__free(sym);
}

static void test_recorded_build_id(void)
{
	const struct sym_options offline = { .offline = true };
	struct sym *sym = sym__new(), *mine = sym__new();
	const struct sym_build_id *id;
	struct sym_build_id wrong;
	char exe[256];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	uint64_t place = sym__place(mine, getpid(), (uintptr_t)test_recorded_build_id);
	char hex[2 * BUILD_ID_MAX_SZ + 1];

	exe[n > 0 ? n : 0] = '\0';
	sym__configure(sym, &offline);
	id = sym__build_id(mine, place);
	if (!id) {
		skip("this program has no build-id");
		goto out;
	}
	is_u64(id->len, 20, "our own build-id");
	is_u64(strlen(build_id__hex(id, hex)), 40, "our own build-id in hexadecimal");
	is_str(name_at(sym, exe, id, sym__file_off(place)), "test_recorded_build_id",
	       "a recorded file is taken by its build-id");
	wrong = *id;
	wrong.bytes[7] ^= 1;
	ok(!name_at(sym, exe, &wrong, sym__file_off(place)),
	   "another build's file is not taken by the build-id");
out:
	sym__free(mine);
	sym__free(sym);
}

/* Writes this program to path, with `name` in place of each "test_rewritten". */
static bool write_self(const char *path, const char *name)
{
	size_t sz, len = strlen("test_rewritten");
	char *self = fs__read_file("/proc/self/exe", &sz), *p;
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	bool ok = self && fd >= 0;

	for (p = self; ok && (p = memmem(p, sz - (size_t)(p - self), "test_rewritten", len)); p++)
		memcpy(p, name, len);
	ok = ok && write(fd, self, sz) == (ssize_t)sz;
	close(fd);
	free(self);
	return ok;
}

/* The file as a new program of the process has it mapped; the place of a byte in it. */
static uint64_t map_at(struct sym *sym, const char *path, uint64_t off)
{
	struct sym_map map = { .addr = 0x10000000, .len = 1 << 30, .path = path };
	struct stat st;

	stat(path, &st);
	map.maj = major(st.st_dev);
	map.min = minor(st.st_dev);
	map.ino = st.st_ino;
	sym__on_exec(sym, 1 << 29);
	sym__on_mmap(sym, 1 << 29, &map);
	return sym__place(sym, 1 << 29, 0x10000000 + off);
}

/* After what has been mapped: times of files are those of the last tick. */
static bool rewrite(const char *path)
{
	struct timespec mapped;
	struct stat st;

	clock_gettime(CLOCK_REALTIME, &mapped);
	do {
		if (!write_self(path, "TEST_REWRITTEN") || stat(path, &st))
			return false;
	} while (st.st_mtim.tv_sec < mapped.tv_sec ||
		 (st.st_mtim.tv_sec == mapped.tv_sec && st.st_mtim.tv_nsec <= mapped.tv_nsec));
	return true;
}

/* A file that is written to while it is held open is another one from then on. */
static void test_rewritten(void)
{
	char path[] = "/tmp/bpfperf-rewritten.XXXXXX";
	struct sym *sym = sym__new(), *mine = sym__new();
	uint64_t here = sym__file_off(sym__place(mine, getpid(), (uintptr_t)test_rewritten));
	uint64_t there = sym__file_off(sym__place(mine, getpid(), (uintptr_t)map_at));
	uint64_t before, known, after;
	struct sym_result res;
	int fd;

	close(mkstemp(path));
	ok(write_self(path, "test_rewritten"), "a file to be rewritten is made");
	before = map_at(sym, path, here);
	known = map_at(sym, path, there);
	sym__name(sym, known, &res);
	is_str(res.name, "map_at", "a rewritten file: named before");
	ok(rewrite(path), "a rewritten file is written to");
	after = map_at(sym, path, here);
	ok(before != after, "a rewritten file: another file from then on");
	sym__name(sym, after, &res);
	is_str(res.name, "TEST_REWRITTEN", "a rewritten file: functions have their names");
	sym__name(sym, before, &res);
	ok(!res.name, "a rewritten file: the first has no names");
	sym__name(sym, known, &res);
	is_str(res.name, "map_at", "a rewritten file: names read before stay");
	ok(!sym__build_id(sym, before), "a rewritten file: the first has no build-id");
	fd = sym__open_file(sym, before);
	is_s64(fd, -1, "a rewritten file: the first cannot be opened");
	sym__free(mine);
	sym__free(sym);
	unlink(path);
}

/* A rewritten file that no process maps again. */
static void test_rewritten_once(void)
{
	char path[] = "/tmp/bpfperf-rewritten.XXXXXX";
	struct sym *sym = sym__new(), *mine = sym__new();
	uint64_t here = sym__file_off(sym__place(mine, getpid(), (uintptr_t)test_rewritten));
	struct sym_result res;
	uint64_t before;

	close(mkstemp(path));
	ok(write_self(path, "test_rewritten"), "a file to be extended is made");
	before = map_at(sym, path, here);
	ok(rewrite(path), "a file is extended at the end");
	sym__name(sym, before, &res);
	ok(!res.name, "an extended file: no names");
	sym__free(mine);
	sym__free(sym);
	unlink(path);
}

/* Another process may hold a lease on its file, so that opening it waits for that process. */
static void test_leased(void)
{
	char path[] = "/tmp/bpfperf-leased.XXXXXX";
	struct sym *sym = sym__new(), *mine = sym__new();
	uint64_t here = sym__file_off(sym__place(mine, getpid(), (uintptr_t)test_rewritten));
	struct sym_result res;
	int fd;

	close(mkstemp(path));
	ok(write_self(path, "test_rewritten"), "a file to be leased is made");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	signal(SIGIO, SIG_IGN);
	if (fcntl(fd, F_SETLEASE, F_WRLCK)) {
		skip("this file system has no leases");
		goto out;
	}
	sym__name(sym, map_at(sym, path, here), &res);
	ok(!res.name, "a leased file: it is not waited for, so there is no name");
	fcntl(fd, F_SETLEASE, F_UNLCK);
out:
	close(fd);
	sym__free(mine);
	sym__free(sym);
	unlink(path);
}

/*
 * A time of its contents that is still to come, as an archive may set it, tells nothing of when it
 * was written.
 */
static void test_future(void)
{
	char path[] = "/tmp/bpfperf-future.XXXXXX";
	struct sym *sym = sym__new(), *mine = sym__new();
	uint64_t here = sym__file_off(sym__place(mine, getpid(), (uintptr_t)test_rewritten));
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT } };
	uint64_t before, after;
	struct sym_result res;

	close(mkstemp(path));
	ok(write_self(path, "test_rewritten"), "a file of the future is made");
	clock_gettime(CLOCK_REALTIME, &times[1]);
	times[1].tv_sec += 3607;
	ok(!utimensat(AT_FDCWD, path, times, 0), "a file of the future: its time is the next hour");
	before = map_at(sym, path, here);
	sym__name(sym, before, &res);
	is_str(res.name, "test_rewritten", "a file of the future: named");
	after = map_at(sym, path, here);
	ok(before == after, "a file of the future: found again when it is mapped again");
	ok(rewrite(path), "a file of the future is written to");
	after = map_at(sym, path, here);
	ok(before != after, "a file of the future: another file after the write");
	sym__name(sym, after, &res);
	is_str(res.name, "TEST_REWRITTEN", "a file of the future: its own names after the write");
	sym__free(mine);
	sym__free(sym);
	unlink(path);
}

/* A recording of another boot, and one of another kernel. */
static void test_recorded_kernel(void)
{
	char path[] = "/tmp/bpfperf-kallsyms.XXXXXX";
	struct kallsyms ks = { .path = path, .modules_path = "/dev/null" }, other = ks;
	static const struct sym_build_id id = { 20, { 1, 2, 3 } };
	const struct recorded_kernel running = { NULL, 0xffffffffa0000000, KERNEL_RUNNING, NULL,
						 NULL };
	const struct recorded_kernel foreign = { &id, 0xffffffffa0000000, KERNEL_RUNNING, NULL,
						 NULL };
	const char *name = NULL, *module;
	int fd = mkstemp(path);
	uint64_t off;

	dprintf(fd, "ffffffff81000000 T _text\nffffffff81000000 T start\n"
		    "ffffffff81000100 T also_work\nffffffff81000100 W work\n"
		    "ffffffff81000200 T rest\nffffffffc0000000 t mod_fn\t[ext4]\n");
	close(fd);
	kallsyms__set_recorded(&ks, &running);
	ok(kallsyms__find(&ks, 0xffffffffa0000110, &name, &module, &off),
	   "a recorded kernel address: a name is found");
	is_str(name, "work",
	       "a recorded kernel address: named where the kernel was then, by the last of its names");
	ok(!kallsyms__find(&ks, 0xffffffff81000110, &name, &module, &off),
	   "a recorded kernel address: not named where the kernel is now");
	ok(!kallsyms__find(&ks, 0xffffffffdf000010, &name, &module, &off),
	   "a recorded kernel address: modules of then are unknown");
	kallsyms__set_recorded(&other, &foreign);
	ok(!kallsyms__find(&other, 0xffffffffa0000110, &name, &module, &off),
	   "another kernel's functions have no names here");
	kallsyms__free(&ks);
	kallsyms__free(&other);
	unlink(path);
}

/* A kernel's ELF file: _text is where it begins, and it lies elsewhere in the recording. */
static void test_vmlinux(void)
{
	static const char build[] =
		"cd %1$s && printf '.section .text,\"ax\"\\n.globl _text,work,rest\\n_text:\\n"
		".skip 0x100\\n.type work,@function\\nwork: .skip 0x100\\n.size work,0x100\\n"
		".type rest,@function\\nrest: .skip 0x40\\n.size rest,0x40\\n' >v.s && "
		"as -o v.o v.s && ld -Ttext=0xffffffff81000000 -e _text -o vmlinux v.o 2>/dev/null";
	char dir[] = "/tmp/bpfperf-vmlinux.XXXXXX", path[64], cmd[1024];
	const struct recorded_kernel there = { .text = 0xffffffffa0000000, .origin = KERNEL_OTHER };
	struct kallsyms ks = { .vmlinux = path, .is_given = true };
	const char *name = NULL, *module = NULL;
	uint64_t off = 0;

	if (!mkdtemp(dir))
		exit(1);
	snprintf(path, sizeof(path), "%s/vmlinux", dir);
	snprintf(cmd, sizeof(cmd), build, dir);
	ok(!system(cmd), "a kernel's ELF file is built");
	kallsyms__set_recorded(&ks, &there);
	is_u64(ks.text, 0xffffffff81000000, "a kernel's ELF file: _text is its first address");
	ok(kallsyms__find(&ks, 0xffffffffa0000210, &name, &module, &off),
	   "a kernel's ELF file: a name is found");
	is_str(name, "rest", "a kernel's ELF file: of the function that was there");
	is_u64(off, 0x10, "a kernel's ELF file: the offset in it");
	is_str(module, "[kernel.kallsyms]", "a kernel's ELF file: the kernel's own");
	ok(!kallsyms__find(&ks, 0xffffffff81000110, &name, &module, &off),
	   "a kernel's ELF file: not named where the file says");
	kallsyms__free(&ks);
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "the kernel's ELF file is removed");
}

struct count {
	struct ahead_job job;
	int runs;
};

static void run_count(struct ahead_job *job)
{
	((struct count *)job)->runs++;
}

struct gated {
	struct count count;
	sem_t began, may_end;
};

static void run_gated(struct ahead_job *job)
{
	struct gated *g = (struct gated *)job;

	g->count.runs++;
	sem_post(&g->began);
	sem_wait(&g->may_end);
}

static void test_ahead_again(void)
{
	struct ahead *ahead = ahead__new();
	struct gated g = { .count.job.fn = run_gated };

	sem_init(&g.began, 0, 0);
	sem_init(&g.may_end, 0, 3);
	ahead__queue(ahead, &g.count.job);
	ahead__finish(ahead, &g.count.job);
	ahead__queue(ahead, &g.count.job);
	ahead__finish(ahead, &g.count.job);
	is_s64(g.count.runs, 2, "a job that was run is run again where it is queued again");
	sem_wait(&g.may_end);
	while (!sem_trywait(&g.began))
		;
	ahead__queue(ahead, &g.count.job);
	sem_wait(&g.began);
	ahead__queue(ahead, &g.count.job);
	sem_post(&g.may_end);
	sem_post(&g.may_end);
	ahead__finish(ahead, &g.count.job);
	is_s64(g.count.runs, 4, "a job that is queued while it runs is run once more");
	ahead__free(ahead);
	sem_destroy(&g.began);
	sem_destroy(&g.may_end);
}

static void test_ahead(void)
{
	struct ahead *ahead = ahead__new();
	static struct count jobs[1009];
	int i, bad = 0;

	for (i = 0; i < 1009; i++) {
		jobs[i].job.fn = run_count;
		if (i % 5)
			ahead__queue(ahead, &jobs[i].job);
	}
	for (i = 1008; i >= 0; i -= 2)
		ahead__finish(ahead, &jobs[i].job);
	for (i = 0; i < 1009; i += 2)
		bad += jobs[i].runs != 1;
	is_s64(bad, 0, "each job that was waited for ran once");
	ahead__finish(ahead, &jobs[0].job);
	is_s64(jobs[0].runs, 1, "no job ran without being queued");
	ahead__free(ahead);
	for (i = 0, bad = 0; i < 1009; i++)
		bad += jobs[i].runs > 1;
	is_s64(bad, 0, "no other job ran twice");
	jobs[1].runs = 0;
	jobs[1].job.state = AHEAD_NONE;
	ahead__finish(NULL, &jobs[1].job);
	is_s64(jobs[1].runs, 1, "without a thread it runs when it is wanted");
}

/* Evicted tables are read again, and names stay the same pointers. */
static void test_eviction(void)
{
	const struct sym_options options = { .mem_max = 4096 };
	struct sym *sym = sym__new();
	const char *first[64], *again;
	uint64_t addrs[64];
	size_t cnt = 0, i, bad = 0;
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");
	struct sym_result res;
	struct sym_stats stats;

	while (maps && cnt < 64 && fgets(line, sizeof(line), maps)) {
		unsigned long long start, end;
		char perm[5];

		if (sscanf(line, "%llx-%llx %4s", &start, &end, perm) == 3 && perm[2] == 'x' &&
		    strstr(line, ".so"))
			addrs[cnt++] = (start + end) / 2;
	}
	if (maps)
		fclose(maps);
	ok(cnt >= 4, "this program has libraries mapped");
	sym__configure(sym, &options);
	for (i = 0; i < cnt; i++) {
		sym__user(sym, getpid(), addrs[i], &res);
		first[i] = res.name;
	}
	for (i = 0; i < cnt; i++) {
		sym__user(sym, getpid(), addrs[i], &res);
		again = res.name;
		bad += again != first[i];
	}
	is_u64(bad, 0, "names after eviction are the same pointers");
	sym__stats(sym, &stats);
	ok(stats.evicted >= cnt, "names were evicted");
	sym__free(sym);
}

/* Recorders that do not write the size pad an id with zeros. */
static void test_padded_build_id(void)
{
	struct sym_build_id id = { .len = 16, .bytes = "0123456789abcdef" }, padded = id;

	padded.len = BUILD_ID_MAX_SZ;
	ok(build_id__equal(&id, &padded) && build_id__equal(&padded, &id),
	   "a build-id with zeros behind it is the same");
	padded.bytes[19] = 1;
	ok(!build_id__equal(&id, &padded), "a build-id with other bytes behind it is another");
	padded.bytes[19] = 0;
	padded.len = 18;
	ok(!build_id__equal(&id, &padded), "a build-id of a size of its own is another");
	id.len = 0;
	padded = (struct sym_build_id){ .len = BUILD_ID_MAX_SZ };
	ok(!build_id__equal(&id, &padded), "no build-id is not one of zeros");
}

int main(void)
{
	test_padded_build_id();
	test_demangle();
	test_ksyms();
	test_forget();
	test_deleted_is_closed();
	test_recorded_build_id();
	test_rewritten();
	test_rewritten_once();
	test_leased();
	test_future();
	test_recorded_kernel();
	test_vmlinux();
	test_ahead();
	test_ahead_again();
	test_eviction();
	return done_testing();
}
