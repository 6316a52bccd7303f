// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_expr.h"

#include <ctype.h>
#include <traceevent/event-parse.h>

#include "decode/print_net.h"
#include "util/digits.h"

struct run {
	const struct print_plan *plan;
	struct printer *pr;
	const struct print_rec *rec;
	struct strbuf *out;
};

/* Width and precision of a conversion, with the values of its star. */
struct layout {
	uint32_t width;
	int64_t prec; /* -1: none */
	bool left, zero;
};

/* No record is longer: keeps a corrupt star from filling the memory. */
#define STAR_MAX 65535

static struct layout layout_of(const struct run *run, const struct print_spec *spec)
{
	struct layout lay = { .width = spec->width,
			      .prec = spec->flags & SPEC_PREC ? spec->prec : -1,
			      .left = spec->flags & SPEC_LEFT,
			      .zero = spec->flags & SPEC_ZERO };
	int star;

	if (!(spec->flags & (SPEC_STAR_WIDTH | SPEC_STAR_PREC)))
		return lay;
	star = (int)print_val__eval(run->plan, &spec->star, run->rec);
	if (star > STAR_MAX)
		star = STAR_MAX;
	if (star < -STAR_MAX)
		star = -STAR_MAX;
	if (spec->flags & SPEC_STAR_PREC) {
		lay.prec = star < 0 ? -1 : star;
	} else {
		/* As in C: a negative width is the - flag. */
		lay.left |= star < 0;
		lay.width = (uint32_t)(star < 0 ? -star : star);
	}
	return lay;
}

static void put_fill(struct strbuf *out, char c, uint32_t n)
{
	if (!n || strbuf__reserve(out, n))
		return;
	memset(out->buf + out->len, c, n);
	out->len += n;
}

static uint64_t truncated(uint64_t v, unsigned int bits, bool is_signed)
{
	switch (bits) {
	case 8:
		return is_signed ? (uint64_t)(int8_t)v : (uint8_t)v;
	case 16:
		return is_signed ? (uint64_t)(int16_t)v : (uint16_t)v;
	case 32:
		return is_signed ? (uint64_t)(int32_t)v : (uint32_t)v;
	default:
		return v;
	}
}

/* Digits of v in `base`, ending at `end`; none for 0. */
static char *put_digits(char *end, uint64_t v, unsigned int base, bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	for (; v; v /= base)
		*--end = digits[v % base];
	return end;
}

/* printf's integer conversions in general. */
static void put_number(const struct run *run, const struct print_op *op)
{
	const struct print_spec *spec = &run->plan->specs[op->spec];
	struct layout lay = layout_of(run, spec);
	bool is_signed = spec->conv == 'd' || spec->conv == 'i';
	uint64_t v = print_val__eval(run->plan, &op->val, run->rec);
	unsigned int base = 10, prefix_len = 0;
	char tmp[24], *end = tmp + sizeof(tmp), *p, prefix[2];
	uint32_t digits, zeros = 0, total;

	v = truncated(v, spec->bits, is_signed);
	if (spec->conv == 'x' || spec->conv == 'X') {
		base = 16;
		if (spec->flags & SPEC_ALT && v) {
			prefix[prefix_len++] = '0';
			prefix[prefix_len++] = spec->conv;
		}
	} else if (spec->conv == 'o') {
		base = 8;
	} else if (is_signed && (int64_t)v < 0) {
		prefix[prefix_len++] = '-';
		v = 0 - v;
	} else if (is_signed && spec->flags & SPEC_PLUS) {
		prefix[prefix_len++] = '+';
	}
	p = put_digits(end, v, base, spec->conv == 'X');
	digits = (uint32_t)(end - p);
	if (lay.prec >= 0)
		zeros = lay.prec > digits ? (uint32_t)lay.prec - digits : 0;
	else if (!digits)
		zeros = 1;
	if (spec->conv == 'o' && spec->flags & SPEC_ALT && !zeros && digits)
		zeros = 1;
	total = prefix_len + zeros + digits;
	if (lay.zero && !lay.left && lay.prec < 0 && total < lay.width) {
		zeros += lay.width - total;
		total = lay.width;
	}
	if (!lay.left && lay.width > total)
		put_fill(run->out, ' ', lay.width - total);
	strbuf__add(run->out, prefix, prefix_len);
	put_fill(run->out, '0', zeros);
	strbuf__add(run->out, p, digits);
	if (lay.left && lay.width > total)
		put_fill(run->out, ' ', lay.width - total);
}

/* Up to max bytes of text under a spec. */
static void put_text(const struct run *run, const struct print_spec *spec, const char *text,
		     size_t max)
{
	struct layout lay = layout_of(run, spec);
	size_t len;

	if (lay.prec >= 0 && (size_t)lay.prec < max)
		max = (size_t)lay.prec;
	len = strnlen(text, max);
	if (!lay.left && lay.width > len)
		put_fill(run->out, ' ', lay.width - (uint32_t)len);
	strbuf__put_escaped(run->out, text, len);
	if (lay.left && lay.width > len)
		put_fill(run->out, ' ', lay.width - (uint32_t)len);
}

static void put_char(const struct run *run, const struct print_op *op)
{
	char c = (char)print_val__eval(run->plan, &op->val, run->rec);
	struct print_spec spec = run->plan->specs[op->spec];

	/* A NUL is a character for printf, but nothing to look at. */
	spec.flags &= (uint8_t) ~(SPEC_PREC | SPEC_STAR_PREC);
	put_text(run, &spec, &c, c ? 1 : 0);
}

/* Bytes from loc on: text may go on behind its array's end, as far as the record does. */
static uint32_t text_span(const struct run *run, struct print_loc loc, const char **text)
{
	const uint8_t *data;
	uint32_t len = print_span(run->rec, loc, &data);

	*text = (const char *)data;
	if (loc.dynamic && len)
		len = run->rec->size - (uint32_t)(data - run->rec->data);
	return len;
}

static void put_string(const struct run *run, const struct print_op *op)
{
	const char *text;
	uint32_t len = text_span(run, op->loc, &text);

	/* An empty dynamic array prints nothing, not even its width. */
	if (op->loc.dynamic && !len)
		return;
	if (op->kind == PRINT_STR_PLAIN)
		strbuf__put_escaped_cstr(run->out, text, len);
	else
		put_text(run, &run->plan->specs[op->spec], text, len);
}

static void put_sym(const struct run *run, const struct print_op *op, const struct print_sym *sym)
{
	const char *text = run->plan->pool + sym->str;

	if (!op->spec)
		strbuf__add(run->out, text, sym->len);
	else
		put_text(run, &run->plan->specs[op->spec], text, sym->len);
}

static void put_0x(struct strbuf *out, uint64_t v)
{
	strbuf__add(out, "0x", 2);
	strbuf__put_hex(out, v);
}

static void put_flags(const struct run *run, const struct print_op *op)
{
	const struct print_sym *sym = run->plan->syms + op->a, *end = sym + op->b;
	int64_t v = (int64_t)print_val__eval(run->plan, &op->val, run->rec);
	bool more = false;

	for (; sym < end; sym++) {
		if (!v && sym->val < 0) {
			put_sym(run, op, sym);
			break;
		}
		if (sym->val <= 0 || (v & sym->val) != sym->val)
			continue;
		if (more)
			strbuf__add(run->out, run->plan->pool + op->delim, op->delim_len);
		put_sym(run, op, sym);
		more = true;
		v &= ~sym->val;
	}
	if (!v)
		return;
	if (more)
		strbuf__add(run->out, run->plan->pool + op->delim, op->delim_len);
	put_0x(run->out, (uint64_t)v);
}

static void put_symbol(const struct run *run, const struct print_op *op)
{
	const struct print_sym *sym = run->plan->syms + op->a, *end = sym + op->b;
	int64_t v = (int64_t)print_val__eval(run->plan, &op->val, run->rec);

	for (; sym < end; sym++) {
		if (sym->val == v) {
			put_sym(run, op, sym);
			return;
		}
	}
	put_0x(run->out, (uint64_t)v);
}

/* The array at loc, and how many bytes of the record there are from there on. */
static uint32_t bytes_from(const struct run *run, struct print_loc loc, const uint8_t **data)
{
	const struct print_rec *rec = run->rec;
	uint32_t end = rec->size;

	print_span(rec, loc, data);
	if (!loc.dynamic && end < (uint32_t)loc.off + loc.size)
		end = (uint32_t)loc.off + loc.size;
	return end - (uint32_t)(*data - rec->data);
}

static void put_hex_bytes(const struct run *run, const struct print_op *op)
{
	const uint8_t *data;
	uint32_t left = bytes_from(run, op->loc, &data);
	uint32_t n = (uint32_t)print_val__eval(run->plan, &op->val, run->rec);

	print_net__hex(run->out, data, n < left ? n : left, op->conv);
}

static void put_array(const struct run *run, const struct print_op *op)
{
	const uint8_t *data;
	uint32_t left = bytes_from(run, op->loc, &data), i;
	uint32_t n = (uint32_t)print_val__eval(run->plan, &op->val, run->rec);
	uint32_t size = (uint32_t)print_val__eval(run->plan, &op->aux, run->rec);
	bool good = size == 1 || size == 2 || size == 4 || size == 8;

	for (i = 0; i < n; i++) {
		uint32_t step = good ? size : 1;

		if (left < step)
			break;
		if (i)
			strbuf__putc(run->out, ' ');
		if (good) {
			strbuf__put_u64(run->out, print_read(data, size));
		} else {
			strbuf__printf(run->out, "BAD SIZE:%d 0x%x", (int)size, *data);
			/* libtraceevent goes on in bytes. */
			size = 1;
			good = true;
		}
		data += step;
		left -= step;
	}
}

static void put_raw_buf(const struct run *run, const struct print_op *op)
{
	const uint8_t *data;
	uint32_t len = print_span(run->rec, op->loc, &data);
	int want = (int)print_val__eval(run->plan, &op->val, run->rec);

	if (want > 0)
		print_net__hex(run->out, data, (uint32_t)want < len ? (uint32_t)want : len,
			       op->conv);
}

/* Bit sets are made as text first: width and precision count for them, too. */
static void put_bits(const struct run *run, const struct print_op *op)
{
	struct strbuf text = STRBUF_INIT;
	const uint8_t *data;
	uint32_t len = print_span(run->rec, op->loc, &data);
	uint64_t bits = (uint32_t)print_val__eval(run->plan, &op->val, run->rec);
	struct strbuf *to = op->spec ? &text : run->out;

	if ((bits + 7) / 8 < len)
		len = (uint32_t)(bits + 7) / 8;
	if (op->kind == PRINT_CPUMASK)
		print_net__cpulist(to, data, len);
	else
		print_net__bitmask(to, data, len);
	if (op->spec)
		put_text(run, &run->plan->specs[op->spec], strbuf__cstr(&text), text.len);
	strbuf__free(&text);
}

static void put_func(const struct run *run, const struct print_op *op)
{
	uint64_t addr = print_val__eval(run->plan, &op->val, run->rec), off = 0;
	const char *name = printer__resolve(run->pr, addr, &off);

	if (!name) {
		put_0x(run->out, addr);
		return;
	}
	strbuf__puts(run->out, name);
	if (op->conv == 'S') {
		strbuf__putc(run->out, '+');
		put_0x(run->out, off);
	}
}

static void put_string_addr(const struct run *run, const struct print_op *op)
{
	uint64_t addr = print_val__eval(run->plan, &op->val, run->rec);
	const char *text = printer__string(run->pr, addr);

	if (text)
		strbuf__puts(run->out, text);
	else
		strbuf__put_hex(run->out, addr);
}

static bool is_printable(const uint8_t *p, uint32_t len)
{
	uint32_t i;

	for (i = 0; i < len && p[i]; i++)
		if (!isprint(p[i]) && !isspace(p[i]))
			return false;
	return true;
}

/* A field by its type alone; op->a has libtraceevent's flags of it. */
static void put_field_raw(const struct run *run, const struct print_op *op)
{
	struct print_loc loc = op->loc;
	const uint8_t *data;
	uint32_t len, i;
	uint64_t v;

	if (op->a & TEP_FIELD_IS_ARRAY) {
		len = print_span(run->rec, loc, &data);
		if (op->a & TEP_FIELD_IS_STRING && is_printable(data, len)) {
			strbuf__put_escaped_cstr(run->out, (const char *)data, len);
			return;
		}
		strbuf__puts(run->out, "ARRAY[");
		for (i = 0; i < len; i++) {
			if (i)
				strbuf__add(run->out, ", ", 2);
			print_net__hex(run->out, data + i, 1, 0);
		}
		strbuf__putc(run->out, ']');
		return;
	}
	v = loc.size == 1 || loc.size == 2 || loc.size == 4 || loc.size == 8
		    ? print_read(run->rec->data + loc.off, loc.size)
		    : 0;
	if (op->a & TEP_FIELD_IS_POINTER) {
		put_0x(run->out, v);
	} else if (op->a & TEP_FIELD_IS_SIGNED) {
		if (loc.size == 4 && op->a & TEP_FIELD_IS_LONG)
			put_0x(run->out, v);
		else if (loc.size == 2)
			strbuf__printf(run->out, "%2d", (short)v);
		else
			strbuf__put_s64(run->out, (int64_t)truncated(v, loc.size * 8u, true));
	} else if (op->a & TEP_FIELD_IS_LONG) {
		put_0x(run->out, v);
	} else {
		strbuf__put_u64(run->out, v);
	}
}

/* The rarer ops. */
static void run_op(const struct run *run, const struct print_op *op)
{
	const uint8_t *data = run->rec->data + op->loc.off;
	uint64_t v;
	uint32_t len;

	switch ((enum print_op_kind)op->kind) {
	case PRINT_NUM:
		if (op->conv == 'c')
			put_char(run, op);
		else
			put_number(run, op);
		break;
	case PRINT_STR_LIT:
		put_text(run, &run->plan->specs[op->spec], run->plan->pool + op->a, op->b);
		break;
	case PRINT_STR_ADDR:
		put_string_addr(run, op);
		break;
	case PRINT_FLAGS:
		put_flags(run, op);
		break;
	case PRINT_SYMBOL:
		put_symbol(run, op);
		break;
	case PRINT_HEX:
		put_hex_bytes(run, op);
		break;
	case PRINT_ARRAY:
		put_array(run, op);
		break;
	case PRINT_BITMASK:
	case PRINT_CPUMASK:
		put_bits(run, op);
		break;
	case PRINT_FUNC:
		put_func(run, op);
		break;
	case PRINT_PTR:
		/* As glibc prints %p. */
		v = print_val__eval(run->plan, &op->val, run->rec);
		if (v)
			put_0x(run->out, v);
		else
			strbuf__puts(run->out, "(nil)");
		break;
	case PRINT_MAC:
		print_net__mac(run->out, data, op->conv, op->b);
		break;
	case PRINT_IP4:
		print_net__ip4(run->out, data, op->conv, op->b);
		break;
	case PRINT_IP6:
		print_net__ip6(run->out, data, op->conv);
		break;
	case PRINT_SOCKADDR:
		len = print_span(run->rec, op->loc, &data);
		print_net__sockaddr(run->out, data, len, op->conv, op->b);
		break;
	case PRINT_UUID:
		print_net__uuid(run->out, data, op->conv == 'U', op->b);
		break;
	case PRINT_RAW_BUF:
		put_raw_buf(run, op);
		break;
	case PRINT_FIELD_RAW:
		put_field_raw(run, op);
		break;
	default:
		break;
	}
}

/* What the hot ops may write at most: a number, or a literal with what copying it writes behind it. */
static inline size_t room_for(const struct print_op *op)
{
	return op->kind == PRINT_LIT ? op->b + 16u : DIGITS_U64_MAX + 1;
}

/*
 * The hot ops, as long as they come: they write at *at, which has room up to `end`. Returns the
 * op that is none of them, or for which there is no room.
 */
static inline const struct print_op *run_hot(const struct print_plan *plan,
					     const struct print_op *op, const struct print_op *last,
					     const struct print_rec *rec, char **at,
					     const char *end)
{
	char *p = *at;

	for (; op < last; op++) {
		if (op->kind > PRINT_JMP || (size_t)(end - p) < room_for(op))
			break;
		switch (op->kind) {
		case PRINT_LIT:
			p = digits__copy16(p, plan->pool + op->a, op->b);
			break;
		case PRINT_D32:
			p = digits__s64(p, (int32_t)print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_D64:
			p = digits__s64(p, (int64_t)print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_U32:
			p = digits__u64(p, (uint32_t)print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_U64:
			p = digits__u64(p, print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_X32:
			p = digits__hex(p, (uint32_t)print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_X64:
			p = digits__hex(p, print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_JZ:
			if (!print_val__eval(plan, &op->val, rec))
				op = plan->ops + op->a - 1;
			break;
		case PRINT_JMP:
			op = plan->ops + op->a - 1;
			break;
		}
	}
	*at = p;
	return op;
}

/* Room that is made at once: most records fit in it. */
#define ROOM 512

void print_plan__run(const struct print_plan *plan, struct printer *pr, const struct print_rec *rec,
		     struct strbuf *out)
{
	const struct run run = { plan, pr, rec, out };
	const struct print_op *op = plan->ops, *end = op ? op + plan->op_cnt : NULL;

	while (op < end) {
		size_t room = op->kind <= PRINT_JMP ? room_for(op) : 0;
		char *at;

		if (strbuf__reserve(out, room < ROOM ? ROOM : room))
			return;
		at = out->buf + out->len;
		op = run_hot(plan, op, end, rec, &at, out->buf + out->cap);
		out->len = (size_t)(at - out->buf);
		if (op == end || op->kind <= PRINT_JMP)
			continue;
		if (op->kind == PRINT_STR || op->kind == PRINT_STR_PLAIN)
			put_string(&run, op);
		else
			run_op(&run, op);
		op++;
	}
}
