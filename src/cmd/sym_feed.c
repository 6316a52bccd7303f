// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/sym_feed.h"

#include <string.h>

#include "decode/proc_record.h"
#include "session/targets.h"
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

void sym_feed__record(struct sym *sym, const struct record *rec)
{
	struct proc_event ev;
	struct sym_build_id build_id;
	struct sym_ksymbol ksymbol;
	struct sym_map map;

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
		map = (struct sym_map){
			.time_ns = rec->time_ns,
			.addr = ev.addr,
			.len = ev.len,
			.pgoff = ev.pgoff,
			.maj = ev.maj,
			.min = ev.min,
			.ino = ev.ino,
			.path = ev.path,
		};
		if (ev.build_id) {
			build_id.len = ev.build_id_sz;
			memcpy(build_id.bytes, ev.build_id, ev.build_id_sz);
			map.build_id = &build_id;
		}
		sym__on_mmap(sym, ev.pid, &map);
		break;
	case PROC_KSYMBOL:
		ksymbol = (struct sym_ksymbol){
			.addr = ev.addr,
			.len = (uint32_t)ev.len,
			.is_gone = ev.is_gone,
			.name = ev.name,
		};
		sym__on_ksymbol(sym, &ksymbol);
		break;
	case PROC_MMAP_DATA:
	case PROC_NOTHING:
		break;
	}
}
