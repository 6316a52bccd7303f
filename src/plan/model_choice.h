/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The models as a user sees them: chosen by name, printed as a table, their events by name. */
#ifndef BPFPERF_PLAN_MODEL_CHOICE_H
#define BPFPERF_PLAN_MODEL_CHOICE_H

#include <stdint.h>

#include "plan/model.h"
#include "plan/plan.h"
#include "util/strbuf.h"

/*
 * The model of a name or alias, or of "armv8:N", "counters:N". NULL: there is none, and a sentence
 * with the nearest names is logged.
 */
const struct model *model_choice__find(const char *name);
/*
 * Takes event names from `model` from now on: libpfm4's, and those that its kernel has in sysfs.
 * NULL: this machine's again.
 */
void model_choice__use_names(const struct model *model);
/* Notes which CPU gave the names if libpfm4 has none of `model` and a name of it was looked up. */
void model_choice__note_names(const struct model *model);
/* Notes how events are written if no list has names of the PMU's. */
void model_choice__note_nameless(const struct model *model);
/*
 * Appends a table of all models: name, counters, title, aliases. `host` (may be NULL) is this
 * machine's, which is marked.
 */
void model_choice__put_all(const struct model *host, struct strbuf *out);

/*
 * Describes the machine that a model stands for where nothing else is said: this kernel, and
 * hyper-threading and the watchdog where the family has them.
 */
void model_choice__describe(const struct model *model, struct plan_machine *machine);

/* An event of a model: its name in small letters, its code, and counters that can count it. */
typedef void (*model_event_fn)(void *ctx, const char *name, uint64_t code, const char *counters);
/*
 * Calls `fn` for each event that libpfm4 and the kernel name for `model`, sorted by name, once for
 * each name. After model_choice__use_names(model). 0 or -ENOMEM.
 */
int model_choice__each_event(const struct model *model, model_event_fn fn, void *ctx);

#endif
