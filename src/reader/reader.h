/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Files and texts of others are read by processes of their own, without privileges
 * (reader/sandbox.h). Such a reader has no capability, cannot open anything and sees only the
 * descriptors that it is handed; whatever the bytes do to it, the caller gets an error, and the
 * next call a new reader. docs/security.md has the whole.
 *
 * A reader serves the files of one owner: a file that took it over could otherwise answer for the
 * files of others. Readers are forked by the host, a process that reads nothing itself, so that
 * each begins as bpfperf was at its start (reader/host.h).
 *
 * All functions may be called by any thread.
 */
#ifndef BPFPERF_READER_READER_H
#define BPFPERF_READER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/strbuf.h"

#define READER_FDS_MAX 16

/* A request, as the reader sees it. */
struct reader_request {
	const char *body;
	size_t sz; /* bytes of body; a NUL follows them */
	/* Closed after the request, unless the op has taken one and left -1. */
	int fds[READER_FDS_MAX];
	uint32_t fd_cnt;
};

/* One kind of request. */
struct reader_op {
	const char *name;
	/*
	 * Runs in a reader: appends the answer. Returns 0 or -errno, which the caller gets. It may
	 * keep state in static variables; its caller notices by the generation if that is gone.
	 */
	int (*run)(struct reader_request *req, struct strbuf *answer);
};

/* Calls of one purpose are answered one after the other, those of different ones side by side. */
enum reader_purpose {
	READER_FORMATS, /* print formats of a recording */
	READER_NAMES, /* symbols, DWARF, JIT maps: needed now */
	READER_AHEAD, /* of those, what will be needed later */
	READER_TABLES, /* call frame information */
	READER_PURPOSE_CNT,
};

struct reader_call {
	const struct reader_op *op;
	enum reader_purpose purpose;
	uid_t owner; /* of the bytes that are read; READER_NO_OWNER: anybody */
	const void *body;
	size_t sz;
	const int *fds; /* stay the caller's */
	uint32_t fd_cnt;
	uint64_t limit_ns; /* time for the answer, after which the reader is killed */
	bool is_linear; /* bounded by the bytes that are read: reader__hurry() leaves it its time */
	size_t answer_max; /* bytes */
	const char *missing; /* for reader__call_files(): a name of what the answer has */
	/* The request is for this process alone; 0: for any */
	uint64_t generation;
};

#define READER_NO_OWNER ((uid_t)-2)

/* Is it root, bpfperf's user, or the caller of sudo? Their files have higher limits. */
bool reader__is_trusted(uid_t owner);

/*
 * Forks the host unless there is one. To be called before threads are started and before anything
 * of others is read; reader__call() makes up for it. 0 or -errno, logged.
 */
int reader__start(void);
/*
 * Runs call->op in the reader of this purpose and owner, and replaces *answer with what it
 * answered: as hostile as the bytes that were read. *generation, unless NULL, is set to a number
 * that changes with the process. Returns 0; the op's -errno; -ETIMEDOUT: the time was up; -ECHILD:
 * the reader crashed; -EPROTO: it answered nonsense; -EDQUOT: files of this owner have cost too
 * much time already; -ESTALE: the process of call->generation has ended; -errno: no reader could
 * be started.
 */
int reader__call(const struct reader_call *call, struct strbuf *answer, uint64_t *generation);
/*
 * Has call->op run in the reader that call->generation names, after what it was asked before, and
 * does not wait for it: there is no answer. A reader that is gone has nothing to do.
 */
void reader__tell(const struct reader_call *call);
/*
 * The recording has ended, and its user waits for the output: from now on files of all other users
 * together cost less than a tenth of a second without an answer, also those that are being read.
 * A stop signal that is pending does the same.
 */
void reader__hurry(void);
/* Counts time that files of an owner have cost to no end; nothing for those that are trusted. */
void reader__charge(uid_t owner, uint64_t lost_ns);

/* The host, and the readers of each purpose, of so many owners at a time. */
#define READER_OWNERS_MAX 3
#define READERS_MAX (1 + READER_PURPOSE_CNT * READER_OWNERS_MAX)

/*
 * Keeps the ids of the host and of all readers in an array of READERS_MAX elements, of which the
 * first *cnt count; 0 is none. A reader does nothing before its id is there. NULL: no more.
 */
void reader__show_pids(uint32_t *pids, uint32_t *cnt);
/* Returns the reason for an error of reader__call(), as the end of a sentence. */
const char *reader__why(int err);
/* Ends all readers and the host. Tests call it; otherwise they end with bpfperf. */
void reader__stop(void);

#endif
