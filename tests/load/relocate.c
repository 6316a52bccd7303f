// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Programs that are relocated against a part of the kernel's types are the programs that libbpf
 * makes of all types, instruction by instruction; and the kernel loads them.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <unistd.h>

#include <linux/types.h>

#include "kernel/kernel_btf.h"

#include "load_objects.h"

/* Is it a program of this kernel? One that may sleep is only for kernels from 7.2 on. */
static bool is_for_this_kernel(const struct bpf_program *prog)
{
	const char *sec = bpf_program__section_name(prog);
	char name[128];

	if (!strncmp(bpf_program__name(prog), "bring_", 6) || load_objects__is_for_others(prog))
		return false;
	if (strncmp(sec, "tp_btf/", 7) != 0)
		return true;
	snprintf(name, sizeof(name), "btf_trace_%s", sec + 7);
	return btf__find_by_name_kind(kernel_btf, name, BTF_KIND_TYPEDEF) > 0;
}

static struct bpf_object *load(const char *name, const void *elf, size_t sz, bool by_part)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = name);
	struct bpf_program *prog;
	struct bpf_object *obj;

	if (by_part)
		opts.btf_custom_path = kernel_btf__path();
	obj = bpf_object__open_mem(elf, sz, &opts);
	if (!obj || (by_part && kernel_btf__prepare(obj)))
		goto fail;
	bpf_object__for_each_program (prog, obj)
		bpf_program__set_autoload(prog, is_for_this_kernel(prog));
	if (!bpf_object__load(obj))
		return obj;
fail:
	bpf_object__close(obj);
	return NULL;
}

/* A map's descriptor differs from run to run. */
static bool is_map(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW) && insn->src_reg;
}

static bool are_equal(const struct bpf_program *a, const struct bpf_program *b)
{
	size_t cnt = bpf_program__insn_cnt(a), i;

	if (bpf_program__insn_cnt(b) != cnt)
		return false;
	for (i = 0; i < cnt; i++) {
		struct bpf_insn x = bpf_program__insns(a)[i], y = bpf_program__insns(b)[i];

		if (is_map(&x) && is_map(&y))
			x.imm = y.imm;
		if (memcmp(&x, &y, sizeof(x)) != 0)
			return false;
	}
	return true;
}

static void compare(const char *name, struct bpf_object *whole, struct bpf_object *part)
{
	struct bpf_program *prog, *other;
	size_t cnt = 0, different = 0;

	bpf_object__for_each_program (prog, whole) {
		if (!bpf_program__autoload(prog))
			continue;
		other = bpf_object__find_program_by_name(part, bpf_program__name(prog));
		cnt++;
		if (other && are_equal(prog, other) &&
		    bpf_program__type(prog) == bpf_program__type(other))
			continue;
		diag("%s differs", bpf_program__name(prog));
		different++;
	}
	ok(cnt > 3, "%s: there are programs to compare", name);
	is_u64(different, 0, "%s: a part of the types makes the same programs", name);
}

static struct bpf_link *attach(struct bpf_object *obj, const char *name)
{
	return kernel_btf__attach(bpf_object__find_program_by_name(obj, name));
}

int main(void)
{
	static const char *const tracers[LOAD_OBJECT_CNT] = { "raw_sched_switch", "off_switch",
							      "strace_exit", "follow_newtask" };
	struct bpf_object *whole[LOAD_OBJECT_CNT];
	const char *path;
	size_t i;

	load_objects__begin();
	/* From the first kernel_btf__path() on, libbpf leaves its own way. */
	for (i = 0; i < LOAD_OBJECT_CNT; i++)
		whole[i] =
			load(load_objects[i].name, load_objects[i].elf, load_objects[i].sz, false);
	path = kernel_btf__path();
	ok(path && !strncmp(path, "/proc/self/fd/", 14), "the types come from memory");
	for (i = 0; i < LOAD_OBJECT_CNT; i++) {
		struct bpf_object *part =
			load(load_objects[i].name, load_objects[i].elf, load_objects[i].sz, true);
		struct bpf_link *link;

		if (!ok(whole[i] && part, "%s: all programs load both ways", load_objects[i].name))
			continue;
		compare(load_objects[i].name, whole[i], part);
		link = attach(part, tracers[i]);
		ok(link != NULL, "%s: a program on a raw tracepoint attaches",
		   load_objects[i].name);
		bpf_link__destroy(link);
		bpf_object__close(whole[i]);
		bpf_object__close(part);
	}
	is_u64(kernel_btf__tracepoint_id("sched_switch"),
	       (uint64_t)btf__find_by_name_kind(kernel_btf, "btf_trace_sched_switch",
						BTF_KIND_TYPEDEF),
	       "the id of a tracepoint's prototype is the kernel's");
	is_u64(kernel_btf__tracepoint_id("no_such_tracepoint"), 0,
	       "no id for a tracepoint that the kernel lacks");
	btf__free(kernel_btf);
	return done_testing();
}
