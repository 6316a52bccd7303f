/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The code of a job, as libipt reads it. */
#ifndef BPFPERF_PTDEC_IMAGE_H
#define BPFPERF_PTDEC_IMAGE_H

#include <stdint.h>

#include <intel-pt.h>

#include "tracedec/job.h"

/* Maps all images, and sets job.isids: no file is opened afterwards. 0 or -ENOMEM. */
int images__open(struct job *j);
/* The image of a space; NULL: no memory. */
struct pt_image *images__get(struct job *j, uint32_t space);

#endif
