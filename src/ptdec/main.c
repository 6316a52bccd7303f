// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpfperf-itrace: decodes the bytes of Intel PT with libipt, which bpfperf is free of. */
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>

#include "ptdec/flow.h"
#include "ptdec/image.h"
#include "tracedec/program.h"

/* libipt calls itself for each of up to 65,535 instructions of a block that direct jumps join. */
#define STACK_MAX (64ul << 20)

static void raise_stack(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_STACK, &lim) || lim.rlim_cur >= STACK_MAX)
		return;
	lim.rlim_cur = lim.rlim_max < STACK_MAX ? lim.rlim_max : STACK_MAX;
	setrlimit(RLIMIT_STACK, &lim);
}

static int open_job(struct job *job)
{
	raise_stack();
	return images__open(job);
}

static int decode(struct job *job, struct answer *answer, uint32_t from, uint32_t step)
{
	struct flow *flow = flow__new(job, answer);
	uint64_t i;
	int err = flow ? 0 : -ENOMEM;

	for (i = from; !err && i < job->head.chunk_cnt; i += step)
		err = flow__chunk(flow, (uint32_t)i);
	return err;
}

int main(int argc, char **argv)
{
	struct pt_version v = pt_library_version();
	char library[64];

	snprintf(library, sizeof(library), "libipt %u.%u.%u", v.major, v.minor, v.build);
	return program__run(
		&(struct decoder_program){ "bpfperf-itrace", library, open_job, decode }, argc,
		argv);
}
