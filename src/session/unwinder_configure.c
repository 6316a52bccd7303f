// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Checks that the kernel can walk, and sets the sizes of the maps of walks. */
#include <errno.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "session/interp.h"
#include "session/maps_ahead.h"
#include "session/unwinder.h"
#include "session/unwinder_priv.h"
#include "util/log.h"

/* Room for 4,000 unread requests. */
#define ASKS_SZ (128u << 10)

const char *const unwind_followers[] = { "follow_mappings", "follow_programs" };

static bool is_possible(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	return feature__have(FEATURE_BTF);
#endif
	return false;
}

uint32_t unwinder__page_shift(void)
{
	if (!feature__have(FEATURE_MAPPING_TREE))
		return 0;
	return (uint32_t)__builtin_ctzl((unsigned long)sysconf(_SC_PAGESIZE));
}

static const struct map_size maps[] = {
	{ "unwind_tables", UNWIND_TABLES_MAX },
	{ "unwind_file_ids", UNWIND_TABLES_MAX },
	{ "unwind_sets", UNWIND_SETS_MAX },
	{ "unwind_procs", UNWIND_PROCS_MAX },
	{ "unwind_asks", ASKS_SZ },
};

int unwinder__configure(struct bpf_object *obj, enum unwind_mode *mode, uint32_t omit)
{
	size_t i;

	if (*mode == UNWIND_TABLES && !is_possible()) {
		log_error("--unwind=cfi needs x86-64 or arm64 and a kernel with BTF "
			  "(/sys/kernel/btf/vmlinux); give --unwind=fp");
		return -EOPNOTSUPP;
	}
	if (!is_possible())
		*mode = UNWIND_KERNEL;
	for (i = 0; i < UNWIND_FOLLOWERS; i++)
		bpf_program__set_autoload(
			bpf_object__find_program_by_name(obj, unwind_followers[i]),
			*mode != UNWIND_KERNEL);
	if (*mode != UNWIND_KERNEL)
		maps_ahead__set_sizes(obj, maps, sizeof(maps) / sizeof(*maps));
	if (~omit & INTERP_LANGUAGES && *mode != UNWIND_KERNEL)
		interp__configure(obj);
	return 0;
}

int unwinder__create_maps(struct bpf_object *obj)
{
	return maps_ahead__create(obj, maps, sizeof(maps) / sizeof(*maps));
}
