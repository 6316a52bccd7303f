// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/place_lines.h"

#include <dwarf.h>
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
		/* Units of types have the lines of their program's, which would come twice. */
		if (type != DW_UT_type)
			err = search_unit(file, &die, source, line, fn, ctx);
	return err;
}

uint64_t place_lines__behind_prologue(Dwarf_Die *func, Dwarf_Die *unit_with_lines)
{
	Dwarf_Addr base, low, high, addr, next = 0;
	Dwarf_Lines *lines;
	size_t cnt, i;

	if (dwarf_ranges(func, 0, &base, &low, &high) <= 0 ||
	    dwarf_getsrclines(unit_with_lines, &lines, &cnt))
		return 0;
	for (i = 0; i < cnt; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		bool is_end, is_behind;

		if (!l || dwarf_lineaddr(l, &addr) || addr < low || addr >= high ||
		    dwarf_lineendsequence(l, &is_end) || is_end)
			continue;
		if (!dwarf_lineprologueend(l, &is_behind) && is_behind)
			return addr;
		/* Compilers that mark no end have it at the second line. */
		if (addr > low && (!next || addr < next))
			next = addr;
	}
	return next;
}
