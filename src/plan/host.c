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

/*
 * Intel by family and model number (kernel: arch/x86/include/asm/intel-family.h). Of unlike CPUs
 * the model is that of the large ones.
 */
static const struct {
	const char *name;
	uint8_t numbers[8];
} intel_models[] = {
	{ "nhm", { 0x1a, 0x1e, 0x1f, 0x2e } },
	{ "wsm", { 0x25, 0x2c, 0x2f } },
	{ "snb", { 0x2a } },
	{ "snb_ep", { 0x2d } },
	{ "ivb", { 0x3a } },
	{ "ivb_ep", { 0x3e } },
	{ "hsw", { 0x3c, 0x3f, 0x45, 0x46 } },
	{ "bdw", { 0x3d, 0x47, 0x4f, 0x56 } },
	{ "skl", { 0x4e, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6 } },
	{ "skx", { 0x55 } },
	{ "clx", { 0 } }, /* skx with another stepping */
	{ "icl", { 0x7e, 0x7d, 0x8c, 0x8d, 0xa7 } },
	{ "icx", { 0x6a, 0x6c } },
	{ "spr", { 0x8f, 0xcf } },
	{ "gnr", { 0xad, 0xae } },
	{ "adl", { 0x97, 0x9a, 0xb7, 0xba, 0xbf } },
	{ "adl_atom", { 0xbe } },
	{ "mtl", { 0xac, 0xaa, 0xb5 } },
	{ "mtl_atom", { 0 } },
	{ "arl", { 0xc5, 0xc6 } },
	{ "arl_atom", { 0 } },
	{ "lnl", { 0xbd } },
	{ "lnl_atom", { 0 } },
	{ "ptl", { 0xcc, 0xd5 } },
	{ "ptl_atom", { 0 } },
	{ "slm", { 0x37, 0x4d, 0x4a, 0x5a, 0x4c, 0x75 } },
	{ "knl", { 0x57, 0x85 } },
	{ "glm", { 0x5c, 0x5f } },
	{ "glp", { 0x7a } },
	{ "tnt", { 0x86, 0x96, 0x9c } },
	{ "srf", { 0xaf, 0xb6 } },
	{ "cwf", { 0xdd } },
};

/* Intel's families after 6: their first byte of model numbers is enough. */
static const struct {
	const char *name;
	uint8_t family, numbers[2];
} intel_new_models[] = {
	{ "nvl", 18, { 0x01, 0x03 } },
	{ "nvl_atom", 18, { 0 } },
	{ "dmr", 19, { 0x01 } },
};

/* From this stepping on model 0x55 is Cascade Lake, or Cooper Lake. */
#define CLX_MODEL 0x55
#define CLX_STEPPING 5

/*
 * AMD by family, and by model numbers first … last (kernel: arch/x86/kernel/cpu/amd.c,
 * bsp_init_amd()).
 */
static const struct {
	const char *name;
	uint8_t family, first, last;
} amd_models[] = {
	{ "fam10h", 0x10, 0x00, 0xff }, { "fam15h", 0x15, 0x00, 0xff },
	{ "fam16h", 0x16, 0x00, 0xff }, { "zen1", 0x17, 0x00, 0x2f },
	{ "zen1", 0x17, 0x50, 0x5f },   { "zen2", 0x17, 0x30, 0xff },
	{ "zen3", 0x19, 0x00, 0x0f },   { "zen4", 0x19, 0x10, 0x1f },
	{ "zen3", 0x19, 0x20, 0x5f },   { "zen4", 0x19, 0x60, 0xaf },
	{ "zen5", 0x1a, 0x00, 0xff },
};

/* arm64 by implementer and part (kernel: arch/arm64/include/asm/cputype.h). */
static const struct {
	const char *name;
	uint8_t implementer;
	uint16_t parts[7];
} arm_models[] = {
	{ "neoverse_n1", 0x41, { 0xd0c } },
	{ "neoverse_v1", 0x41, { 0xd40 } },
	{ "neoverse_n2", 0x41, { 0xd49 } },
	{ "neoverse_n2", 0x6d, { 0xd49 } },
	{ "neoverse_v2", 0x41, { 0xd4f } },
	{ "cortex_a53", 0x41, { 0xd03 } },
	{ "cortex_a55", 0x41, { 0xd05 } },
	{ "cortex_a57", 0x41, { 0xd07 } },
	{ "cortex_a72", 0x41, { 0xd08 } },
	{ "cortex_a73", 0x41, { 0xd09 } },
	{ "cortex_a75", 0x41, { 0xd0a } },
	{ "cortex_a76", 0x41, { 0xd0b, 0xd0e } },
	{ "cortex_a77", 0x41, { 0xd0d } },
	{ "cortex_a78", 0x41, { 0xd41, 0xd42, 0xd4b } },
	{ "cortex_x1", 0x41, { 0xd44, 0xd4c } },
	{ "ampereone", 0xc0, { 0xac3, 0xac4 } },
	{ "olympus", 0x4e, { 0x010 } },
	{ "m1", 0x61, { 0x022, 0x023, 0x024, 0x025, 0x028, 0x029 } },
	{ "m2", 0x61, { 0x032, 0x033, 0x034, 0x035, 0x038, 0x039 } },
};

#define CNT(table) (sizeof(table) / sizeof((table)[0]))

void host__set_cpuinfo(const char *path)
{
	cpuinfo__set_path(path);
}

static const struct model *intel_model(unsigned long family, unsigned long number)
{
	size_t i, j;

	for (i = 0; i < CNT(intel_new_models); i++)
		for (j = 0; j < sizeof(intel_new_models[i].numbers); j++)
			if (number && intel_new_models[i].family == family &&
			    intel_new_models[i].numbers[j] == number)
				return model__find(intel_new_models[i].name);
	if (family != 6)
		return NULL;
	if (number == CLX_MODEL && cpuinfo__number("stepping") >= CLX_STEPPING)
		return model__find("clx");
	for (i = 0; i < CNT(intel_models); i++)
		for (j = 0; j < sizeof(intel_models[i].numbers) && intel_models[i].numbers[j]; j++)
			if (intel_models[i].numbers[j] == number)
				return model__find(intel_models[i].name);
	return NULL;
}

static const struct model *amd_model(unsigned long family, unsigned long number)
{
	size_t i;

	for (i = 0; i < CNT(amd_models); i++)
		if (amd_models[i].family == family && number >= amd_models[i].first &&
		    number <= amd_models[i].last)
			return model__find(amd_models[i].name);
	return NULL;
}

static const struct model *arm_model(unsigned long implementer, unsigned long part)
{
	size_t i, j;

	for (i = 0; i < CNT(arm_models); i++)
		for (j = 0; j < CNT(arm_models[i].parts) && arm_models[i].parts[j]; j++)
			if (arm_models[i].implementer == implementer &&
			    arm_models[i].parts[j] == part)
				return model__find(arm_models[i].name);
	return NULL;
}

/* The small cores of a kind that has both: "adl" becomes "adl_atom". */
static const struct model *small_cores(const struct model *model)
{
	char name[64];

	snprintf(name, sizeof(name), "%s_atom", model->name);
	return model__find(name) ?: model;
}

static int find_x86(struct host *host)
{
	unsigned long family = cpuinfo__number("cpu family"), number = cpuinfo__number("model");
	char vendor[32];
	int err = cpuinfo__value("vendor_id", vendor, sizeof(vendor));

	if (err && err != -ENODATA)
		return err;
	host->kind = strstr(vendor, "GenuineIntel") ? HOST_INTEL : HOST_AMD;
	if (host->kind == HOST_INTEL)
		host->model = intel_model(family, number);
	else if (strstr(vendor, "AuthenticAMD"))
		host->model = amd_model(family, number);
	if (host->model && !strcmp(host->pmu, "cpu_atom"))
		host->model = small_cores(host->model);
	if (host->model)
		host->kind = HOST_KNOWN;
	host->cpu = host->model;
	return 0;
}

/* The first core of /proc/cpuinfo, and the first PMU of sysfs. */
static void find_arm(struct host *host)
{
	host->cpu = arm_model(cpuinfo__number("CPU implementer"), cpuinfo__number("CPU part"));
	/* The counters are counted: a hypervisor may give fewer. Apple's are not alike. */
	if (host->cpu && !host->cpu->fixed) {
		host->model = host->cpu;
		host->kind = HOST_KNOWN;
	}
}

/* The PMU of cores that this machine has; of unlike ones that of the large ones. */
static bool is_wanted(const struct pmu *pmu, const char *have)
{
	bool has_cpus = !pmu->cpus || *pmu->cpus;

	return pmu->is_core && has_cpus && (!*have || !strcmp(pmu->name, "cpu_core"));
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

		if (pmu && is_wanted(pmu, host->pmu))
			snprintf(host->pmu, sizeof(host->pmu), "%s", names[i]);
		pmu__free(pmu);
	}
	pmu__free_names(names, cnt);
	if (!host->pmu[0])
		return -ENODEV;
	host->kind = HOST_ARM;
	/* Only x86 calls it cpu, cpu_core. */
	if (!strncmp(host->pmu, "cpu", 3))
		return find_x86(host);
	find_arm(host);
	return 0;
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
	if (host->kind != HOST_ARM && !(host->cpu && host->cpu->policy == POLICY_FIRST_FIT))
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
	machine->no_tsx = host->cpu && host->cpu->has_tsx && !cpuinfo__has_flag("rtm") &&
			  !cpuinfo__has_flag("hle");
	if (!sysctl__mux_interval_ms(host->pmu, &val) && val > 0)
		machine->mux_ns = (uint64_t)val * 1000000;
}
