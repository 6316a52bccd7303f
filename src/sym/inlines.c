// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/inlines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/answer.h"
#include "reader/files.h"
#include "sym/inlines_ops.h"
#include "sym/split_files.h"
#include "util/array.h"
#include "util/mono.h"
#include "util/texts.h"
#include "util/u64map.h"

/* Frames that are kept: beyond it all are dropped, and asked for again. */
#define KEPT_MAX (1u << 20)
/* One answer: see ANSWER_CUT_SZ of the readers' side; names have no bound of their own there. */
#define ANSWER_MAX (64u << 20)

/* No file is asked for twice: the second answer has all, or the third, if there is a package. */
#define ROUNDS_MAX 3

/* Time that each address adds to that of its file: most take some microseconds. */
#define ADDRESS_NS 200000ull

struct kept_frame {
	uint32_t name, file, plain; /* in texts */
	uint32_t line;
};

/* The answer for one address. */
struct kept {
	struct inline_entries entries;
	uint32_t first, cnt; /* among frames */
};

/* State that addr2line keeps of an entry. */
enum entry_state {
	WAS_ASKED = 1 << 0, /* it was looked up as an innermost function */
	IS_SYMBOLS = 1 << 1, /* it is printed with the symbol's name */
};

struct inlines {
	struct split_program program; /* ->path is not owned */
	struct reader_call call; /* by which the reader that has the DWARF is asked */
	uint64_t generation; /* of that reader */
	uint32_t nr; /* of the file, there */
	size_t mem_sz;
	char *missing; /* which split DWARF could not be read; NULL: none */
	uint64_t left_ns; /* time for all answers: what is asked for often has to be fast */
	bool is_gone; /* the reader has ended */
	bool is_bad; /* this DWARF has ended it */
	struct u64map by_vaddr; /* address → index into kept */
	struct kept *kept;
	size_t kept_cnt, kept_cap;
	struct kept_frame *frames;
	size_t frame_cnt, frame_cap;
	uint64_t *wanted; /* addresses that were announced */
	size_t wanted_cnt, wanted_cap;
	struct u64map printed; /* text → its printed form, in texts, too */
	struct u64map states; /* entry → enum entry_state */
	struct texts texts;
};

/* Has the file opened, with the one that it shares DWARF with. */
static int open_in_reader(struct inlines *in, const struct inlines_file *file, bool lines,
			  struct inlines_opened *opened)
{
	const struct inlines_request request = { lines, file->alt_fd >= 0 };
	struct strbuf answer = STRBUF_INIT;
	struct answer a;
	int fds[2], err;

	in->call.body = &request;
	in->call.sz = sizeof(request);
	in->call.fds = fds;
	fds[in->call.fd_cnt++] = file->fd;
	if (file->alt_fd >= 0)
		fds[in->call.fd_cnt++] = file->alt_fd;
	err = reader__call_files(&in->call, &answer, &in->generation);
	a = answer__of(answer.buf, answer.len);
	answer__take(&a, opened, sizeof(*opened));
	strbuf__free(&answer);
	in->call.fds = NULL;
	in->call.fd_cnt = 0;
	return !err && a.is_bad ? -EPROTO : err;
}

/* Evicting symbol tables for the sake of a number would be a way to disturb others. */
static size_t bounded(uint64_t mem_sz)
{
	return mem_sz > ANSWER_MAX ? ANSWER_MAX : mem_sz;
}

struct inlines *inlines__open(enum reader_purpose purpose, const struct inlines_file *file,
			      bool lines)
{
	struct inlines *in = calloc(1, sizeof(*in));
	struct inlines_opened opened;
	struct stat st;

	if (!in)
		return NULL;
	in->call = (struct reader_call){
		.op = &inlines_open_op,
		.purpose = purpose,
		.answer_max = sizeof(opened),
		.missing = "inlined functions",
	};
	in->program = (struct split_program){ .path = file->path, .root_fd = file->root_fd };
	if (fstat(file->fd, &st)) {
		free(in);
		return NULL;
	}
	in->program.owner = st.st_uid;
	if (open_in_reader(in, file, lines, &opened)) {
		free(in);
		return NULL;
	}
	in->left_ns = in->call.limit_ns;
	in->nr = opened.nr;
	in->mem_sz = bounded(opened.mem_sz);
	in->call.answer_max = ANSWER_MAX;
	return in;
}

static void give_up(struct inlines *in, int err)
{
	in->is_gone = in->is_bad = true;
	reader__report("inlined functions", in->program.path, err);
}

/* Asks the reader that has the DWARF. 0 or an error, after which it has it no more. */
static int ask(struct inlines *in, const struct reader_op *op, const struct strbuf *body,
	       struct strbuf *answer)
{
	uint64_t generation = in->generation, begin_ns = mono_ns(), took_ns;
	int err;

	in->left_ns += body->len / sizeof(uint64_t) * ADDRESS_NS;
	in->call.limit_ns = in->left_ns;
	in->call.op = op;
	in->call.body = body->buf;
	in->call.sz = body->len;
	in->call.generation = in->generation;
	err = reader__call(&in->call, answer, &generation);
	took_ns = mono_ns() - begin_ns;
	in->left_ns -= took_ns < in->left_ns ? took_ns : in->left_ns;
	if (err == -ESTALE)
		in->is_gone = true;
	else if (err)
		give_up(in, err);
	return err;
}

void inlines__close(struct inlines *in)
{
	if (!in)
		return;
	in->call.op = &inlines_close_op;
	in->call.body = &in->nr;
	in->call.sz = sizeof(in->nr);
	in->call.generation = in->generation;
	if (!in->is_gone)
		reader__tell(&in->call);
	u64map__free(&in->by_vaddr);
	u64map__free(&in->states);
	u64map__free(&in->printed);
	texts__free(&in->texts);
	free(in->missing);
	free(in->kept);
	free(in->frames);
	free(in->wanted);
	free(in);
}

size_t inlines__mem_sz(const struct inlines *in)
{
	return in ? in->mem_sz : 0;
}

const char *inlines__missing(const struct inlines *in)
{
	return in ? in->missing : NULL;
}

bool inlines__is_gone(const struct inlines *in)
{
	return in->is_gone && !in->is_bad;
}

static uint32_t keep_text(struct inlines *in, const char *text)
{
	return text && *text ? texts__add(&in->texts, text, strlen(text)) : TEXTS_NONE;
}

static const char *text_of(const struct inlines *in, uint32_t idx)
{
	return idx == TEXTS_NONE ? NULL : texts__get(&in->texts, idx);
}

/* The printed form of a text comes once. */
static void keep_printed(struct inlines *in, uint32_t text, const char *printed)
{
	uint32_t *slot = printed && text != TEXTS_NONE ? u64map__slot(&in->printed, text) : NULL;

	if (slot)
		*slot = keep_text(in, printed);
}

static const char *printed_of(const struct inlines *in, uint32_t text)
{
	return text == TEXTS_NONE ? NULL : text_of(in, u64map__get(&in->printed, text));
}

/* Keeps the frames of one address; *waits: there are none before a file is handed over. */
static int keep_answer(struct inlines *in, struct answer *a, bool *waits)
{
	struct inlines_head head;
	struct kept *kept;
	uint32_t *slot, i;

	answer__take(a, &head, sizeof(head));
	if (a->is_bad || head.cnt > INLINE_FRAMES_MAX)
		return -EPROTO;
	if (head.is_waiting && !head.cnt) {
		*waits = true;
		return 0;
	}
	slot = u64map__slot(&in->by_vaddr, head.vaddr);
	if (!slot ||
	    array__reserve((void **)&in->kept, &in->kept_cap, in->kept_cnt + 1,
			   sizeof(*in->kept)) ||
	    array__reserve((void **)&in->frames, &in->frame_cap, in->frame_cnt + head.cnt,
			   sizeof(*in->frames)))
		return -ENOMEM;
	kept = &in->kept[in->kept_cnt];
	*kept = (struct kept){
		.entries = { head.innermost, head.own, head.own_start, head.is_linkers != 0 },
		.first = (uint32_t)in->frame_cnt,
		.cnt = head.cnt,
	};
	for (i = 0; i < head.cnt; i++) {
		struct kept_frame *f = &in->frames[in->frame_cnt + i];

		answer__take(a, &f->line, sizeof(f->line));
		f->name = keep_text(in, answer__take_text(a));
		f->file = keep_text(in, answer__take_text(a));
		f->plain = keep_text(in, answer__take_text(a));
		keep_printed(in, f->name, answer__take_text(a));
		keep_printed(in, f->plain, answer__take_text(a));
	}
	if (a->is_bad)
		return -EPROTO;
	in->frame_cnt += head.cnt;
	*slot = (uint32_t)in->kept_cnt++;
	return 0;
}

/* Addresses of which there are answers already are not asked for. */
static void add_unknown(const struct inlines *in, struct strbuf *body, const uint64_t *vaddrs,
			size_t cnt)
{
	size_t i;

	strbuf__add(body, &in->nr, sizeof(in->nr));
	for (i = 0; i < cnt; i++)
		if (u64map__get(&in->by_vaddr, vaddrs[i]) == U64MAP_NONE)
			strbuf__add(body, &vaddrs[i], sizeof(vaddrs[i]));
}

static void drop_kept(struct inlines *in)
{
	u64map__free(&in->by_vaddr);
	in->kept_cnt = in->frame_cnt = 0;
}

static int send_split(void *priv, const struct strbuf *body, const int *fds, uint32_t fd_cnt)
{
	struct strbuf answer = STRBUF_INIT;
	struct inlines *in = priv;
	int err;

	in->call.fds = fds;
	in->call.fd_cnt = fd_cnt;
	if (fd_cnt)
		in->left_ns += reader__time_of(in->call.owner, fds, fd_cnt);
	err = ask(in, &inlines_give_op, body, &answer);
	in->call.fds = NULL;
	in->call.fd_cnt = 0;
	strbuf__free(&answer);
	return err;
}

/* Opens the files of split DWARF that addresses wait for, and hands them over. */
static int give_split(struct inlines *in)
{
	const struct split_request request = {
		.head = &in->nr,
		.head_sz = sizeof(in->nr),
		.send = send_split,
		.priv = in,
	};
	struct strbuf body = STRBUF_INIT, answer = STRBUF_INIT;
	struct answer wants;
	int err;

	strbuf__add(&body, &in->nr, sizeof(in->nr));
	err = ask(in, &inlines_wants_op, &body, &answer);
	wants = answer__of(answer.buf, answer.len);
	if (!err) {
		err = split_files__give(&in->program, &wants, &request);
		if (err == -EPROTO && !in->is_gone)
			give_up(in, err);
	}
	strbuf__free(&body);
	strbuf__free(&answer);
	return err;
}

/* Takes the state of the file, which comes before the frames. */
static void keep_state(struct inlines *in, struct answer *a)
{
	const char *missing;
	uint64_t mem_sz;

	answer__take(a, &mem_sz, sizeof(mem_sz));
	missing = answer__take_text(a);
	in->mem_sz = bounded(mem_sz);
	if (a->is_bad || !missing || (in->missing && !strcmp(in->missing, missing)))
		return;
	free(in->missing);
	in->missing = strdup(missing);
}

/* Asks for those that are not known. */
static int read_unknown(struct inlines *in, const uint64_t *vaddrs, size_t cnt, bool *waits)
{
	struct strbuf body = STRBUF_INIT, answer = STRBUF_INIT;
	struct answer a;
	int err = 0;

	*waits = false;
	add_unknown(in, &body, vaddrs, cnt);
	if (body.len > sizeof(in->nr) && !ask(in, &inlines_find_op, &body, &answer)) {
		a = answer__of(answer.buf, answer.len);
		keep_state(in, &a);
		err = a.is_bad ? -EPROTO : 0;
		while (!err && a.at < a.end)
			err = keep_answer(in, &a, waits);
		if (err)
			give_up(in, err);
	}
	strbuf__free(&body);
	strbuf__free(&answer);
	return in->is_gone ? -ESTALE : err;
}

void inlines__read(struct inlines *in, const uint64_t *vaddrs, size_t cnt)
{
	bool waits = true;
	int round;

	if (in->is_gone)
		return;
	if (in->frame_cnt > KEPT_MAX || in->kept_cnt > KEPT_MAX)
		drop_kept(in);
	for (round = 0; round < ROUNDS_MAX && waits; round++) {
		if (round && (!in->program.path || give_split(in)))
			return;
		if (read_unknown(in, vaddrs, cnt, &waits))
			return;
	}
}

void inlines__want(struct inlines *in, uint64_t vaddr)
{
	/* Without memory it is asked for when it is looked up. */
	if (!in->is_gone && u64map__get(&in->by_vaddr, vaddr) == U64MAP_NONE &&
	    !array__reserve((void **)&in->wanted, &in->wanted_cap, in->wanted_cnt + 1,
			    sizeof(*in->wanted)))
		in->wanted[in->wanted_cnt++] = vaddr;
}

/* Tracks the state that addr2line keeps of an innermost function. */
static bool is_symbols(struct inlines *in, const struct inline_entries *e, uint64_t sym_start)
{
	uint32_t *state = u64map__slot(&in->states, e->innermost);
	bool is_first;

	if (!state)
		return false;
	if (*state == U64MAP_NONE)
		*state = 0;
	is_first = !e->is_linkers && !(*state & WAS_ASKED);
	*state |= WAS_ASKED;
	if (is_first && e->innermost == e->own && e->own_start == sym_start)
		*state |= IS_SYMBOLS;
	return is_first || *state & IS_SYMBOLS;
}

static bool is_own_symbols(const struct inlines *in, const struct inline_entries *e)
{
	uint32_t state = u64map__get(&in->states, e->own);

	return state != U64MAP_NONE && state & IS_SYMBOLS;
}

size_t inlines__find(struct inlines *in, uint64_t vaddr, uint64_t sym_start,
		     struct inline_frame *frames, size_t max)
{
	uint32_t idx = u64map__get(&in->by_vaddr, vaddr), i, cnt;
	const struct kept *kept;

	if (idx == U64MAP_NONE) {
		inlines__want(in, vaddr);
		inlines__read(in, in->wanted, in->wanted_cnt);
		in->wanted_cnt = 0;
		idx = u64map__get(&in->by_vaddr, vaddr);
	}
	if (idx == U64MAP_NONE || !max)
		return 0;
	kept = &in->kept[idx];
	cnt = kept->cnt < max ? kept->cnt : (uint32_t)max;
	if (!cnt)
		return 0;
	for (i = 0; i < cnt; i++) {
		/* If there are too many, the outermost one is not dropped. */
		uint32_t nth = kept->first + (i + 1 < cnt ? i : kept->cnt - 1);
		const struct kept_frame *f = &in->frames[nth];

		frames[i] = (struct inline_frame){ .name = text_of(in, f->name),
						   .file = text_of(in, f->file),
						   .plain = text_of(in, f->plain),
						   .printed = printed_of(in, f->name),
						   .plain_printed = printed_of(in, f->plain),
						   .line = f->line };
	}
	frames[cnt - 1].is_symbols = is_own_symbols(in, &kept->entries);
	frames[0].is_symbols = is_symbols(in, &kept->entries, sym_start);
	return cnt;
}
