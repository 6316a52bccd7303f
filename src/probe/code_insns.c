// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/code_insns.h"

#include <elf.h>
#include <string.h>

#include "probe/refused.h"
#include "util/x86_insn.h"

/* A function is not longer. */
#define WALK_MAX (1u << 20)
#define CHUNK_SZ 4096u

bool code_insns__offset(const struct elf_file *elf, uint64_t vaddr, uint64_t *off)
{
	size_t i;

	for (i = 0; i < elf->segment_cnt; i++) {
		const struct elf_segment *seg = &elf->segments[i];

		if (seg->is_code && vaddr >= seg->vaddr && vaddr - seg->vaddr < seg->filesz) {
			*off = vaddr - seg->vaddr + seg->off;
			return true;
		}
	}
	return false;
}

size_t code_insns__read(const struct elf_file *elf, uint64_t vaddr, uint8_t *bytes, size_t sz)
{
	uint64_t off;
	ssize_t got = 0;

	if (code_insns__offset(elf, vaddr, &off))
		got = elf_image__read(&elf->img, bytes, sz, off);
	return got > 0 ? (size_t)got : 0;
}

bool code_insns__refused(const struct elf_file *elf, uint64_t vaddr)
{
	uint8_t insn[REFUSED_INSN_SZ];

	return elf->machine == EM_X86_64 &&
	       refused__x86_64(insn, code_insns__read(elf, vaddr, insn, sizeof(insn))) !=
		       REFUSED_NOT;
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
	uint64_t before;
	size_t sz;

	do {
		before = at;
		sz = code_insns__read(elf, at, bytes, sizeof(bytes));
		if (sz < X86_INSN_MAX_SZ || !walk_chunk(bytes, sz, &at, vaddr))
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

/* The target of the branch at `at`, or `at` where the instruction is none with a target. */
static uint64_t target_x86(const uint8_t *insn, size_t len, uint64_t at, uint32_t flags)
{
	int32_t rel = 0;
	size_t i;

	/* Calls do not count; branches without a target of their own are returns, or have ModRM. */
	if (!(flags & (X86_INSN_BRANCH | X86_INSN_CONDITIONAL)) || flags & X86_INSN_CALL)
		return at;
	if (insn[0] == 0xeb || insn[0] >> 4 == 7 || (insn[0] >= 0xe0 && insn[0] <= 0xe3))
		return at + len + (uint64_t)(int64_t)(int8_t)insn[len - 1];
	if (insn[0] != 0xe9 && insn[0] != 0x0f && insn[0] != 0xf2)
		return at;
	for (i = 0; i < 4 && len > 4; i++)
		rel |= (int32_t)((uint32_t)insn[len - 4 + i] << 8 * i);
	return at + len + (uint64_t)(int64_t)rel;
}

static int64_t sign_extended(uint32_t insn, unsigned int from, unsigned int bits)
{
	return (int32_t)(insn << (32 - bits - from)) >> (32 - bits);
}

/* The target of a branch of arm64 (its Architecture Reference Manual, C4.1: branches). */
static uint64_t target_arm64(uint32_t insn, uint64_t at)
{
	int64_t words = 0;

	if ((insn & 0xfc000000) == 0x14000000)
		words = sign_extended(insn, 0, 26);
	else if ((insn & 0xff000000) == 0x54000000 || (insn & 0x7e000000) == 0x34000000)
		words = sign_extended(insn, 5, 19);
	else if ((insn & 0x7e000000) == 0x36000000)
		words = sign_extended(insn, 5, 14);
	return at + (uint64_t)(words * 4);
}

/*
 * Looks at the branches in the bytes of the address *at. Returns whether one leads to vaddr, or an
 * instruction is not known.
 */
static bool chunk_reaches(const struct elf_file *elf, const uint8_t *bytes, size_t sz, uint64_t *at,
			  uint64_t end, uint64_t vaddr)
{
	const size_t least = elf->machine == EM_AARCH64 ? 4 : X86_INSN_MAX_SZ;
	const bool is_last = end - *at <= sz;
	uint64_t target;
	uint32_t flags, insn;
	size_t len, pos = 0;

	while (*at < end && (is_last || sz - pos >= least)) {
		if (elf->machine == EM_AARCH64) {
			if (sz - pos < sizeof(insn))
				return true;
			memcpy(&insn, bytes + pos, sizeof(insn));
			target = target_arm64(insn, *at);
			len = sizeof(insn);
		} else {
			len = x86_insn__length(bytes + pos, sz - pos, elf->machine == EM_X86_64,
					       &flags);
			if (!len)
				return true;
			target = target_x86(bytes + pos, len, *at, flags);
		}
		if (target == vaddr && target != *at)
			return true;
		*at += len;
		pos += len;
	}
	return false;
}

bool code_insns__may_reach(const struct elf_file *elf, uint64_t begin, uint64_t end, uint64_t vaddr)
{
	uint8_t bytes[CHUNK_SZ];
	uint64_t at = begin;
	size_t sz;

	if (end < begin || end - begin > WALK_MAX)
		return true;
	while (at < end) {
		sz = code_insns__read(elf, at, bytes, sizeof(bytes));
		if (!sz || (sz < sizeof(bytes) && sz < end - at) ||
		    chunk_reaches(elf, bytes, sz, &at, end, vaddr))
			return true;
	}
	return false;
}
