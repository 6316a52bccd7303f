// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_code.h"

#include <string.h>

#include "data/branch_flags.h"
#include "decode/named.h"
#include "decode/sample.h"
#include "sink/script.h"
#include "sink/script_addr.h"
#include "sink/script_source.h"

/* Columns of the bytes of an instruction before what its branch did. */
#define BYTES_WIDTH 30

static void put_function(struct strbuf *out, const struct named_place *place, uint64_t fields)
{
	const struct sym_frame *f = &place->frames[place->cnt - 1];

	strbuf__putc(out, '\t');
	strbuf__put_escaped(out, f->name, strlen(f->name));
	if (f->off)
		strbuf__printf(out, "+%llu", (unsigned long long)f->off);
	strbuf__putc(out, ':');
	if (fields & SCRIPT_SRCLINE) {
		strbuf__putc(out, '\t');
		script_addrs__put_source(out, place->frames, fields);
	}
	strbuf__putc(out, '\n');
}

static void put_bytes(struct strbuf *out, const struct insn_row *row)
{
	uint8_t i;

	strbuf__printf(out, "\t%016llx\t", (unsigned long long)row->addr);
	strbuf__puts(out, row->len ? "insn: " : "<bad>");
	for (i = 0; i < row->len; i++)
		strbuf__printf(out, "%02x ", row->bytes[i]);
}

static void put_branch(struct strbuf *out, const struct insn_row *row, uint64_t fields,
		       uint64_t *total_cycles)
{
	unsigned int cycles = branch_flags__cycles(row->flags);
	size_t start = out->len + sizeof("\t0123456789abcdef\t") - 1;

	put_bytes(out, row);
	strbuf__pad(out, start, BYTES_WIDTH);
	strbuf__putc(out, '\t');
	if (fields & SCRIPT_BRSTACKINSN_LEN)
		strbuf__printf(out, "ilen: %u\t", row->len);
	strbuf__putc(out, '#');
	strbuf__puts(out, row->flags & BRANCH_PREDICTED ? " PRED" : "");
	strbuf__puts(out, row->flags & BRANCH_MISSED ? " MISPRED" : "");
	strbuf__puts(out, row->flags & BRANCH_IN_TX ? " INTX" : "");
	strbuf__puts(out, row->flags & BRANCH_ABORT ? " ABORT" : "");
	*total_cycles += cycles;
	if (cycles)
		strbuf__printf(out, " %u cycles [%llu]", cycles, (unsigned long long)*total_cycles);
	if (cycles && row->insn_cnt)
		strbuf__printf(out, " %.2f IPC", (float)row->insn_cnt / (float)cycles);
	strbuf__putc(out, '\n');
}

/* Puts the text of the instruction's line; without memory it is missing. */
static void put_text(struct strbuf *out, const struct sample *s, const struct insn_row *row,
		     struct script_source *source)
{
	if (row->len || row->kind == INSN_ROW_BRANCH)
		script_source__put(source, out, s->tid, row->place);
}

void script_code__put(struct strbuf *out, const struct sample *s, uint64_t fields,
		      struct script_source *source)
{
	const struct insn_rows *rows = s->code;
	uint64_t total_cycles = 0;
	size_t i;

	strbuf__putc(out, '\n');
	for (i = 0; i < rows->cnt; i++) {
		const struct insn_row *row = &rows->at[i];

		switch (row->kind) {
		case INSN_ROW_FUNCTION:
			put_function(out, row->place, fields);
			break;
		case INSN_ROW_INSN:
			put_bytes(out, row);
			if (fields & SCRIPT_BRSTACKINSN_LEN)
				strbuf__printf(out, "\tilen: %u", row->len);
			strbuf__putc(out, '\n');
			break;
		case INSN_ROW_BRANCH:
			put_branch(out, row, fields, &total_cycles);
			break;
		case INSN_ROW_MISMATCH:
			strbuf__puts(out, "\tmismatch of LBR data and executable\n");
			break;
		case INSN_ROW_STOPPED:
			strbuf__puts(out, "\t... not reaching sample ...\n");
			break;
		}
		if (fields & SCRIPT_SRCCODE && row->kind != INSN_ROW_FUNCTION)
			put_text(out, s, row, source);
	}
}
