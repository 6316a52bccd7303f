// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The kernel's own names of events, as sysfs has them on such a machine (kernel: EVENT_ATTR_STR in
 * arch/x86/events/intel/core.c). Names that every PMU has come from model_names.
 */
#include "plan/model_tables.h"

/* clang-format off */
#define END { NULL, NULL }
#define TOPDOWN(retiring, bad, frontend, backend) \
	{ "topdown-retiring", retiring }, { "topdown-bad-spec", bad }, \
	{ "topdown-fe-bound", frontend }, { "topdown-be-bound", backend }
#define TRANSACTIONS \
	{ "tx-start", "event=0xc9,umask=0x1" }, { "tx-commit", "event=0xc9,umask=0x2" }, \
	{ "tx-abort", "event=0xc9,umask=0x4" }, { "tx-conflict", "event=0x54,umask=0x1" }, \
	{ "cycles-t", "event=0x3c,in_tx=1" }, { "cycles-ct", "event=0x3c,in_tx=1,in_tx_cp=1" }
#define METRIC_WORDS \
	{ "slots", "event=0x00,umask=0x4" }, \
	TOPDOWN("event=0x00,umask=0x80", "event=0x00,umask=0x81", "event=0x00,umask=0x82", \
		"event=0x00,umask=0x83")
/* clang-format on */

const struct pmu_word model_words_nhm[] = {
	{ "mem-loads", "event=0x0b,umask=0x10,ldlat=3" },
	END,
};

const struct pmu_word model_words_snb[] = {
	{ "mem-loads", "event=0xcd,umask=0x1,ldlat=3" },
	{ "mem-stores", "event=0xcd,umask=0x2" },
	{ "topdown-slots-issued", "event=0xe,umask=0x1" },
	{ "topdown-slots-retired", "event=0xc2,umask=0x2" },
	{ "topdown-fetch-bubbles", "event=0x9c,umask=0x1" },
	END,
};

const struct pmu_word model_words_hsw[] = {
	{ "mem-loads", "event=0xcd,umask=0x1,ldlat=3" },
	{ "mem-stores", "event=0xd0,umask=0x82" },
	{ "topdown-slots-issued", "event=0xe,umask=0x1" },
	{ "topdown-slots-retired", "event=0xc2,umask=0x2" },
	{ "topdown-fetch-bubbles", "event=0x9c,umask=0x1" },
	TRANSACTIONS,
	END,
};

const struct pmu_word model_words_icl[] = {
	{ "mem-loads", "event=0xcd,umask=0x1,ldlat=3" },
	{ "mem-stores", "event=0xd0,umask=0x82" },
	METRIC_WORDS,
	TRANSACTIONS,
	END,
};

const struct pmu_word model_words_glc[] = {
	{ "mem-loads", "event=0xcd,umask=0x1,ldlat=3" },
	{ "mem-stores", "event=0xcd,umask=0x2" },
	{ "mem-loads-aux", "event=0x03,umask=0x82" },
	METRIC_WORDS,
	{ "topdown-heavy-ops", "event=0x00,umask=0x84" },
	{ "topdown-br-mispredict", "event=0x00,umask=0x85" },
	{ "topdown-fetch-lat", "event=0x00,umask=0x86" },
	{ "topdown-mem-bound", "event=0x00,umask=0x87" },
	TRANSACTIONS,
	END,
};

const struct pmu_word model_words_slm[] = {
	{ "topdown-total-slots", "event=0x3c" },
	{ "topdown-fetch-bubbles", "event=0xca,umask=0x50" },
	{ "topdown-slots-issued", "event=0xc2,umask=0x10" },
	{ "topdown-slots-retired", "event=0xc2,umask=0x10" },
	END,
};

const struct pmu_word model_words_glm[] = {
	{ "topdown-total-slots", "event=0x3c" },
	{ "topdown-fetch-bubbles", "event=0x9c" },
	{ "topdown-recovery-bubbles", "event=0xca,umask=0x02" },
	{ "topdown-slots-retired", "event=0xc2" },
	{ "topdown-slots-issued", "event=0x0e" },
	END,
};

const struct pmu_word model_words_tnt[] = {
	TOPDOWN("event=0xc2,umask=0x0", "event=0x73,umask=0x6", "event=0x71,umask=0x0",
		"event=0x74,umask=0x0"),
	END,
};

const struct pmu_word model_words_grt[] = {
	{ "mem-loads", "event=0xd0,umask=0x5,ldlat=3" },
	{ "mem-stores", "event=0xd0,umask=0x6" },
	TOPDOWN("event=0xc2,umask=0x0", "event=0x73,umask=0x0", "event=0x71,umask=0x0",
		"event=0x74,umask=0x0"),
	END,
};

const struct pmu_word model_words_cmt[] = {
	{ "mem-loads", "event=0xd0,umask=0x5,ldlat=3" },
	{ "mem-stores", "event=0xd0,umask=0x6" },
	TOPDOWN("event=0x72,umask=0x0", "event=0x73,umask=0x0", "event=0x71,umask=0x0",
		"event=0x74,umask=0x0"),
	END,
};

const struct pmu_word model_words_skt[] = {
	{ "mem-loads", "event=0xd0,umask=0x5,ldlat=3" },
	{ "mem-stores", "event=0xd0,umask=0x6" },
	TOPDOWN("event=0xc2,umask=0x02", "event=0x73,umask=0x0", "event=0x9c,umask=0x01",
		"event=0xa4,umask=0x02"),
	END,
};
