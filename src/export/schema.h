/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_EXPORT_SCHEMA_H
#define BPFPERF_EXPORT_SCHEMA_H

/* The tables for rows in ClickHouse, for one node and for a cluster, and queries; SQL. */
extern const char schema__clickhouse[];

#endif
