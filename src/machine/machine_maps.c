// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/machine_maps.h"

#include <string.h>
#include <sys/mman.h>

#include "data/recording.h"
#include "machine/proc_event.h"
#include "host/running_kernel.h"
#include "sym/kallsyms.h"
#include "sym/sym.h"

/* time_ns 0 means now; id identifies the file of an event without its own id, or is NULL. */
static void add_map(struct sym *sym, const struct proc_event *ev, uint64_t time_ns,
		    const struct sym_build_id *id)
{
	struct sym_build_id own = { .len = ev->build_id_sz };
	bool has_file = ev->maj || ev->min || ev->ino || ev->ino_generation;
	bool is_data = ev->kind == PROC_MMAP_DATA;
	struct sym_map map = {
		.time_ns = time_ns,
		.addr = ev->addr,
		.len = ev->len,
		.pgoff = ev->pgoff,
		.maj = ev->maj,
		.min = ev->min,
		.ino = ev->ino,
		.path = ev->path,
		.is_data = is_data,
		.is_shared = has_file && is_data && ev->flags & MAP_SHARED,
		.is_own = !has_file && !(ev->flags & MAP_SHARED),
		.build_id = ev->build_id ? &own : id,
	};

	if (ev->build_id)
		memcpy(own.bytes, ev->build_id, ev->build_id_sz);
	sym__on_mmap(sym, ev->pid, &map);
}

static void add_ksymbol(struct sym *sym, const struct proc_event *ev)
{
	struct sym_ksymbol ksymbol = {
		.addr = ev->addr,
		.len = (uint32_t)ev->len,
		.is_gone = ev->is_gone,
		.name = ev->name,
	};

	sym__on_ksymbol(sym, &ksymbol);
}

void machine_maps__on_event(struct sym *sym, const struct proc_event *ev, uint64_t time_ns)
{
	switch (ev->kind) {
	case PROC_FORK:
		sym__on_fork(sym, ev->pid, ev->parent_pid);
		break;
	case PROC_EXEC:
		sym__on_exec(sym, ev->pid);
		break;
	case PROC_EXIT:
		sym__on_exit(sym, ev->pid);
		break;
	case PROC_MMAP:
		add_map(sym, ev, time_ns, NULL);
		break;
	case PROC_KSYMBOL:
		add_ksymbol(sym, ev);
		break;
	case PROC_LOST:
		sym__on_lost(sym);
		break;
	default:
		break;
	}
}

/* path NULL: the kernel's. */
static bool id_of(const struct recording *rec, const char *path, struct sym_build_id *id)
{
	const struct recorded_dso *dso = recording__dso(rec, path);

	if (!dso)
		return false;
	id->len = dso->id.sz;
	memcpy(id->bytes, dso->id.bytes, dso->id.sz);
	return true;
}

/*
 * pgoff of "[kernel.kallsyms]_text" is the address of _text. The event's own id, if it has one, is
 * that of the kernel, too.
 */
static void set_kernel(struct sym *sym, const struct recording *rec, const struct proc_event *ev)
{
	struct sym_build_id id = { .len = ev->build_id ? ev->build_id_sz : 0 };
	struct sym_map map = { .addr = ev->addr, .len = ev->len, .path = ev->path };

	sym__on_kernel_mmap(sym, &map);
	if (strcmp(ev->path, "[kernel.kallsyms]_text") &&
	    strcmp(ev->path, "[kernel.kallsyms]_stext"))
		return;
	if (id.len)
		memcpy(id.bytes, ev->build_id, id.len);
	machine_maps__set_kernel(sym, rec, &id, ev->pgoff);
}

void machine_maps__set_kernel(struct sym *sym, const struct recording *rec,
			      const struct sym_build_id *id, uint64_t text)
{
	struct sym_build_id found = { .len = 0 };
	struct recorded_kernel kernel = {
		.id = id,
		.text = text,
		.origin = running_kernel__compare(rec->release, rec->arch),
		.release = rec->release,
		.arch = rec->arch,
		.has_bpf_programs = recording__has_bpf_programs(rec),
	};

	/*
	 * A file that was cut off states nothing, though it may be of this boot; a pipe that was
	 * saved states nothing if its perf is too old to do so.
	 */
	if (kernel.origin == KERNEL_UNSTATED && rec->is_pipe && !rec->is_live)
		kernel.origin = KERNEL_OTHER;
	if (!id || !id->len)
		kernel.id = id_of(rec, NULL, &found) ? &found : NULL;
	sym__set_recorded_kernel(sym, &kernel);
}

static void add_recorded(struct sym *sym, const struct recording *rec, const struct proc_event *ev)
{
	struct sym_build_id id;
	bool has_id = !ev->build_id && id_of(rec, ev->path, &id);

	/* Events of user code alone have no mapping of the kernel. */
	if (!strcmp(ev->path, "[vdso]") && !sym__knows_kernel(sym))
		machine_maps__set_kernel(sym, rec, NULL, 0);
	add_map(sym, ev, 0, has_id ? &id : NULL);
}

void machine_maps__on_recorded(struct sym *sym, const struct recording *rec,
			       const struct proc_event *ev)
{
	switch (ev->kind) {
	case PROC_FORK:
		sym__on_fork(sym, ev->pid, ev->parent_pid);
		break;
	case PROC_EXIT:
		sym__on_exit(sym, ev->pid);
		break;
	case PROC_MMAP:
	case PROC_MMAP_DATA:
		if (ev->is_kernel)
			set_kernel(sym, rec, ev);
		else
			add_recorded(sym, rec, ev);
		break;
	case PROC_KSYMBOL:
		add_ksymbol(sym, ev);
		break;
	default:
		/*
		 * EXEC does not drop mappings: a sample inside execve(2) that follows the record
		 * still has the caller's stack. The new program's mappings replace the old ones.
		 */
		break;
	}
}
