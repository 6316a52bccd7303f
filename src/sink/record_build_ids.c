// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/record_build_ids.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/writer.h"
#include "machine/proc_event.h"
#include "sym/build_id.h"
#include "sym/read_elf.h"
#include "sym/root.h"

static void note_mapped(struct record_mapped *mapped, const struct proc_event *ev)
{
	if (mapped[0].ino != ev->ino)
		mapped[1] = mapped[0];
	mapped[0] = (struct record_mapped){ ev->ino, ev->pid };
}

void record_build_ids__note(struct record_build_ids *b, const struct proc_event *ev)
{
	uint32_t idx;

	if (ev->kind != PROC_MMAP || !ev->has_file_id || ev->path[0] != '/')
		return;
	idx = texts__add(&b->files, ev->path, strlen(ev->path));
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
	/* Another root may have another file of this path: an id that a record had is kept. */
	if (!ev->build_id && b->ids[idx].len)
		return;
	b->ids[idx].len = ev->build_id_sz;
	if (ev->build_id)
		memcpy(b->ids[idx].bytes, ev->build_id, ev->build_id_sz);
	else
		note_mapped(b->ids[idx].mapped, ev);
}

static bool read_id(int root_fd, const char *path, uint64_t ino, struct sym_build_id *id)
{
	/*
	 * Only regular files are opened: the mapped path may be a device meanwhile, or lead to what
	 * autofs would have to mount.
	 */
	int fd = root__open_mounted(root_fd, path);
	struct elf_heads heads;
	struct stat st;
	bool has = false;

	if (fd >= 0 && !fstat(fd, &st) && st.st_ino == ino &&
	    !read_elf__heads(READER_NAMES, fd, &heads)) {
		*id = heads.build_id;
		has = id->len != 0;
	}
	if (fd >= 0)
		close(fd);
	return has;
}

/* The file as the process sees it that mapped it, in a container of its own. */
static bool read_id_there(const struct record_mapped *m, const char *path, struct sym_build_id *id)
{
	bool has = false;
	char root[32];
	int root_fd;

	snprintf(root, sizeof(root), "/proc/%d/root", m->pid);
	root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root_fd >= 0) {
		has = read_id(root_fd, path, m->ino, id);
		close(root_fd);
	}
	return has;
}

/* The file as bpfperf sees it, for those that read the recording here, or as its process does. */
static bool read_id_of(const struct record_build_ids *b, uint32_t idx, struct sym_build_id *id)
{
	const char *path = texts__get(&b->files, idx);
	const struct record_mapped *m = b->ids[idx].mapped;

	return read_id(-1, path, m[0].ino, id) || (m[1].ino && read_id(-1, path, m[1].ino, id)) ||
	       read_id_there(&m[0], path, id) || (m[1].ino && read_id_there(&m[1], path, id));
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
		else if (read_id_of(b, i, &id))
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
