/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The fields of every record that has fixed ones, as a table: what brings
 * records of the other byte order into this machine's, and what `script
 * --dump` prints them by. Samples have no fixed fields; they are not in it.
 */
#ifndef BPFPERF_DATA_RECORD_LAYOUT_H
#define BPFPERF_DATA_RECORD_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

enum record_field_kind {
	FIELD_DEC = 'd',
	FIELD_SIGNED = 'i',
	FIELD_HEX = 'x',
	FIELD_BYTES = 'b', /* in no order; sz of them */
	FIELD_TEXT = 's', /* to its NUL, and padded to 8 */
};

struct record_field {
	const char *name; /* NULL ends the table */
	char kind; /* enum record_field_kind */
	uint8_t sz; /* bytes; FIELD_TEXT: 0 */
};

/* "PERF_RECORD_MMAP2", also of perf's own records; NULL: unknown. */
const char *record_layout__name(uint32_t type);
/*
 * The fields behind the header, ended by one without a name; NULL: no fixed ones. misc as in the
 * header.
 */
const struct record_field *record_layout__fields(uint32_t type, uint16_t misc);
/*
 * The trailer of sample_id_all begins here at the latest: bytes from the
 * record's start to the end of its own fields. The header is in this machine's order.
 */
size_t record_layout__body_end(const struct perf_event_header *hdr);
/*
 * The bytes of a record that the kernel has written, with a trailer of so many. Where several
 * recorders are told of the same KSYMBOL or BPF_EVENT, it adds each one's trailer to the size that
 * the next one's record begins with (perf_event_ksymbol_output(), 5.0 to 6.18 at least), and leaves
 * what is behind as it was.
 */
size_t record_layout__size(const struct perf_event_header *hdr, size_t trailer_sz);
/*
 * Brings the fields behind the header into this machine's order; those that are not (all) there are
 * left.
 */
void record_layout__swap(struct perf_event_header *hdr);

#endif
