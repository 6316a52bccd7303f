// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/debug_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "sym/root.h"

/*
 * Only a debug file without build-id is read whole, for its checksum. Such files are small; a large
 * one would keep the reader busy, and one with holes may have any length.
 */
#define CRC_MAX_SZ (256 << 20)

#define DEBUG_DIR "/usr/lib/debug"

static bool has_crc(int fd, uint32_t want)
{
	uLong crc = crc32(0, NULL, 0);
	char buf[65536];
	uint64_t off = 0;
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) || st.st_size > CRC_MAX_SZ)
		return false;
	while ((n = pread(fd, buf, sizeof(buf), (off_t)off)) > 0) {
		crc = crc32(crc, (unsigned char *)buf, (uInt)n);
		off += (uint64_t)n;
	}
	return !n && crc == want;
}

/* Closes fd if it is not the debug file. */
static int check(int fd, const struct elf_file *file)
{
	struct elf_image img = { .fd = fd };
	struct elf_file debug;
	bool is_right = false;

	if (fd < 0 || elf_file__open(&debug, &img))
		goto out;
	if (debug.has_symtab || debug.has_dwarf) {
		if (file->build_id.len && debug.build_id.len)
			is_right = build_id__equal(&file->build_id, &debug.build_id);
		else
			is_right = file->debuglink[0] && has_crc(fd, file->debuglink_crc);
	}
	elf_file__close(&debug);
out:
	if (is_right || fd < 0)
		return fd;
	close(fd);
	return -1;
}

static int by_build_id(const struct elf_file *file, int root_fd)
{
	char hex[2 * BUILD_ID_MAX_SZ + 1], path[sizeof(DEBUG_DIR) + sizeof(hex) + 32];

	if (file->build_id.len < 2)
		return -1;
	build_id__hex(&file->build_id, hex);
	snprintf(path, sizeof(path), DEBUG_DIR "/.build-id/%.2s/%s.debug", hex, hex + 2);
	return check(root__open(root_fd, path), file);
}

static int by_link(const struct elf_file *file, const char *path, int root_fd)
{
	static const char *const places[][2] = { { "", "" }, { "", ".debug/" }, { DEBUG_DIR, "" } };
	const char *base = strrchr(path, '/');
	char debug[PATH_MAX];
	int fd = -1;
	size_t i;

	if (!file->debuglink[0] || !base)
		return -1;
	for (i = 0; i < sizeof(places) / sizeof(*places) && fd < 0; i++) {
		int n = snprintf(debug, sizeof(debug), "%s%.*s%s%s", places[i][0],
				 (int)(base + 1 - path), path, places[i][1], file->debuglink);

		/* A file that names itself adds no symbols. */
		if (n > 0 && (size_t)n < sizeof(debug) && strcmp(debug, path))
			fd = check(root__open(root_fd, debug), file);
	}
	return fd;
}

/*
 * A directory of files by build id: below the directory that a variable of the environment names.
 */
struct cache {
	const char *variable, *dir;
	bool is_split; /* the id's first byte is a directory of its own */
	const char *file; /* below the id's directory; "": the id itself is the file */
};

/* The caches of perf (buildid-cache, record) and of debuginfod's clients (debuginfod(8)). */
static const struct cache caches[] = {
	{ "HOME", "/.debug/.build-id", true, "/debug" },
	{ "HOME", "/.debug/.build-id", true, "/elf" },
	{ "HOME", "/.debug/.build-id", true, "" },
	{ "DEBUGINFOD_CACHE_PATH", "", false, "/debuginfo" },
	{ "XDG_CACHE_HOME", "/debuginfod_client", false, "/debuginfo" },
	{ "HOME", "/.cache/debuginfod_client", false, "/debuginfo" },
	{ "HOME", "/.debuginfod_client_cache", false, "/debuginfo" },
};

static int by_cache(const struct elf_file *file)
{
	char hex[2 * BUILD_ID_MAX_SZ + 1], path[PATH_MAX];
	int fd = -1;
	size_t i;

	if (file->build_id.len < 2)
		return -1;
	build_id__hex(&file->build_id, hex);
	for (i = 0; i < sizeof(caches) / sizeof(*caches) && fd < 0; i++) {
		const struct cache *c = &caches[i];
		const char *dir = getenv(c->variable);
		int n;

		if (!dir || *dir != '/')
			continue;
		if (c->is_split)
			n = snprintf(path, sizeof(path), "%s%s/%.2s/%s%s", dir, c->dir, hex,
				     hex + 2, c->file);
		else
			n = snprintf(path, sizeof(path), "%s%s/%s%s", dir, c->dir, hex, c->file);
		if (n > 0 && (size_t)n < sizeof(path))
			fd = check(root__open(-1, path), file);
	}
	return fd;
}

int debug_file__open(const struct elf_file *file, const char *path, int root_fd)
{
	int fd = by_build_id(file, root_fd);

	if (fd < 0)
		fd = by_link(file, path, root_fd);
	return fd < 0 && root_fd < 0 ? by_cache(file) : fd;
}
