// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The machine that a plan is for: its PMU's model by the files that describe it, its counters. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tap.h"

#include "event/pmu.h"
#include "plan/host.h"
#include "plan/plan.h"
#include "plan/quirks.h"

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

/* Machines by family, model and stepping of CPUID. */
static void test_x86(const char *path)
{
	static const struct {
		const char *vendor;
		unsigned int family, model, stepping;
		const char *want;
	} cpus[] = {
		{ "GenuineIntel", 6, 0x1a, 5, "nhm" },
		{ "GenuineIntel", 6, 0x2a, 7, "snb" },
		{ "GenuineIntel", 6, 0x2d, 7, "snb_ep" },
		{ "GenuineIntel", 6, 0x3a, 9, "ivb" },
		{ "GenuineIntel", 6, 0x3e, 4, "ivb_ep" },
		{ "GenuineIntel", 6, 0x55, 4, "skx" },
		{ "GenuineIntel", 6, 0x55, 7, "clx" },
		{ "GenuineIntel", 6, 0x55, 11, "clx" },
		{ "GenuineIntel", 6, 0x6a, 6, "icx" },
		{ "GenuineIntel", 6, 0x8f, 8, "spr" },
		{ "GenuineIntel", 6, 0xcf, 2, "spr" },
		{ "GenuineIntel", 6, 0xad, 1, "gnr" },
		{ "GenuineIntel", 6, 0xb7, 1, "adl" },
		{ "GenuineIntel", 6, 0xbe, 0, "adl_atom" },
		{ "GenuineIntel", 6, 0xaf, 3, "srf" },
		{ "AuthenticAMD", 0x10, 9, 1, "fam10h" },
		{ "AuthenticAMD", 0x15, 2, 0, "fam15h" },
		{ "AuthenticAMD", 0x17, 0x08, 2, "zen1" },
		{ "AuthenticAMD", 0x17, 0x31, 0, "zen2" },
		{ "AuthenticAMD", 0x17, 0x5f, 0, "zen1" },
		{ "AuthenticAMD", 0x19, 0x01, 1, "zen3" },
		{ "AuthenticAMD", 0x19, 0x11, 1, "zen4" },
		{ "AuthenticAMD", 0x19, 0x21, 0, "zen3" },
		{ "AuthenticAMD", 0x19, 0xa0, 2, "zen4" },
		{ "AuthenticAMD", 0x1a, 0x02, 1, "zen5" },
	};
	struct host host;
	char text[200];
	size_t i;

	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		snprintf(text, sizeof(text),
			 "vendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\nstepping\t: %u\n",
			 cpus[i].vendor, cpus[i].family, cpus[i].model, cpus[i].stepping);
		write_file(path, text);
		ok(!host__find(&host) && host.kind == HOST_KNOWN &&
			   host.model == model__find(cpus[i].want),
		   "%s %#x, model %#x, stepping %u is %s", cpus[i].vendor, cpus[i].family,
		   cpus[i].model, cpus[i].stepping, cpus[i].want);
	}
}

/* Bits for transactions mean something where the flags of the CPU say so. */
static void test_tsx(const char *path)
{
	static const struct {
		const char *flags;
		bool no_tsx;
	} rows[] = {
		{ "fpu rtm tsc", false },
		{ "hle", false },
		{ "fpu artm rtm_always_abort hlex", true },
	};
	struct plan_machine machine;
	struct host host;
	char text[200];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text),
			 "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n"
			 "stepping\t: 8\nflags\t\t: %s\n",
			 rows[i].flags);
		write_file(path, text);
		memset(&machine, 0, sizeof(machine));
		ok(!host__find(&host), "a Sapphire Rapids with flags %s", rows[i].flags);
		host__describe(&host, &machine);
		ok(machine.no_tsx == rows[i].no_tsx, "flags %s: transactions %s", rows[i].flags,
		   rows[i].no_tsx ? "are not there" : "are there");
	}
}

/* A CPU with unlike cores: the large ones', or the small ones' where there are no others. */
static void test_unlike(const char *dir, const char *path)
{
	static const struct {
		const char *cores, *atoms, *pmu, *want;
	} machines[] = {
		{ "0-3", "4-11", "cpu_core", "adl" },
		{ "0-3", "", "cpu_core", "adl" },
		{ "", "0-7", "cpu_atom", "adl_atom" },
	};
	struct host host;
	char cmd[300];
	size_t i;

	write_file(path, "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 151\n");
	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		snprintf(cmd, sizeof(cmd),
			 "cd %s && rm -rf cpu cpu_core cpu_atom && mkdir cpu_core cpu_atom && "
			 "echo 4 >cpu_core/type && echo 10 >cpu_atom/type && "
			 "echo %s >cpu_core/cpus && echo %s >cpu_atom/cpus",
			 dir, machines[i].cores, machines[i].atoms);
		ok(!system(cmd), "sysfs with large cores '%s', small cores '%s'", machines[i].cores,
		   machines[i].atoms);
		ok(!host__find(&host) && host.model == model__find(machines[i].want),
		   "large cores '%s', small cores '%s': %s", machines[i].cores, machines[i].atoms,
		   machines[i].want);
		is_str(host.pmu, machines[i].pmu, "large cores '%s', small cores '%s': PMU %s",
		       machines[i].cores, machines[i].atoms, machines[i].pmu);
	}
	snprintf(cmd, sizeof(cmd), "cd %s && rm -r cpu_core cpu_atom && mkdir cpu", dir);
	ok(!system(cmd), "sysfs without unlike cores");
}

/* arm64 by the parts of MIDR_EL1. The counters must be counted, Apple's excepted. */
static void test_arm(const char *path)
{
	static const struct {
		unsigned int implementer, part;
		const char *want;
		enum host_kind kind;
	} cpus[] = {
		{ 0x41, 0xd0c, "neoverse_n1", HOST_ARM }, { 0x41, 0xd40, "neoverse_v1", HOST_ARM },
		{ 0x41, 0xd4f, "neoverse_v2", HOST_ARM }, { 0x6d, 0xd49, "neoverse_n2", HOST_ARM },
		{ 0x41, 0xd0b, "cortex_a76", HOST_ARM },  { 0xc0, 0xac3, "ampereone", HOST_ARM },
		{ 0x4e, 0x010, "olympus", HOST_ARM },     { 0x61, 0x023, "m1", HOST_KNOWN },
		{ 0x61, 0x032, "m2", HOST_KNOWN },
	};
	struct host host;
	char text[100];
	size_t i;

	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		snprintf(text, sizeof(text), "CPU implementer\t: 0x%x\nCPU part\t: 0x%x\n",
			 cpus[i].implementer, cpus[i].part);
		write_file(path, text);
		ok(!host__find(&host) && host.kind == cpus[i].kind &&
			   host.cpu == model__find(cpus[i].want),
		   "implementer %#x, part %#x is %s", cpus[i].implementer, cpus[i].part,
		   cpus[i].want);
	}
	write_file(path, "CPU implementer\t: 0x41\nCPU part\t: 0xd99\n");
	ok(!host__find(&host) && host.kind == HOST_ARM && !host.cpu,
	   "an unknown part has no model");
}

/* A machine as its files describe it. */
static void test_host(void)
{
	char dir[] = "/tmp/plan_host.XXXXXX", path[256], cmd[300];
	struct host host;

	if (!ok(mkdtemp(dir) != NULL, "a directory for sysfs is made"))
		return;
	pmu__set_sysfs(dir);
	is_s64(host__find(&host), -ENODEV, "a machine without PMU");
	snprintf(cmd, sizeof(cmd),
		 "mkdir %s/cpu %s/msr && echo 4 >%s/cpu/type && echo 9 >%s/msr/type", dir, dir, dir,
		 dir);
	ok(!system(cmd), "sysfs with two PMUs is made");
	snprintf(path, sizeof(path), "%s/cpuinfo", dir);
	write_file(path,
		   "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\n"
		   "model name\t: Intel(R) Core(TM) i7-6700 CPU @ 3.40GHz\n");
	host__set_cpuinfo(path);
	ok(!host__find(&host) && host.model == model__find("skl"), "model 94 is Skylake");
	write_file(path, "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 28\n");
	ok(!host__find(&host) && host.kind == HOST_INTEL && !host.model, "one without tables");
	write_file(path, "vendor_id\t: AuthenticAMD\ncpu family\t: 15\nmodel\t\t: 94\n");
	ok(!host__find(&host) && host.kind == HOST_AMD && !host.model, "AMD's K8 is none");
	test_x86(path);
	test_tsx(path);
	test_unlike(dir, path);
	snprintf(cmd, sizeof(cmd),
		 "rm -r %s/cpu && mkdir %s/armv8_pmuv3_0 && cd %s/armv8_pmuv3_0 && "
		 "echo 8 >type && echo 0-3 >cpus",
		 dir, dir, dir);
	ok(!system(cmd), "sysfs with an ARM PMU is made");
	ok(!host__find(&host) && host.kind == HOST_ARM, "an ARM machine is found");
	is_str(host.pmu, "armv8_pmuv3_0", "an ARM machine is found by its PMU's name");
	test_arm(path);
	host__set_cpuinfo(NULL);
	pmu__set_sysfs(NULL);
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "the directory is removed");
}

/*
 * How many counters there are without hyper-threading, by the group of cycles that the kernel took.
 */
static void test_group_size(void)
{
	static const struct {
		const char *model, *what;
		unsigned int size;
		bool ht, tfa;
		uint64_t want;
	} machines[] = {
		{ "skl", "hyper-threading off in the firmware: eight", 9, false, false, 0xff },
		{ "skl", "only in the kernel: four", 5, false, false, 0xf },
		{ "skl", "of eight one is for transactions", 8, false, true, 0xff },
		{ "skl", "of four one is", 4, false, true, 0xf },
		{ "snb", "a hypervisor that gives two has those of four", 3, false, false, 0xf },
		{ "hsw", "a user without permission assumes eight", 0, false, false, 0xff },
		{ "hsw", "with hyper-threading four", 0, true, false, 0xf },
		{ "icl", "Ice Lake has eight", 9, false, false, 0xff },
	};
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct plan_machine machine = { .model = model__find(machines[i].model),
						.ht = machines[i].ht,
						.tfa = machines[i].tfa };

		quirks__set_group_size(&machine, machines[i].size);
		is_u64(quirks__general(&machine), machines[i].want, "%s", machines[i].what);
	}
}

/* Whether the kernel uses family 15h's constraints, by the group of cycles that it took. */
static void test_fam15h(void)
{
	static const struct {
		const char *what;
		uint32_t kernel;
		unsigned int size;
		bool no_brs, known;
		uint64_t want; /* the counters of r0b */
	} machines[] = {
		{ "three cycles: each has its counters", KERNEL(6, 1), 3, false, true, 0x08 },
		{ "six cycles: any counter", KERNEL(6, 1), 6, true, true, 0x3f },
		{ "a hypervisor that gives four of six", KERNEL(6, 1), 4, true, true, 0x3f },
		{ "no permission: as with constraints", KERNEL(7, 3), 0, false, false, 0x08 },
		{ "before 6.1 all kernels have them", KERNEL(6, 0), 6, false, false, 0x08 },
	};
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct plan_machine machine = { .model = model__find("fam15h"),
						.kernel = machines[i].kernel };
		struct plan_event fpu = { .code = 0x0b };

		quirks__set_group_size(&machine, machines[i].size);
		quirks__constrain(&machine, &fpu);
		is_u64(fpu.counters, machines[i].want, "family 15h, %s", machines[i].what);
		is_u64(fpu.real, 0x08, "family 15h, %s: one counter counts it", machines[i].what);
		ok(machine.no_brs == machines[i].no_brs && machine.brs_known == machines[i].known,
		   "family 15h, %s: it is known why", machines[i].what);
	}
}

int main(void)
{
	test_host();
	test_group_size();
	test_fam15h();
	return done_testing();
}
