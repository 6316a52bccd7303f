// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/proc_event.h"

#include <string.h>
#include <sys/mman.h>

#include "data/proc_layout.h"

static void parse_task(const struct fork_record *r, struct proc_event *ev)
{
	if (r->hdr.size < sizeof(*r))
		return;
	if (r->hdr.type == PERF_RECORD_EXIT)
		ev->kind = r->pid == r->tid ? PROC_EXIT : PROC_THREAD_EXIT;
	else
		ev->kind = r->pid != r->ppid ? PROC_FORK : PROC_THREAD;
	ev->pid = (int32_t)r->pid;
	ev->tid = (int32_t)r->tid;
	ev->parent_pid = (int32_t)r->ppid;
	ev->parent_tid = (int32_t)r->ptid;
}

static void parse_comm(const struct comm_record *r, struct proc_event *ev)
{
	if (r->hdr.size < sizeof(*r))
		return;
	ev->kind = r->hdr.misc & PERF_RECORD_MISC_COMM_EXEC ? PROC_EXEC : PROC_COMM;
	ev->pid = (int32_t)r->pid;
	ev->tid = (int32_t)r->tid;
	ev->comm = r->comm;
	ev->comm_sz = r->hdr.size - sizeof(*r);
}

static bool is_kernel(const struct perf_event_header *hdr)
{
	return (hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

/* MMAP is used for the kernel's own mappings, and by recorders and kernels without MMAP2. */
static void parse_mmap(const struct mmap_record *r, struct proc_event *ev)
{
	if (r->hdr.size <= sizeof(*r) || !memchr(r->path, '\0', r->hdr.size - sizeof(*r)))
		return;
	ev->kind = r->hdr.misc & PERF_RECORD_MISC_MMAP_DATA ? PROC_MMAP_DATA : PROC_MMAP;
	ev->is_kernel = is_kernel(&r->hdr);
	ev->pid = (int32_t)r->pid;
	ev->tid = (int32_t)r->tid;
	ev->addr = r->addr;
	ev->len = r->len;
	ev->pgoff = r->pgoff;
	ev->path = r->path;
}

static void parse_mmap2(const struct mmap2_record *r, struct proc_event *ev)
{
	if (r->hdr.size <= sizeof(*r) || !memchr(r->path, '\0', r->hdr.size - sizeof(*r)))
		return;
	ev->kind = r->prot & PROT_EXEC ? PROC_MMAP : PROC_MMAP_DATA;
	ev->is_kernel = is_kernel(&r->hdr) && (ev->kind == PROC_MMAP || r->pid == UINT32_MAX);
	ev->has_file_id = true;
	ev->pid = (int32_t)r->pid;
	ev->tid = (int32_t)r->tid;
	ev->addr = r->addr;
	ev->len = r->len;
	ev->pgoff = r->pgoff;
	if (!(r->hdr.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		ev->maj = r->maj;
		ev->min = r->min;
		ev->ino = r->ino;
		ev->ino_generation = r->ino_generation;
	} else if (r->build_id_sz <= sizeof(r->build_id)) {
		ev->build_id_sz = r->build_id_sz;
		ev->build_id = r->build_id;
	} else {
		ev->has_file_id = false;
	}
	ev->prot = r->prot;
	ev->flags = r->flags;
	ev->path = r->path;
}

static void parse_ksymbol(const struct ksymbol_record *r, struct proc_event *ev)
{
	if (r->hdr.size <= sizeof(*r) || !memchr(r->name, '\0', r->hdr.size - sizeof(*r)))
		return;
	ev->kind = PROC_KSYMBOL;
	ev->addr = r->addr;
	ev->len = r->len;
	ev->type = r->type;
	ev->flags = r->flags;
	ev->is_gone = r->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
	ev->name = r->name;
}

static void parse_throttle(const struct throttle_record *r, struct proc_event *ev)
{
	if (r->hdr.size < sizeof(*r))
		return;
	ev->kind = r->hdr.type == PERF_RECORD_THROTTLE ? PROC_THROTTLE : PROC_UNTHROTTLE;
	ev->id = r->id;
}

static void parse_itrace_start(const struct itrace_start_record *r, struct proc_event *ev)
{
	if (r->hdr.size < sizeof(*r))
		return;
	ev->kind = PROC_RUNS;
	ev->pid = (int32_t)r->pid;
	ev->tid = (int32_t)r->tid;
}

void proc_event__parse(const struct perf_event_header *hdr, struct proc_event *ev)
{
	const void *rec = hdr;

	*ev = (struct proc_event){ .kind = PROC_NOTHING };
	switch (hdr->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		parse_task(rec, ev);
		break;
	case PERF_RECORD_COMM:
		parse_comm(rec, ev);
		break;
	case PERF_RECORD_MMAP:
		parse_mmap(rec, ev);
		break;
	case PERF_RECORD_MMAP2:
		parse_mmap2(rec, ev);
		break;
	case PERF_RECORD_KSYMBOL:
		parse_ksymbol(rec, ev);
		break;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		parse_throttle(rec, ev);
		break;
	case PERF_RECORD_ITRACE_START:
		parse_itrace_start(rec, ev);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (hdr->misc & PERF_RECORD_MISC_SWITCH_OUT)
			break;
		ev->kind = PROC_RUNS;
		ev->pid = ev->tid = -1;
		break;
	case PERF_RECORD_LOST:
		ev->kind = PROC_LOST;
		break;
	default:
		break;
	}
}
