// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/sym_feed.h"

#include <string.h>

#include "machine/proc_event.h"
#include "target/targets.h"
#include "sym/sym.h"

void sym_feed__start(struct sym *sym, const struct targets *targets, bool by_task)
{
	size_t i;

	if (!by_task) {
		sym__add_all_processes(sym);
		return;
	}
	for (i = 0; i < targets->pid_cnt; i++)
		sym__add_process(sym, targets->pids[i]);
	/* Threads of -t: /proc/TID/maps is the process's; sym reads it when the process is met. */
}

void sym_feed__map(struct sym *sym, const struct proc_event *ev, uint64_t time_ns,
		   const struct sym_build_id *id)
{
	struct sym_build_id told = { .len = ev->build_id_sz };
	struct sym_map map = {
		.time_ns = time_ns,
		.addr = ev->addr,
		.len = ev->len,
		.pgoff = ev->pgoff,
		.maj = ev->maj,
		.min = ev->min,
		.ino = ev->ino,
		.path = ev->path,
		.is_data = ev->kind == PROC_MMAP_DATA,
		.build_id = ev->build_id ? &told : id,
	};

	if (ev->build_id)
		memcpy(told.bytes, ev->build_id, ev->build_id_sz);
	sym__on_mmap(sym, ev->pid, &map);
}

void sym_feed__ksymbol(struct sym *sym, const struct proc_event *ev)
{
	struct sym_ksymbol ksymbol = {
		.addr = ev->addr,
		.len = (uint32_t)ev->len,
		.is_gone = ev->is_gone,
		.name = ev->name,
	};

	sym__on_ksymbol(sym, &ksymbol);
}

void sym_feed__record(struct sym *sym, const struct record *rec)
{
	struct proc_event ev;

	if (rec->hdr->type == PERF_RECORD_LOST) {
		sym__on_lost(sym);
		return;
	}
	proc_record__parse(rec->hdr, &ev);
	switch (ev.kind) {
	case PROC_FORK:
		sym__on_fork(sym, ev.pid, ev.parent_pid);
		break;
	case PROC_EXEC:
		sym__on_exec(sym, ev.pid);
		break;
	case PROC_EXIT:
		sym__on_exit(sym, ev.pid);
		break;
	case PROC_MMAP:
		sym_feed__map(sym, &ev, rec->time_ns, NULL);
		break;
	case PROC_KSYMBOL:
		sym_feed__ksymbol(sym, &ev);
		break;
	case PROC_MMAP_DATA:
	case PROC_NOTHING:
		break;
	}
}
