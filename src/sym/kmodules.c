// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/kmodules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/fs.h"
#include "util/partition.h"

/*
 * Parses "NAME SIZE USERS DEPENDENTS STATE ADDRESS", split by spaces; false: hidden, or malformed.
 */
static bool parse_line(char *line, struct kmodule *module)
{
	char *save = NULL, *word = strtok_r(line, " ", &save);
	uint64_t sz = 0;
	int i;

	module->name = word;
	for (i = 1; word && i <= 5; i++) {
		word = strtok_r(NULL, " ", &save);
		if (word && i == 1)
			sz = strtoull(word, NULL, 10);
	}
	module->start = word ? strtoull(word, NULL, 16) : 0;
	module->end = module->start + sz;
	return module->start && module->end > module->start;
}

static int cmp_module(const void *a, const void *b)
{
	const struct kmodule *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

int kmodules__read(struct kmodules *m, const char *path)
{
	char *line, *save = NULL;

	*m = (struct kmodules){ .text = fs__read_file(path, NULL) };
	if (!m->text)
		return errno == ENOMEM ? -ENOMEM : 0;
	for (line = strtok_r(m->text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (array__reserve((void **)&m->all, &m->cap, m->cnt + 1, sizeof(*m->all))) {
			kmodules__free(m);
			return -ENOMEM;
		}
		m->cnt += parse_line(line, &m->all[m->cnt]);
	}
	if (m->cnt)
		qsort(m->all, m->cnt, sizeof(*m->all), cmp_module);
	return 0;
}

const struct kmodule *kmodules__find(const struct kmodules *m, uint64_t addr)
{
	size_t lo = partition_point(0, m->cnt, i, m->all[i].start <= addr);

	return lo && addr < m->all[lo - 1].end ? &m->all[lo - 1] : NULL;
}

bool kmodule__is_same(const struct kmodule *a, const struct kmodule *b)
{
	if (!a || !b)
		return a == b;
	return a->start == b->start && a->end == b->end && !strcmp(a->name, b->name);
}

bool kmodules__equal(const struct kmodules *a, const struct kmodules *b)
{
	size_t i;

	for (i = 0; a->cnt == b->cnt && i < a->cnt; i++)
		if (!kmodule__is_same(&a->all[i], &b->all[i]))
			return false;
	return a->cnt == b->cnt;
}

void kmodules__free(struct kmodules *m)
{
	free(m->all);
	free(m->text);
	*m = (struct kmodules){ 0 };
}
