/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Messages for a store, on disk until the store has them: one file a message, with the facts about
 * it in its name. bpfperf writes them and drops the oldest; bpfperf-send sends them.
 *
 *     SEQ-SAMPLES-LOST-BEGIN-END-RUN.msg       waits
 *     SEQ-SAMPLES-LOST-BEGIN-END-RUN.sending   a request has begun
 *     SEQ-SAMPLES-LOST-BEGIN-END-RUN.tmp       is being written
 *
 * Numbers are decimal, times ns since 1970; RUN is random, in hexadecimal.
 *
 * A message may have arrived if its request was begun and not answered: a process that finds one of
 * an earlier run cannot know, and does not send it again.
 */
#ifndef BPFPERF_EXPORT_SPOOL_H
#define BPFPERF_EXPORT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPOOL_NAME_SZ 128
#define SPOOL_MSG ".msg"
#define SPOOL_SENDING ".sending"
#define SPOOL_TMP ".tmp"

struct spool_msg {
	uint64_t seq; /* from 1 on, in the order of writing */
	uint64_t samples, lost;
	uint64_t begin_ns, end_ns; /* CLOCK_REALTIME */
	uint64_t run; /* seq and run make a message unique */
};

struct spool {
	char *dir; /* owned */
	int lock_fd; /* locked as long as a process uses the directory */
	uint64_t max_sz; /* bytes of all messages */
	uint64_t next_seq;
	uint64_t run; /* of this process */
	int64_t killed_at; /* s since 1970: the last interval of an earlier run; 0: it ended well */
};

struct spool_sum {
	uint64_t messages, samples, bytes;
};

/* The name of a message's file, in a buffer of SPOOL_NAME_SZ bytes. Returns name. */
char *spool__name(const struct spool_msg *msg, const char *suffix, char *name);
/* Reads a name with this suffix. false: it is of something else. */
bool spool__parse(const char *name, const char *suffix, struct spool_msg *msg);
/* Finds the oldest message with this suffix in a directory. 0, -ENOENT, or -errno. */
int spool__oldest(const char *dir, const char *suffix, struct spool_msg *msg);
/* Adds up the messages with this suffix. */
void spool__sum(const char *dir, const char *suffix, struct spool_sum *sum);

/*
 * Opens a directory below `base` (made if it is not there) for the messages to one store, with the
 * name `key`: each of several processes has one of its own. 0, or -errno, logged.
 */
int spool__open(struct spool *s, const char *base, const char *key, uint64_t max_sz);
/* An interval was handed over: what a run that is killed has lost begins here. */
void spool__note(const struct spool *s);
/* Removes the directory if it is empty. */
void spool__close(struct spool *s);
/*
 * Drops the oldest messages until there is room for `more` bytes, or, with `one`, one message. Adds
 * them to *dropped. Returns whether any was dropped.
 */
bool spool__drop(struct spool *s, uint64_t more, bool one, struct spool_sum *dropped);
/* Renames the message from one suffix to another. 0 or -errno. */
int spool__move(const char *dir, const struct spool_msg *msg, const char *from, const char *to);
/* Removes the message. */
void spool__remove(const char *dir, const struct spool_msg *msg, const char *suffix);

#endif
