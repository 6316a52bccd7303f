// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Dumps of JIT compilers (sym/jit_dump.h) as dsos. */
#include <sys/stat.h>

#include "reader/files.h"
#include "sym/dso.h"
#include "sym/dso_file.h"
#include "util/mono.h"

static void read_dump(struct dsos *dsos, struct dso *dso)
{
	uint64_t begin_ns = mono_ns();
	struct stat st;

	if (fstat(dso->fd, &st))
		return;
	jit_dump__free(dso->dump);
	dso->dump = jit_dump__read(dso->fd);
	dso->read = false;
	growing__was_read(&dso->growing, (uint64_t)st.st_size, begin_ns);
	dsos->jit_read_cnt++;
}

/* A recording has no devices that mean anything here. */
static int open_dump(const struct dsos *dsos, const struct dso *dso)
{
	if (!dsos->offline)
		return dso_file__open(dsos, dso, NULL);
	return jit_dump__open(dsos->symfs ? dsos->roots.roots[dsos->symfs].fd : -1, dso->path,
			      dsos->symfs ? 0 : dso->ino);
}

const struct jit_dump *dsos__dump(struct dsos *dsos, uint32_t idx)
{
	struct dso *dso = dsos->dsos[idx];

	if (dso->wanted || (dso->fd < 0 && !dsos->fds_left))
		return dso->dump;
	dso->wanted = true;
	if (dso->fd < 0) {
		dso->fd = open_dump(dsos, dso);
		dsos->fds_left -= dso->fd >= 0;
	}
	if (dso->fd < 0)
		return NULL;
	dso->file_uid = reader__owner_of(&dso->fd, 1);
	read_dump(dsos, dso);
	return dso->dump;
}

static bool find(const struct dso *dso, uint64_t addr, uint64_t *off)
{
	/* Samples of one stack are summed up, whatever their times: the youngest function is it. */
	return dso->dump && jit_dump__find(dso->dump, addr, 0, off);
}

bool dsos__to_dump(struct dsos *dsos, uint32_t *idx, uint64_t *file_off)
{
	uint32_t dump = dsos->dsos[*idx]->jit_dump;
	struct dso *dso = dsos->dsos[dump];
	uint64_t addr = *file_off;

	if (!dump)
		return false;
	dsos__dump(dsos, dump);
	if (!find(dso, addr, file_off)) {
		if (dso->fd < 0 || !growing__is_to_read(&dso->growing, dso->fd))
			return false;
		read_dump(dsos, dso);
		if (!find(dso, addr, file_off))
			return false;
	}
	*idx = dump;
	return true;
}
