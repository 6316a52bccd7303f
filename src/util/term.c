// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/term.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* The other screen, no cursor, no wrapping of long lines; and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[0m\033[?1049l"

/* The kernel takes this many bytes without waiting once poll(2) reports that it takes any. */
#define PIECE_SZ 256
#define STALL_MS 200

/* Signals that would leave the terminal in the wrong mode. */
static const int fatal[] = { SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
#define FATAL_CNT (sizeof(fatal) / sizeof(fatal[0]))

static struct {
	volatile sig_atomic_t entered; /* and must be left again */
	volatile sig_atomic_t again; /* continued after Ctrl-Z */
	int fd; /* keys */
	struct termios saved, raw;
	struct sigaction old_fatal[FATAL_CNT], old_stop;
	size_t width, height;
} term = { .fd = -1 };

/* Also called from handlers: async-signal-safe calls only. */
static void give_back(void)
{
	if (!term.entered)
		return;
	term.entered = 0;
	(void)!write(STDOUT_FILENO, LEAVE, strlen(LEAVE));
	tcsetattr(term.fd, TCSADRAIN, &term.saved);
}

static void enter_raw_mode(void)
{
	tcsetattr(term.fd, TCSADRAIN, &term.raw);
	(void)!write(STDOUT_FILENO, ENTER, strlen(ENTER));
	term.entered = 1;
}

static void on_fatal(int sig)
{
	give_back();
	/* SA_RESETHAND: now the default action applies. */
	raise(sig);
}

static void on_stop(int sig)
{
	int saved = errno;
	struct sigaction stop = { .sa_handler = SIG_DFL }, mine;
	sigset_t set;

	give_back();
	sigaction(SIGTSTP, &stop, &mine);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	raise(SIGTSTP);
	/* The process stops here, until SIGCONT. */
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigaction(SIGTSTP, &mine, NULL);
	enter_raw_mode();
	term.again = 1;
	errno = saved;
}

static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = on_fatal, .sa_flags = SA_RESETHAND };
	struct sigaction stop = { .sa_handler = on_stop, .sa_flags = SA_RESTART };
	size_t i;

	for (i = 0; i < FATAL_CNT; i++)
		sigaction(fatal[i], &sa, &term.old_fatal[i]);
	sigaction(SIGTSTP, &stop, &term.old_stop);
}

static void release_signals(void)
{
	size_t i;

	for (i = 0; i < FATAL_CNT; i++)
		sigaction(fatal[i], &term.old_fatal[i], NULL);
	sigaction(SIGTSTP, &term.old_stop, NULL);
}

int term__enter(void)
{
	if (!isatty(STDOUT_FILENO))
		return -ENOTTY;
	term.fd = isatty(STDIN_FILENO) ? dup(STDIN_FILENO)
				       : open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (term.fd < 0)
		return -errno;
	if (tcgetattr(term.fd, &term.saved)) {
		close(term.fd);
		term.fd = -1;
		return -ENOTTY;
	}
	fcntl(term.fd, F_SETFD, FD_CLOEXEC);
	term.raw = term.saved;
	/* Ctrl-C and Ctrl-Z keep their meaning. */
	term.raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	term.raw.c_cc[VMIN] = 0;
	term.raw.c_cc[VTIME] = 0;
	catch_signals();
	enter_raw_mode();
	term.again = 1;
	return 0;
}

void term__leave(void)
{
	if (term.fd < 0)
		return;
	give_back();
	release_signals();
	close(term.fd);
	term.fd = -1;
}

int term__fd(void)
{
	return term.fd;
}

bool term__size(size_t *width, size_t *height)
{
	bool changed = term.again;
	struct winsize ws;

	term.again = 0;
	*width = 80;
	*height = 24;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_col && ws.ws_row) {
		*width = ws.ws_col;
		*height = ws.ws_row;
	}
	changed |= *width != term.width || *height != term.height;
	term.width = *width;
	term.height = *height;
	return changed;
}

/* Returns a waiting byte, -1 for none, TERM_GONE. */
static int next_byte(int wait_ms)
{
	struct pollfd p = { .fd = term.fd, .events = POLLIN };
	unsigned char c;
	ssize_t n;

	if (poll(&p, 1, wait_ms) <= 0)
		return -1;
	n = read(term.fd, &c, 1);
	if (n == 1)
		return c;
	/* VMIN 0: read() returns 0 without a byte as well; only POLLHUP reports a hangup. */
	return p.revents & (POLLHUP | POLLERR) || (n < 0 && errno != EINTR && errno != EAGAIN)
		       ? TERM_GONE
		       : -1;
}

/* Behind ESC [ or ESC O. */
static int escape_key(void)
{
	int c = next_byte(20), digit = 0;

	while (c >= '0' && c <= '9') {
		digit = c - '0';
		c = next_byte(20);
	}
	switch (c) {
	case 'A':
		return TERM_UP;
	case 'B':
		return TERM_DOWN;
	case 'C':
		return TERM_RIGHT;
	case 'D':
		return TERM_LEFT;
	case 'H':
		return TERM_HOME;
	case 'F':
		return TERM_END;
	case '~':
		return digit == 5                 ? TERM_PAGE_UP
		       : digit == 6               ? TERM_PAGE_DOWN
		       : digit == 1 || digit == 7 ? TERM_HOME
		       : digit == 4 || digit == 8 ? TERM_END
						  : TERM_NONE;
	default:
		return TERM_NONE;
	}
}

int term__key(void)
{
	int c = next_byte(0);

	switch (c) {
	case -1:
		return TERM_NONE;
	case '\r':
	case '\n':
		return TERM_ENTER;
	case 0x7f:
	case '\b':
		return TERM_BACKSPACE;
	case 0x1b:
		/* The rest of a key's sequence comes at once; alone it is the key Esc. */
		c = next_byte(20);
		return c == '[' || c == 'O' ? escape_key() : TERM_ESC;
	default:
		return c;
	}
}

int term__write(const struct strbuf *sb)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };
	size_t done = 0;
	ssize_t n;

	while (done < sb->len) {
		size_t len = sb->len - done < PIECE_SZ ? sb->len - done : PIECE_SZ;

		n = poll(&p, 1, STALL_MS);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			return 0;
		n = n < 0 ? 0 : write(STDOUT_FILENO, sb->buf + done, len);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}
