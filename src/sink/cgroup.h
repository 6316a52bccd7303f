/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names in the paths of control groups. */
#ifndef BPFPERF_SINK_CGROUP_H
#define BPFPERF_SINK_CGROUP_H

#include "util/strbuf.h"

/* Appends the id of a container, 64 hexadecimal digits; nothing if there is none. */
void cgroup__put_container(struct strbuf *sb, const char *path);
/* Appends the name of a unit of systemd that is a service, without ".service"; or nothing. */
void cgroup__put_service(struct strbuf *sb, const char *path);

#endif
