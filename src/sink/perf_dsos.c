// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/perf_dsos.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/writer.h"
#include "decode/proc_record.h"
#include "sym/elf_file.h"

void perf_dsos__record(struct perf_dsos *d, const struct perf_event_header *rec)
{
	struct proc_event ev;
	uint64_t *inos;
	uint32_t idx;

	if (rec->type != PERF_RECORD_MMAP2)
		return;
	proc_record__parse(rec, &ev);
	if (ev.kind != PROC_MMAP || !ev.ino || ev.path[0] != '/')
		return;
	idx = texts__add(&d->paths, ev.path, strlen(ev.path));
	if (idx == TEXTS_NONE)
		return;
	if (idx >= d->cap) {
		inos = reallocarray(d->inos, 2 * (size_t)idx + 64, sizeof(*inos));
		if (!inos)
			return;
		d->inos = inos;
		memset(inos + d->cap, 0, (2 * (size_t)idx + 64 - d->cap) * sizeof(*inos));
		d->cap = 2 * (size_t)idx + 64;
	}
	d->inos[idx] = ev.ino;
}

/* Only the headers are read. */
static void read_id(const char *path, uint64_t ino, struct sym_build_id *id)
{
	struct elf_image img = { .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	struct elf_file file;
	struct stat st;

	id->len = 0;
	if (img.fd < 0)
		return;
	if (fstat(img.fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_ino == ino &&
	    elf_file__open(&file, &img) == 0) {
		*id = file.build_id;
		elf_file__close(&file);
	}
	close(img.fd);
}

int perf_dsos__put(struct perf_dsos *d, struct data_writer *w)
{
	struct sym_build_id id;
	uint32_t i;
	int err = 0;

	if (build_id__of_kernel(&id))
		err = data_writer__add_build_id(w, "[kernel.kallsyms]", true, id.bytes, id.len);
	for (i = 0; i < d->paths.cnt && i < d->cap && !err; i++) {
		const char *path = texts__get(&d->paths, i);

		read_id(path, d->inos[i], &id);
		if (id.len)
			err = data_writer__add_build_id(w, path, false, id.bytes, id.len);
	}
	return err;
}

void perf_dsos__free(struct perf_dsos *d)
{
	texts__free(&d->paths);
	free(d->inos);
	memset(d, 0, sizeof(*d));
}
