// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/proc_event.h"

#include <string.h>
#include <sys/mman.h>

#include "data/proc_layout.h"

static void parse_fork(const struct fork_record *r, struct proc_event *ev)
{
	if (r->hdr.size < sizeof(*r))
		return;
	ev->pid = (int32_t)r->pid;
	ev->parent_pid = (int32_t)r->ppid;
	if (r->hdr.type == PERF_RECORD_EXIT)
		ev->kind = r->pid == r->tid ? PROC_EXIT : PROC_NOTHING;
	else
		ev->kind = r->pid != r->ppid ? PROC_FORK : PROC_NOTHING;
}

static void parse_comm(const struct comm_record *r, struct proc_event *ev)
{
	if (r->hdr.size < sizeof(*r) || !(r->hdr.misc & PERF_RECORD_MISC_COMM_EXEC))
		return;
	ev->pid = (int32_t)r->pid;
	ev->kind = PROC_EXEC;
}

static void parse_mmap2(const struct mmap2_record *r, struct proc_event *ev)
{
	if (r->hdr.size <= sizeof(*r) || !memchr(r->path, '\0', r->hdr.size - sizeof(*r)))
		return;
	ev->kind = r->prot & PROT_EXEC ? PROC_MMAP : PROC_MMAP_DATA;
	ev->pid = (int32_t)r->pid;
	ev->addr = r->addr;
	ev->len = r->len;
	ev->pgoff = r->pgoff;
	if (!(r->hdr.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		ev->maj = r->maj;
		ev->min = r->min;
		ev->ino = r->ino;
	} else if (r->build_id_sz <= sizeof(r->build_id)) {
		ev->build_id_sz = r->build_id_sz;
		ev->build_id = r->build_id;
	}
	ev->path = r->path;
}

static void parse_ksymbol(const struct ksymbol_record *r, struct proc_event *ev)
{
	if (r->hdr.size <= sizeof(*r) || !memchr(r->name, '\0', r->hdr.size - sizeof(*r)))
		return;
	ev->kind = PROC_KSYMBOL;
	ev->addr = r->addr;
	ev->len = r->len;
	ev->is_gone = r->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
	ev->name = r->name;
}

void proc_record__parse(const struct perf_event_header *hdr, struct proc_event *ev)
{
	*ev = (struct proc_event){ .kind = PROC_NOTHING };
	switch (hdr->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		parse_fork((const void *)hdr, ev);
		break;
	case PERF_RECORD_COMM:
		parse_comm((const void *)hdr, ev);
		break;
	case PERF_RECORD_MMAP2:
		parse_mmap2((const void *)hdr, ev);
		break;
	case PERF_RECORD_KSYMBOL:
		parse_ksymbol((const void *)hdr, ev);
		break;
	default:
		break;
	}
}
