// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME_MAX_LEN 255

static unsigned int min_u(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Converts to lower case, and every […] to one '?', for the comparison. */
static size_t fold(const char *s, bool is_glob, char *out)
{
	size_t len = 0;

	for (; *s; s++) {
		const char *close = is_glob && *s == '[' ? strchr(s + 1, ']') : NULL;

		out[len++] = close ? '?' : (char)tolower((unsigned char)*s);
		if (close)
			s = close;
	}
	out[len] = '\0';
	return len;
}

unsigned int suggest__distance(const char *wanted, const char *name)
{
	char a[NAME_MAX_LEN + 1], b[NAME_MAX_LEN + 1];
	/* The last three rows of the table: a swap looks back by two. */
	unsigned int rows[3][NAME_MAX_LEN + 1], *row = rows[0], *prev = rows[1], *prev2 = rows[2];
	size_t a_len, b_len, i, j;

	if (strlen(wanted) > NAME_MAX_LEN || strlen(name) > NAME_MAX_LEN)
		return UINT_MAX;
	a_len = fold(wanted, true, a);
	b_len = fold(name, false, b);
	for (j = 0; j <= b_len; j++)
		row[j] = (unsigned int)j;
	for (i = 1; i <= a_len; i++) {
		unsigned int *oldest = prev2;
		bool is_star = a[i - 1] == '*';

		prev2 = prev;
		prev = row;
		row = oldest;
		row[0] = prev[0] + !is_star;
		for (j = 1; j <= b_len; j++) {
			bool same = a[i - 1] == b[j - 1] || a[i - 1] == '?';

			if (is_star) {
				row[j] = min_u(prev[j], row[j - 1]);
				continue;
			}
			row[j] = min_u(prev[j - 1] + !same, min_u(prev[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = min_u(row[j], prev2[j - 2] + 1);
		}
	}
	return row[b_len];
}

int suggest__init(struct suggest *sg, const char *wanted)
{
	memset(sg, 0, sizeof(*sg));
	sg->wanted = strdup(wanted);
	if (!sg->wanted)
		return -ENOMEM;
	/* One edit in three characters is a typing error; more is another word. */
	sg->limit = (unsigned int)(strlen(wanted) + 2) / 3;
	return 0;
}

void suggest__free(struct suggest *sg)
{
	size_t i;

	for (i = 0; i < sg->cnt; i++)
		free(sg->best[i].name);
	free(sg->wanted);
	memset(sg, 0, sizeof(*sg));
}

static unsigned int distance_to(const struct suggest *sg, const char *name)
{
	unsigned int distance = suggest__distance(sg->wanted, name), part;
	char inside[NAME_MAX_LEN + 1];
	size_t len = strlen(sg->wanted);

	/* Users remember a part of the name: "switch" of sched:sched_switch. */
	if (len < 4 || len > NAME_MAX_LEN - 2)
		return distance;
	snprintf(inside, sizeof(inside), "*%s*", sg->wanted);
	part = suggest__distance(inside, name);
	return min_u(distance, part == UINT_MAX ? part : part + 1);
}

void suggest__offer(struct suggest *sg, const char *name)
{
	unsigned int distance = distance_to(sg, name);
	size_t at;
	char *copy;

	if (distance > sg->limit)
		return;
	for (at = sg->cnt; at > 0; at--) {
		if (sg->best[at - 1].distance < distance)
			break;
		if (sg->best[at - 1].distance > distance)
			continue;
		if (!strcmp(sg->best[at - 1].name, name))
			return;
		break;
	}
	if (at == SUGGEST_MAX)
		return;
	copy = strdup(name);
	if (!copy)
		return;
	if (sg->cnt == SUGGEST_MAX)
		free(sg->best[--sg->cnt].name);
	memmove(&sg->best[at + 1], &sg->best[at], (sg->cnt - at) * sizeof(sg->best[0]));
	sg->best[at].name = copy;
	sg->best[at].distance = distance;
	sg->cnt++;
}

size_t suggest__put(const struct suggest *sg, struct strbuf *out)
{
	size_t i, cnt = 0;

	/* Names that are farther away than the nearest one only distract. */
	while (cnt < sg->cnt &&
	       sg->best[cnt].distance <= sg->best[0].distance + (sg->best[0].distance > 1))
		cnt++;
	for (i = 0; i < cnt; i++) {
		strbuf__puts(out, !i ? "did you mean " : i + 1 < cnt ? ", " : " or ");
		strbuf__puts(out, sg->best[i].name);
	}
	if (cnt)
		strbuf__putc(out, '?');
	return cnt;
}
