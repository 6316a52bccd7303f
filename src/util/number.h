/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_UTIL_NUMBER_H
#define BPFPERF_UTIL_NUMBER_H

#include <stdint.h>
#include <string.h>

/* Reads the unsigned number of 1, 2, 4 or 8 bytes at p, in the host's byte order. */
static inline uint64_t number__read(const void *p, unsigned int size)
{
	uint64_t v64;
	uint32_t v32;
	uint16_t v16;

	switch (size) {
	case 1:
		return *(const uint8_t *)p;
	case 2:
		memcpy(&v16, p, 2);
		return v16;
	case 4:
		memcpy(&v32, p, 4);
		return v32;
	default:
		memcpy(&v64, p, 8);
		return v64;
	}
}

#endif
