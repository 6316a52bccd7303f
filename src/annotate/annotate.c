// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "annotate/annotate.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/capstone.h"
#include "annotate/disasm.h"
#include "sym/jit_dump.h"
#include "sym/sym.h"
#include "util/log.h"
#include "util/path.h"

#define NO_SHARE "         :"

struct printer {
	const struct annotate_config *cfg;
	const struct annotated *f;
	struct strbuf *out;
	/* The function and the line printed last. */
	const char *func, *file;
	uint32_t line;
};

static void put_head(const struct printer *p, const char *event)
{
	const char *module = path__base(p->f->module);
	size_t start = p->out->len, width;

	strbuf__puts(p->out, p->cfg->by_samples ? " Samples" : " Percent");
	strbuf__puts(p->out, " |\tSource code & Disassembly of ");
	strbuf__put_escaped(p->out, module, strlen(module));
	strbuf__puts(p->out, " for ");
	strbuf__put_escaped(p->out, event, strlen(event));
	strbuf__printf(p->out, " (%llu samples, percent: local period)\n",
		       (unsigned long long)p->f->samples);
	for (width = p->out->len - start - 1; width; width--)
		strbuf__putc(p->out, '-');
	strbuf__printf(p->out, "\n" NO_SHARE "\n" NO_SHARE " %016llx <",
		       (unsigned long long)p->f->start_addr);
	strbuf__put_escaped(p->out, p->f->name, strlen(p->f->name));
	strbuf__puts(p->out, ">:\n");
}

static void put_share(const struct printer *p, uint64_t samples, uint64_t period)
{
	if (p->cfg->by_samples)
		strbuf__printf(p->out, "%8llu :", (unsigned long long)samples);
	else
		strbuf__printf(p->out, "%8.2f :",
			       p->f->period ? 100.0 * (double)period / (double)p->f->period : 0.0);
}

/* The place of a byte of the function. */
static uint64_t place_of(const struct annotated *f, uint64_t addr)
{
	return f->start_place + (addr - f->start_addr);
}

/* Prints the source line of an instruction, unless it is that of the instruction before it. */
static void put_source(struct printer *p, uint64_t addr)
{
	struct sym_frame frames[SYM_FRAMES_MAX];
	const char *text;
	size_t len;

	sym__frames(p->cfg->sym, false, place_of(p->f, addr), frames, SYM_FRAMES_MAX);
	if (!frames[0].file || !frames[0].line)
		return;
	if (frames[0].name && (!p->func || strcmp(p->func, frames[0].name))) {
		strbuf__puts(p->out, NO_SHARE " ");
		strbuf__put_escaped(p->out, frames[0].name, strlen(frames[0].name));
		strbuf__puts(p->out, strchr(frames[0].name, '(') ? ":\n" : "():\n");
	}
	if (p->line == frames[0].line && p->file && !strcmp(p->file, frames[0].file) &&
	    p->func == frames[0].name)
		return;
	p->func = frames[0].name;
	p->file = frames[0].file;
	p->line = frames[0].line;
	text = source_texts__line(p->cfg->sources, p->file, p->line, &len);
	if (text) {
		strbuf__printf(p->out, NO_SHARE " %-5u", p->line);
		/* A tab is no control character here. */
		for (; len && *text == '\t'; text++, len--)
			strbuf__puts(p->out, "    ");
		strbuf__put_escaped(p->out, text, len);
	} else {
		strbuf__puts(p->out, NO_SHARE " ");
		strbuf__put_escaped(p->out, p->file, strlen(p->file));
		strbuf__printf(p->out, ":%u", p->line);
	}
	strbuf__putc(p->out, '\n');
}

/* Names the destination of a branch or call: the last operand, if it is a bare address. */
static void put_target(const struct printer *p, const char *text)
{
	const char *operand = strrchr(text, ' ');
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
	if (!p->f->is_native && target - p->f->start_addr >= p->f->sz)
		return;
	sym__name(p->cfg->sym, place_of(p->f, target), &res);
	if (!res.name)
		return;
	strbuf__puts(p->out, " <");
	strbuf__put_escaped(p->out, res.name, strlen(res.name));
	if (res.off)
		strbuf__printf(p->out, "+0x%llx", (unsigned long long)res.off);
	strbuf__putc(p->out, '>');
}

/* Prints the counts of addresses before `end` at which no instruction begins. Returns the next. */
static size_t put_between(const struct printer *p, size_t i, uint64_t end)
{
	const struct annotated *f = p->f;

	for (; i < f->addr_cnt && f->addrs[i].place < end; i++) {
		put_share(p, f->addrs[i].samples, f->addrs[i].period);
		strbuf__printf(
			p->out, "   %llx:\n",
			(unsigned long long)(f->start_addr + f->addrs[i].place - f->start_place));
	}
	return i;
}

static void put_insns(struct printer *p, const struct disasm *d)
{
	const struct annotated *f = p->f;
	const char *text;
	size_t i, at = 0;

	for (i = 0; i < d->cnt; i++) {
		const struct disasm_insn *insn = &d->insns[i];
		uint64_t place = place_of(f, insn->addr);
		bool has_samples;

		at = put_between(p, at, place);
		has_samples = at < f->addr_cnt && f->addrs[at].place == place;
		put_source(p, insn->addr);
		put_share(p, has_samples ? f->addrs[at].samples : 0,
			  has_samples ? f->addrs[at].period : 0);
		at += has_samples;
		text = insn->len ? d->texts.buf + insn->text : "(bad)";
		strbuf__printf(p->out, "   %llx:   ", (unsigned long long)insn->addr);
		strbuf__put_escaped(p->out, text, strlen(text));
		put_target(p, text);
		strbuf__putc(p->out, '\n');
	}
	put_between(p, at, UINT64_MAX);
}

/* Opens the bytes of a function. 0 or -ENOENT. */
static int open_code(const struct printer *p, struct disasm_code *code)
{
	const struct annotated *f = p->f;
	struct sym *sym = p->cfg->sym;

	*code = (struct disasm_code){ .fd = -1, .addr = f->start_addr, .sz = f->sz };
	if (f->is_kernel || !f->sz)
		return -ENOENT;
	code->off = sym__file_off(f->start_place);
	code->image = sym__vdso(sym, f->start_place, &code->image_sz);
	if (!code->image)
		code->fd = sym__open_file(sym, f->start_place);
	return code->image || code->fd >= 0 ? 0 : -ENOENT;
}

static void log_missing(const struct annotated *f, int err)
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
static void announce(const struct printer *p, const struct disasm *d)
{
	size_t i;

	for (i = 0; i < d->cnt; i++)
		sym__will_name(p->cfg->sym, place_of(p->f, d->insns[i].addr));
}

int annotate__put(const struct annotate_config *cfg, const struct annotated *f, const char *event,
		  struct strbuf *out)
{
	struct printer p = { .cfg = cfg, .f = f, .out = out };
	struct disasm_code code;
	struct disasm d = { .cnt = 0 };
	int err = capstone__is_loaded() ? open_code(&p, &code) : -ENOTSUP;

	if (!err) {
		err = disasm__read(&d, &code);
		if (code.fd >= 0)
			close(code.fd);
	}
	put_head(&p, event);
	if (!err) {
		announce(&p, &d);
		if (code.sz > DISASM_MAX_SZ)
			log_warn("%s is cut after %u KiB", f->name, DISASM_MAX_SZ >> 10);
	}
	put_insns(&p, &d);
	if (err)
		log_missing(f, err);
	disasm__free(&d);
	return err ? -ENOENT : 0;
}
