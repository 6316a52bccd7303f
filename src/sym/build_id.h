/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The id that a linker writes into a file: a program, its stripped copy and its debug file share
 * it.
 */
#ifndef BPFPERF_SYM_BUILD_ID_H
#define BPFPERF_SYM_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Size of SHA-1, the longest in use; also the kernel's limit. */
#define BUILD_ID_MAX_SZ 20

struct sym_build_id {
	uint8_t len; /* bytes; 0: none */
	uint8_t bytes[BUILD_ID_MAX_SZ];
};

/*
 * Recorders that do not write the size (perf before 5.12, simpleperf) pad an id with zeros, which
 * count as the end of a shorter one.
 */
static inline bool build_id__equal(const struct sym_build_id *a, const struct sym_build_id *b)
{
	static const uint8_t zeros[BUILD_ID_MAX_SZ];
	const uint8_t len = a->len < b->len ? a->len : b->len;
	const struct sym_build_id *longer = a->len < b->len ? b : a;

	if (a->len != b->len && (!len || longer->len != BUILD_ID_MAX_SZ))
		return false;
	return !memcmp(a->bytes, b->bytes, len) &&
	       !memcmp(longer->bytes + len, zeros, longer->len - len);
}

/* Finds the build id among ELF notes (swapped: they have the other byte order). false: none. */
bool build_id__of_notes(struct sym_build_id *id, const char *notes, size_t sz, bool swapped);
/* Reads the build id of the running kernel. false: not available. */
bool build_id__of_kernel(struct sym_build_id *id);

/* Writes lower-case hexadecimal into buf of at least 2 * BUILD_ID_MAX_SZ + 1 bytes; returns buf. */
static inline char *build_id__hex(const struct sym_build_id *id, char *buf)
{
	uint8_t i;

	for (i = 0; i < id->len; i++) {
		buf[2 * i] = "0123456789abcdef"[id->bytes[i] >> 4];
		buf[2 * i + 1] = "0123456789abcdef"[id->bytes[i] & 15];
	}
	buf[2 * i] = '\0';
	return buf;
}

#endif
