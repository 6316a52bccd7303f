/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A report as a tree, in the lines of `perf report --hierarchy --stdio`. */
#ifndef BPFPERF_SINK_HIST_HIERARCHY_H
#define BPFPERF_SINK_HIST_HIERARCHY_H

struct hist_table;
struct strbuf;

/* Puts the names of the columns, and the dots below them. */
void hist_hierarchy__put_headings(const struct hist_table *t, struct strbuf *out);
/* Prints the lines with their callchains. 0 or -errno. */
int hist_hierarchy__print(struct hist_table *t);

#endif
