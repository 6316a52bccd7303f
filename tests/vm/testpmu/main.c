// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <linux/module.h>

#include "testpmu.h"

static bool as_cpu;
module_param(as_cpu, bool, 0444);
MODULE_PARM_DESC(as_cpu, "be the PMU \"cpu\", which serves cycles, instructions and rNNN");

static bool as_intel_pt;
module_param(as_intel_pt, bool, 0444);
MODULE_PARM_DESC(as_intel_pt, "be the PMU \"intel_pt\", which plays a file into its AUX area");

static int __init testpmu_init(void)
{
	int err = counters__register(as_cpu);

	if (err)
		return err;
	err = testaux__register(as_intel_pt);
	if (err)
		counters__unregister();
	return err;
}

static void __exit testpmu_exit(void)
{
	testaux__unregister();
	counters__unregister();
}

module_init(testpmu_init);
module_exit(testpmu_exit);
MODULE_DESCRIPTION("PMUs for tests: four counters, and a pattern in an AUX area");
MODULE_LICENSE("Dual BSD/GPL");
