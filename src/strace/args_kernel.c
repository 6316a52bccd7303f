// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Arguments of io_uring, landlock and seccomp, and filters of packets. */
#include <string.h>

#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/landlock.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>

#include "strace/calls.h"
#include "strace/fields.h"

#define U(m) FIELD(struct io_uring_params, m, DECIMAL)
#define SQ(m) FIELD(struct io_sqring_offsets, m, DECIMAL)
#define CQ(m) FIELD(struct io_cqring_offsets, m, DECIMAL)

/* clang-format off */
static const struct field ring_after[] = {
	U(sq_entries), U(cq_entries),
	FIELD(struct io_uring_params, features, BITS, .names = &names_io_uring_feature),
	FIELDS_END,
};
static const struct field sq_offsets[] = {
	SQ(head), SQ(tail), SQ(ring_mask), SQ(ring_entries), SQ(flags), SQ(dropped), SQ(array),
	FIELDS_END,
};
static const struct field cq_offsets[] = {
	CQ(head), CQ(tail), CQ(ring_mask), CQ(ring_entries), CQ(overflow), CQ(cqes), CQ(flags),
	FIELDS_END,
};
static const struct field ruleset[] = {
	FIELD(struct landlock_ruleset_attr, handled_access_fs, BITS,
	      .names = &names_landlock_fs), FIELDS_END,
};
static const struct field path_beneath[] = {
	FIELD(struct landlock_path_beneath_attr, allowed_access, BITS,
	      .names = &names_landlock_fs),
	FIELD(struct landlock_path_beneath_attr, parent_fd, DESCRIPTOR), FIELDS_END,
};
/* clang-format on */

static void put_reserved(struct strbuf *out, const struct io_uring_params *p)
{
	size_t i;

	if (!p->resv[0] && !p->resv[1] && !p->resv[2])
		return;
	for (i = 0; i < 3; i++) {
		strbuf__puts(out, i ? ", " : ", resv=[");
		put_hex(out, p->resv[i]);
	}
	strbuf__putc(out, ']');
}

PRINT(uring_params)
{
	const struct io_uring_params *p = view__struct(v, arg, sizeof(*p));
	struct strbuf *out = v->out;

	if (!p) {
		put_addr(out, v->args[arg]);
		return;
	}
	strbuf__puts(out, "{flags=");
	put_flags(out, &names_io_uring_setup, p->flags);
	strbuf__puts(out, ", sq_thread_cpu=");
	put_hex(out, p->sq_thread_cpu);
	strbuf__printf(out, ", sq_thread_idle=%u", p->sq_thread_idle);
	if (p->flags & IORING_SETUP_ATTACH_WQ) {
		strbuf__puts(out, ", wq_fd=");
		put_fd(v, (int)p->wq_fd);
	}
	put_reserved(out, p);
	if (view__is_written(v)) {
		strbuf__puts(out, ", ");
		fields__put(v, arg, ring_after, p, sizeof(*p));
		strbuf__puts(out, ", sq_off={");
		fields__put(v, arg, sq_offsets, &p->sq_off, sizeof(p->sq_off));
		strbuf__puts(out, "}, cq_off={");
		fields__put(v, arg, cq_offsets, &p->cq_off, sizeof(p->cq_off));
		strbuf__putc(out, '}');
	}
	strbuf__putc(out, '}');
}

static void put_landlock(struct call_view *v, unsigned int arg, const struct field *fields)
{
	size_t sz, end;
	const void *at = view__part(v, arg, 0, &sz);

	if (!at || sz < fields[0].sz) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__putc(v->out, '{');
	end = fields__put(v, arg, fields, at, sz);
	fields__put_rest(v, at, end, sz);
	strbuf__putc(v->out, '}');
}

PRINT(landlock_ruleset)
{
	put_landlock(v, arg, ruleset);
}

PRINT(landlock_rule)
{
	if ((unsigned int)v->args[arg - 1] == LANDLOCK_RULE_PATH_BENEATH)
		put_landlock(v, arg, path_beneath);
	else
		put_addr(v->out, v->args[arg]);
}

void fetch_fprog(struct fetch_list *l, unsigned int arg)
{
	fetch_struct(l, arg);
	fetch_bytes_at(l, arg, offsetof(struct sock_fprog, filter),
		       offsetof(struct sock_fprog, len), sizeof(struct sock_filter));
}

/* clang-format off */
static const struct name_of classes[] = {
	NAME(BPF_LD), NAME(BPF_LDX), NAME(BPF_ST), NAME(BPF_STX), NAME(BPF_ALU), NAME(BPF_JMP),
	NAME(BPF_RET), NAME(BPF_MISC),
};
static const struct name_of sizes[] = { NAME(BPF_W), NAME(BPF_H), NAME(BPF_B) };
static const struct name_of modes[] = {
	NAME(BPF_IMM), NAME(BPF_ABS), NAME(BPF_IND), NAME(BPF_MEM), NAME(BPF_LEN), NAME(BPF_MSH),
};
static const struct name_of alu_ops[] = {
	NAME(BPF_ADD), NAME(BPF_SUB), NAME(BPF_MUL), NAME(BPF_DIV), NAME(BPF_OR), NAME(BPF_AND),
	NAME(BPF_LSH), NAME(BPF_RSH), NAME(BPF_NEG), NAME(BPF_MOD), NAME(BPF_XOR),
};
static const struct name_of jumps[] = {
	NAME(BPF_JA), NAME(BPF_JEQ), NAME(BPF_JGT), NAME(BPF_JGE), NAME(BPF_JSET),
};
static const struct name_of sources[] = { NAME(BPF_K), NAME(BPF_X) };
static const struct name_of results[] = { NAME(BPF_K), NAME(BPF_X), NAME(BPF_A) };
static const struct name_of moves[] = { NAME(BPF_TAX), NAME(BPF_TXA) };
/* clang-format on */

#define PUT_NAME(table, val) put_code_part(out, &(const struct names)NAMES(table, "BPF_???"), val)

static void put_code_part(struct strbuf *out, const struct names *names, uint64_t val)
{
	strbuf__putc(out, '|');
	put_enum(out, names, val);
}

static void put_code(struct strbuf *out, unsigned int code)
{
	unsigned int class = BPF_CLASS(code);

	strbuf__puts(out, names__find(&(const struct names)NAMES(classes, NULL), class));
	switch (class) {
	case BPF_LD:
	case BPF_LDX:
		PUT_NAME(sizes, BPF_SIZE(code));
		PUT_NAME(modes, BPF_MODE(code));
		return;
	case BPF_ALU:
		PUT_NAME(sources, BPF_SRC(code));
		PUT_NAME(alu_ops, BPF_OP(code));
		return;
	case BPF_JMP:
		PUT_NAME(sources, BPF_SRC(code));
		PUT_NAME(jumps, BPF_OP(code));
		return;
	case BPF_RET:
		PUT_NAME(results, BPF_RVAL(code));
		return;
	case BPF_MISC:
		PUT_NAME(moves, BPF_MISCOP(code));
		return;
	}
	if (code & ~7u)
		strbuf__printf(out, "|%#x", code & ~7u);
}

static void put_action(struct strbuf *out, unsigned int k)
{
	put_enum(out, &names_seccomp_action, k & SECCOMP_RET_ACTION_FULL);
	if (k & SECCOMP_RET_DATA)
		strbuf__printf(out, "|%#x", k & SECCOMP_RET_DATA);
}

static void put_insn(struct strbuf *out, const struct sock_filter *f, bool is_seccomp)
{
	bool is_jump = f->jt || f->jf;

	strbuf__puts(out, is_jump ? "BPF_JUMP(" : "BPF_STMT(");
	put_code(out, f->code);
	strbuf__puts(out, ", ");
	if (is_seccomp && BPF_CLASS(f->code) == BPF_RET)
		put_action(out, f->k);
	else
		put_hex(out, f->k);
	if (is_jump) {
		strbuf__puts(out, ", ");
		put_hex(out, f->jt);
		strbuf__puts(out, ", ");
		put_hex(out, f->jf);
	}
	strbuf__putc(out, ')');
}

void put_fprog(struct call_view *v, unsigned int arg, bool is_seccomp)
{
	const struct sock_fprog *p = view__struct(v, arg, sizeof(*p));
	size_t sz, i;
	const struct sock_filter *f = view__part(v, arg, 1, &sz);

	if (!p) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__printf(v->out, "{len=%u, filter=", p->len);
	if (v->opts->verbose && f && sz >= sizeof(*f)) {
		for (i = 0; i < p->len && (i + 1) * sizeof(*f) <= sz; i++) {
			strbuf__puts(v->out, i ? ", " : "[");
			put_insn(v->out, &f[i], is_seccomp);
		}
		strbuf__puts(v->out, i < p->len ? ", ...]" : "]");
	} else {
		put_addr(v->out, (uint64_t)p->filter);
	}
	strbuf__putc(v->out, '}');
}

PRINT(seccomp_flags)
{
	if ((unsigned int)v->args[0] == SECCOMP_SET_MODE_FILTER)
		put_flags(v->out, &names_seccomp_flags, (unsigned int)v->args[arg]);
	else
		put_hex(v->out, (unsigned int)v->args[arg]);
}

PRINT(seccomp_arg)
{
	size_t sz;
	const void *at = view__part(v, arg, 0, &sz);
	const uint16_t *notif = at;

	switch ((unsigned int)v->args[0]) {
	case SECCOMP_SET_MODE_FILTER:
		put_fprog(v, arg, true);
		return;
	case SECCOMP_GET_ACTION_AVAIL:
		if (!at || sz < 4)
			break;
		strbuf__putc(v->out, '[');
		put_action(v->out, *(const uint32_t *)at);
		strbuf__putc(v->out, ']');
		return;
	case SECCOMP_GET_NOTIF_SIZES:
		if (!at || sz < 6 || !view__is_written(v))
			break;
		strbuf__printf(v->out, "{seccomp_notif=%u, seccomp_notif_resp=%u, seccomp_data=%u}",
			       notif[0], notif[1], notif[2]);
		return;
	}
	put_addr(v->out, v->args[arg]);
}
