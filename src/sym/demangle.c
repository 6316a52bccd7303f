// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/demangle.h"

#include <setjmp.h>
#include <string.h>

#include <libiberty/demangle.h>

struct result {
	struct strbuf *sb;
	size_t limit; /* maximum of sb->len */
	jmp_buf too_long;
};

/*
 * Jumps out of the demangler if the text grows too large, since its callback has no other way to
 * stop it; this interface of the demangler allocates only on the stack, so no memory leaks.
 */
static void append_text(const char *s, size_t len, void *ctx)
{
	struct result *res = ctx;

	if (res->sb->len + len > res->limit)
		longjmp(res->too_long, 1);
	strbuf__add(res->sb, s, len);
}

static bool demangle_any(const char *name, struct result *res)
{
	if (setjmp(res->too_long))
		return false;
	/* Try Rust first: its legacy form is that of C++ with a hash at the end. */
	return rust_demangle_callback(name, 0, append_text, res) ||
	       cplus_demangle_v3_callback(name, DMGL_NO_OPTS, append_text, res);
}

bool demangle__is_mangled(const char *name)
{
	/* "_Z", "_R", also with more underscores or none, as on Darwin and from old compilers. */
	return !strncmp(name, "_Z", 2) || !strncmp(name, "_R", 2) || !strncmp(name, "__Z", 3) ||
	       !strncmp(name, "_GLOBAL_", 8);
}

bool demangle(const char *name, struct strbuf *sb)
{
	size_t start = sb->len;
	struct result res = { .sb = sb, .limit = start + DEMANGLE_MAX_SZ };

	if (!demangle__is_mangled(name))
		return false;
	if (demangle_any(name, &res) && sb->len > start)
		return true;
	sb->len = start;
	return false;
}
