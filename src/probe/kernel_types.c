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
	struct u64map funcs; /* from the hash of a function's name to its id */
};

/* Types that were read stay until bpfperf ends. */
static struct {
	bool is_read;
	struct types vmlinux;
	char module_name[64]; /* the last one that was asked for; "": none */
	struct types module;
} kept;

static uint64_t key_of(const char *name)
{
	return hash__bytes(HASH_INIT, name, strlen(name));
}

/* Functions that are left out, for want of memory, have no types. */
static void index_functions(struct types *t, uint32_t first)
{
	uint32_t cnt = btf__type_cnt(t->btf), id;

	for (id = first; id < cnt; id++) {
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
	if (t->btf)
		index_functions(t, base ? btf__type_cnt(base) : 1);
}

static const struct types *vmlinux_types(void)
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
static const struct types *types_of(const char *module)
{
	const struct types *vmlinux = vmlinux_types();
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
	const struct types *types = types_of(module);
	uint32_t id = types->btf ? u64map__get(&types->funcs, key_of(func)) : U64MAP_NONE;
	const struct btf_type *t;

	/* A module's function that is equal to one of the kernel is in the kernel's types alone. */
	if (id == U64MAP_NONE && types->btf && types != vmlinux_types())
		id = u64map__get(&vmlinux_types()->funcs, key_of(func));
	t = id == U64MAP_NONE ? NULL : btf__type_by_id(types->btf, id);
	*btf = types->btf ? types->btf : kernel_types__vmlinux();
	/* Two names can have one hash. */
	if (!t || strcmp(btf__name_by_offset(types->btf, t->name_off), func) != 0)
		return NULL;
	return btf__type_by_id(types->btf, t->type);
}
