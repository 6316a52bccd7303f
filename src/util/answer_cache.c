// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/answer_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/fs.h"
#include "util/hash.h"
#include "util/private_dir.h"

#define PREFIX "answer."
/* Bytes of one answer, and of all: they take memory. Beyond the latter all are forgotten. */
#define ANSWER_MAX (1u << 20)
#define TOTAL_MAX (16u << 20)
#define FILES_MAX 1024
/* The time of a change has a grain of some ms; a file that changed long ago has another one. */
#define SETTLED_NS 2000000000ll

static const char magic[] = "bpfansw1";

static int64_t ns_of(struct timespec ts)
{
	return (int64_t)ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

/* Fills in the state of a file. Returns whether it is settled. */
static bool get_state(struct answer_cache_state *state, const struct stat *st)
{
	struct timespec now;

	*state = (struct answer_cache_state){
		.dev = st->st_dev,
		.ino = st->st_ino,
		.sz = (uint64_t)st->st_size,
		.mtime_ns = ns_of(st->st_mtim),
		.ctime_ns = ns_of(st->st_ctim),
	};
	clock_gettime(CLOCK_REALTIME, &now);
	return ns_of(now) - state->ctime_ns > SETTLED_NS;
}

bool answer_cache__key(struct answer_cache_key *key, const int *fds,
		       bool (*is_trusted)(uid_t owner), const void *body, size_t sz)
{
	struct stat st;
	uint64_t hash;
	size_t i;

	memset(key, 0, sizeof(*key));
	if (geteuid() || stat("/proc/self/exe", &st) || !get_state(&key->head.self, &st))
		return false;
	for (i = 0; i < ANSWER_CACHE_FILES; i++)
		if (fds[i] >= 0 && (fstat(fds[i], &st) || !is_trusted(st.st_uid) ||
				    !get_state(&key->head.files[i], &st)))
			return false;
	memcpy(key->head.magic, magic, sizeof(key->head.magic));
	key->head.body_sz = sz;
	key->body = body;
	hash = hash__bytes(HASH_INIT, &key->head, sizeof(key->head));
	hash = hash__bytes(hash, body, sz);
	snprintf(key->name, sizeof(key->name), PREFIX "%016llx", (unsigned long long)hash);
	return true;
}

/* Does the file have the key's answer? */
static bool is_of(const struct answer_cache_key *key, const char *data, size_t sz)
{
	struct answer_cache_key got;
	size_t left = sz - sizeof(got.head);

	if (sz < sizeof(got.head))
		return false;
	memcpy(&got.head, data, sizeof(got.head));
	if (got.head.answer_sz > left || key->head.body_sz != left - got.head.answer_sz)
		return false;
	got.head.answer_sz = 0;
	return !memcmp(&got.head, &key->head, sizeof(got.head)) &&
	       !memcmp(data + sizeof(got.head), key->body, key->head.body_sz);
}

bool answer_cache__get(struct answer_cache_key *key, const char *dir, struct strbuf *answer)
{
	int dir_fd = private_dir__open(dir, false);
	int fd = dir_fd < 0 ? -1 : private_dir__open_file(dir_fd, key->name);
	size_t sz = 0, head_sz = sizeof(key->head) + key->head.body_sz;
	char *data = fd < 0 ? NULL : fs__read_fd(fd, &sz);
	bool is_there = data && is_of(key, data, sz);

	if (is_there) {
		strbuf__reset(answer);
		strbuf__add(answer, data + head_sz, sz - head_sz);
	}
	free(data);
	if (fd >= 0)
		close(fd);
	if (dir_fd >= 0)
		close(dir_fd);
	return is_there;
}

/* Files that are kept, and their size. forget: removes them. */
static void walk(int dir_fd, bool forget, size_t *cnt, uint64_t *sz)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	struct stat st;

	*cnt = 0;
	*sz = 0;
	while (d && (e = readdir(d))) {
		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) != 0)
			continue;
		if (forget) {
			unlinkat(dir_fd, e->d_name, 0);
		} else if (!fstatat(dir_fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW)) {
			++*cnt;
			*sz += (uint64_t)st.st_size;
		}
	}
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
}

/* Has room for one more answer. The files are counted once. */
static void make_room(int dir_fd, size_t more)
{
	static bool is_counted;
	static uint64_t sz;
	static size_t cnt;

	if (!is_counted)
		walk(dir_fd, false, &cnt, &sz);
	is_counted = true;
	if (cnt >= FILES_MAX || sz + more > TOTAL_MAX)
		walk(dir_fd, true, &cnt, &sz);
	cnt++;
	sz += more;
}

void answer_cache__put(struct answer_cache_key *key, const char *dir, const struct strbuf *answer)
{
	const struct iovec parts[] = {
		{ &key->head, sizeof(key->head) },
		{ (void *)key->body, key->head.body_sz },
		{ answer->buf, answer->len },
	};
	int dir_fd = answer->len > ANSWER_MAX ? -1 : private_dir__open(dir, true);

	if (dir_fd < 0)
		return;
	make_room(dir_fd, sizeof(key->head) + key->head.body_sz + answer->len);
	key->head.answer_sz = answer->len;
	private_dir__put(dir_fd, key->name, parts, 3);
	close(dir_fd);
}
