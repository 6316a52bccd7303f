// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_events.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "data/bytes.h"
#include "data/record_layout.h"
#include "machine/proc_event.h"
#include "util/strbuf.h"

/* Namespaces by their index in the record (enum perf_ns of perf). */
static const char *const ns_names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };

bool script_events__any(const struct script_events *show)
{
	return show->mmaps || show->tasks || show->switches || show->namespaces || show->cgroups ||
	       show->lost || show->code || show->pokes;
}

bool script_events__has(const struct script_events *show, uint32_t type)
{
	static const struct {
		uint32_t type;
		size_t off; /* in struct script_events */
	} shown[] = {
		{ PERF_RECORD_MMAP, offsetof(struct script_events, mmaps) },
		{ PERF_RECORD_MMAP2, offsetof(struct script_events, mmaps) },
		{ PERF_RECORD_COMM, offsetof(struct script_events, tasks) },
		{ PERF_RECORD_FORK, offsetof(struct script_events, tasks) },
		{ PERF_RECORD_EXIT, offsetof(struct script_events, tasks) },
		{ PERF_RECORD_SWITCH, offsetof(struct script_events, switches) },
		{ PERF_RECORD_SWITCH_CPU_WIDE, offsetof(struct script_events, switches) },
		{ PERF_RECORD_NAMESPACES, offsetof(struct script_events, namespaces) },
		{ PERF_RECORD_CGROUP, offsetof(struct script_events, cgroups) },
		{ PERF_RECORD_LOST, offsetof(struct script_events, lost) },
		{ PERF_RECORD_KSYMBOL, offsetof(struct script_events, code) },
		{ PERF_RECORD_BPF_EVENT, offsetof(struct script_events, code) },
		{ PERF_RECORD_TEXT_POKE, offsetof(struct script_events, pokes) },
		/* Code that is new, or gone. */
		{ PERF_RECORD_KSYMBOL, offsetof(struct script_events, pokes) },
	};
	size_t i;

	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (shown[i].type == type && *(const bool *)((const char *)show + shown[i].off))
			return true;
	return false;
}

static struct bytes body_of(const struct perf_event_header *hdr)
{
	return bytes__of(hdr + 1, record_layout__body_end(hdr) - sizeof(*hdr), false);
}

int32_t script_events__tid(const struct perf_event_header *hdr, int32_t tid)
{
	struct proc_event ev;
	struct bytes b = body_of(hdr);

	proc_event__parse(hdr, &ev);
	if (proc_event__is_task(&ev) && ev.kind != PROC_KSYMBOL)
		return ev.tid;
	if (hdr->type != PERF_RECORD_NAMESPACES)
		return tid;
	bytes__u32(&b);
	return (int32_t)bytes__u32(&b);
}

static const char *misc_of(const struct perf_event_header *hdr)
{
	struct proc_event ev;

	proc_event__parse(hdr, &ev);
	switch (ev.kind) {
	case PROC_MMAP:
	case PROC_MMAP_DATA:
		return hdr->misc & PERF_RECORD_MISC_MMAP_DATA ? "M" : "";
	case PROC_EXEC:
		return "E";
	default:
		break;
	}
	if ((hdr->type != PERF_RECORD_SWITCH && hdr->type != PERF_RECORD_SWITCH_CPU_WIDE) ||
	    !(hdr->misc & PERF_RECORD_MISC_SWITCH_OUT))
		return "";
	return hdr->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "Sp" : "S";
}

void script_events__put_misc(struct strbuf *out, uint16_t cpumode,
			     const struct perf_event_header *hdr)
{
	static const char levels[] = { [PERF_RECORD_MISC_KERNEL] = 'K',
				       [PERF_RECORD_MISC_USER] = 'U',
				       [PERF_RECORD_MISC_HYPERVISOR] = 'H',
				       [PERF_RECORD_MISC_GUEST_KERNEL] = 'G',
				       [PERF_RECORD_MISC_GUEST_USER] = 'g' };
	char level = cpumode < sizeof(levels) ? levels[cpumode] : '\0';
	size_t start = out->len;

	if (level)
		strbuf__putc(out, level);
	if (hdr)
		strbuf__puts(out, misc_of(hdr));
	strbuf__pad(out, start, 6);
}

static void put_name(struct strbuf *out, const char *name, size_t max)
{
	strbuf__put_escaped(out, name, strnlen(name, max));
}

/* perf's %#lx: no prefix before 0. */
static void put_hex(struct strbuf *out, uint64_t v)
{
	strbuf__puts(out, v ? "0x" : "");
	strbuf__put_hex(out, v);
}

static void put_comm(struct strbuf *out, const struct proc_event *ev)
{
	strbuf__puts(out, ev->kind == PROC_EXEC ? " exec: " : ": ");
	put_name(out, ev->comm, ev->comm_sz);
	strbuf__printf(out, ":%d/%d", ev->pid, ev->tid);
}

static void put_fork(struct strbuf *out, const struct proc_event *ev)
{
	strbuf__printf(out, "(%d:%d):(%d:%d)", ev->pid, ev->tid, ev->parent_pid, ev->parent_tid);
}

static void put_build_id(struct strbuf *out, const struct proc_event *ev)
{
	size_t i;

	strbuf__puts(out, " <");
	for (i = 0; i < ev->build_id_sz; i++)
		strbuf__put_hex_pad(out, ev->build_id[i], 2, '0');
	strbuf__puts(out, ">");
}

static void put_mmap(struct strbuf *out, const struct perf_event_header *hdr,
		     const struct proc_event *ev)
{
	strbuf__printf(out, " %d/%d: [", ev->pid, ev->tid);
	put_hex(out, ev->addr);
	strbuf__putc(out, '(');
	put_hex(out, ev->len);
	strbuf__puts(out, ") @ ");
	put_hex(out, ev->pgoff);
	if (hdr->type == PERF_RECORD_MMAP) {
		strbuf__puts(out, ev->kind == PROC_MMAP_DATA ? "]: r " : "]: x ");
	} else {
		if (hdr->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
			put_build_id(out, ev);
		else
			strbuf__printf(out, " %02x:%02x %" PRIu64 " %" PRIu64, ev->maj, ev->min,
				       ev->ino, ev->ino_generation);
		strbuf__printf(out, "]: %c%c%c%c ", ev->prot & PROT_READ ? 'r' : '-',
			       ev->prot & PROT_WRITE ? 'w' : '-', ev->prot & PROT_EXEC ? 'x' : '-',
			       ev->flags & MAP_SHARED ? 's' : 'p');
	}
	strbuf__put_escaped(out, ev->path, strlen(ev->path));
}

static void put_ksymbol(struct strbuf *out, const struct proc_event *ev)
{
	strbuf__printf(out, " addr %" PRIx64 " len %" PRIu64 " type %u flags 0x%x name ", ev->addr,
		       ev->len, ev->type, ev->flags);
	strbuf__put_escaped(out, ev->name, strlen(ev->name));
}

static void put_switch(struct strbuf *out, const struct perf_event_header *hdr, struct bytes *b)
{
	bool is_out = hdr->misc & PERF_RECORD_MISC_SWITCH_OUT;
	uint32_t pid, tid;

	strbuf__puts(out, !is_out                                           ? " IN         "
			  : hdr->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? " OUT preempt"
									    : " OUT        ");
	if (hdr->type == PERF_RECORD_SWITCH)
		return;
	pid = bytes__u32(b);
	tid = bytes__u32(b);
	strbuf__printf(out, "  %s pid/tid: %5d/%-5d", is_out ? "next" : "prev", (int)pid, (int)tid);
}

static void put_namespaces(struct strbuf *out, struct bytes *b)
{
	uint32_t pid = bytes__u32(b), tid = bytes__u32(b);
	uint64_t cnt = bytes__u64(b), i, dev;

	strbuf__printf(out, " %d/%d - nr_namespaces: %" PRIu64 "\n\t\t[", (int)pid, (int)tid, cnt);
	for (i = 0; i < cnt && bytes__left(b); i++) {
		dev = bytes__u64(b);
		strbuf__printf(
			out, "%s%" PRIu64 "/%s: %" PRIu64 "/",
			!i      ? ""
			: i % 4 ? ", "
				: ", \n\t\t ",
			i, i < sizeof(ns_names) / sizeof(*ns_names) ? ns_names[i] : "UNKNOWN", dev);
		put_hex(out, bytes__u64(b));
	}
	strbuf__putc(out, ']');
}

static void put_program(struct strbuf *out, struct bytes *b)
{
	uint32_t type = bytes__u16(b), flags = bytes__u16(b);

	strbuf__printf(out, " type %u, flags %u, id %u", type, flags, bytes__u32(b));
}

/* Puts bytes of code, 16 in a line; no line ends with a newline. */
static void put_code(struct strbuf *out, const char *which, struct bytes *b, uint32_t cnt)
{
	const uint8_t *code = bytes__take(b, cnt);
	uint32_t i;

	for (i = 0; code && i < cnt; i++) {
		if (i % 16 == 0)
			strbuf__printf(out, "\n            %s bytes:", which);
		strbuf__putc(out, ' ');
		strbuf__put_hex_pad(out, code[i], 2, '0');
	}
}

static void put_poke(struct strbuf *out, struct bytes *b, const char *place)
{
	uint64_t addr = bytes__u64(b);
	uint32_t old_sz = bytes__u16(b), new_sz = bytes__u16(b);

	strbuf__printf(out, " %" PRIx64 " ", addr);
	strbuf__put_escaped(out, place, strlen(place));
	strbuf__printf(out, " old len %u new len %u", old_sz, new_sz);
	put_code(out, "Old", b, old_sz);
	put_code(out, "New", b, new_sz);
}

/* Puts the fields of a record that machine/ does not take apart. */
static void put_other(struct strbuf *out, const struct perf_event_header *hdr, const char *place)
{
	struct bytes b = body_of(hdr);

	switch (hdr->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		put_switch(out, hdr, &b);
		break;
	case PERF_RECORD_NAMESPACES:
		put_namespaces(out, &b);
		break;
	case PERF_RECORD_CGROUP:
		strbuf__printf(out, " cgroup: %" PRIu64 " ", bytes__u64(&b));
		put_name(out, (const char *)b.p, bytes__left(&b));
		break;
	case PERF_RECORD_LOST:
		bytes__u64(&b);
		strbuf__printf(out, " lost %" PRIu64, bytes__u64(&b));
		break;
	case PERF_RECORD_BPF_EVENT:
		put_program(out, &b);
		break;
	case PERF_RECORD_TEXT_POKE:
		put_poke(out, &b, place);
		break;
	default:
		break;
	}
}

void script_events__put(struct strbuf *out, const struct perf_event_header *hdr, const char *place)
{
	struct proc_event ev;

	strbuf__puts(out, record_layout__name(hdr->type) ?: "PERF_RECORD_UNKNOWN");
	proc_event__parse(hdr, &ev);
	switch (ev.kind) {
	case PROC_FORK:
	case PROC_THREAD:
	case PROC_EXIT:
	case PROC_THREAD_EXIT:
		put_fork(out, &ev);
		break;
	case PROC_EXEC:
	case PROC_COMM:
		put_comm(out, &ev);
		break;
	case PROC_MMAP:
	case PROC_MMAP_DATA:
		put_mmap(out, hdr, &ev);
		break;
	case PROC_KSYMBOL:
		put_ksymbol(out, &ev);
		break;
	default:
		put_other(out, hdr, place);
		break;
	}
	strbuf__putc(out, '\n');
}
