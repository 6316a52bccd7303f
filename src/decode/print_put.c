// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_put.h"

/* Width and precision of a conversion, with the star evaluated. */
struct layout {
	uint32_t width;
	int64_t prec; /* -1: none */
	bool left, zero;
};

/* Records are shorter: prevents a corrupt star value from filling the memory. */
#define STAR_MAX 65535

static struct layout layout_of(const struct print_run *run, const struct print_spec *spec)
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
		/* Like in C: a negative width sets the - flag. */
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

uint64_t print_put__truncated(uint64_t v, unsigned int bits, bool is_signed)
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

/* Writes the digits of v in `base`, ending at `end`; none for 0. Returns the first. */
static char *put_digits(char *end, uint64_t v, unsigned int base, bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	for (; v; v /= base)
		*--end = digits[v % base];
	return end;
}

void print_put__number(const struct print_run *run, const struct print_op *op)
{
	const struct print_spec *spec = &run->plan->specs[op->spec];
	struct layout lay = layout_of(run, spec);
	bool is_signed = spec->conv == 'd' || spec->conv == 'i';
	uint64_t v = print_val__eval(run->plan, &op->val, run->rec);
	unsigned int base = 10, prefix_len = 0;
	char tmp[24], *end = tmp + sizeof(tmp), *p, prefix[2];
	uint32_t digits, zeros = 0, total;

	v = print_put__truncated(v, spec->bits, is_signed);
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

void print_put__text(const struct print_run *run, const struct print_spec *spec, const char *text,
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
