// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_eval.h"

uint64_t print_eval__apply(enum insn_op op, uint64_t l, uint64_t r)
{
	switch (op) {
	case INSN_OR:
		return l | r;
	case INSN_LOR:
		return l || r;
	case INSN_AND:
		return l & r;
	case INSN_LAND:
		return l && r;
	case INSN_XOR:
		return l ^ r;
	case INSN_LT:
		return l < r;
	case INSN_LE:
		return l <= r;
	case INSN_GT:
		return l > r;
	case INSN_GE:
		return l >= r;
	case INSN_EQ:
		return l == r;
	case INSN_NE:
		return l != r;
	case INSN_SHL:
		return l << (r & 63);
	case INSN_SHR:
		return l >> (r & 63);
	case INSN_ADD:
		return l + r;
	case INSN_SUB:
		return l - r;
	case INSN_MUL:
		return l * r;
	case INSN_DIV:
		return r ? l / r : 0;
	case INSN_MOD:
		return r ? l % r : 0;
	default:
		return 0;
	}
}

/* Reads the element of `size` bytes at off; 0 if it is not completely in the record. */
static uint64_t read_elem(const struct print_rec *rec, uint64_t off, unsigned int size)
{
	if (off > rec->size || size > rec->size - off)
		return 0;
	return number__read(rec->data + off, size);
}

static uint64_t read_dyn(const struct insn *insn, const struct print_rec *rec, uint64_t idx)
{
	struct print_loc loc = { .off = insn->off, .size = 4, .dynamic = true, .rel = insn->rel };
	const uint8_t *data;
	uint32_t len = print_span(rec, loc, &data);

	if (insn->op == INSN_DYN_LEN)
		return len;
	if (insn->op == INSN_DYN_OFF)
		return (uint64_t)(data - rec->data);
	if (idx > UINT32_MAX)
		return 0;
	return read_elem(rec, (uint64_t)(data - rec->data) + idx, insn->size);
}

uint64_t print_eval__run(const struct insn *insns, uint32_t start, const struct print_rec *rec)
{
	uint64_t stack[PRINT_MAX_STACK + 1], *sp = stack; /* sp: the next free slot */
	const struct insn *insn = insns + start;

	for (;; insn++) {
		switch ((enum insn_op)insn->op) {
		case INSN_END:
			return sp[-1];
		case INSN_IMM:
			*sp++ = insn->imm;
			break;
		case INSN_LOAD:
			*sp++ = number__read(rec->data + insn->off, insn->size);
			break;
		case INSN_ELEM:
			sp[-1] = sp[-1] > UINT16_MAX
					 ? 0
					 : read_elem(rec, insn->off + sp[-1] * insn->size,
						     insn->size);
			break;
		case INSN_DYN_ELEM:
			sp[-1] = read_dyn(insn, rec, sp[-1]);
			break;
		case INSN_DYN_LEN:
		case INSN_DYN_OFF:
			*sp++ = read_dyn(insn, rec, 0);
			break;
		case INSN_MASK:
			sp[-1] &= insn->imm;
			break;
		case INSN_NOT:
			sp[-1] = !sp[-1];
			break;
		case INSN_INV:
			sp[-1] = ~sp[-1];
			break;
		case INSN_JZ:
			if (!*--sp)
				insn = insns + insn->imm - 1;
			break;
		case INSN_JMP:
			insn = insns + insn->imm - 1;
			break;
		case INSN_AND:
			sp--;
			sp[-1] &= sp[0];
			break;
		case INSN_SHR:
			sp--;
			sp[-1] >>= sp[0] & 63;
			break;
		default:
			sp--;
			sp[-1] = print_eval__apply((enum insn_op)insn->op, sp[-1], sp[0]);
		}
	}
}
