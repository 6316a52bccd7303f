// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/batches.h"

#include <errno.h>

#include <linux/types.h>
#include <linux/bpf.h>
#include <bpf/bpf.h>

#include "bpf/wire.h"

#define READ(member) __atomic_load_n(&(member), __ATOMIC_ACQUIRE)

int batches__flush(const struct batches *b, uint32_t cpu)
{
	return b->cpus && READ(b->cpus[cpu].used) ? batches__visit(b, cpu) : 0;
}

int batches__visit(const struct batches *b, uint32_t cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = cpu);

	if (!b->cpus)
		return 0;
	if (bpf_prog_test_run_opts(b->flush_fd, &opts))
		return -errno;
	return opts.retval == WIRE_FLUSHED ? 0 : -EBUSY;
}

int batches__rest(const struct batches *b, uint32_t cpu, const void **recs, size_t *sz)
{
	const struct wire_cpu *c;

	*sz = 0;
	if (!b->cpus)
		return 1;
	c = &b->cpus[cpu];
	if (READ(c->level))
		return 0;
	*recs = c->batch;
	*sz = READ(c->used);
	if (*sz > sizeof(c->batch))
		*sz = sizeof(c->batch);
	return 1;
}

bool batches__is_quiet(const struct batches *b, uint32_t cpu)
{
	return !b->cpus || !READ(b->cpus[cpu].level);
}

void batches__clear(const struct batches *b, uint32_t cpu)
{
	struct wire_cpu *c = &b->cpus[cpu];

	c->produced[0] += c->cnt;
	c->cnt = 0;
	c->used = 0;
}
