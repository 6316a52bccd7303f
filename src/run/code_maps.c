// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/code_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "data/proc_layout.h"
#include "data/record.h"
#include "lang/codes.h"
#include "machine/proc_event.h"
#include "sink/sink.h"
#include "sym/sym.h"
#include "util/array.h"
#include "util/strbuf.h"

#define LINES (1ull << CODES_LINE_BITS)
/* A name and a path, escaped, with all their bytes. */
#define PATH_MAX_SZ 4000

void code_maps__free(struct code_maps *cm)
{
	u64map__free(&cm->sent);
	u64map__free(&cm->execs);
	free(cm->user);
	*cm = (struct code_maps){ .user = NULL };
}

void code_maps__forget(struct code_maps *cm, int32_t pid)
{
	uint32_t *cnt;

	/* Most recordings have no such function, and the ids of all processes add up. */
	if (!cm->sent.used)
		return;
	cnt = u64map__slot(&cm->execs, (uint32_t)pid);
	/* Without memory the functions of the new program stay unnamed. */
	if (cnt)
		*cnt = *cnt == U64MAP_NONE ? 1 : *cnt + 1;
}

/* The key of a mapping in a process, as long as that runs one program. */
static uint64_t key_of(const struct code_maps *cm, int32_t pid, uint64_t start)
{
	uint32_t execs = u64map__get(&cm->execs, (uint32_t)pid);

	return start ^ u64map__mix((uint64_t)execs << 32 | (uint32_t)pid);
}

static int put_map(struct sink *sink, const struct sample *s, uint64_t start,
		   const struct strbuf *path)
{
	size_t len = path->len < PATH_MAX_SZ ? path->len : PATH_MAX_SZ;
	union {
		struct mmap2_record rec;
		char room[sizeof(struct mmap2_record) + PATH_MAX_SZ + 16];
	} u;
	struct record rec = {
		.time_ns = s->time_ns, .cpu = s->cpu, .kind = RECORD_PROC, .hdr = &u.rec.hdr
	};
	struct proc_event ev;

	memset(&u, 0, sizeof(u));
	u.rec.hdr.type = PERF_RECORD_MMAP2;
	u.rec.hdr.misc = PERF_RECORD_MISC_USER;
	u.rec.hdr.size = (uint16_t)((sizeof(u.rec) + len + 8) & ~7ul);
	u.rec.pid = u.rec.tid = (uint32_t)s->pid;
	u.rec.addr = start;
	u.rec.len = LINES;
	u.rec.prot = PROT_READ | PROT_EXEC;
	u.rec.flags = MAP_PRIVATE;
	memcpy(u.rec.path, path->buf, len);
	proc_event__parse(rec.hdr, &ev);
	return sink__task(sink, &ev, &rec);
}

/* Returns the address of a function and its line, with its mapping recorded. 0: no memory. */
static uint64_t addr_of(struct code_maps *cm, struct sink *sink, struct sym *sym,
			const struct sample *s, uint64_t word)
{
	uint64_t place = sym__place(sym, s->pid, word);
	uint64_t addr = CALLCHAIN_CODE | sym__file_off(place), start = addr & ~(LINES - 1);
	uint32_t *sent = u64map__slot(&cm->sent, key_of(cm, s->pid, start));
	struct strbuf path = STRBUF_INIT;
	struct sym_result res;
	int err = 0;

	if (!sent)
		return 0;
	if (*sent != U64MAP_NONE)
		return addr;
	*sent = 1;
	sym__name(sym, place, &res);
	strbuf__puts(&path, codes_recorded[res.kind == FRAME_RUBY ? INTERP_RUBY : INTERP_PYTHON]);
	strbuf__put_escaped_cstr(&path, res.name ? res.name : "[unknown]", SIZE_MAX);
	strbuf__putc(&path, ':');
	strbuf__put_escaped_cstr(&path, res.module, SIZE_MAX);
	strbuf__cstr(&path);
	err = put_map(sink, s, start, &path);
	strbuf__free(&path);
	return err ? 0 : addr;
}

int code_maps__sample(struct code_maps *cm, struct sink *sink, struct sym *sym,
		      const struct sample *s)
{
	struct sample copy = *s;
	bool has_code = false;
	uint16_t i;

	for (i = 0; sink->ops->only_addresses && i < s->chain.user_cnt && !has_code; i++)
		has_code = callchain__is_code(&s->chain, i);
	if (!has_code)
		return sink__sample(sink, s);
	if (array__reserve((void **)&cm->user, &cm->cap, s->chain.user_cnt, sizeof(*cm->user)))
		return -ENOMEM;
	for (i = 0; i < s->chain.user_cnt; i++) {
		cm->user[i] = s->chain.user[i];
		if (!callchain__is_code(&s->chain, i))
			continue;
		cm->user[i] = addr_of(cm, sink, sym, s, s->chain.user[i]);
		if (!cm->user[i])
			return -ENOMEM;
	}
	copy.chain.user = cm->user;
	return sink__sample(sink, &copy);
}
