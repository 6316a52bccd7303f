// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "host/kallsyms_walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fs.h"

/* "ADDRESS TYPE NAME" or "ADDRESS TYPE NAME\t[MODULE]". False: it is no such line. */
static bool parse(char *line, struct kallsym *sym)
{
	char *at;

	sym->addr = strtoull(line, &at, 16);
	if (at == line || at[0] != ' ' || !at[1] || at[2] != ' ')
		return false;
	sym->name = at + 3;
	at += 3 + strcspn(sym->name, "\t\n ");
	sym->is_module = *at == '\t';
	*at = '\0';
	return true;
}

int kallsyms_walk(const char *path, kallsym_fn fn, void *ctx)
{
	char buf[4096];
	FILE *f = fs__open_lines(path ? path : "/proc/kallsyms", buf, sizeof(buf));
	struct kallsym sym;
	char *line = NULL;
	size_t cap = 0;
	int err = 0;

	if (!f)
		return -errno;
	while (!err && getline(&line, &cap, f) > 0)
		if (parse(line, &sym))
			err = fn(ctx, &sym);
	if (!err && !feof(f))
		err = -errno;
	free(line);
	fclose(f);
	return err;
}
