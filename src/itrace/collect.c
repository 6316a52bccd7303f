// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/collect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "data/perf_sample.h"
#include "data/proc_layout.h"
#include "data/recording.h"
#include "itrace/collect_priv.h"
#include "itrace/info.h"
#include "itrace/kernel_code.h"
#include "machine/machine.h"
#include "source/file.h"
#include "sym/jit_dump.h"
#include "sym/sym.h"
#include "util/array.h"
#include "util/log.h"
#include "util/partition.h"

/* Descriptors beside those of images, about. */
#define OTHER_FILES 32

/* One for each CPU or thread that was traced; each of their items is chosen among all of them. */
#define QUEUES_MAX 65536

/* In collect.image_of: the file cannot be read. */
#define NO_IMAGE COLLECT_IMAGES_MAX

static uint64_t time_of(void *ctx, const struct perf_event_header *hdr)
{
	const struct collect *c = ctx;

	return perf_sample__time(&c->rec->attrs, c->rec->swap, hdr);
}

static struct collect_queue *queue_of(struct collect *c, const struct auxtrace_record *r)
{
	uint32_t *slot = u64map__slot(&c->queue_of, (uint64_t)r->idx << 32 | r->tid);
	struct collect_queue *q;

	if (slot && *slot != U64MAP_NONE)
		return &c->queues[*slot];
	if (!slot ||
	    array__reserve((void **)&c->queues, &c->queue_cap, c->queue_cnt + 1, sizeof(*q)))
		return NULL;
	*slot = (uint32_t)c->queue_cnt;
	q = &c->queues[c->queue_cnt++];
	*q = (struct collect_queue){ .idx = r->idx,
				     .tid = (int32_t)r->tid,
				     .cpu = (int32_t)r->cpu };
	return q;
}

static int add_piece(struct collect *c, const struct record *rec)
{
	const struct auxtrace_record *r = (const void *)rec->hdr;
	uint64_t at = rec->off + rec->hdr->size, left = at < c->rec->sz ? c->rec->sz - at : 0;
	struct collect_queue *q;

	/* A file that was cut has only a part of the bytes, or none. */
	if (r->hdr.size < sizeof(*r) || !r->sz || !left)
		return 0;
	q = queue_of(c, r);
	if (c->queue_cnt > QUEUES_MAX) {
		log_error("%s has AUX data of more than %u CPUs or threads, so it is damaged",
			  c->rec->path, QUEUES_MAX);
		return -E2BIG;
	}
	if (!q || array__reserve((void **)&q->pieces, &q->piece_cap, q->piece_cnt + 1,
				 sizeof(*q->pieces)))
		return -ENOMEM;
	q->pieces[q->piece_cnt++] =
		(struct collect_piece){ at, r->sz < left ? r->sz : left, r->off };
	return 0;
}

static int add_run(struct collect *c, const struct proc_event *ev, const struct record *rec)
{
	struct perf_sample s;

	if (perf_sample__parse(&s, &c->rec->attrs, c->rec->swap, rec->hdr) ||
	    !(s.have & PERF_SAMPLE_TID))
		return 0;
	if (array__reserve((void **)&c->runs, &c->run_cap, c->run_cnt + 1, sizeof(*c->runs)))
		return -ENOMEM;
	c->runs[c->run_cnt] = (struct collect_run){
		{ rec->time_ns, ev->tid < 0 ? (int32_t)s.pid : ev->pid,
		  ev->tid < 0 ? (int32_t)s.tid : ev->tid },
		s.have & PERF_SAMPLE_CPU ? (int32_t)s.cpu : -1,
		(uint32_t)c->run_cnt,
	};
	c->run_cnt++;
	return 0;
}

/* Notes that bytes were lost, as the kernel marks them. */
static int add_loss(struct collect *c, const struct record *rec)
{
	const uint64_t bad =
		PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION;
	const struct aux_record *r = (const void *)rec->hdr;
	struct perf_sample s;

	if (r->hdr.size < sizeof(*r) || !(r->flags & bad) ||
	    perf_sample__parse(&s, &c->rec->attrs, c->rec->swap, rec->hdr))
		return 0;
	if (array__reserve((void **)&c->losses, &c->loss_cap, c->loss_cnt + 1, sizeof(*c->losses)))
		return -ENOMEM;
	c->losses[c->loss_cnt++] = (struct collect_loss){
		rec->time_ns,
		s.have & PERF_SAMPLE_TID ? (int32_t)s.tid : -1,
		s.have & PERF_SAMPLE_CPU ? (int32_t)s.cpu : -1,
	};
	return 0;
}

static void note_thread(struct collect *c, int32_t tid, int32_t pid)
{
	uint32_t *slot = u64map__slot(&c->pid_of, (uint32_t)tid);

	if (slot)
		*slot = (uint32_t)pid;
}

/* The file at this address, after the mapping was applied, or -errno: it cannot be read. */
static int open_image(struct collect *c, uint64_t place)
{
	size_t sz;
	char *vdso = sym__vdso(c->machine->sym, place, &sz);
	int fd;

	if (!vdso) {
		/* Not each reason for none has an errno. */
		errno = 0;
		fd = sym__open_file(c->machine->sym, place);
		return fd >= 0 ? fd : errno ? -errno : -ENOENT;
	}
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, vdso, sz) != (ssize_t)sz) {
		close(fd);
		return -ENOSPC;
	}
	return fd < 0 ? -errno : fd;
}

/* Descriptors of each image: ours, and one more while a process of the helper starts. */
static bool has_room(const struct collect *c)
{
	struct rlimit lim;

	return getrlimit(RLIMIT_NOFILE, &lim) || 2 * c->image_cnt + OTHER_FILES < lim.rlim_cur;
}

/* Opens and keeps a new image. Returns its index, or NO_IMAGE. */
static uint32_t add_image(struct collect *c, uint64_t place)
{
	int fd;

	/* One is the kernel's. */
	if (c->image_cnt == COLLECT_IMAGES_MAX - 1) {
		c->images_over_max++;
		return NO_IMAGE;
	}
	fd = has_room(c) ? open_image(c, place) : -EMFILE;
	if (fd < 0) {
		c->images_no_room += fd == -EMFILE || fd == -ENFILE;
		return NO_IMAGE;
	}
	if (array__reserve((void **)&c->images, &c->image_cap, c->image_cnt + 1,
			   sizeof(*c->images))) {
		close(fd);
		return NO_IMAGE;
	}
	c->images[c->image_cnt] = fd;
	return (uint32_t)c->image_cnt++;
}

static uint32_t image_of(struct collect *c, uint64_t place)
{
	uint32_t *slot = u64map__slot(&c->image_of, sym__file_idx(place));

	if (!slot || !sym__file_idx(place))
		return NO_IMAGE;
	if (*slot == U64MAP_NONE)
		*slot = add_image(c, place);
	return *slot;
}

static void log_images(const struct collect *c)
{
	if (c->images_over_max)
		log_warn(
			"%s has more than %d files with code, and the trace through the %zu others "
			"is not decoded; record fewer processes at once",
			c->rec->path, COLLECT_IMAGES_MAX - 1, c->images_over_max);
	if (c->maps_over_max)
		log_warn("%s has processes with more than %d mappings of code, and the trace "
			 "through %zu others is not decoded; record fewer of their threads",
			 c->rec->path, COLLECT_SPACE_MAPS_MAX, c->maps_over_max);
	if (c->images_no_room)
		log_warn("%zu files with code cannot be opened, and the trace through them is not "
			 "decoded; raise `ulimit -n`",
			 c->images_no_room);
}

/*
 * Adds the functions of a JIT compiler, with their bytes in its dump. They are there from now on,
 * by address: where one function came after the other, the newest has its bytes.
 */
static int add_dump(struct collect *c, int32_t pid)
{
	uint64_t file;
	const struct jit_dump *dump = sym__jit_dump(c->machine->sym, pid, &file);
	const uint32_t image = dump ? image_of(c, file) : NO_IMAGE;
	struct collect_map *list;
	size_t i, k, cnt = 0;
	int err;

	/* A process that maps its dump again, as it does in each synthesized round, has it all. */
	if (image == NO_IMAGE || !dump->load_cnt || collect__has_dump(c, pid, image))
		return 0;
	list = calloc(dump->load_cnt, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (i = 0; i < dump->load_cnt; i = k) {
		const struct jit_load *newest = &dump->loads[i];

		for (k = i + 1; k < dump->load_cnt; k++) {
			const struct jit_load *next = &dump->loads[k];

			if (next->addr >= newest->addr + newest->sz)
				break;
			if (next->time_ns >= newest->time_ns)
				newest = next;
		}
		if (newest->sz && newest->addr + newest->sz > newest->addr)
			list[cnt++] = (struct collect_map){ newest->addr, newest->sz, newest->off,
							    image, true };
	}
	err = collect__map_dump(c, pid, list, cnt, image);
	free(list);
	return err;
}

static int add_mapping(struct collect *c, const struct proc_event *ev)
{
	struct collect_map map = { .addr = ev->addr, .len = ev->len, .pgoff = ev->pgoff };
	uint64_t place;

	if (jit_dump__is(ev->path))
		return add_dump(c, ev->pid);
	if (!map.len || map.addr + map.len < map.addr || map.addr >> 63)
		return 0;
	place = sym__place(c->machine->sym, ev->pid, map.addr);
	map.image = image_of(c, place);
	/* The vDSO's image is our own copy, which begins with it. */
	if (!strcmp(ev->path, "[vdso]"))
		map.pgoff = 0;
	return map.image == NO_IMAGE ? 0 : collect__map(c, ev->pid, &map, 1);
}

static int on_proc(struct collect *c, const struct record *rec)
{
	struct proc_event ev;
	int err = machine__process(c->machine, rec);

	if (err)
		return err;
	if (rec->hdr->type == PERF_RECORD_AUX) {
		err = add_loss(c, rec);
		return err ? err : collect_etm__aux(c, rec);
	}
	if (rec->hdr->type == PERF_RECORD_TEXT_POKE)
		return kernel_code__poke(c, rec);
	proc_event__parse(rec->hdr, &ev);
	switch (ev.kind) {
	case PROC_RUNS:
		return add_run(c, &ev, rec);
	case PROC_MMAP:
		return ev.is_kernel ? kernel_code__mmap(c, &ev) : add_mapping(c, &ev);
	case PROC_FORK:
		note_thread(c, ev.tid, ev.pid);
		return collect__fork(c, ev.pid, ev.parent_pid);
	case PROC_EXEC:
		note_thread(c, ev.tid, ev.pid);
		return collect__exec(c, ev.pid);
	case PROC_THREAD:
	case PROC_COMM:
		note_thread(c, ev.tid, ev.pid);
		return 0;
	default:
		return 0;
	}
}

static int on_info(struct collect *c, const struct perf_event_header *hdr)
{
	int err = info__parse(&c->info, c->rec, hdr);

	if (err == -ENOENT)
		err = collect_etm__info(c, hdr);
	c->has_bad_info = err;
	c->has_info = !err;
	if (err && err != -ENOMEM)
		log_error("%s: its trace is %s; decode it with the tool that recorded it",
			  c->rec->path,
			  err == -ENOENT    ? "neither Intel PT's nor CoreSight's"
			  : err == -ENOTSUP ? "that of a trace unit before ETMv4"
					    : "described incompletely");
	return err;
}

static int on_record(void *ctx, const struct record *rec)
{
	struct collect *c = ctx;

	if (rec->time_ns)
		c->now_ns = rec->time_ns;
	collect_etm__record(c, rec);
	if (rec->kind == RECORD_PROC)
		return on_proc(c, rec);
	if (rec->kind != RECORD_OTHER)
		return 0;
	if (rec->hdr->type == PERF_USER_AUXTRACE)
		return add_piece(c, rec);
	return rec->hdr->type == PERF_USER_AUXTRACE_INFO ? on_info(c, rec->hdr) : 0;
}

static int by_cpu(const void *a, const void *b)
{
	const struct collect_run *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* The number of runs on CPUs below this one. */
static size_t runs_below(const struct collect *c, int64_t cpu)
{
	return partition_point(0, c->run_cnt, i, c->runs[i].cpu < cpu);
}

/* Gives the queues the threads that ran on their CPUs; runs are in order of time. */
static int share_runs(struct collect *c)
{
	struct collect_queue *q;
	size_t i;

	c->switches = calloc(c->run_cnt + 1, sizeof(*c->switches));
	if (!c->switches)
		return -ENOMEM;
	if (c->run_cnt)
		qsort(c->runs, c->run_cnt, sizeof(*c->runs), by_cpu);
	for (i = 0; i < c->run_cnt; i++)
		c->switches[i] = c->runs[i].sw;
	for (i = 0; i < c->queue_cnt; i++) {
		q = &c->queues[i];
		if (q->cpu < 0 || q->tid >= 0)
			continue;
		q->first_switch = runs_below(c, q->cpu);
		q->switch_cnt = runs_below(c, (int64_t)q->cpu + 1) - q->first_switch;
	}
	return 0;
}

/*
 * Reads up to the damage, if there is any: the reading that comes after this one logs it. A message
 * about what is said of the trace was logged by on_record().
 */
static int read_records(struct collect *c)
{
	struct source *src = file_source__new(c->rec, time_of, c);
	int err = src ? source__drain(src, true, on_record, c) : -ENOMEM;

	source__free(src);
	if (err != -EBADMSG || c->has_bad_info)
		return err;
	if (c->has_info && c->queue_cnt)
		return 0;
	log_error("%s is damaged before its trace begins; record it again, or take a complete "
		  "copy of it",
		  c->rec->path);
	return err;
}

static int read_all(struct collect *c)
{
	int err = read_records(c);

	log_images(c);
	collect_etm__sort(c);
	if (!err)
		err = collect__settle(c);
	if (!err)
		err = share_runs(c);
	if (err || (c->has_info && c->queue_cnt))
		return err;
	log_error("%s has no trace of a processor; omit --itrace, or record one: `perf record -e "
		  "intel_pt//` (on arm64: cs_etm//)",
		  c->rec->path);
	return -ENOENT;
}

int collect__read(struct collect *c, const char *path, const struct sym_options *sym, int kcore_fd)
{
	struct sym_options options = *sym;
	int err;

	c->queue_of = c->space_of = c->pid_of = c->image_of = (struct u64map)U64MAP_INIT;
	c->machine = machine__new(NULL);
	c->rec = recording__open(path);
	if (!c->machine || !c->rec)
		return c->machine ? -EIO : -ENOMEM;
	c->rec->is_quiet = true;
	options.no_kernel = true;
	machine__set_recording(c->machine, c->rec, &options);
	err = read_all(c);
	if (!err)
		err = kernel_code__find(c, sym, kcore_fd);
	if (err == -ENOMEM)
		log_error("no memory to read the trace of %s", path);
	return err;
}

void collect__free(struct collect *c)
{
	size_t i;

	for (i = 0; i < c->queue_cnt; i++)
		free(c->queues[i].pieces);
	for (i = 0; i < c->space_cnt; i++) {
		free(c->spaces[i].maps);
		free(c->spaces[i].late);
	}
	for (i = 0; i < c->image_cnt; i++)
		close(c->images[i]);
	free(c->queues);
	free(c->runs);
	free(c->switches);
	free(c->losses);
	free(c->etms);
	free(c->auxes);
	free(c->spaces);
	free(c->kernel.ranges);
	free(c->kernel.pokes);
	free(c->kernel.maps);
	free(c->images);
	u64map__free(&c->queue_of);
	u64map__free(&c->space_of);
	u64map__free(&c->pid_of);
	u64map__free(&c->image_of);
	machine__free(c->machine);
	if (c->rec)
		recording__close(c->rec);
}
