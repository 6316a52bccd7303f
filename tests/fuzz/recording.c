// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Whole recordings, as files and as pipes: opened, sorted, every record and field read. */
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "perf_file_make.h"
#include "recording_touch.h"

static int input_fd;
static char input_path[64];

static void fuzz_setup(void)
{
	input_fd = memfd_create("input", MFD_CLOEXEC);
	snprintf(input_path, sizeof(input_path), "/proc/self/fd/%d", input_fd);
}

static void fuzz_seeds(void)
{
	static struct made made;
	unsigned int kind;
	char name[16];

	for (kind = 0; kind < 8; kind++) {
		made_kind(&made, kind);
		snprintf(name, sizeof(name), "%u", kind);
		fuzz_seed(name, made.p, made.sz);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	/* Each text costs a child. */
	struct reading r = { .text_left = fuzz_hash(data, sz) % 256 ? 0 : 2 };

	if (ftruncate(input_fd, 0) || pwrite(input_fd, data, sz, 0) != (ssize_t)sz)
		return -1;
	reading__do(&r, input_path);
	return 0;
}
