/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The process that sends messages, bpfperf-send: it has libcurl, which bpfperf is free of. It takes
 * messages from the spool (export/spool.h) and reports what became of each.
 */
#ifndef BPFPERF_EXPORT_SENDER_H
#define BPFPERF_EXPORT_SENDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "export/spool.h"

/* The fates of messages, and of the samples in them. */
struct send_counts {
	struct spool_sum sent;
	struct spool_sum refused; /* the store does not take them, or not all of them */
	struct spool_sum in_doubt; /* no answer came: they may have arrived, and are not repeated */
	uint64_t retries;
};

struct sender {
	const char *kind, *url; /* arguments of bpfperf-send; not owned */
	const struct spool *spool;
	char path[4200]; /* of the program */
	pid_t pid; /* 0: it does not run */
	int fd; /* a socket to it; -1 */
	bool has_warned; /* a problem was logged, and no message has been sent since */
	struct send_counts counts;
};

/* Looks for the program; sets path. */
bool sender__is_there(struct sender *s);
/* Finds the program, beside bpfperf or in ../libexec/bpfperf. 0, or -ENOENT, logged. */
int sender__find(struct sender *s);
/* The version that the program prints, and that of libcurl, in buf. 0 or -errno. */
int sender__version(const struct sender *s, char *buf, size_t sz);
/* Starts it. 0, or -errno, logged. */
int sender__start(struct sender *s);
/* A message was added to the spool: wakes the process, and starts it again if it has ended. */
void sender__wake(struct sender *s);
/* Reads the reports that are there. */
void sender__read(struct sender *s);
/*
 * Lets it send what the spool has, each message once at most, and waits until it has ended, for
 * this long at most or until a stop signal is pending.
 */
void sender__finish(struct sender *s, int wait_ms);

#endif
