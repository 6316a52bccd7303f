// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The kernel's driver of Apple's PMUs (drivers/perf/apple_m1_cpu_pmu.c, which build-testpmu puts
 * beside this file) on memory in place of the registers, for virtual machines. Which counter an
 * event gets, and whether a group fits, are the driver's decisions and those of the kernel's own
 * arm_pmu.c; nothing is counted. docs/testpmu.md says how it is used.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/perf/arm_pmu.h>
#include <linux/platform_device.h>
#include <linux/version.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#include <linux/perf/arm_pmuv3.h>
#endif

#include <asm/apple_m1_pmu.h>
#include <asm/irq_regs.h>
#include <asm/perf_event.h>
#include <asm/sysreg.h>
#include <asm/virt.h>

/* A core's registers differ by op1 and CRm. */
static DEFINE_PER_CPU(u64[128], registers);

static u64 *register_at(u32 reg)
{
	return &(*this_cpu_ptr(&registers))[sys_reg_Op1(reg) << 4 | sys_reg_CRm(reg)];
}

/* The kernel does not export these. */
static struct {
	typeof(armpmu_alloc) *alloc;
	typeof(armpmu_register) *do_register;
	typeof(armpmu_map_event) *map_event;
	typeof(armpmu_event_update) *event_update;
	typeof(armpmu_event_set_period) *set_period;
	typeof(perf_event_overflow) *overflow;
} kernel;

#undef read_sysreg_s
#undef write_sysreg_s
#define read_sysreg_s(reg) (*register_at(reg))
#define write_sysreg_s(value, reg) (*register_at(reg) = (value))
#define armpmu_map_event(...) kernel.map_event(__VA_ARGS__)
#define armpmu_event_update(event) kernel.event_update(event)
#define armpmu_event_set_period(event) kernel.set_period(event)
#define perf_event_overflow(...) kernel.overflow(__VA_ARGS__)
/* No interrupt comes. */
#define get_irq_regs() ((struct pt_regs *)NULL)
/* Linux on these machines runs in EL2. */
#define is_kernel_in_hyp_mode() true
/* There is no device to find. */
#define arm_pmu_device_probe(...) (-ENODEV)
#undef module_platform_driver
#define module_platform_driver(driver)                                                             \
	static struct platform_driver *const no_driver __maybe_unused = &driver

#include "apple_m1_cpu_pmu.c"

static char *core = "firestorm";
module_param(core, charp, 0444);
MODULE_PARM_DESC(core, "firestorm, icestorm, avalanche, blizzard");

/* The address of what the kernel keeps to itself, by way of a probe on it. */
static void *find(const char *name)
{
	struct kprobe probe = { .symbol_name = name };
	void *addr;

	if (register_kprobe(&probe))
		return NULL;
	addr = (void *)probe.addr;
	unregister_kprobe(&probe);
	return addr;
}

static bool find_all(void)
{
	kernel.alloc = find("armpmu_alloc");
	kernel.do_register = find("armpmu_register");
	kernel.map_event = find("armpmu_map_event");
	kernel.event_update = find("armpmu_event_update");
	kernel.set_period = find("armpmu_event_set_period");
	kernel.overflow = find("perf_event_overflow");
	return kernel.alloc && kernel.do_register && kernel.map_event && kernel.event_update &&
	       kernel.set_period && kernel.overflow;
}

static int __init applepmu_init(void)
{
	const struct of_device_id *id;
	struct arm_pmu *pmu;
	char compatible[64];
	armpmu_init_fn init;
	int err;

	snprintf(compatible, sizeof(compatible), "apple,%s-pmu", core);
	for (id = m1_pmu_of_device_ids; id->compatible[0]; id++)
		if (!strcmp(id->compatible, compatible))
			break;
	if (!id->compatible[0])
		return -EINVAL;
	if (!find_all())
		return -ENOENT;
	pmu = kernel.alloc();
	if (!pmu)
		return -ENOMEM;
	init = id->data;
	cpumask_setall(&pmu->supported_cpus);
	err = init(pmu);
	/* Until the machine ends: the kernel has no way to take such a PMU back. */
	return err ? err : kernel.do_register(pmu);
}

module_init(applepmu_init);
MODULE_DESCRIPTION("The kernel's driver of Apple's PMUs, without its hardware");
MODULE_LICENSE("GPL");
