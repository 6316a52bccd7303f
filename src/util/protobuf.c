// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/protobuf.h"

#define WIRE_VARINT 0
#define WIRE_64 1
#define WIRE_LEN 2

void protobuf__put_varint(struct strbuf *sb, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		strbuf__putc(sb, (char)(v | 0x80));
	strbuf__putc(sb, (char)v);
}

void protobuf__put_u64(struct strbuf *sb, uint32_t field, uint64_t v)
{
	if (!v)
		return;
	protobuf__put_varint(sb, field << 3 | WIRE_VARINT);
	protobuf__put_varint(sb, v);
}

void protobuf__put_bytes(struct strbuf *sb, uint32_t field, const void *data, size_t len)
{
	protobuf__put_varint(sb, field << 3 | WIRE_LEN);
	protobuf__put_varint(sb, len);
	strbuf__add(sb, data, len);
}

void protobuf__put_fixed64(struct strbuf *sb, uint32_t field, uint64_t v)
{
	int i;

	protobuf__put_varint(sb, field << 3 | WIRE_64);
	for (i = 0; i < 64; i += 8)
		strbuf__putc(sb, (char)(v >> i));
}
