// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
// parallel: yes
/*
 * Inlined functions and source positions of programs with split DWARF (-gsplit-dwarf): each
 * instruction has the chain that it has in the same program built without. In .dwo files, in
 * packages, with some of the files gone, another user's or of another build.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sym_program.h"
#include "tap.h"

static const char one[] =
	"extern volatile unsigned sink;\n"
	"static inline __attribute__((always_inline)) unsigned leaf(unsigned v)\n"
	"{ for (int i = 0; i < 40; i++) v = v * 1103515245u + (v >> 7); return v; }\n"
	"static inline __attribute__((always_inline)) unsigned middle(unsigned v)\n"
	"{\n\tv = leaf(v);\n\treturn v ^ leaf(v + 3);\n}\n"
	"__attribute__((noinline)) unsigned work(unsigned v)\n"
	"{ sink = middle(v);\n return sink + leaf(sink); }\n";
static const char two[] =
	"#include <algorithm>\n#include <map>\n#include <string>\n#include <vector>\n"
	"extern \"C\" unsigned work(unsigned);\nvolatile unsigned sink;\n"
	"namespace app {\n"
	"template <class T> struct box { T v; T grown() const { return v * 3 + (v >> 2); } };\n"
	"__attribute__((noinline)) unsigned sorted(std::vector<unsigned> &v)\n"
	"{ for (auto &x : v) x = box<unsigned>{x}.grown(); std::sort(v.begin(), v.end());\n"
	"  return v[0]; }\n"
	"__attribute__((noinline)) int words(const std::string &s)\n"
	"{ std::map<std::string, int> m; for (char c : s) m[std::string(3, c)]++;\n"
	"  return m.size(); }\n}\n"
	"int main(int argc, char **argv)\n"
	"{ std::vector<unsigned> v(1000, argc);\n"
	"  return app::sorted(v) + work(argc) + app::words(argv[0]) == 3; }\n";

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(1);
}

/* Builds plain/prog and split/prog, whose code is the same. */
static bool build(const char *cc, const char *cxx, const char *options)
{
	char cmd[2048];

	snprintf(
		cmd, sizeof(cmd),
		"rm -rf plain split; mkdir plain split;"
		"b() { %s -O2 -g %s $2 -c one.c -o one.o && %s -O2 -g %s $2 -c two.cc -o two.o &&"
		" %s -no-pie -Wl,-Ttext-segment=0 -Wl,-z,noseparate-code -o $1/prog one.o two.o; };"
		"b plain '' && b split -gsplit-dwarf && objcopy -O binary -j .text plain/prog p &&"
		"objcopy -O binary -j .text split/prog s && cmp p s &&"
		"objdump -d --no-show-raw-insn -j .text plain/prog |"
		"sed -nE 's/^ +([0-9a-f]+):.*/\\1/p' >addrs",
		cc, options, cxx, options, cxx);
	return !system(cmd);
}

struct tally {
	bool is_shown; /* differences are told */
	unsigned int cnt; /* instructions of which the source is known */
	unsigned int inlined; /* of those, in inlined functions */
	unsigned int same; /* the split program has the same chain */
	unsigned int same_line; /* the split program has the line, if nothing else */
	unsigned int bare; /* the split program has no inlined functions, where the other has */
};

static bool is_same_frame(const struct sym_frame *a, const struct sym_frame *b)
{
	return !strcmp(a->name, b->name) && a->line == b->line && a->file && b->file &&
	       !strcmp(a->file, b->file);
}

static void add(struct tally *t, const struct sym_frame *want, size_t cnt,
		const struct sym_frame *got, size_t got_cnt)
{
	size_t i;

	t->cnt++;
	t->inlined += cnt > 1;
	t->bare += cnt > 1 && got_cnt == 1;
	t->same_line +=
		got[0].file && want[0].line == got[0].line && !strcmp(got[0].file, want[0].file);
	for (i = 0; i < cnt && cnt == got_cnt; i++)
		if (!is_same_frame(&want[i], &got[i]))
			break;
	t->same += i == cnt;
	if (i < cnt && t->is_shown && t->cnt - t->same < 4)
		diag("%zu frames, %zu: %s %s:%u, %s %s:%u", cnt, got_cnt, want[0].name,
		     want[0].file, want[0].line, got[0].name, got[0].file ?: "?", got[0].line);
}

static struct tally compare(const char *dir, bool is_shown)
{
	const struct sym_options options = { .inlines = true, .lines = true };
	struct sym *plain = sym__new(), *split = sym__new();
	struct sym_frame want[SYM_FRAMES_MAX], got[SYM_FRAMES_MAX];
	uint64_t addr, plain_base, split_base;
	FILE *addrs = fopen("addrs", "r");
	struct tally t = { .is_shown = is_shown };
	char path[128];

	if (!addrs)
		exit(1);
	sym__configure(plain, &options);
	sym__configure(split, &options);
	snprintf(path, sizeof(path), "%s/plain/prog", dir);
	plain_base = map_program(plain, path);
	snprintf(path, sizeof(path), "%s/split/prog", dir);
	split_base = map_program(split, path);
	while (fscanf(addrs, "%" SCNx64, &addr) == 1) {
		size_t cnt = sym__frames(plain, false,
					 sym__place(plain, SYM_PROGRAM_PID, plain_base + addr),
					 want, SYM_FRAMES_MAX);
		size_t n = sym__frames(split, false,
				       sym__place(split, SYM_PROGRAM_PID, split_base + addr), got,
				       SYM_FRAMES_MAX);

		/* Start-up code of the C library has no DWARF. */
		if (want[cnt - 1].file)
			add(&t, want, cnt, got, n);
	}
	fclose(addrs);
	sym__free(plain);
	sym__free(split);
	return t;
}

/* A program that is not built is not compared, and that is no success. */
static void must(bool is_built, const char *what)
{
	if (is_built)
		return;
	diag("%s: cannot be built", what);
	exit(1);
}

static void is_whole(const char *dir, const char *what)
{
	struct tally t = compare(dir, true);

	diag("%s: %u instructions, %u of them inlined", what, t.cnt, t.inlined);
	ok(t.cnt > 300 && t.inlined > 200, "%s: hundreds of instructions are inlined", what);
	is_u64(t.same, t.cnt, "%s: chains are those without split DWARF", what);
}

static void compare_builds(const char *dir, const char *cc, const char *cxx)
{
	static const char *const options[] = { "-gdwarf-4", "-gdwarf-5", "-gdwarf-5 -gz",
					       "-gdwarf-4 -fdebug-types-section",
					       "-gdwarf-5 -fdebug-types-section" };
	char what[128];
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(*options); i++) {
		snprintf(what, sizeof(what), "%s %s, .dwo files", cc, options[i]);
		must(build(cc, cxx, options[i]), what);
		is_whole(dir, what);
	}
}

static void compare_package(const char *dir, const char *cc, const char *cxx, const char *options,
			    const char *tool)
{
	char cmd[256], what[128];

	snprintf(cmd, sizeof(cmd), "command -v %s %s >/dev/null", cc, tool);
	if (system(cmd))
		return;
	snprintf(what, sizeof(what), "%s %s, a package by %s", cc, options, tool);
	snprintf(cmd, sizeof(cmd),
		 "timeout 20 %s -e split/prog -o split/prog.dwp && rm one.dwo two.dwo", tool);
	must(build(cc, cxx, options) && !system(cmd), what);
	is_whole(dir, what);
}

/* One of the two files cannot be had. */
static void is_without(const char *dir, const char *change, const char *what)
{
	struct tally t;

	must(build("gcc", "g++", "-gdwarf-5") && !system(change), what);
	t = compare(dir, false);
	diag("%s: %u instructions, %u the same, %u with a line, %u bare", what, t.cnt, t.same,
	     t.same_line, t.bare);
	ok(t.same > 20 && t.same < t.cnt / 2, "%s: the other file's functions are whole", what);
	is_u64(t.same_line, t.cnt, "%s: each instruction has its line", what);
	ok(t.bare > 200, "%s: no inlined function of its unit is known", what);
}

/* Reads a frame of a peer: its name, then FILE:LINE and maybe more. false: it was the last one. */
static bool read_frame(FILE *f, char *name, size_t sz, char *file, unsigned int *line)
{
	char pos[4096], *colon;

	if (!fgets(name, (int)sz, f) || name[0] == '\n' || !fgets(pos, sizeof(pos), f))
		return false;
	name[strcspn(name, "\n")] = '\0';
	colon = strchr(pos, ':');
	*line = colon ? (unsigned int)strtoul(colon + 1, NULL, 10) : 0;
	snprintf(file, 4096, "%.*s", colon ? (int)(colon - pos) : 0, pos);
	return true;
}

/* Compares a chain with the peer's next one; *told: differences that were shown. */
static bool is_peers(FILE *peer, uint64_t addr, const struct sym_frame *got, size_t cnt,
		     unsigned int *told)
{
	static const struct sym_frame none = { .name = "-" };
	char name[8192], file[4096];
	unsigned int line;
	bool same = true;
	size_t i;

	for (i = 0; read_frame(peer, name, sizeof(name), file, &line); i++) {
		const struct sym_frame *f = i < cnt ? &got[i] : &none;
		const char *its = f->name ?: "?", *its_file = f->file ?: "?";
		bool is_this = !strcmp(its, name) && f->line == line && !strcmp(its_file, file);

		if (!is_this && same && its_file[0] != '?' && (*told)++ < 4)
			diag("%" PRIx64 " frame %zu: %s %s:%u, ours %s %s:%u", addr, i, name, file,
			     line, its, its_file, f->line);
		same &= is_this;
	}
	return same && i == cnt;
}

/*
 * Each instruction of the split program, as llvm-symbolizer names it. Of gcc's programs, version 14
 * of it names one destructor by another alias (DWARF 4), and takes ranges of inlined functions
 * without the address of their unit (DWARF 5): it need not agree on one instruction in fifty.
 */
static void compare_peer(const char *dir, const char *what, bool is_gcc)
{
	const struct sym_options options = { .inlines = true, .lines = true, .raw_names = true };
	unsigned int cnt = 0, chains = 0, same = 0, told = 0;
	struct sym_frame got[SYM_FRAMES_MAX];
	FILE *addrs = fopen("addrs", "r");
	FILE *peer = popen("sed s/^/0x/ addrs | llvm-symbolizer --obj=split/prog --inlines"
			   " --no-demangle --functions=linkage",
			   "r");
	struct sym *sym = sym__new();
	uint64_t addr, base;
	char path[128];

	if (!addrs || !peer || !sym)
		exit(1);
	sym__configure(sym, &options);
	snprintf(path, sizeof(path), "%s/split/prog", dir);
	base = map_program(sym, path);
	while (fscanf(addrs, "%" SCNx64, &addr) == 1) {
		size_t n = sym__frames(sym, false, sym__place(sym, SYM_PROGRAM_PID, base + addr),
				       got, SYM_FRAMES_MAX);
		bool is_same = is_peers(peer, addr, got, n, &told);

		/* Start-up code of the C library has no DWARF. */
		if (!got[n - 1].file)
			continue;
		cnt++;
		chains += n > 1;
		same += is_same;
	}
	fclose(addrs);
	pclose(peer);
	sym__free(sym);
	diag("%s: %u instructions, %u in inlined functions, %u as llvm-symbolizer", what, cnt,
	     chains, same);
	ok(cnt > 300 && chains > 200, "%s: there are instructions to compare with", what);
	ok(same >= (is_gcc ? cnt - cnt / 50 : cnt), "%s: chains and lines are llvm-symbolizer's",
	   what);
}

static void compare_peers(const char *dir)
{
	if (system("command -v llvm-symbolizer >/dev/null"))
		return;
	must(build("gcc", "g++", "-gdwarf-4"), "for a peer");
	compare_peer(dir, "gcc DWARF 4", true);
	must(build("gcc", "g++", "-gdwarf-5"), "for a peer");
	compare_peer(dir, "gcc DWARF 5", true);
	if (system("(command -v clang++ && command -v llvm-dwp) >/dev/null"))
		return;
	must(build("clang", "clang++", "-gdwarf-5"), "for a peer");
	compare_peer(dir, "clang DWARF 5", false);
	must(!system("llvm-dwp -e split/prog -o split/prog.dwp && rm one.dwo two.dwo"), "llvm-dwp");
	compare_peer(dir, "clang DWARF 5, a package", false);
}

/* Looks all addresses of both programs up; *first_sz: bytes of tables after the first one. */
static struct sym_stats look_up(const char *dir, size_t mem_max, size_t *first_sz)
{
	const struct sym_options options = { .inlines = true, .lines = true, .mem_max = mem_max };
	struct sym_frame frames[SYM_FRAMES_MAX];
	uint64_t addr, plain_base, split_base;
	FILE *addrs = fopen("addrs", "r");
	struct sym *sym = sym__new();
	struct sym_stats stats = { 0 };
	char path[128];

	if (!addrs || !sym)
		exit(1);
	*first_sz = 0;
	sym__configure(sym, &options);
	snprintf(path, sizeof(path), "%s/plain/prog", dir);
	plain_base = map_program_as(sym, path, SYM_PROGRAM_PID);
	snprintf(path, sizeof(path), "%s/split/prog", dir);
	split_base = map_program_as(sym, path, SYM_PROGRAM_PID + 1);
	while (fscanf(addrs, "%" SCNx64, &addr) == 1) {
		sym__frames(sym, false, sym__place(sym, SYM_PROGRAM_PID, plain_base + addr), frames,
			    SYM_FRAMES_MAX);
		sym__frames(sym, false, sym__place(sym, SYM_PROGRAM_PID + 1, split_base + addr),
			    frames, SYM_FRAMES_MAX);
		sym__stats(sym, &stats);
		*first_sz = *first_sz ?: stats.mem_sz;
	}
	fclose(addrs);
	sym__free(sym);
	return stats;
}

/* Memory of inflated .dwo files is held to the limit, as other tables are. */
static void is_counted(const char *dir)
{
	size_t first_sz, sz;
	struct sym_stats stats;

	must(build("gcc", "g++", "-gdwarf-5 -gz"), "compressed files");
	stats = look_up(dir, 0, &first_sz);
	sz = stats.mem_sz;
	diag("%zu bytes at first, %zu at the end", first_sz, sz);
	ok(sz > first_sz + 50000, "compressed files: memory of .dwo files is counted");
	is_u64(stats.evicted, 0, "compressed files: within the limit no table is dropped");
	stats = look_up(dir, sz - 1, &first_sz);
	ok(stats.evicted > 0 && stats.mem_sz < sz,
	   "compressed files: beyond the limit tables are dropped");
}

int main(void)
{
	static const char strip[] = "cd split && objcopy --only-keep-debug prog prog.debug &&"
				    "strip -g prog && objcopy --add-gnu-debuglink=prog.debug prog";
	char dir[] = "/tmp/bpfperf-split.XXXXXX", cmd[64];

	if (system("g++ --version >/dev/null 2>&1 && objcopy --version >/dev/null 2>&1"))
		skip_all("g++ and binutils are not installed");
	if (!mkdtemp(dir) || chdir(dir))
		exit(1);
	put_file("one.c", one);
	put_file("two.cc", two);
	compare_builds(dir, "gcc", "g++");
	if (!system("command -v clang++ >/dev/null"))
		compare_builds(dir, "clang", "clang++");
	compare_package(dir, "gcc", "g++", "-gdwarf-4", "dwp");
	compare_package(dir, "gcc", "g++", "-gdwarf-4 -fdebug-types-section", "dwp");
	compare_package(dir, "gcc", "g++", "-gdwarf-4", "llvm-dwp");
	compare_package(dir, "clang", "clang++", "-gdwarf-5", "llvm-dwp");
	must(build("gcc", "g++", "-gdwarf-5") && !system(strip), "a stripped program");
	is_whole(dir, "skeletons in a debug file");
	compare_peers(dir);
	is_counted(dir);
	is_without(dir, "rm two.dwo", "a file that is not there");
	is_without(dir, "echo text >two.dwo", "a text in place of a file");
	is_without(dir, "cp one.dwo two.dwo", "a file of another unit");
	is_without(dir, "chown 65534 two.dwo", "a file of another user");
	is_without(dir, "rm two.dwo && mkfifo two.dwo", "a pipe in place of a file");
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "the directory is removed");
	return done_testing();
}
