// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "lang/elf_bytes.h"
#include "util/fs.h"

#include <unistd.h>

#include <gelf.h>

size_t elf_bytes__read(Elf *elf, int fd, uint64_t addr, void *buf, size_t sz)
{
	size_t cnt, i;
	GElf_Phdr ph;
	ssize_t n;

	if (elf_getphdrnum(elf, &cnt))
		return 0;
	for (i = 0; i < cnt && gelf_getphdr(elf, (int)i, &ph); i++) {
		if (ph.p_type != PT_LOAD || addr < ph.p_vaddr || addr - ph.p_vaddr >= ph.p_filesz)
			continue;
		if (sz > ph.p_filesz - (addr - ph.p_vaddr))
			sz = ph.p_filesz - (addr - ph.p_vaddr);
		n = fs__pread(fd, buf, sz, (off_t)(ph.p_offset + (addr - ph.p_vaddr)));
		return n > 0 ? (size_t)n : 0;
	}
	return 0;
}

bool elf_bytes__base(Elf *elf, uint64_t *base)
{
	size_t cnt, i;
	GElf_Phdr ph;

	if (elf_getphdrnum(elf, &cnt))
		return false;
	for (i = 0; i < cnt && gelf_getphdr(elf, (int)i, &ph); i++) {
		if (ph.p_type != PT_LOAD || !(ph.p_flags & PF_X))
			continue;
		*base = ph.p_vaddr - ph.p_offset;
		return true;
	}
	return false;
}
