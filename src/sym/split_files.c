// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/split_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/files.h"
#include "sym/root.h"
#include "util/path.h"

/* May a file of this owner be read for the program? */
static bool is_owned(int file, const struct split_program *p)
{
	struct stat st;

	if (fstat(file, &st))
		return false;
	return st.st_uid == p->owner ||
	       (reader__is_trusted(st.st_uid) && reader__is_trusted(p->owner));
}

/* A step up could lead out of the program's root. */
static bool leads_up(const char *path)
{
	size_t len = strlen(path);

	return strstr(path, "/../") || (len >= 3 && !strcmp(path + len - 3, "/.."));
}

/* Another user's name must not have us wait for a daemon that mounts what it names. */
static int probe(const struct split_program *p, const char *path)
{
	if (p->is_named || reader__is_trusted(p->owner))
		return root__probe(p->root_fd, path);
	return leads_up(path) ? -1 : root__probe_mounted(p->root_fd, path);
}

/* Opens a file; *state says what became of it. Returns -1 if it may not be read. */
static int open_file(const struct split_program *p, const char *path, enum split_state *state)
{
	int fd = probe(p, path);

	if (fd < 0)
		return -1;
	*state = SPLIT_OTHERS;
	if (is_owned(fd, p)) {
		fd = root__open_probed(fd);
		*state = fd < 0 ? SPLIT_DAMAGED : SPLIT_HERE;
		return fd;
	}
	close(fd);
	return -1;
}

static int open_package(const struct split_program *p, enum split_state *state)
{
	char package[PATH_MAX];
	int n = snprintf(package, sizeof(package), "%s.dwp", p->path);

	*state = SPLIT_ABSENT;
	return n > 0 && (size_t)n < sizeof(package) ? open_file(p, package, state) : -1;
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
		fd = open_file(p, path, state);
	}
	return fd;
}

/* One request. */
struct batch {
	const struct split_request *request;
	struct split_given given[SPLIT_FILES_MAX + 1];
	size_t cnt;
	int fds[READER_FDS_MAX]; /* the first ones are the caller's */
	uint32_t fd_cnt;
};

static void add(struct batch *b, const struct split_given *given, int fd)
{
	b->given[b->cnt++] = *given;
	if (fd >= 0)
		b->fds[b->fd_cnt++] = fd;
}

static void drop_batch(struct batch *b)
{
	while (b->fd_cnt > b->request->fd_cnt)
		close(b->fds[--b->fd_cnt]);
	b->cnt = 0;
}

static int send_batch(struct batch *b)
{
	const struct split_request *r = b->request;
	struct strbuf body = STRBUF_INIT;
	int err;

	strbuf__add(&body, r->head, r->head_sz);
	answer__put_array(&body, b->given, b->cnt, sizeof(*b->given));
	err = r->send(r->priv, &body, b->fds, b->fd_cnt);
	strbuf__free(&body);
	drop_batch(b);
	return err;
}

/* Takes the next wish, and its file. */
static int add_next(struct batch *b, const struct split_program *p, struct answer *wants)
{
	struct split_given given = { 0 };
	enum split_state state;
	const char *dir, *name;
	int fd;

	answer__take(wants, &given.id, sizeof(given.id));
	dir = answer__take_text(wants);
	name = answer__take_text(wants);
	if (wants->is_bad || !name || !*name)
		return -EPROTO;
	fd = open_dwo(p, dir, name, &state);
	given.state = state;
	add(b, &given, fd);
	return 0;
}

/* Returns whether there is one. */
static bool add_package(struct batch *b, const struct split_program *p)
{
	enum split_state state;
	int fd = open_package(p, &state);

	add(b, &(struct split_given){ .is_package = true, .state = state }, fd);
	return fd >= 0;
}

int split_files__give(const struct split_program *p, struct answer *wants,
		      const struct split_request *request)
{
	struct batch b = { .request = request, .cnt = 0, .fd_cnt = request->fd_cnt };
	uint8_t is_package;
	uint64_t cnt, i;
	int err = 0;

	answer__take(wants, &is_package, sizeof(is_package));
	answer__take(wants, &cnt, sizeof(cnt));
	if (wants->is_bad || cnt > SPLIT_FILES_MAX || request->fd_cnt >= READER_FDS_MAX)
		return -EPROTO;
	for (i = 0; i < request->fd_cnt; i++)
		b.fds[i] = request->fds[i];
	if (is_package && add_package(&b, p))
		return send_batch(&b);
	for (i = 0; i < cnt && !err; i++) {
		if (b.fd_cnt == READER_FDS_MAX)
			err = send_batch(&b);
		if (!err)
			err = add_next(&b, p, wants);
	}
	if (!err && b.cnt)
		err = send_batch(&b);
	drop_batch(&b);
	return err;
}
