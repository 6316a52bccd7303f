// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "event/pmu.h"
#include "host/cpuinfo.h"
#include "host/sysctl.h"
#include "util/fs.h"

/* Family 6, by model number (kernel: arch/x86/include/asm/intel-family.h). */
static const struct {
	const char *name;
	uint8_t numbers[8];
} intel_models[] = {
	{ "snb", { 0x2a, 0x2d } },
	{ "ivb", { 0x3a, 0x3e } },
	{ "hsw", { 0x3c, 0x3f, 0x45, 0x46 } },
	{ "bdw", { 0x3d, 0x47, 0x4f, 0x56 } },
	{ "skl", { 0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6 } },
	{ "icl", { 0x7e, 0x7d, 0x6a, 0x6c, 0x8c, 0x8d, 0xa7 } },
};

void host__set_cpuinfo(const char *path)
{
	cpuinfo__set_path(path);
}

static const struct model *intel_model(unsigned long number)
{
	size_t i, j;

	for (i = 0; i < sizeof(intel_models) / sizeof(intel_models[0]); i++)
		for (j = 0; j < sizeof(intel_models[i].numbers) && intel_models[i].numbers[j]; j++)
			if (intel_models[i].numbers[j] == number)
				return model__find(intel_models[i].name);
	return NULL;
}

static int find_x86(struct host *host)
{
	char vendor[32];
	int err = cpuinfo__value("vendor_id", vendor, sizeof(vendor));

	if (err && err != -ENODATA)
		return err;
	host->kind = strstr(vendor, "GenuineIntel") ? HOST_INTEL : HOST_AMD;
	if (host->kind == HOST_INTEL && cpuinfo__number("cpu family") == 6)
		host->model = intel_model(cpuinfo__number("model"));
	if (host->model)
		host->kind = HOST_KNOWN;
	return 0;
}

int host__find(struct host *host)
{
	char **names;
	size_t cnt, i;
	int err = pmu__names(&names, &cnt);

	if (err)
		return err == -ENOENT ? -ENODEV : err;
	memset(host, 0, sizeof(*host));
	for (i = 0; i < cnt; i++) {
		struct pmu *pmu = pmu__load(names[i]);

		/* The first one, but of unlike CPUs the large ones'. */
		if (pmu && pmu->is_core && (!host->pmu[0] || !strcmp(names[i], "cpu_core")))
			snprintf(host->pmu, sizeof(host->pmu), "%s", names[i]);
		pmu__free(pmu);
	}
	pmu__free_names(names, cnt);
	if (!host->pmu[0])
		return -ENODEV;
	host->kind = HOST_ARM;
	/* Only x86 calls it cpu; and the hybrid ones' cpu_core, cpu_atom are none of the tables. */
	return strncmp(host->pmu, "cpu", 3) ? 0 : find_x86(host);
}

uint32_t host__kernel(void)
{
	struct utsname uts;
	uint32_t kernel;

	return uname(&uts) || kernel__parse(uts.release, &kernel) ? KERNEL_ANY : kernel;
}

/*
 * Does the hard lockup detector count cycles? arm64 does so only where interrupts can be masked by
 * priority; without, other CPUs watch (6.5+), and the sysctl says 1 all the same.
 */
static bool watchdog_counts(const struct host *host)
{
	char *cmdline;
	bool counts;
	long val;

	if (sysctl__nmi_watchdog(&val) || !val)
		return false;
	if (host->kind != HOST_ARM)
		return true;
	cmdline = fs__read_file("/proc/cmdline", NULL);
	counts = cmdline && strstr(cmdline, "irqchip.gicv3_pseudo_nmi=1");
	free(cmdline);
	return counts;
}

void host__describe(const struct host *host, struct plan_machine *machine)
{
	long val;

	machine->kernel = host__kernel();
	if (!fs__read_long("/sys/devices/system/cpu/smt/active", &val))
		machine->ht = val != 0;
	machine->watchdog = watchdog_counts(host);
	if (!fs__read_long("/sys/devices/cpu/allow_tsx_force_abort", &val))
		machine->tfa = val == 0;
	if (!sysctl__mux_interval_ms(host->pmu, &val) && val > 0)
		machine->mux_ns = (uint64_t)val * 1000000;
}
