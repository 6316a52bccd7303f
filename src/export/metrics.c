// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/metrics.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "util/log.h"

/* A scrape asks at once; the run does not wait for others. */
#define REQUEST_WAIT_MS 20

static int refuse(const char *addr, const char *why)
{
	log_error("--metrics %s: %s; give HOST:PORT, :PORT of 127.0.0.1, or the /PATH of a socket",
		  addr, why);
	return -EINVAL;
}

static int listen_at_path(struct metrics *m, const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct stat st;
	mode_t mask;
	int err;

	if (strlen(path) >= sizeof(addr.sun_path))
		return refuse(path, "the path is too long");
	memcpy(addr.sun_path, path, strlen(path));
	/* A socket that a process has left behind; anything else is not ours to remove. */
	if (!lstat(path, &st) && S_ISSOCK(st.st_mode) && st.st_uid == geteuid())
		unlink(path);
	m->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mask = umask(0077);
	err = m->fd < 0 || bind(m->fd, (struct sockaddr *)&addr, sizeof(addr)) ? -errno : 0;
	umask(mask);
	if (err)
		return refuse(path, strerror(-err));
	m->path = path;
	return 0;
}

static int listen_at_port(struct metrics *m, const char *addr)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST }, *to;
	const char *colon = strrchr(addr, ':');
	char host[64] = "127.0.0.1";
	size_t len = colon ? (size_t)(colon - addr) : 0;
	const int on = 1;
	int err;

	if (!colon || !colon[1] || len >= sizeof(host))
		return refuse(addr, "there is no port");
	if (len) {
		memcpy(host, addr, len);
		host[len] = '\0';
	}
	/* [::1]:9000 */
	if (host[0] == '[' && len > 2) {
		memmove(host, host + 1, len);
		host[len - 2] = '\0';
	}
	err = getaddrinfo(strcmp(host, "localhost") ? host : "127.0.0.1", colon + 1, &hints, &to);
	if (err)
		return refuse(addr, "this is no address");
	m->fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (m->fd >= 0)
		setsockopt(m->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	err = m->fd < 0 || bind(m->fd, to->ai_addr, to->ai_addrlen) ? -errno : 0;
	freeaddrinfo(to);
	return err ? refuse(addr, strerror(-err)) : 0;
}

int metrics__open(struct metrics *m, const char *addr)
{
	int err = addr[0] == '/' ? listen_at_path(m, addr) : listen_at_port(m, addr);

	if (!err && listen(m->fd, 16))
		err = refuse(addr, strerror(errno));
	if (err)
		metrics__close(m);
	return err;
}

void metrics__close(struct metrics *m)
{
	if (m->fd >= 0)
		close(m->fd);
	if (m->path)
		unlink(m->path);
	m->fd = -1;
	m->path = NULL;
}

static void answer(const struct metrics *m, int fd, const char *request)
{
	struct strbuf text = STRBUF_INIT, head = STRBUF_INIT;
	bool known = !strncmp(request, "GET /metrics ", 13) || !strncmp(request, "GET / ", 6);

	if (known)
		m->put(m->ctx, &text);
	else
		strbuf__puts(&text, "there is /metrics\n");
	strbuf__printf(&head,
		       "HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
		       "Content-Length: %zu\r\nConnection: close\r\n\r\n",
		       known ? "200 OK" : "404 Not Found", text.len);
	strbuf__add(&head, text.buf, text.len);
	/* Some KiB, which fit into the socket's buffer. */
	send(fd, head.buf, head.len, MSG_NOSIGNAL | MSG_DONTWAIT);
	strbuf__free(&text);
	strbuf__free(&head);
}

int metrics__serve(void *ctx)
{
	const struct metrics *m = ctx;
	char request[2048];
	struct pollfd p = { .events = POLLIN };
	ssize_t len;

	p.fd = accept4(m->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (p.fd < 0)
		return 0;
	len = poll(&p, 1, REQUEST_WAIT_MS) == 1 ? recv(p.fd, request, sizeof(request) - 1, 0) : -1;
	if (len > 0) {
		request[len] = '\0';
		answer(m, p.fd, request);
	}
	close(p.fd);
	return 0;
}

void metrics__put_head(struct strbuf *text, const char *name, const char *type, const char *help)
{
	strbuf__printf(text, "# HELP bpfperf_%s %s\n# TYPE bpfperf_%s %s\n", name, help, name,
		       type);
}

void metrics__put(struct strbuf *text, const char *name, const char *label, const char *value,
		  double number)
{
	strbuf__printf(text, "bpfperf_%s", name);
	if (label)
		strbuf__printf(text, "{%s=\"%s\"}", label, value);
	strbuf__printf(text, " %.17g\n", number);
}
