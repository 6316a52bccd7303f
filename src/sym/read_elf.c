// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/read_elf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader/answer.h"
#include "reader/files.h"
#include "sym/demangle.h"
#include "sym/fdes.h"
#include "sym/jit_map.h"
#include "sym/read_elf_ops.h"

/* Segments are few; of names in memory a JIT map has the most. */
#define SYMS_ANSWER_MAX (SYMS_MAX * sizeof(struct symtab_entry) + JIT_MAP_MAX_SZ + (1u << 20))
#define NEEDS_ANSWER_MAX (1u << 20)
#define FDES_ANSWER_MAX (FDES_MAX * sizeof(struct symtab_entry) + 64)
/* Time for names: of all, and for each; most take some microseconds. */
#define DEMANGLE_MIN_NS 100000000ull
#define DEMANGLE_NS 100000ull

static int ask(const struct reader_op *op, enum reader_purpose purpose, const void *body, size_t sz,
	       const int *fds, uint32_t fd_cnt, size_t answer_max, struct strbuf *answer)
{
	struct reader_call call = {
		.op = op,
		.purpose = purpose,
		.body = body,
		.sz = sz,
		.fds = fds,
		.fd_cnt = fd_cnt,
		.answer_max = answer_max,
		.missing = op == &read_elf_fdes ? "functions without names" : "names",
		.is_linear = op == &read_elf_jit,
	};

	return reader__call_files(&call, answer, NULL);
}

/* Checks what others rely on: texts end, ids have their size, a link is a plain name. */
static bool are_sound(struct elf_heads *heads)
{
	return heads->build_id.len <= BUILD_ID_MAX_SZ && heads->alt_id.len <= BUILD_ID_MAX_SZ &&
	       memchr(heads->debuglink, '\0', sizeof(heads->debuglink)) &&
	       memchr(heads->alt, '\0', sizeof(heads->alt)) && !strchr(heads->debuglink, '/');
}

int read_elf__heads(enum reader_purpose purpose, int fd, struct elf_heads *heads)
{
	struct strbuf answer = STRBUF_INIT;
	int err = ask(&read_elf_heads, purpose, NULL, 0, &fd, 1, sizeof(*heads), &answer);
	struct answer a = answer__of(answer.buf, answer.len);

	*heads = (struct elf_heads){ .debuglink = "" };
	if (!err) {
		answer__take(&a, heads, sizeof(*heads));
		if (a.is_bad || !are_sound(heads)) {
			*heads = (struct elf_heads){ .debuglink = "" };
			err = -EPROTO;
		}
	}
	strbuf__free(&answer);
	return err;
}

int read_elf__match(enum reader_purpose purpose, int fd, const struct elf_heads *heads)
{
	struct strbuf answer = STRBUF_INIT;
	int err = ask(&read_elf_match, purpose, heads, sizeof(*heads), &fd, 1, 0, &answer);

	strbuf__free(&answer);
	return err;
}

int read_elf__needs(enum reader_purpose purpose, int fd, struct strbuf *answer)
{
	return ask(&read_elf_needs, purpose, NULL, 0, &fd, 1, NEEDS_ANSWER_MAX, answer);
}

static int take_syms(struct answer *a, struct elf_syms *syms)
{
	struct elf_syms_head head;
	size_t i, sz;

	answer__take(a, &head, sizeof(head));
	for (i = 0; i < NAMES_CNT; i++) {
		syms->names[i].off = head.names[i].off;
		syms->names[i].sz = head.names[i].sz;
	}
	syms->cut = head.cut != 0;
	syms->tab.entries = answer__take_array(a, sizeof(*syms->tab.entries), &syms->tab.cnt);
	syms->tab.cap = syms->tab.cnt;
	syms->segments = answer__take_array(a, sizeof(*syms->segments), &syms->segment_cnt);
	syms->names[NAMES_MEMORY].mem = answer__take_array(a, 1, &sz);
	/* Names lie in what has arrived, whatever the head says. */
	syms->names[NAMES_MEMORY].sz = sz;
	return a->is_bad ? -EPROTO : 0;
}

static int ask_syms(const struct reader_op *op, enum reader_purpose purpose, const void *body,
		    size_t sz, const int *fds, uint32_t fd_cnt, struct elf_syms *syms)
{
	struct strbuf answer = STRBUF_INIT;
	int err = ask(op, purpose, body, sz, fds, fd_cnt, SYMS_ANSWER_MAX, &answer);
	struct answer a = answer__of(answer.buf, answer.len);

	if (!err)
		err = take_syms(&a, syms);
	strbuf__free(&answer);
	if (err)
		elf_syms__free(syms);
	return err;
}

int read_elf__syms(enum reader_purpose purpose, int fd, int debug_fd, unsigned int flags,
		   struct elf_syms *syms)
{
	const int fds[] = { fd, debug_fd };

	return ask_syms(&read_elf_syms, purpose, &flags, sizeof(flags), fds, debug_fd < 0 ? 1 : 2,
			syms);
}

int read_elf__jit(enum reader_purpose purpose, int fd, uint64_t sz, struct elf_syms *syms)
{
	return ask_syms(&read_elf_jit, purpose, &sz, sizeof(sz), &fd, 1, syms);
}

int read_elf__fdes(enum reader_purpose purpose, int fd, struct symtab *tab)
{
	struct strbuf answer = STRBUF_INIT;
	int err = ask(&read_elf_fdes, purpose, NULL, 0, &fd, 1, FDES_ANSWER_MAX, &answer);
	struct answer a = answer__of(answer.buf, answer.len);

	if (!err) {
		tab->entries = answer__take_array(&a, sizeof(*tab->entries), &tab->cnt);
		tab->cap = tab->cnt;
		err = a.is_bad ? -EPROTO : 0;
	}
	strbuf__free(&answer);
	return err;
}

int read_elf__demangle(enum reader_purpose purpose, uid_t owner, const struct strbuf *names,
		       size_t cnt, void (*fn)(void *ctx, size_t nr, const char *printed), void *ctx)
{
	const struct reader_call call = {
		.op = &read_elf_demangle,
		.purpose = purpose,
		.owner = owner,
		.body = names->buf,
		.sz = names->len,
		.limit_ns = DEMANGLE_MIN_NS + cnt * DEMANGLE_NS,
		.answer_max = cnt * (DEMANGLE_MAX_SZ + 2),
	};
	struct strbuf answer = STRBUF_INIT;
	int err = reader__call(&call, &answer, NULL);
	struct answer a = answer__of(answer.buf, answer.len);
	const char *printed;
	size_t i;

	for (i = 0; i < cnt && !err && !a.is_bad; i++) {
		printed = answer__take_text(&a);
		if (printed)
			fn(ctx, i, printed);
	}
	strbuf__free(&answer);
	return err ? err : a.is_bad ? -EPROTO : 0;
}
