// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
// parallel: yes
/*
 * Every frame that `perf script` names on a recording of some programs, named again by us: the
 * same file, the same offset, so the same name. perf prints the offset in the file for user
 * frames, the address for kernel frames. Other processes are left out: in a root of its own, the
 * files of those outside have the paths of others inside.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sym/sym.h"
#include "tap.h"

#define PID (1 << 29)
#define BASE 0x100000000000ULL
#define STRIDE 0x4000000000ULL

struct frame {
	uint64_t ip;
	char name[4096], dso[4096];
};

/* The file as if it were mapped whole, each at an address of its own; 0 where it is none. */
static uint64_t map_file(struct sym *sym, const char *path)
{
	static struct {
		char path[512];
	} files[1024];
	struct sym_map map = { .len = STRIDE, .path = path };
	struct stat st;
	size_t i;

	for (i = 0; i < 1024 && files[i].path[0]; i++)
		if (!strcmp(files[i].path, path))
			return BASE + i * STRIDE;
	if (i == 1024 || strlen(path) >= sizeof(files[0].path) || stat(path, &st))
		return 0;
	strcpy(files[i].path, path);
	map.addr = BASE + i * STRIDE;
	map.maj = major(st.st_dev);
	map.min = minor(st.st_dev);
	map.ino = st.st_ino;
	sym__on_mmap(sym, PID, &map);
	return map.addr;
}

/* "    7f0bc4 name+0x12 (/path)"; false: perf has no name for it. */
static bool parse(char *line, struct frame *f)
{
	char *p, *plus, *dso = strrchr(line, '('), *end = strrchr(line, ')');

	f->ip = strtoull(line, &p, 16);
	if (p == line || *p != ' ' || !dso || !end || end < dso || dso - p < 3)
		return false;
	*end = '\0';
	snprintf(f->dso, sizeof(f->dso), "%s", dso + 1);
	dso[-1] = '\0';
	snprintf(f->name, sizeof(f->name), "%s", p + 1);
	plus = strrchr(f->name, '+');
	if (plus && !strncmp(plus, "+0x", 3))
		*plus = '\0';
	return strcmp(f->name, "[unknown]") && f->dso[0] != '\0';
}

/*
 * perf has no name for stubs of functions that choose their code when the program starts (the C
 * library's strlen() and the like); here they have the function's.
 */
static bool is_same(const char *name, const char *of_perf)
{
	return !strcmp(of_perf, "@plt") ? strstr(name, "@plt") != NULL : !strcmp(name, of_perf);
}

static bool name_it(struct sym *sym, const struct frame *f, struct sym_result *res)
{
	uint64_t base;

	/* A tracer's program may have been replaced since by another one at its address. */
	if (!strncmp(f->dso, "bpf_prog_", 9))
		return false;
	if (!strncmp(f->dso, "[kernel.kallsyms]", 17)) {
		sym__kernel(sym, f->ip, res);
		return true;
	}
	/* A JIT compiler's map is no file of code. */
	base = f->dso[0] == '/' && !strstr(f->dso, "/perf-") ? map_file(sym, f->dso) : 0;
	if (base)
		sym__user(sym, PID, base + f->ip, res);
	return base != 0;
}

int main(void)
{
	char dir[] = "/tmp/bpfperf-symperf.XXXXXX", cmd[1024];
	unsigned int named = 0, same = 0, shown = 0, user = 0;
	struct sym *sym = sym__new();
	static char line[16384];
	static struct frame f;
	FILE *script;

	if (getuid())
		skip_all("needs root");
	if (system("perf version >/dev/null 2>&1"))
		skip_all("perf is not installed");
	if (!mkdtemp(dir))
		exit(1);
	snprintf(
		cmd, sizeof(cmd),
		"perf record -q --no-bpf-event -e cpu-clock -F 499 -g -o %s/data -- sh -c "
		"'for i in $(seq 23); do echo \"#include <stdio.h>\" | gcc -O2 -g -x c -c -o /dev/null -; "
		"python3 -c \"import re, json; json.dumps([str(i) for i in range(100000)]); "
		"re.sub(r\\\"(a+)+b\\\", \\\"\\\", \\\"a\\\" * 18)\"; ls -lR /usr/include; "
		"done' >/dev/null 2>&1",
		dir);
	is_s64(system(cmd), 0, "perf recorded a compiler and an interpreter");
	snprintf(cmd, sizeof(cmd), "perf script -i %s/data -F ip,sym,symoff,dso 2>/dev/null", dir);
	script = popen(cmd, "r");
	sym__on_exec(sym, PID);
	while (script && fgets(line, sizeof(line), script)) {
		struct sym_result res = { 0 };

		if (!parse(line, &f) || !name_it(sym, &f, &res))
			continue;
		named++;
		user += f.dso[0] == '/';
		if (res.name && is_same(res.name, f.name))
			same++;
		else if (shown++ < 40)
			diag("%" PRIx64 " %s: perf %s, bpfperf %s", f.ip, f.dso, f.name,
			     res.name ? res.name : "nothing");
	}
	if (script)
		pclose(script);
	diag("%u frames, %u of them of user space, %u named the same", named, user, same);
	/* Without debug files it has a name for a third of those of user space. */
	ok(named >= 1000 && user >= 100, "perf names a thousand frames, 100 of user space");
	ok(same >= named / 100.0 * 99,
	   "99 %% of the frames that perf names have the same name here");
	sym__free(sym);
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "the directory is removed");
	return done_testing();
}
