// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Runs in readers, on files that may do anything to them. */
#include "sym/inlines_ops.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader/answer.h"
#include "sym/demangle.h"
#include "sym/dwarf_inlines.h"
#include "sym/go_inlines.h"
#include "util/u64map.h"

/* Answers beyond this size are cut: their addresses are asked for one by one. */
#define ANSWER_CUT_SZ (8u << 20)

/* A reader's files, by number. */
static struct open_file {
	struct dwarf_inlines *in;
	struct go_inlines *go; /* both NULL: the number is free */
	struct u64map sent; /* addresses of names that have been sent with their printed form */
} files[INLINES_OPEN_MAX];

static bool is_open(const struct open_file *file)
{
	return file->in || file->go;
}

static int run_open(struct reader_request *req, struct strbuf *answer)
{
	const struct elf_image img = { .fd = req->fds[0] };
	struct inlines_opened opened;
	struct inlines_request want;
	uint32_t nr;
	int alt_fd;

	if (req->sz < sizeof(want))
		return -EPROTO;
	memcpy(&want, req->body, sizeof(want));
	alt_fd = want.has_alt ? req->fds[1] : -1;
	for (nr = 0; nr < INLINES_OPEN_MAX && is_open(&files[nr]); nr++)
		;
	if (nr == INLINES_OPEN_MAX)
		return -EMFILE;
	files[nr].in = dwarf_inlines__open(req->fds[0], alt_fd, want.lines);
	if (!files[nr].in)
		files[nr].go = go_inlines__open(&img, want.lines);
	if (!is_open(&files[nr]))
		return -ENOEXEC;
	/* It is read on demand. */
	if (files[nr].go)
		req->fds[0] = -1;
	memset(&opened, 0, sizeof(opened));
	opened.mem_sz = dwarf_inlines__mem_sz(files[nr].in);
	opened.nr = nr;
	strbuf__add(answer, &opened, sizeof(opened));
	return 0;
}

static struct open_file *file_of(const struct reader_request *req)
{
	uint32_t nr;

	if (req->sz < sizeof(nr))
		return NULL;
	memcpy(&nr, req->body, sizeof(nr));
	return nr < INLINES_OPEN_MAX && is_open(&files[nr]) ? &files[nr] : NULL;
}

/*
 * Appends the printed form of a linker's name, the first time: NULL afterwards, or if it has none.
 */
static void put_printed(struct strbuf *answer, struct open_file *file, const char *name)
{
	uint32_t *slot = name && demangle__is_mangled(name)
				 ? u64map__slot(&file->sent, (uint64_t)(uintptr_t)name)
				 : NULL;
	struct strbuf printed = STRBUF_INIT;
	bool is_first = slot && *slot == U64MAP_NONE;

	if (slot)
		*slot = 1;
	answer__put_text(answer,
			 is_first && demangle(name, &printed) ? strbuf__cstr(&printed) : NULL);
	strbuf__free(&printed);
}

static void put_frames(struct strbuf *answer, struct open_file *file, uint64_t vaddr)
{
	struct inline_frame frames[INLINE_FRAMES_MAX];
	struct inline_entries entries = { 0 };
	struct inlines_head head;
	size_t cnt, i;

	cnt = file->in ? dwarf_inlines__find(file->in, vaddr, frames, INLINE_FRAMES_MAX, &entries)
		       : go_inlines__find(file->go, vaddr, frames, INLINE_FRAMES_MAX, &entries);
	memset(&head, 0, sizeof(head));
	head.vaddr = vaddr;
	head.innermost = entries.innermost;
	head.own = entries.own;
	head.own_start = entries.own_start;
	head.is_linkers = entries.is_linkers;
	head.is_waiting = entries.is_waiting;
	head.cnt = (uint32_t)cnt;
	strbuf__add(answer, &head, sizeof(head));
	for (i = 0; i < cnt; i++) {
		strbuf__add(answer, &frames[i].line, sizeof(frames[i].line));
		answer__put_text(answer, frames[i].name);
		answer__put_text(answer, frames[i].file);
		answer__put_text(answer, frames[i].plain);
		put_printed(answer, file, frames[i].name);
		put_printed(answer, file, frames[i].plain);
	}
}

static void put_state(struct strbuf *answer, const struct open_file *file)
{
	uint64_t mem_sz = dwarf_inlines__mem_sz(file->in);
	struct strbuf missing = STRBUF_INIT;

	if (file->in)
		split_units__put_missing(dwarf_inlines__split(file->in), &missing);
	strbuf__add(answer, &mem_sz, sizeof(mem_sz));
	answer__put_text(answer, missing.len ? strbuf__cstr(&missing) : NULL);
	strbuf__free(&missing);
}

static int run_find(struct reader_request *req, struct strbuf *answer)
{
	struct strbuf frames = STRBUF_INIT;
	struct open_file *file = file_of(req);
	size_t at;

	if (!file)
		return -EBADF;
	for (at = sizeof(uint32_t); at + sizeof(uint64_t) <= req->sz; at += sizeof(uint64_t)) {
		uint64_t vaddr;

		if (frames.len > ANSWER_CUT_SZ)
			break;
		memcpy(&vaddr, req->body + at, sizeof(vaddr));
		put_frames(&frames, file, vaddr);
	}
	/* The state is that of afterwards. */
	put_state(answer, file);
	strbuf__add(answer, frames.buf, frames.len);
	strbuf__free(&frames);
	return 0;
}

static int run_wants(struct reader_request *req, struct strbuf *answer)
{
	struct open_file *file = file_of(req);

	if (!file || !file->in)
		return -EBADF;
	split_units__put_wants(dwarf_inlines__split(file->in), answer);
	return 0;
}

static int run_give(struct reader_request *req, struct strbuf *answer)
{
	struct answer body = answer__of(req->body, req->sz);
	struct open_file *file = file_of(req);
	struct split_given *given;
	uint32_t nr;
	size_t cnt;

	(void)answer;
	if (!file || !file->in)
		return -EBADF;
	answer__take(&body, &nr, sizeof(nr));
	given = answer__take_array(&body, sizeof(*given), &cnt);
	if (body.is_bad)
		return -EPROTO;
	split_units__take(dwarf_inlines__split(file->in), given, cnt, req->fds, req->fd_cnt);
	free(given);
	return 0;
}

static int run_close(struct reader_request *req, struct strbuf *answer)
{
	struct open_file *file = file_of(req);

	if (!file)
		return -EBADF;
	dwarf_inlines__close(file->in);
	go_inlines__close(file->go);
	u64map__free(&file->sent);
	*file = (struct open_file){ NULL };
	return 0;
}

const struct reader_op inlines_open_op = { "inlines open", run_open };
const struct reader_op inlines_find_op = { "inlines find", run_find };
const struct reader_op inlines_wants_op = { "inlines wants", run_wants };
const struct reader_op inlines_give_op = { "inlines give", run_give };
const struct reader_op inlines_close_op = { "inlines close", run_close };
