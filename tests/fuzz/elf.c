// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Stripped ELF files: symbols, frame information, the function table of a Go program; code, and
 * dumps of JIT compilers.
 */
#include "fuzz.h"

#include <errno.h>

#include "annotate/capstone.h"
#include "annotate/disasm.h"
#include "stripped_elf.h"
#include "sym/fdes.h"
#include "sym/go_inlines.h"
#include "sym/gopclntab.h"
#include "sym/jit_dump.h"

static void fuzz_setup(void)
{
	capstone__load();
}

static void seed(const struct stripped_elf *e, const char *what, size_t nr)
{
	char name[64];

	snprintf(name, sizeof(name), "%s.%zu", what, nr);
	fuzz_seed(name, e->data, sizeof(e->data));
}

/* A function with two lines, another one at its address, and a move. */
static void seed_dump(void)
{
	struct {
		uint32_t head[6];
		uint64_t rest[2];
		uint32_t lines[2];
		uint64_t lines_time, lines_head[2], first;
		uint32_t seven[2];
		char file[8];
		uint64_t second;
		uint32_t eight[2];
		char same[8];
		struct {
			uint32_t prefix[2];
			uint64_t time;
			uint32_t ids[2];
			uint64_t words[4];
			char name[4], code[4];
		} loads[2];
		uint32_t move[2];
		uint64_t move_time;
		uint32_t move_ids[2];
		uint64_t move_words[5];
	} d = {
		.head = { 0x4a695444, 1, 40, 62, 0, 7 },
		.rest = { 1, 0 },
		.lines = { 2, 80 },
		.lines_head = { 0x1000, 2 },
		.first = 0x1000,
		.seven = { 7 },
		.file = "app.js_",
		.second = 0x1002,
		.eight = { 8 },
		.same = "\xff",
		.loads = { { { 0, 64 }, 5, { 7, 7 }, { 0x1000, 0x1000, 4, 1 }, "one", "cod" },
			   { { 0, 64 }, 9, { 7, 7 }, { 0x1000, 0x1000, 4, 2 }, "two", "cod" } },
		.move = { 1, 64 },
		.move_time = 11,
		.move_words = { 0x2000, 0x1000, 0x2000, 4, 1 },
	};

	fuzz_seed("dump", &d, sizeof(d));
}

static void fuzz_seeds(void)
{
	static struct stripped_elf e;
	size_t kind, layout;

	seed_dump();

	for (kind = 0; kind < 4; kind++) {
		e.is64 = kind & 1;
		e.is_big = kind & 2;
		stripped_elf__make_fdes(&e, DW_EH_PE_pcrel | DW_EH_PE_sdata4);
		seed(&e, "relative", kind);
		stripped_elf__make_fdes(&e, DW_EH_PE_absptr);
		seed(&e, "absolute", kind);
		stripped_elf__make_fde_header(&e);
		seed(&e, "header", kind);
		for (layout = 0; layout < 4; layout++) {
			stripped_elf__make_go(&e, layout, STRIPPED_BASE + STRIPPED_TEXT);
			seed(&e, "go", kind * 4 + layout);
		}
		stripped_elf__make_go(&e, 3, 0);
		seed(&e, "go-entry", kind);
	}
}

/* Every function is found by its first byte, and ends before the address space does. */
static void check_table(const struct symtab *tab)
{
	size_t i;

	for (i = 0; i < tab->cnt; i++) {
		const struct symtab_entry *e = &tab->entries[i];

		fuzz_check(!e->sz || symtab__find(tab, e->addr) == e);
		fuzz_check(!i || e[-1].addr < e->addr);
	}
}

static void read_names(struct elf_syms *syms, const struct elf_image *img)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; i < syms->tab.cnt && i < 1000; i++) {
		strbuf__reset(&sb);
		elf_syms__put_name(syms, &syms->tab.entries[i], img, &sb);
		fuzz_check(sb.len <= SYM_NAME_MAX_SZ);
	}
	strbuf__free(&sb);
}

/* The file's bytes as code, from the middle on; and the file as an answer. */
static void disassemble(const uint8_t *data, size_t sz)
{
	const struct disasm_request r = { .off = sz / 2, .sz = 64, .addr = 0x1000 };
	struct reader_request req = { .fd_cnt = 0 };
	struct strbuf body = STRBUF_INIT, answer = STRBUF_INIT;
	struct disasm d;
	size_t i, len = 0;

	strbuf__add(&body, &r, sizeof(r));
	strbuf__add(&body, data, sz);
	req.body = strbuf__cstr(&body);
	req.sz = body.len;
	if (!disasm_op.run(&req, &answer)) {
		fuzz_check(!disasm__take(&d, answer.buf, answer.len));
		for (i = 0; i < d.cnt; i++)
			len += d.insns[i].len;
		fuzz_check(d.cnt && len <= sz);
		disasm__free(&d);
	}
	disasm__take(&d, (const char *)data, sz);
	disasm__free(&d);
	strbuf__free(&body);
	strbuf__free(&answer);
}

static void check_dump(struct jit_dump *d)
{
	struct elf_syms syms = { .cut = false };
	uint64_t off;
	size_t i;

	for (i = 0; d && i < d->load_cnt && i < 100; i++)
		if (jit_dump__find(d, d->loads[i].addr, d->loads[i].time_ns, &off))
			jit_dump__line(d, d->loads[i].off, d->loads[i].sz, off);
	if (d) {
		fuzz_check(!jit_dump__syms(d, &syms));
		check_table(&syms.tab);
	}
	elf_syms__free(&syms);
	jit_dump__free(d);
}

/* The file as a dump, and as a reader's answer. */
static void read_dump(const uint8_t *data, size_t sz)
{
	struct reader_request req = { .body = (const char *)data, .sz = sz };
	struct strbuf answer = STRBUF_INIT;
	struct jit_dump *d;

	if (!jit_dump_op.run(&req, &answer)) {
		d = jit_dump__take(answer.buf, answer.len);
		fuzz_check(d);
		check_dump(d);
	}
	check_dump(jit_dump__take((const char *)data, sz));
	strbuf__free(&answer);
}

static void read_go(const struct elf_image *img)
{
	struct inline_frame frames[INLINE_FRAMES_MAX];
	struct inline_entries entries;
	struct go_inlines *g = go_inlines__open(img, true);
	uint64_t addr;
	size_t cnt;

	for (addr = 0; g && addr < 64; addr++) {
		cnt = go_inlines__find(g, STRIPPED_BASE + STRIPPED_TEXT + addr, frames,
				       INLINE_FRAMES_MAX, &entries);
		fuzz_check(cnt <= INLINE_FRAMES_MAX);
	}
	go_inlines__close(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	struct elf_image img = { .fd = -1, .sz = sz };
	struct elf_syms syms = { 0 };
	struct symtab fdes = { 0 };
	struct elf_file file;

	img.mem = malloc(sz + !sz);
	memcpy(img.mem, data, sz);
	if (!elf_file__open(&file, &img)) {
		fuzz_check(!fdes__read(&fdes, &file));
		fuzz_check(!elf_syms__add_file(&syms, &file));
		fuzz_check(!gopclntab__add(&syms, &file));
		elf_syms__finish(&syms, &file);
		check_table(&fdes);
		check_table(&syms.tab);
		read_names(&syms, &img);
		elf_syms__free(&syms);
		symtab__free(&fdes);
		elf_file__close(&file);
	}
	read_go(&img);
	free(img.mem);
	disassemble(data, sz);
	read_dump(data, sz);
	return 0;
}
