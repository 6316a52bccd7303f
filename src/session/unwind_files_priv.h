/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by unwind_files.c, which keeps the files, and unwind_files_make.c, which fills them. */
#ifndef BPFPERF_SESSION_UNWIND_FILES_PRIV_H
#define BPFPERF_SESSION_UNWIND_FILES_PRIV_H

#include <sys/types.h>

#include <linux/types.h>

#include "bpf/unwind_wire.h"
#include "session/unwind_files.h"
#include "sym/build_id.h"
#include "util/u64map.h"

/*
 * Copies of one file have this in common. A build-id alone proves nothing: any user can give it to
 * a file of other contents, and its table would then unwind the programs of others.
 */
struct copy_id {
	struct sym_build_id build_id;
	uid_t uid; /* owner */
	off_t sz;
	int64_t mtime_s;
};

/* A table in the kernel, shared by files. */
struct shared_table {
	uint32_t map_id;
	uint32_t users; /* number of files */
	size_t sz;
	struct copy_id id;
};

struct mapped_file {
	/* Its element of the map unwind_file_ids; ino 0, unless it is the vdso: it has none. */
	struct unwind_file_id id;
	uint64_t key; /* 0: this index is free */
	char *path;
	uint32_t maj, min;
	uint64_t ino;
	uint32_t users;
	bool is_vdso;
	bool busy; /* the map's element is being updated */
	bool is_settled; /* has a table, or will never have one */
	struct shared_table *table; /* NULL: none */
	uint64_t idle_since_ns;
};

struct unwind_files {
	int tables_fd, ids_fd, empty_fd;
	struct map_putter *putter;
	struct interp *interp;
	size_t mem_max;
	struct mapped_file *files; /* by index; [0] is not used */
	uint32_t cnt;
	uint32_t idle_cnt; /* number of files without users */
	struct u64map by_key; /* key → index */
	struct u64map by_build_id; /* hash → index of a file with a table */
	struct unwind_files_stats stats;
};

/* The key of a build-id in by_build_id. */
uint64_t unwind_files__id_key(const struct sym_build_id *id);
/* Takes the table from a file; the last file of a table frees it. */
void unwind_files__drop_table(struct unwind_files *files, struct mapped_file *file);
/* Frees files that have had no users since until_ns or longer. */
void unwind_files__drop_idle(struct unwind_files *files, uint64_t until_ns);
/* Lets programs find the table by what they see of the file. */
void unwind_files__publish(struct unwind_files *files, uint32_t idx,
			   const struct unwind_file_id *id);

#endif
