/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Parsers of record's option arguments: each returns 0, or -EINVAL, logged. opts: a struct
 * record_opts.
 */
#ifndef BPFPERF_CMD_RECORD_PARSE_H
#define BPFPERF_CMD_RECORD_PARSE_H

int record_parse__freq(void *opts, const char *arg); /* 999, max */
int record_parse__call_graph(void *opts, const char *arg); /* fp, dwarf, dwarf,16384, lbr */
int record_parse__delay(void *opts, const char *arg);
int record_parse__mmap(void *opts, const char *arg); /* 128, 4M, 128,1024, ,4M */
int record_parse__zstd(void *opts, const char *arg); /* NULL, 1 to 22 */
int record_parse__max_size(void *opts, const char *arg); /* 100M */
int record_parse__switch(void *opts, const char *arg); /* NULL, signal, 10M, 30s */
int record_parse__snapshot(void *opts, const char *arg); /* NULL, bytes, a letter e */
int record_parse__branches(void *opts, const char *arg); /* any_call,u */
int record_parse__clock(void *opts, const char *arg); /* mono, CLOCK_MONOTONIC */

#endif
