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
	size_t cnt, i;
	uint32_t at;
	int err;

	(void)answer;
	answer__take(&body, &set, sizeof(set));
	given = answer__take_array(&body, sizeof(*given), &cnt);
	if (body.is_bad)
		return -EPROTO;
	fds = code_fds__of(req, &set);
	at = 1 + set.has_debug + set.has_alt + set.has_package;
	err = code_file__open(&file, &req->fds[0], &fds);
	if (!err)
		code_file__dwarf(file, &fds);
	for (i = 0; i < cnt && !err; i++) {
		bool here = given[i].state == SPLIT_HERE;

		split_units__give(&file->split, given[i].id, (enum split_state)given[i].state,
				  here && at < req->fd_cnt ? req->fds[at] : -1);
		at += here;
	}
	free(given);
	return err;
}

const struct reader_op split_op = { "split", run_split };
