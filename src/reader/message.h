/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Messages between bpfperf, the host of readers, and readers. */
#ifndef BPFPERF_READER_MESSAGE_H
#define BPFPERF_READER_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "reader/reader.h"

/* Begins a request and an answer; sz bytes follow. */
struct message {
	uint64_t serial; /* an answer has that of its request */
	/*
	 * The reader is a fork of the process that asks: an address means the same in both, and an
	 * op needs no number.
	 */
	const struct reader_op *op;
	uint64_t sz;
	int32_t status; /* of an answer: 0 or -errno; of a request: MESSAGE_NO_ANSWER or 0 */
	uint32_t fd_cnt;
};

/* A request that is not answered. */
#define MESSAGE_NO_ANSWER 1

/* An order to the host; the socket of the new reader comes with it. */
struct host_order {
	uint64_t mem_max; /* bytes of memory for the reader */
	uint64_t map_max; /* bytes of its address space */
	int32_t ended; /* the reader that is to be killed; 0: one is ordered */
};

/* The host's answer to an order. */
struct host_answer {
	int32_t pid; /* or -errno */
};

#define MESSAGE_NO_LIMIT UINT64_MAX

/* How long to wait, in mono_ns(). */
struct message_wait {
	uint64_t until_ns; /* -ETIMEDOUT then */
	/*
	 * Until then the socket is asked again and again, since sleeping and waking costs more than
	 * the other side needs.
	 */
	uint64_t spin_until_ns;
};

/*
 * Sends `head` of head_sz bytes with fds, and then sz bytes. 0; -ECHILD: the other side has ended;
 * -ETIMEDOUT or another -errno.
 */
int message__send(int sock, const void *head, size_t head_sz, const void *buf, size_t sz,
		  const int *fds, uint32_t fd_cnt, const struct message_wait *wait);
/*
 * Receives exactly head_sz bytes, with at most max_cnt descriptors, which are the caller's; *fd_cnt
 * is set to their number. fds may be NULL: none are accepted. Bytes that follow are put into buf,
 * at most sz; *got is set to their number. Errors are those of message__send().
 */
int message__receive(int sock, void *head, size_t head_sz, void *buf, size_t sz, size_t *got,
		     int *fds, uint32_t max_cnt, uint32_t *fd_cnt, const struct message_wait *wait);
/* Receives exactly sz bytes. Errors are those of message__send(). */
int message__receive_rest(int sock, void *buf, size_t sz, const struct message_wait *wait);

#endif
