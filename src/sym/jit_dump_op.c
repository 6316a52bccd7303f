// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Runs in readers: reads a dump of a JIT compiler, which may do anything to it. */
#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reader/answer.h"
#include "sym/elf_file.h"
#include "sym/jit_dump.h"
#include "util/array.h"
#include "util/u64map.h"

#define MAGIC 0x4a695444 /* "JiTD" */
#define MAGIC_SWAPPED 0x4454694a
#define HEADER_SZ 40
#define PREFIX_SZ 16
#define LOAD_SZ 40 /* behind the prefix, before the name */
#define MOVE_SZ 48
#define DEBUG_SZ 16 /* behind the prefix, before the entries */
#define UNWIND_SZ 24 /* behind the prefix, before the data */
#define ENTRY_SZ 16 /* before the name of the file */
/* A record is read at once, but for its code: longer names and lists of lines are cut. */
#define HEAD_MAX_SZ (1u << 20)
#define NAME_MAX_SZ 4096
#define SAME_FILE "\xff"
#define NO_TEXT UINT32_MAX

enum record_type { CODE_LOAD, CODE_MOVE, CODE_DEBUG_INFO, CODE_CLOSE, CODE_UNWINDING_INFO };

struct dump_reader {
	struct elf_image img;
	bool swap;
	bool has_names; /* texts and lines are wanted */
	struct jit_load *loads;
	size_t load_cnt, load_cap;
	struct jit_line *lines;
	size_t line_cnt, line_cap;
	struct unwind_jit *unwinds;
	size_t unwind_cnt, unwind_cap;
	struct unwind_jit unwind; /* of the next load, if there is one */
	bool has_unwind;
	struct strbuf texts;
	uint32_t last_file; /* in texts, or NO_TEXT */
	struct u64map by_index; /* code_index → its load */
	/* Lines of the next load: offsets count from its address. */
	size_t pending;
	uint64_t pending_addr;
	char *head; /* of the current record */
	size_t head_sz, head_max;
};

static uint64_t u64_at(const struct dump_reader *r, size_t at)
{
	uint64_t v = 0;

	if (at + sizeof(v) <= r->head_sz)
		memcpy(&v, r->head + at, sizeof(v));
	return r->swap ? bswap_64(v) : v;
}

static uint32_t u32_at(const struct dump_reader *r, size_t at)
{
	uint32_t v = 0;

	if (at + sizeof(v) <= r->head_sz)
		memcpy(&v, r->head + at, sizeof(v));
	return r->swap ? bswap_32(v) : v;
}

/* Reads up to sz bytes at off into r->head. */
static void read_head(struct dump_reader *r, uint64_t off, size_t sz)
{
	ssize_t n;

	r->head_sz = 0;
	sz = sz < r->head_max ? sz : r->head_max;
	while (r->head_sz < sz && (n = elf_image__read(&r->img, r->head + r->head_sz,
						       sz - r->head_sz, off + r->head_sz)) > 0)
		r->head_sz += (size_t)n;
}

static bool is_text(const struct strbuf *texts, uint32_t at, const char *text, size_t len)
{
	return at < texts->len && len < texts->len - at && !memcmp(texts->buf + at, text, len) &&
	       !texts->buf[at + len];
}

/*
 * Adds a text of the head, unless it is `last`, the offset of another. Returns its offset, or
 * NO_TEXT if there are too many, and sets *len to its length, its NUL included.
 */
static uint32_t add_text(struct dump_reader *r, size_t at, uint32_t last, size_t *len)
{
	size_t left = r->head_sz > at ? r->head_sz - at : 0, kept;
	uint32_t text = (uint32_t)r->texts.len;

	*len = strnlen(r->head + at, left);
	kept = *len < NAME_MAX_SZ ? *len : NAME_MAX_SZ;
	*len += *len < left;
	if (is_text(&r->texts, last, r->head + at, kept))
		return last;
	if (r->texts.len + kept >= JIT_DUMP_TEXTS_MAX_SZ)
		return NO_TEXT;
	strbuf__add(&r->texts, r->head + at, kept);
	strbuf__putc(&r->texts, '\0');
	return text;
}

static int add_load(struct dump_reader *r, const struct jit_load *load, uint64_t index)
{
	uint32_t *slot;

	if (!load->sz || load->addr + load->sz < load->addr || r->load_cnt == JIT_DUMP_LOADS_MAX)
		return 0;
	slot = u64map__slot(&r->by_index, index);
	if (!slot ||
	    array__reserve((void **)&r->loads, &r->load_cap, r->load_cnt + 1, sizeof(*load)))
		return -ENOMEM;
	*slot = (uint32_t)r->load_cnt;
	r->loads[r->load_cnt++] = *load;
	return 0;
}

/* The lines that were waiting are those of the function at `addr`, or of none. */
static void settle_lines(struct dump_reader *r, uint64_t addr, uint64_t off, uint64_t sz)
{
	size_t i, kept = r->pending;

	for (i = r->pending; i < r->line_cnt; i++) {
		struct jit_line line = r->lines[i];

		if (r->pending_addr != addr || line.off >= sz)
			continue;
		line.off += off;
		r->lines[kept++] = line;
	}
	r->line_cnt = r->pending = kept;
}

/* Like lines, unwinding information is of the load that follows it. */
static int settle_unwind(struct dump_reader *r, const struct jit_load *load)
{
	bool is_there = r->has_unwind && r->unwind_cnt < JIT_DUMP_LOADS_MAX;

	r->has_unwind = false;
	if (!is_there)
		return 0;
	if (array__reserve((void **)&r->unwinds, &r->unwind_cap, r->unwind_cnt + 1,
			   sizeof(*r->unwinds)))
		return -ENOMEM;
	r->unwind.code = load->off;
	r->unwind.code_sz = load->sz;
	r->unwinds[r->unwind_cnt++] = r->unwind;
	return 0;
}

/*
 * Like perf: the header of the .eh_frame is its last part. Where nothing is mapped of it, the
 * function keeps a frame pointer.
 */
static void take_unwind(struct dump_reader *r, uint64_t off, uint64_t total)
{
	uint64_t sz = u64_at(r, PREFIX_SZ), header_sz = u64_at(r, PREFIX_SZ + 8);

	r->has_unwind = sz <= total - PREFIX_SZ - UNWIND_SZ && header_sz <= sz;
	r->unwind.frame = off + PREFIX_SZ + UNWIND_SZ;
	r->unwind.frame_sz = u64_at(r, PREFIX_SZ + 16) ? sz - header_sz : 0;
}

/* The code is the last part of the record; a name before it may have been cut. */
static int take_load(struct dump_reader *r, uint64_t off, uint64_t time_ns, uint64_t total)
{
	struct jit_load load = { .time_ns = time_ns };
	size_t len;

	load.addr = u64_at(r, PREFIX_SZ + 16);
	load.sz = u64_at(r, PREFIX_SZ + 24);
	if (load.sz > total - PREFIX_SZ - LOAD_SZ)
		return 0;
	load.off = off + total - load.sz;
	if (r->has_names)
		load.name = add_text(r, PREFIX_SZ + LOAD_SZ, NO_TEXT, &len);
	settle_lines(r, load.addr, load.off, load.sz);
	if (load.name == NO_TEXT || settle_unwind(r, &load))
		return load.name == NO_TEXT ? 0 : -ENOMEM;
	return add_load(r, &load, u64_at(r, PREFIX_SZ + 32));
}

static int take_move(struct dump_reader *r, uint64_t time_ns)
{
	uint64_t index = u64_at(r, PREFIX_SZ + 40);
	uint32_t nr = u64map__get(&r->by_index, index);
	struct jit_load load;

	if (nr == U64MAP_NONE)
		return 0;
	load = r->loads[nr];
	load.time_ns = time_ns;
	load.addr = u64_at(r, PREFIX_SZ + 24);
	load.is_moved = 1;
	return add_load(r, &load, index);
}

static int take_lines(struct dump_reader *r)
{
	uint64_t addr = u64_at(r, PREFIX_SZ), cnt = u64_at(r, PREFIX_SZ + 8), i;
	size_t at = PREFIX_SZ + DEBUG_SZ, len;
	uint32_t file = NO_TEXT;

	/* Lines of a function that did not come are dropped. */
	r->line_cnt = r->pending;
	r->pending_addr = addr;
	for (i = 0; i < cnt && at + ENTRY_SZ < r->head_sz && r->line_cnt < JIT_DUMP_LINES_MAX;
	     i++) {
		struct jit_line line = { .off = u64_at(r, at) - addr, .line = u32_at(r, at + 8) };

		if (!strncmp(r->head + at + ENTRY_SZ, SAME_FILE, r->head_sz - at - ENTRY_SZ))
			len = sizeof(SAME_FILE);
		else
			file = r->last_file = add_text(r, at + ENTRY_SZ, r->last_file, &len);
		at += ENTRY_SZ + len;
		if (file == NO_TEXT)
			continue;
		line.file = file;
		if (array__reserve((void **)&r->lines, &r->line_cap, r->line_cnt + 1, sizeof(line)))
			return -ENOMEM;
		r->lines[r->line_cnt++] = line;
	}
	return 0;
}

/* A record that is still being written, or is damaged, ends the dump. */
static int take_records(struct dump_reader *r, uint64_t off)
{
	uint64_t time_ns, total;
	uint32_t id;
	int err = 0;

	while (!err) {
		read_head(r, off, PREFIX_SZ);
		id = u32_at(r, 0);
		total = u32_at(r, 4);
		time_ns = u64_at(r, 8);
		if (r->head_sz < PREFIX_SZ || total < PREFIX_SZ || id == CODE_CLOSE)
			break;
		if (id == CODE_LOAD)
			read_head(r, off,
				  PREFIX_SZ + LOAD_SZ + NAME_MAX_SZ < total
					  ? PREFIX_SZ + LOAD_SZ + NAME_MAX_SZ
					  : total);
		else if (id == CODE_MOVE || (id == CODE_DEBUG_INFO && r->has_names))
			read_head(r, off, total < HEAD_MAX_SZ ? total : HEAD_MAX_SZ);
		else if (id == CODE_UNWINDING_INFO)
			read_head(r, off, PREFIX_SZ + UNWIND_SZ);
		if (id == CODE_LOAD && total >= PREFIX_SZ + LOAD_SZ)
			err = take_load(r, off, time_ns, total);
		else if (id == CODE_MOVE && total >= PREFIX_SZ + MOVE_SZ)
			err = take_move(r, time_ns);
		else if (id == CODE_DEBUG_INFO && r->has_names)
			err = take_lines(r);
		else if (id == CODE_UNWINDING_INFO && total >= PREFIX_SZ + UNWIND_SZ)
			take_unwind(r, off, total);
		off += total;
	}
	r->line_cnt = r->pending;
	return err;
}

static int compare_loads(const void *a, const void *b)
{
	const struct jit_load *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static int compare_lines(const void *a, const void *b)
{
	const struct jit_line *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

static void put_answer(struct dump_reader *r, uint8_t has_other_clock, uint32_t machine,
		       struct strbuf *answer)
{
	if (r->load_cnt)
		qsort(r->loads, r->load_cnt, sizeof(*r->loads), compare_loads);
	if (r->line_cnt)
		qsort(r->lines, r->line_cnt, sizeof(*r->lines), compare_lines);
	strbuf__add(answer, &has_other_clock, sizeof(has_other_clock));
	strbuf__add(answer, &machine, sizeof(machine));
	answer__put_array(answer, r->loads, r->load_cnt, sizeof(*r->loads));
	answer__put_array(answer, r->lines, r->line_cnt, sizeof(*r->lines));
	answer__put_array(answer, r->unwinds, r->unwind_cnt, sizeof(*r->unwinds));
	answer__put_array(answer, r->texts.buf, r->texts.len, 1);
}

int jit_dump__run(struct reader_request *req, bool names, struct strbuf *answer)
{
	struct dump_reader r = { .img = { .fd = req->fd_cnt ? req->fds[0] : -1 },
				 .has_names = names,
				 .last_file = NO_TEXT };
	struct stat st;
	uint32_t magic, machine;
	size_t sz;
	int err;

	if (!req->fd_cnt) {
		r.img.mem = (char *)req->body;
		r.img.sz = req->sz;
	}
	/* A record is no larger than its file. */
	if (req->fd_cnt && fstat(req->fds[0], &st))
		return -errno;
	sz = req->fd_cnt ? (size_t)st.st_size : req->sz;
	r.head_max = sz < HEAD_MAX_SZ ? sz : HEAD_MAX_SZ;
	r.head = malloc(r.head_max + 1);
	if (!r.head)
		return -ENOMEM;
	if (!names)
		strbuf__putc(&r.texts, '\0');
	read_head(&r, 0, HEADER_SZ);
	magic = u32_at(&r, 0);
	r.swap = magic == MAGIC_SWAPPED;
	machine = u32_at(&r, 12);
	err = r.head_sz < HEADER_SZ || (magic != MAGIC && !r.swap) ? -EBADMSG : 0;
	if (!err) {
		uint8_t flags = (uint8_t)(u64_at(&r, 32) & 1);

		err = take_records(&r, u32_at(&r, 8) < HEADER_SZ ? HEADER_SZ : u32_at(&r, 8));
		if (!err)
			put_answer(&r, flags, machine, answer);
	}
	free(r.head);
	free(r.loads);
	free(r.lines);
	free(r.unwinds);
	strbuf__free(&r.texts);
	u64map__free(&r.by_index);
	return err;
}

static int run_dump(struct reader_request *req, struct strbuf *answer)
{
	return jit_dump__run(req, true, answer);
}

const struct reader_op jit_dump_op = { "jit dump", run_dump };
