// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "annotate/disasm.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/capstone.h"
#include "reader/answer.h"
#include "reader/files.h"
#include "util/array.h"

/* An image in memory is that of a vDSO, which is some pages. */
#define IMAGE_MAX_SZ (1u << 20)
#define ANSWER_MAX_SZ (128u << 20)
#define ELF_HEAD_SZ 20 /* up to e_machine */
/* The head of a JIT compiler's dump (sym/jit_dump.h): the machine is its fourth word. */
#define DUMP_MAGIC 0x4a695444

/* Reads from the file, or the image behind the request. Returns the number of bytes. */
static size_t read_at(const struct reader_request *req, void *buf, size_t sz, uint64_t off)
{
	const char *image = req->body + sizeof(struct disasm_request);
	size_t image_sz = req->sz - sizeof(struct disasm_request), got = 0;
	ssize_t n = 1;

	if (!req->fd_cnt) {
		if (off > image_sz)
			return 0;
		got = sz < image_sz - off ? sz : image_sz - off;
		memcpy(buf, image + off, got);
		return got;
	}
	for (; got < sz && n > 0; got += n > 0 ? (size_t)n : 0)
		n = pread(req->fds[0], (char *)buf + got, sz - got, (off_t)(off + got));
	return got;
}

static int open_for_file(struct capstone *c, const struct reader_request *req)
{
	uint8_t head[ELF_HEAD_SZ];
	uint32_t words[4];
	bool is_big;

	if (read_at(req, head, sizeof(head), 0) < sizeof(head))
		return -ENOEXEC;
	memcpy(words, head, sizeof(words));
	if (words[0] == DUMP_MAGIC)
		return capstone__open(c, (uint16_t)words[3],
				      words[3] != EM_386 && words[3] != EM_ARM,
				      __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (memcmp(head, ELFMAG, SELFMAG))
		return -ENOEXEC;
	is_big = head[EI_DATA] == ELFDATA2MSB;
	return capstone__open(c, (uint16_t)(head[19 - is_big] << 8 | head[18 + is_big]),
			      head[EI_CLASS] == ELFCLASS64, is_big);
}

/* An answer is a list of address, length and text. */
static void put_insns(const struct capstone *c, const uint8_t *code, size_t sz, uint64_t addr,
		      struct strbuf *answer)
{
	struct strbuf text = STRBUF_INIT;
	size_t at = 0, step;
	uint32_t len;

	while (at < sz) {
		uint64_t here = addr + at;

		strbuf__reset(&text);
		len = (uint32_t)capstone__insn(c, code + at, sz - at, here, &text);
		strbuf__add(answer, &here, sizeof(here));
		strbuf__add(answer, &len, sizeof(len));
		answer__put_text(answer, strbuf__cstr(&text));
		step = len ? len : c->step;
		at += step;
	}
	strbuf__free(&text);
}

static int run_disasm(struct reader_request *req, struct strbuf *answer)
{
	struct disasm_request r;
	struct capstone c;
	uint8_t *code;
	size_t sz;
	int err;

	memcpy(&r, req->body, sizeof(r));
	err = open_for_file(&c, req);
	if (err)
		return err;
	code = malloc(r.sz + 1);
	sz = code ? read_at(req, code, r.sz, r.off) : 0;
	err = !code ? -ENOMEM : sz ? 0 : -ENOEXEC;
	if (!err)
		put_insns(&c, code, sz, r.addr, answer);
	free(code);
	capstone__close(&c);
	return err;
}

const struct reader_op disasm_op = { "disasm", run_disasm };

int disasm__take(struct disasm *d, const char *answer, size_t sz)
{
	struct answer a = answer__of(answer, sz);
	size_t cap = 0;
	const char *text;

	*d = (struct disasm){ .cnt = 0 };
	while (a.at < a.end) {
		struct disasm_insn insn = { .text = (uint32_t)d->texts.len };

		answer__take(&a, &insn.addr, sizeof(insn.addr));
		answer__take(&a, &insn.len, sizeof(insn.len));
		text = answer__take_text(&a);
		if (a.is_bad || !text || (d->cnt && insn.addr <= d->insns[d->cnt - 1].addr))
			return -EPROTO;
		if (array__reserve((void **)&d->insns, &cap, d->cnt + 1, sizeof(insn)))
			return -ENOMEM;
		strbuf__add(&d->texts, text, strlen(text) + 1);
		d->insns[d->cnt++] = insn;
	}
	return 0;
}

int disasm__read(struct disasm *d, const struct disasm_code *code)
{
	const struct disasm_request r = { .off = code->off,
					  .sz = code->sz < DISASM_MAX_SZ ? code->sz : DISASM_MAX_SZ,
					  .addr = code->addr };
	struct strbuf body = STRBUF_INIT, text = STRBUF_INIT;
	struct reader_call call = {
		.op = &disasm_op,
		.purpose = READER_NAMES,
		.fds = &code->fd,
		.fd_cnt = code->fd >= 0,
		.answer_max = ANSWER_MAX_SZ,
		.missing = "instructions",
	};
	int err;

	*d = (struct disasm){ .cnt = 0 };
	strbuf__add(&body, &r, sizeof(r));
	if (code->fd < 0 && code->image_sz <= IMAGE_MAX_SZ)
		strbuf__add(&body, code->image, code->image_sz);
	call.body = body.buf;
	call.sz = body.len;
	err = reader__call_files(&call, &text, NULL);
	if (!err)
		err = disasm__take(d, text.buf, text.len);
	strbuf__free(&body);
	strbuf__free(&text);
	return err;
}

void disasm__free(struct disasm *d)
{
	free(d->insns);
	strbuf__free(&d->texts);
	*d = (struct disasm){ .cnt = 0 };
}
