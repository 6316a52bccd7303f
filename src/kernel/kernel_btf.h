/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The kernel types against which BPF objects are relocated when they are loaded. */
#ifndef BPFPERF_KERNEL_KERNEL_BTF_H
#define BPFPERF_KERNEL_KERNEL_BTF_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_link;
struct bpf_object;
struct bpf_program;

/*
 * Takes the types from a file from now on (--btf): BTF, raw or in an ELF file, of the running
 * kernel. 0, or -EINVAL after one sentence. `path` is kept by reference.
 */
int kernel_btf__use(const char *path);
/* Are any types available: the kernel's own, or those of a file? */
bool kernel_btf__have_types(void);
/* Returns the path given, or NULL. */
const char *kernel_btf__file(void);

/*
 * Returns the path to open BPF objects with (bpf_object_open_opts.btf_custom_path), which must be
 * followed by kernel_btf__prepare(). It is the file of --btf, or one in memory for the kernel's own
 * types. If there are neither these (FEATURE_BTF) nor a file of --btf, it is a file without types,
 * which serves the programs that need none: without it libbpf loads no object that contains
 * programs which need types, even if they are not loaded. NULL: libbpf finds the kernel's own
 * types; where this user may not list the types of modules, it is the file of the kernel's own
 * types instead.
 */
const char *kernel_btf__path(void);
/*
 * Puts the types that an object refers to into the file it was opened with, between open and load.
 * NULL: libbpf could not open the object, and errno is as libbpf left it. 0 or -errno (logged).
 */
int kernel_btf__prepare(const struct bpf_object *obj);
/*
 * Attaches a loaded program. In place of bpf_program__attach() and of the skeleton's attach, since
 * libbpf does not know how to attach programs that kernel_btf.c prepares. NULL and errno.
 */
struct bpf_link *kernel_btf__attach(const struct bpf_program *prog);
/*
 * Returns the id of the prototype of a tracepoint's programs (its attach_btf_id) in the kernel's
 * own types; 0: there is none.
 */
uint32_t kernel_btf__tracepoint_id(const char *name);
/* Variant for the programs of an iterator (5.8), for example "task". */
uint32_t kernel_btf__iter_id(const char *name);
/* Ids of functions of the kernel that programs may call; 0: there is none of that name. */
struct kernel_btf_functions {
	uint32_t preempt_disable, preempt_enable, res_spin_lock, session_is_return, session_cookie;
};
/* Static storage; the types are looked through once. */
const struct kernel_btf_functions *kernel_btf__functions(void);

#endif
