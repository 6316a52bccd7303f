// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/resolver.h"

#include <errno.h>
#include <stdio.h>

#include "decode/print.h"
#include "event/tracefs.h"
#include "sym/sym.h"

static const char *resolve(void *ctx, uint64_t addr, uint64_t *off)
{
	struct sym_result res;

	sym__kernel(ctx, addr, &res);
	*off = res.off;
	return res.name;
}

struct printer *resolver__new_printer(struct sym *sym)
{
	struct printer *pr = printer__new();
	const char *dir = tracefs__dir();
	char path[256];

	if (!pr)
		return NULL;
	if (sym)
		printer__set_resolver(pr, resolve, sym);
	if (!dir)
		return pr;
	snprintf(path, sizeof(path), "%s/printk_formats", dir);
	if (printer__set_strings_file(pr, path)) {
		printer__free(pr);
		errno = ENOMEM;
		return NULL;
	}
	return pr;
}

struct printer *resolver__new_recorded_printer(struct sym *sym, const char *printk_formats)
{
	struct printer *pr = printer__new();

	if (!pr)
		return NULL;
	printer__set_untrusted(pr);
	printer__set_resolver(pr, resolve, sym);
	if (printk_formats && printer__add_strings(pr, printk_formats)) {
		printer__free(pr);
		errno = ENOMEM;
		return NULL;
	}
	return pr;
}
