// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_events.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "data/bytes.h"
#include "data/record_layout.h"
#include "util/strbuf.h"

/* Namespaces by their index in the record (enum perf_ns of perf). */
static const char *const ns_names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };

bool script_events__any(const struct script_events *show)
{
	return show->mmaps || show->tasks || show->switches || show->namespaces || show->cgroups ||
	       show->lost || show->code;
}

bool script_events__has(const struct script_events *show, uint32_t type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return show->mmaps;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return show->tasks;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return show->switches;
	case PERF_RECORD_NAMESPACES:
		return show->namespaces;
	case PERF_RECORD_CGROUP:
		return show->cgroups;
	case PERF_RECORD_LOST:
		return show->lost;
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
		return show->code;
	default:
		return false;
	}
}

static struct bytes body_of(const struct perf_event_header *hdr)
{
	return bytes__of(hdr + 1, record_layout__body_end(hdr) - sizeof(*hdr), false);
}

int32_t script_events__tid(const struct perf_event_header *hdr, int32_t tid)
{
	struct bytes b = body_of(hdr);

	switch (hdr->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		bytes__u64(&b);
		return (int32_t)bytes__u32(&b);
	case PERF_RECORD_COMM:
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_NAMESPACES:
		bytes__u32(&b);
		return (int32_t)bytes__u32(&b);
	default:
		return tid;
	}
}

static const char *misc_of(const struct perf_event_header *hdr)
{
	switch (hdr->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return hdr->misc & PERF_RECORD_MISC_MMAP_DATA ? "M" : "";
	case PERF_RECORD_COMM:
		return hdr->misc & PERF_RECORD_MISC_COMM_EXEC ? "E" : "";
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (!(hdr->misc & PERF_RECORD_MISC_SWITCH_OUT))
			return "";
		return hdr->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "Sp" : "S";
	default:
		return "";
	}
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

/* Puts the rest of the record, a name that ends with a NUL. */
static void put_name(struct strbuf *out, struct bytes *b)
{
	strbuf__put_escaped(out, (const char *)b->p, strnlen((const char *)b->p, bytes__left(b)));
}

/* perf's %#lx: no prefix before 0. */
static void put_hex(struct strbuf *out, uint64_t v)
{
	strbuf__puts(out, v ? "0x" : "");
	strbuf__put_hex(out, v);
}

static void put_comm(struct strbuf *out, const struct perf_event_header *hdr, struct bytes *b)
{
	uint32_t pid = bytes__u32(b), tid = bytes__u32(b);

	strbuf__puts(out, hdr->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec: " : ": ");
	put_name(out, b);
	strbuf__printf(out, ":%d/%d", (int)pid, (int)tid);
}

static void put_fork(struct strbuf *out, struct bytes *b)
{
	uint32_t pid = bytes__u32(b), ppid = bytes__u32(b);
	uint32_t tid = bytes__u32(b), ptid = bytes__u32(b);

	strbuf__printf(out, "(%d:%d):(%d:%d)", (int)pid, (int)tid, (int)ppid, (int)ptid);
}

/* Puts the thread, and addr, len and offset of the mapping, up to where the two records differ. */
static void put_range(struct strbuf *out, struct bytes *b)
{
	uint32_t pid = bytes__u32(b), tid = bytes__u32(b);

	strbuf__printf(out, " %d/%d: [", (int)pid, (int)tid);
	put_hex(out, bytes__u64(b));
	strbuf__putc(out, '(');
	put_hex(out, bytes__u64(b));
	strbuf__puts(out, ") @ ");
	put_hex(out, bytes__u64(b));
}

static void put_mmap(struct strbuf *out, const struct perf_event_header *hdr, struct bytes *b)
{
	put_range(out, b);
	strbuf__puts(out, hdr->misc & PERF_RECORD_MISC_MMAP_DATA ? "]: r " : "]: x ");
	put_name(out, b);
}

static void put_build_id(struct strbuf *out, struct bytes *b)
{
	const uint8_t *field = bytes__take(b, 24);
	size_t i;

	strbuf__puts(out, " <");
	for (i = 0; field && i < field[0] && i < 20; i++)
		strbuf__put_hex_pad(out, field[4 + i], 2, '0');
	strbuf__puts(out, ">");
}

static void put_mmap2(struct strbuf *out, const struct perf_event_header *hdr, struct bytes *b)
{
	uint32_t maj, min, prot, flags;
	uint64_t ino;

	put_range(out, b);
	if (hdr->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		put_build_id(out, b);
	} else {
		maj = bytes__u32(b);
		min = bytes__u32(b);
		ino = bytes__u64(b);
		strbuf__printf(out, " %02x:%02x %" PRIu64 " %" PRIu64, maj, min, ino,
			       bytes__u64(b));
	}
	prot = bytes__u32(b);
	flags = bytes__u32(b);
	strbuf__printf(out, "]: %c%c%c%c ", prot & PROT_READ ? 'r' : '-',
		       prot & PROT_WRITE ? 'w' : '-', prot & PROT_EXEC ? 'x' : '-',
		       flags & MAP_SHARED ? 's' : 'p');
	put_name(out, b);
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

static void put_ksymbol(struct strbuf *out, struct bytes *b)
{
	uint64_t addr = bytes__u64(b);
	uint32_t len = bytes__u32(b), type = bytes__u16(b), flags = bytes__u16(b);

	strbuf__printf(out, " addr %" PRIx64 " len %u type %u flags 0x%x name ", addr, len, type,
		       flags);
	put_name(out, b);
}

static void put_program(struct strbuf *out, struct bytes *b)
{
	uint32_t type = bytes__u16(b), flags = bytes__u16(b);

	strbuf__printf(out, " type %u, flags %u, id %u", type, flags, bytes__u32(b));
}

void script_events__put(struct strbuf *out, const struct perf_event_header *hdr)
{
	struct bytes b = body_of(hdr);

	strbuf__puts(out, record_layout__name(hdr->type) ?: "PERF_RECORD_UNKNOWN");
	switch (hdr->type) {
	case PERF_RECORD_MMAP:
		put_mmap(out, hdr, &b);
		break;
	case PERF_RECORD_MMAP2:
		put_mmap2(out, hdr, &b);
		break;
	case PERF_RECORD_COMM:
		put_comm(out, hdr, &b);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		put_fork(out, &b);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		put_switch(out, hdr, &b);
		break;
	case PERF_RECORD_NAMESPACES:
		put_namespaces(out, &b);
		break;
	case PERF_RECORD_CGROUP:
		strbuf__printf(out, " cgroup: %" PRIu64 " ", bytes__u64(&b));
		put_name(out, &b);
		break;
	case PERF_RECORD_LOST:
		bytes__u64(&b);
		strbuf__printf(out, " lost %" PRIu64, bytes__u64(&b));
		break;
	case PERF_RECORD_KSYMBOL:
		put_ksymbol(out, &b);
		break;
	case PERF_RECORD_BPF_EVENT:
		put_program(out, &b);
		break;
	default:
		break;
	}
	strbuf__putc(out, '\n');
}
