// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/record_build_ids.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/proc_layout.h"
#include "data/writer.h"
#include "sym/build_id.h"
#include "sym/elf_file.h"

static void note(struct record_build_ids *b, const struct mmap2_record *m)
{
	size_t max = m->hdr.size - sizeof(*m), len = strnlen(m->path, max);
	uint32_t idx;

	if (!(m->prot & PROT_EXEC) || m->path[0] != '/' || len == max)
		return;
	idx = texts__add(&b->files, m->path, len);
	if (idx == TEXTS_NONE)
		return;
	if (idx >= b->cap) {
		size_t cap = idx * 2 + 64;
		void *moved = reallocarray(b->ids, cap, sizeof(*b->ids));

		if (!moved)
			return;
		b->ids = moved;
		memset(b->ids + b->cap, 0, (cap - b->cap) * sizeof(*b->ids));
		b->cap = cap;
	}
	if (!(m->hdr.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		b->ids[idx].len = 0;
		b->ids[idx].ino = m->ino;
		return;
	}
	if (m->build_id_sz > sizeof(m->build_id))
		return;
	b->ids[idx].len = m->build_id_sz;
	memcpy(b->ids[idx].bytes, m->build_id, m->build_id_sz);
}

void record_build_ids__note(struct record_build_ids *b, const void *recs, size_t sz)
{
	const char *at = recs, *end = at + sz;

	while (at < end) {
		const struct perf_event_header *hdr = (const void *)at;

		if (hdr->type == PERF_RECORD_MMAP2 && hdr->size > sizeof(struct mmap2_record))
			note(b, (const void *)hdr);
		at += hdr->size;
	}
}

static bool read_id(const char *path, uint64_t ino, struct sym_build_id *id)
{
	/* What was mapped may be a device by now. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const struct elf_image img = { .fd = fd };
	struct elf_file file;
	struct stat st;
	bool has = false;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_ino == ino &&
	    !elf_file__open(&file, &img)) {
		*id = file.build_id;
		has = id->len != 0;
		elf_file__close(&file);
	}
	if (fd >= 0)
		close(fd);
	return has;
}

int record_build_ids__write(const struct record_build_ids *b, struct data_writer *w)
{
	struct sym_build_id id;
	uint32_t i;
	int err = 0;

	if (build_id__of_kernel(&id))
		err = data_writer__add_build_id(w, "[kernel.kallsyms]", true, id.bytes, id.len);
	for (i = 0; i < b->files.cnt && i < b->cap && !err; i++) {
		const char *path = texts__get(&b->files, i);

		if (b->ids[i].len)
			err = data_writer__add_build_id(w, path, false, b->ids[i].bytes,
							b->ids[i].len);
		else if (read_id(path, b->ids[i].ino, &id))
			err = data_writer__add_build_id(w, path, false, id.bytes, id.len);
	}
	return err;
}

void record_build_ids__free(struct record_build_ids *b)
{
	texts__free(&b->files);
	free(b->ids);
	*b = (struct record_build_ids){ 0 };
}
