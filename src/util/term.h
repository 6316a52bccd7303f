/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A terminal that is drawn on as a whole: the other screen, keys as they are
 * pressed, no cursor. One at a time. However the program ends (return, a
 * fatal signal, Ctrl-Z for a while), the terminal is left as it was found;
 * only SIGKILL cannot be helped.
 */
#ifndef BPFPERF_UTIL_TERM_H
#define BPFPERF_UTIL_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "util/strbuf.h"

/* Keys that are no characters. */
enum term_key {
	TERM_NONE = 0, /* none is waiting */
	TERM_UP = 0x100,
	TERM_DOWN,
	TERM_PAGE_UP,
	TERM_PAGE_DOWN,
	TERM_HOME,
	TERM_END,
	TERM_ESC,
	TERM_ENTER,
	TERM_BACKSPACE,
	TERM_GONE, /* the terminal is not there any more */
};

/* Takes over stdout, and keys from stdin or, where that is no terminal, /dev/tty. 0 or -errno. */
int term__enter(void);
/* Gives it back. Nothing where it was not taken. */
void term__leave(void);
/* The descriptor that keys come from, for poll(2); -1 outside of enter and leave. */
int term__fd(void);
/* The size of the window. False where it has not changed since the last call and term__enter(). */
bool term__size(size_t *width, size_t *height);
/* The next key that is waiting: a byte, or enum term_key. Never blocks. */
int term__key(void);
/*
 * Writes a whole screen; gives up, with the rest of it, when the terminal takes nothing for
 * 200 ms (Ctrl-S): the next one is drawn as a whole. 0 or -errno.
 */
int term__write(const struct strbuf *sb);

#endif
