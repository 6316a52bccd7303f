/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A terminal used as a full screen: the alternate screen, unbuffered keys, no cursor. One at a
 * time. The terminal is restored however the program ends (return, a fatal signal, Ctrl-Z for a
 * while), except for SIGKILL.
 */
#ifndef BPFPERF_UTIL_TERM_H
#define BPFPERF_UTIL_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "util/strbuf.h"

/* Keys that are not characters. */
enum term_key {
	TERM_NONE = 0, /* none is waiting */
	TERM_UP = 0x100,
	TERM_DOWN,
	TERM_RIGHT,
	TERM_LEFT,
	TERM_PAGE_UP,
	TERM_PAGE_DOWN,
	TERM_HOME,
	TERM_END,
	TERM_ESC,
	TERM_ENTER,
	TERM_BACKSPACE,
	TERM_GONE, /* the terminal was closed */
};

/* Takes over stdout, and keys from stdin or, where that is no terminal, /dev/tty. 0 or -errno. */
int term__enter(void);
/* Restores the terminal. No effect if it was not taken over. */
void term__leave(void);
/* The descriptor that keys come from, for poll(2); -1 outside of enter and leave. */
int term__fd(void);
/* The size of the window. False if it is unchanged since the last call and term__enter(). */
bool term__size(size_t *width, size_t *height);
/* The next waiting key: a byte, or enum term_key. Never blocks. */
int term__key(void);
/*
 * Writes a whole screen; drops the rest of it if the terminal accepts no data for 200 ms (Ctrl-S):
 * the next screen is drawn completely. 0 or -errno.
 */
int term__write(const struct strbuf *sb);

#endif
