// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * script and report themselves, on hostile recordings: a byte says which of them and with what
 * options, the rest is the recording. They answer 0 or 1. The kernel's functions have no names here
 * (the linker puts ours in place of kallsyms.c's): reading them takes longer than all else.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#include "cli/opt.h"
#include "cmd/commands.h"
#include "perf_file_make.h"
#include "sym/kallsyms.h"

bool __wrap_kallsyms__find(struct kallsyms *ks, uint64_t addr, const char **name,
			   const char **module, uint64_t *off);
bool __wrap_kallsyms__find(struct kallsyms *ks, uint64_t addr, const char **name,
			   const char **module, uint64_t *off)
{
	return false;
}

void __wrap_kallsyms__read_ahead(struct kallsyms *ks);
void __wrap_kallsyms__read_ahead(struct kallsyms *ks)
{
}

/* Ctrl-C is for the fuzzer. */
void __wrap_stop_signals__catch(void);
void __wrap_stop_signals__catch(void)
{
}

static int input_fd;
static char input_path[64];

/* By its number, behind the command's name and -i FILE. */
static const struct {
	const struct command *cmd;
	const char *args[6];
} runs[] = {
	{ &cmd_script, { "-F", "comm,pid,tid,cpu,time,period,event,addr,ip" } },
	{ &cmd_script, { "-D" } },
	{ &cmd_script, { "-F", "comm,tid,time,trace", "--ns" } },
	{ &cmd_report, { "-s", "comm,pid,tid,cpu,event", "-gnone" } },
	{ &cmd_report, { "-s", "comm,cpu", "--format", "json", "-o", "/dev/null" } },
	{ &cmd_report, { "-s", "pid,event", "-gnone", "--percent-limit", "1" } },
};
#define RUN_CNT (sizeof(runs) / sizeof(*runs))

static void fuzz_setup(void)
{
	input_fd = memfd_create("input", MFD_CLOEXEC);
	snprintf(input_path, sizeof(input_path), "/proc/self/fd/%d", input_fd);
}

static void fuzz_seeds(void)
{
	static struct made made;
	static uint8_t in[sizeof(made.p) + 1];
	unsigned int i;
	char name[16];

	for (i = 0; i < 8 * RUN_CNT; i++) {
		made_kind(&made, i % 8);
		in[0] = (uint8_t)(i / 8);
		memcpy(in + 1, made.p, made.sz);
		snprintf(name, sizeof(name), "%u", i);
		fuzz_seed(name, in, made.sz + 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	struct fuzz_bytes b = { data, sz };
	unsigned int nr = (unsigned int)(fuzz_take(&b, 1) % RUN_CNT);
	char *argv[12] = { (char *)runs[nr].cmd->name, "-i", input_path };
	int argc = 3, status;
	size_t i;

	if (ftruncate(input_fd, 0) || pwrite(input_fd, b.p, b.left, 0) != (ssize_t)b.left)
		return -1;
	for (i = 0; i < 6 && runs[nr].args[i]; i++)
		argv[argc++] = (char *)runs[nr].args[i];
	status = command__main(runs[nr].cmd, argc, argv);
	fuzz_check(status == EXIT_DONE || status == EXIT_FAILED);
	return 0;
}
