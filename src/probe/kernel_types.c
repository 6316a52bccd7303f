// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/kernel_types.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

/* Types that were read; they stay until bpfperf ends. */
static struct {
	bool is_read;
	struct btf *vmlinux;
	char module[64]; /* the last one that was asked for; "": none */
	struct btf *module_types;
} kept;

static struct btf *loaded(struct btf *btf)
{
	return libbpf_get_error(btf) ? NULL : btf;
}

const struct btf *kernel_types__vmlinux(void)
{
	if (!kept.is_read)
		kept.vmlinux = loaded(btf__load_vmlinux_btf());
	kept.is_read = true;
	return kept.vmlinux;
}

/* A module's types begin with the kernel's: ids of either are ids of it. */
static const struct btf *types_of(const char *module)
{
	struct btf *vmlinux = (struct btf *)kernel_types__vmlinux();

	if (!module || !vmlinux)
		return vmlinux;
	if (!strcmp(kept.module, module))
		return kept.module_types;
	btf__free(kept.module_types);
	kept.module_types = loaded(btf__load_module_btf(module, vmlinux));
	snprintf(kept.module, sizeof(kept.module), "%s", module);
	return kept.module_types;
}

const struct btf_type *kernel_types__proto(const char *func, const char *module,
					   const struct btf **btf)
{
	const struct btf *types = types_of(module);
	const struct btf_type *t;
	int id;

	*btf = types ? types : kernel_types__vmlinux();
	id = types ? btf__find_by_name_kind(types, func, BTF_KIND_FUNC) : -1;
	t = id > 0 ? btf__type_by_id(types, (uint32_t)id) : NULL;
	return t ? btf__type_by_id(types, t->type) : NULL;
}
