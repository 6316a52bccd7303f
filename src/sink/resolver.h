/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_SINK_RESOLVER_H
#define BPFPERF_SINK_RESOLVER_H

struct printer;
struct sym;

/*
 * Returns a printer for records of this machine; it names kernel functions by sym, which may be
 * NULL. NULL and errno.
 */
struct printer *resolver__new_printer(struct sym *sym);
/*
 * Returns a printer for records of a recording with the constant strings printk_formats (NULL:
 * unknown). NULL and errno.
 */
struct printer *resolver__new_recorded_printer(struct sym *sym, const char *printk_formats);

#endif
