// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Runs the iterator of threads (bpf/before.bpf.c) at the start and the end of a stack session. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "stack.skel.h"

#include "bpf/wire.h"
#include "kernel/features.h"
#include "session/stack_session_priv.h"
#include "util/log.h"
#include "util/strbuf.h"

/* Bytes that are read at once: the size of the kernel's own buffer. */
#define READ_SZ 32768

bool stack_before__is_possible(const struct stack_session *s)
{
	return s->cfg.off_cpu && feature__have(FEATURE_TASK_ITER);
}

void stack_before__set_knobs(const struct stack_session *s)
{
	bool is_possible = stack_before__is_possible(s);

	bpf_program__set_autoload(s->skel->progs.note_before, is_possible);
	if (s->cfg.off_cpu && !is_possible)
		log_info("threads that are off the CPU all the time are not seen: this kernel has "
			 "no iterator of tasks (5.8)");
}

/* Puts the whole output of an iterator into sb. Returns 0 or -errno. */
static int read_all(int fd, struct strbuf *sb)
{
	ssize_t n;

	do {
		if (strbuf__reserve(sb, READ_SZ))
			return -ENOMEM;
		n = read(fd, sb->buf + sb->len, READ_SZ);
		sb->len += n > 0 ? (size_t)n : 0;
		/* The kernel returns EAGAIN after a million threads without output (5.11). */
	} while (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)));
	return n < 0 ? -errno : 0;
}

/* Visits all threads. Returns 0 or -errno. */
static int visit_threads(const struct stack_session *s, struct strbuf *sb)
{
	int prog_fd = bpf_program__fd(s->skel->progs.note_before), err;
	int link_fd = bpf_link_create(prog_fd, 0, BPF_TRACE_ITER, NULL);
	int fd = link_fd < 0 ? link_fd : bpf_iter_create(link_fd);

	err = fd < 0 ? -errno : read_all(fd, sb);
	if (fd >= 0)
		close(fd);
	if (link_fd >= 0)
		close(link_fd);
	return err;
}

int stack_session__before(struct stack_session *s, uint64_t since_ns,
			  int (*each)(void *ctx, const struct wire_before *before), void *ctx)
{
	struct strbuf sb = STRBUF_INIT;
	size_t at = 0;
	int err;

	if (!stack_before__is_possible(s))
		return 0;
	s->skel->bss->before_since_ns = since_ns;
	err = visit_threads(s, &sb);
	if (err)
		log_error("cannot visit the threads that are off the CPU: %s", strerror(-err));
	while (!err && sb.len - at >= offsetof(struct wire_before, kern)) {
		const struct wire_before *before = (const void *)(sb.buf + at);

		if (before->sz < offsetof(struct wire_before, kern) || before->sz > sb.len - at)
			break;
		err = each(ctx, before);
		at += before->sz;
	}
	strbuf__free(&sb);
	return err;
}

void stack_before__end(struct stack_session *s)
{
	struct strbuf sb = STRBUF_INIT;

	if (!stack_before__is_possible(s) || !s->skel->bss->before_since_ns)
		return;
	s->skel->bss->before_is_end = 1;
	visit_threads(s, &sb);
	strbuf__free(&sb);
}
