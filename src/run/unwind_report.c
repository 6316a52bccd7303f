// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/unwind_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "machine/machine.h"
#include "machine/proc_event.h"
#include "lang/codes.h"
#include "lang/runtimes.h"
#include "session/interp.h"
#include "session/unwinder.h"
#include "sym/sym.h"
#include "util/log.h"
#include "util/strbuf.h"

const char *const unwind_modes[] = {
	[UNWIND_KERNEL] = "fp", [UNWIND_AUTO] = "auto", [UNWIND_TABLES] = "cfi", NULL
};

const char *const interp_modes[] = { [INTERP_AUTO] = "auto", [INTERP_OFF] = "off", NULL };

uint32_t interp_modes__omitted(const struct interp_modes *modes)
{
	return (uint32_t)(modes->python == INTERP_OFF) << INTERP_PYTHON |
	       (uint32_t)(modes->ruby == INTERP_OFF) << INTERP_RUBY;
}

static int define(void *ctx, const void *def, size_t sz)
{
	int err = codes__define(ctx, def, sz);

	return err == -ENOMEM ? err : 0;
}

static void fill(struct codes *codes, void *interp)
{
	interp__drain(interp, define, codes);
}

int unwind_report__take_codes(struct unwinder *u, struct sym *sym)
{
	struct codes *codes = sym__codes(sym);
	struct interp *interp = unwinder__interp(u);

	codes->fill = interp ? fill : NULL;
	codes->fill_ctx = interp;
	return interp__drain(interp, define, codes);
}

static int on_event(void *ctx, const struct proc_event *ev, const struct record *rec)
{
	struct unwinder *u = ctx;

	if (ev->kind == PROC_MMAP)
		unwinder__on_mmap(u, ev->pid, rec->time_ns);
	else if (ev->kind == PROC_EXEC || ev->kind == PROC_EXIT)
		unwinder__on_gone(u);
	return 0;
}

static void on_dump(void *ctx, int32_t pid)
{
	unwinder__on_dump(ctx, pid);
}

void unwind_report__subscribe(struct unwinder *u, struct machine *machine,
			      struct machine_subscriber *sub)
{
	if (!u)
		return;
	*sub = (struct machine_subscriber){ .fn = on_event, .ctx = u };
	machine__subscribe_at_read(machine, sub);
	sym__tell_dumps(machine->sym, on_dump, u);
}

/* A machine may run many processes of one runtime: the first few suffice. */
#define UNNAMED_TOLD 3

static void tell_unnamed(void *ctx, const struct runtime *runtime, int32_t pid, uint64_t cnt)
{
	int *told = ctx;
	char id[16] = "";

	if (++*told > UNNAMED_TOLD)
		return;
	if (runtime->after)
		snprintf(id, sizeof(id), "%d", pid);
	log_note("functions that %s compiled at %llu addresses in process %d have no names: %s%s%s",
		 runtime->name, (unsigned long long)cnt, pid, runtime->hint, id,
		 runtime->after ? runtime->after : "");
}

void unwind_report__unnamed(const struct sym *sym)
{
	int told = 0;

	sym__each_unnamed(sym, tell_unnamed, &told);
	if (told > UNNAMED_TOLD)
		log_note("%d more processes have such functions", told - UNNAMED_TOLD);
}

/* Why walks ended before the outermost frame. */
static const char *const causes[UNWIND_END_CNT] = {
	[UNWIND_NO_RULE] = "neither a rule nor a frame pointer",
	[UNWIND_REG_GONE] = "a register with an unknown value",
	[UNWIND_NO_MEMORY] = "stack memory that could not be read",
	[UNWIND_NOT_RISING] = "a frame not above the one before",
	[UNWIND_FULL] = "more frames than the limit",
	[UNWIND_NOT_YET] = "a table that was not built yet",
	[UNWIND_INTERPRETER] =
		"frames of an interpreter that cannot be read, or do not fit the others",
};

static void list_incomplete(const struct unwinder_stats *st, uint64_t walks)
{
	struct strbuf sb = STRBUF_INIT;
	uint64_t incomplete = 0;
	int i;

	for (i = UNWIND_NO_RULE; i < UNWIND_END_CNT; i++) {
		if (!st->ends[i] || i == UNWIND_GONE)
			continue;
		incomplete += st->ends[i];
		strbuf__printf(&sb, "%s%llu %s", sb.len ? ", " : "",
			       (unsigned long long)st->ends[i], causes[i]);
	}
	if (incomplete)
		log_note("%llu of %llu user stacks are not complete: %s",
			 (unsigned long long)incomplete, (unsigned long long)walks,
			 strbuf__cstr(&sb));
	strbuf__free(&sb);
	/* The kernel has freed the memory with the stack: there is none that could be complete. */
	if (st->ends[UNWIND_GONE])
		log_note("%llu stacks in exit and exec have no user part: the memory with it was "
			 "freed already",
			 (unsigned long long)st->ends[UNWIND_GONE]);
}

void unwind_report__summary(struct unwinder *u)
{
	struct unwinder_stats st;
	uint64_t walks = 0;
	int i;

	if (!u)
		return;
	unwinder__stats(u, &st);
	for (i = 0; i < UNWIND_END_CNT; i++)
		walks += st.ends[i];
	walks += st.no_proc;
	log_note("unwind tables: %zu files, %.1f MiB", st.files.cnt,
		 (double)st.files.sz / (1 << 20));
	if (st.no_proc)
		log_note("%llu of %llu user stacks are by frame pointers at best: the tables of "
			 "their process were not built yet",
			 (unsigned long long)st.no_proc, (unsigned long long)walks);
	list_incomplete(&st, walks - st.ends[UNWIND_GONE]);
	if (st.frames_by_fp)
		log_note("%llu of %llu user frames are by frame pointers, where there was no table",
			 (unsigned long long)st.frames_by_fp, (unsigned long long)st.frames);
	log_info("%llu user frames; %llu tables built in %.1f ms, %llu freed",
		 (unsigned long long)st.frames, (unsigned long long)st.files.made,
		 (double)st.files.build_ns / 1e6, (unsigned long long)st.files.given_back);
	if (st.files.refused)
		log_warn("%llu files have no unwind table: the tables of other files fill the "
			 "limit of %zu MiB; select fewer processes",
			 (unsigned long long)st.files.refused, st.files.sz >> 20);
	if (st.sets_refused)
		log_warn("there was no room for the mappings of more processes %llu times, so that "
			 "stacks of some have no tables; select fewer processes",
			 (unsigned long long)st.sets_refused);
	if (st.interp.frames)
		log_note("%llu frames of interpreters, of %llu code objects",
			 (unsigned long long)st.interp.frames, (unsigned long long)st.interp.codes);
	if (st.interp.unsent)
		log_warn(
			"frames of interpreters have no name %llu times: their ring was full; give fewer "
			"targets, or a lower -F",
			(unsigned long long)st.interp.unsent);
	if (st.ask_lost)
		log_info("%llu requests for a table were dropped for lack of room",
			 (unsigned long long)st.ask_lost);
}
