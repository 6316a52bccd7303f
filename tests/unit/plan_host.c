// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The machine that a plan is for: its PMU's model by the files that describe it, its counters. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tap.h"

#include "event/pmu.h"
#include "event/pmu_model.h"
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
	write_file(path, "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 207\n");
	ok(!host__find(&host) && host.kind == HOST_INTEL && !host.model, "one without tables");
	write_file(path, "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 94\n");
	ok(!host__find(&host) && host.kind == HOST_AMD && !host.model, "AMD's model 94 is none");
	snprintf(cmd, sizeof(cmd),
		 "rm -r %s/cpu && mkdir %s/armv8_pmuv3_0 && cd %s/armv8_pmuv3_0 && "
		 "echo 8 >type && echo 0-3 >cpus",
		 dir, dir, dir);
	ok(!system(cmd), "sysfs with an ARM PMU is made");
	ok(!host__find(&host) && host.kind == HOST_ARM, "an ARM machine is found");
	is_str(host.pmu, "armv8_pmuv3_0", "an ARM machine is found by its PMU's name");
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

int main(void)
{
	test_host();
	test_group_size();
	return done_testing();
}
