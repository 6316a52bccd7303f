// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "target/comm_glob.h"

#include <errno.h>
#include <string.h>

static void accept(struct comm_glob *glob, unsigned int c, unsigned int pos)
{
	glob->accept[c] |= 1u << pos;
}

/* The end of the set that begins at p ("[…"), behind its bracket; NULL: it is no set. */
static const char *set_end(const char *p)
{
	p++;
	if (*p == '!' || *p == '^')
		p++;
	if (*p == ']')
		p++;
	p = strchr(p, ']');
	return p ? p + 1 : NULL;
}

static void accept_set(struct comm_glob *glob, const char *p, const char *end, unsigned int pos)
{
	bool in[256] = { false }, negated = p[1] == '!' || p[1] == '^';
	unsigned int c, to;

	for (p += 1 + negated; p < end - 1; p++) {
		if (*p == '\\' && p + 1 < end - 1)
			p++;
		c = to = (unsigned char)*p;
		if (p[1] == '-' && p + 2 < end - 1) {
			to = (unsigned char)p[2];
			p += 2;
		}
		for (; c <= to; c++)
			in[c] = true;
	}
	for (c = 1; c < 256; c++)
		if (in[c] != negated)
			accept(glob, c, pos);
}

int comm_glob__compile(struct comm_glob *glob, const char *text)
{
	unsigned int pos = 0, c;
	const char *p, *end;

	memset(glob, 0, sizeof(*glob));
	for (p = text; *p; p++) {
		if (*p == '*') {
			glob->star |= 1u << pos;
			continue;
		}
		if (pos == COMM_GLOB_MAX)
			return -EINVAL;
		end = *p == '[' ? set_end(p) : NULL;
		if (end) {
			accept_set(glob, p, end, pos++);
			p = end - 1;
			continue;
		}
		if (*p == '\\' && p[1])
			accept(glob, (unsigned char)*++p, pos);
		else if (*p != '?')
			accept(glob, (unsigned char)*p, pos);
		else
			for (c = 1; c < 256; c++)
				accept(glob, c, pos);
		pos++;
	}
	glob->end = 1u << pos;
	return 0;
}

bool comm_glob__matches(const struct comm_glob *glob, const char *comm)
{
	uint32_t states = 1;

	for (; *comm; comm++)
		states = (states & glob->accept[(unsigned char)*comm]) << 1 | (states & glob->star);
	return states & glob->end;
}
