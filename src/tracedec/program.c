// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "tracedec/program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "reader/sandbox.h"

/* CPU time, and bytes of trace that surely take less than a second more. */
#define CPU_MIN_S 900
#define BYTES_EACH_S (64u << 10)
/* Memory beside that for the code and a chunk. */
#define MEM_MIN (1ull << 30)

/* Far more than decoding takes: it ends a process that packets or code have led astray. */
static int limit_resources(const struct job *job, uint32_t from, uint32_t step)
{
	uint64_t cpu_s = 0, mem = 0, i;
	int err;

	for (i = from; i < job->head.chunk_cnt; i += step) {
		cpu_s += job->chunks[i].sz;
		if (job->chunks[i].sz > mem)
			mem = job->chunks[i].sz;
	}
	cpu_s = CPU_MIN_S + cpu_s / BYTES_EACH_S;
	mem += MEM_MIN + job->head.section_cnt * 256ull;
	/* Caches: libipt keeps 8 bytes for each byte of code. */
	for (i = 0; i < job->head.section_cnt; i++)
		mem += job->sections[i].sz < UINT32_MAX ? 16 * job->sections[i].sz : 0;
	err = sandbox__limit(RLIMIT_CPU, cpu_s);
	if (!err)
		err = sandbox__limit(RLIMIT_FSIZE, 0);
	if (!err)
		err = sandbox__limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__
	/* The sanitizer itself needs far more memory. */
	if (!err)
		err = sandbox__limit(RLIMIT_DATA, mem);
#endif
	return err;
}

static int give_up_privileges(void)
{
	int err;

	sandbox__drop_capabilities();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	err = sandbox__limit_calls();
	/* A kernel without filters: what is above holds all the same. */
	return err == -EINVAL || err == -ENOSYS ? 0 : err;
}

int program__run(const struct decoder_program *p, int argc, char **argv)
{
	static struct job job;
	static struct answer answer;
	uint32_t from, step;

	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("%s %s, %s\n", p->name, BPFPERF_VERSION, p->library);
		return fflush(stdout) ? 1 : 0;
	}
	if (argc != 4) {
		fprintf(stderr,
			"%s: started by `bpfperf script --itrace`; it has no use of its own\n",
			p->name);
		return 2;
	}
	if (strcmp(argv[3], BPFPERF_VERSION))
		return ITRACE_OTHER_VERSION;
	/* Ends with bpfperf, by the socket or by this. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_IGN);
	from = (uint32_t)strtoul(argv[1], NULL, 10);
	step = (uint32_t)strtoul(argv[2], NULL, 10);
	if (!step || job__open(&job) || p->open(&job) || limit_resources(&job, from, step) ||
	    give_up_privileges() ||
	    answer__init(&answer, ITRACE_WAKE_FD, ITRACE_RING_FD, job.head.ring_sz))
		return ITRACE_CANNOT_START;
	return p->decode(&job, &answer, from, step) ? 1 : 0;
}
