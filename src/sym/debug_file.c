// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/debug_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/reader.h"
#include "sym/build_id_cache.h"
#include "sym/root.h"

#define DEBUG_DIR "/usr/lib/debug"

/* The file that is looked for, and how it is looked at. */
struct search {
	enum reader_purpose purpose;
	const struct elf_heads *heads;
	bool is_named; /* the user has named the file */
};

/* Closes fd if it is not the debug file. */
static int check(int fd, const struct search *s)
{
	if (fd < 0 || !read_elf__match(s->purpose, fd, s->heads))
		return fd;
	close(fd);
	return -1;
}

/*
 * Links in our own root are followed, as they are root's. In another one its owner makes them, and
 * any user may be that: they must not lead to what autofs would have to mount.
 */
static int open_links(int root_fd, const char *path)
{
	return root_fd < 0 ? root__open(root_fd, path) : root__open_linked(root_fd, path);
}

/* Opens the file with this build id below the directory of debug files. */
static int open_by_id(const struct sym_build_id *id, int root_fd)
{
	char hex[2 * BUILD_ID_MAX_SZ + 1], path[sizeof(DEBUG_DIR) + sizeof(hex) + 32];

	if (id->len < 2)
		return -1;
	build_id__hex(id, hex);
	snprintf(path, sizeof(path), DEBUG_DIR "/.build-id/%.2s/%s.debug", hex, hex + 2);
	return open_links(root_fd, path);
}

/*
 * May links lead to the debug files in this directory? Another user could link them to what autofs
 * would have to mount. The path is that of a file in the directory.
 */
static bool has_trusted_links(const struct search *s, const char *path, size_t dir_len, int root_fd)
{
	char dir[PATH_MAX];
	struct stat st;
	int fd;
	bool is_trusted;

	if (s->is_named)
		return true;
	snprintf(dir, sizeof(dir), "%.*s", (int)dir_len, path);
	fd = root__probe_mounted(root_fd, dir);
	is_trusted =
		fd >= 0 && !fstat(fd, &st) && reader__is_trusted(st.st_uid) && !(st.st_mode & 022);
	if (fd >= 0)
		close(fd);
	return is_trusted;
}

static int by_link(const struct search *s, const char *path, int root_fd)
{
	static const char *const places[][2] = { { "", "" }, { "", ".debug/" }, { DEBUG_DIR, "" } };
	const char *base = strrchr(path, '/');
	char debug[PATH_MAX];
	bool is_trusted;
	int fd = -1;
	size_t i;

	if (!s->heads->debuglink[0] || !base)
		return -1;
	is_trusted = has_trusted_links(s, path, (size_t)(base + 1 - path), root_fd);
	for (i = 0; i < sizeof(places) / sizeof(*places) && fd < 0; i++) {
		int n = snprintf(debug, sizeof(debug), "%s%.*s%s%s", places[i][0],
				 (int)(base + 1 - path), path, places[i][1], s->heads->debuglink);

		/* A file that names itself adds no symbols. */
		if (n <= 0 || (size_t)n >= sizeof(debug) || !strcmp(debug, path))
			continue;
		fd = check(is_trusted || (places[i][0][0] && root_fd < 0)
				   ? open_links(root_fd, debug)
				   : root__open_mounted(root_fd, debug),
			   s);
	}
	return fd;
}

static int by_cache(const struct search *s)
{
	const struct sym_build_id *id = &s->heads->build_id;
	char path[PATH_MAX];
	int fd = -1;
	size_t i;

	for (i = 0; fd < 0 && build_id_cache__path(id, CACHED_DEBUG, i, path, sizeof(path)); i++)
		if (*path)
			fd = check(root__open(-1, path), s);
	return fd;
}

int debug_file__open(enum reader_purpose purpose, const struct elf_heads *heads, const char *path,
		     int root_fd, bool is_named)
{
	const struct search s = { purpose, heads, is_named };
	int fd = check(open_by_id(&heads->build_id, root_fd), &s);

	if (fd < 0)
		fd = by_link(&s, path, root_fd);
	return fd < 0 && root_fd < 0 ? by_cache(&s) : fd;
}

/* A name without a leading slash counts from the directory of the file that has it. */
static int open_alt_path(int dwarf_fd, const char *name)
{
	char link[64], path[2 * PATH_MAX];
	ssize_t n = 0;
	char *slash;

	if (name[0] != '/') {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", dwarf_fd);
		n = readlink(link, path, PATH_MAX);
		if (n <= 0)
			return -1;
		path[n] = '\0';
		slash = strrchr(path, '/');
		n = slash ? slash + 1 - path : 0;
	}
	snprintf(path + n, sizeof(path) - (size_t)n, "%s", name);
	return root__open(-1, path);
}

int debug_file__open_alt(enum reader_purpose purpose, int dwarf_fd, const struct elf_heads *heads)
{
	struct elf_heads found;
	struct stat st;
	int fd;

	/* Files of others name no file that root opens. */
	if (!heads->alt[0] || fstat(dwarf_fd, &st) || st.st_uid != 0 || st.st_mode & 022)
		return -1;
	fd = open_by_id(&heads->alt_id, -1);
	if (fd < 0)
		fd = open_alt_path(dwarf_fd, heads->alt);
	if (fd < 0 || (!read_elf__heads(purpose, fd, &found) &&
		       build_id__equal(&found.build_id, &heads->alt_id)))
		return fd;
	close(fd);
	return -1;
}
