// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/place_lines.h"

#include <stdbool.h>
#include <string.h>

static bool is_source(const char *path, const char *source)
{
	size_t len = strlen(path), want = strlen(source);

	return len >= want && !strcmp(path + len - want, source) &&
	       (len == want || path[len - want - 1] == '/');
}

static int search_unit(const struct dwarf_file *file, Dwarf_Die *cu, const char *source,
		       uint32_t line, int (*fn)(void *ctx, uint64_t vaddr), void *ctx)
{
	bool was_in = false, is_in, is_stmt;
	Dwarf_Lines *lines;
	Dwarf_Addr addr;
	size_t cnt, i;
	int nr, err = 0;

	if (dwarf_getsrclines(cu, &lines, &cnt))
		return 0;
	for (i = 0; i < cnt && !err; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		const char *path;

		if (!l || dwarf_lineno(l, &nr) || dwarf_lineaddr(l, &addr) ||
		    dwarf_linebeginstatement(l, &is_stmt))
			continue;
		is_in = nr == (int)line;
		path = is_in ? dwarf_file__text(file, dwarf_linesrc(l, NULL, NULL)) : NULL;
		is_in = path && is_source(path, source);
		/* Rows that follow one another are one piece of code. */
		if (is_in && !was_in && is_stmt && addr)
			err = fn(ctx, addr);
		was_in = is_in;
	}
	return err;
}

int place_lines__each(const struct dwarf_file *file, const char *source, uint32_t line,
		      int (*fn)(void *ctx, uint64_t vaddr), void *ctx)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	int err = 0;

	while (!err && !dwarf_get_units(file->dwarf, cu, &cu, NULL, &type, &die, NULL))
		err = search_unit(file, &die, source, line, fn, ctx);
	return err;
}
