// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/jit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unwind/arch.h"
#include "unwind/section.h"

#define FRAME_MAX_SZ (1u << 20) /* of one function */

struct jit_reader {
	struct unwind_table *table;
	int fd;
	uint64_t left; /* functions that share their .eh_frame could have it read without end */
	uint8_t *bytes;
};

/* A caller's frame pointer and the return address are where it points, on both machines. */
static int add_by_pointer(struct unwind_table *table, const struct unwind_jit *f)
{
	static const struct unwind_rule rule = {
		.cfa = UNWIND_CFA_FP,
		.cfa_off = 16,
		.ra = UNWIND_LOC_CFA,
		.ra_off = -8,
		.fp = UNWIND_LOC_CFA,
		.fp_off = -16,
		.base = UNWIND_LOC_UNKNOWN,
	};

	return unwind_table__add_rule(table, f->code, f->code + f->code_sz, &rule);
}

static int is_elsewhere(void *priv, const struct cfi_fde *fde)
{
	const struct unwind_jit *f = priv;

	return fde->start < f->code || fde->end > f->code + f->code_sz;
}

static int add_function(struct jit_reader *r, const struct unwind_jit *f)
{
	struct cfi_section sec = {
		.data = r->bytes,
		.sz = f->frame_sz,
		.addr = f->code + ((f->code_sz + 7) & ~7ull),
	};
	uint64_t bad = 0;

	if (f->code >= UNWIND_SPAN_MAX || f->code_sz >= UNWIND_SPAN_MAX - f->code)
		return 0;
	if (!f->frame_sz)
		return add_by_pointer(r->table, f);
	if (f->frame_sz > FRAME_MAX_SZ || f->frame_sz > r->left)
		return 0;
	r->left -= f->frame_sz;
	if (pread(r->fd, r->bytes, f->frame_sz, (off_t)f->frame) != (ssize_t)f->frame_sz ||
	    cfi_section__each(&sec, NULL, is_elsewhere, (void *)f, &bad))
		return 0;
	return unwind_table__add(r->table, &sec);
}

int unwind_jit__read(struct unwind_table *table, int fd, uint16_t machine,
		     const struct unwind_jit *functions, size_t cnt)
{
	const struct unwind_arch *arch = unwind_arch__of(machine);
	struct jit_reader r = { .table = table, .fd = fd, .bytes = malloc(FRAME_MAX_SZ) };
	struct stat st;
	size_t i;
	int err;

	memset(table, 0, sizeof(*table));
	err = !r.bytes ? -ENOMEM : !arch ? -ENOTSUP : fstat(fd, &st) ? -errno : 0;
	if (!err)
		err = unwind_table__init(table, arch, 0);
	if (!err) {
		r.left = (uint64_t)st.st_size;
		table->segments[table->segment_cnt++] =
			(struct unwind_segment){ .sz = (uint64_t)st.st_size };
	}
	for (i = 0; i < cnt && !err; i++)
		err = add_function(&r, &functions[i]);
	/* More rules than rows can name: the rest has none. */
	if (err == -E2BIG)
		err = 0;
	err = unwind_table__end(table, err);
	free(r.bytes);
	return err;
}
