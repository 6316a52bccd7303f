// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Hostile call frame information: mutations of the C library's file and of this very program, each
 * made into a table, which is then searched. Nothing may crash, leak or take long, and what comes
 * out is in order. Bounded by time, with a seed that is printed.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>
#include <link.h>

#include "cpu_ns.h"
#include "rnd.h"
#include "tap.h"
#include "unwind/file.h"
#include "util/mono.h"

#define FUZZ_S 12
/* One file, under the sanitizers on a busy machine. */
#define ONE_MAX_NS 10000000000ULL

struct seed {
	char *data;
	size_t sz;
	uint64_t off, frame_sz; /* its call frame information */
};

static bool read_seed(struct seed *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr *eh;
	Elf64_Shdr *sh;
	int i;

	s->sz = fd < 0 ? 0 : (size_t)lseek(fd, 0, SEEK_END);
	s->data = malloc(s->sz + 1);
	if (fd < 0 || pread(fd, s->data, s->sz, 0) != (ssize_t)s->sz || s->sz < sizeof(*eh))
		return false;
	close(fd);
	eh = (void *)s->data;
	sh = (void *)(s->data + eh->e_shoff);
	for (i = 0; i < eh->e_shnum; i++)
		if (!strcmp(s->data + sh[eh->e_shstrndx].sh_offset + sh[i].sh_name, ".eh_frame")) {
			s->off = sh[i].sh_offset;
			s->frame_sz = sh[i].sh_size;
		}
	return s->frame_sz;
}

/*
 * One change, to the information most of all: a byte, a length, a run of instructions from
 * elsewhere.
 */
static void mutate(struct seed *s, char *data)
{
	static const uint64_t nasty[] = { 0,          1,          0x7f,       0xff,
					  0x7fffffff, 0xffffffff, UINT64_MAX, 1ULL << 40 };
	uint64_t from, to;
	uint32_t len = 1u << rnd(4);

	to = rnd(8) ? s->off + rnd((uint32_t)s->frame_sz - 64)
		    : rnd(rnd(2) ? 64 + 14 * 56 : (uint32_t)s->sz - 64);
	from = s->off + rnd((uint32_t)s->frame_sz - 64);
	switch (rnd(4)) {
	case 0:
		memcpy(data + to, &nasty[rnd(8)], len);
		break;
	case 1:
		memcpy(data + to, s->data + from, rnd(64));
		break;
	default:
		data[to] = (char)rnd(256);
	}
}

static bool in_order(const struct unwind_table *t)
{
	size_t i;

	for (i = 0; i < t->row_cnt; i++)
		if ((t->rows[i] & UNWIND_RULE_MASK) >= t->rule_cnt ||
		    (i && t->rows[i - 1] >> UNWIND_RULE_BITS >= t->rows[i] >> UNWIND_RULE_BITS))
			return false;
	return true;
}

static bool try(char *data, size_t sz)
{
	struct unwind_table t;
	bool good = true;
	int i;

	if (unwind_file__read_image(&t, data, sz))
		return true;
	good = in_order(&t);
	for (i = 0; i < 64; i++)
		good &= unwind_table__find(&t, t.base + rnd(1 << 22))->cfa <= UNWIND_CFA_PLT;
	good &= unwind_table__find(&t, 0) && unwind_table__find(&t, UINT64_MAX);
	unwind_table__free(&t);
	return good;
}

static void fuzz(struct seed *seeds, uint32_t cnt, uint64_t secs)
{
	uint64_t end = mono_ns() + secs * 1000000000, slowest = 0, t;
	unsigned long rounds = 0, bad = 0;

	while (mono_ns() < end) {
		struct seed *s = &seeds[rnd(cnt)];
		size_t sz = rnd(16) ? s->sz : 64 + rnd((uint32_t)s->sz - 64);
		uint32_t n = 1 + rnd(rnd(2) ? 8 : 512);
		char *copy = malloc(s->sz);

		memcpy(copy, s->data, s->sz);
		while (n--)
			mutate(s, copy);
		/*
		 * The image ends with its memory, so that the sanitizer sees a read beyond its end.
		 */
		copy = realloc(copy, sz);
		t = cpu_ns();
		bad += !try(copy, sz);
		t = cpu_ns() - t;
		slowest = t > slowest ? t : slowest;
		free(copy);
		rounds++;
	}
	diag("%lu files, the slowest took %" PRIu64 " us", rounds, slowest / 1000);
	ok(rounds > 100, "mutated files did no harm");
	is_u64(bad, 0, "each table is in order");
	ok(slowest < ONE_MAX_NS, "no mutated table took long");
}

static int find_libc(struct dl_phdr_info *info, size_t sz, void *priv)
{
	if (!strstr(info->dlpi_name, "libc.so"))
		return 0;
	snprintf(priv, 256, "%s", info->dlpi_name);
	return 1;
}

int main(int argc, char **argv)
{
	struct seed seeds[2] = { 0 };
	char libc[256] = "";

	rnd_state = argc > 1 ? strtoull(argv[1], NULL, 0) : mono_ns();
	diag("seed %" PRIu64 " (unwind_fuzz SEED [SECONDS] does the same again)", rnd_state);
	dl_iterate_phdr(find_libc, libc);
	if (ok(read_seed(&seeds[0], "/proc/self/exe") && read_seed(&seeds[1], libc),
	       "two files as seeds"))
		fuzz(seeds, 2, argc > 2 ? strtoull(argv[2], NULL, 0) : FUZZ_S);
	free(seeds[0].data);
	free(seeds[1].data);
	return done_testing();
}
