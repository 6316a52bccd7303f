// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/replay_machine.h"

#include <string.h>

#include "machine/sym_feed.h"
#include "data/bytes.h"
#include "data/recording.h"
#include "machine/proc_event.h"
#include "sym/sym.h"

void replay_machine__start(struct sym *sym, const struct recording *rec,
			   const struct sym_options *options)
{
	struct sym_options all = options ? *options : (struct sym_options){ 0 };

	all.offline = true;
	all.recorded_real_ns = rec->mtime_real_ns;
	sym__configure(sym, &all);
}

bool replay_machine__may_unwind(const struct recording *rec)
{
	size_t i;

	for (i = 0; i < rec->attrs.cnt; i++)
		if (rec->attrs.events[i].attr.sample_type & PERF_SAMPLE_STACK_USER)
			return true;
	return rec->is_pipe;
}

static bool id_of(const struct recording *rec, const char *path, bool is_kernel,
		  struct sym_build_id *id)
{
	size_t i;

	for (i = 0; i < rec->dso_cnt; i++) {
		const struct recorded_dso *dso = &rec->dsos[i];

		if (is_kernel ? !dso->is_kernel || dso->path[0] != '[' : strcmp(dso->path, path))
			continue;
		id->len = dso->id.sz;
		memcpy(id->bytes, dso->id.bytes, dso->id.sz);
		return true;
	}
	return false;
}

/* Where the kernel was: pgoff of "[kernel.kallsyms]_text" is the address of its _text. */
static void kernel_map(struct sym *sym, const struct recording *rec, const char *name,
		       uint64_t pgoff)
{
	struct sym_build_id id;

	if (strcmp(name, "[kernel.kallsyms]_text") && strcmp(name, "[kernel.kallsyms]_stext"))
		return;
	sym__set_recorded_kernel(sym, id_of(rec, name, true, &id) ? &id : NULL, pgoff);
}

static void user_map(struct sym *sym, const struct recording *rec, const struct proc_event *ev)
{
	struct sym_build_id id;
	bool has_id = !ev->build_id && id_of(rec, ev->path, false, &id);

	sym_feed__map(sym, ev, 0, has_id ? &id : NULL);
}

/* PERF_RECORD_MMAP: of the kernel, and of kernels and recorders that have no MMAP2. */
static void old_map(struct sym *sym, const struct recording *rec,
		    const struct perf_event_header *hdr)
{
	struct bytes b = bytes__of(hdr + 1, hdr->size - sizeof(*hdr), false);
	bool is_data = hdr->misc & PERF_RECORD_MISC_MMAP_DATA;
	struct proc_event ev = { .kind = is_data ? PROC_MMAP_DATA : PROC_MMAP };

	ev.pid = (int32_t)bytes__u32(&b);
	bytes__u32(&b);
	ev.addr = bytes__u64(&b);
	ev.len = bytes__u64(&b);
	ev.pgoff = bytes__u64(&b);
	ev.path = bytes__text(&b);
	if (!ev.path)
		return;
	if ((hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
		kernel_map(sym, rec, ev.path, ev.pgoff);
	else
		user_map(sym, rec, &ev);
}

void replay_machine__record(struct sym *sym, const struct recording *rec,
			    const struct perf_event_header *hdr, uint64_t time_ns)
{
	bool is_kernel = (hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	struct proc_event ev;

	if (hdr->type == PERF_RECORD_MMAP) {
		old_map(sym, rec, hdr);
		return;
	}
	proc_record__parse(hdr, &ev);
	switch (ev.kind) {
	case PROC_FORK:
		sym__on_fork(sym, ev.pid, ev.parent_pid);
		break;
	case PROC_EXIT:
		sym__on_exit(sym, ev.pid);
		break;
	case PROC_MMAP:
		if (is_kernel)
			kernel_map(sym, rec, ev.path, ev.pgoff);
		else
			user_map(sym, rec, &ev);
		break;
	case PROC_MMAP_DATA:
		user_map(sym, rec, &ev);
		break;
	case PROC_KSYMBOL:
		sym_feed__ksymbol(sym, &ev);
		break;
	case PROC_EXEC:
		/*
		 * A sample inside execve(2) has the stack that called it, after this record. What
		 * was mapped goes as the new program's mappings come in its place.
		 */
	case PROC_NOTHING:
		break;
	}
}
