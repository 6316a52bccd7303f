/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What will be known of a recording by whoever reads its profile: of what, where, when, how often. */
#ifndef BPFPERF_CMD_STACK_META_H
#define BPFPERF_CMD_STACK_META_H

#include <sys/utsname.h>

#include "util/strbuf.h"

struct stack_opts;

/* Zeroed: nothing. The texts that o->profile.meta points to. */
struct stack_meta {
	struct strbuf command; /* CMD */
	struct utsname uts;
};

/* Into o->profile.meta, which needs `m` from then on. argv: CMD, ended by NULL; may be empty. */
void stack_meta__begin(struct stack_meta *m, struct stack_opts *o, char **argv);
void stack_meta__free(struct stack_meta *m);

#endif
