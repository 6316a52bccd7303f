// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/split_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/split_op.h"
#include "reader/files.h"
#include "sym/root.h"
#include "util/path.h"

/* May a file of this owner be read for the program? */
static bool is_owned(int file, int program)
{
	struct stat of_file, of_program;

	if (fstat(file, &of_file) || fstat(program, &of_program))
		return false;
	return of_file.st_uid == of_program.st_uid ||
	       (reader__is_trusted(of_file.st_uid) && reader__is_trusted(of_program.st_uid));
}

/* Opens a file; *state says what became of it. Returns -1 if it may not be read. */
static int open_file(const char *path, int program, enum split_state *state)
{
	int fd = root__probe(-1, path);

	if (fd < 0)
		return -1;
	*state = SPLIT_OTHERS;
	if (is_owned(fd, program)) {
		fd = root__open_probed(fd);
		*state = fd < 0 ? SPLIT_DAMAGED : SPLIT_HERE;
		return fd;
	}
	close(fd);
	return -1;
}

int split_files__open_package(int fd, const char *path)
{
	enum split_state state;
	char package[PATH_MAX];
	int n = snprintf(package, sizeof(package), "%s.dwp", path);

	return n > 0 && (size_t)n < sizeof(package) ? open_file(package, fd, &state) : -1;
}

/*
 * Looks for a .dwo file: as the compiler was told to name it, from the directory of the program and
 * from that in which it ran; then beside the program.
 */
static int open_dwo(const struct split_program *p, const char *dir, const char *name,
		    enum split_state *state)
{
	const int dir_len = (int)(path__base(p->path) - p->path);
	char path[2 * PATH_MAX];
	int fd = -1, i;

	*state = SPLIT_ABSENT;
	for (i = 0; i < 3 && fd < 0 && *state == SPLIT_ABSENT; i++) {
		if (i == 0 && name[0] == '/')
			snprintf(path, sizeof(path), "%s", name);
		else if (i == 1 && name[0] != '/' && dir && dir[0] == '/')
			snprintf(path, sizeof(path), "%s/%s", dir, name);
		else if (i != 1)
			snprintf(path, sizeof(path), "%.*s%s", dir_len, p->path,
				 i == 0 ? name : path__base(name));
		else
			continue;
		fd = open_file(path, p->fds[0], state);
	}
	return fd;
}

/* One request. */
struct batch {
	struct split_given given[SPLIT_FILES_MAX];
	uint64_t cnt;
	int fds[READER_FDS_MAX];
	uint32_t fd_cnt;
};

static int send_batch(const struct split_program *p, struct batch *b)
{
	struct strbuf body = STRBUF_INIT, answer = STRBUF_INIT;
	struct reader_call call = {
		.op = &split_op,
		.purpose = READER_NAMES,
		.fds = b->fds,
		.fd_cnt = b->fd_cnt,
		.missing = "arguments",
	};
	int err;

	strbuf__add(&body, &p->has, sizeof(p->has));
	answer__put_array(&body, b->given, b->cnt, sizeof(b->given[0]));
	call.body = body.buf;
	call.sz = body.len;
	err = reader__call_files(&call, &answer, NULL);
	for (; b->fd_cnt > p->fd_cnt; b->fd_cnt--)
		close(b->fds[b->fd_cnt - 1]);
	b->cnt = 0;
	strbuf__free(&body);
	strbuf__free(&answer);
	return err;
}

int split_files__give(const struct split_program *p, struct answer *wants)
{
	struct batch b = { .fd_cnt = p->fd_cnt };
	uint64_t cnt, i;
	int err = 0;

	memcpy(b.fds, p->fds, p->fd_cnt * sizeof(b.fds[0]));
	answer__take(wants, &cnt, sizeof(cnt));
	if (wants->is_bad || cnt > SPLIT_FILES_MAX)
		return -EPROTO;
	for (i = 0; i < cnt && !err; i++) {
		enum split_state state;
		const char *dir, *name;
		uint64_t id;
		int fd;

		answer__take(wants, &id, sizeof(id));
		dir = answer__take_text(wants);
		name = answer__take_text(wants);
		if (wants->is_bad || !name || !*name)
			return -EPROTO;
		fd = open_dwo(p, dir, name, &state);
		b.given[b.cnt++] = (struct split_given){ id, state };
		if (fd >= 0)
			b.fds[b.fd_cnt++] = fd;
		if (b.fd_cnt == READER_FDS_MAX || i + 1 == cnt)
			err = send_batch(p, &b);
	}
	return err;
}
