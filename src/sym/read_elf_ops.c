// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Runs in readers, on files that may do anything to them. */
#include "sym/read_elf_ops.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <zlib.h>

#include "reader/answer.h"
#include "sym/demangle.h"
#include "sym/elf_needs.h"
#include "sym/fdes.h"
#include "sym/file_syms.h"
#include "sym/go_table.h"
#include "sym/jit_map.h"

/* A file with a name and a build id. */
#define ALT_SECTION_MAX_SZ 4096

/* .gnu_debugaltlink: the file's name, a NUL, its build id. */
static void read_alt(const struct elf_file *file, struct elf_heads *heads)
{
	const struct elf_section *sec = elf_file__section(file, ".gnu_debugaltlink");
	char *text = elf_file__contents(file, sec, ALT_SECTION_MAX_SZ);
	size_t len, id_len;

	if (!text)
		return;
	len = strnlen(text, sec->sz);
	id_len = len < sec->sz ? sec->sz - len - 1 : 0;
	if (len < sizeof(heads->alt) && id_len && id_len <= BUILD_ID_MAX_SZ) {
		memcpy(heads->alt, text, len + 1);
		heads->alt_id.len = (uint8_t)id_len;
		memcpy(heads->alt_id.bytes, text + len + 1, id_len);
	}
	free(text);
}

static int run_heads(struct reader_request *req, struct strbuf *answer)
{
	const struct elf_image img = { .fd = req->fds[0] };
	struct elf_heads heads = { .debuglink = "" };
	struct elf_file file;
	int err = elf_file__open(&file, &img);

	if (err)
		return err;
	heads.build_id = file.build_id;
	heads.has_symtab = file.has_symtab;
	heads.has_dwarf = file.has_dwarf;
	heads.has_go = go_table__section(&file) != NULL;
	memcpy(heads.debuglink, file.debuglink, sizeof(heads.debuglink));
	heads.debuglink_crc = file.debuglink_crc;
	read_alt(&file, &heads);
	elf_file__close(&file);
	strbuf__add(answer, &heads, sizeof(heads));
	return 0;
}

/*
 * Only a debug file without build-id is read whole, for its checksum. Such files are small; one
 * with holes may have any length.
 */
#define CRC_MAX_SZ (256 << 20)

static bool has_crc(int fd, uint32_t want)
{
	uLong crc = crc32(0, NULL, 0);
	struct elf_image img = { .fd = fd };
	char buf[65536];
	uint64_t off = 0;
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) || st.st_size > CRC_MAX_SZ)
		return false;
	while ((n = elf_image__read(&img, buf, sizeof(buf), off)) > 0) {
		crc = crc32(crc, (unsigned char *)buf, (uInt)n);
		off += (uint64_t)n;
	}
	return !n && crc == want;
}

static int run_match(struct reader_request *req, struct strbuf *answer)
{
	const struct elf_heads *want = (const struct elf_heads *)req->body;
	const struct elf_image img = { .fd = req->fds[0] };
	struct elf_file debug;
	bool is_right = false;

	if (elf_file__open(&debug, &img))
		return -ENOENT;
	if (debug.has_symtab || debug.has_dwarf) {
		if (want->build_id.len && debug.build_id.len)
			is_right = build_id__equal(&want->build_id, &debug.build_id);
		else
			is_right = want->debuglink[0] && has_crc(req->fds[0], want->debuglink_crc);
	}
	elf_file__close(&debug);
	return is_right ? 0 : -ENOENT;
}

static int run_needs(struct reader_request *req, struct strbuf *answer)
{
	const struct elf_image img = { .fd = req->fds[0] };
	struct elf_file file;
	int err = elf_file__open(&file, &img);

	if (err)
		return err;
	elf_needs__put(&file, answer);
	elf_file__close(&file);
	return 0;
}

static void put_syms(struct strbuf *answer, const struct elf_syms *syms)
{
	const char *mem = syms->names[NAMES_MEMORY].mem;
	struct elf_syms_head head;
	size_t i;

	memset(&head, 0, sizeof(head));
	head.cut = syms->cut;
	for (i = 0; i < NAMES_CNT; i++) {
		head.names[i].off = syms->names[i].off;
		head.names[i].sz = syms->names[i].sz;
	}
	/* Room that is twice as large would not be there in a reader of a large JIT map. */
	strbuf__reserve(answer, sizeof(head) + elf_syms__mem_sz(syms) + 3 * sizeof(uint64_t));
	strbuf__add(answer, &head, sizeof(head));
	answer__put_array(answer, syms->tab.entries, syms->tab.cnt, sizeof(*syms->tab.entries));
	answer__put_array(answer, syms->segments, syms->segment_cnt, sizeof(*syms->segments));
	answer__put_array(answer, mem, mem ? syms->names[NAMES_MEMORY].sz : 0, 1);
}

static int run_syms(struct reader_request *req, struct strbuf *answer)
{
	const struct elf_image img = { .fd = req->fds[0] };
	struct elf_syms syms = { .cut = false };
	int err = file_syms__read(&syms, &img, req->fd_cnt > 1 ? req->fds[1] : -1,
				  *(const unsigned int *)req->body);

	if (!err)
		put_syms(answer, &syms);
	elf_syms__free(&syms);
	return err;
}

static int run_fdes(struct reader_request *req, struct strbuf *answer)
{
	const struct elf_image img = { .fd = req->fds[0] };
	struct symtab tab = { .cnt = 0 };
	struct elf_file file;
	int err = elf_file__open(&file, &img);

	if (err)
		return err;
	err = fdes__read(&tab, &file);
	elf_file__close(&file);
	answer__put_array(answer, tab.entries, tab.cnt, sizeof(*tab.entries));
	symtab__free(&tab);
	return err;
}

static int run_jit(struct reader_request *req, struct strbuf *answer)
{
	struct elf_syms syms = { .cut = false };
	uint64_t sz;
	int err;

	memcpy(&sz, req->body, sizeof(sz));
	err = jit_map__read(&syms, req->fds[0], sz);
	if (!err)
		put_syms(answer, &syms);
	elf_syms__free(&syms);
	return err;
}

static int run_demangle(struct reader_request *req, struct strbuf *answer)
{
	struct strbuf printed = STRBUF_INIT;
	const char *name = req->body;

	for (; name < req->body + req->sz; name += strlen(name) + 1) {
		strbuf__reset(&printed);
		answer__put_text(answer, demangle(name, &printed) ? strbuf__cstr(&printed) : NULL);
	}
	strbuf__free(&printed);
	return 0;
}

const struct reader_op read_elf_heads = { "heads", run_heads };
const struct reader_op read_elf_match = { "match", run_match };
const struct reader_op read_elf_needs = { "needs", run_needs };
const struct reader_op read_elf_syms = { "syms", run_syms };
const struct reader_op read_elf_fdes = { "fdes", run_fdes };
const struct reader_op read_elf_jit = { "jit", run_jit };
const struct reader_op read_elf_demangle = { "demangle", run_demangle };
