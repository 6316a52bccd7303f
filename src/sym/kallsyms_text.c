// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/kallsyms_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* KSYM_NAME_LEN is 512 since 6.1; with address, type and module a line stays far below. */
#define BLOCK_SZ 65536
/* Kernels have about a tenth of it. */
#define SYMS_MAX (2u << 20)

static bool put_text(struct strbuf *sb, const char *s, size_t len)
{
	size_t at = sb->len;

	strbuf__add(sb, s, len);
	strbuf__putc(sb, '\0');
	return sb->len == at + len + 1;
}

/* Parses "ffffffff81000000 T name" or "ffffffffc0000000 t name\t[module]", without the newline. */
static int parse_line(struct kallsyms_read *r, const char *p, const char *end, bool is_whole,
		      bool *nonzero)
{
	size_t at = r->strings.len;
	const char *tab;
	uint64_t addr = 0;
	char type;

	for (; p < end && *p != ' '; p++)
		addr = addr << 4 | (uint64_t)(*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
	if (end - p < 4)
		return 0;
	type = p[1];
	p += 3;
	if (!memchr("tTwW", type, 4))
		return 0;
	*nonzero |= addr != 0;
	if (is_whole && end - p == 5 && !memcmp(p, "_text", 5))
		r->text = addr;
	tab = memchr(p, '\t', (size_t)(end - p));
	/* The kernel's own functions never change. */
	if (!tab && !is_whole)
		return 0;
	/* An empty module name stands for the kernel itself. */
	if (!put_text(&r->strings, p, (size_t)((tab ? tab : end) - p)) ||
	    !put_text(&r->strings, tab ? tab + 1 : "", tab ? (size_t)(end - tab - 1) : 0))
		return -ENOMEM;
	return r->tab.cnt < SYMS_MAX ? symtab__add(&r->tab, addr, 0, 0, (uint32_t)at) : -EFBIG;
}

int kallsyms_text__read(struct kallsyms_read *r, int fd, bool is_whole, bool *nonzero)
{
	char *block = malloc(BLOCK_SZ), *p, *nl;
	size_t have = 0;
	int err = 0;
	ssize_t n;

	if (!block)
		return -ENOMEM;
	for (;;) {
		n = read(fd, block + have, BLOCK_SZ - have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			err = n < 0 ? -errno : 0;
			break;
		}
		have += (size_t)n;
		for (p = block; (nl = memchr(p, '\n', have - (size_t)(p - block))); p = nl + 1) {
			err = parse_line(r, p, nl, is_whole, nonzero);
			if (err)
				goto out;
		}
		have -= (size_t)(p - block);
		/* No line is as long as a block: this file is not kallsyms. */
		if (have == BLOCK_SZ)
			have = 0;
		memmove(block, p, have);
	}
out:
	free(block);
	return err;
}
