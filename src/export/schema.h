/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_EXPORT_SCHEMA_H
#define BPFPERF_EXPORT_SCHEMA_H

struct strbuf;

/* Appends the tables for rows in ClickHouse, for one node and for a cluster, and queries; SQL. */
void schema__put(struct strbuf *sb);

#endif
