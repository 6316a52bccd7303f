// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
// parallel: yes
/*
 * Inlined functions and source positions of C++ code at -O2, each instruction of it beside what
 * addr2line says of the same file: the same chain of names and lines. (Of files addr2line 2.40
 * takes the wrong one for functions of headers that DWARF 5 describes.)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sym/sym.h"
#include "sym_program.h"
#include "tap.h"

static const char source[] =
	"#include <algorithm>\n#include <vector>\n#include <string>\n#include <map>\n"
	"namespace app {\n"
	"static inline int twice(int x) { return x * 2 + (x >> 3); }\n"
	"template <class T> struct box { T v; T grown() const { return twice(v) + twice(v + 1); } };\n"
	"__attribute__((noinline)) int work(std::vector<int> &v) {\n"
	"	std::sort(v.begin(), v.end());\n"
	"	int s = 0;\n"
	"	for (int x : v) s += box<int>{x}.grown();\n"
	"	return s;\n}\n"
	"__attribute__((noinline)) int words(const std::string &s) {\n"
	"	std::map<std::string, int> m;\n"
	"	for (char c : s) m[std::string(3, c)]++;\n"
	"	return m.size();\n}\n"
	"}\n"
	"int main(int argc, char **argv) {\n"
	"	std::vector<int> v;\n"
	"	for (int i = 0; i < 1000 * argc; i++) v.push_back(i * 7919 % 1009);\n"
	"	return app::work(v) + app::words(argv[0]) == 3;\n}\n";

static int run(const char *fmt, const char *dir)
{
	char cmd[1024];

	snprintf(cmd, sizeof(cmd), fmt, dir, dir, dir);
	return system(cmd);
}

/*
 * The last part of a name, without parameters, templates and what is appended to clones; the line.
 */
static void put(char *to, size_t sz, const char *name, unsigned int line)
{
	char plain[512];
	size_t n = 0;
	int depth = 0;

	/* addr2line -C prints parameters, which we do not: names alone, without templates. */
	for (; name && *name && n + 1 < sizeof(plain); name++) {
		if (*name == '(' && !depth && strncmp(name, "(anonymous", 10))
			break;
		depth += *name == '<';
		if (!depth)
			plain[n++] = *name;
		depth -= *name == '>' && depth;
	}
	plain[n] = '\0';
	name = strrchr(plain, ' ') ? strrchr(plain, ' ') + 1 : plain;
	name = strrchr(name, ':') ? strrchr(name, ':') + 1 : name;
	snprintf(to + strlen(to), sz - strlen(to), "%.*s:%u ", (int)strcspn(name, "."), name, line);
}

/* All of what addr2line says of one address; false at its end. */
static bool read_peer(FILE *peer, char *chain, size_t sz, char *line, size_t line_sz)
{
	char name[4096];

	chain[0] = '\0';
	/* line holds the address that began this block. */
	while (fgets(name, (int)sizeof(name), peer)) {
		char *colon;

		name[strcspn(name, "\n")] = '\0';
		if (!strncmp(name, "0x", 2))
			return true;
		if (!fgets(line, (int)line_sz, peer))
			return false;
		colon = strrchr(line, ':');
		if (colon)
			*colon = '\0';
		put(chain, sz, name, colon ? (unsigned int)strtoul(colon + 1, NULL, 10) : 0);
	}
	return false;
}

/* True if a reader that leaves the source lines unread finds these names, and no lines. */
static bool is_named_alike(struct sym *bare, uint64_t addr, const struct sym_frame *frames,
			   size_t cnt)
{
	struct sym_frame found[SYM_FRAMES_MAX];
	size_t i;

	if (sym__frames(bare, false, sym__place(bare, SYM_PROGRAM_PID, addr), found,
			SYM_FRAMES_MAX) != cnt)
		return false;
	for (i = 0; i < cnt; i++)
		if (strcmp(found[i].name, frames[i].name) || found[i].file || found[i].line)
			return false;
	return true;
}

static void compare(const char *dir, const char *sections)
{
	const struct sym_options options = { .inlines = true, .lines = true };
	const struct sym_options names_alone = { .inlines = true };
	unsigned int cnt = 0, same = 0, inlined = 0, shown = 0, named = 0;
	struct sym *bare = sym__new();
	char path[512], cmd[2048], theirs[8192], ours[8192], line[4096];
	struct sym *sym = sym__new();
	uint64_t base, addr;
	FILE *addrs, *peer;

	sym__configure(sym, &options);
	sym__configure(bare, &names_alone);
	snprintf(path, sizeof(path), "%s/a", dir);
	base = map_program(sym, path);
	map_program(bare, path);
	/* Linked at 0 with one page size for all, so addresses are offsets into the file. */
	snprintf(
		cmd, sizeof(cmd),
		"objdump -d --no-show-raw-insn -j .text %s | sed -nE 's/^ +([0-9a-f]+):.*/\\1/p' >%s/addrs;"
		"addr2line -a -f -i -C -e %s <%s/addrs >%s/peer",
		path, dir, path, dir, dir);
	ok(!system(cmd), "%s sections: addr2line has named each instruction", sections);
	snprintf(cmd, sizeof(cmd), "%s/addrs", dir);
	addrs = fopen(cmd, "r");
	snprintf(cmd, sizeof(cmd), "%s/peer", dir);
	peer = fopen(cmd, "r");
	if (!addrs || !peer || !fgets(line, sizeof(line), peer))
		exit(1);
	while (fscanf(addrs, "%" SCNx64, &addr) == 1) {
		struct sym_frame frames[SYM_FRAMES_MAX];
		size_t n, i;

		read_peer(peer, theirs, sizeof(theirs), line, sizeof(line));
		n = sym__frames(sym, false, sym__place(sym, SYM_PROGRAM_PID, base + addr), frames,
				SYM_FRAMES_MAX);
		/* Start-up code of the C library has no DWARF. */
		if (!frames[n - 1].file || strstr(theirs, "??:0"))
			continue;
		for (i = 0, ours[0] = '\0'; i < n; i++)
			put(ours, sizeof(ours), frames[i].name, frames[i].line);
		named += is_named_alike(bare, base + addr, frames, n);
		cnt++;
		inlined += n > 1;
		if (!strcmp(ours, theirs))
			same++;
		else if (shown++ < 10)
			diag("%" PRIx64 "\n#   ours: %s\n# theirs: %s", addr, ours, theirs);
	}
	diag("%u addresses, %u of them in inlined functions, %u the same", cnt, inlined, same);
	ok(cnt > 500 && inlined > 200, "%s sections: there are hundreds of inlined instructions",
	   sections);
	ok(same >= cnt / 100.0 * 99,
	   "%s sections: 99 %% of the instructions have addr2line's chain of names and lines",
	   sections);
	is_u64(named, cnt,
	       sections[0] == 'p' ? "plain sections: names without source lines"
				  : "packed sections: names without source lines");
	fclose(addrs);
	fclose(peer);
	sym__free(sym);
	sym__free(bare);
}

int main(void)
{
	char dir[] = "/tmp/bpfperf-inlines.XXXXXX", path[64];
	FILE *f;

	if (system("g++ --version >/dev/null 2>&1 && addr2line --version >/dev/null 2>&1"))
		skip_all("g++ and addr2line are not installed");
	if (!mkdtemp(dir))
		exit(1);
	snprintf(path, sizeof(path), "%s/a.cpp", dir);
	f = fopen(path, "w");
	if (!f || fputs(source, f) < 0 || fclose(f))
		exit(1);
	ok(!run("g++ -O2 -g -no-pie -Wl,-Ttext-segment=0 -Wl,-z,noseparate-code -o %s/a %s/a.cpp",
		dir),
	   "the program is built");
	compare(dir, "plain");
	ok(!run("objcopy --compress-debug-sections=zlib %s/a", dir), "the sections are packed");
	compare(dir, "packed");
	ok(!run("cd %s && objcopy --only-keep-debug a a.debug && strip a && "
		"objcopy --add-gnu-debuglink=a.debug a",
		dir),
	   "the program is stripped, with the DWARF in a file of its own");
	snprintf(path, sizeof(path), "%s/a", dir);
	{
		const struct sym_options options = { .inlines = true, .lines = true };
		struct sym_frame frames[SYM_FRAMES_MAX];
		struct sym *sym = sym__new();
		char cmd[256];
		uint64_t addr = 0, base;
		size_t n;
		FILE *p;

		snprintf(cmd, sizeof(cmd),
			 "nm -C %s/a.debug | sed -nE 's/^([0-9a-f]+) T app::work.*/\\1/p'", dir);
		p = popen(cmd, "r");
		is_s64(p ? fscanf(p, "%" SCNx64, &addr) : 0, 1,
		       "the stripped program has app::work");
		if (p)
			pclose(p);
		sym__configure(sym, &options);
		base = map_program(sym, path);
		n = sym__frames(sym, false, sym__place(sym, SYM_PROGRAM_PID, base + addr), frames,
				SYM_FRAMES_MAX);
		is_str(frames[n - 1].name, "app::work", "app::work is named from the debug file");
		ok(frames[n - 1].file && strstr(frames[n - 1].file, "a.cpp"),
		   "app::work has its source file and line");
		sym__free(sym);
	}
	ok(!run("rm -r %s", dir), "the directory is removed");
	return done_testing();
}
