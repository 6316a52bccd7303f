// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/spec_error.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/log.h"
#include "util/strbuf.h"

/* Number of characters of a long argument that are shown around the caret. */
#define SHOWN_BEFORE 60
#define SHOWN_LEN 76

static bool is_utf8_tail(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static void show_caret(const char *spec, size_t off)
{
	size_t from = off > SHOWN_BEFORE ? off - SHOWN_BEFORE : 0, i;

	while (from && is_utf8_tail(spec[from]))
		from--;
	fputs("  ", stderr);
	for (i = from; spec[i] && (i - from < SHOWN_LEN || is_utf8_tail(spec[i])); i++)
		fputc(iscntrl((unsigned char)spec[i]) ? '?' : spec[i], stderr);
	fputs("\n  ", stderr);
	for (i = from; i < off; i++)
		if (!is_utf8_tail(spec[i]))
			fputc(' ', stderr);
	fputs("^\n", stderr);
}

int spec__error(const char *spec, size_t off, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	char *sentence = NULL;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&sentence, fmt, ap);
	va_end(ap);
	if (len < 0)
		return -EINVAL;
	strbuf__put_escaped(&text, sentence, (size_t)len);
	log_error("%s", strbuf__cstr(&text));
	if (!log__is_muted())
		show_caret(spec, off);
	strbuf__free(&text);
	free(sentence);
	return -EINVAL;
}
