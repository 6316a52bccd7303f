// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "annotate/rows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/capstone.h"
#include "annotate/disasm.h"
#include "sym/jit_dump.h"
#include "sym/sym.h"
#include "util/log.h"
#include "util/path.h"
#include "util/strbuf.h"

/* The function and the line of the row before. */
struct source_pos {
	const char *func, *file;
	uint32_t line;
};

/* The place of a byte of the function. */
static uint64_t place_of(const struct annotated *f, uint64_t addr)
{
	return f->start_place + (addr - f->start_addr);
}

/* Puts the source line of an instruction, unless it is that of the instruction before it. */
static void put_source(const struct code_rows *rows, uint64_t addr, struct source_pos *pos)
{
	struct sym_frame frames[SYM_FRAMES_MAX];
	struct code_row row = { .kind = CODE_ROW_FUNC, .addr = addr };

	sym__frames(rows->sym, false, place_of(rows->f, addr), frames, SYM_FRAMES_MAX);
	if (!frames[0].file || !frames[0].line)
		return;
	row.name = frames[0].name;
	if (row.name && (!pos->func || strcmp(pos->func, row.name)))
		rows->put(rows->ctx, &row);
	if (pos->line == frames[0].line && pos->file && !strcmp(pos->file, frames[0].file) &&
	    pos->func == frames[0].name)
		return;
	*pos = (struct source_pos){ frames[0].name, frames[0].file, frames[0].line };
	row.kind = CODE_ROW_LINE;
	row.name = pos->file;
	row.line = pos->line;
	row.text = source_texts__line(rows->sources, pos->file, pos->line, &row.len);
	rows->put(rows->ctx, &row);
}

/* Names the destination of a branch or call: the last operand, if it is a bare address. */
static void add_target(const struct code_rows *rows, struct strbuf *insn)
{
	const char *text = strbuf__cstr(insn), *operand = strrchr(text, ' ');
	struct sym_result res;
	uint64_t target;
	char *end;

	operand = operand ? operand + 1 : text;
	operand += *operand == '#';
	if (strncmp(operand, "0x", 2) || !(text[0] == 'j' || text[0] == 'c' || text[0] == 'b'))
		return;
	target = strtoull(operand, &end, 16);
	if (*end || target >> 47)
		return;
	/* Functions of a JIT compiler lie elsewhere in its dump than they did in memory. */
	if (!rows->f->is_native && target - rows->f->start_addr >= rows->f->sz)
		return;
	sym__name(rows->sym, place_of(rows->f, target), &res);
	if (!res.name)
		return;
	strbuf__printf(insn, " <%s", res.name);
	if (res.off)
		strbuf__printf(insn, "+0x%llx", (unsigned long long)res.off);
	strbuf__putc(insn, '>');
}

static void put_rows(const struct code_rows *rows, const struct disasm *d)
{
	struct source_pos pos = { .func = NULL };
	struct strbuf text = STRBUF_INIT;
	size_t i;

	for (i = 0; i < d->cnt; i++) {
		const struct disasm_insn *insn = &d->insns[i];
		struct code_row row = { .kind = CODE_ROW_INSN, .addr = insn->addr };

		put_source(rows, insn->addr, &pos);
		strbuf__reset(&text);
		strbuf__puts(&text, insn->len ? d->texts.buf + insn->text : "(bad)");
		add_target(rows, &text);
		row.text = strbuf__cstr(&text);
		row.len = text.len;
		rows->put(rows->ctx, &row);
	}
	strbuf__free(&text);
}

/* Opens the bytes of a function. 0 or -ENOENT. */
static int open_code(const struct code_rows *rows, struct disasm_code *code)
{
	const struct annotated *f = rows->f;
	struct sym *sym = rows->sym;

	*code = (struct disasm_code){ .fd = -1, .addr = f->start_addr, .sz = f->sz };
	if (f->is_kernel || !f->sz)
		return -ENOENT;
	code->off = sym__file_off(f->start_place);
	code->image = sym__vdso(sym, f->start_place, &code->image_sz);
	if (!code->image)
		code->fd = sym__open_file(sym, f->start_place);
	return code->image || code->fd >= 0 ? 0 : -ENOENT;
}

void code_rows__log_missing(const struct annotated *f, int err)
{
	const char *name = f->name, *module = path__base(f->module);

	if (!capstone__is_loaded())
		log_warn("the instructions of %s are not shown, only their addresses: install "
			 "libcapstone (Debian: libcapstone4)",
			 name);
	else if (f->is_kernel)
		log_warn("the instructions of %s are not shown, only their addresses: %s is not "
			 "in a file; use perf annotate for the kernel's code",
			 name, module);
	else if (err == -ENOTSUP)
		log_warn("the instructions of %s are not shown, only their addresses: libcapstone "
			 "does not know the machine of %s; install version 5",
			 name, module);
	else if (err != -ENOENT && err != -ENOEXEC)
		log_warn("the instructions of %s are not shown, only their addresses: cannot "
			 "disassemble %s: %s",
			 name, module, strerror(-err));
	else if (!f->is_native && !jit_dump__is(f->module))
		log_warn("the instructions of %s are not shown, only their addresses: no file has "
			 "them; have the compiler write jit-PID.dump, such as `node --perf-prof`, "
			 "and record -k mono",
			 name);
	else
		log_warn("the instructions of %s are not shown, only their addresses: %s is not "
			 "there as it was recorded; give its directory by --symfs",
			 name, module);
}

/* Asks for all lines at once: one request for many is faster. */
static void announce(const struct code_rows *rows, const struct disasm *d)
{
	size_t i;

	for (i = 0; i < d->cnt; i++)
		sym__will_name(rows->sym, place_of(rows->f, d->insns[i].addr));
}

int code_rows__each(const struct code_rows *rows)
{
	struct disasm_code code;
	struct disasm d = { .cnt = 0 };
	int err = capstone__is_loaded() ? open_code(rows, &code) : -ENOTSUP;

	if (!err) {
		err = disasm__read(&d, &code);
		if (code.fd >= 0)
			close(code.fd);
	}
	if (!err) {
		announce(rows, &d);
		if (code.sz > DISASM_MAX_SZ)
			log_warn("%s is cut after %u KiB", rows->f->name, DISASM_MAX_SZ >> 10);
		put_rows(rows, &d);
	}
	disasm__free(&d);
	return err;
}
