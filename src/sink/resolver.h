/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_SINK_RESOLVER_H
#define BPFPERF_SINK_RESOLVER_H

struct printer;
struct sym;

/* A printer of this machine's records: names kernel functions by sym (may be NULL). NULL and errno. */
struct printer *resolver__new_printer(struct sym *sym);
/* One of a recording's: its constant strings are printk_formats (NULL: none are known). NULL and errno. */
struct printer *resolver__new_recorded_printer(struct sym *sym, const char *printk_formats);

#endif
