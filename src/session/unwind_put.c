// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Creates the inner maps of unwind tables and mappings. */
#include "session/unwind_put.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "bpf/unwind_wire.h"
#include "sym/proc_maps.h"
#include "unwind/file.h"
#include "unwind/words.h"

int unwind_put__words(const __u64 *words, size_t cnt)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_INNER_MAP | BPF_F_MMAPABLE);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "unwind_words", sizeof(__u32), sizeof(*words),
				(__u32)cnt, &opts);
	size_t sz = cnt * sizeof(*words);
	void *at;
	int err;

	if (fd < 0)
		return fd;
	/* Writing through a mapping is much faster than an update for each word. */
	at = mmap(NULL, sz, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED) {
		err = -errno;
		close(fd);
		return err;
	}
	memcpy(at, words, sz);
	munmap(at, sz);
	return fd;
}

size_t unwind_put__mem_sz(size_t words)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	/* The map's header page precedes its values. */
	return page + ((words * sizeof(__u64) + page - 1) & ~(page - 1));
}

/* All elements by one call (5.6). */
static int put_all(int fd, const struct unwind_mapping *maps, size_t cnt)
{
	struct unwind_mapping *elems = calloc(cnt + 1, sizeof(*elems));
	__u32 *keys = calloc(cnt + 1, sizeof(*keys)), done = (__u32)cnt + 1, i;
	int err = -ENOMEM;

	if (elems && keys) {
		elems[0].start = cnt;
		memcpy(&elems[1], maps, cnt * sizeof(*maps));
		for (i = 0; i <= cnt; i++)
			keys[i] = i;
		err = bpf_map_update_batch(fd, keys, elems, &done, NULL);
	}
	free(elems);
	free(keys);
	return err;
}

int unwind_put__mappings(const struct unwind_mapping *maps, size_t cnt)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_INNER_MAP);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "unwind_mappings", sizeof(__u32), sizeof(*maps),
				(__u32)cnt + 1, &opts);
	int err = fd < 0 ? fd : put_all(fd, maps, cnt);

	if (fd >= 0 && err)
		close(fd);
	return err ? err : fd;
}

int unwind_put__map_id(int fd, uint32_t *id)
{
	struct bpf_map_info info = { 0 };
	__u32 len = sizeof(info);
	int err = bpf_obj_get_info_by_fd(fd, &info, &len);

	*id = info.id;
	return err;
}

/* The address of our own vdso. */
static void note_vdso(void *ctx, const struct sym_map *map)
{
	struct sym_map *vdso = ctx;

	if (strcmp(map->path, "[vdso]") == 0) {
		vdso->addr = map->addr;
		vdso->len = map->len;
	}
}

int unwind_put__read_vdso(__u64 **words, size_t *cnt)
{
	struct unwind_table table;
	struct sym_map vdso = { 0 };
	char *copy;
	int err;

	proc_maps__read(getpid(), note_vdso, &vdso);
	if (!vdso.len)
		return -ENODATA;
	copy = malloc(vdso.len);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, (const void *)(uintptr_t)vdso.addr, vdso.len);
	err = unwind_file__read_image(&table, copy, vdso.len);
	free(copy);
	if (err)
		return err;
	*words = unwind_words__make(&table, cnt);
	unwind_table__free(&table);
	return *words ? 0 : -ENOMEM;
}
