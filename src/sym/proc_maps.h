/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Parses /proc/PID/maps. */
#ifndef BPFPERF_SYM_PROC_MAPS_H
#define BPFPERF_SYM_PROC_MAPS_H

#include "sym/sym.h"

/*
 * Parses one line without its newline; the line is modified: the path is unescaped in place and
 * becomes map->path. true for an executable mapping; map->time_ns is 0.
 */
bool proc_maps__parse(char *line, struct sym_map *map);
/* Calls fn for each executable mapping of the process. 0 or -errno. */
int proc_maps__read(int32_t pid, void (*fn)(void *ctx, const struct sym_map *map), void *ctx);

#endif
