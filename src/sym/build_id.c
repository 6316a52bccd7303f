// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/build_id.h"

#include <elf.h>
#include <stdlib.h>

#include "util/fs.h"

static size_t padded(uint32_t sz)
{
	return ((size_t)sz + 3) & ~(size_t)3;
}

/* elf(5), "Notes": name and descriptor, each padded to 4 bytes. */
bool build_id__of_notes(struct sym_build_id *id, const char *p, size_t sz, bool swapped)
{
	while (sz >= 12) {
		uint32_t h[3];
		int i;

		memcpy(h, p, sizeof(h));
		for (i = 0; i < 3; i++)
			h[i] = swapped ? __builtin_bswap32(h[i]) : h[i];
		p += 12;
		sz -= 12;
		if (padded(h[0]) > sz || h[1] > sz - padded(h[0]))
			return false;
		if (h[2] == NT_GNU_BUILD_ID && h[0] == 4 && !memcmp(p, "GNU", 4) && h[1] &&
		    h[1] <= BUILD_ID_MAX_SZ) {
			id->len = (uint8_t)h[1];
			memcpy(id->bytes, p + 4, h[1]);
			return true;
		}
		if (padded(h[0]) + padded(h[1]) > sz)
			return false;
		p += padded(h[0]) + padded(h[1]);
		sz -= padded(h[0]) + padded(h[1]);
	}
	return false;
}

bool build_id__of_kernel(struct sym_build_id *id)
{
	size_t len;
	char *notes = fs__read_file("/sys/kernel/notes", &len);
	bool found = notes && build_id__of_notes(id, notes, len, false);

	free(notes);
	return found;
}
