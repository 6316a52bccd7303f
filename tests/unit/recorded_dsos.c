// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Build-ids of a recording, by path: also of one that was made to have very many. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/recording.h"
#include "tap.h"
#include "util/mono.h"

#define FILES 60013

/* Adds a file whose id begins with `first`; 0: an id of zeros, which is none. */
static int add(struct recording *rec, const char *path, uint16_t misc, uint8_t first)
{
	char data[4 + 24 + 64] = "";

	data[4] = (char)first;
	snprintf(data + 28, sizeof(data) - 28, "%s", path);
	return recording__build_id(rec, misc, data, sizeof(data));
}

static int id_of(const struct recording *rec, const char *path)
{
	const struct recorded_dso *dso = recording__dso(rec, path);

	return dso ? dso->id.bytes[0] : -1;
}

int main(void)
{
	struct recording rec = { .path = "recorded" };
	uint64_t begin_ns = mono_ns();
	char path[64];
	int i, bad = 0;

	is_s64(id_of(&rec, NULL), -1, "a recording without build-ids has none of the kernel");
	add(&rec, "/lib/a", PERF_RECORD_MISC_USER, 0);
	add(&rec, "/lib/a", PERF_RECORD_MISC_USER, 7);
	add(&rec, "/lib/a", PERF_RECORD_MISC_USER, 8);
	add(&rec, "[kernel.kallsyms]", PERF_RECORD_MISC_KERNEL, 9);
	is_s64(id_of(&rec, "/lib/a"), 7, "the first id of a file that is one is taken");
	is_s64(id_of(&rec, NULL), 9, "the id of the kernel is found");
	is_s64(id_of(&rec, "/lib/b"), -1, "another file has no id");
	for (i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "/usr/lib/x86_64-linux-gnu/lib%08d.so", i);
		bad += add(&rec, path, PERF_RECORD_MISC_USER, (uint8_t)(i | 1)) != 0;
		bad += id_of(&rec, path) != (uint8_t)(i | 1);
	}
	is_s64(bad, 0, "each of many files has its id");
	ok(mono_ns() - begin_ns < 5000000000, "many files are found in time");
	texts__free(&rec.texts);
	u64map__free(&rec.dso_of);
	free(rec.dsos);
	return done_testing();
}
