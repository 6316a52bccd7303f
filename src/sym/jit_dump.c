// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/jit_dump.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/answer.h"
#include "reader/files.h"
#include "sym/root.h"
#include "util/partition.h"
#include "util/path.h"

#define ANSWER_MAX_SZ                                                                              \
	(JIT_DUMP_LOADS_MAX * sizeof(struct jit_load) +                                            \
	 JIT_DUMP_LOADS_MAX * sizeof(struct unwind_jit) +                                          \
	 JIT_DUMP_LINES_MAX * sizeof(struct jit_line) + JIT_DUMP_TEXTS_MAX_SZ)
/* Functions that overlap in memory were there one after the other; more at one place are damage. */
#define LOOKED_AT_MAX 65536

bool jit_dump__is(const char *path)
{
	const char *at = path__base(path);

	if (strncmp(at, "jit-", 4) || !isdigit((unsigned char)at[4]))
		return false;
	for (at += 4; isdigit((unsigned char)*at); at++)
		;
	return !strcmp(at, ".dump");
}

int32_t jit_dump__pid(const char *path)
{
	return (int32_t)strtol(path__base(path) + strlen("jit-"), NULL, 10);
}

int jit_dump__open(int root_fd, const char *path, uint64_t ino)
{
	int fd = root__open(root_fd, path);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (ino ? st.st_ino == ino : reader__is_trusted(st.st_uid)))
		return fd;
	close(fd);
	return -1;
}

static bool are_texts_sound(const struct jit_dump *d)
{
	size_t i;

	if (d->texts_sz && d->texts[d->texts_sz - 1])
		return false;
	for (i = 0; i < d->load_cnt; i++)
		if (d->loads[i].name >= d->texts_sz ||
		    (i && d->loads[i].addr < d->loads[i - 1].addr))
			return false;
	for (i = 0; i < d->line_cnt; i++)
		if (d->lines[i].file >= d->texts_sz || (i && d->lines[i].off < d->lines[i - 1].off))
			return false;
	return true;
}

static int find_ends(struct jit_dump *d)
{
	uint64_t end = 0;
	size_t i;

	d->max_ends = malloc((d->load_cnt + 1) * sizeof(*d->max_ends));
	if (!d->max_ends)
		return -ENOMEM;
	for (i = 0; i < d->load_cnt; i++) {
		if (d->loads[i].addr + d->loads[i].sz > end)
			end = d->loads[i].addr + d->loads[i].sz;
		d->max_ends[i] = end;
	}
	return 0;
}

struct jit_dump *jit_dump__take(const char *answer, size_t sz)
{
	struct answer a = answer__of(answer, sz);
	struct jit_dump *d = calloc(1, sizeof(*d));
	uint8_t flags = 0;

	if (!d)
		return NULL;
	answer__take(&a, &flags, sizeof(flags));
	answer__take(&a, &d->machine, sizeof(d->machine));
	d->has_other_clock = flags != 0;
	d->loads = answer__take_array(&a, sizeof(*d->loads), &d->load_cnt);
	d->lines = answer__take_array(&a, sizeof(*d->lines), &d->line_cnt);
	d->unwinds = answer__take_array(&a, sizeof(*d->unwinds), &d->unwind_cnt);
	d->texts = answer__take_array(&a, 1, &d->texts_sz);
	if (!a.is_bad && are_texts_sound(d) && !find_ends(d))
		return d;
	jit_dump__free(d);
	return NULL;
}

struct jit_dump *jit_dump__read(int fd)
{
	struct strbuf answer = STRBUF_INIT;
	struct reader_call call = {
		.op = &jit_dump_op,
		.purpose = READER_NAMES,
		.fds = &fd,
		.fd_cnt = 1,
		.answer_max = ANSWER_MAX_SZ,
		.missing = "functions",
	};
	int err = reader__call_files(&call, &answer, NULL);
	struct jit_dump *d = err ? NULL : jit_dump__take(answer.buf, answer.len);

	strbuf__free(&answer);
	if (!d)
		errno = err ? -err : EBADMSG;
	return d;
}

void jit_dump__free(struct jit_dump *d)
{
	if (!d)
		return;
	free(d->loads);
	free(d->max_ends);
	free(d->lines);
	free(d->unwinds);
	free(d->texts);
	free(d);
}

uint16_t jit_dump__machine(const struct jit_dump *d, bool is_arm64)
{
	/* CPython 3.13 writes 0. */
	if (d->machine == EM_NONE)
		return is_arm64 ? EM_AARCH64 : EM_X86_64;
	return (uint16_t)d->machine;
}

/* The number of loads that begin at addr or before. */
static size_t count_before(const struct jit_dump *d, uint64_t addr)
{
	return partition_point(0, d->load_cnt, i, d->loads[i].addr <= addr);
}

/*
 * Several functions may cover the address, one after the other in time: the youngest that was
 * there is found.
 */
bool jit_dump__find(const struct jit_dump *d, uint64_t addr, uint64_t time_ns, uint64_t *off)
{
	const struct jit_load *best = NULL;
	size_t i = count_before(d, addr), looked_at = 0;
	bool any_time = !time_ns || d->has_other_clock;

	for (; i && d->max_ends[i - 1] > addr && looked_at < LOOKED_AT_MAX; i--, looked_at++) {
		const struct jit_load *l = &d->loads[i - 1];
		bool was_there = any_time || l->time_ns <= time_ns;

		if (addr - l->addr >= l->sz || !was_there)
			continue;
		if (!best || l->time_ns > best->time_ns)
			best = l;
	}
	if (best)
		*off = best->off + (addr - best->addr);
	return best != NULL;
}

const struct jit_line *jit_dump__line(const struct jit_dump *d, uint64_t start, uint64_t sz,
				      uint64_t off)
{
	size_t low = partition_point(0, d->line_cnt, i, d->lines[i].off <= off);

	return low && d->lines[low - 1].off >= start && d->lines[low - 1].off - start < sz
		       ? &d->lines[low - 1]
		       : NULL;
}

int jit_dump__syms(const struct jit_dump *d, struct elf_syms *syms)
{
	size_t i;
	int err = 0;

	for (i = 0; i < d->load_cnt && !err; i++)
		if (!d->loads[i].is_moved)
			err = elf_syms__add(syms, d->loads[i].off, d->loads[i].sz, 0, NAMES_MEMORY,
					    d->loads[i].name, false);
	syms->names[NAMES_MEMORY].mem = malloc(d->texts_sz + 1);
	if (!syms->names[NAMES_MEMORY].mem)
		return -ENOMEM;
	memcpy(syms->names[NAMES_MEMORY].mem, d->texts_sz ? d->texts : "", d->texts_sz);
	syms->names[NAMES_MEMORY].sz = d->texts_sz;
	elf_syms__finish(syms, NULL);
	return err;
}
