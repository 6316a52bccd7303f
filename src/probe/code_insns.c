// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/code_insns.h"

#include <elf.h>

#include "util/x86_insn.h"

/* A function is not longer. */
#define WALK_MAX (1u << 20)
#define CHUNK_SZ 4096u

bool code_insns__offset(const struct elf_file *elf, uint64_t vaddr, uint64_t *off)
{
	size_t i;

	for (i = 0; i < elf->segment_cnt; i++) {
		const struct elf_segment *seg = &elf->segments[i];

		if (vaddr >= seg->vaddr && vaddr - seg->vaddr < seg->filesz) {
			*off = vaddr - seg->vaddr + seg->off;
			return true;
		}
	}
	return false;
}

/*
 * Goes on from instruction to instruction in the bytes of the address *at, until the next one would
 * be behind them, or behind `to`. false: one is not known.
 */
static bool walk_chunk(const uint8_t *bytes, size_t sz, uint64_t *at, uint64_t to)
{
	size_t len, pos = 0;
	uint32_t flags;

	while (*at < to && sz - pos >= X86_INSN_MAX_SZ) {
		len = x86_insn__length(bytes + pos, sz - pos, true, &flags);
		if (!len)
			return false;
		if (*at + len > to)
			return true;
		*at += len;
		pos += len;
	}
	return true;
}

static bool within_x86_64(const struct elf_file *elf, uint64_t at, uint64_t vaddr, uint64_t *start)
{
	uint8_t bytes[CHUNK_SZ];
	uint64_t off, before;
	ssize_t sz;

	do {
		before = at;
		if (!code_insns__offset(elf, at, &off))
			return false;
		sz = elf_image__read(&elf->img, bytes, sizeof(bytes), off);
		if (sz < X86_INSN_MAX_SZ || !walk_chunk(bytes, (size_t)sz, &at, vaddr))
			return false;
		/* It stops where the chunk ends, or at the instruction that has the address. */
	} while (at < vaddr && at > before);
	*start = at;
	return at < vaddr;
}

bool code_insns__within(const struct elf_file *elf, uint64_t begin, uint64_t vaddr, uint64_t *start)
{
	if (elf->machine == EM_AARCH64) {
		*start = vaddr & ~3ull;
		return vaddr != *start;
	}
	if (elf->machine != EM_X86_64 || vaddr <= begin || vaddr - begin > WALK_MAX)
		return false;
	return within_x86_64(elf, begin, vaddr, start);
}
