// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/skel_data.h"

#include <stdlib.h>

#include <zstd.h>

const void *skel_data__unpack(void **data, const void *packed, size_t packed_sz, size_t sz,
			      size_t *sz_out)
{
	*sz_out = 0;
	if (!*data) {
		*data = malloc(sz);
		if (*data && ZSTD_decompress(*data, sz, packed, packed_sz) != sz) {
			free(*data);
			*data = NULL;
		}
	}
	if (*data)
		*sz_out = sz;
	return *data;
}
