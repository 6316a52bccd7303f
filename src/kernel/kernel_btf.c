// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/kernel_btf.h"

#include <errno.h>
#include <linux/types.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "kernel/btf_kept.h"
#include "kernel/btf_subset.h"
#include "kernel/features.h"
#include "util/log.h"

static const char *file;

/* It stays open as long as bpfperf runs, because the path refers to it. */
static int make_empty(void)
{
	static const struct {
		struct btf_header hdr;
		char strings[1];
	} empty = {
		.hdr = { .magic = BTF_MAGIC,
			 .version = BTF_VERSION,
			 .hdr_len = sizeof(struct btf_header),
			 .str_len = 1 },
	};
	const ssize_t sz = sizeof(empty.hdr) + sizeof(empty.strings);
	int fd = memfd_create("no-btf", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, &empty, (size_t)sz) != sz) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int kernel_btf__use(const char *path)
{
	struct btf *btf = btf__parse(path, NULL);
	int err = btf ? 0 : errno;
	bool has_tasks = btf && btf__find_by_name_kind(btf, "task_struct", BTF_KIND_STRUCT) > 0;

	btf__free(btf);
	if (has_tasks) {
		file = path;
		return 0;
	}
	if (err == ENOENT || err == EACCES)
		log_error("--btf %s: %s", path, strerror(err));
	else
		log_error("--btf %s: the file contains no kernel types; give the BTF of the "
			  "running kernel",
			  path);
	return -EINVAL;
}

bool kernel_btf__have_types(void)
{
	return file || feature__have(FEATURE_BTF);
}

const char *kernel_btf__file(void)
{
	return file;
}

/*
 * libbpf looks in all modules for a type that vmlinux does not have. Listing them needs
 * CAP_SYS_ADMIN, and libbpf before 1.4 fails without it. With a file it uses the types of the file
 * alone.
 */
static bool may_list_modules(void)
{
	__u32 id;

	return bpf_btf_get_next_id(0, &id) != -EPERM;
}

/*
 * The part of the kernel's types that the next object needs. libbpf would read and copy all of
 * them, and compare each with every type of the object: megabytes, for 30 KB.
 */
static struct {
	bool is_used; /* by the next object, between path() and prepare() */
	struct btf_image image; /* open meanwhile unless the part may be kept */
	int fd; /* the file in memory; open as long as bpfperf runs. -1: none */
	char path[32];
	struct btf_names names; /* of the last object, and of its tracepoints */
} part = { .fd = -1 };

#define OWN_BTF "/sys/kernel/btf/vmlinux"
/*
 * Programs that name a type of the kernel: on raw tracepoints, the typedef of the prototype; in
 * iterators (5.8), the function that describes their context.
 */
#define TP_SECTION "tp_btf/"
#define TP_PREFIX "btf_trace_"
#define ITER_SECTION "iter/"
#define ITER_PREFIX "bpf_iter_"

/* Puts the name of the type that a program's section stands for. false: it names none. */
static bool type_of_section(const char *section, char *name, size_t sz)
{
	bool is_tp = !strncmp(section, TP_SECTION, strlen(TP_SECTION));

	if (!is_tp && strncmp(section, ITER_SECTION, strlen(ITER_SECTION)) != 0)
		return false;
	snprintf(name, sz, "%s%s", is_tp ? TP_PREFIX : ITER_PREFIX, strchr(section, '/') + 1);
	return true;
}

/*
 * libbpf calls this right before it loads a program that names a type. Until then it takes the
 * program for one without, or it would read the kernel's types to find one id. The cookie is the
 * attach type.
 */
static int prepare_typed(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	char name[128];

	if (type_of_section(bpf_program__section_name(prog), name, sizeof(name)))
		opts->attach_btf_id = btf_names__id(&part.names, name);
	if (!opts->attach_btf_id)
		return -ESRCH;
	opts->expected_attach_type = (enum bpf_attach_type)cookie;
	return bpf_program__set_type(prog, BPF_PROG_TYPE_TRACING);
}

static int take_over(const char *section, enum bpf_attach_type type)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = prepare_typed,
		    .cookie = type);

	return libbpf_register_prog_handler(section, BPF_PROG_TYPE_RAW_TRACEPOINT, type, &opts);
}

static bool take_over_typed(void)
{
	static int tps, iters;

	if (tps <= 0)
		tps = take_over("tp_btf+", BPF_TRACE_RAW_TP);
	if (iters <= 0)
		iters = take_over("iter+", BPF_TRACE_ITER);
	return tps > 0 && iters > 0;
}

/* Would the file in memory hold all types? A limit of file sizes (ulimit -f) may be lower. */
static bool may_hold_all(void)
{
	struct stat st;

	return !stat(OWN_BTF, &st) && !ftruncate(part.fd, st.st_size);
}

/* Opens the kernel's types, unless they were found sound before: then the part may be kept, too. */
static int open_types(void)
{
	int err;

	if (btf_kept__is_sound())
		return 0;
	err = btf_image__open(&part.image, OWN_BTF);
	if (!err)
		btf_kept__note_sound();
	return err;
}

/*
 * Returns the path of the file that kernel_btf__prepare() fills in; NULL: libbpf has to do it all.
 */
static const char *part_path(void)
{
	btf_image__close(&part.image);
	part.is_used = false;
	if (part.fd < 0) {
		int fd = memfd_create("kernel-types", MFD_CLOEXEC);

		if (fd < 0)
			return NULL;
		snprintf(part.path, sizeof(part.path), "/proc/self/fd/%d", fd);
		part.fd = fd;
	}
	/* Without /proc the path leads nowhere. */
	if (access(part.path, R_OK) || open_types())
		return NULL;
	part.is_used = may_hold_all() && take_over_typed();
	if (part.is_used)
		return part.path;
	btf_image__close(&part.image);
	return NULL;
}

static int add_sections(struct btf_names *names, const struct bpf_object *obj)
{
	struct bpf_program *prog;
	char name[128];
	int err = 0;

	bpf_object__for_each_program (prog, obj) {
		if (!type_of_section(bpf_program__section_name(prog), name, sizeof(name)))
			continue;
		err = btf_names__add(names, name, strlen(name), false);
		if (err)
			break;
	}
	return err;
}

static int write_part(const struct strbuf *sb)
{
	size_t done = 0;

	if (ftruncate(part.fd, 0))
		return -errno;
	while (done < sb->len) {
		ssize_t n = pwrite(part.fd, sb->buf + done, sb->len - done, (off_t)done);

		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/*
 * Puts the part of the kernel's types that has these names into sb, and the names' ids into names.
 * The image is opened unless it is open, or the part was kept.
 */
static int get_part(struct btf_image *image, struct btf_names *names, struct strbuf *sb)
{
	int err = 0;

	btf_names__sort(names);
	if (btf_kept__get(names, sb))
		return 0;
	if (!image->data)
		err = btf_image__open(image, OWN_BTF);
	if (!err)
		err = btf_subset__make(image, names, sb);
	if (!err)
		btf_kept__put(names, sb);
	return err;
}

int kernel_btf__prepare(const struct bpf_object *obj)
{
	struct strbuf sb = STRBUF_INIT;
	int err = errno;

	if (!obj) {
		log_error("cannot open the BPF programs: %s", strerror(err));
		return -err;
	}
	if (!part.is_used)
		return 0;
	part.is_used = false;
	btf_names__free(&part.names);
	err = btf_names__add_types(&part.names, bpf_object__btf(obj));
	if (!err)
		err = add_sections(&part.names, obj);
	if (!err)
		err = get_part(&part.image, &part.names, &sb);
	if (!err)
		err = write_part(&sb);
	if (err)
		log_error("cannot read the kernel's types (" OWN_BTF "): %s", strerror(-err));
	strbuf__free(&sb);
	btf_image__close(&part.image);
	return err;
}

struct bpf_link *kernel_btf__attach(const struct bpf_program *prog)
{
	return bpf_program__type(prog) == BPF_PROG_TYPE_TRACING ? bpf_program__attach_trace(prog)
								: bpf_program__attach(prog);
}

/* Looks up names, in one pass over the kernel's types at most; ids are 0 where there are none. */
static void find_ids(const char *const *types, uint32_t *ids, size_t cnt)
{
	struct btf_image image = { 0 };
	struct btf_names names = { 0 };
	struct strbuf sb = STRBUF_INIT;
	int err = 0;
	size_t i;

	memset(ids, 0, cnt * sizeof(*ids));
	for (i = 0; i < cnt && !err; i++)
		err = btf_names__add(&names, types[i], strlen(types[i]), false);
	if (!err)
		err = get_part(&image, &names, &sb);
	for (i = 0; i < cnt && !err; i++)
		ids[i] = btf_names__id(&names, types[i]);
	strbuf__free(&sb);
	btf_names__free(&names);
	btf_image__close(&image);
}

static uint32_t id_of(const char *type)
{
	uint32_t id;

	find_ids(&type, &id, 1);
	return id;
}

uint32_t kernel_btf__tracepoint_id(const char *name)
{
	char type[128];

	snprintf(type, sizeof(type), TP_PREFIX "%s", name);
	return id_of(type);
}

uint32_t kernel_btf__iter_id(const char *name)
{
	char type[128];

	snprintf(type, sizeof(type), ITER_PREFIX "%s", name);
	return id_of(type);
}

const struct kernel_btf_functions *kernel_btf__functions(void)
{
	static const char *const names[] = { "bpf_preempt_disable", "bpf_preempt_enable",
					     "bpf_res_spin_lock", "bpf_session_is_return",
					     "bpf_session_cookie" };
	enum { CNT = sizeof(names) / sizeof(names[0]) };
	static struct kernel_btf_functions functions;
	static bool is_read;
	uint32_t ids[CNT];

	if (!is_read) {
		find_ids(names, ids, CNT);
		functions = (struct kernel_btf_functions){ ids[0], ids[1], ids[2], ids[3], ids[4] };
		is_read = true;
	}
	return &functions;
}

const char *kernel_btf__path(void)
{
	static char path[32];
	const char *in_memory;
	int fd;

	if (file)
		return file;
	in_memory = feature__have(FEATURE_BTF) ? part_path() : NULL;
	if (in_memory)
		return in_memory;
	if (!path[0] && feature__have(FEATURE_BTF) && !may_list_modules())
		snprintf(path, sizeof(path), "%s", OWN_BTF);
	if (path[0] || feature__have(FEATURE_BTF))
		return path[0] ? path : NULL;
	fd = make_empty();
	if (fd < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}
