// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "annotate/source_text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sym/root.h"
#include "util/array.h"

/*
 * Debug information that names /etc/shadow, or a device, must not have it printed: root may read
 * more than a program's source.
 */
static bool may_show(const struct stat *st)
{
	if (!S_ISREG(st->st_mode) || st->st_size > SOURCE_MAX_SZ)
		return false;
	return st->st_mode & S_IROTH || (geteuid() && st->st_uid == geteuid());
}

static char *read_file(const char *path, size_t *sz)
{
	/* Opening a device may do something, even a watchdog's reset: only regular files are. */
	int fd = root__open(-1, path);
	char *text = NULL;
	struct stat st;
	ssize_t n = 1;

	*sz = 0;
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && may_show(&st))
		text = malloc((size_t)st.st_size + 1);
	while (text && n > 0 && *sz < (size_t)st.st_size) {
		n = read(fd, text + *sz, (size_t)st.st_size - *sz);
		*sz += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	return text;
}

static void find_lines(struct source_file *f)
{
	size_t cap = 0;
	const char *nl;
	size_t at = 0;

	while (at < f->sz) {
		if (array__reserve((void **)&f->lines, &cap, f->line_cnt + 1, sizeof(*f->lines)))
			return;
		f->lines[f->line_cnt++] = (uint32_t)at;
		nl = memchr(f->text + at, '\n', f->sz - at);
		at = nl ? (size_t)(nl - f->text) + 1 : f->sz;
	}
}

static struct source_file *open_source(struct source_texts *t, const char *path)
{
	struct source_file *f = &t->files[t->last];
	char below[PATH_MAX];
	size_t i;

	if (t->last < t->cnt && !strcmp(f->path, path))
		return f;
	for (i = 0; i < t->cnt; i++) {
		if (strcmp(t->files[i].path, path) != 0)
			continue;
		t->last = i;
		return &t->files[i];
	}
	if (t->cnt == SOURCE_FILES_MAX)
		return NULL;
	f = &t->files[t->cnt];
	*f = (struct source_file){ .path = strdup(path) };
	if (!f->path)
		return NULL;
	t->cnt++;
	if (t->sz > SOURCES_MAX_SZ)
		return f;
	if (t->dir && snprintf(below, sizeof(below), "%s/%s", t->dir, path) < (int)sizeof(below))
		f->text = read_file(below, &f->sz);
	/* A relative path would be one of the directory that bpfperf happens to run in. */
	if (!f->text && path[0] == '/')
		f->text = read_file(path, &f->sz);
	t->sz += f->sz;
	if (f->text)
		find_lines(f);
	return f;
}

const char *source_texts__line(struct source_texts *t, const char *path, uint32_t line, size_t *len)
{
	struct source_file *f = path ? open_source(t, path) : NULL;
	const char *at, *nl;

	if (!f || !line || line > f->line_cnt)
		return NULL;
	at = f->text + f->lines[line - 1];
	nl = memchr(at, '\n', f->sz - f->lines[line - 1]);
	*len = nl ? (size_t)(nl - at) : f->sz - f->lines[line - 1];
	return at;
}

bool source_texts__is_full(const struct source_texts *t)
{
	return t->cnt == SOURCE_FILES_MAX || t->sz > SOURCES_MAX_SZ;
}

void source_texts__free(struct source_texts *t)
{
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		free(t->files[i].path);
		free(t->files[i].text);
		free(t->files[i].lines);
	}
	t->cnt = t->sz = 0;
}
