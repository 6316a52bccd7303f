// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/kallsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/kallsyms_walk.h"
#include "sym/build_id_cache.h"
#include "sym/kallsyms_text.h"
#include "sym/root.h"
#include "sym/vmlinux.h"
#include "util/array.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/private_dir.h"

#define KERNEL_MODULE "[kernel.kallsyms]"
#define LOOK_NS 10000000ull
/* Maximum size of code in pseudo-modules: a BPF program; trampolines and the like have one page. */
#define BPF_PROG_SZ (256u << 10)
/* Announced addresses that are kept until the thread has read. */
#define WANTED_MAX 16384

/*
 * The last of several names at one address wins, as in perf, which gives length 0 to the others:
 * `__x64_sys_…` for a system call, `__pi_memcpy` for memcpy().
 */
static bool is_later(const void *ctx, const struct symtab_entry *a, const struct symtab_entry *b)
{
	return a->name > b->name;
}

static const char *path_of(const struct kallsyms *ks)
{
	return ks->vmlinux ? ks->vmlinux : ks->path ? ks->path : "/proc/kallsyms";
}

/* Modules of a file that was copied have no addresses but those of their functions. */
static bool is_copy(const struct kallsyms *ks)
{
	return ks->is_given || ks->cached;
}

static int read_modules(const struct kallsyms *ks, struct kmodules *modules)
{
	if (is_copy(ks))
		return 0;
	return kmodules__read(modules, ks->modules_path ? ks->modules_path : "/proc/modules");
}

static void free_read(struct kallsyms_read *r)
{
	symtab__free(&r->tab);
	strbuf__free(&r->strings);
	kmodules__free(&r->modules);
}

/* 0, -ENODATA: addresses are hidden, or another -errno: it cannot be read. */
static int read_functions(struct kallsyms *ks, struct kallsyms_read *r)
{
	const struct symtab_choice choice = { .is_better = is_later };
	bool nonzero = false;
	int fd, err;

	if (ks->vmlinux) {
		err = vmlinux__read(ks->job.is_ahead ? READER_AHEAD : READER_NAMES, ks->vmlinux,
				    &r->tab, &r->strings, &ks->text);
		if (err)
			free_read(r);
		return err;
	}
	/* A copy may be anything: nothing but a file is read. */
	fd = is_copy(ks) ? root__open(-1, ks->path) : open(path_of(ks), O_RDONLY | O_CLOEXEC);
	err = fd < 0 ? -errno : kallsyms_text__read(r, fd, r == ks->reads, &nonzero);
	if (fd >= 0)
		close(fd);
	if (r == ks->reads)
		ks->text = r->text;
	if (!err && !nonzero)
		err = -ENODATA;
	if (err)
		free_read(r);
	else
		symtab__finish(&r->tab, &choice);
	return err;
}

static const char *cache_dir(const struct kallsyms *ks)
{
	if (ks->cache_dir)
		return ks->cache_dir;
	return ks->path || is_copy(ks) || geteuid() ? NULL : PRIVATE_DIR;
}

static int find_text(void *ctx, const struct kallsym *sym)
{
	uint64_t *text = ctx;

	if (strcmp(sym->name, "_text") != 0)
		return 0;
	*text = sym->addr;
	return 1;
}

/* An address that is hidden is no address: then the cache is hidden, too. */
static bool open_cache(struct kallsyms *ks)
{
	struct kallsyms_read *r = &ks->reads[0];
	uint64_t text = 0;

	if (!cache_dir(ks) || kallsyms_walk(ks->path, find_text, &text) != 1 || !text ||
	    kallsyms_cache__open(&ks->cache, cache_dir(ks), text, &r->modules))
		return false;
	ks->text = text;
	r->tab = ks->cache.tab;
	r->strings = ks->cache.strings;
	ks->lacks_pseudo = true;
	return true;
}

static void write_cache(struct kallsyms *ks)
{
	const struct kallsyms_read *r = &ks->reads[0];
	struct kmodules now = { 0 };
	int err;

	if (!cache_dir(ks) || !ks->text || read_modules(ks, &now))
		return;
	err = kmodules__equal(&now, &r->modules)
		      ? kallsyms_cache__write(cache_dir(ks), ks->text, &now, &r->tab, &r->strings)
		      : 0;
	if (err)
		log_info("%s: the kernel's functions are not kept: %s", cache_dir(ks),
			 strerror(-err));
	kmodules__free(&now);
}

static void load(struct ahead_job *job)
{
	struct kallsyms *ks = (struct kallsyms *)job;
	int err;

	/* Read modules before functions: if a module is loaded in between, both are read again. */
	if (!ks->has_modules)
		read_modules(ks, &ks->reads[0].modules);
	if (open_cache(ks))
		return;
	ks->job.frees_much = true;
	err = read_functions(ks, &ks->reads[0]);
	if (!err)
		write_cache(ks);
	ks->settled = ks->settled || err != 0;
	if (err && is_copy(ks))
		log_warn("%s: kernel functions stay unnamed: %s", path_of(ks),
			 err == -ENOEXEC || err == -ENODATA ? "it has no kernel's functions"
							    : strerror(-err));
	else if (err == -ENODATA)
		log_warn("the kernel hides its addresses, so its functions stay unnamed: "
			 "run as root with sysctl kernel.kptr_restrict=0 or 1");
	else if (err)
		log_warn("cannot read %s (%s): kernel functions stay unnamed", path_of(ks),
			 strerror(-err));
}

void kallsyms__read_ahead(struct kallsyms *ks)
{
	/* The state is the thread's to change. */
	if (ks->job.fn)
		return;
	ks->job.fn = load;
	ahead__queue(ks->ahead, &ks->job);
}

static void ensure_loaded(struct kallsyms *ks)
{
	if (ks->loaded)
		return;
	/* A job that is queued belongs to the thread. */
	if (!ks->job.fn)
		ks->job.fn = load;
	ahead__finish(ks->ahead, &ks->job);
	ks->read_cnt = 1;
	ks->loaded = true;
}

/* Reads the current functions, if modules were loaded or unloaded. */
static void look_again(struct kallsyms *ks)
{
	struct kallsyms_read *r = &ks->reads[ks->read_cnt];
	uint64_t now_ns = mono_ns();

	if (ks->settled || now_ns - ks->looked_ns < LOOK_NS)
		return;
	ks->looked_ns = now_ns;
	if (read_modules(ks, &r->modules))
		return;
	if (kmodules__equal(&r->modules, &r[-1].modules)) {
		kmodules__free(&r->modules);
		return;
	}
	ks->lacks_pseudo = false;
	ks->settled = read_functions(ks, r) || ++ks->read_cnt == KALLSYMS_READS_MAX;
}

static void load_pseudo(struct ahead_job *job)
{
	struct kallsyms_pseudo *p = (struct kallsyms_pseudo *)job;

	job->frees_much = true;
	p->err = read_modules(p->ks, &p->read.modules);
	if (!p->err)
		p->err = read_functions(p->ks, &p->read);
}

/*
 * Adds the code that the cache lacks, BPF programs and the like, when an address may be of it.
 * Programs that were loaded after the thread has read have records (sym/ksyms.h).
 */
static void read_pseudo(struct kallsyms *ks)
{
	struct kallsyms_pseudo *p = &ks->pseudo;

	ks->lacks_pseudo = false;
	if (ks->read_cnt == KALLSYMS_READS_MAX)
		return;
	if (!p->ks) {
		p->ks = ks;
		p->job.fn = load_pseudo;
	}
	ahead__finish(ks->ahead, &p->job);
	if (!p->err)
		ks->reads[ks->read_cnt++] = p->read;
	p->read = (struct kallsyms_read){ .tab.cnt = 0 };
}

static bool is_bpf_program(const char *name)
{
	return !strncmp(name, "bpf_prog_", 9);
}

static bool reaches(const char *name, uint64_t off)
{
	if (is_bpf_program(name))
		return off < BPF_PROG_SZ;
	return off < (uint64_t)sysconf(_SC_PAGESIZE);
}

/*
 * Functions have no size here: the last one of a module seems to extend to the first one of the
 * next module, covering any code loaded in between later.
 */
static bool is_in_place(const struct kallsyms_read *r, const struct symtab_entry *e,
			const char *module, uint64_t addr)
{
	const struct kmodule *at = kmodules__find(&r->modules, addr);
	size_t len = at ? strlen(at->name) : 0;

	if (at && e->addr < at->start)
		return false;
	if (kallsyms_cache__is_pseudo(module))
		return reaches(r->strings.buf + e->name, addr - e->addr);
	if (!*module || !r->modules.cnt)
		return true;
	return at && !strncmp(module + 1, at->name, len) && !strcmp(module + 1 + len, "]");
}

static const struct symtab_entry *entry_at(const struct kallsyms *ks, const struct kallsyms_read *r,
					   uint64_t addr, const char **module)
{
	const struct symtab_entry *e = symtab__find(&r->tab, addr);

	if (!e)
		return NULL;
	*module = r->strings.buf + e->name;
	*module += strlen(*module) + 1;
	if (ks->lacks_programs && is_bpf_program(r->strings.buf + e->name))
		return NULL;
	/* Another boot loads its modules elsewhere. */
	if ((**module && ks->moved) || !is_in_place(r, e, *module, addr))
		return NULL;
	return e;
}

/*
 * Uses the oldest reading that contains the module now (or last) at addr: so each lookup returns
 * the same pointer. Symbols of an unloaded module are kept until another module occupies the range.
 */
static const struct symtab_entry *find_in_all(const struct kallsyms *ks, uint64_t addr,
					      const struct kallsyms_read **r, const char **module)
{
	const struct kmodule *last = NULL;
	const struct symtab_entry *e = NULL;
	uint32_t i;

	for (i = ks->read_cnt; i-- && !last;)
		last = kmodules__find(&ks->reads[i].modules, addr);
	for (i = 0; i < ks->read_cnt && !e; i++) {
		*r = &ks->reads[i];
		if (kmodule__is_same(kmodules__find(&(*r)->modules, addr), last))
			e = entry_at(ks, *r, addr, module);
	}
	return e;
}

void kallsyms__want(struct kallsyms *ks, uint64_t addr)
{
	struct kallsyms_pseudo *p = &ks->pseudo;

	/* Without memory it is looked for when it is looked up. */
	if (!p->ks && (!ks->loaded || ks->lacks_pseudo) && p->wanted_cnt < WANTED_MAX &&
	    !array__reserve((void **)&p->wanted, &p->wanted_cap, p->wanted_cnt + 1,
			    sizeof(*p->wanted)))
		p->wanted[p->wanted_cnt++] = addr;
}

void kallsyms__go_ahead(struct kallsyms *ks)
{
	struct kallsyms_pseudo *p = &ks->pseudo;
	const char *module;
	size_t i;

	if (!p->wanted_cnt || !ahead__is_done(ks->ahead, &ks->job))
		return;
	ensure_loaded(ks);
	for (i = 0; ks->lacks_pseudo && !p->ks && i < p->wanted_cnt; i++) {
		if (entry_at(ks, ks->reads, p->wanted[i], &module))
			continue;
		p->ks = ks;
		p->job.fn = load_pseudo;
		ahead__queue(ks->ahead, &p->job);
	}
	p->wanted_cnt = 0;
}

/* Finds the function at addr, which is of this boot, and the reading that it is in. */
static const struct symtab_entry *find_entry(struct kallsyms *ks, uint64_t addr,
					     const struct kallsyms_read **r, const char **module)
{
	const struct symtab_entry *e;

	*r = ks->reads;
	e = entry_at(ks, *r, addr, module);
	if (!e || **module) {
		look_again(ks);
		e = find_in_all(ks, addr, r, module);
	}
	if (!e && ks->lacks_pseudo && !ks->moved) {
		read_pseudo(ks);
		e = find_in_all(ks, addr, r, module);
	}
	return e;
}

bool kallsyms__find(struct kallsyms *ks, uint64_t addr, const char **name, const char **module,
		    uint64_t *off)
{
	const struct kallsyms_read *r;
	const struct symtab_entry *e;

	ensure_loaded(ks);
	if (ks->foreign)
		return false;
	addr += ks->moved;
	e = find_entry(ks, addr, &r, module);
	if (!e)
		return false;
	*name = r->strings.buf + e->name;
	if (!**module)
		*module = KERNEL_MODULE;
	*off = addr - e->addr;
	return true;
}

uint32_t kallsyms__size(struct kallsyms *ks, uint64_t addr)
{
	const struct symtab_entry *e;
	const struct kallsyms_read *r;
	const char *module;

	ensure_loaded(ks);
	e = ks->foreign ? NULL : find_entry(ks, addr + ks->moved, &r, &module);
	return e ? e->sz : 0;
}

/* The address of _text, which is the first function of /proc/kallsyms: no other one is read. */
static uint64_t text_of(struct kallsyms *ks)
{
	uint64_t text = 0;

	if (is_copy(ks) || ks->job.fn || ks->loaded) {
		ensure_loaded(ks);
		return ks->text;
	}
	return kallsyms_walk(ks->path, find_text, &text) == 1 ? text : 0;
}

/* Returns whether the running kernel's functions are those of the recording. */
static bool is_running(struct kallsyms *ks, const struct recorded_kernel *k)
{
	struct sym_build_id own = { 0 };

	if (k->id && k->id->len)
		return build_id__of_kernel(&own) && build_id__equal(k->id, &own);
	if (k->origin != KERNEL_UNSTATED)
		return k->origin == KERNEL_RUNNING;
	/* Each boot has its own address, unless that is switched off. */
	return k->text && k->text == text_of(ks);
}

/* Turns to the copy of kallsyms that perf has kept of the recorded kernel. */
static bool find_cached(struct kallsyms *ks, const struct recorded_kernel *k)
{
	if (!k->id || ks->job.fn || ks->loaded)
		return false;
	ks->cached = build_id_cache__kallsyms(k->id);
	ks->path = ks->cached;
	return ks->cached;
}

static void warn_foreign(const struct recorded_kernel *k)
{
	struct strbuf sb = STRBUF_INIT;

	if (k->release || k->arch)
		strbuf__printf(&sb, " (%s%s%s)", k->release ? k->release : "",
			       k->release && k->arch ? " " : "", k->arch ? k->arch : "");
	log_warn("the recording is of another kernel%s, so the kernel's functions stay unnamed: "
		 "give its --kallsyms FILE or --vmlinux FILE, or read it on the machine it was "
		 "made on",
		 strbuf__cstr(&sb));
	strbuf__free(&sb);
}

void kallsyms__set_recorded(struct kallsyms *ks, const struct recorded_kernel *k)
{
	uint64_t text;

	if (ks->foreign)
		return;
	if (!is_copy(ks) && !is_running(ks, k) && !find_cached(ks, k)) {
		ks->foreign = true;
		warn_foreign(k);
		return;
	}
	/* Modules are the current ones, whenever the functions are read. */
	if (!ks->job.fn && !ks->loaded) {
		read_modules(ks, &ks->reads[0].modules);
		ks->has_modules = true;
	}
	/* A file that was given and has no functions is told of, whatever is looked up. */
	if (is_copy(ks))
		ensure_loaded(ks);
	text = k->text ? text_of(ks) : 0;
	ks->settled = true;
	ks->lacks_programs = k->has_bpf_programs && !is_copy(ks);
	ks->moved = text ? text - k->text : 0;
}

void kallsyms__free(struct kallsyms *ks)
{
	uint32_t i;

	if (ks->cache.map) {
		ks->reads[0].tab = (struct symtab){ 0 };
		ks->reads[0].strings = (struct strbuf){ 0 };
	}
	kallsyms_cache__close(&ks->cache);
	free(ks->cached);
	ks->cached = NULL;
	free_read(&ks->pseudo.read);
	free(ks->pseudo.wanted);
	ks->pseudo = (struct kallsyms_pseudo){ .ks = NULL };
	for (i = 0; i < KALLSYMS_READS_MAX; i++)
		free_read(&ks->reads[i]);
	ks->read_cnt = 0;
	ks->loaded = ks->settled = ks->lacks_pseudo = false;
	ks->has_modules = false;
	ks->looked_ns = 0;
	ks->job = (struct ahead_job){ NULL };
}
