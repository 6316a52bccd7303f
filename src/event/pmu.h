/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The PMUs of sysfs: their type number, the bit fields of config, their named events. */
#ifndef BPFPERF_EVENT_PMU_H
#define BPFPERF_EVENT_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"

struct pmu_format {
	char *name;
	uint8_t word; /* 0: config, 1: config1, 2: config2 */
	uint64_t mask; /* bits of that word that hold the value, lowest first */
};

struct pmu {
	char *name;
	uint32_t type; /* perf_event_attr.type */
	char *cpus; /* list of CPUs ("0,28") on which to open it, or NULL: any */
	bool system_wide; /* counts for a package or the machine, never for one task */
	bool is_core; /* supports cycles and instructions: a CPU's own counters */
	struct pmu_format *formats;
	size_t format_cnt;
};

/* Uses another /sys/bus/event_source/devices, for tests; NULL: the real one. `dir` is copied. */
void pmu__set_sysfs(const char *dir);

/* Lists the names of all PMUs, sorted; free with pmu__free_names(). 0 or -errno. */
int pmu__names(char ***names, size_t *cnt);
/* Lists the events of PMU `name` in sysfs, sorted; none if it has no such directory. */
int pmu__aliases(const char *name, char ***aliases, size_t *cnt);
void pmu__free_names(char **names, size_t cnt);

/* Reads one PMU. NULL and errno: ENOENT if there is none of that name. */
struct pmu *pmu__load(const char *name);
void pmu__free(struct pmu *pmu);

/* The terms of the PMU's event `alias` ("event=0x3c,umask=0x1"); caller frees. NULL and errno. */
char *pmu__alias_terms(const struct pmu *pmu, const char *alias);
/* Sets unit and scale of `ev` from the files next to the alias in sysfs. 0 or -ENOMEM. */
int pmu__alias_unit(const struct pmu *pmu, const char *alias, struct event *ev);
/* true if the PMU has an event of that name. */
bool pmu__has_alias(const char *name, const char *alias);

/* The field of that name, or NULL. config, config1 and config2 are fields of every PMU. */
const struct pmu_format *pmu__format(const struct pmu *pmu, const char *name);
/* Largest value of the field. */
uint64_t pmu_format__max(const struct pmu_format *format);
/* Stores `val` (at most the field's largest) in its bits of the event; other bits are unchanged. */
void pmu_format__set(const struct pmu_format *format, struct event *ev, uint64_t val);
/*
 * Sets field `key` to the number in `text` (decimal or 0x…; NULL: sets a field of one bit). 0,
 * -ENOENT (no such field), -EDOM (it needs a value), -EINVAL (no number), -ERANGE.
 */
int pmu__set_field(const struct pmu *pmu, struct event *ev, const char *key, const char *text);

/*
 * Reads a number of a file below the PMU's directory in sysfs ("caps/mtc"), of this base (0: as C
 * writes it); a negative one as two's complement. 0, or -errno: -ENOENT, -EINVAL if it is no
 * number.
 */
int pmu__read_number(const char *name, const char *file, int base, uint64_t *val);
/* Returns whether the PMU has a file of this name below its directory. */
bool pmu__has_file(const char *name, const char *file);
/*
 * Sets the fields that perf sets in events of this PMU unless its terms do: those of intel_pt that
 * its CPU has, times and context ids of cs_etm, times of arm_spe.
 */
void pmu__set_defaults(const struct pmu *pmu, struct event *ev);

/*
 * Creates the event "PMU/alias/", for a caller that tries all of them: no message. NULL and errno:
 * ENOENT, EINVAL if the alias has an unknown term or one that the user must specify, others if it
 * cannot be read.
 */
struct event *pmu_event__of_alias(const struct pmu *pmu, const char *alias);

#endif
