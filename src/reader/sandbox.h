/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Privileges of the host and of readers: given up for good. */
#ifndef BPFPERF_READER_SANDBOX_H
#define BPFPERF_READER_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * For the host: keeps no descriptor but `sock`, which becomes descriptor 3, no capability, no root
 * directory where that is possible, no terminal, and no signal but SIGKILL.
 */
void sandbox__enter_host(int sock);
/*
 * For a reader, which has descriptors 0 to 3 alone: limits of memory, address space (bytes) and CPU
 * time, then a list of system calls; all others fail with EPERM. 0 or -errno: it must not read.
 */
int sandbox__enter_reader(uint64_t mem_max, uint64_t map_max);
/* Gives up all capabilities, and those that an exec could gain. */
void sandbox__drop_capabilities(void);
/* Lowers a limit of setrlimit(2) to `max`, if it is higher, for good. 0 or -errno. */
int sandbox__limit(int resource, uint64_t max);
/*
 * Installs the list alone. 0 or -errno. A process that is not of this architecture's system calls
 * is killed.
 */
int sandbox__limit_calls(void);
/* Is the system call on the list, with some arguments at least? For tests. */
bool sandbox__allows(uint32_t nr);

#endif
