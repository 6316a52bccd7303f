// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/event_dumps.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "event/event.h"
#include "kernel/capabilities.h"
#include "reader/message.h"
#include "sink/event_outs.h"
#include "util/array.h"
#include "util/err.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/only_fd.h"
#include "util/out_file.h"

#define SUFFIX ".dump"
/* Bytes of an event's name in that of its file: names of files have at most NAME_MAX. */
#define EVENT_MAX 127
/* Events of a recording, which may be made to have any number. */
#define FILES_MAX 1024
/* A file system that does not answer for longer is not waited for. */
#define OPEN_MAX_NS 60000000000ull

static const struct message_wait no_limit = { MESSAGE_NO_LIMIT, 0 };

struct request {
	char event[EVENT_MAX + 1];
};

struct answer {
	int32_t err; /* 0: the descriptor comes with it */
};

struct file {
	struct event_out dump;
	char *path;
	char event[EVENT_MAX + 1]; /* as in the path */
};

struct event_dumps {
	struct event_outs outs;
	char prefix[PATH_MAX]; /* the recording and a dot */
	int sock; /* to the process that opens */
	struct file **files;
	size_t cnt, cap;
};

/* May the character be part of a file's name? */
static bool is_fit(char c)
{
	return c >= ' ' && c <= '~' && c != '/';
}

/* Copies an event's name as it stands in that of its file, where other characters are '_'. */
static void set_event(char *to, const char *name)
{
	size_t i;

	for (i = 0; name[i] && i < EVENT_MAX; i++)
		to[i] = is_fit(name[i]) ? name[i] : '_';
	memset(to + i, '\0', EVENT_MAX + 1 - i);
}

/* Is it a name of set_event()? The process that asks may have been taken over by a recording. */
static bool is_name(const struct request *req)
{
	size_t i;

	for (i = 0; i < EVENT_MAX && req->event[i]; i++)
		if (!is_fit(req->event[i]))
			return false;
	return i && !req->event[i];
}

static int open_file(const char *prefix, const struct request *req)
{
	char path[PATH_MAX + EVENT_MAX + sizeof(SUFFIX)];
	bool is_new;
	int fd;

	if (!is_name(req))
		return -EINVAL;
	snprintf(path, sizeof(path), "%s%s" SUFFIX, prefix, req->event);
	/* A named pipe is not waited for. */
	fd = out_file__open(path, O_NONBLOCK, 0666, &is_new);
	if (fd < 0 || out_file__is_regular(fd))
		return fd;
	close(fd);
	return -EEXIST;
}

/* Opens files until the other process ends. Ctrl-C reaches this process, too. */
static void serve(const char *prefix)
{
	const int sock = STDIN_FILENO;
	struct request req;
	struct answer answer;
	unsigned int left;
	sigset_t all;
	int fd;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	capabilities__keep(CAPABILITY_READ_FILES | CAPABILITY_WRITE_FILES);
	for (left = FILES_MAX; left; left--) {
		if (message__receive_rest(sock, &req, sizeof(req), &no_limit))
			break;
		fd = open_file(prefix, &req);
		answer.err = fd < 0 ? fd : 0;
		if (message__send(sock, &answer, sizeof(answer), NULL, 0, &fd, fd >= 0, &no_limit))
			break;
		if (fd >= 0)
			close(fd);
	}
	_exit(0);
}

/* Forks the process. Returns the socket to it, or -errno. */
static int start(const char *prefix)
{
	int ends[2], err;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -errno;
	pid = fork();
	if (!pid) {
		only_fd__keep(ends[1]);
		serve(prefix);
	}
	err = -errno;
	close(ends[1]);
	if (pid > 0)
		return ends[0];
	close(ends[0]);
	return err;
}

/* Asks for an event's file. The descriptor, or -errno. */
static int ask(struct event_dumps *ed, const char *event)
{
	const struct message_wait wait = { mono_ns() + OPEN_MAX_NS, 0 };
	struct request req;
	struct answer answer = { 0 };
	uint32_t fd_cnt = 0;
	int fd, err;

	memcpy(req.event, event, sizeof(req.event));
	err = message__send(ed->sock, &req, sizeof(req), NULL, 0, NULL, 0, &wait);
	if (!err)
		err = message__receive(ed->sock, &answer, sizeof(answer), NULL, 0, NULL, &fd, 1,
				       &fd_cnt, &wait);
	err = err ? err : answer.err;
	if (err && fd_cnt)
		close(fd);
	return err ? err : fd_cnt ? fd : -EMFILE;
}

/* Logs why out_file__open() has failed in the other process. */
static void log_failure(const char *path, int err)
{
	if (err == -EEXIST)
		log_error("cannot write %s: it is no regular file; remove it", path);
	else if (err == -EMLINK || err == -EUCLEAN)
		log_error("cannot write %s: another user may have placed it there, or a link on "
			  "the way to it; copy the recording to a directory of your own",
			  path);
	else
		log_error("cannot write %s: %s; copy the recording to a directory you may write to",
			  path, strerror(-err));
}

static struct file *add_file(struct event_dumps *ed, const char *event)
{
	struct file *f = NULL;
	int fd;

	if (ed->cnt == FILES_MAX) {
		log_error("--per-event-dump: the recording has more than %d events; print them "
			  "without it",
			  FILES_MAX);
		return NULL;
	}
	if (!array__reserve((void **)&ed->files, &ed->cap, ed->cnt + 1, sizeof(*ed->files)))
		f = calloc(1, sizeof(*f));
	if (!f || asprintf(&f->path, "%s%s" SUFFIX, ed->prefix, event) < 0) {
		log_error("no memory for the files of events");
		free(f);
		return NULL;
	}
	fd = ask(ed, event);
	if (fd >= 0) {
		memcpy(f->event, event, sizeof(f->event));
		out__use(&f->dump.out, fd, f->path);
		f->dump.out.stop_is_end = true;
		out__begin(&f->dump.out);
		ed->files[ed->cnt++] = f;
		return f;
	}
	log_failure(f->path, fd);
	free(f->path);
	free(f);
	return NULL;
}

/* Events of one name share a file. */
static struct event_out *get_dump(struct event_outs *outs, const char *name)
{
	struct event_dumps *ed = (struct event_dumps *)outs;
	char event[EVENT_MAX + 1];
	struct file *f;
	size_t i;

	set_event(event, *name ? name : "unknown");
	for (i = 0; i < ed->cnt; i++)
		if (!strcmp(ed->files[i]->event, event))
			return &ed->files[i]->dump;
	f = add_file(ed, event);
	return f ? &f->dump : NULL;
}

/* Sets the beginning of the names: a directory's recording is its file `data`. False: too long. */
static bool set_prefix(struct event_dumps *ed, const char *input)
{
	const char *path = !input ? "perf.data" : !strcmp(input, "-") ? "stdin" : input;
	struct stat st;
	bool is_dir = !stat(path, &st) && S_ISDIR(st.st_mode);

	return snprintf(ed->prefix, sizeof(ed->prefix), "%s%s.", path, is_dir ? "/data" : "") <
	       (int)sizeof(ed->prefix);
}

struct event_outs *event_dumps__new(const char *input)
{
	struct event_dumps *ed = calloc(1, sizeof(*ed));
	int err = ed ? 0 : -ENOMEM;

	if (!err && !set_prefix(ed, input))
		err = -ENAMETOOLONG;
	if (!err) {
		ed->outs.get = get_dump;
		ed->sock = start(ed->prefix);
		err = ed->sock < 0 ? ed->sock : 0;
	}
	if (!err)
		return &ed->outs;
	log_error("--per-event-dump: cannot start the process that opens the files: %s; print the "
		  "samples without it",
		  strerror(-err));
	free(ed);
	return NULL;
}

int event_dumps__open(struct event_outs *outs, const struct event_list *events)
{
	size_t i;

	for (i = 0; outs && i < events->cnt; i++)
		if (!outs->get(outs, events->events[i]->name))
			return -EIO;
	return 0;
}

int event_dumps__flush(struct event_outs *outs)
{
	struct event_dumps *ed = (struct event_dumps *)outs;
	int err = 0;
	size_t i;

	for (i = 0; ed && i < ed->cnt; i++)
		err = err__keep_first(err, out__flush(&ed->files[i]->dump.out));
	return err;
}

int event_dumps__close(struct event_outs *outs)
{
	struct event_dumps *ed = (struct event_dumps *)outs;
	int err = 0, file_err;
	size_t i;

	if (!ed)
		return 0;
	for (i = 0; i < ed->cnt; i++) {
		struct file *f = ed->files[i];

		file_err = out__close(&f->dump.out);
		if (!file_err)
			log_note("%s: %llu samples", f->path, (unsigned long long)f->dump.samples);
		err = err__keep_first(err, file_err);
		free(f->path);
		free(f);
	}
	close(ed->sock);
	free(ed->files);
	free(ed);
	return err;
}
