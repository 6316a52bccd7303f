// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/usdt.h"

#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/elf_open.h"

#define NOTE_TYPE 3
#define NOTE_OWNER "stapsdt"

/* The file while its notes are read. */
struct notes {
	Elf *elf;
	uint64_t
		base; /* address of the section .stapsdt.base: how far prelink has moved the file */
	int (*fn)(void *ctx, const struct usdt_note *note);
	void *ctx;
};

static uint64_t file_offset(Elf *elf, uint64_t vaddr)
{
	size_t cnt, i;
	GElf_Phdr ph;

	if (elf_getphdrnum(elf, &cnt))
		return 0;
	for (i = 0; i < cnt; i++)
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD && vaddr >= ph.p_vaddr &&
		    vaddr - ph.p_vaddr < ph.p_filesz)
			return vaddr - ph.p_vaddr + ph.p_offset;
	return 0;
}

/* Takes a text of the note; NULL: it does not end. */
static const char *take_text(const char **at, const char *end)
{
	const char *text = *at, *nul = memchr(text, '\0', (size_t)(end - text));

	*at = nul ? nul + 1 : end;
	return nul ? text : NULL;
}

static int report(struct notes *n, const char *desc, size_t sz)
{
	size_t addr_sz = gelf_getclass(n->elf) == ELFCLASS64 ? 8 : 4;
	const char *at = desc + 3 * addr_sz, *end = desc + sz;
	uint64_t addrs[3] = { 0 }; /* the probe, the section's address, the semaphore */
	struct usdt_note note;
	size_t i;

	if (sz < 3 * addr_sz)
		return 0;
	for (i = 0; i < 3; i++)
		memcpy(&addrs[i], desc + i * addr_sz, addr_sz);
	note.provider = take_text(&at, end);
	note.name = take_text(&at, end);
	note.args = take_text(&at, end);
	if (!note.provider || !note.name || !note.args)
		return 0;
	note.vaddr = addrs[0] + (n->base ? n->base - addrs[1] : 0);
	note.sem_off =
		addrs[2] ? file_offset(n->elf, addrs[2] + (n->base ? n->base - addrs[1] : 0)) : 0;
	return n->fn(n->ctx, &note);
}

static int walk_section(struct notes *n, Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t off = 0, name_off, desc_off;
	GElf_Nhdr nh;
	int err = 0;

	while (data && !err && (off = gelf_getnote(data, off, &nh, &name_off, &desc_off)) > 0) {
		const char *name = (const char *)data->d_buf + name_off;

		if (nh.n_type == NOTE_TYPE && nh.n_namesz == sizeof(NOTE_OWNER) &&
		    !memcmp(name, NOTE_OWNER, sizeof(NOTE_OWNER)))
			err = report(n, (const char *)data->d_buf + desc_off, nh.n_descsz);
	}
	return err;
}

int usdt__each(int fd, int (*fn)(void *ctx, const struct usdt_note *note), void *ctx)
{
	struct notes n = { .elf = elf_open(fd, ELF_C_READ_MMAP), .fn = fn, .ctx = ctx };
	struct elf_sections s;
	int err = 0;

	if (!n.elf)
		return -ENOEXEC;
	s = elf_sections__of(n.elf);
	if (elf_sections__find(&s, ".stapsdt.base"))
		n.base = s.sh.sh_addr;
	s = elf_sections__of(n.elf);
	while (!err && elf_sections__next(&s))
		if (s.sh.sh_type == SHT_NOTE)
			err = walk_section(&n, s.scn);
	elf_end(n.elf);
	return err;
}

/* Goes behind one argument. arm64: "8@[sp, 16]" has a blank. */
static const char *skip_arg(const char *args)
{
	args += strspn(args, " ");
	while (*args && *args != ' ') {
		if (*args == '[')
			args += strcspn(args, "]");
		if (*args)
			args++;
	}
	return args + strspn(args, " ");
}

size_t usdt__arg_cnt(const char *args)
{
	size_t cnt = 0;

	for (args += strspn(args, " "); *args; args = skip_arg(args))
		cnt++;
	return cnt;
}

#if defined(__x86_64__)

/* Register names by DWARF number: of 64, 32, 16 and 8 bits. */
static const char *const names[][5] = {
	{ "rax", "eax", "ax", "al" },      { "rdx", "edx", "dx", "dl" },
	{ "rcx", "ecx", "cx", "cl" },      { "rbx", "ebx", "bx", "bl" },
	{ "rsi", "esi", "si", "sil" },     { "rdi", "edi", "di", "dil" },
	{ "rbp", "ebp", "bp", "bpl" },     { "rsp", "esp", "sp", "spl" },
	{ "r8", "r8d", "r8w", "r8b" },     { "r9", "r9d", "r9w", "r9b" },
	{ "r10", "r10d", "r10w", "r10b" }, { "r11", "r11d", "r11w", "r11b" },
	{ "r12", "r12d", "r12w", "r12b" }, { "r13", "r13d", "r13w", "r13b" },
	{ "r14", "r14d", "r14w", "r14b" }, { "r15", "r15d", "r15w", "r15b" },
	{ "rip", "eip", NULL, NULL },
};

/* Returns the DWARF number of a register for programs of 64 bits; -1: unknown. */
static int reg_number(const char *name, size_t len)
{
	size_t i, k;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (k = 0; names[i][k]; k++)
			if (strlen(names[i][k]) == len && !strncmp(names[i][k], name, len))
				return (int)i;
	return -1;
}

static bool add_register(const struct probe_regs *regs, struct steps *s, const char **at)
{
	size_t len;
	int nr, off;

	if (**at != '%')
		return false;
	len = strcspn(*at + 1, " ,)");
	nr = reg_number(*at + 1, len);
	*at += 1 + len;
	/* Numbers of i386 differ. */
	off = nr < 0 || regs->addr_sz != 8 ? -1
	      : nr == 16                   ? regs->pc_off
					   : probe_regs__off(regs, (uint64_t)nr);
	if (off < 0)
		return false;
	steps__add(s, FETCH_REG, 8, false, off);
	return true;
}

/* "%rdi", "$5", "-20(%rbp)", "8(%rax,%rdx,8)": as the assembler of x86 writes them. */
static bool parse_operand(const struct probe_regs *regs, const char *at, struct piece *p)
{
	struct steps index = { .cnt = 0 };
	int64_t disp = 0, scale = 1;
	unsigned int shift;
	char *end;

	if (*at == '$') {
		p->kind = PIECE_VALUE;
		steps__add(&p->steps, FETCH_CONST, 8, true, strtoll(at + 1, &end, 0));
		return *end == ' ' || !*end;
	}
	if (*at == '%') {
		p->kind = PIECE_VALUE;
		return add_register(regs, &p->steps, &at) && (*at == ' ' || !*at);
	}
	if (*at != '(') {
		disp = strtoll(at, &end, 0);
		if (end == at)
			return false; /* the name of a variable */
		at = end;
	}
	p->kind = PIECE_MEMORY;
	if (*at++ != '(')
		return false;
	if (memchr(at, ',', strcspn(at, ")"))) {
		const char *comma = strchr(at, ',') + 1;

		if (!add_register(regs, &index, &comma))
			return false;
		if (*comma == ',')
			scale = strtoll(comma + 1, &end, 10);
		/* x86 knows 1, 2, 4 and 8. */
		for (shift = 0; shift < 3 && 1 << shift < scale; shift++)
			;
		if (1 << shift != scale)
			return false;
		if (shift)
			steps__add(&index, FETCH_SHIFT_LEFT, 8, false, shift);
		steps__add(&index, FETCH_SAVE, 8, false, 0);
		p->steps = index;
	}
	if (!add_register(regs, &p->steps, &at))
		return false;
	if (index.cnt)
		steps__add(&p->steps, FETCH_PLUS_SAVED, 8, false, 0);
	if (disp)
		steps__add(&p->steps, FETCH_ADD, 8, false, disp);
	return true;
}

#elif defined(__aarch64__)

static bool add_register(const struct probe_regs *regs, struct steps *s, const char **at)
{
	unsigned long nr = regs->sp_reg;
	char *end;

	if (!strncmp(*at, "sp", 2)) {
		*at += 2;
	} else if (**at == 'x' || **at == 'w') {
		nr = strtoul(*at + 1, &end, 10);
		*at = end;
	} else {
		return false;
	}
	if (probe_regs__off(regs, nr) < 0)
		return false;
	steps__add(s, FETCH_REG, 8, false, probe_regs__off(regs, nr));
	return true;
}

/* "x0", "12", "[sp, 16]", "[x1]": as the assembler of arm64 writes them. */
static bool parse_operand(const struct probe_regs *regs, const char *at, struct piece *p)
{
	char *end;

	if (*at == '[') {
		at++;
		p->kind = PIECE_MEMORY;
		if (!add_register(regs, &p->steps, &at))
			return false;
		if (*at == ',') {
			at++;
			steps__add(&p->steps, FETCH_ADD, 8, false, strtoll(at, &end, 0));
			at = end;
		}
		return *at == ']';
	}
	p->kind = PIECE_VALUE;
	if (add_register(regs, &p->steps, &at))
		return true;
	steps__add(&p->steps, FETCH_CONST, 8, true, strtoll(at, &end, 0));
	return end != at;
}

#else

static bool parse_operand(const struct probe_regs *regs, const char *at, struct piece *p)
{
	return false;
}

#endif

void usdt__arg(const struct probe_regs *regs, const char *args, size_t nth, struct value *v)
{
	struct piece *p = &v->loc.pieces[0];
	long size = 8;
	char *end;

	memset(v, 0, sizeof(*v));
	v->loc.cnt = 1;
	for (args += strspn(args, " "); nth && *args; nth--)
		args = skip_arg(args);
	size = strtol(args, &end, 10);
	if (*end == '@') {
		args = end + 1;
	} else if (*end == 'f') {
		/* It is a number of floating point. */
		p->kind = PIECE_VECTOR;
		return;
	} else {
		size = 8;
	}
	v->raw_signed = size < 0;
	/* There is no other size, whatever a file says: -LONG_MIN would be none. */
	v->raw_size = 8;
	if (size == 1 || size == 2 || size == 4 || size == -1 || size == -2 || size == -4)
		v->raw_size = (uint8_t)(size < 0 ? -size : size);
	if (!parse_operand(regs, args, p))
		memset(p, 0, sizeof(*p));
}
