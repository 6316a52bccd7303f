// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "reader/worker.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "reader/message.h"

/* An answer of this size and more leaves memory behind that is better given back. */
#define TRIM_SZ (1u << 20)

static int receive(int sock, struct message *head, struct reader_request *req, char **body)
{
	int err;

	*req = (struct reader_request){ .fd_cnt = 0 };
	*body = NULL;
	err = message__receive(sock, head, sizeof(*head), req->fds, READER_FDS_MAX, &req->fd_cnt,
			       MESSAGE_NO_LIMIT);
	if (err)
		return err;
	*body = malloc(head->sz + 1);
	if (!*body)
		return -ENOMEM;
	(*body)[head->sz] = '\0';
	req->body = *body;
	req->sz = head->sz;
	return message__receive(sock, *body, head->sz, NULL, 0, NULL, MESSAGE_NO_LIMIT);
}

static void close_fds(struct reader_request *req)
{
	uint32_t i;

	for (i = 0; i < req->fd_cnt; i++)
		if (req->fds[i] >= 0)
			close(req->fds[i]);
}

void worker__serve(int sock)
{
	struct strbuf answer = STRBUF_INIT;
	struct reader_request req;
	struct message head;
	char *body;
	size_t sz;
	int err;

	do {
		err = receive(sock, &head, &req, &body);
		if (!err) {
			strbuf__reset(&answer);
			head.status = head.op->run(&req, &answer);
			/* An answer from which text is missing for want of memory is none. */
			if (strbuf__has_failed())
				head.status = -ENOMEM;
			head.sz = head.status ? 0 : answer.len;
			head.fd_cnt = 0;
			err = message__send(sock, &head, sizeof(head), NULL, 0, MESSAGE_NO_LIMIT);
			if (!err)
				err = message__send(sock, answer.buf, head.sz, NULL, 0,
						    MESSAGE_NO_LIMIT);
		}
		close_fds(&req);
		free(body);
		sz = answer.cap;
		if (sz >= TRIM_SZ) {
			strbuf__free(&answer);
			malloc_trim(0);
		}
		/* After that, each answer would be taken for one without its memory. */
	} while (!err && !strbuf__has_failed());
}
