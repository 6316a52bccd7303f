/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Private to decode/print: a print format as a list of ops. print_compile.c makes it from
 * libtraceevent's tree, print_run.c executes it.
 */
#ifndef BPFPERF_DECODE_PRINT_PLAN_H
#define BPFPERF_DECODE_PRINT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "event/tp_format.h"
#include "util/number.h"
#include "util/strbuf.h"

struct printer;

/* The record to print. `data` has at least plan->fixed_sz bytes, zeros behind `size`. */
struct print_rec {
	const uint8_t *data;
	uint32_t size; /* size of the original record in bytes */
};

/* Expressions: a stack machine with unsigned 64-bit numbers, like libtraceevent's arithmetic. */
enum insn_op {
	INSN_END,
	INSN_IMM, /* push imm */
	INSN_LOAD, /* push the number of `size` bytes at off */
	INSN_ELEM, /* pop i, push the number of `size` bytes at off + i * size */
	INSN_DYN_ELEM, /* pop i, push the number of `size` bytes at byte i of dynamic array `off` */
	INSN_DYN_LEN, /* push the length in bytes of dynamic array `off` */
	INSN_DYN_OFF, /* push the offset of its data in the record */
	INSN_MASK, /* top &= imm */
	INSN_NOT, /* ! */
	INSN_INV, /* ~ */
	INSN_JZ, /* pop, go to insn imm (from this plan's first) if 0 */
	INSN_JMP, /* go to insn imm */
	/* Binary: pop right, pop left, push. */
	INSN_OR,
	INSN_LOR,
	INSN_AND,
	INSN_LAND,
	INSN_XOR,
	INSN_LT,
	INSN_LE,
	INSN_GT,
	INSN_GE,
	INSN_EQ,
	INSN_NE,
	INSN_SHL,
	INSN_SHR,
	INSN_ADD,
	INSN_SUB,
	INSN_MUL,
	INSN_DIV,
	INSN_MOD,
};

struct insn {
	uint8_t op; /* enum insn_op */
	uint8_t size; /* 1, 2, 4, 8 */
	bool rel; /* INSN_DYN_*: a __rel_loc */
	uint16_t off; /* bytes into the record */
	uint64_t imm;
};

#define PRINT_MAX_STACK 32

enum print_val_kind { VAL_IMM, VAL_LOAD, VAL_CODE };

/* An operand, in its cheapest form. */
struct print_val {
	uint8_t kind; /* enum print_val_kind */
	uint8_t size; /* VAL_LOAD: 1, 2, 4, 8 */
	uint16_t off; /* VAL_LOAD: bytes into the record */
	uint32_t code; /* VAL_CODE: first insn */
	uint64_t imm; /* VAL_IMM */
};

/* The location of an array, a string or an address in the record. */
struct print_loc {
	uint16_t off;
	uint16_t size; /* bytes; for dynamic data 4, the size of its __data_loc */
	bool dynamic, rel;
};

enum print_op_kind {
	/* Plain numbers without width, the most frequent ones. */
	PRINT_D32, /* %d */
	PRINT_D64, /* %ld %lld */
	PRINT_U32, /* %u */
	PRINT_U64, /* %lu %llu */
	PRINT_X32, /* %x */
	PRINT_X64, /* %lx %llx */
	PRINT_LIT, /* literal text: a = pool offset, b = length */
	PRINT_JZ, /* go to op a if val is 0 */
	PRINT_JMP, /* go to op a */
	/* The ops above run in one loop (run_hot()). */
	PRINT_NUM, /* any number, with spec */
	PRINT_STR, /* characters at loc, with spec */
	PRINT_STR_PLAIN, /* characters at loc, for a bare %s; conv: '"' within quotes, or 0 */
	PRINT_STR_LIT, /* literal text with spec: a, b as PRINT_LIT */
	PRINT_STR_ADDR, /* val is the address of a constant kernel string */
	PRINT_FLAGS, /* val as flags of table a with b entries, delim between them */
	PRINT_SYMBOL, /* val as symbol of table a with b entries */
	PRINT_HEX, /* val bytes at loc, conv: separator or 0 */
	PRINT_ARRAY, /* val numbers of aux bytes at loc */
	PRINT_BITMASK, /* up to val bits at loc, with spec */
	PRINT_CPUMASK, /* up to val bits at loc as a list, with spec */
	PRINT_FUNC, /* val is a kernel address; conv: 's' name, 'S' name+0xoff */
	PRINT_PTR, /* %p */
	PRINT_MAC, /* loc, conv: separator or 0, b: 1 for reverse order */
	PRINT_IP4, /* loc, conv 'i' or 'I', b: 1 for reverse order */
	PRINT_IP6, /* loc, conv 'i', 'I', or 'c' for compressed */
	PRINT_SOCKADDR, /* loc, conv 'i' or 'I', b: enum print_sockaddr_flag */
	PRINT_UUID, /* loc, conv 'U' or 'u' case, b: 1 for little-endian (GUID) */
	PRINT_FLOAT, /* val is the bits of a number of a = 64 or 32 bits */
	PRINT_RAW_BUF, /* %*ph: val bytes at loc, conv: separator or 0 */
	PRINT_FIELD_RAW, /* " name=value" for an event with an unparsable print fmt */
};

enum print_sockaddr_flag {
	SOCKADDR_PORT = 1,
	SOCKADDR_COMPRESSED = 2,
	SOCKADDR_REVERSE = 4,
};

enum print_spec_flag {
	SPEC_LEFT = 1 << 0,
	SPEC_ZERO = 1 << 1,
	SPEC_ALT = 1 << 2,
	SPEC_PLUS = 1 << 3,
	SPEC_PREC = 1 << 4, /* prec is given */
	SPEC_STAR_WIDTH = 1 << 5, /* the width is the value of star */
	SPEC_STAR_PREC = 1 << 6, /* the precision is the value of star */
};

/* One conversion of the format, parsed once. */
struct print_spec {
	uint8_t flags; /* enum print_spec_flag */
	char conv; /* d i u x X o c s p */
	uint8_t bits; /* width of the argument: 8, 16, 32, 64 */
	uint16_t width, prec;
	struct print_val star;
};

static inline bool print_spec__is_bare(const struct print_spec *spec)
{
	return !spec->flags && !spec->width;
}

struct print_op {
	uint8_t kind; /* enum print_op_kind */
	char conv;
	uint16_t spec; /* index of the spec; 0: a bare conversion */
	uint32_t a, b;
	uint32_t delim, delim_len; /* PRINT_FLAGS: in the pool */
	struct print_loc loc;
	struct print_val val, aux;
};

struct print_sym {
	int64_t val;
	uint32_t str, len; /* in the pool */
};

struct print_plan {
	struct print_op *ops;
	struct insn *insns;
	struct print_sym *syms;
	struct print_spec *specs; /* [0]: bare %s */
	char *pool;
	uint32_t op_cnt, insn_cnt, sym_cnt, spec_cnt, pool_len;
	uint32_t fixed_sz; /* number of bytes that ops read without a bounds check */
};

/* The longest raw data of perf: its size is a u16; plan->fixed_sz is no larger. */
#define PRINT_RAW_MAX 65535
/* The largest width or precision of a format, unless its value is an argument. */
#define PRINT_WIDTH_MAX 4096

/*
 * Compiles a format with libtraceevent, which bytes of others may crash: in a reader
 * (decode/print_ask.h). NULL and errno: ENOMEM, EINVAL if the format cannot be parsed or compiled.
 */
struct print_plan *print_plan__new(const struct tp_format *fmt);
/* NULL is accepted. */
void print_plan__free(struct print_plan *plan);

/* Returns whether each op stays within the plan, and within fixed_sz, and comes to its end. */
bool print_plan__is_sound(const struct print_plan *plan);

/* Appends the text of the record. */
void print_plan__run(const struct print_plan *plan, struct printer *pr, const struct print_rec *rec,
		     struct strbuf *out);

/* Returns the function at addr, by printer__set_resolver(); NULL if it has no name. */
const char *printer__resolve(struct printer *pr, uint64_t addr, uint64_t *off);
/* Returns the constant kernel string at addr, or NULL. */
const char *printer__string(struct printer *pr, uint64_t addr);

/* Returns how many bytes of a dynamic or fixed array are in the record; *data points to them. */
static inline uint32_t print_span(const struct print_rec *rec, struct print_loc loc,
				  const uint8_t **data)
{
	uint32_t word, off, len;

	if (!loc.dynamic) {
		*data = rec->data + loc.off;
		/* Size 0: the array extends to the end of the record. */
		if (!loc.size)
			return rec->size > loc.off ? rec->size - loc.off : 0;
		return loc.size;
	}
	word = (uint32_t)number__read(rec->data + loc.off, 4);
	off = word & 0xffff;
	len = word >> 16;
	if (loc.rel)
		off += loc.off + 4u;
	if (off + len > rec->size) {
		*data = rec->data;
		return 0;
	}
	*data = rec->data + off;
	return len;
}

#endif
