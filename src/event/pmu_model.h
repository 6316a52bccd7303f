/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The core PMU of another CPU model: PMU/term=value/ for a CPU that differs from this machine's. */
#ifndef BPFPERF_EVENT_PMU_MODEL_H
#define BPFPERF_EVENT_PMU_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "event/pmu.h"
#include "util/suggest.h"

/* An event that the kernel names in sysfs, with its terms as there: "event=0x00,umask=0x4". */
struct pmu_word {
	const char *name, *terms;
};

/* A term's bits: those of `mask` in config (word 0), config1 or config2. */
struct pmu_field {
	const char *name;
	uint8_t word;
	uint64_t mask;
};

/* The fields that a PMU has: those of arch/x86/events/intel, …/amd, drivers/perf/arm_pmuv3.c. */
enum pmu_model_kind {
	PMU_MODEL_INTEL,
	PMU_MODEL_AMD,
	PMU_MODEL_ARM,
	/*
	 * No machine's: every name is a PMU with events that name their counters,
	 * A/counters=0x9,overlap/. The mask becomes config, 0: any counter; the terms without a
	 * value become config1.
	 */
	PMU_MODEL_MASKS,
	/* one beside the cores': its terms are in pmu_model.fields, and its events no core's */
	PMU_MODEL_UNCORE,
};

/* The terms of a PMU with events that name their counters; config1 is a set of them. */
enum own_mask_term {
	OWN_MASK_CORRUPTING = 1 << 1,
	OWN_MASK_OVERLAP = 1 << 2,
	OWN_MASK_NORTHBRIDGE = 1 << 8,
	OWN_MASK_PAIR = 1 << 9,
};

struct pmu_model {
	const char *name; /* in sysfs: "cpu_core"; "cpu" means it as well */
	enum pmu_model_kind kind;
	const struct pmu_word *words; /* name NULL ends; NULL: none */
	const struct pmu_field *fields; /* PMU_MODEL_UNCORE; name NULL ends */
	const uint64_t *hw; /* ten codes by PERF_COUNT_HW_*, 0: none; NULL: none at all */
};

/*
 * Makes `model` (copied; what it points to must stay valid) the core PMU from now on; NULL: this
 * machine's PMUs again.
 */
void pmu_model__use(const struct pmu_model *model);
/* true if `name` is the PMU that replaces the one in sysfs. */
bool pmu_model__is(const char *name);
/* Its name, or NULL. */
const char *pmu_model__name(void);
/* Returns that PMU as `name`; NULL and errno ENOMEM. Free with pmu__free(). */
struct pmu *pmu_model__load(const char *name);
/*
 * The terms of its event `alias`, one of the words or of perf's names for hardware events; the
 * caller frees. NULL and errno: ENOENT, ENOMEM.
 */
char *pmu_model__terms(const char *alias);
/* Offers the words and perf's names that it has. */
void pmu_model__suggest(struct suggest *sg);
/* The command that lists events: of the model in use, or of this machine. */
const char *pmu_model__list(void);
/* Do the events of the model in use name their counters, NAME/counters=MASK/? */
bool pmu_model__names_counters(void);
/* Is `alias` one of the words? */
bool pmu_model__has_word(const char *alias);

#endif
