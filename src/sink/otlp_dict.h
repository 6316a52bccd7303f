/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The dictionary of an OTLP message (opentelemetry-proto, profiles.proto, ProfilesDictionary): each
 * table holds encoded messages, of which none is there twice. An item is added when something
 * refers to it, so that none is without a reference. Index 0 of each table is the empty item.
 */
#ifndef BPFPERF_SINK_OTLP_DICT_H
#define BPFPERF_SINK_OTLP_DICT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/blobs.h"
#include "util/strbuf.h"
#include "util/u64map.h"

struct profile;
struct profile_stack;

/* The tables, by their field number in ProfilesDictionary less one. */
enum otlp_table {
	OTLP_MAPPING,
	OTLP_LOCATION,
	OTLP_FUNCTION,
	OTLP_LINK,
	OTLP_STRING,
	OTLP_ATTRIBUTE,
	OTLP_STACK,
	OTLP_TABLES
};

struct otlp_dict {
	struct profile *p;
	bool no_symbols; /* user addresses are not named */
	struct blobs tables[OTLP_TABLES];
	uint32_t *location_of; /* index of each location of the profile; 0: not needed yet */
	uint32_t truncated; /* the location "[truncated]"; 0: not needed yet */
	bool has_last; /* a mapping was added: that of this file */
	uint32_t last_file, last_mapping;
	struct strbuf part, sub; /* reused */
	bool failed; /* out of memory */
};

/* Makes the empty items. 0 or -ENOMEM. */
int otlp_dict__init(struct otlp_dict *d, struct profile *p, bool no_symbols);
void otlp_dict__free(struct otlp_dict *d);
/*
 * Adds the locations of all stacks that are not of an older profile, by file and address: their
 * neighbours then share bytes, which makes a compressed message a tenth smaller.
 */
void otlp_dict__add_locations(struct otlp_dict *d);
/* Indexes into the tables; after a failure 0, and d->failed. */
uint32_t otlp_dict__string(struct otlp_dict *d, const char *text);
uint32_t otlp_dict__attr(struct otlp_dict *d, const char *key, const char *text);
uint32_t otlp_dict__attr_u64(struct otlp_dict *d, const char *key, uint64_t v);
uint32_t otlp_dict__stack(struct otlp_dict *d, const struct profile_stack *st);
/* Appends the message ProfilesDictionary; ends: the length of msg behind each table. */
void otlp_dict__put(const struct otlp_dict *d, struct strbuf *msg, size_t ends[OTLP_TABLES]);
/*
 * Orders stacks by their locations, the outermost first, for qsort_r() of indexes (uint32_t) of the
 * profile's stacks: neighbours share most of their bytes. add_locations() was called before.
 */
int otlp_dict__compare_stacks(const void *a, const void *b, void *dict);

#endif
