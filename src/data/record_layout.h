/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Table of the fields of each record type that has fixed ones: it is used to convert records of the
 * other byte order into this machine's, and to print them with `script --dump`. Samples have no
 * fixed fields and are not in it.
 */
#ifndef BPFPERF_DATA_RECORD_LAYOUT_H
#define BPFPERF_DATA_RECORD_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#define RECORD_CALLCHAIN_DEFERRED 22 /* PERF_RECORD_CALLCHAIN_DEFERRED, from 6.19 */

enum record_field_kind {
	FIELD_DEC = 'd',
	FIELD_SIGNED = 'i',
	FIELD_HEX = 'x',
	FIELD_BYTES = 'b', /* without byte order; sz bytes */
	FIELD_TEXT = 's', /* up to its NUL, padded to 8 bytes */
};

struct record_field {
	const char *name; /* NULL ends the table */
	char kind; /* enum record_field_kind */
	uint8_t sz; /* bytes; FIELD_TEXT: 0 */
};

/* "PERF_RECORD_MMAP2", also for perf's own records; NULL: unknown. */
const char *record_layout__name(uint32_t type);
/*
 * The fields after the header, ended by one without a name; NULL: no fixed fields. misc is that of
 * the header.
 */
const struct record_field *record_layout__fields(uint32_t type, uint16_t misc);
/*
 * Latest offset at which the sample_id_all trailer can begin: bytes from the record's start to the
 * end of its own fields. The header is in this machine's byte order.
 */
size_t record_layout__body_end(const struct perf_event_header *hdr);
/*
 * Size of a record as the kernel has written it, with a trailer of the given size. If several
 * recorders receive the same KSYMBOL or BPF_EVENT, the kernel adds each one's trailer to the size
 * that the next one's record begins with (perf_event_ksymbol_output(), 5.0 to 6.18 at least), and
 * leaves the extra bytes uninitialized.
 */
size_t record_layout__size(const struct perf_event_header *hdr, size_t trailer_sz);
/*
 * Converts the fields after the header to this machine's byte order; missing or incomplete fields
 * are skipped.
 */
void record_layout__swap(struct perf_event_header *hdr);

#endif
