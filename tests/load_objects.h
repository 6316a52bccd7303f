/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The objects with all BPF programs, and the kernel's types, for the tests that load them. */
#ifndef BPFPERF_TESTS_LOAD_OBJECTS_H
#define BPFPERF_TESTS_LOAD_OBJECTS_H

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include <linux/types.h>

#include "count.skel.h"
#include "stack.skel.h"
#include "strace.skel.h"
#include "trace.skel.h"

#include "tap.h"

#define LOAD_OBJECT_CNT 4

struct load_object {
	const char *name;
	const void *elf;
	size_t sz;
};

static struct load_object load_objects[LOAD_OBJECT_CNT] = {
	{ .name = "trace" }, { .name = "stack" }, { .name = "strace" }, { .name = "count" }
};
static struct btf *kernel_btf;

static inline int load_objects__no_log(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	return 0;
}

/*
 * Is the program one for kernels without bpf_loop() (5.17), or for those with it, and this kernel
 * one of the others? The kernel refuses a program that refers to a loop's function before 5.17.
 */
static inline bool load_objects__is_for_others(const struct bpf_program *prog)
{
	static const char *const loops[] = { "strace_enter", "strace_exit", "strace_classic_enter",
					     "strace_classic_exit" };
	const char *name = bpf_program__name(prog), *session = strstr(name, "_session");
	bool is_old = !strncmp(name, "strace_old_", 11), is_loop = false;
	size_t i;

	for (i = 0; i < sizeof(loops) / sizeof(loops[0]); i++)
		is_loop |= !strcmp(name, loops[i]);
	/* Programs of sessions call functions of the kernel that the loader finds (6.10). */
	if (session && !strcmp(session, "_session"))
		return true;
	if (!is_old && !is_loop)
		return false;
	return is_old ==
	       (libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_FUNC_loop, NULL) == 1);
}

/* Skips the test where nothing can be loaded, and silences libbpf. */
static inline void load_objects__begin(void)
{
	if (geteuid())
		skip_all("needs root");
	kernel_btf = btf__load_vmlinux_btf();
	if (!kernel_btf)
		skip_all("the kernel has no BTF");
	libbpf_set_print(load_objects__no_log);
	load_objects[0].elf = trace_bpf__elf_bytes(&load_objects[0].sz);
	load_objects[1].elf = stack_bpf__elf_bytes(&load_objects[1].sz);
	load_objects[2].elf = strace_bpf__elf_bytes(&load_objects[2].sz);
	load_objects[3].elf = count_bpf__elf_bytes(&load_objects[3].sz);
}

#endif
