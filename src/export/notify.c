// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void say(const struct notify *n, const char *text)
{
	send(n->fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void notify__ready(struct notify *n)
{
	const char *path = getenv("NOTIFY_SOCKET"), *usec = getenv("WATCHDOG_USEC");
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	size_t len = path ? strlen(path) : 0;

	*n = (struct notify){ .fd = -1 };
	if (!len || len >= sizeof(addr.sun_path))
		return;
	memcpy(addr.sun_path, path, len);
	/* An abstract address. */
	if (path[0] == '@')
		addr.sun_path[0] = '\0';
	n->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (n->fd < 0)
		return;
	if (connect(n->fd, (struct sockaddr *)&addr,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len))) {
		close(n->fd);
		n->fd = -1;
		return;
	}
	n->every_ns = usec ? strtoull(usec, NULL, 10) * 1000 / 2 : 0;
	say(n, "READY=1");
}

void notify__alive(struct notify *n, uint64_t now_ns)
{
	if (n->fd < 0 || !n->every_ns || now_ns < n->next_ns)
		return;
	n->next_ns = now_ns + n->every_ns;
	say(n, "WATCHDOG=1");
}

void notify__stopping(struct notify *n)
{
	if (n->fd < 0)
		return;
	say(n, "STOPPING=1");
	close(n->fd);
	n->fd = -1;
}
