// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/synthesize.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include "data/proc_layout.h"
#include "util/fs.h"
#include "host/kallsyms_walk.h"
#include "host/proc_task.h"
#include "host/proc_walk.h"

#define COMM_SZ 16
#define ANON "//anon"

/* A record followed by room for its name and for the trailer, which stays zero. */
union any_record {
	/* First member: memset() of the record clears all of it. */
	char room[sizeof(struct mmap2_record) + PATH_MAX + 64];
	struct perf_event_header hdr;
	struct fork_record fork;
	struct comm_record comm;
	struct mmap_record mmap;
	struct mmap2_record mmap2;
	struct ksymbol_record ksymbol;
};

size_t synthesize__trailer_sz(unsigned long long sample_type)
{
	const unsigned long long bits =
		sample_type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			       PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);

	return 8 * (size_t)__builtin_popcountll(bits);
}

/* body_sz: bytes before the trailer, a multiple of 8; the bytes after them are zero. */
static int emit(const struct synthesize *r, union any_record *rec, uint32_t type, uint16_t misc,
		size_t body_sz)
{
	size_t sz = body_sz + r->trailer_sz;

	rec->hdr = (struct perf_event_header){ .type = type, .misc = misc, .size = (uint16_t)sz };
	return r->fn(r->ctx, rec, sz);
}

/* Finishes a record that ends with a name: len bytes of text at `name`, without a NUL. */
static int emit_named(const struct synthesize *r, union any_record *rec, uint32_t type,
		      uint16_t misc, char *name, const char *text, size_t len)
{
	if (len > PATH_MAX - 1)
		len = PATH_MAX - 1;
	memcpy(name, text, len);
	return emit(r, rec, type, misc, ((size_t)(name - rec->room) + len + 8) & ~(size_t)7);
}

static int emit_kernel_map(const struct synthesize *r, const char *name, uint64_t addr,
			   uint64_t len, uint64_t pgoff)
{
	union any_record rec = { .room = { 0 } };

	rec.mmap.pid = UINT32_MAX;
	rec.mmap.addr = addr;
	rec.mmap.len = len;
	rec.mmap.pgoff = pgoff;
	return emit_named(r, &rec, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, rec.mmap.path, name,
			  strlen(name));
}

struct kernel_text {
	uint64_t start, end;
};

static int find_text(void *ctx, const struct kallsym *sym)
{
	struct kernel_text *text = ctx;

	if (!sym->is_module && !strcmp(sym->name, "_text"))
		text->start = sym->addr;
	else if (!sym->is_module && !strcmp(sym->name, "_etext"))
		text->end = sym->addr;
	return text->end != 0;
}

static int emit_kernel_text(const struct synthesize *r)
{
	struct kernel_text text = { 0 };
	int err = kallsyms_walk(NULL, find_text, &text);

	if (err == -ENOMEM)
		return err;
	/*
	 * The name is the symbol by which the addresses of a recording are relocated to another
	 * boot.
	 */
	return text.start && text.end > text.start
		       ? emit_kernel_map(r, "[kernel.kallsyms]_text", text.start,
					 text.end - text.start, text.start)
		       : 0;
}

int synthesize__kernel(const struct synthesize *r)
{
	char buf[4096];
	FILE *f = fs__open_lines("/proc/modules", buf, sizeof(buf));
	int err = emit_kernel_text(r);
	char line[4096], name[128], in_brackets[sizeof(name) + 2];
	uint64_t addr, sz;

	while (f && !err && fgets(line, sizeof(line), f)) {
		/* name size users by state address */
		if (sscanf(line, "%127s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &sz, &addr) != 3 ||
		    !addr)
			continue;
		snprintf(in_brackets, sizeof(in_brackets), "[%s]", name);
		err = emit_kernel_map(r, in_brackets, addr, sz, 0);
	}
	if (f)
		fclose(f);
	return err;
}

int synthesize__bpf_function(const struct synthesize *r, uint64_t addr, uint32_t len,
			     const char *name)
{
	union any_record rec = { .room = { 0 } };

	rec.ksymbol.addr = addr;
	rec.ksymbol.len = len;
	rec.ksymbol.type = PERF_RECORD_KSYMBOL_TYPE_BPF;
	return emit_named(r, &rec, PERF_RECORD_KSYMBOL, 0, rec.ksymbol.name, name, strlen(name));
}

static int emit_thread(const struct synthesize *r, pid_t pid, pid_t ppid, pid_t tid)
{
	union any_record fork = { .room = { 0 } }, comm = { .room = { 0 } };
	char path[64], *name;
	size_t len;
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	name = fs__read_file(path, &len);
	if (!name)
		return 0;
	if (len && name[len - 1] == '\n')
		name[--len] = '\0';
	fork.fork.pid = comm.comm.pid = (uint32_t)pid;
	fork.fork.tid = comm.comm.tid = (uint32_t)tid;
	/*
	 * The parent of the first thread is a process; the parent of all others is the first
	 * thread.
	 */
	fork.fork.ppid = fork.fork.ptid = (uint32_t)(tid == pid ? ppid : pid);
	if (fork.fork.ppid)
		err = emit(r, &fork, PERF_RECORD_FORK, 0, sizeof(fork.fork));
	if (!err)
		err = emit_named(r, &comm, PERF_RECORD_COMM, 0, comm.comm.comm, name,
				 strnlen(name, len < COMM_SZ ? len : COMM_SZ - 1));
	free(name);
	return err;
}

/* "start-end rwxp off maj:min ino   name\n" */
static int emit_mapping(const struct synthesize *r, pid_t pid, const char *line)
{
	union any_record rec = { .room = { 0 } };
	struct mmap2_record *m = &rec.mmap2;
	uint64_t end;
	char prot[5];
	int at = 0;
	size_t len;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &m->addr,
		   &end, prot, &m->pgoff, &m->maj, &m->min, &m->ino, &at) != 7 ||
	    !at || (prot[2] != 'x' && !r->mmap_data))
		return 0;
	m->pid = m->tid = (uint32_t)pid;
	m->len = end - m->addr;
	m->prot = (prot[0] == 'r' ? PROT_READ : 0) | (prot[1] == 'w' ? PROT_WRITE : 0) |
		  (prot[2] == 'x' ? PROT_EXEC : 0);
	m->flags = prot[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	len = strcspn(line + at, "\n");
	return emit_named(r, &rec, PERF_RECORD_MMAP2,
			  PERF_RECORD_MISC_USER |
				  (prot[2] == 'x' ? 0 : (uint16_t)PERF_RECORD_MISC_MMAP_DATA),
			  m->path, len ? line + at : ANON, len ? len : strlen(ANON));
}

static int emit_mappings(const struct synthesize *r, pid_t pid)
{
	size_t cap = 0;
	char path[64], *line = NULL, buf[4096];
	int err = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", proc_task__live_thread(pid));
	f = fs__open_lines(path, buf, sizeof(buf));
	while (f && !err && getline(&line, &cap, f) > 0)
		err = emit_mapping(r, pid, line);
	/* The process may have ended. */
	if (f && !err && !feof(f) && errno == ENOMEM)
		err = -ENOMEM;
	if (f)
		fclose(f);
	free(line);
	return err;
}

/* "PID (name) S PPID …": the name may contain any character, so search for the last parenthesis. */
static pid_t parent_of(pid_t pid)
{
	char path[64], *stat, *paren;
	pid_t ppid = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	stat = fs__read_file(path, NULL);
	paren = stat ? strrchr(stat, ')') : NULL;
	if (paren)
		sscanf(paren, ") %*c %d", &ppid);
	free(stat);
	return ppid;
}

struct process {
	const struct synthesize *r;
	pid_t pid, ppid;
	int err; /* return value of r->fn */
};

static int emit_other_thread(void *ctx, pid_t tid)
{
	struct process *p = ctx;

	if (tid != p->pid)
		p->err = emit_thread(p->r, p->pid, p->ppid, tid);
	return p->err;
}

int synthesize__process(const struct synthesize *r, pid_t pid)
{
	struct process p = { .r = r, .pid = pid, .ppid = parent_of(pid) };

	p.err = emit_thread(r, pid, p.ppid, pid);
	if (!p.err && !r->names_only && pid != r->no_maps)
		p.err = emit_mappings(r, pid);
	/* A process that has exited or become hidden has no threads. */
	if (!p.err)
		proc_walk__threads(pid, emit_other_thread, &p);
	return p.err;
}

static int synthesize_process(void *ctx, pid_t pid)
{
	return synthesize__process(ctx, pid);
}

int synthesize__all(const struct synthesize *r)
{
	return proc_walk__processes(synthesize_process, (void *)r);
}
