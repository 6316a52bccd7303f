// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Names of memory: protections, mappings, advice. */
#include <linux/mman.h>
#include <asm/mman.h>
#include <linux/mempolicy.h>

#include "strace/names.h"

/* clang-format off */
static const struct name_of prots[] = {
	NAME(PROT_NONE), NAME(PROT_READ), NAME(PROT_WRITE), NAME(PROT_EXEC), NAME(PROT_SEM),
	NAME(PROT_GROWSDOWN), NAME(PROT_GROWSUP),
};
const struct names names_prot = NAMES(prots, "PROT_???");

static const struct name_of maps[] = {
	NAME(MAP_SHARED), NAME(MAP_PRIVATE), NAME(MAP_SHARED_VALIDATE),
	NAME(MAP_FIXED), NAME(MAP_ANONYMOUS),
#ifdef MAP_32BIT
	NAME(MAP_32BIT),
#endif
	NAME(MAP_NORESERVE), NAME(MAP_POPULATE), NAME(MAP_NONBLOCK), NAME(MAP_GROWSDOWN),
	NAME(MAP_DENYWRITE), NAME(MAP_EXECUTABLE), NAME(MAP_LOCKED), NAME(MAP_STACK),
	NAME(MAP_HUGETLB), NAME(MAP_SYNC), NAME(MAP_FIXED_NOREPLACE),
};
const struct names names_map = { maps, sizeof(maps) / sizeof(maps[0]), "MAP_???", MAP_TYPE };

static const struct name_of mremaps[] = {
	NAME(MREMAP_MAYMOVE), NAME(MREMAP_FIXED),
#ifdef MREMAP_DONTUNMAP
	NAME(MREMAP_DONTUNMAP),
#endif
};
const struct names names_mremap = NAMES(mremaps, "MREMAP_???");

static const struct name_of madvises[] = {
	NAME(MADV_NORMAL), NAME(MADV_RANDOM), NAME(MADV_SEQUENTIAL), NAME(MADV_WILLNEED),
	NAME(MADV_DONTNEED), NAME(MADV_FREE), NAME(MADV_REMOVE), NAME(MADV_DONTFORK),
	NAME(MADV_DOFORK), NAME(MADV_MERGEABLE), NAME(MADV_UNMERGEABLE), NAME(MADV_HUGEPAGE),
	NAME(MADV_NOHUGEPAGE), NAME(MADV_DONTDUMP), NAME(MADV_DODUMP), NAME(MADV_WIPEONFORK),
	NAME(MADV_KEEPONFORK), NAME(MADV_COLD), NAME(MADV_PAGEOUT), NAME(MADV_HWPOISON),
	NAME(MADV_SOFT_OFFLINE),
#ifdef MADV_POPULATE_READ
	NAME(MADV_POPULATE_READ), NAME(MADV_POPULATE_WRITE),
#endif
#ifdef MADV_DONTNEED_LOCKED
	NAME(MADV_DONTNEED_LOCKED),
#endif
#ifdef MADV_COLLAPSE
	NAME(MADV_COLLAPSE),
#endif
};
const struct names names_madvise = NAMES(madvises, "MADV_???");

static const struct name_of msyncs[] = { NAME(MS_SYNC), NAME(MS_ASYNC), NAME(MS_INVALIDATE) };
const struct names names_msync = NAMES(msyncs, "MS_???");
static const struct name_of mlocks[] = { NAME(MLOCK_ONFAULT) };
const struct names names_mlock = NAMES(mlocks, "MLOCK_???");
static const struct name_of mlockalls[] = {
	NAME(MCL_CURRENT), NAME(MCL_FUTURE), NAME(MCL_ONFAULT),
};
const struct names names_mlockall = NAMES(mlockalls, "MCL_???");
static const struct name_of mbind_modes[] = {
	NAME(MPOL_DEFAULT), NAME(MPOL_PREFERRED), NAME(MPOL_BIND), NAME(MPOL_INTERLEAVE),
	NAME(MPOL_LOCAL),
};
const struct names names_mbind_mode = NAMES(mbind_modes, "MPOL_???");
static const struct name_of pkeys[] = { NAME(PKEY_DISABLE_ACCESS), NAME(PKEY_DISABLE_WRITE) };
const struct names names_pkey = NAMES(pkeys, "PKEY_???");
/* clang-format on */
