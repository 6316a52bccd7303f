// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/pfm_lib.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#ifdef BPFPERF_STATIC
#include <zstd.h>
#endif

#include "util/log.h"

static struct pfm_lib lib;
static bool was_opened, is_there;

#ifdef BPFPERF_STATIC

/* The tables of libpfm, which are packed in bpfperf itself (tools/link-packed), not in tests. */
extern const unsigned char pfm_packed[] __attribute__((weak));
extern const unsigned long pfm_packed_sz __attribute__((weak));
extern unsigned char pfm_data_begin[] __attribute__((weak));
extern unsigned char pfm_data_end[] __attribute__((weak));

static bool unpack_tables(void)
{
	size_t sz = (size_t)(pfm_data_end - pfm_data_begin);

	return !pfm_packed || ZSTD_decompress(pfm_data_begin, sz, pfm_packed, pfm_packed_sz) == sz;
}

static bool open_lib(void)
{
	if (!unpack_tables())
		return false;
#define PFM_LIB_SET(name) lib.name = pfm_##name;
	PFM_LIB_FUNCTIONS(PFM_LIB_SET)
	return true;
}

#else

/* The version of the header that this was compiled with. */
#define SONAME "libpfm.so.4"

static bool open_lib(void)
{
	void *handle = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
	bool good = handle != NULL;

#define PFM_LIB_SET(name)                                                                          \
	*(void **)&lib.name = good ? dlsym(handle, "pfm_" #name) : NULL;                           \
	good &= lib.name != NULL;
	PFM_LIB_FUNCTIONS(PFM_LIB_SET)
	if (!good)
		log_info("event names of CPU vendors are unknown: install libpfm4 (%s)", SONAME);
	return good;
}

#endif

const struct pfm_lib *pfm_lib__get(void)
{
	if (!was_opened)
		is_there = open_lib();
	was_opened = true;
	return is_there && lib.initialize() == PFM_SUCCESS ? &lib : NULL;
}

void pfm_lib__restart(void)
{
	if (is_there)
		lib.terminate();
}
