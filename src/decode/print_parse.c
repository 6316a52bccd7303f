// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_parse.h"

#include <string.h>
#include <traceevent/event-parse.h>

#include "event/tp_format.h"
#include "util/strbuf.h"

/* Recognizes sizeof(TYPE) at p: returns its length, 0 if TYPE is no plain type. */
static size_t read_sizeof(const char *p, unsigned int *size)
{
	size_t len = strlen("sizeof(");
	const char *end;

	if (strncmp(p, "sizeof(", len))
		return 0;
	end = strchr(p, ')');
	*size = end ? tp_format__type_size(p + len, (size_t)(end - p) - len) : 0;
	/*
	 * Used by arm64's kmem:mm_page_*. The value is that of 64-bit kernels; it only scales an
	 * address.
	 */
	if (end && strncmp(p + len, "struct page)", strlen("struct page)")) == 0)
		*size = 64;
	return *size ? (size_t)(end + 1 - p) : 0;
}

/*
 * Rewrites the format file for all versions of libtraceevent: 1.7.1 fails at a tab in the print
 * format and uses freed memory on sizeof(unsigned int); sizeof(u64) is known from 1.8.4 on.
 */
static void reword(const struct tp_format *fmt, struct strbuf *text)
{
	const char *p = strstr(fmt->text, "print fmt:");
	unsigned int size = 0;
	size_t len;

	if (!p) {
		strbuf__add(text, fmt->text, fmt->text_len);
		return;
	}
	strbuf__add(text, fmt->text, (size_t)(p - fmt->text));
	while (*p) {
		len = read_sizeof(p, &size);
		if (len) {
			strbuf__put_u64(text, size);
			p += len;
		} else if (*p == '\t') {
			strbuf__puts(text, "\\t");
			p++;
		} else {
			strbuf__putc(text, *p++);
		}
	}
}

struct tep_event *print_parse(const struct tp_format *fmt, struct tep_handle *tep)
{
	struct strbuf text = STRBUF_INIT;
	struct tep_event *event = NULL;

	reword(fmt, &text);
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, sizeof(long));
	tep_parse_format(tep, &event, strbuf__cstr(&text), text.len, fmt->sys);
	strbuf__free(&text);
	return event;
}
