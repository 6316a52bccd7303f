// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpfperf-itrace: decodes the bytes of Intel PT with libipt, which bpfperf is free of. The bytes
 * and the code are of others: once all files are mapped, the process keeps no privilege and no way
 * to open one (reader/sandbox.h).
 */
#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ptdec/answer.h"
#include "ptdec/flow.h"
#include "ptdec/job.h"
#include "reader/sandbox.h"

static int give_up_privileges(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };
	const struct rlimit no_file = { 0, 0 };
	unsigned long cap;
	int err;

	for (cap = 0; !prctl(PR_CAPBSET_DROP, cap, 0, 0, 0); cap++)
		;
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	syscall(SYS_capset, &head, none);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	setrlimit(RLIMIT_FSIZE, &no_file);
	setrlimit(RLIMIT_CORE, &no_file);
	err = sandbox__limit_calls();
	/* A kernel without filters: what is above holds all the same. */
	return err == -EINVAL || err == -ENOSYS ? 0 : err;
}

/* Decodes every step-th chunk, from the one with this number on. */
static int decode(struct job *job, struct answer *answer, uint32_t from, uint32_t step)
{
	struct flow *flow = flow__new(job, answer);
	uint64_t i;
	int err = flow ? 0 : -ENOMEM;

	for (i = from; !err && i < job->head.chunk_cnt; i += step)
		err = flow__chunk(flow, (uint32_t)i);
	if (!err)
		answer__finish(answer);
	return err;
}

int main(int argc, char **argv)
{
	static struct job job;
	static struct answer answer;
	struct pt_version v = pt_library_version();
	uint32_t step;

	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("bpfperf-itrace %s, libipt %u.%u.%u\n", BPFPERF_VERSION, v.major, v.minor,
		       v.build);
		return fflush(stdout) ? 1 : 0;
	}
	if (argc != 3) {
		fprintf(stderr, "bpfperf-itrace: started by `bpfperf script --itrace`; it has no "
				"use of its own\n");
		return 2;
	}
	/* Ends with bpfperf, by the socket or by this. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_IGN);
	step = (uint32_t)strtoul(argv[2], NULL, 10);
	if (!step || job__open(&job) || give_up_privileges())
		return 1;
	answer.fd = ITRACE_ANSWER_FD;
	answer.max_sz = job.head.answer_max_sz;
	return decode(&job, &answer, (uint32_t)strtoul(argv[1], NULL, 10), step) ? 1 : 0;
}
