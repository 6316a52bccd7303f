// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Executes one op of a print plan: a conversion of a print format. */
#include "decode/print_put.h"

#include <ctype.h>
#include <traceevent/event-parse.h>

#include "decode/print_net.h"

static void put_char(const struct print_run *run, const struct print_op *op)
{
	char c = (char)print_val__eval(run->plan, &op->val, run->rec);
	struct print_spec spec = run->plan->specs[op->spec];

	/* A NUL counts as a character in printf, but is not visible. */
	spec.flags &= (uint8_t) ~(SPEC_PREC | SPEC_STAR_PREC);
	print_put__text(run, &spec, &c, c ? 1 : 0);
}

static void put_sym(const struct print_run *run, const struct print_op *op,
		    const struct print_sym *sym)
{
	const char *text = run->plan->pool + sym->str;

	if (!op->spec)
		strbuf__add(run->out, text, sym->len);
	else
		print_put__text(run, &run->plan->specs[op->spec], text, sym->len);
}

static void put_0x(struct strbuf *out, uint64_t v)
{
	strbuf__add(out, "0x", 2);
	strbuf__put_hex(out, v);
}

static void put_flags(const struct print_run *run, const struct print_op *op)
{
	int64_t v = (int64_t)print_val__eval(run->plan, &op->val, run->rec);
	bool more = false;
	uint32_t i;

	for (i = 0; i < op->b; i++) {
		const struct print_sym *sym = &run->plan->syms[op->a + i];

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

static void put_symbol(const struct print_run *run, const struct print_op *op)
{
	int64_t v = (int64_t)print_val__eval(run->plan, &op->val, run->rec);
	uint32_t i;

	for (i = 0; i < op->b; i++) {
		const struct print_sym *sym = &run->plan->syms[op->a + i];

		if (sym->val == v) {
			put_sym(run, op, sym);
			return;
		}
	}
	put_0x(run->out, (uint64_t)v);
}

/* Returns the array at loc, and the number of bytes from there to the end of the record. */
static uint32_t bytes_from(const struct print_run *run, struct print_loc loc, const uint8_t **data)
{
	const struct print_rec *rec = run->rec;
	uint32_t end = rec->size;

	print_span(rec, loc, data);
	if (!loc.dynamic && end < (uint32_t)loc.off + loc.size)
		end = (uint32_t)loc.off + loc.size;
	return end - (uint32_t)(*data - rec->data);
}

static void put_hex_bytes(const struct print_run *run, const struct print_op *op)
{
	const uint8_t *data;
	uint32_t left = bytes_from(run, op->loc, &data);
	uint32_t n = (uint32_t)print_val__eval(run->plan, &op->val, run->rec);

	print_net__hex(run->out, data, n < left ? n : left, op->conv);
}

static void put_array(const struct print_run *run, const struct print_op *op)
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
			strbuf__put_u64(run->out, number__read(data, size));
		} else {
			strbuf__printf(run->out, "BAD SIZE:%d 0x%x", (int)size, *data);
			/* libtraceevent falls back to bytes. */
			size = 1;
			good = true;
		}
		data += step;
		left -= step;
	}
}

static void put_raw_buf(const struct print_run *run, const struct print_op *op)
{
	const uint8_t *data;
	uint32_t len = print_span(run->rec, op->loc, &data);
	int want = (int)print_val__eval(run->plan, &op->val, run->rec);

	if (want > 0)
		print_net__hex(run->out, data, (uint32_t)want < len ? (uint32_t)want : len,
			       op->conv);
}

/* Bit sets are first made as text, since width and precision apply to the text. */
static void put_bits(const struct print_run *run, const struct print_op *op)
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
		print_put__text(run, &run->plan->specs[op->spec], strbuf__cstr(&text), text.len);
	strbuf__free(&text);
}

static void put_func(const struct print_run *run, const struct print_op *op)
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

static void put_string_addr(const struct print_run *run, const struct print_op *op)
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

/* Puts a field by its type alone; op->a has libtraceevent's flags of the field. */
static void put_field_raw(const struct print_run *run, const struct print_op *op)
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
		    ? number__read(run->rec->data + loc.off, loc.size)
		    : 0;
	if (op->a & TEP_FIELD_IS_POINTER) {
		put_0x(run->out, v);
	} else if (op->a & TEP_FIELD_IS_SIGNED) {
		if (loc.size == 4 && op->a & TEP_FIELD_IS_LONG)
			put_0x(run->out, v);
		else if (loc.size == 2)
			strbuf__printf(run->out, "%2d", (short)v);
		else
			strbuf__put_s64(run->out,
					(int64_t)print_put__truncated(v, loc.size * 8u, true));
	} else if (op->a & TEP_FIELD_IS_LONG) {
		put_0x(run->out, v);
	} else {
		strbuf__put_u64(run->out, v);
	}
}

static void put_float(const struct print_run *run, const struct print_op *op)
{
	uint64_t bits = print_val__eval(run->plan, &op->val, run->rec);
	uint32_t low = (uint32_t)bits;
	double wide;
	float narrow;

	memcpy(&wide, &bits, sizeof(wide));
	memcpy(&narrow, &low, sizeof(narrow));
	if (op->a == 64)
		strbuf__printf(run->out, "%.17g", wide);
	else
		strbuf__printf(run->out, "%.9g", (double)narrow);
}

void print_op__run(const struct print_run *run, const struct print_op *op)
{
	const uint8_t *data = run->rec->data + op->loc.off;
	uint64_t v;
	uint32_t len;

	switch ((enum print_op_kind)op->kind) {
	case PRINT_NUM:
		if (op->conv == 'c')
			put_char(run, op);
		else
			print_put__number(run, op);
		break;
	case PRINT_FLOAT:
		put_float(run, op);
		break;
	case PRINT_STR_LIT:
		print_put__text(run, &run->plan->specs[op->spec], run->plan->pool + op->a, op->b);
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
		/* Formatted like %p of glibc. */
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
