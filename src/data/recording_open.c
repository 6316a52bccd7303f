// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Opens and closes a recording, and reads the parts before and after its records. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/bytes.h"
#include "data/inflate.h"
#include "data/perf_file.h"
#include "data/reader.h"
#include "data/recording.h"
#include "data/recording_parts.h"
#include "util/log.h"
#include "util/stop_signals.h"

static int read_at(int fd, uint64_t off, void *buf, size_t sz)
{
	size_t done = 0;
	ssize_t got;

	if (off > INT64_MAX)
		return -EBADMSG;
	while (done < sz) {
		got = pread(fd, (char *)buf + done, sz - done, (off_t)(off + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			return -EBADMSG;
		done += (size_t)got;
	}
	return 0;
}

/*
 * Reads a part of the file into memory that the caller frees. NULL and errno: EBADMSG if the file
 * is shorter.
 */
static void *read_section(struct recording *rec, struct perf_file_section s)
{
	struct stat st;
	void *data;
	int err;

	if (fstat(rec->reader->fd, &st))
		return NULL;
	if (s.sz > SECTION_MAX_SZ || s.off > (uint64_t)st.st_size ||
	    s.sz > (uint64_t)st.st_size - s.off) {
		errno = EBADMSG;
		return NULL;
	}
	data = malloc(s.sz + 1);
	if (!data)
		return NULL;
	err = read_at(rec->reader->fd, s.off, data, s.sz);
	if (err) {
		free(data);
		errno = -err;
		return NULL;
	}
	return data;
}

/* *left: remaining bytes for the ids of all events, since no two events share ids. */
static int read_attr_ids(struct recording *rec, size_t idx, struct perf_file_section ids,
			 uint64_t *left)
{
	struct bytes b;
	void *data;
	int err;

	if (ids.sz > *left)
		return -EBADMSG;
	*left -= ids.sz;
	data = ids.sz ? read_section(rec, ids) : NULL;
	if (!data)
		return !ids.sz ? 0 : errno == ENOMEM ? -ENOMEM : -EBADMSG;
	b = bytes__of(data, ids.sz, rec->swap);
	err = attrs__add_ids(&rec->attrs, idx, &b);
	free(data);
	return err;
}

static int read_attrs(struct recording *rec, const struct perf_file_header *h)
{
	struct perf_file_section ids;
	size_t entry = h->attr_sz, at;
	uint64_t ids_left = rec->sz;
	uint8_t *data;
	struct bytes b;
	int err = 0;

	if (entry < PERF_ATTR_SIZE_VER0 + sizeof(ids) || entry > 4096 || h->attrs.sz % entry)
		return reader__log_damaged(rec, "the list of its events is invalid");
	data = read_section(rec, h->attrs);
	if (!data)
		return reader__log_damaged(rec, "it ends inside the list of its events");
	for (at = 0; at < h->attrs.sz && !err; at += entry) {
		err = attrs__add(&rec->attrs, data + at, entry - sizeof(ids), rec->swap);
		b = bytes__of(data + at + entry - sizeof(ids), sizeof(ids), rec->swap);
		ids.off = bytes__u64(&b);
		ids.sz = bytes__u64(&b);
		if (!err)
			err = read_attr_ids(rec, rec->attrs.cnt - 1, ids, &ids_left);
	}
	free(data);
	if (err == -ENOMEM)
		log_error("no memory for the events of %s", rec->path);
	else if (err)
		reader__log_damaged(rec, "the list of its events is invalid");
	return err;
}

/*
 * Reads the table of sections after the data, one section for each bit. Unreadable ones are
 * ignored.
 */
static int read_features(struct recording *rec, const struct perf_file_header *h)
{
	uint64_t table[2], off;
	struct perf_file_section s;
	struct bytes b;
	unsigned int i;
	void *data;
	int err = 0;

	if (__builtin_add_overflow(h->data.off, h->data.sz, &off)) {
		rec->lacks_features = true;
		return 0;
	}
	for (i = 0; i < PERF_FEATURE_CNT && !err; i++) {
		if (!(h->features[i / 64] >> i % 64 & 1))
			continue;
		if (read_at(rec->reader->fd, off, table, sizeof(table))) {
			rec->lacks_features = true;
			break;
		}
		off += sizeof(table);
		/* Unused by perf; a bpfperf recording that was cut off has it (data/writer.h). */
		if (i == PERF_FEATURE_NONE)
			continue;
		b = bytes__of(table, sizeof(table), rec->swap);
		s.off = bytes__u64(&b);
		s.sz = bytes__u64(&b);
		data = read_section(rec, s);
		if (!data) {
			rec->lacks_features = true;
			continue;
		}
		err = recording__feature(rec, i, data, s.sz);
		free(data);
	}
	return err;
}

static void parse_header(struct perf_file_header *h, struct bytes *b)
{
	uint64_t *v = (uint64_t *)h;
	size_t i;

	for (i = 0; i < sizeof(*h) / 8; i++)
		v[i] = bytes__u64(b);
}

/*
 * The bits are numbered within an array of longs: if these are 32 bits of the other byte order, bit
 * 0 is elsewhere. The host name is always present, so its bit reveals the order.
 */
static void order_features(struct perf_file_header *h, bool swap)
{
	size_t i;

	if (!swap || h->features[0] >> PERF_FEATURE_HOSTNAME & 1)
		return;
	for (i = 0; i < 4; i++)
		h->features[i] = h->features[i] >> 32 | h->features[i] << 32;
}

static int open_file_form(struct recording *rec)
{
	struct reader *r = rec->reader;
	uint64_t raw[sizeof(struct perf_file_header) / 8];
	struct perf_file_header h;
	struct bytes b;
	int err;

	err = read_at(r->fd, 0, raw, sizeof(raw));
	if (err)
		return reader__log_damaged(rec, "it ends inside its header");
	b = bytes__of(raw, sizeof(raw), rec->swap);
	parse_header(&h, &b);
	order_features(&h, rec->swap);
	err = read_attrs(rec, &h);
	if (err)
		return err;
	/*
	 * Written last: if it is missing, the recorder was killed and the data extends to the end.
	 */
	rec->is_cut = !h.data.sz;
	if (h.data.sz && read_features(rec, &h)) {
		log_error("no memory for the description of the machine in %s", rec->path);
		return -ENOMEM;
	}
	if (h.data.off > INT64_MAX || lseek(r->fd, (off_t)h.data.off, SEEK_SET) < 0)
		return reader__log_damaged(rec, "its data section is missing");
	input__init(&r->in, r->fd, h.data.off, h.data.sz ? h.data.sz : UINT64_MAX);
	recording_parts__check(rec, h.features[0] >> PERF_FEATURE_DIR_FORMAT & 1);
	/*
	 * A bpfperf header holds the size of the complete part at all times, and marks it as such.
	 */
	rec->is_cut |= h.features[0] >> PERF_FEATURE_NONE & 1;
	return 0;
}

static int log_stopped(const struct recording *rec)
{
	log_error("stopped before any part of %s was read", rec->path);
	return -EINTR;
}

/* Is it a recording, and of which form and byte order? */
static int read_magic(struct recording *rec)
{
	struct reader *r = rec->reader;
	const uint8_t *data;
	struct bytes b;
	uint64_t magic;
	int64_t got;

	input__init(&r->in, r->fd, 0, UINT64_MAX);
	rec->is_live = r->in.is_pipe;
	if (rec->is_live)
		stop_signals__catch_up_to(INPUT_PIPE_STOPS);
	got = input__peek(&r->in, PERF_PIPE_HEADER_SZ, &data);
	if (got < 0) {
		log_error("cannot read %s: %s", rec->path, strerror((int)-got));
		return (int)got;
	}
	if (got < PERF_PIPE_HEADER_SZ && r->in.is_stopped)
		return log_stopped(rec);
	b = bytes__of(data, (size_t)got, false);
	magic = bytes__u64(&b);
	rec->swap = b.swap = magic == __builtin_bswap64(PERF_FILE_MAGIC);
	if (!b.bad && !memcmp(data, "PERFFILE", 8)) {
		log_error("%s is of perf before 3.4, whose files are of version 1, and is not "
			  "read; perf of those years reads it",
			  rec->path);
		return -EBADMSG;
	}
	if (b.bad || (magic != PERF_FILE_MAGIC && !rec->swap)) {
		log_error("%s is not a recording of perf (perf.data); `bpfperf record` and `perf "
			  "record` write recordings",
			  rec->path);
		return -EBADMSG;
	}
	rec->is_pipe = bytes__u64(&b) == PERF_PIPE_HEADER_SZ;
	return 0;
}

static int read_headers(struct recording *rec)
{
	struct reader *r = rec->reader;
	struct stat st;

	if (!fstat(r->fd, &st) && S_ISREG(st.st_mode))
		rec->sz = (uint64_t)st.st_size;
	if (rec->is_pipe)
		return input__skip(&r->in, PERF_PIPE_HEADER_SZ)
			       ? reader__log_damaged(rec, "it is empty")
			       : 0;
	input__free(&r->in);
	if (lseek(r->fd, 0, SEEK_CUR) < 0 && errno == ESPIPE) {
		log_error("%s is a pipe, and this recording was written to a file: its end must be "
			  "read first; give -i FILE",
			  rec->path);
		return -ESPIPE;
	}
	if (!fstat(r->fd, &st))
		rec->mtime_real_ns = st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec;
	return open_file_form(rec);
}

/* Opens a file, or `data` of a directory, which perf record --kcore and --threads write. */
static int open_path(struct recording *rec, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISDIR(st.st_mode))
		return fd;
	close(fd);
	if (asprintf(&rec->dir_path, "%s/data", path) < 0) {
		rec->dir_path = NULL;
		return -1;
	}
	rec->path = rec->dir_path;
	return open(rec->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

struct recording *recording__open_file(const char *path)
{
	bool is_stdin = !path || !strcmp(path, "-");
	struct recording *rec = calloc(1, sizeof(*rec));

	if (rec)
		rec->reader = calloc(1, sizeof(*rec->reader));
	if (!rec || !rec->reader) {
		log_error("no memory to read a recording");
		free(rec);
		return NULL;
	}
	rec->path = is_stdin ? "stdin" : path;
	rec->reader->owns_fd = !is_stdin;
	rec->reader->has_new_events = true;
	rec->reader->fd = is_stdin ? STDIN_FILENO : open_path(rec, path);
	if (rec->reader->fd >= 0) {
		if (!read_magic(rec) && !recording_parts__open(rec))
			return rec;
		recording__close(rec);
		return NULL;
	}
	/* No process has opened the named pipe for writing. */
	if (errno == EINTR)
		log_stopped(rec);
	else if (rec->dir_path && errno == ENOENT)
		log_error("%s is a directory without the file `data`, so no recording of perf "
			  "record --threads or --kcore; -i FILE names another recording",
			  path);
	else
		log_error("cannot open %s: %s; -i FILE names another recording", rec->path,
			  strerror(errno));
	recording__close(rec);
	return NULL;
}

int recording__read_headers(struct recording *rec)
{
	return read_headers(rec) ? -EIO : 0;
}

struct recording *recording__open(const char *path)
{
	struct recording *rec = recording__open_file(path);

	if (!rec || !recording__read_headers(rec))
		return rec;
	recording__close(rec);
	return NULL;
}

void recording__close(struct recording *rec)
{
	size_t i;

	if (!rec)
		return;
	recording_parts__close(rec);
	if (rec->reader->owns_fd && rec->reader->fd >= 0)
		close(rec->reader->fd);
	input__free(&rec->reader->in);
	inflate__free(rec->reader->inflate);
	free(rec->reader);
	attrs__free(&rec->attrs);
	tracing_data__free(&rec->tracing);
	free(rec->hostname);
	free(rec->release);
	free(rec->version);
	free(rec->arch);
	free(rec->cpuid);
	free(rec->cpudesc);
	free(rec->sockets);
	for (i = 0; i < PART_CNT; i++)
		free(rec->sections[i].data);
	free(rec->cmdline);
	free(rec->dsos);
	free(rec->dir_path);
	texts__free(&rec->texts);
	u64map__free(&rec->dso_of);
	free(rec);
}
