// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/kernel_types.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "util/hash.h"
#include "util/u64map.h"

/* The types of the kernel, or of a module behind these. */
struct types {
	struct btf *btf; /* NULL: there are none, or they are not read */
	uint32_t first; /* of a module: its first type that is not the kernel's */
	uint32_t asked_cnt; /* functions that were looked for without the index */
	bool is_indexed;
	struct u64map funcs; /* from the hash of a function's name to its id */
};

/* Hashing the names of all functions takes as long as looking for so many of these one by one. */
#define ASKED_MAX 8

/* Types that were read stay until bpfperf ends. */
static struct {
	bool is_read;
	struct types vmlinux;
	char module_name[64]; /* the last one that was asked for; "": none */
	struct types module;
} kept;

static uint64_t key_of(const char *name)
{
	return hash__table_bytes(HASH_INIT, name, strlen(name));
}

/* Functions that are left out, for want of memory, have no types. */
static void index_functions(struct types *t)
{
	uint32_t cnt = btf__type_cnt(t->btf), id;

	t->is_indexed = true;
	for (id = t->first; id < cnt; id++) {
		const struct btf_type *type = btf__type_by_id(t->btf, id);
		uint32_t *slot;

		if (!btf_is_func(type))
			continue;
		slot = u64map__slot(&t->funcs, key_of(btf__name_by_offset(t->btf, type->name_off)));
		if (!slot)
			return;
		if (*slot == U64MAP_NONE)
			*slot = id;
	}
}

static void read_types(struct types *t, struct btf *btf, const struct btf *base)
{
	t->btf = libbpf_get_error(btf) ? NULL : btf;
	t->first = base ? btf__type_cnt(base) : 1;
}

static const struct btf_type *search_function(const struct types *t, const char *name)
{
	uint32_t cnt = btf__type_cnt(t->btf), id;

	for (id = t->first; id < cnt; id++) {
		const struct btf_type *type = btf__type_by_id(t->btf, id);

		if (btf_is_func(type) && !strcmp(btf__name_by_offset(t->btf, type->name_off), name))
			return type;
	}
	return NULL;
}

/* NULL: the types do not have this function. */
static const struct btf_type *find_function(struct types *t, const char *name)
{
	const struct btf_type *type;
	uint32_t id;

	if (!t->btf)
		return NULL;
	if (!t->is_indexed && t->asked_cnt++ < ASKED_MAX)
		return search_function(t, name);
	if (!t->is_indexed)
		index_functions(t);
	id = u64map__get(&t->funcs, key_of(name));
	if (id == U64MAP_NONE)
		return NULL;
	type = btf__type_by_id(t->btf, id);
	/* Two names can have one hash. */
	return strcmp(btf__name_by_offset(t->btf, type->name_off), name) ? NULL : type;
}

static struct types *vmlinux_types(void)
{
	if (!kept.is_read)
		read_types(&kept.vmlinux, btf__load_vmlinux_btf(), NULL);
	kept.is_read = true;
	return &kept.vmlinux;
}

const struct btf *kernel_types__vmlinux(void)
{
	return vmlinux_types()->btf;
}

/* A module's types begin with the kernel's: ids of either are ids of it. */
static struct types *types_of(const char *module)
{
	struct types *vmlinux = vmlinux_types();
	struct types *t = &kept.module;

	if (!module || !vmlinux->btf)
		return vmlinux;
	if (!strcmp(kept.module_name, module))
		return t;
	btf__free(t->btf);
	u64map__free(&t->funcs);
	*t = (struct types){ NULL };
	read_types(t, btf__load_module_btf(module, kept.vmlinux.btf), vmlinux->btf);
	snprintf(kept.module_name, sizeof(kept.module_name), "%s", module);
	return t;
}

const struct btf_type *kernel_types__proto(const char *func, const char *module,
					   const struct btf **btf)
{
	struct types *types = types_of(module);
	const struct btf_type *t = find_function(types, func);

	/* A module's function that is equal to one of the kernel is in the kernel's types alone. */
	if (!t && types->btf && types != vmlinux_types())
		t = find_function(vmlinux_types(), func);
	*btf = types->btf ? types->btf : kernel_types__vmlinux();
	return t ? btf__type_by_id(types->btf, t->type) : NULL;
}
