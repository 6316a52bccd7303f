// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/code.h"

#include <stdlib.h>
#include <string.h>

#include "itrace/wire.h"
#include "util/x86_insn.h"

/* Flags of instructions are handed on as they are. */
_Static_assert((int)X86_INSN_BRANCH == (int)ITRACE_FLAG_BRANCH &&
		       (int)X86_INSN_CALL == (int)ITRACE_FLAG_CALL &&
		       (int)X86_INSN_RETURN == (int)ITRACE_FLAG_RETURN &&
		       (int)X86_INSN_CONDITIONAL == (int)ITRACE_FLAG_CONDITIONAL &&
		       (int)X86_INSN_SYSCALL == (int)ITRACE_FLAG_SYSCALL &&
		       (int)X86_INSN_INTERRUPT == (int)ITRACE_FLAG_INTERRUPT &&
		       (int)X86_INSN_VMENTRY == (int)ITRACE_FLAG_VMENTRY,
	       "x86_insn_flag and itrace_flag have the same bits");

/* Slots, by address; each may have a block. */
#define SLOTS 32768
#define BLOCK_INSNS_MAX 4096

struct code {
	const struct job *job;
	uint16_t slots[SLOTS]; /* 1 + the block's index; 0: none yet */
	/* One behind the other, as they come: a small program's blocks are in few pages. */
	struct code_block blocks[SLOTS];
	uint32_t block_cnt;
	uint32_t change; /* of the kernel's code: the number of the last one */
};

struct code *code__new(const struct job *job)
{
	struct code *c = calloc(1, sizeof(*c));

	if (c)
		c->job = job;
	return c;
}

/* The bytes of an instruction, which may go on in the next section. Returns their number. */
static size_t read_insn(const struct code *c, uint32_t space, uint64_t ip, uint8_t *buf)
{
	size_t done = 0, left;
	const uint8_t *p;
	int isid;

	while (done < X86_INSN_MAX_SZ) {
		p = job__find_code(c->job, space, ip + done, &isid, &left);
		if (!p)
			break;
		if (left > X86_INSN_MAX_SZ - done)
			left = X86_INSN_MAX_SZ - done;
		memcpy(buf + done, p, left);
		done += left;
	}
	return done;
}

/* The target of a direct branch: its last one or four bytes are relative to what follows. */
static uint64_t target_of(const struct flow_last *last, uint8_t op)
{
	const uint8_t *end = last->bytes + last->len;
	int32_t rel;

	if (op == 0xeb || op >> 4 == 7 || (op & 0xfc) == 0xe0)
		return last->ip + last->len + (uint64_t)(int8_t)end[-1];
	memcpy(&rel, end - 4, sizeof(rel));
	return last->ip + last->len + (uint64_t)rel;
}

/* The opcode behind prefixes of branches; 0f of those with two bytes. */
static const uint8_t *opcode_of(const struct flow_last *last)
{
	static const uint8_t prefixes[] = { 0x66, 0x67, 0xf2, 0xf3, 0x2e,
					    0x3e, 0x26, 0x36, 0x64, 0x65 };
	const uint8_t *p = last->bytes, *end = p + last->len;

	while (p + 1 < end && (*p >> 4 == 4 || memchr(prefixes, *p, sizeof(prefixes))))
		p++;
	/* REX2 and its bits */
	return *p == 0xd5 && end - p > 2 ? p + 2 : p;
}

/* A move to CR3: 0f 22 with 3 in the middle of ModRM. */
static bool changes_space(const uint8_t *insn, unsigned int len)
{
	return len >= 3 && insn[len - 3] == 0x0f && insn[len - 2] == 0x22 &&
	       (insn[len - 1] & 0x38) == 0x18;
}

static void set_end(struct code_block *b)
{
	const uint32_t flags = b->last.flags;
	const uint8_t *opcode = opcode_of(&b->last), op = *opcode;

	b->next = b->end_ip + b->last.len;
	b->to = b->next;
	if (!flags) {
		b->end = changes_space(b->last.bytes, b->last.len) ? CODE_SPACE : CODE_NEXT;
	} else if (flags & ITRACE_FLAG_CONDITIONAL) {
		b->end = CODE_COND;
		b->to = target_of(&b->last, op);
	} else if (op == 0xe8 || op == 0xe9 || op == 0xeb) {
		b->to = target_of(&b->last, op);
		/* A call of the next instruction is none. */
		b->end = op == 0xe8 && b->to != b->next ? CODE_CALL : CODE_JUMP;
	} else if (op == 0xc2 || op == 0xc3) {
		b->end = CODE_RETURN;
	} else {
		/* Returns of far calls always have an address. */
		b->end = op == 0xff && (opcode[1] >> 3 & 7) == 2 ? CODE_INDIRECT_CALL
								 : CODE_INDIRECT;
	}
}

/* Goes through the instructions. false: there is no code at its address. */
static bool find(const struct code *c, struct code_block *b)
{
	uint8_t buf[X86_INSN_MAX_SZ];
	uint64_t ip = b->ip;
	uint32_t flags = 0;
	size_t left;
	const uint8_t *p = job__find_code(c->job, b->space, ip, &b->isid, &left), *insn;
	unsigned int len;

	b->insn_cnt = 0;
	while (p && b->insn_cnt < BLOCK_INSNS_MAX) {
		insn = p;
		len = x86_insn__length(p, left, true, &flags);
		if (!len && left < X86_INSN_MAX_SZ) {
			insn = buf;
			len = x86_insn__length(buf, read_insn(c, b->space, ip, buf), true, &flags);
		}
		if (!len)
			break;
		b->insn_cnt++;
		b->end_ip = ip;
		b->last.len = (uint8_t)len;
		b->last.flags = flags;
		memcpy(b->last.bytes, insn, len);
		ip += len;
		if (flags || left <= len || changes_space(insn, len))
			break;
		p += len;
		left -= len;
	}
	if (!b->insn_cnt)
		return false;
	b->last.ip = b->end_ip;
	b->last.isid = b->isid;
	set_end(b);
	b->last.needs_packet = b->end != CODE_NEXT && b->end != CODE_SPACE && b->end != CODE_JUMP &&
			       b->end != CODE_CALL;
	return true;
}

void code__forget_kernel(struct code *c)
{
	c->change++;
}

const struct code_block *code__block(struct code *c, uint32_t space, uint64_t ip)
{
	uint16_t *slot = &c->slots[(ip ^ ip >> 15) % SLOTS];
	struct code_block *b;

	if (!*slot)
		*slot = (uint16_t)++c->block_cnt;
	b = &c->blocks[*slot - 1];
	if (b->ip == ip && b->space == space && b->insn_cnt &&
	    (b->change == c->change || !flow__is_kernel(ip)))
		return b;
	b->change = c->change;
	b->ip = ip;
	b->space = space;
	return find(c, b) ? b : NULL;
}
