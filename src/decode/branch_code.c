// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/branch_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/branch_flags.h"
#include "data/perf_sample.h"
#include "decode/line_names.h"
#include "decode/sample.h"
#include "sym/sym.h"
#include "util/array.h"

/* Words of a branch: where it came from and went to, and its flags. */
enum { FROM, TO, FLAGS, WORDS };

/* Rows of a sample: the largest stack of a processor, 32 branches, has fewer. */
#define ROWS_MAX (1u << 20)
/* Bytes in which the next branch is looked for if the one before the sample is missing. */
#define MISSING_SZ 128

struct branch_code *branch_code__new(struct line_names *names)
{
	struct branch_code *bc = calloc(1, sizeof(*bc));

	if (bc)
		bc->names = names;
	return bc;
}

static void close_file(struct branch_code_file *f)
{
	if (f->idx && f->fd >= 0)
		close(f->fd);
	free(f->image);
	*f = (struct branch_code_file){ .fd = -1 };
}

void branch_code__free(struct branch_code *bc)
{
	size_t i;

	if (!bc)
		return;
	for (i = 0; i < BRANCH_CODE_FILES; i++)
		close_file(&bc->files[i]);
	free(bc->rows.at);
	free(bc);
}

static size_t read_file(const struct branch_code_file *f, uint64_t off, void *to, size_t sz)
{
	ssize_t n;

	if (f->image) {
		if (off >= f->image_sz)
			return 0;
		if (sz > f->image_sz - off)
			sz = f->image_sz - off;
		memcpy(to, f->image + off, sz);
		return sz;
	}
	n = f->fd < 0 || off > INT64_MAX ? 0 : pread(f->fd, to, sz, (off_t)off);
	return n < 0 ? 0 : (size_t)n;
}

/* Is it of 64-bit code? */
static bool is_64bit(const struct branch_code_file *f)
{
	static const char elf64[] = "\177ELF\2";
	char ident[sizeof(elf64) - 1];

	return read_file(f, 0, ident, sizeof(ident)) == sizeof(ident) &&
	       !memcmp(ident, elf64, sizeof(ident));
}

/* Returns the file of a place, which stays open: branches go to the same files again and again. */
static const struct branch_code_file *file_of(struct branch_code *bc, uint64_t place)
{
	struct sym *sym = bc->names->places.sym;
	uint32_t idx = sym__file_idx(place);
	struct branch_code_file *f = &bc->files[idx % BRANCH_CODE_FILES];

	if (f->idx == idx)
		return f;
	close_file(f);
	f->idx = idx;
	f->image = sym__vdso(sym, place, &f->image_sz);
	f->fd = f->image ? -1 : sym__open_file(sym, place);
	f->is_64 = is_64bit(f);
	return f;
}

static bool is_kernel(uint64_t addr)
{
	return addr >> 63;
}

/*
 * Reads the code from start to the instruction at end. 0: it is not known, or too long; -ENXIO: one
 * is of the kernel, the other is not.
 */
static int read_code(struct branch_code *bc, const struct sample *s, uint64_t start, uint64_t end)
{
	const struct branch_code_file *f;
	uint64_t place;

	if (!start || !end)
		return 0;
	if (is_kernel(start) != is_kernel(end))
		return -ENXIO;
	if (end - start > BRANCH_CODE_SZ || is_kernel(start))
		return 0;
	place = sym__place(bc->names->places.sym, s->pid, start);
	if (!sym__file_idx(place))
		return 0;
	f = file_of(bc, place);
	bc->start = start;
	bc->is_64 = f->is_64;
	bc->len = read_file(f, sym__file_off(place), bc->bytes, end - start + X86_INSN_MAX_SZ);
	return bc->len > 0;
}

static struct insn_row *add_row(struct branch_code *bc, enum insn_row_kind kind, uint64_t addr)
{
	struct insn_row *row;

	if (bc->rows.cnt < ROWS_MAX &&
	    array__reserve((void **)&bc->rows.at, &bc->cap, bc->rows.cnt + 1, sizeof(*row)))
		return NULL;
	row = bc->rows.cnt < ROWS_MAX ? &bc->rows.at[bc->rows.cnt++] : &bc->spare;
	*row = (struct insn_row){ .kind = kind, .addr = addr };
	return row;
}

/* Adds a row of the function at an address, if it is not that of the row before. */
static void add_function(struct branch_code *bc, const struct sample *s, uint64_t addr)
{
	struct named_line line = { .addr = addr };
	const struct sym_frame *f;
	struct insn_row *row;

	if (line_names__at(bc->names, s, &line) || !line.place)
		return;
	f = &line.place->frames[line.place->cnt - 1];
	if (!f->name || (f->name == bc->function && f->addr - f->off == bc->function_addr))
		return;
	bc->function = f->name;
	bc->function_addr = f->addr - f->off;
	row = add_row(bc, INSN_ROW_FUNCTION, addr);
	if (row)
		row->place = line.place;
}

/* Adds the instruction at an offset of the code that was read. NULL: no memory. */
static struct insn_row *add_insn(struct branch_code *bc, const struct sample *s, size_t off,
				 uint32_t *flags)
{
	struct named_line line = { .addr = bc->start + off };
	struct insn_row *row = add_row(bc, INSN_ROW_INSN, line.addr);

	if (!row)
		return NULL;
	row->len = (uint8_t)x86_insn__length(bc->bytes + off, bc->len - off, bc->is_64, flags);
	memcpy(row->bytes, bc->bytes + off, row->len);
	if (bc->with_places && line_names__at(bc->names, s, &line))
		return NULL;
	row->place = line.place;
	return row;
}

static uint64_t word_of(const struct sample *s, uint64_t i, unsigned int word)
{
	return perf_words__get(&s->perf->branches, i * WORDS + word);
}

/* Adds the instruction at an offset as branch i, the n-th instruction of its piece. */
static struct insn_row *add_branch(struct branch_code *bc, const struct sample *s, size_t off,
				   uint64_t i, uint32_t n)
{
	uint32_t flags;
	struct insn_row *row = add_insn(bc, s, off, &flags);

	if (row) {
		row->kind = INSN_ROW_BRANCH;
		row->flags = word_of(s, i, FLAGS);
		row->insn_cnt = n;
	}
	return row;
}

/* Adds the code that was read up to branch i, at `end`. 0 or -ENOMEM. */
static int add_piece(struct branch_code *bc, const struct sample *s, uint64_t i, uint64_t end)
{
	struct insn_row *row;
	size_t off = 0;
	uint32_t n = 0, flags;

	while (off < bc->len) {
		add_function(bc, s, bc->start + off);
		n++;
		if (bc->start + off == end)
			return add_branch(bc, s, off, i, n) ? 0 : -ENOMEM;
		row = add_insn(bc, s, off, &flags);
		if (!row)
			return -ENOMEM;
		if (!row->len)
			break;
		off += row->len;
	}
	if (bc->start + off == end)
		return 0;
	return add_row(bc, INSN_ROW_MISMATCH, 0) ? 0 : -ENOMEM;
}

/* Adds the sample's instruction alone. 0 or -ENOMEM. */
static int add_last(struct branch_code *bc, const struct sample *s)
{
	uint64_t ip = s->perf->ip;
	uint32_t flags;

	if (read_code(bc, s, ip, ip) <= 0)
		return 0;
	return add_insn(bc, s, 0, &flags) ? 0 : -ENOMEM;
}

/*
 * Adds the code from the newest branch to the sample; if that lies before it, a branch is missing,
 * and the code ends there. 0 or -ENOMEM.
 */
static int add_tail(struct branch_code *bc, const struct sample *s)
{
	uint64_t start = word_of(s, 0, TO), ip = s->perf->ip, end = ip;
	struct insn_row *row;
	uint32_t flags;
	size_t off = 0;
	int err;

	if (end < start)
		end = start + MISSING_SZ;
	err = read_code(bc, s, start, end);
	add_function(bc, s, start);
	if (err <= 0)
		return add_last(bc, s);
	while (off <= end - start && off < bc->len) {
		row = add_insn(bc, s, off, &flags);
		if (!row)
			return -ENOMEM;
		if (!row->len)
			return 0;
		if (flags & X86_INSN_BRANCH && start + off != ip) {
			row->place = NULL;
			return add_row(bc, INSN_ROW_STOPPED, 0) ? 0 : -ENOMEM;
		}
		off += row->len;
	}
	return 0;
}

const struct insn_rows *branch_code__get(struct branch_code *bc, const struct sample *s)
{
	uint64_t cnt = s->perf->branches.cnt / WORDS, i, end;
	int err;

	bc->rows.cnt = 0;
	bc->function = NULL;
	if (bc->max_blocks && cnt > bc->max_blocks)
		cnt = bc->max_blocks + 1;
	if (!cnt)
		return &bc->rows;
	/* The piece that leads to the oldest branch is not known. */
	end = word_of(s, cnt - 1, FROM);
	if (read_code(bc, s, end, end) > 0) {
		add_function(bc, s, end);
		if (!add_branch(bc, s, 0, cnt - 1, 0))
			return NULL;
	}
	for (i = cnt - 1; i-- > 0 && bc->rows.cnt < ROWS_MAX;) {
		uint64_t start = word_of(s, i + 1, TO);

		end = word_of(s, i, FROM);
		err = read_code(bc, s, start, end);
		/* A filter of the kernel's branches hides the entry, but not the return. */
		if (err == -ENXIO && i > 0) {
			end = word_of(s, --i, FROM);
			err = read_code(bc, s, start, end);
		}
		if (err > 0 && add_piece(bc, s, i, end))
			return NULL;
	}
	if (word_of(s, 0, FROM) == s->perf->ip || word_of(s, 0, FLAGS) & BRANCH_ABORT)
		return &bc->rows;
	return add_tail(bc, s) ? NULL : &bc->rows;
}
