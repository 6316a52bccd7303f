// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/log.h"
#include "util/mono.h"
#include "util/hash.h"

/* Several bpfperf of one machine that send to one store. */
#define DIRS_MAX 16

/* How long a process that was left behind may need to end its last request. */
#define LOCK_WAIT_MS 6000

char *spool__name(const struct spool_msg *msg, const char *suffix, char *name)
{
	snprintf(name, SPOOL_NAME_SZ,
		 "%010" PRIu64 "-%" PRIu64 "-%" PRIu64 "-%" PRIu64 "-%" PRIu64 "-%" PRIx64 "%s",
		 msg->seq, msg->samples, msg->lost, msg->begin_ns, msg->end_ns, msg->run, suffix);
	return name;
}

bool spool__parse(const char *name, const char *suffix, struct spool_msg *msg)
{
	int end = -1;

	sscanf(name, "%" SCNu64 "-%" SCNu64 "-%" SCNu64 "-%" SCNu64 "-%" SCNu64 "-%" SCNx64 "%n",
	       &msg->seq, &msg->samples, &msg->lost, &msg->begin_ns, &msg->end_ns, &msg->run, &end);
	return end > 0 && !strcmp(name + end, suffix);
}

/* Calls fn for each message of a directory with this suffix. */
static int each(const char *dir, const char *suffix,
		void (*fn)(void *ctx, const struct spool_msg *msg, const struct stat *st),
		void *ctx)
{
	DIR *d = opendir(dir);
	struct spool_msg msg;
	struct dirent *e;
	struct stat st;

	if (!d)
		return -errno;
	while ((e = readdir(d)))
		if (spool__parse(e->d_name, suffix, &msg) &&
		    !fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			fn(ctx, &msg, &st);
	closedir(d);
	return 0;
}

static void keep_oldest(void *ctx, const struct spool_msg *msg, const struct stat *st)
{
	struct spool_msg *oldest = ctx;

	if (!oldest->seq || msg->seq < oldest->seq)
		*oldest = *msg;
}

int spool__oldest(const char *dir, const char *suffix, struct spool_msg *msg)
{
	int err;

	*msg = (struct spool_msg){ 0 };
	err = each(dir, suffix, keep_oldest, msg);
	return err ? err : msg->seq ? 0 : -ENOENT;
}

static void add_up(void *ctx, const struct spool_msg *msg, const struct stat *st)
{
	struct spool_sum *sum = ctx;

	sum->messages++;
	sum->samples += msg->samples;
	sum->bytes += (uint64_t)st->st_size;
}

void spool__sum(const char *dir, const char *suffix, struct spool_sum *sum)
{
	*sum = (struct spool_sum){ 0 };
	each(dir, suffix, add_up, sum);
}

static void keep_newest(void *ctx, const struct spool_msg *msg, const struct stat *st)
{
	struct spool *s = ctx;

	if (msg->seq >= s->next_seq)
		s->next_seq = msg->seq + 1;
}

/* Makes the directory and the ones above it, for its user alone. */
static int make_dirs(char *dir)
{
	char *slash;

	for (slash = dir + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		if (mkdir(dir, 0755) && errno != EEXIST)
			return -errno;
	}
	return mkdir(dir, 0700) && errno != EEXIST ? -errno : 0;
}

/* A directory that another user may write to could make bpfperf send, or remove, anything. */
static int check_owner(const char *dir)
{
	struct stat st;

	if (lstat(dir, &st))
		return -errno;
	return !S_ISDIR(st.st_mode)                                           ? -ENOTDIR
	       : st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) ? -EPERM
									      : 0;
}

/* Locks the directory; waits if there is only one process to wait for. 0 or -errno. */
static int lock_dir(struct spool *s, bool wait)
{
	char path[4200];
	int ms;

	snprintf(path, sizeof(path), "%s/lock", s->dir);
	s->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (s->lock_fd < 0)
		return -errno;
	for (ms = 0; flock(s->lock_fd, LOCK_EX | LOCK_NB); ms += 100) {
		if (errno != EWOULDBLOCK || !wait || ms >= LOCK_WAIT_MS) {
			close(s->lock_fd);
			s->lock_fd = -1;
			return -EWOULDBLOCK;
		}
		/* Its last request ends, or the directory is that of a process that goes on. */
		poll(NULL, 0, 100);
	}
	return 0;
}

/* A run that ends well leaves an empty file, or none. */
static void begin_run(struct spool *s)
{
	struct stat st;

	if (!fstat(s->lock_fd, &st) && st.st_size)
		s->killed_at = (int64_t)st.st_mtim.tv_sec;
	spool__note(s);
}

void spool__note(const struct spool *s)
{
	/* Writing a byte over itself sets the time; without it the end of a run is not told. */
	if (pwrite(s->lock_fd, "1", 1, 0) != 1)
		return;
}

static void remove_tmp(void *ctx, const struct spool_msg *msg, const struct stat *st)
{
	spool__remove(ctx, msg, SPOOL_TMP);
}

static uint64_t hash_of(const char *key)
{
	uint64_t hash = 0;

	for (; *key; key++)
		hash = hash__mix(hash ^ (unsigned char)*key);
	return hash;
}

/* Tries one directory. 0, -EWOULDBLOCK: it is in use, or -errno. */
static int try_dir(struct spool *s, const char *base, const char *key, int nr)
{
	int err;

	free(s->dir);
	if (asprintf(&s->dir, nr ? "%s/%016" PRIx64 "-%d" : "%s/%016" PRIx64, base, hash_of(key),
		     nr) < 0) {
		s->dir = NULL;
		return -ENOMEM;
	}
	err = make_dirs(s->dir);
	if (!err)
		err = check_owner(s->dir);
	return err ? err : lock_dir(s, !nr);
}

int spool__open(struct spool *s, const char *base, const char *key, uint64_t max_sz)
{
	int nr, err = -EWOULDBLOCK;

	*s = (struct spool){ .lock_fd = -1, .max_sz = max_sz, .next_seq = 1 };
	if (getrandom(&s->run, sizeof(s->run), 0) != sizeof(s->run))
		s->run = mono_ns();
	if (strlen(base) > 4000)
		err = -ENAMETOOLONG;
	for (nr = 0; err == -EWOULDBLOCK && nr < DIRS_MAX; nr++)
		err = try_dir(s, base, key, nr);
	if (err) {
		log_error(
			"--spool %s: %s; give a directory that you may write to, and no other user",
			base,
			err == -EPERM ? "it belongs to, or may be written by, another user"
				      : strerror(-err));
		return err;
	}
	begin_run(s);
	each(s->dir, SPOOL_TMP, remove_tmp, s->dir);
	each(s->dir, SPOOL_MSG, keep_newest, s);
	each(s->dir, SPOOL_SENDING, keep_newest, s);
	return 0;
}

void spool__close(struct spool *s)
{
	struct spool_sum left;
	char path[4200];

	if (s->dir && s->lock_fd >= 0) {
		spool__sum(s->dir, SPOOL_MSG, &left);
		snprintf(path, sizeof(path), "%s/lock", s->dir);
		/* A directory with messages keeps its lock. */
		if (!left.messages && !unlink(path))
			rmdir(s->dir);
		else if (ftruncate(s->lock_fd, 0))
			log_info("--spool: %s: %s", path, strerror(errno));
	}
	if (s->lock_fd >= 0)
		close(s->lock_fd);
	free(s->dir);
	*s = (struct spool){ .lock_fd = -1 };
}

bool spool__drop(struct spool *s, uint64_t more, bool one, struct spool_sum *dropped)
{
	struct spool_msg oldest;
	struct spool_sum all;
	uint64_t sz;
	bool any = false;
	struct stat st;
	char path[4200], name[SPOOL_NAME_SZ];

	spool__sum(s->dir, SPOOL_MSG, &all);
	while ((one ? !any : all.bytes + more > s->max_sz) &&
	       !spool__oldest(s->dir, SPOOL_MSG, &oldest)) {
		snprintf(path, sizeof(path), "%s/%s", s->dir,
			 spool__name(&oldest, SPOOL_MSG, name));
		sz = stat(path, &st) ? 0 : (uint64_t)st.st_size;
		/* It is not dropped if its request has begun meanwhile. */
		if (!unlink(path)) {
			dropped->messages++;
			dropped->samples += oldest.samples;
			dropped->bytes += sz;
			any = true;
		}
		spool__sum(s->dir, SPOOL_MSG, &all);
	}
	return any;
}

int spool__move(const char *dir, const struct spool_msg *msg, const char *from, const char *to)
{
	char old_path[4200], new_path[4200], name[SPOOL_NAME_SZ];

	snprintf(old_path, sizeof(old_path), "%s/%s", dir, spool__name(msg, from, name));
	snprintf(new_path, sizeof(new_path), "%s/%s", dir, spool__name(msg, to, name));
	return rename(old_path, new_path) ? -errno : 0;
}

void spool__remove(const char *dir, const struct spool_msg *msg, const char *suffix)
{
	char path[4200], name[SPOOL_NAME_SZ];

	snprintf(path, sizeof(path), "%s/%s", dir, spool__name(msg, suffix, name));
	unlink(path);
}
