/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Callchains with names. A chain with an id is named once and kept: naming 30 addresses takes
 * longer than the rest of a record.
 */
#ifndef BPFPERF_DECODE_CHAIN_NAMES_H
#define BPFPERF_DECODE_CHAIN_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "decode/named.h"
#include "util/u64map.h"

struct sample;
struct sym;

struct chain_names {
	struct sym *sym; /* not owned */
	struct u64map by_key; /* stack, process, mappings → index of the kept chain */
	struct named_chain **kept;
	uint32_t kept_cnt;
	size_t kept_cap;
	size_t addr_cnt; /* addresses of all kept chains */
	uint32_t epoch;
	struct named_chain *once; /* the last chain without an id */
	size_t once_cap;
};

void chain_names__init(struct chain_names *cn, struct sym *sym);
void chain_names__free(struct chain_names *cn);
/*
 * Returns the sample's callchain with names, valid until the next call; NULL: no memory. Equal
 * chains of a process have the same names as long as nothing is mapped.
 */
const struct named_chain *chain_names__get(struct chain_names *cn, const struct sample *s);

#endif
