// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Descriptors with the names of their files: -y and -yy. */
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "strace/fd_names.h"
#include "strace/names.h"
#include "strace/path_set.h"

#define DELETED " (deleted)"
#define PIDFD "anon_inode:[pidfd]"

static void put_ino(struct strbuf *out, const char *kind, uint64_t ino)
{
	strbuf__printf(out, "%s:[%llu]", kind, (unsigned long long)ino);
}

static void put_end(struct strbuf *out, int family, const void *addr, unsigned int port)
{
	char text[INET6_ADDRSTRLEN] = "";

	inet_ntop(family, addr, text, sizeof(text));
	strbuf__printf(out, family == AF_INET6 ? "[%s]:%u" : "%s:%u", text, port);
}

static void put_inet(struct strbuf *out, const struct strace_file *f)
{
	/* A raw socket has its protocol's number in place of a port. */
	if (!f->local_port || f->type == SOCK_RAW) {
		put_ino(out, f->protocol_name, f->ino);
		return;
	}
	strbuf__printf(out, "%s:[", f->protocol_name);
	put_end(out, f->family, f->local, f->local_port);
	if (f->remote_port) {
		strbuf__puts(out, "->");
		put_end(out, f->family, f->remote, f->remote_port);
	}
	strbuf__putc(out, ']');
}

static void put_unix(struct strbuf *out, const struct text_opts *opts, const struct strace_file *f)
{
	size_t sz = f->path_sz < sizeof(f->path) ? f->path_sz : sizeof(f->path);

	strbuf__printf(out, "%s:[%llu", f->protocol_name, (unsigned long long)f->ino);
	if (f->peer_ino)
		strbuf__printf(out, "->%llu", (unsigned long long)f->peer_ino);
	if (sz && f->path[0]) {
		strbuf__putc(out, ',');
		put_quoted(out, opts, f->path, strnlen(f->path, sz), false);
	} else if (sz) {
		strbuf__puts(out, ",@");
		put_quoted(out, opts, f->path + 1, sz - 1, false);
	}
	strbuf__putc(out, ']');
}

static void put_netlink(struct strbuf *out, const struct strace_file *f)
{
	const char *protocol = names__find(&names_netlink_proto, f->protocol);

	if (!f->port_id) {
		put_ino(out, f->protocol_name, f->ino);
		return;
	}
	strbuf__printf(out, "%s:[", f->protocol_name);
	if (protocol)
		strbuf__puts(out, protocol + strlen("NETLINK_"));
	else
		strbuf__put_u64(out, f->protocol);
	strbuf__printf(out, ":%u]", f->port_id);
}

/* Appends a file that has no path. Returns false if it has one. */
static bool put_nameless(struct strbuf *out, const struct text_opts *opts,
			 const struct strace_file *f)
{
	if (f->flags & STRACE_FILE_PIPE) {
		put_ino(out, "pipe", f->ino);
		return true;
	}
	if (!S_ISSOCK(f->mode))
		return false;
	if (opts->fd_paths > 1 && f->protocol_name[0]) {
		switch (f->family) {
		case AF_INET:
		case AF_INET6:
			put_inet(out, f);
			return true;
		case AF_UNIX:
			put_unix(out, opts, f);
			return true;
		case AF_NETLINK:
			put_netlink(out, f);
			return true;
		}
	}
	put_ino(out, "socket", f->ino);
	return true;
}

static void put_device(struct strbuf *out, const struct strace_file *f)
{
	strbuf__printf(out, "<%s %u:%u>", S_ISBLK(f->mode) ? "block" : "char", f->dev >> 20,
		       f->dev & 0xfffff);
}

static void put_path(struct call_view *v, const char *name, const struct strace_file *f, int fd)
{
	const struct text_opts *o = v->opts;
	size_t len = strlen(name), cut = strlen(DELETED);
	bool deleted = f && f->flags & STRACE_FILE_DELETED && name[0] == '/';
	pid_t pid = 0;

	if (len > cut && strcmp(name + len - cut, DELETED) == 0) {
		len -= cut;
		deleted = true;
	}
	if (o->fd_paths > 1 && strcmp(name, PIDFD) == 0)
		pid = fd_names__pid(o->fds, (pid_t)v->rec->head.tgid, fd);
	strbuf__putc(v->out, '<');
	if (pid)
		strbuf__printf(v->out, "pid:%d", pid);
	else
		put_bracketed(v->out, o, name, len);
	if (f && o->fd_paths > 1 && (S_ISCHR(f->mode) || S_ISBLK(f->mode)))
		put_device(v->out, f);
	strbuf__puts(v->out, deleted ? ">(deleted)" : ">");
}

void put_fd_name(struct call_view *v, int fd)
{
	const struct text_opts *o = v->opts;
	pid_t tgid = (pid_t)v->rec->head.tgid;
	const struct strace_file *now = view__file(v, fd), *f;
	size_t before = v->out->len;
	const char *name;

	if (!o->fds)
		return;
	if (now)
		fd_names__note(o->fds, tgid, now);
	f = fd_names__file(o->fds, tgid, fd);
	if (f && o->fd_paths) {
		strbuf__putc(v->out, '<');
		if (put_nameless(v->out, o, f)) {
			strbuf__putc(v->out, '>');
			return;
		}
		v->out->len = before;
	}
	name = fd_names__get(o->fds, tgid, fd);
	/*
	 * The working directory is not what a call with AT_FDCWD is about. A file may have been
	 * opened by a link.
	 */
	if (o->paths && fd >= 0)
		v->names_path |= (name && path_set__has(o->paths, name, strlen(name))) ||
				 (f && path_set__has_file(o->paths, f));
	if (!name)
		return;
	if (o->fd_paths)
		put_path(v, name, f, fd);
}

void put_fd(struct call_view *v, int64_t fd)
{
	strbuf__put_s64(v->out, (int)fd);
	if ((int)fd >= 0)
		put_fd_name(v, (int)fd);
}
