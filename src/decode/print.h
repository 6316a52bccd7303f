/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Prints a tracepoint record by its `print fmt`: the text is that of libtraceevent's
 * tep_print_event(…, "%s", TEP_PRINT_INFO), and so of `perf script`. libtraceevent parses each
 * print format once, at the first record of its event, in a reader (decode/print_ask.h); the plan
 * that the reader answers prints the records. Without a plan they are printed field by field, as
 * name=value.
 *
 * Intended differences from libtraceevent 1.7.1:
 * - text of fields has its control characters escaped; a newline of the print
 *   format is dropped at the end of the line and escaped inside it;
 * - %*pb, %*pbl and the operator ^ do what they do in the kernel ("(nil)bl" and 0 otherwise);
 * - %c and the + flag print what they mean (1.7.3 does, too; before that they
 *   put a ">c<" into the text and shift the arguments by one);
 * - formats with sizeof(u64) are printed (1.8.4 can, too), and those of arm64 with
 *   sizeof(struct page), not given up as "[FAILED TO PARSE]";
 * - nothing outside the record is read: data behind its end is 0.
 */
#ifndef BPFPERF_DECODE_PRINT_H
#define BPFPERF_DECODE_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/tp_format.h"
#include "util/strbuf.h"

struct printer;

/* Returns an empty printer. NULL with errno ENOMEM. */
struct printer *printer__new(void);
void printer__free(struct printer *pr);

/*
 * Names kernel addresses for %ps, %pS and the like: resolve returns the function's name (valid
 * until the next call) and the offset into it, or NULL. Without a resolver, and for unknown
 * addresses, 0x… is printed.
 */
void printer__set_resolver(struct printer *pr,
			   const char *(*resolve)(void *ctx, uint64_t addr, uint64_t *off),
			   void *ctx);

/*
 * Adds the kernel's constant strings, which some events reference by address for %s, in the form of
 * tracefs's printk_formats (0xADDR : "TEXT"): as the text of a recording, or as a file that is read
 * when the first such address is printed. Without strings the address is printed. Each may be
 * called once. 0 or -ENOMEM.
 */
int printer__add_strings(struct printer *pr, const char *printk_formats);
int printer__set_strings_file(struct printer *pr, const char *path);

/*
 * Appends the text of one record. `raw` may be longer than the record (perf pads raw data),
 * truncated or corrupt: missing data prints as 0 or as nothing. fmt must live as long as the
 * printer and have a unique id. 0 or -ENOMEM.
 */
int printer__print(struct printer *pr, const struct tp_format *fmt, const void *raw,
		   uint32_t raw_sz, struct strbuf *out);

/* Returns whether the event's records are printed by a plan, made now if there is none. */
bool printer__is_compiled(struct printer *pr, const struct tp_format *fmt);

#endif
