// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dwarf_file.h"

#include <dwarf.h>
#include <errno.h>
#include <gelf.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sym/elf_file.h"
#include "sym/dwarf_inlines.h"
#include "unwind/elf_open.h"

/* Nearly all lists of locations are shorter, in bytes. */
#define LIST_SZ (64u << 10)
/* Compressed sections with variables are inflated up to this size. */
#define VARIABLES_READ_MAX (512u << 20)

/* True if libdw takes this section for `what`: it knows some prefixes, and the suffix ".dwo". */
static bool is_section(const char *name, const char *what)
{
	const char *at = strstr(name, what);

	return at && (!at[strlen(what)] || at[strlen(what)] == '.');
}

/* Inlined functions are found and named without these sections, variables without a few. */
static bool is_unused(const char *name, enum dwarf_part parts)
{
	/* The first two are of no use at all, the last one is needed for lines, too. */
	static const char *const unused[] = { "debug_macinfo", "debug_macro",    "debug_frame",
					      "debug_loc",     "debug_loclists", "debug_line" };
	static const size_t cnts[] = {
		[DWARF_NAMES] = 6, [DWARF_NAMES_AND_LINES] = 5, [DWARF_ALL] = 2
	};
	size_t i;

	for (i = 0; i < cnts[parts]; i++)
		if (is_section(name, unused[i]))
			return true;
	return false;
}

/*
 * libdw inflates each section that it knows when it opens a file (check_section() of elfutils
 * 0.188), half of which are of no use here, but leaves out those that have no bits.
 */
static void hide_unused(Elf *elf, enum dwarf_part parts)
{
	struct elf_sections s = elf_sections__of(elf);

	while (elf_sections__next(&s)) {
		if (!is_unused(s.name, parts))
			continue;
		s.sh.sh_type = SHT_NOBITS;
		gelf_update_shdr(s.scn, &s.sh);
	}
}

/*
 * Total size of all debug sections that are read, uncompressed; SIZE_MAX if a section states an
 * impossible size.
 */
static size_t debug_sz(const struct elf_file *file, enum dwarf_part parts, bool *is_packed)
{
	size_t sum = 0, i;

	*is_packed = false;
	for (i = 1; i < file->section_cnt; i++) {
		const struct elf_section *s = &file->sections[i];
		uint64_t sz;

		if (s->type == SHT_NOBITS || strncmp(s->name, ".debug_", 7) ||
		    is_unused(s->name, parts))
			continue;
		if (s->flags & SHF_COMPRESSED)
			*is_packed = true;
		if (!elf_section__data_sz(elf_getscn(file->elf, i), s->flags, s->sz, &sz) ||
		    sz > SIZE_MAX / 2 - sum)
			return SIZE_MAX;
		sum += sz;
	}
	return sum;
}

/*
 * A user that can write to a file can truncate it, and reading its mapping would then kill the
 * reader.
 */
static bool is_roots(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_uid == 0 && !(st.st_mode & 022);
}

static bool is_strings(const char *name)
{
	return is_section(name, "debug_str") || is_section(name, "debug_line_str");
}

static bool is_dies(const char *name)
{
	return is_section(name, "debug_info") || is_section(name, "debug_types");
}

static bool add_tail(struct dwarf_file *file, const char *from, const char *to)
{
	if (file->tail_cnt == DWARF_TAILS_MAX)
		return false;
	file->tails[file->tail_cnt++] = (struct dwarf_tail){ from, to };
	return true;
}

/*
 * libdw (0.188) reads strings past the end of a section if the last one is not terminated. String
 * tables must end with a NUL; a section of DIEs may end in a number, so its texts are checked one
 * by one.
 */
static bool find_tails(struct dwarf_file *file)
{
	struct elf_sections s = elf_sections__of(file->elf);

	if (!s.elf)
		return false;
	while (elf_sections__next(&s)) {
		const char *from, *to;
		Elf_Data *data;

		if (!is_strings(s.name) && !is_dies(s.name))
			continue;
		data = elf_rawdata(s.scn, NULL);
		/* A NUL follows a section that is inflated step by step. */
		if (!data || !data->d_buf || !data->d_size || data->d_buf == file->info.data ||
		    data->d_buf == file->entries.data)
			continue;
		to = (char *)data->d_buf + data->d_size;
		for (from = to; from > (char *)data->d_buf && from[-1]; from--)
			;
		if (is_strings(s.name) ? from < to : !add_tail(file, from, to))
			return false;
	}
	return true;
}

const char *dwarf_file__text(const struct dwarf_file *file, const char *text)
{
	size_t i;

	for (i = 0; i < file->tail_cnt; i++) {
		const struct dwarf_tail *t = &file->tails[i];

		if (text >= t->from && text < t->to)
			return NULL;
		/*
		 * Reading stops at the end of a section that was read by itself; in a mapped file
		 * the next section follows.
		 */
		if (text == t->to && file->mem_sz)
			return NULL;
	}
	return text;
}

/* libdw takes about a fifth longer for .debug_info, and inflates all others, too. */
static void replace_late(struct dwarf_file *file)
{
	static const char *const names[DWARF_LATE_CNT] = { ".debug_line", ".debug_loc",
							   ".debug_loclists" };
	int i;

	for (i = 0; i < DWARF_LATE_CNT; i++)
		dwarf_info__replace(&file->late[i], file->elf, names[i]);
	dwarf_info__replace(&file->entries, file->elf, ".debug_info");
	/* Damaged bytes are zero, which is no unit. */
	dwarf_info__inflate(&file->entries, UINT64_MAX);
}

int dwarf_file__open(struct dwarf_file *file, int fd, int alt_fd, enum dwarf_part parts)
{
	struct elf_image img = { .fd = fd };
	struct elf_file headers;
	bool has_dwarf, is_packed;
	/* One request alone looks at variables: a file that is truncated then ends no other. */
	bool may_map = parts == DWARF_ALL || is_roots(fd);
	size_t sz, max = parts == DWARF_ALL ? VARIABLES_READ_MAX : INLINES_READ_MAX;

	*file = (struct dwarf_file){ 0 };
	if (elf_file__open(&headers, &img))
		return -ENOEXEC;
	has_dwarf = headers.has_dwarf;
	sz = debug_sz(&headers, parts, &is_packed);
	elf_file__close(&headers);
	if (!has_dwarf)
		return -ENOEXEC;
	if ((is_packed || !may_map) && sz > max)
		return -EFBIG;
	file->elf = elf_open(fd, may_map ? ELF_C_READ_MMAP_PRIVATE : ELF_C_READ);
	file->mem_sz = is_packed || !may_map ? sz : 0;
	if (file->elf) {
		hide_unused(file->elf, parts);
		/* Variables are looked for in all units. */
		if (parts == DWARF_ALL)
			replace_late(file);
		else
			dwarf_info__replace(&file->info, file->elf, ".debug_info");
		file->dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
	}
	/* libdw would open the file itself, which no reader can. */
	if (file->dwarf && alt_fd >= 0) {
		file->alt = dwarf_begin(alt_fd, DWARF_C_READ);
		if (file->alt)
			dwarf_setalt(file->dwarf, file->alt);
	}
	if (!file->dwarf || !find_tails(file)) {
		dwarf_file__close(file);
		return -ENOEXEC;
	}
	/* dwarf_begin_elf() has read all sections: the descriptor is no longer needed. */
	elf_cntl(file->elf, ELF_C_FDDONE);
	return 0;
}

int dwarf_file__inflate(struct dwarf_file *file, uint64_t sz)
{
	return dwarf_info__inflate(&file->info, sz);
}

/* The number that an attribute has as an offset in a section; false: it has none. */
static bool offset_of(Dwarf_Attribute *attr, Dwarf_Word *off)
{
	unsigned int form = attr ? dwarf_whatform(attr) : 0;

	return (form == DW_FORM_sec_offset || form == DW_FORM_data4 || form == DW_FORM_data8) &&
	       !dwarf_formudata(attr, off);
}

void dwarf_file__need_lines(struct dwarf_file *file, Dwarf_Die *unit)
{
	struct dwarf_info *lines = &file->late[DWARF_LATE_LINES];
	Dwarf_Attribute attr;
	uint32_t len = 0;
	Dwarf_Word off;

	if (!lines->data)
		return;
	/* A table begins with its length; longer ones than this are of 64 bits. */
	if (unit && unit->addr && offset_of(dwarf_attr(unit, DW_AT_stmt_list, &attr), &off) &&
	    off < lines->sz && !dwarf_info__inflate(lines, off + sizeof(len)) &&
	    lines->sz - off >= sizeof(len)) {
		memcpy(&len, lines->data + off, sizeof(len));
		if (len < UINT32_MAX && !dwarf_info__inflate(lines, off + sizeof(len) + len))
			return;
	}
	dwarf_info__inflate(lines, UINT64_MAX);
}

bool dwarf_file__need_locs(struct dwarf_file *file, Dwarf_Attribute *attr, bool all)
{
	bool was_whole = true;
	Dwarf_Word off;
	int i;

	if (dwarf_whatform(attr) == DW_FORM_exprloc)
		return false;
	all |= !offset_of(attr, &off);
	for (i = DWARF_LATE_LOCS; i <= DWARF_LATE_LOCLISTS; i++) {
		struct dwarf_info *locs = &file->late[i];

		was_whole &= !locs->data || locs->done == locs->sz;
		if (locs->data)
			dwarf_info__inflate(locs, all ? UINT64_MAX : off + LIST_SZ);
	}
	return !was_whole;
}

bool dwarf_file__is_plt(const struct dwarf_file *file, uint64_t vaddr)
{
	struct elf_sections s = elf_sections__of(file->elf);

	while (elf_sections__next(&s))
		if (s.sh.sh_flags & SHF_EXECINSTR && vaddr >= s.sh.sh_addr &&
		    vaddr - s.sh.sh_addr < s.sh.sh_size)
			return !strncmp(s.name, ".plt", 4);
	return false;
}

void dwarf_file__idle(const struct dwarf_file *file)
{
	size_t sz = 0;
	char *at = file->mem_sz ? NULL : elf_rawfile(file->elf, &sz);

	/*
	 * The only modified pages of this private mapping (ELF_C_READ_MMAP_PRIVATE) hold section
	 * headers, which libdw has read.
	 */
	if (at && (uintptr_t)at % (uintptr_t)sysconf(_SC_PAGESIZE) == 0)
		madvise(at, sz, MADV_DONTNEED);
}

void dwarf_file__close(struct dwarf_file *file)
{
	int i;

	dwarf_end(file->dwarf);
	dwarf_end(file->alt);
	dwarf_info__close(&file->info);
	dwarf_info__close(&file->entries);
	for (i = 0; i < DWARF_LATE_CNT; i++)
		dwarf_info__close(&file->late[i]);
	elf_end(file->elf);
	*file = (struct dwarf_file){ 0 };
}
