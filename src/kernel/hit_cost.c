// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/hit_cost.h"

#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "kernel/features.h"
#include "kernel/multi_link.h"
#include "util/mono.h"

/* Hits of one round, which takes a millisecond; the fastest round counts. */
#define HITS 64
#define ROUNDS 5

/* Functions of which each begins with the instruction of its class. */
#define FUNCTION(name, code)                                                                       \
	__asm__(".pushsection .text\n"                                                             \
		".balign 16\n"                                                                     \
		".globl " #name "\n.hidden " #name "\n.type " #name ", %function\n" #name          \
		":\n" code "\n.size " #name ", . - " #name "\n.popsection\n");                     \
	extern uint64_t name(void)

#if defined(__x86_64__)
FUNCTION(hit_cost_step, "xor %eax, %eax\nret");
FUNCTION(hit_cost_push, "push %rbp\npop %rbp\nret");
FUNCTION(hit_cost_endbr, ".byte 0xf3, 0x0f, 0x1e, 0xfa\nret");
FUNCTION(hit_cost_sub, "sub $8, %rsp\nadd $8, %rsp\nret");
/* Yields what it has left below its stack pointer: not 0 if the kernel has written there. */
FUNCTION(hit_cost_nop5, "movq $0, -8(%rsp)\n"
			"0: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
			"mov -8(%rsp), %rax\nret");
/* Bytes of the first instruction there. */
#define NOP5_AT 9
#elif defined(__aarch64__)
FUNCTION(hit_cost_step, "mov x0, xzr\nret");
#endif

static const struct own {
	enum hit_class class;
	uint64_t (*fn)(void);
	unsigned int at; /* of the probe, bytes into the function */
} owns[] = {
/* The first one's return is timed, too. */
#if defined(__x86_64__)
	{ HIT_PUSH, hit_cost_push, 0 },
	{ HIT_STEP, hit_cost_step, 0 },
	{ HIT_ENDBR, hit_cost_endbr, 0 },
	{ HIT_SUB, hit_cost_sub, 0 },
	{ HIT_NOP5, hit_cost_nop5, NOP5_AT },
#elif defined(__aarch64__)
	{ HIT_STEP, hit_cost_step, 0 },
#endif
	{ HIT_UNKNOWN, NULL, 0 },
};

#define OWN_CNT (sizeof(owns) / sizeof(owns[0]) - 1)

/* The system call that is timed, as the kernel calls its function. */
#if defined(__aarch64__)
static const char *const own_call = "__arm64_sys_getppid";
#else
static const char *const own_call = "__x64_sys_getppid";
#endif

static uint64_t call_kernel(void)
{
	return (uint64_t)syscall(SYS_getppid);
}

/* An address of this program, and where it is in its file. */
struct offset {
	uintptr_t addr;
	uint64_t off;
};

/* The first object is the program itself. */
static int find_offset(struct dl_phdr_info *info, size_t sz, void *ctx)
{
	struct offset *o = ctx;
	size_t i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD && o->addr >= begin && o->addr - begin < ph->p_filesz)
			o->off = o->addr - begin + ph->p_offset;
	}
	return 1;
}

static int load(int attach_type)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach_type);
	int fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, NULL, "GPL", insns, 2, &opts);

	return fd > 0 ? fd : 0;
}

void hit_meter__open(struct hit_meter *m, bool user, bool kernel)
{
	*m = (struct hit_meter){ { 0 } };
	if (user && OWN_CNT && feature__have(FEATURE_UPROBE_MULTI))
		m->fds[false] = load(ATTACH_UPROBE_MULTI);
	if (kernel && feature__have(FEATURE_KPROBE_MULTI))
		m->fds[true] = load(ATTACH_KPROBE_MULTI);
}

void hit_meter__close(struct hit_meter *m)
{
	size_t i;

	for (i = 0; i < 2; i++)
		if (m->fds[i])
			close(m->fds[i]);
	*m = (struct hit_meter){ { 0 } };
}

/* Nanoseconds of a call, of the fastest round. */
static uint64_t time_calls(uint64_t (*fn)(void))
{
	uint64_t best = UINT64_MAX, begin;
	int round, i;

	for (round = 0; round < ROUNDS; round++) {
		begin = mono_ns();
		for (i = 0; i < HITS; i++)
			fn();
		begin = mono_ns() - begin;
		best = begin < best ? begin : best;
	}
	return best / HITS;
}

static uint32_t growth(uint64_t with, uint64_t without)
{
	return with > without ? (uint32_t)(with - without) : 0;
}

/* Attaches to the functions of these classes, or to their returns. The link's fd, or -errno. */
static int attach_owns(int prog_fd, unsigned int classes, bool at_return)
{
	uint64_t offs[OWN_CNT + 1], cookies[OWN_CNT + 1] = { 0 };
	struct uprobe_multi at = { .path = "/proc/self/exe",
				   .offs = offs,
				   .cookies = cookies,
				   .pid = getpid(),
				   .at_return = at_return };
	size_t i;

	for (i = 0; i < OWN_CNT; i++) {
		struct offset o = { .addr = (uintptr_t)owns[i].fn + owns[i].at };

		if (!(classes & 1u << owns[i].class))
			continue;
		dl_iterate_phdr(find_offset, &o);
		offs[at.cnt++] = o.off;
	}
	return at.cnt ? uprobe_multi__attach(prog_fd, &at) : -ENOENT;
}

static int attach_call(int prog_fd, bool at_return)
{
	const uint64_t cookie = 0;
	const struct kprobe_multi at = {
		.syms = &own_call, .cookies = &cookie, .cnt = 1, .at_return = at_return
	};

	return kprobe_multi__attach(prog_fd, &at);
}

static void close_link(int link)
{
	if (link >= 0)
		close(link);
}

static void time_owns(unsigned int classes, struct hit_costs *costs)
{
	size_t i;

	for (i = 0; i < OWN_CNT; i++) {
		const struct own *own = &owns[i];

		if (!(classes & 1u << own->class))
			continue;
		/* The kernel makes a hit cheaper by what it learns from the first one. */
		own->fn();
		costs->ns[own->class] = (uint32_t)time_calls(own->fn);
		if (own->class == HIT_NOP5)
			costs->red_zone = own->fn() != 0;
	}
}

/* A return costs the same, whatever instruction the function begins with. */
static void measure_user(int prog_fd, unsigned int classes, bool with_return,
			 struct hit_costs *costs)
{
	const struct own *first = &owns[0];
	int entry, end = -1;

	if (with_return)
		classes |= 1u << first->class;
	entry = attach_owns(prog_fd, classes, false);
	if (entry < 0)
		return;
	time_owns(classes, costs);
	if (with_return)
		end = attach_owns(prog_fd, 1u << first->class, true);
	if (end >= 0)
		costs->return_ns[false] = growth(time_calls(first->fn), costs->ns[first->class]);
	close_link(end);
	close_link(entry);
}

static void measure_kernel(int prog_fd, bool with_return, struct hit_costs *costs)
{
	uint64_t without = time_calls(call_kernel);
	int entry = attach_call(prog_fd, false), end = -1;

	if (entry < 0)
		return;
	costs->ns[HIT_KERNEL] = growth(time_calls(call_kernel), without);
	if (with_return)
		end = attach_call(prog_fd, true);
	if (end >= 0)
		costs->return_ns[true] =
			growth(time_calls(call_kernel), without + costs->ns[HIT_KERNEL]);
	close_link(end);
	close_link(entry);
}

void hit_meter__measure(const struct hit_meter *m, unsigned int classes, bool with_return,
			struct hit_costs *costs)
{
	memset(costs, 0, sizeof(*costs));
	if (m->fds[false])
		measure_user(m->fds[false], classes, with_return, costs);
	if (m->fds[true] && classes & 1u << HIT_KERNEL)
		measure_kernel(m->fds[true], with_return, costs);
}
