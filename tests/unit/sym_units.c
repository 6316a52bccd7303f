// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A compressed .debug_info that is inflated step by step has the same inlined functions as one that
 * is read whole, in whatever order addresses are asked for.
 */
#include "sym/dwarf_inlines.h"
#include "sym/dwarf_units.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rnd.h"
#include "sym/elf_file.h"
#include "sym/sym.h"
#include "tap.h"

#define ADDRESSES 20000

static char dir[] = "/tmp/bpfperf-units.XXXXXX";

/* Forty units, with inlined functions two deep, of a size that inflating has something to save. */
static const char build[] =
	"cd %1$s && for i in $(seq 40); do { "
	"echo \"struct s$i { int a, b; };\"; "
	"for j in $(seq 30); do "
	"echo \"static inline int low${j}_$i(struct s$i *p, int x) { return p->a * x ^ $j; }\"; "
	"echo \"static inline int mid${j}_$i(struct s$i *p, int x) "
	"{ for (int k = 0; k < x; k++) p->b += low${j}_$i(p, k); return p->b; }\"; "
	"echo \"int high${j}_$i(struct s$i *p, int x) { return mid${j}_$i(p, x) + 1; }\"; done; "
	"[ $i != 1 ] || echo 'int main(int c, char **v) { return high1_1((void *)v, c); }'; "
	"} >u$i.c; done && "
	"gcc -O2 -g -c u*.c && gcc u*.o -o plain && "
	"gcc -O2 -g -flto u*.c -o lto && readelf -wa lto | grep -q ref_addr && "
	"objcopy --remove-section=.debug_aranges u7.o && gcc u*.o -o some && "
	"objcopy --remove-section=.debug_aranges plain none && "
	"for f in plain lto some none; do "
	"objcopy --compress-debug-sections=zlib $f $f.z || exit 1; done";

static int open_file(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", name[0] == '/' ? "" : dir, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Finds the addresses of code, including stubs of the linker. */
static void find_code(int fd, uint64_t *from, uint64_t *to)
{
	struct elf_image img = { .fd = fd };
	struct elf_file file;
	size_t i;

	*from = UINT64_MAX;
	*to = 0;
	if (elf_file__open(&file, &img))
		return;
	for (i = 0; i < file.section_cnt; i++) {
		const struct elf_section *s = &file.sections[i];

		if (!(s->flags & SHF_EXECINSTR))
			continue;
		*from = s->addr < *from ? s->addr : *from;
		*to = s->addr + s->sz > *to ? s->addr + s->sz : *to;
	}
	elf_file__close(&file);
}

static bool is_equal_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_equal(const struct inline_frame *a, const struct inline_frame *b)
{
	return is_equal_text(a->name, b->name) && is_equal_text(a->file, b->file) &&
	       is_equal_text(a->plain, b->plain) && a->line == b->line;
}

/* Asks both for the same addresses; returns the number of answers that differ. */
static unsigned int differing(struct dwarf_inlines *one, struct dwarf_inlines *other, uint64_t from,
			      uint64_t to, unsigned int *deep)
{
	unsigned int bad = 0, i;

	for (i = 0; i < ADDRESSES; i++) {
		struct inline_frame a[SYM_FRAMES_MAX], b[SYM_FRAMES_MAX];
		struct inline_entries x = { 0 }, y = { 0 };
		uint64_t at = from + rnd(to - from);
		size_t n = dwarf_inlines__find(one, at, a, SYM_FRAMES_MAX, &x), k;

		*deep += n > 1;
		if (dwarf_inlines__find(other, at, b, SYM_FRAMES_MAX, &y) != n ||
		    memcmp(&x, &y, sizeof(x)))
			bad++;
		for (k = 0; k < n; k++)
			if (!is_equal(&a[k], &b[k])) {
				bad++;
				break;
			}
	}
	return bad;
}

static void compare(const char *plain, const char *packed, const char *what)
{
	int fd = open_file(plain), packed_fd = open_file(packed);
	struct dwarf_inlines *one, *other;
	unsigned int deep = 0;
	uint64_t from, to;

	find_code(packed_fd, &from, &to);
	one = dwarf_inlines__open(fd, -1, true);
	other = dwarf_inlines__open(packed_fd, -1, true);
	ok(one && other && from < to, "%s: both files have DWARF", what);
	if (one && other)
		is_u64(differing(one, other, from, to, &deep), 0, "%s: answers that differ", what);
	ok(deep > ADDRESSES / 100, "%s: there are inlined functions (%u)", what, deep);
	dwarf_inlines__close(one);
	dwarf_inlines__close(other);
	close(fd);
	close(packed_fd);
}

static uint64_t symbol(const char *file, const char *name)
{
	char cmd[256];
	uint64_t addr = 0;
	FILE *p;

	snprintf(cmd, sizeof(cmd), "nm %s/%s | sed -n 's/ T %s$//p'", dir, file, name);
	p = popen(cmd, "r");
	if (p) {
		if (fscanf(p, "%" SCNx64, &addr) != 1)
			addr = 0;
		pclose(p);
	}
	return addr;
}

/* How much of .debug_info is inflated once the functions in `names` were looked up. */
static void check_share(const char *file_name, const char *func, bool is_whole, const char *what)
{
	struct dwarf_units units = { 0 };
	struct dwarf_file file;
	struct texts names = { 0 };
	int fd = open_file(file_name);
	uint64_t die_off, addr = symbol(file_name, func);
	Dwarf_Die cu;
	bool found;

	ok(addr && !dwarf_file__open(&file, fd, -1, false) && file.info.data,
	   "%s: .debug_info is inflated step by step", what);
	close(fd);
	is_s64(dwarf_units__read(&units, &file), 0, "%s: there are units", what);
	found = dwarf_units__find(&units, &file, &names, addr, &cu, &die_off);
	ok(found, "%s: %s is found", what, func);
	is_s64(file.info.done == file.info.sz, is_whole, "%s: the whole is inflated", what);
	dwarf_units__free(&units);
	texts__free(&names);
	dwarf_file__close(&file);
}

/* A debug file of this machine, where there is one. */
static void check_libc(void)
{
	static const char find[] =
		"id=$(readelf -n /lib/x86_64-linux-gnu/libc.so.6 2>/dev/null | "
		"sed -n 's/.*Build ID: //p') && rest=${id#??} && "
		"f=/usr/lib/debug/.build-id/${id%%$rest}/$rest.debug && [ -e $f ] && "
		"cp $f %1$s/libc.z && objcopy --decompress-debug-sections %1$s/libc.z %1$s/libc";
	char cmd[1024];

	snprintf(cmd, sizeof(cmd), find, dir);
	if (system(cmd)) {
		skip("the C library's debug symbols are not installed");
		return;
	}
	compare("libc", "libc.z", "the C library");
}

int main(void)
{
	char cmd[2048];

	if (system("gcc --version >/dev/null 2>&1 && objcopy --version >/dev/null 2>&1"))
		skip_all("gcc and objcopy are not installed");
	if (!mkdtemp(dir))
		exit(1);
	rnd_state = (uint64_t)getpid();
	printf("# seed %d\n", getpid());
	snprintf(cmd, sizeof(cmd), build, dir);
	ok(!system(cmd), "the programs are built");
	compare("plain", "plain.z", "each unit in .debug_aranges");
	compare("some", "some.z", "one unit is not in .debug_aranges");
	compare("none", "none.z", "no .debug_aranges");
	compare("lto", "lto.z", "units that refer to others");
	check_share("plain.z", "high3_1", false, "a function of the first unit");
	check_share("some.z", "high3_7", true, "a function of the unit that is left out");
	check_share("none.z", "high3_1", true, "no .debug_aranges");
	check_libc();
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "the directory is removed");
	return done_testing();
}
