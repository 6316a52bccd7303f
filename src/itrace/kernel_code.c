// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/kernel_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/recording.h"
#include "host/kallsyms_walk.h"
#include "host/running_kernel.h"
#include "machine/machine.h"
#include "sym/kernel_file.h"
#include "sym/root.h"
#include "sym/sym.h"
#include "util/array.h"

/* Ten times what a kernel has with all its modules. */
#define CODE_MAX_SZ (512ull << 20)
/* Below it /proc/kcore has all memory, which is no code. */
#ifdef __x86_64__
#define CORE_MIN_ADDR 0xffffffff80000000ull
#else
#define CORE_MIN_ADDR 0xffff800000000000ull
#endif
#define COPY_SZ (1u << 20)
/* Recordings may be hostile: more is noted by none that a kernel made. */
#define RANGES_MAX 4096
#define POKES_MAX (1u << 20)
/* Pages of code outside of the file that the kernel wrote. */
#define POKED_MAX_SZ (16ull << 20)
#define PAGE_SZ 4096ull

struct poke_record {
	struct perf_event_header hdr;
	uint64_t addr;
	uint16_t before_sz, after_sz;
	uint8_t bytes[];
} __attribute__((packed));

/* An image that is being written. */
struct copy {
	struct collect *c;
	int fd;
	uint64_t sz;
	uint8_t *buf;
};

int kernel_code__mmap(struct collect *c, const struct proc_event *ev)
{
	struct collect_kernel *k = &c->kernel;
	const bool is_core = !strncmp(ev->path, "[kernel.kallsyms]_", 18);

	if (!(ev->addr >> 63) || !ev->len)
		return 0;
	if (k->range_cnt == RANGES_MAX) {
		k->is_cut = true;
		return 0;
	}
	if (array__reserve((void **)&k->ranges, &k->range_cap, k->range_cnt + 1,
			   sizeof(*k->ranges)))
		return -ENOMEM;
	if (is_core && !k->text)
		k->text = ev->pgoff;
	k->ranges[k->range_cnt++] = (struct collect_range){
		ev->addr, ev->len > UINT64_MAX - ev->addr ? UINT64_MAX - ev->addr : ev->len, is_core
	};
	return 0;
}

int kernel_code__poke(struct collect *c, const struct record *rec)
{
	const struct poke_record *r = (const void *)rec->hdr;
	struct collect_kernel *k = &c->kernel;
	uint32_t at, left, sz;

	if (r->hdr.size < sizeof(*r) || !(r->addr >> 63) ||
	    r->hdr.size - sizeof(*r) < (size_t)r->before_sz + r->after_sz)
		return 0;
	sz = r->before_sz > r->after_sz ? r->before_sz : r->after_sz;
	for (at = 0; at < sz; at += ITRACE_POKE_SZ) {
		struct itrace_poke *p;

		if (k->poke_cnt == POKES_MAX) {
			k->is_cut = true;
			return 0;
		}
		if (array__reserve((void **)&k->pokes, &k->poke_cap, k->poke_cnt + 1,
				   sizeof(*k->pokes)))
			return -ENOMEM;
		p = &k->pokes[k->poke_cnt++];
		*p = (struct itrace_poke){ .time_ns = rec->time_ns, .addr = r->addr + at };
		left = at < r->before_sz ? r->before_sz - at : 0;
		p->before_sz = left < ITRACE_POKE_SZ ? (uint8_t)left : ITRACE_POKE_SZ;
		memcpy(p->before, r->bytes + at, p->before_sz);
		left = at < r->after_sz ? r->after_sz - at : 0;
		p->after_sz = left < ITRACE_POKE_SZ ? (uint8_t)left : ITRACE_POKE_SZ;
		memcpy(p->after, r->bytes + r->before_sz + at, p->after_sz);
	}
	return 0;
}

static int find_text(void *ctx, const struct kallsym *sym)
{
	if (strcmp(sym->name, "_text") != 0)
		return 0;
	*(uint64_t *)ctx = sym->addr;
	return 1;
}

/* Did this kernel, since it booted, make the recording? */
static bool is_running(const struct collect *c)
{
	const struct sym_build_id *id = sym__kernel_build_id(c->machine->sym);
	struct sym_build_id own = { 0 };
	uint64_t text = 0;

	if (id && !(build_id__of_kernel(&own) && build_id__equal(id, &own)))
		return false;
	if (!id && running_kernel__compare(c->rec->release, c->rec->arch) != KERNEL_RUNNING)
		return false;
	return c->kernel.text && kallsyms_walk(NULL, find_text, &text) == 1 &&
	       text == c->kernel.text;
}

/* Chooses the file. false: there is none, and it is said why. */
static bool open_file(struct collect *c, struct kernel_file *f, const struct sym_options *sym,
		      int kcore_fd)
{
	const struct sym_build_id *id = sym__kernel_build_id(c->machine->sym);
	struct collect_kernel *k = &c->kernel;
	bool may_move = true;

	*f = (struct kernel_file){ .fd = -1 };
	if (sym->vmlinux) {
		k->problem = "the file of --vmlinux has no code";
		if (!kernel_file__take(f, root__open(-1, sym->vmlinux)))
			return false;
	} else if (kernel_file__open_kept(f, c->rec->path, k->text)) {
		may_move = false;
	} else if (is_running(c)) {
		may_move = false;
		k->problem = "/proc/kcore cannot be read; run bpfperf as root, or give a --vmlinux";
		if (!kernel_file__take(f, kcore_fd < 0 ? -1 : dup(kcore_fd)))
			return false;
		k->is_live = true;
	} else if (!id || !kernel_file__open_by_id(f, id, c->rec->release)) {
		k->problem = "it is of another kernel or boot; give its --vmlinux, or record with "
			     "`perf record --kcore`";
		return false;
	}
	if (may_move && k->text && kernel_file__text(f))
		f->moved = k->text - kernel_file__text(f);
	k->problem = NULL;
	return true;
}

static int add_section(struct copy *copy, uint64_t addr, uint64_t sz)
{
	struct collect_kernel *k = &copy->c->kernel;

	if (array__reserve((void **)&k->maps, &k->map_cap, k->map_cnt + 1, sizeof(*k->maps)))
		return -ENOMEM;
	k->maps[k->map_cnt++] = (struct collect_map){
		.addr = addr, .len = sz, .pgoff = copy->sz, .image = (uint32_t)copy->c->image_cnt
	};
	copy->sz = (copy->sz + sz + PAGE_SZ - 1) & ~(PAGE_SZ - 1);
	return ftruncate(copy->fd, (off_t)copy->sz) ? -ENOMEM : 0;
}

/* Copies code from the file, as far as it can be read. */
static int copy_code(struct copy *copy, const struct kernel_file *f, uint64_t off, uint64_t addr,
		     uint64_t sz)
{
	const uint64_t to = copy->sz;
	uint64_t done = 0, n;
	ssize_t got;

	if (sz > CODE_MAX_SZ || copy->sz > CODE_MAX_SZ - sz)
		return 0;
	while (done < sz) {
		n = sz - done < COPY_SZ ? sz - done : COPY_SZ;
		got = pread(f->fd, copy->buf, n, (off_t)(off + done));
		if (got <= 0)
			break;
		if (pwrite(copy->fd, copy->buf, (size_t)got, (off_t)(to + done)) != got)
			return -ENOMEM;
		done += (uint64_t)got;
	}
	return done ? add_section(copy, addr, done) : 0;
}

/* Copies what the file has of a range of the recording's addresses. */
static int copy_range(struct copy *copy, const struct kernel_file *f, uint64_t addr, uint64_t end)
{
	size_t i;
	int err = 0;

	for (i = 0; i < f->cnt && !err; i++) {
		const struct kernel_segment *s = &f->segments[i];
		uint64_t at = s->addr + f->moved, from = addr > at ? addr : at;
		uint64_t to = end < at + s->sz ? end : at + s->sz;

		if (copy->c->kernel.is_live && from < CORE_MIN_ADDR)
			from = CORE_MIN_ADDR;
		if (from < to)
			err = copy_code(copy, f, s->off + (from - at), from, to - from);
	}
	return err;
}

static int copy_all(struct copy *copy, const struct kernel_file *f)
{
	const struct collect_kernel *k = &copy->c->kernel;
	size_t i;
	int err = 0;

	for (i = 0; i < k->range_cnt && !err; i++) {
		const struct collect_range *r = &k->ranges[i];

		/* Modules are not in a file that was moved by the boot. */
		if (r->is_core || !f->moved)
			err = copy_range(copy, f, r->addr, r->addr + r->len);
	}
	/* Without ranges, all that the file calls code. */
	for (i = 0; i < f->cnt && !err && !k->range_cnt && !k->is_live; i++)
		if (f->segments[i].is_code)
			err = copy_range(copy, f, f->segments[i].addr + f->moved,
					 f->segments[i].addr + f->moved + f->segments[i].sz);
	return err;
}

static bool has_section(const struct collect_kernel *k, uint64_t addr)
{
	size_t i;

	for (i = 0; i < k->map_cnt; i++)
		if (addr - k->maps[i].addr < k->maps[i].len)
			return true;
	return false;
}

static int by_addr(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Pages of code that the kernel wrote elsewhere: trampolines, optimized probes. */
static int add_poked(struct copy *copy)
{
	const struct collect_kernel *k = &copy->c->kernel;
	uint64_t *pages = calloc(2 * k->poke_cnt + 1, sizeof(*pages)), left = POKED_MAX_SZ;
	size_t cnt = 0, i, n;
	int err = 0;

	if (!pages)
		return -ENOMEM;
	for (i = 0; i < k->poke_cnt; i++) {
		const struct itrace_poke *p = &k->pokes[i];
		const uint64_t last = p->addr + ITRACE_POKE_SZ - 1;

		if (!p->after_sz || has_section(k, p->addr))
			continue;
		pages[cnt++] = p->addr & ~(PAGE_SZ - 1);
		if ((p->addr ^ last) & ~(PAGE_SZ - 1))
			pages[cnt++] = last & ~(PAGE_SZ - 1);
	}
	qsort(pages, cnt, sizeof(*pages), by_addr);
	for (i = 0; i < cnt && !err; i = n) {
		uint64_t end = pages[i] + PAGE_SZ;

		for (n = i + 1; n < cnt && pages[n] <= end; n++)
			end = pages[n] + PAGE_SZ;
		if (end - pages[i] > left) {
			copy->c->kernel.is_cut = true;
			break;
		}
		left -= end - pages[i];
		err = add_section(copy, pages[i], end - pages[i]);
	}
	free(pages);
	return err;
}

/* Does an event that traces a processor's code have the kernel's, too? */
static bool is_traced(const struct collect *c)
{
	size_t i;

	for (i = 0; i < c->rec->attrs.cnt; i++)
		if (c->rec->attrs.events[i].attr.type >= PERF_TYPE_MAX &&
		    !c->rec->attrs.events[i].attr.exclude_kernel)
			return true;
	return false;
}

int kernel_code__find(struct collect *c, const struct sym_options *sym, int kcore_fd)
{
	struct copy copy = { .c = c, .fd = -1 };
	struct kernel_file f;
	int err = 0;

	if (!is_traced(c))
		return 0;
	copy.buf = malloc(COPY_SZ);
	copy.fd = memfd_create("kernel", MFD_CLOEXEC);
	if (!copy.buf || copy.fd < 0 ||
	    array__reserve((void **)&c->images, &c->image_cap, c->image_cnt + 1,
			   sizeof(*c->images)))
		err = -ENOMEM;
	if (!err && open_file(c, &f, sym, kcore_fd)) {
		err = copy_all(&copy, &f);
		kernel_file__close(&f);
	}
	if (!err)
		err = add_poked(&copy);
	if (c->kernel.is_cut)
		c->kernel.problem = "the recording names more of it than a kernel has";
	free(copy.buf);
	if (!err && c->kernel.map_cnt)
		c->images[c->image_cnt++] = copy.fd;
	else if (copy.fd >= 0)
		close(copy.fd);
	return err;
}
