// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "annotate/capstone.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <string.h>

/* capstone.h: cs_arch, cs_mode, cs_opt_type. */
enum { ARCH_ARM, ARCH_ARM64, ARCH_X86 = 3, ARCH_PPC, ARCH_SYSZ = 6, ARCH_RISCV = 15 };
#define MODE_LITTLE 0u
#define MODE_BIG (1u << 31)
#define MODE_X86_32 (1u << 2)
#define MODE_64 (1u << 3) /* of x86 and PowerPC */
#define MODE_RISCV32 (1u << 0)
#define MODE_RISCV64 (1u << 1)
#define MODE_RISCV_C (1u << 2)
#define OPT_SYNTAX 1
#define SYNTAX_ATT 2

#define MNEMONIC_SZ 32
#define OPERANDS_SZ 160
/* objdump's column of the operands. */
#define MNEMONIC_WIDTH 6

/* An instruction begins alike in all versions; then come its bytes, mnemonic and operands. */
struct insn_head {
	unsigned int id;
	uint64_t address;
	uint16_t size;
	uint8_t bytes[];
};

static struct {
	unsigned int (*open)(int arch, unsigned int mode, size_t *handle);
	unsigned int (*option)(size_t handle, int type, size_t value);
	size_t (*disasm)(size_t handle, const uint8_t *code, size_t sz, uint64_t addr, size_t cnt,
			 struct insn_head **insns);
	void (*free)(struct insn_head *insns, size_t cnt);
	unsigned int (*close)(size_t *handle);
	size_t bytes_sz; /* of insn_head.bytes */
	bool is_loaded;
} lib;

#ifdef BPFPERF_STATIC

bool capstone__load(void)
{
	return false;
}

#else

/* The version that a file's name promises, and the length of an instruction's bytes in it. */
static const struct {
	const char *soname;
	int major;
	size_t bytes_sz;
} versions[] = { { "libcapstone.so.5", 5, 24 }, { "libcapstone.so.4", 4, 16 } };

static bool load_from(void *handle, int major)
{
	unsigned int (*version)(int *, int *);
	int found = 0, minor;

	*(void **)&lib.open = dlsym(handle, "cs_open");
	*(void **)&lib.option = dlsym(handle, "cs_option");
	*(void **)&lib.disasm = dlsym(handle, "cs_disasm");
	*(void **)&lib.free = dlsym(handle, "cs_free");
	*(void **)&lib.close = dlsym(handle, "cs_close");
	*(void **)&version = dlsym(handle, "cs_version");
	if (!lib.open || !lib.option || !lib.disasm || !lib.free || !lib.close || !version)
		return false;
	version(&found, &minor);
	return found == major;
}

bool capstone__load(void)
{
	void *handle;
	size_t i;

	for (i = 0; i < sizeof(versions) / sizeof(*versions) && !lib.is_loaded; i++) {
		handle = dlopen(versions[i].soname, RTLD_NOW | RTLD_LOCAL);
		if (!handle)
			continue;
		lib.is_loaded = load_from(handle, versions[i].major);
		lib.bytes_sz = versions[i].bytes_sz;
	}
	return lib.is_loaded;
}

#endif

bool capstone__is_loaded(void)
{
	return lib.is_loaded;
}

struct target {
	uint16_t machine;
	int arch;
	unsigned int mode; /* without the byte order */
	uint8_t step;
};

static bool find_target(uint16_t machine, bool is_64bit, struct target *target)
{
	static const struct target targets[] = {
		{ EM_X86_64, ARCH_X86, MODE_64, 1 }, { EM_386, ARCH_X86, MODE_X86_32, 1 },
		{ EM_AARCH64, ARCH_ARM64, 0, 4 },    { EM_ARM, ARCH_ARM, 0, 4 },
		{ EM_PPC64, ARCH_PPC, MODE_64, 4 },  { EM_S390, ARCH_SYSZ, 0, 2 },
	};
	size_t i;

	*target = (struct target){ machine, ARCH_RISCV,
				   MODE_RISCV_C | (is_64bit ? MODE_RISCV64 : MODE_RISCV32), 2 };
	for (i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		if (targets[i].machine == machine)
			*target = targets[i];
	return target->arch != ARCH_RISCV || machine == EM_RISCV;
}

int capstone__open(struct capstone *c, uint16_t machine, bool is_64bit, bool is_big_endian)
{
	struct target target;

	if (!lib.is_loaded || !find_target(machine, is_64bit, &target))
		return -ENOTSUP;
	if (lib.open(target.arch, target.mode | (is_big_endian ? MODE_BIG : MODE_LITTLE),
		     &c->handle))
		return -ENOTSUP;
	c->step = target.step;
	/* perf's annotate prints what objdump prints. */
	if (target.arch == ARCH_X86)
		lib.option(c->handle, OPT_SYNTAX, SYNTAX_ATT);
	return 0;
}

/* Both texts may be as long as their arrays. */
static void put_text(struct strbuf *text, const char *mnemonic)
{
	const char *operands = mnemonic + MNEMONIC_SZ;
	size_t len = strnlen(mnemonic, MNEMONIC_SZ), i;
	size_t operands_len = strnlen(operands, OPERANDS_SZ);

	strbuf__add(text, mnemonic, len);
	if (!operands_len)
		return;
	for (; len < MNEMONIC_WIDTH; len++)
		strbuf__putc(text, ' ');
	strbuf__putc(text, ' ');
	/* objdump has no space behind a comma. */
	for (i = 0; i < operands_len; i++)
		if (operands[i] != ' ' || !i || operands[i - 1] != ',')
			strbuf__putc(text, operands[i]);
}

size_t capstone__insn(const struct capstone *c, const uint8_t *code, size_t sz, uint64_t addr,
		      struct strbuf *text)
{
	struct insn_head *insn = NULL;
	size_t cnt = lib.disasm(c->handle, code, sz, addr, 1, &insn), len = 0;

	if (cnt) {
		len = insn->size;
		put_text(text, (const char *)insn->bytes + lib.bytes_sz);
		lib.free(insn, cnt);
	}
	return len <= sz ? len : 0;
}

void capstone__close(struct capstone *c)
{
	lib.close(&c->handle);
}
