// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "reader/worker.h"

#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "reader/message.h"
#include "util/fs.h"
#include "util/mono.h"

/* An answer of this size and more leaves memory behind that is better given back. */
#define TRIM_SZ (1u << 20)

/*
 * A request that comes soon after an answer will be followed by others: for this long the reader
 * asks for it without sleeping. Waking takes 20 to 50 us, of both sides' time.
 */
#define SPIN_NS 100000ull

/* When the last answer was given, and whether the request after it came soon. */
struct pace {
	uint64_t answered_ns;
	bool is_fast;
};

static int receive(int sock, struct message *head, struct reader_request *req, char **body,
		   struct pace *pace)
{
	struct message_wait wait = { MESSAGE_NO_LIMIT, pace->is_fast ? mono_ns() + SPIN_NS : 0 };
	int err;

	*req = (struct reader_request){ .fd_cnt = 0 };
	*body = NULL;
	err = message__receive(sock, head, sizeof(*head), NULL, 0, NULL, req->fds, READER_FDS_MAX,
			       &req->fd_cnt, &wait);
	if (err)
		return err;
	pace->is_fast = mono_ns() - pace->answered_ns < SPIN_NS;
	*body = malloc(head->sz + 1);
	if (!*body)
		return -ENOMEM;
	(*body)[head->sz] = '\0';
	req->body = *body;
	req->sz = head->sz;
	return message__receive_rest(sock, *body, head->sz, &wait);
}

static void close_fds(struct reader_request *req)
{
	uint32_t i;

	for (i = 0; i < req->fd_cnt; i++)
		if (req->fds[i] >= 0)
			close(req->fds[i]);
}

static int serve(int sock, struct message *head, struct reader_request *req, struct strbuf *answer)
{
	const struct message_wait no_limit = { MESSAGE_NO_LIMIT, 0 };
	bool is_answered = head->status != MESSAGE_NO_ANSWER;

	strbuf__reset(answer);
	fs__take_read_error();
	head->status = head->op->run(req, answer);
	/* A part that cannot be read was taken for one that is not there. */
	if (fs__take_read_error() == -EIO)
		head->status = -EIO;
	/* An answer from which text is missing for want of memory is none. */
	if (strbuf__has_failed())
		head->status = -ENOMEM;
	head->sz = head->status ? 0 : answer->len;
	head->fd_cnt = 0;
	return is_answered ? message__send(sock, head, sizeof(*head), answer->buf, head->sz, NULL,
					   0, &no_limit)
			   : 0;
}

void worker__serve(int sock)
{
	struct strbuf answer = STRBUF_INIT;
	struct pace pace = { 0, false };
	struct reader_request req;
	struct message head;
	char *body;
	int err;

	do {
		err = receive(sock, &head, &req, &body, &pace);
		if (!err)
			err = serve(sock, &head, &req, &answer);
		pace.answered_ns = mono_ns();
		close_fds(&req);
		free(body);
		if (answer.cap >= TRIM_SZ) {
			strbuf__free(&answer);
			malloc_trim(0);
		}
		/* After that, each answer would be taken for one without its memory. */
	} while (!err && !strbuf__has_failed());
}
