// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The names that are looked for in the kernel's BTF. */
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "kernel/btf_subset.h"
#include "util/array.h"

/* Length of a name without the flavour, which libbpf ignores: "a___b" is a type of name "a". */
static size_t essential_len(const char *name)
{
	size_t len = strlen(name), i;

	for (i = len >= 5 ? len - 4 : 0; i; i--)
		if (name[i - 1] != '_' && !strncmp(name + i, "___", 3) && name[i + 3] != '_')
			return i;
	return len;
}

int btf_names__add(struct btf_names *names, const char *text, size_t len, bool is_root)
{
	struct btf_name *name;

	if (array__reserve((void **)&names->at, &names->cap, names->cnt + 1, sizeof(*names->at)))
		return -ENOMEM;
	name = &names->at[names->cnt];
	*name = (struct btf_name){ .text = strndup(text, len), .is_root = is_root };
	if (!name->text)
		return -ENOMEM;
	names->cnt++;
	return 0;
}

static bool may_be_root(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_TYPEDEF:
		return t->name_off != 0;
	default:
		return false;
	}
}

int btf_names__add_types(struct btf_names *names, const struct btf *local)
{
	__u32 cnt = local ? btf__type_cnt(local) : 0, id;
	int err = 0;

	for (id = 1; id < cnt && !err; id++) {
		const struct btf_type *t = btf__type_by_id(local, id);
		const char *name = may_be_root(t) ? btf__name_by_offset(local, t->name_off) : NULL;

		if (name)
			err = btf_names__add(names, name, essential_len(name), true);
	}
	return err;
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(((const struct btf_name *)a)->text, ((const struct btf_name *)b)->text);
}

void btf_names__sort(struct btf_names *names)
{
	size_t i, cnt = 0;

	if (names->cnt)
		qsort(names->at, names->cnt, sizeof(*names->at), cmp_names);
	for (i = 0; i < names->cnt; i++) {
		if (cnt && !strcmp(names->at[cnt - 1].text, names->at[i].text)) {
			names->at[cnt - 1].is_root |= names->at[i].is_root;
			free(names->at[i].text);
			continue;
		}
		names->at[cnt++] = names->at[i];
	}
	names->cnt = cnt;
}

struct btf_name *btf_names__find(const struct btf_names *names, const char *text)
{
	const struct btf_name key = { .text = (char *)text };

	return names->cnt ? bsearch(&key, names->at, names->cnt, sizeof(*names->at), cmp_names)
			  : NULL;
}

uint32_t btf_names__id(const struct btf_names *names, const char *text)
{
	const struct btf_name *name = btf_names__find(names, text);

	return name ? name->named_id : 0;
}

void btf_names__free(struct btf_names *names)
{
	size_t i;

	for (i = 0; i < names->cnt; i++)
		free(names->at[i].text);
	free(names->at);
	*names = (struct btf_names){ 0 };
}
