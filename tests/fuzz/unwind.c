// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Call frame information: a byte (which machine, .eh_frame or .debug_frame)
 * and a section, made into a table. Its rows are in order, its rules are
 * there, and every address finds one.
 */
#include "fuzz.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unwind/arch.h"
#include "unwind/section.h"
#include "unwind/table.h"

#define SECTION_ADDR 0x400000

static void fuzz_setup(void)
{
}

static char *read_self(size_t *sz)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *data;

	fuzz_check(fd >= 0 && !fstat(fd, &st));
	data = malloc((size_t)st.st_size);
	*sz = (size_t)st.st_size;
	fuzz_check(read(fd, data, *sz) == (ssize_t)*sz);
	close(fd);
	return data;
}

/* The first common entry of this very program, and functions behind it up to some size. */
static void fuzz_seeds(void)
{
	static const size_t sizes[] = { 64, 512, 2000, 4000 };
	char *self, *in, name[16];
	size_t sz, s;
	const Elf64_Ehdr *eh;
	const Elf64_Shdr *sh;
	int i;

	self = read_self(&sz);
	eh = (const void *)self;
	sh = (const void *)(self + eh->e_shoff);
	for (i = 0; i < eh->e_shnum; i++) {
		if (strcmp(self + sh[eh->e_shstrndx].sh_offset + sh[i].sh_name, ".eh_frame") != 0)
			continue;
		for (s = 0; s < 8; s++) {
			size_t len = sizes[s / 2];

			in = malloc(1 + len);
			in[0] = (char)(s & 1 ? 1 : 0);
			memcpy(in + 1, self + sh[i].sh_offset, len);
			snprintf(name, sizeof(name), "%zu", s);
			fuzz_seed(name, in, 1 + len);
			free(in);
		}
	}
	free(self);
}

static void check(const struct unwind_table *t)
{
	size_t i;

	for (i = 0; i < t->row_cnt; i++) {
		fuzz_check((t->rows[i] & UNWIND_RULE_MASK) < t->rule_cnt);
		fuzz_check(!i ||
			   t->rows[i - 1] >> UNWIND_RULE_BITS < t->rows[i] >> UNWIND_RULE_BITS);
		fuzz_check(unwind_table__find(t, t->base + (t->rows[i] >> UNWIND_RULE_BITS)) ==
			   &t->rules[t->rows[i] & UNWIND_RULE_MASK]);
	}
	fuzz_check(unwind_table__find(t, 0) && unwind_table__find(t, UINT64_MAX));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	struct fuzz_bytes b = { data, sz };
	uint64_t kind = fuzz_take(&b, 1);
	const struct unwind_arch *arch = unwind_arch__of(kind & 1 ? EM_AARCH64 : EM_X86_64);
	/* A copy of exact size, so that the sanitizer sees a read behind its end. */
	uint8_t *copy = malloc(b.left + !b.left);
	const struct cfi_section sec = { .data = memcpy(copy, b.p, b.left),
					 .sz = b.left,
					 .addr = SECTION_ADDR,
					 .is_debug = kind & 2,
					 .is_open_ended = kind & 4 };
	struct unwind_table t;

	if (!unwind_table__init(&t, arch, kind & 8 ? 0 : SECTION_ADDR - 0x200000)) {
		unwind_table__add(&t, &sec);
		unwind_table__finish(&t);
		check(&t);
		unwind_table__free(&t);
	}
	free(copy);
	return 0;
}
