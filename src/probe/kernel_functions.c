// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/kernel_functions.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "event/tracefs.h"
#include "util/fs.h"

/* The list, of which each line is a name and, of a module's function, "[MODULE]". */
static struct {
	char *text; /* NULL: it is not read */
	size_t len;
} kept;

static int read_list(void)
{
	char path[512];

	if (kept.text)
		return 0;
	snprintf(path, sizeof(path), "%s/available_filter_functions", tracefs__dir());
	kept.text = fs__read_file(path, &kept.len);
	return kept.text ? 0 : -errno;
}

/* Takes one line apart, which need not end with NUL. */
static int call(kernel_function_fn fn, void *ctx, const char *line, size_t len)
{
	char name[512], *module;

	if (len >= sizeof(name))
		return 0;
	memcpy(name, line, len);
	name[len] = '\0';
	len = strcspn(name, " \t");
	module = strchr(name + len, '[');
	name[len] = '\0';
	if (module)
		module[strcspn(module, "]")] = '\0';
	return fn(ctx, name, module ? module + 1 : NULL);
}

int kernel_functions__walk(kernel_function_fn fn, void *ctx)
{
	int err = read_list();
	size_t at = 0, len;

	for (; !err && at < kept.len; at += len + 1) {
		const char *end = memchr(kept.text + at, '\n', kept.len - at);

		len = end ? (size_t)(end - kept.text) - at : kept.len - at;
		err = call(fn, ctx, kept.text + at, len);
	}
	return err;
}
