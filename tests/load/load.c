// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Every BPF program through the verifier of the running kernel, in every layout that its knobs
 * give it. The knobs are found in the objects' BTF, so a new one is tried without a change here:
 * each scalar of .rodata is a dimension (a flag takes 0 and 1, a number its default and 1, but a
 * number of counters all there can be),
 * except that
 *   id_*   are ids of tracepoints: 1 throughout, no branch asks for more than "is there one";
 *   dyn_*  belong to one program each, so that all of them change together.
 * Where these are more combinations than anyone waits for, all are tried in which at most two
 * differ from the defaults, or from their opposite. With the argument "few", for slow machines,
 * or LOAD_SHAPES=few in the environment, the defaults, their opposite, and PAIR_ROWS layouts that
 * have each pair of dimensions in each of its four ways. Names of objects behind "few", such as
 * "few stack", leave out the others.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "load_objects.h"

#define MAX_DIMS 56
/*
 * Layouts that have all pairs: the layouts in which a dimension has its other value are 4 of 9, the
 * first and three more, and no two dimensions have the same. Two such sets meet in the first, each
 * has one that the other has not, and both leave one out. 56 dimensions find such a set.
 */
#define PAIR_ROWS 9
/* More dimensions than this are not combined with each other, but in pairs. */
#define MAX_COMBINED 7

struct knob {
	const char *name;
	__u32 off, size; /* bytes in .rodata */
	bool is_flag;
};

struct object {
	const char *name;
	const void *elf;
	size_t elf_sz;
	struct knob dims[MAX_DIMS]; /* each stands for itself … */
	size_t dim_cnt;
	bool has_dyn; /* … and one more for all dyn_* */
};

static char verifier_log[1 << 20];

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* Is it one that may sleep, as only kernels from 7.2 on let tracepoints' programs? */
static bool may_sleep(const struct bpf_program *prog)
{
	return starts_with(bpf_program__name(prog), "bring_");
}

/* Does the kernel have what the program attaches to? One that it has not is not for this kernel. */
static bool has_target(const struct bpf_program *prog)
{
	const char *sec = bpf_program__section_name(prog), *slash = strchr(sec, '/');
	char name[128];

	if (load_objects__is_for_others(prog))
		return false;
	if (may_sleep(prog) &&
	    btf__find_by_name_kind(kernel_btf, "trace_call_bpf_faultable", BTF_KIND_FUNC) < 0)
		return false;
	if (!slash)
		return true;
	if (starts_with(sec, "tp_btf/")) {
		snprintf(name, sizeof(name), "btf_trace_%s", slash + 1);
		return btf__find_by_name_kind(kernel_btf, name, BTF_KIND_TYPEDEF) > 0;
	}
	if (starts_with(sec, "fentry/") || starts_with(sec, "fexit/"))
		return btf__find_by_name_kind(kernel_btf, slash + 1, BTF_KIND_FUNC) > 0;
	return true;
}

static struct bpf_object *open_object(const struct object *o)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = o->name);

	return bpf_object__open_mem(o->elf, o->elf_sz, &opts);
}

static struct bpf_map *rodata_of(struct bpf_object *obj)
{
	struct bpf_map *map;

	bpf_object__for_each_map (map, obj) {
		const char *dot = strrchr(bpf_map__name(map), '.');

		if (bpf_map__is_internal(map) && dot && !strcmp(dot, ".rodata"))
			return map;
	}
	return NULL;
}

/* Calls `each` for every scalar of .rodata; 0, or what `each` returned. */
static int for_each_knob(struct bpf_object *obj, int (*each)(void *ctx, const struct knob *k),
			 void *ctx)
{
	const struct btf *btf = bpf_object__btf(obj);
	const struct btf_type *sec;
	int id = btf__find_by_name_kind(btf, ".rodata", BTF_KIND_DATASEC), i, err = 0;

	if (id < 0)
		return 0;
	sec = btf__type_by_id(btf, (__u32)id);
	for (i = 0; i < btf_vlen(sec) && !err; i++) {
		const struct btf_var_secinfo *si = &btf_var_secinfos(sec)[i];
		const struct btf_type *var = btf__type_by_id(btf, si->type);
		int type_id = btf__resolve_type(btf, (__s32)var->type);
		const struct btf_type *type;
		struct knob k = { btf__str_by_offset(btf, var->name_off), si->offset, si->size,
				  false };

		while (type_id > 0 && btf_is_mod(btf__type_by_id(btf, (__u32)type_id)))
			type_id = (int)btf__type_by_id(btf, (__u32)type_id)->type;
		type = btf__type_by_id(btf, (__u32)type_id);
		if (!btf_is_int(type) && !btf_is_any_enum(type))
			continue;
		k.is_flag = btf_is_int(type) && btf_int_encoding(type) & BTF_INT_BOOL;
		err = each(ctx, &k);
	}
	return err;
}

static int collect_knob(void *ctx, const struct knob *k)
{
	struct object *o = ctx;

	if (starts_with(k->name, "id_"))
		return 0;
	if (starts_with(k->name, "dyn_")) {
		o->has_dyn = true;
		return 0;
	}
	if (o->dim_cnt == MAX_DIMS)
		return -E2BIG;
	o->dims[o->dim_cnt] = *k;
	/* The name belongs to an object that is closed before it is used. */
	o->dims[o->dim_cnt++].name = strdup(k->name);
	return 0;
}

struct layout {
	const struct object *obj;
	/* Dimension i is at its other value where bit i is set; the bit above: dyn_*. */
	uint64_t bits;
	char *rodata;
};

static int set_knob(void *ctx, const struct knob *k)
{
	const struct layout *s = ctx;
	__u64 val = 0;
	size_t i;

	memcpy(&val, s->rodata + k->off, k->size);
	if (starts_with(k->name, "id_"))
		val = 1;
	if (starts_with(k->name, "dyn_"))
		val = s->bits >> s->obj->dim_cnt & 1;
	for (i = 0; i < s->obj->dim_cnt; i++)
		if (!strcmp(k->name, s->obj->dims[i].name)) {
			if (k->is_flag)
				val = s->bits >> i & 1;
			else if (s->bits >> i & 1)
				val = !strcmp(k->name, "counter_cnt") ? WIRE_COUNTERS_MAX : 1;
		}
	memcpy(s->rodata + k->off, &val, k->size);
	return 0;
}

static void describe(const struct layout *s, char *buf, size_t sz)
{
	size_t i, len = 0;

	buf[0] = '\0';
	for (i = 0; i < s->obj->dim_cnt && len < sz; i++)
		len += (size_t)snprintf(buf + len, sz - len, " %s=%s", s->obj->dims[i].name,
					s->bits >> i & 1          ? "1"
					: s->obj->dims[i].is_flag ? "0"
								  : "default");
	if (s->obj->has_dyn && len < sz)
		snprintf(buf + len, sz - len, " dyn_*=%u",
			 (unsigned int)(s->bits >> s->obj->dim_cnt & 1));
}

/* Loads the object in this layout, all its programs or only one; how many, or -errno. */
static int load_shape(struct layout *s, const char *only)
{
	struct bpf_object *obj = open_object(s->obj);
	struct bpf_program *prog;
	struct bpf_map *map;
	const void *initial;
	size_t sz;
	int err, cnt = 0;

	if (!obj)
		return -errno;
	bpf_object__for_each_program (prog, obj) {
		bool wanted = has_target(prog) && (!only || !strcmp(only, bpf_program__name(prog)));

		bpf_program__set_autoload(prog, wanted);
		if (may_sleep(prog))
			bpf_program__set_flags(prog, BPF_F_SLEEPABLE);
		if (only && wanted)
			bpf_program__set_log_buf(prog, verifier_log, sizeof(verifier_log));
		cnt += wanted;
	}
	map = rodata_of(obj);
	if (map) {
		initial = bpf_map__initial_value(map, &sz);
		s->rodata = malloc(sz);
		memcpy(s->rodata, initial, sz);
		for_each_knob(obj, set_knob, s);
		bpf_map__set_initial_value(map, s->rodata, sz);
		free(s->rodata);
	}
	err = bpf_object__load(obj);
	bpf_object__close(obj);
	return err ? err : cnt;
}

/* Which programs the kernel refuses, and its last words about each when it is refused first. */
static void explain(struct layout *s)
{
	static char said[64][64];
	static size_t said_cnt;
	size_t i;

	struct bpf_object *obj = open_object(s->obj);
	struct bpf_program *prog;
	size_t len;
	int err;

	bpf_object__for_each_program (prog, obj) {
		verifier_log[0] = '\0';
		err = load_shape(s, bpf_program__name(prog));
		if (err >= 0)
			continue;
		diag("%s: %s", bpf_program__name(prog), strerror(-err));
		for (i = 0; i < said_cnt && strcmp(said[i], bpf_program__name(prog)) != 0; i++)
			;
		if (i < said_cnt || said_cnt == 64)
			continue;
		snprintf(said[said_cnt++], sizeof(said[0]), "%s", bpf_program__name(prog));
		len = strlen(verifier_log);
		diag("%s", verifier_log + (len > 1500 ? len - 1500 : 0));
	}
	bpf_object__close(obj);
}

/* How many arguments the kernel's tracepoint has. */
static int tracepoint_args(const char *name)
{
	char func[128];
	const struct btf_type *t;
	int id;

	snprintf(func, sizeof(func), "btf_trace_%s", name);
	id = btf__find_by_name_kind(kernel_btf, func, BTF_KIND_TYPEDEF);
	if (id < 0)
		return 0;
	t = btf__type_by_id(kernel_btf, btf__type_by_id(kernel_btf, (__u32)id)->type);
	t = btf__type_by_id(kernel_btf, t->type);
	/* The first is the tracepoint's own. */
	return btf_vlen(t) - 1;
}

/* Can this kernel have what the knob stands for? */
static bool knob_is_for_this_kernel(const char *name)
{
	if (!strcmp(name, "has_attach_cookie"))
		return libbpf_probe_bpf_helper(BPF_PROG_TYPE_TRACEPOINT, BPF_FUNC_get_attach_cookie,
					       NULL) == 1;
	if (!strcmp(name, "unwind_regs_helper"))
		return libbpf_probe_bpf_helper(BPF_PROG_TYPE_PERF_EVENT, BPF_FUNC_task_pt_regs,
					       NULL) == 1;
	if (!strcmp(name, "exit_has_group_dead"))
		return tracepoint_args("sched_process_exit") >= 2;
	return true;
}

/* Knobs that only other kernels set stay at their defaults. */
static uint64_t bits_of_other_kernels(const struct object *o)
{
	uint64_t bits = 0;
	size_t i;

	for (i = 0; i < o->dim_cnt; i++)
		if (!knob_is_for_this_kernel(o->dims[i].name))
			bits |= 1ull << i;
	return bits;
}

static void try_layout(const struct object *o, uint64_t bits, int total)
{
	struct layout s = { .obj = o, .bits = bits };
	int cnt = load_shape(&s, NULL);
	char text[1024];

	describe(&s, text, sizeof(text));
	if (!ok(cnt > 0, "%s, all %d programs:%s", o->name, total, text))
		explain(&s);
}

/* The defaults and their opposite, and all layouts with one dimension or two changed. */
static void try_near(const struct object *o, uint64_t all, int total)
{
	uint64_t base = 0, i, j;

	for (;; base = all) {
		try_layout(o, base, total);
		for (i = 1; i && i <= all; i <<= 1) {
			if (!(i & all))
				continue;
			try_layout(o, base ^ i, total);
			for (j = 1; j < i; j <<= 1)
				if (j & all)
					try_layout(o, base ^ i ^ j, total);
		}
		if (base == all)
			return;
	}
}

/* The next set of PAIR_ROWS layouts, as bits: the first and three others. */
static unsigned int next_rows(unsigned int rows)
{
	do
		rows += 2;
	while (__builtin_popcount(rows) != 4);
	return rows;
}

/* The defaults and their opposite, and layouts with each pair in each of its ways. */
static void try_pairs(const struct object *o, uint64_t all, int total)
{
	uint64_t layouts[PAIR_ROWS] = { 0 }, dim;
	unsigned int rows = 1, i;

	for (dim = 1; dim && dim <= all; dim <<= 1) {
		if (!(dim & all))
			continue;
		rows = next_rows(rows);
		for (i = 0; i < PAIR_ROWS; i++)
			if (rows >> i & 1)
				layouts[i] |= dim;
	}
	if (!ok(!(rows >> PAIR_ROWS), "%s: %d layouts have all pairs", o->name, PAIR_ROWS))
		return;
	try_layout(o, 0, total);
	try_layout(o, all, total);
	for (i = 0; i < PAIR_ROWS; i++)
		try_layout(o, layouts[i], total);
}

static void try_all(const struct object *o, uint64_t all, int total)
{
	uint64_t bits;

	for (bits = 0; bits <= all; bits++)
		if (!(bits & ~all))
			try_layout(o, bits, total);
}

static void test_object(struct object *o, bool few)
{
	struct bpf_object *obj = open_object(o);
	struct bpf_program *prog;
	uint64_t all;
	int total = 0;

	if (!ok(obj != NULL, "%s opens", o->name))
		return;
	bpf_object__for_each_program (prog, obj) {
		if (has_target(prog))
			total++;
		else
			diag("%s: not of this kernel, left out", bpf_program__name(prog));
	}
	ok(!for_each_knob(obj, collect_knob, o), "%s has at most %d knobs", o->name, MAX_DIMS);
	bpf_object__close(obj);

	all = ((1ull << (o->dim_cnt + o->has_dyn)) - 1) & ~bits_of_other_kernels(o);
	if (__builtin_popcountll(all) <= (few ? 3 : MAX_COMBINED))
		try_all(o, all, total);
	else if (few)
		try_pairs(o, all, total);
	else
		try_near(o, all, total);
	while (o->dim_cnt)
		free((char *)o->dims[--o->dim_cnt].name);
}

static bool is_wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 2; i < argc && strcmp(argv[i], name); i++)
		;
	return argc <= 2 || i < argc;
}

int main(int argc, char **argv)
{
	const char *shapes = argc > 1 ? argv[1] : getenv("LOAD_SHAPES");
	bool few = shapes && !strcmp(shapes, "few");
	size_t i;

	load_objects__begin();
	for (i = 0; i < LOAD_OBJECT_CNT; i++) {
		struct object o = { .name = load_objects[i].name,
				    .elf = load_objects[i].elf,
				    .elf_sz = load_objects[i].sz };

		if (is_wanted(o.name, argc, argv))
			test_object(&o, few);
	}
	btf__free(kernel_btf);
	return done_testing();
}
