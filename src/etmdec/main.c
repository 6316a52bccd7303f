// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpfperf-etm: decodes the bytes of CoreSight with libopencsd, which bpfperf is free of. */
#include <errno.h>
#include <stdio.h>

#include <opencsd/c_api/opencsd_c_api.h>

#include "etmdec/flow.h"
#include "tracedec/pokes.h"
#include "tracedec/program.h"

/* An id for each section, and its code. */
static int open_job(struct job *job)
{
	uint32_t i;

	for (i = 0; i < job->head.section_cnt; i++) {
		job->isids[i] = job->sections[i].image < job->head.image_cnt ? (int)i + 1 : -1;
		if (job->isids[i] > 0)
			job__map_code(job, i, job->isids[i]);
	}
	pokes__begin(job);
	return 0;
}

static int decode(struct job *job, struct answer *answer, uint32_t from, uint32_t step)
{
	struct etm_flow *flow = etm_flow__new(job, answer);
	uint64_t i;
	int err = flow ? 0 : -ENOMEM;

	for (i = from; !err && i < job->head.chunk_cnt; i += step)
		err = etm_flow__chunk(flow, (uint32_t)i);
	return err;
}

int main(int argc, char **argv)
{
	char library[64];

	snprintf(library, sizeof(library), "libopencsd %s", ocsd_get_version_str());
	return program__run(&(struct decoder_program){ "bpfperf-etm", library, open_job, decode },
			    argc, argv);
}
