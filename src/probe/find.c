// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/answer_cache.h"
#include "probe/find_op.h"
#include "probe/split_op.h"
#include "reader/files.h"
#include "sym/debug_file.h"
#include "sym/read_elf.h"
#include "sym/split_files.h"
#include "util/private_dir.h"

#define ANSWER_MAX (256u << 20)
/*
 * A request is repeated with the package that it lacked, and then with single files; a reader may
 * have ended meanwhile.
 */
#define ROUNDS_MAX 4

/* Opens the debug files of a file; -1 where there is none. */
static void open_debug(int fd, const char *path, int *debug_fd, int *alt_fd)
{
	struct elf_heads heads, debug_heads;
	int dwarf_fd = fd;

	*debug_fd = *alt_fd = -1;
	if (read_elf__heads(READER_NAMES, fd, &heads))
		return;
	if (!heads.has_dwarf)
		*debug_fd = debug_file__open(READER_NAMES, &heads, path, -1, true);
	if (*debug_fd >= 0) {
		dwarf_fd = *debug_fd;
		if (read_elf__heads(READER_NAMES, dwarf_fd, &debug_heads))
			return;
		heads = debug_heads;
	}
	if (heads.alt[0])
		*alt_fd = debug_file__open_alt(READER_NAMES, dwarf_fd, &heads);
}

/* The debug files of the last file: the terms of one command line are mostly of one. */
static struct {
	struct stat st;
	int debug_fd, alt_fd;
} last = { .debug_fd = -1, .alt_fd = -1 };

static void find_debug(int fd, struct split_program *program)
{
	struct stat st = { 0 };
	bool is_known = !fstat(fd, &st) && st.st_dev == last.st.st_dev &&
			st.st_ino == last.st.st_ino &&
			st.st_mtim.tv_sec == last.st.st_mtim.tv_sec &&
			st.st_mtim.tv_nsec == last.st.st_mtim.tv_nsec;

	program->owner = st.st_uid;
	if (is_known)
		return;
	if (last.debug_fd >= 0)
		close(last.debug_fd);
	if (last.alt_fd >= 0)
		close(last.alt_fd);
	last.st = st;
	open_debug(fd, program->path, &last.debug_fd, &last.alt_fd);
}

/* Takes the answer up to the files that are wanted. */
static int take_head(struct find_answer *answer, struct answer *a)
{
	uint8_t has_return, is_split;
	const char *near, *missing;
	uint32_t status;

	answer__take(a, &status, sizeof(status));
	answer__take(a, &has_return, sizeof(has_return));
	answer__take(a, &is_split, sizeof(is_split));
	answer__take(a, &answer->fault, sizeof(answer->fault));
	near = answer__take_text(a);
	missing = answer__take_text(a);
	if (a->is_bad || status > FIND_WANTS)
		return -EPROTO;
	answer->status = status;
	answer->has_return = has_return != 0;
	answer->fault.text[sizeof(answer->fault.text) - 1] = '\0';
	answer->is_split = is_split != 0;
	answer->near = near ? strdup(near) : NULL;
	answer->missing = missing ? strdup(missing) : NULL;
	return 0;
}

static int take_answer(struct find_answer *answer, const struct strbuf *bytes)
{
	struct answer a = answer__of(bytes->buf, bytes->len);
	uint8_t wants_package;
	uint64_t wants;
	int err = take_head(answer, &a);

	if (err)
		return err;
	answer__take(&a, &wants_package, sizeof(wants_package));
	answer__take(&a, &wants, sizeof(wants));
	/* Readers ask for a file once. */
	return wants || wants_package ? -EPROTO : places__take(&answer->places, &a);
}

/* Adds files of split DWARF to those of the program, which the reader has from a request. */
static int send_split(void *priv, const struct strbuf *body, const int *fds, uint32_t fd_cnt)
{
	struct strbuf answer = STRBUF_INIT;
	struct reader_call call = {
		.op = &split_op,
		.purpose = READER_NAMES,
		.body = body->buf,
		.sz = body->len,
		.fds = fds,
		.fd_cnt = fd_cnt,
		.missing = "arguments",
	};
	int err;

	(void)priv;
	err = reader__call_files(&call, &answer, NULL);
	strbuf__free(&answer);
	return err;
}

/* Asks the reader; if it wants files of split DWARF, hands them over, and asks again. */
static int ask_reader(struct reader_call *call, const struct split_program *program,
		      struct find_answer *answer, struct strbuf *bytes)
{
	const struct find_request_head *head = call->body;
	const struct split_request request = {
		.head = &head->has,
		.head_sz = sizeof(head->has),
		.fds = call->fds,
		.fd_cnt = call->fd_cnt,
		.send = send_split,
	};
	int err, round;

	for (round = 0; round < ROUNDS_MAX; round++) {
		struct answer a;

		err = reader__call_files(call, bytes, NULL);
		if (err)
			return err;
		a = answer__of(bytes->buf, bytes->len);
		err = take_head(answer, &a);
		if (err || answer->status != FIND_WANTS)
			break;
		find_answer__free(answer);
		err = split_files__give(program, &a, &request);
		if (err)
			return err;
	}
	find_answer__free(answer);
	return err ?: take_answer(answer, bytes);
}

/* Asks the reader, unless the same was asked before. */
static int ask(struct reader_call *call, const struct split_program *program,
	       struct find_answer *answer)
{
	const int files[ANSWER_CACHE_FILES] = { call->fds[0], last.debug_fd, last.alt_fd };
	struct strbuf bytes = STRBUF_INIT;
	struct answer_cache_key key;
	bool may_keep = answer_cache__key(&key, files, reader__is_trusted, call->body, call->sz);
	int err = -ENOENT;

	if (may_keep && answer_cache__get(&key, PRIVATE_DIR, &bytes))
		err = take_answer(answer, &bytes);
	if (!err)
		goto cleanup;
	find_answer__free(answer);
	err = ask_reader(call, program, answer, &bytes);
	/* One that depends on further files is not kept. */
	if (!err && may_keep && !answer->is_split && answer->status == FIND_OK)
		answer_cache__put(&key, PRIVATE_DIR, &bytes);
cleanup:
	strbuf__free(&bytes);
	return err;
}

int find__ask(int fd, const char *path, const struct find_want *want, struct find_answer *answer)
{
	struct strbuf body = STRBUF_INIT;
	struct find_request_head head;
	int fds[3] = { fd }, err;
	struct split_program program = { .path = path, .root_fd = -1, .is_named = true };
	struct reader_call call = {
		.op = &find_op,
		.purpose = READER_NAMES,
		.fds = fds,
		.fd_cnt = 1,
		.answer_max = ANSWER_MAX,
		.missing = "functions",
	};

	memset(answer, 0, sizeof(*answer));
	memset(&head, 0, sizeof(head));
	find_debug(fd, &program);
	head.add = want->add;
	head.line = want->line;
	head.is_list = want->is_list;
	head.has.has_debug = last.debug_fd >= 0;
	head.has.has_alt = last.alt_fd >= 0;
	if (last.debug_fd >= 0)
		fds[call.fd_cnt++] = last.debug_fd;
	if (last.alt_fd >= 0)
		fds[call.fd_cnt++] = last.alt_fd;
	strbuf__add(&body, &head, sizeof(head));
	answer__put_text(&body, want->provider);
	answer__put_text(&body, want->func);
	answer__put_text(&body, want->source);
	answer__put_text(&body, want->args);
	call.body = body.buf;
	call.sz = body.len;
	err = ask(&call, &program, answer);
	strbuf__free(&body);
	return err;
}

void find_answer__free(struct find_answer *answer)
{
	places__free(&answer->places);
	free(answer->near);
	free(answer->missing);
	*answer = (struct find_answer){ FIND_OK };
}
