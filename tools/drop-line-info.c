// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * drop-line-info OBJECT: takes the line information, a record and a line of source text for each
 * instruction, out of a BPF object. It serves nothing but the log of a verifier that refuses a
 * program, and is a third of the object, of which the kernel checks and keeps a copy with each
 * program. What CO-RE needs stays. The text goes when the object is linked (bpftool gen object),
 * which takes over what is referred to.
 *
 * The layout of .BTF.ext: Documentation/bpf/btf.rst of the kernel, "4.2 .BTF.ext section".
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BTF_MAGIC 0xeb9f

struct part {
	uint32_t off; /* from the end of the header */
	uint32_t len;
};

struct btf_ext_header {
	uint16_t magic; /* in the byte order of the object, which is to be that of this machine */
	uint8_t version;
	uint8_t flags;
	uint32_t hdr_len;
	struct part func_info, line_info, core_relo;
};

static Elf_Scn *find_section(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr shdr;
		const char *at =
			gelf_getshdr(scn, &shdr) ? elf_strptr(elf, names, shdr.sh_name) : NULL;

		if (at && strcmp(at, name) == 0)
			return scn;
	}
	return NULL;
}

/* Is the section long enough for what its header says? */
static int is_whole(const Elf_Data *data)
{
	const struct btf_ext_header *hdr = data->d_buf;
	const struct part *lines = &hdr->line_info, *relos = &hdr->core_relo;

	return data->d_size >= sizeof(*hdr) && hdr->magic == BTF_MAGIC &&
	       hdr->hdr_len >= sizeof(*hdr) && hdr->hdr_len <= data->d_size &&
	       (uint64_t)lines->off + lines->len <= relos->off &&
	       (uint64_t)hdr->hdr_len + relos->off + relos->len == data->d_size;
}

/* The relocations, which follow the lines, move up to the place of the lines. */
static void drop_lines(Elf_Data *data)
{
	struct btf_ext_header *hdr = data->d_buf;
	unsigned char *parts = (unsigned char *)data->d_buf + hdr->hdr_len;
	uint32_t cut = hdr->core_relo.off - hdr->line_info.off;

	memmove(parts + hdr->line_info.off, parts + hdr->core_relo.off, hdr->core_relo.len);
	hdr->line_info.len = 0;
	hdr->core_relo.off = hdr->line_info.off;
	data->d_size -= cut;
	elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
}

int main(int argc, char **argv)
{
	Elf_Data *data = NULL;
	Elf_Scn *scn;
	Elf *elf;
	int fd;

	if (argc != 2) {
		fprintf(stderr, "usage: drop-line-info OBJECT\n");
		return 2;
	}
	elf_version(EV_CURRENT);
	fd = open(argv[1], O_RDWR);
	elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_RDWR, NULL);
	scn = elf ? find_section(elf, ".BTF.ext") : NULL;
	if (scn)
		data = elf_getdata(scn, NULL);
	if (!data || !is_whole(data)) {
		fprintf(stderr, "drop-line-info: %s: no .BTF.ext of this machine's byte order\n",
			argv[1]);
		return 1;
	}
	drop_lines(data);
	if (elf_update(elf, ELF_C_WRITE) < 0) {
		fprintf(stderr, "drop-line-info: %s: %s\n", argv[1], elf_errmsg(-1));
		return 1;
	}
	elf_end(elf);
	return close(fd) ? 1 : 0;
}
