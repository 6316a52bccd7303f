/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The text of a tracepoint record, as its `print fmt` says: what
 * tep_print_event(…, "%s", TEP_PRINT_INFO) of libtraceevent, and so `perf
 * script`, print for it. libtraceevent parses each print format once, on the
 * first record of its event; from there on a compiled plan does the work.
 *
 * Where it differs from libtraceevent 1.7.1, on purpose:
 * - text of fields has its control characters escaped; a newline of the print
 *   format is dropped at the end of the line and escaped inside it;
 * - %*pb, %*pbl and the operator ^ do what they do in the kernel ("(nil)bl" and 0 otherwise);
 * - %c and the + flag print what they mean (1.7.3 does, too; before that they
 *   put a ">c<" into the text and shift the arguments by one);
 * - formats with sizeof(u64) are printed (1.8.4 can, too), and those of arm64 with
 *   sizeof(struct page), not given up as "[FAILED TO PARSE]";
 * - nothing outside the record is ever read: what lies behind its end is 0.
 */
#ifndef BPFPERF_DECODE_PRINT_H
#define BPFPERF_DECODE_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/tp_format.h"
#include "util/strbuf.h"

struct printer;

/* NULL and errno ENOMEM. */
struct printer *printer__new(void);
void printer__free(struct printer *pr);

/*
 * Names kernel addresses for %ps, %pS and the like: returns the function's name
 * (valid until the next call) and the bytes into it, or NULL. Without a resolver,
 * and for unknown addresses, they are printed as 0x….
 */
void printer__set_resolver(struct printer *pr,
			   const char *(*resolve)(void *ctx, uint64_t addr, uint64_t *off),
			   void *ctx);

/*
 * Formats come from anywhere: each is tried in a child first, as libtraceevent does not survive
 * all that is no format, and no record is handed to it. What has no compiled plan is printed field
 * by field, as name=value. Before the first record.
 */
void printer__set_untrusted(struct printer *pr);

/*
 * The kernel's constant strings, whose addresses some events carry for %s, in the
 * form of tracefs's printk_formats (0xADDR : "TEXT"): as text, of a recording, or
 * as a file that is read when the first such address is printed. Without either
 * the address is printed. Both may be called once. -ENOMEM.
 */
int printer__add_strings(struct printer *pr, const char *printk_formats);
int printer__set_strings_file(struct printer *pr, const char *path);

/*
 * Appends the text of one record. `raw` may be longer than the record (the
 * padding of perf's raw data) and may be short or corrupt: what is missing
 * prints as 0 or as nothing. fmt must live as long as the printer, its id be
 * unique. 0 or -ENOMEM.
 */
int printer__print(struct printer *pr, const struct tp_format *fmt, const void *raw,
		   uint32_t raw_sz, struct strbuf *out);

/*
 * Whether the event's records are printed by a compiled plan (which is made now
 * where there is none yet), not by libtraceevent record by record.
 */
bool printer__is_compiled(struct printer *pr, const struct tp_format *fmt);
/* Why not; NULL where it is compiled. */
const char *printer__why_not_compiled(struct printer *pr, const struct tp_format *fmt);

#endif
