// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/bpf_error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "kernel/features.h"
#include "kernel/limits.h"
#include "util/log.h"

void bpf_error__explain(const char *what, int err)
{
	if (err == -EPERM || err == -EACCES) {
		if (geteuid() != 0)
			log_error("cannot %s: not allowed; run as root, or with CAP_BPF and "
				  "CAP_PERFMON",
				  what);
		else
			log_error("cannot %s: not allowed, although root; in a container, give "
				  "it CAP_BPF, CAP_PERFMON and CAP_SYS_RESOURCE, and see "
				  "`ulimit -l` and kernel lockdown",
				  what);
		return;
	}
	if ((err == -ESRCH || err == -ENOENT || err == -EINVAL) && !feature__have(FEATURE_BTF)) {
		log_error("cannot %s: this kernel has no BTF (/sys/kernel/btf/vmlinux); use one "
			  "built with CONFIG_DEBUG_INFO_BTF=y",
			  what);
		return;
	}
	if (err == -EMFILE) {
		log_error("cannot %s: too many open files; raise `ulimit -n`", what);
		return;
	}
	if (err == -EFAULT) {
		log_error("cannot %s: their memory cannot be mapped; free some memory, raise "
			  "`ulimit -l -v`, and let seccomp pass bpf(2) and mmap(2)",
			  what);
		return;
	}
	log_error("cannot %s: %s; -vv shows the kernel's messages", what, strerror(-err));
}

int bpf_error__check_mapped(const void *rodata, const void *bss)
{
	return rodata && bss ? 0 : -EFAULT;
}

static int print_libbpf(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (log__verbosity() < 2)
		return 0;
	return vfprintf(stderr, fmt, ap);
}

void bpf_error__init(void)
{
	libbpf_set_print(print_libbpf);
	/* If that is not allowed, the limit may still suffice; loading reports if not. */
	limits__raise_locked();
}
