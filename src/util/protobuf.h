/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writes protocol buffer messages (proto3 encoding): a message is a strbuf to which fields are
 * appended. Fields with value 0 are omitted, as in proto3.
 */
#ifndef BPFPERF_UTIL_PROTOBUF_H
#define BPFPERF_UTIL_PROTOBUF_H

#include <stdint.h>

#include "util/strbuf.h"

/* A varint without a field's tag: an element of a packed field. */
void protobuf__put_varint(struct strbuf *sb, uint64_t v);
/* int64, uint64, bool, enum. */
void protobuf__put_u64(struct strbuf *sb, uint32_t field, uint64_t v);
/* fixed64; written even if it is 0. */
void protobuf__put_fixed64(struct strbuf *sb, uint32_t field, uint64_t v);
/* string, bytes, a message, a packed field; written even if empty. */
void protobuf__put_bytes(struct strbuf *sb, uint32_t field, const void *data, size_t len);

#endif
