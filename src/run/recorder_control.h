/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --control of record: commands of another program, one a line, by a descriptor or a named pipe, as
 * perf record takes them: enable, disable, snapshot, ping, stop.
 */
#ifndef BPFPERF_RUN_RECORDER_CONTROL_H
#define BPFPERF_RUN_RECORDER_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed: not given. */
struct recorder_control {
	int fd, ack_fd; /* commands; answers "ack\n", or -1 */
	bool is_given;
	bool is_owned; /* opened here, from the paths of named pipes */
	char line[64]; /* the part of a command that was read */
	size_t len;
};

enum recorder_command {
	CONTROL_NONE, /* no whole command has been read */
	CONTROL_UNKNOWN,
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_SNAPSHOT,
	CONTROL_PING,
	CONTROL_STOP,
	CONTROL_END, /* no program has the other end any more */
};

/* Opens "fd:CTL[,ACK]" or "fifo:CTL[,ACK]". 0, or -EINVAL, logged. For struct opt.set. */
int recorder_control__set(void *control, const char *arg);
/* Takes the next command, without waiting. */
enum recorder_command recorder_control__next(struct recorder_control *c);
/* Answers a command that was carried out. */
void recorder_control__ack(const struct recorder_control *c);
void recorder_control__close(struct recorder_control *c);

#endif
