// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/tracing_write.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/detach_lock.h"
#include "event/tracefs.h"
#include "util/fs.h"

/* One format file and the system it belongs to. */
struct format {
	char *sys, *text; /* owned */
	size_t len;
};

/* Parses the number on the format's line "ID: "; 0 is not a valid id. */
static uint64_t id_of(const char *text)
{
	const char *at = strstr(text, "\nID: ");

	return at ? strtoull(at + 5, NULL, 10) : 0;
}

/* Reads the format of SYS:NAME and compares its id to `id`. 1: equal, 0: not, -ENOMEM. */
static int read_format(struct format *f, const char *full_name, uint64_t id)
{
	const char *colon = strchr(full_name, ':');

	memset(f, 0, sizeof(*f));
	if (!colon || strchr(full_name, '/'))
		return 0;
	f->sys = strndup(full_name, (size_t)(colon - full_name));
	if (!f->sys)
		return -ENOMEM;
	f->text = tracefs__read_format(f->sys, colon + 1, &f->len);
	if (f->text && id_of(f->text) == id)
		return 1;
	free(f->sys);
	free(f->text);
	return 0;
}

/* The event has a name of its own: search all tracepoints of tracefs. */
static int find_format(struct format *f, uint64_t id)
{
	char **names;
	size_t cnt, i;
	int found = tracefs__glob("*", "*", &names, &cnt);

	if (found)
		return found == -ENOMEM ? found : 0;
	for (i = 0; i < cnt && !found; i++)
		found = read_format(f, names[i], id);
	tracefs__free_names(names, cnt);
	return found;
}

/* Copies a made-up format. 1 or -ENOMEM. */
static int copy_format(struct format *f, const struct tp_format *fmt)
{
	f->sys = strdup(fmt->sys);
	f->text = strdup(fmt->text);
	f->len = fmt->text_len;
	if (f->sys && f->text)
		return 1;
	free(f->sys);
	free(f->text);
	return -ENOMEM;
}

static int by_sys(const void *a, const void *b)
{
	const struct format *x = a, *y = b;
	int diff = strcmp(x->sys, y->sys);

	return diff ? diff : strcmp(x->text, y->text);
}

/* Removes duplicates. */
static size_t unique(struct format *fmts, size_t cnt)
{
	size_t i, kept = 0;

	qsort(fmts, cnt, sizeof(*fmts), by_sys);
	for (i = 0; i < cnt; i++) {
		if (kept && by_sys(&fmts[kept - 1], &fmts[i]) == 0) {
			free(fmts[i].sys);
			free(fmts[i].text);
		} else {
			fmts[kept++] = fmts[i];
		}
	}
	return kept;
}

static void put_u32(struct strbuf *sb, uint32_t v)
{
	strbuf__add(sb, &v, sizeof(v));
}

static void put_sized(struct strbuf *sb, const char *text, uint64_t len)
{
	strbuf__add(sb, &len, sizeof(len));
	strbuf__add(sb, text, len);
}

/* Appends a file of tracefs after its size as u64 (or u32); empty if it cannot be read. */
static void put_file(struct strbuf *sb, const char *name, bool is_short)
{
	char path[512], *text;
	size_t len = 0;

	snprintf(path, sizeof(path), "%s/%s", tracefs__dir(), name);
	text = fs__read_file(path, &len);
	if (is_short) {
		put_u32(sb, (uint32_t)len);
		strbuf__add(sb, text, len);
	} else {
		put_sized(sb, text, len);
	}
	free(text);
}

/*
 * Appends the part before the list of systems: byte order, size of a long, page size, the page
 * headers of trace.dat.
 */
static void put_head(struct strbuf *sb)
{
	static const uint16_t one = 1;

	strbuf__add(sb, "\x17\x08\x44tracing0.6", 14);
	strbuf__putc(sb, *(const char *)&one ? 0 : 1);
	strbuf__putc(sb, sizeof(long));
	put_u32(sb, (uint32_t)sysconf(_SC_PAGESIZE));
	strbuf__add(sb, "header_page", 12);
	put_file(sb, "events/header_page", false);
	strbuf__add(sb, "header_event", 13);
	put_file(sb, "events/header_event", false);
	put_u32(sb, 0); /* formats of the function tracers */
}

static void put_formats(struct strbuf *sb, const struct format *fmts, size_t cnt)
{
	size_t i, first = 0, sys_cnt = 0;

	for (i = 0; i < cnt; i++)
		sys_cnt += !i || strcmp(fmts[i].sys, fmts[i - 1].sys) != 0;
	put_u32(sb, (uint32_t)sys_cnt);
	for (i = 1; i <= cnt; i++) {
		if (i < cnt && strcmp(fmts[i].sys, fmts[first].sys) == 0)
			continue;
		strbuf__add(sb, fmts[first].sys, strlen(fmts[first].sys) + 1);
		put_u32(sb, (uint32_t)(i - first));
		for (; first < i; first++)
			put_sized(sb, fmts[first].text, fmts[first].len);
	}
}

int tracing_write__put(struct strbuf *sb, const struct tracing_event *events, size_t cnt)
{
	struct format *fmts;
	size_t i, fmt_cnt = 0;
	int err = tracefs__require();
	bool holds;

	if (err)
		return err;
	fmts = calloc(cnt + 1, sizeof(*fmts));
	if (!fmts)
		return -ENOMEM;
	holds = detach_lock__hold();
	for (i = 0; i < cnt && err >= 0; i++) {
		if (events[i].fmt)
			err = copy_format(&fmts[fmt_cnt], events[i].fmt);
		else
			err = read_format(&fmts[fmt_cnt], events[i].name, events[i].id);
		if (!err)
			err = find_format(&fmts[fmt_cnt], events[i].id);
		fmt_cnt += err > 0;
	}
	/* Recording can continue in another file. */
	if (holds)
		detach_lock__release();
	if (err >= 0) {
		fmt_cnt = unique(fmts, fmt_cnt);
		put_head(sb);
		put_formats(sb, fmts, fmt_cnt);
		put_u32(sb, 0); /* kallsyms: readers have their own */
		put_file(sb, "printk_formats", true);
		put_file(sb, "saved_cmdlines", false);
	}
	for (i = 0; i < fmt_cnt; i++) {
		free(fmts[i].sys);
		free(fmts[i].text);
	}
	free(fmts);
	return err < 0 ? err : 0;
}
