// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Files whose headers claim more sections than libelf should be asked about. */
#include "unwind/elf_open.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"

#define SECTIONS_OFF 4096

/* A sparse file in memory, as long as the headers of all its sections would be. */
static int make(const void *eh, size_t eh_sz, const void *sh, size_t sh_sz)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);

	if (ftruncate(fd, 1 << 30) || pwrite(fd, eh, eh_sz, 0) != (ssize_t)eh_sz ||
	    pwrite(fd, sh, sh_sz, SECTIONS_OFF) != (ssize_t)sh_sz)
		exit(1);
	return fd;
}

/* A file with a header, and with section 0, which has the number of sections. */
static int make64(unsigned int e_shnum, uint64_t in_section, bool swapped)
{
	Elf64_Ehdr eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			  .e_type = ET_DYN,
			  .e_machine = EM_X86_64,
			  .e_version = EV_CURRENT,
			  .e_shoff = SECTIONS_OFF,
			  .e_shnum = (uint16_t)e_shnum,
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_ehsize = sizeof(eh) };
	Elf64_Shdr sh = { .sh_size = in_section };

	if (swapped) {
		eh.e_ident[EI_DATA] = ELFDATA2MSB;
		eh.e_type = __builtin_bswap16(eh.e_type);
		eh.e_machine = __builtin_bswap16(eh.e_machine);
		eh.e_version = __builtin_bswap32(eh.e_version);
		eh.e_shoff = __builtin_bswap64(eh.e_shoff);
		eh.e_shnum = __builtin_bswap16(eh.e_shnum);
		eh.e_shentsize = __builtin_bswap16(eh.e_shentsize);
		eh.e_ehsize = __builtin_bswap16(eh.e_ehsize);
		sh.sh_size = __builtin_bswap64(sh.sh_size);
	}
	return make(&eh, sizeof(eh), &sh, sizeof(sh));
}

static int make32(uint32_t in_section)
{
	Elf32_Ehdr eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
			  .e_type = ET_DYN,
			  .e_machine = EM_386,
			  .e_version = EV_CURRENT,
			  .e_shoff = SECTIONS_OFF,
			  .e_shentsize = sizeof(Elf32_Shdr),
			  .e_ehsize = sizeof(eh) };
	Elf32_Shdr sh = { .sh_size = in_section };

	return make(&eh, sizeof(eh), &sh, sizeof(sh));
}

static void check(int fd, bool opens, const char *what)
{
	Elf *elf = elf_open(fd, ELF_C_READ);

	ok(!!elf == opens, "%s: libelf is %s", what, opens ? "asked" : "not asked");
	elf_end(elf);
	close(fd);
}

int main(void)
{
	check(open("/proc/self/exe", O_RDONLY | O_CLOEXEC), true, "this program");
	check(make64(41, 0, false), true, "41 sections");
	check(make64(0, ELF_MAX_SECTIONS, false), true, "as many sections as there may be");
	check(make64(0, ELF_MAX_SECTIONS + 1, false), false, "one section more");
	check(make64(60013, 0, false), false, "60,013 sections in the header");
	check(make64(0, 10000019, false), false, "10,000,019 sections");
	check(make64(0, 10000019, true), false, "10,000,019 sections of the other byte order");
	check(make32(10000019), false, "10,000,019 sections of 32 bits");
	return done_testing();
}
