// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/split_op.h"

#include <errno.h>
#include <stdlib.h>

#include "probe/code_file.h"
#include "reader/answer.h"

static int run_split(struct reader_request *req, struct strbuf *answer)
{
	struct answer body = answer__of(req->body, req->sz);
	struct split_given *given;
	struct code_file_set set;
	struct code_file *file;
	struct code_fds fds;
	size_t cnt;
	uint32_t at;
	int err;

	(void)answer;
	answer__take(&body, &set, sizeof(set));
	given = answer__take_array(&body, sizeof(*given), &cnt);
	at = 1u + (set.has_debug != 0) + (set.has_alt != 0);
	if (body.is_bad || at > req->fd_cnt) {
		free(given);
		return -EPROTO;
	}
	fds = code_fds__of(req, &set);
	err = code_file__open(&file, &req->fds[0], &fds);
	if (!err)
		code_file__dwarf(file, &fds);
	if (!err)
		split_units__take(&file->split, given, cnt, &req->fds[at], req->fd_cnt - at);
	free(given);
	return err;
}

const struct reader_op split_op = { "split", run_split };
