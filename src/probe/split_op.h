/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The request that hands a reader the .dwo files which it asked for (probe/find_op.h). */
#ifndef BPFPERF_PROBE_SPLIT_OP_H
#define BPFPERF_PROBE_SPLIT_OP_H

#include "probe/code_file.h"
#include "reader/reader.h"

/* The request is a struct code_file_set, then an array of struct split_given; no answer. */
extern const struct reader_op split_op;

#endif
