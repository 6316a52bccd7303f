// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/recorder_control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/log.h"

static bool is_fifo(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode);
}

/* Both ends are opened, so that no open waits for the other program, and its end is no end here. */
static int open_fifo(const char *path)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && is_fifo(fd))
		return fd;
	if (fd >= 0) {
		close(fd);
		errno = EINVAL;
	}
	log_error("--control fifo:%s: %s; give a named pipe (mkfifo)", path,
		  errno == EINVAL ? "it is none" : strerror(errno));
	return -1;
}

static int open_fds(struct recorder_control *c, const char *arg)
{
	char *end;

	c->fd = (int)strtol(arg, &end, 10);
	if (end != arg && *end == ',') {
		arg = end + 1;
		c->ack_fd = (int)strtol(arg, &end, 10);
	}
	if (end != arg && !*end && fcntl(c->fd, F_GETFD) >= 0 &&
	    (c->ack_fd < 0 || fcntl(c->ack_fd, F_GETFD) >= 0))
		return 0;
	log_error("--control fd:%s: give open descriptors: fd:CTL or fd:CTL,ACK", arg);
	return -EINVAL;
}

static int open_fifos(struct recorder_control *c, const char *arg)
{
	char *path = strdup(arg), *ack;

	if (!path)
		return -ENOMEM;
	ack = strchr(path, ',');
	if (ack)
		*ack++ = '\0';
	c->is_owned = true;
	c->fd = open_fifo(path);
	if (ack && c->fd >= 0)
		c->ack_fd = open_fifo(ack);
	free(path);
	return c->fd < 0 || (ack && c->ack_fd < 0) ? -EINVAL : 0;
}

int recorder_control__set(void *control, const char *arg)
{
	struct recorder_control *c = control;
	int err = -EINVAL;

	*c = (struct recorder_control){ .fd = -1, .ack_fd = -1 };
	if (!strncmp(arg, "fd:", 3))
		err = open_fds(c, arg + 3);
	else if (!strncmp(arg, "fifo:", 5))
		err = open_fifos(c, arg + 5);
	else
		log_error("--control %s: give fd:CTL[,ACK] or fifo:CTL[,ACK]", arg);
	if (!err)
		fcntl(c->fd, F_SETFL, fcntl(c->fd, F_GETFL) | O_NONBLOCK);
	c->is_given = !err;
	return err;
}

static enum recorder_command command_of(const char *line)
{
	static const char *const names[] = {
		[CONTROL_ENABLE] = "enable",     [CONTROL_DISABLE] = "disable",
		[CONTROL_SNAPSHOT] = "snapshot", [CONTROL_PING] = "ping",
		[CONTROL_STOP] = "stop",
	};
	size_t i;

	for (i = CONTROL_ENABLE; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(line, names[i]))
			return (enum recorder_command)i;
	log_warn("--control: there is no command %.40s; ignored", line);
	return CONTROL_UNKNOWN;
}

enum recorder_command recorder_control__next(struct recorder_control *c)
{
	ssize_t n;
	char ch;

	/* Byte by byte: the next command stays where it is. */
	while ((n = read(c->fd, &ch, 1)) == 1) {
		/* perf's users send commands with a NUL, too. */
		if (ch != '\n' && ch) {
			if (c->len + 1 < sizeof(c->line))
				c->line[c->len++] = ch;
			continue;
		}
		if (!c->len)
			continue;
		c->line[c->len] = '\0';
		c->len = 0;
		return command_of(c->line);
	}
	return n ? CONTROL_NONE : CONTROL_END;
}

void recorder_control__ack(const struct recorder_control *c)
{
	static const char ack[] = "ack\n";

	if (c->ack_fd >= 0 && write(c->ack_fd, ack, sizeof(ack) - 1) < 0)
		log_info("--control: the answer was not taken: %s", strerror(errno));
}

void recorder_control__close(struct recorder_control *c)
{
	if (!c->is_owned)
		return;
	if (c->fd >= 0)
		close(c->fd);
	if (c->ack_fd >= 0)
		close(c->ack_fd);
	*c = (struct recorder_control){ 0 };
}
