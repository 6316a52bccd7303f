// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The part of a kernel's BTF that an object needs, from a BTF made here: the types that are kept
 * are as they were, pointers lead nowhere, and an image that is cut or overwritten is refused or
 * harmless.
 */
#include "kernel/btf_subset.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "rnd.h"
#include "tap.h"

static char path[64];

static void write_image(const void *data, size_t sz)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, data, sz) != (ssize_t)sz)
		diag("cannot write %s", path);
	close(fd);
}

/*
 * A kernel of few types: two structs of one name, one that is not asked for, one behind a pointer.
 */
static struct btf *make_kernel(int *trace_id)
{
	struct btf *btf = btf__new_empty();
	int i32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int inner, inner_const, far, far_ptr, list, task, task_ptr, void_ptr, proto, arr;

	inner = btf__add_struct(btf, "inner", 8);
	btf__add_field(btf, "a", i32, 0, 0);
	btf__add_field(btf, "b", i32, 32, 0);
	far = btf__add_struct(btf, "far", 4);
	btf__add_field(btf, "x", i32, 0, 0);
	far_ptr = btf__add_ptr(btf, far);
	arr = btf__add_array(btf, i32, inner, 3);
	list = btf__add_typedef(btf, "list_t", arr);
	inner_const = btf__add_const(btf, inner);
	task = btf__add_struct(btf, "task", 48);
	btf__add_field(btf, "pid", i32, 0, 0);
	btf__add_field(btf, "flags", i32, 32, 0);
	btf__add_field(btf, "all", list, 64, 0);
	btf__add_field(btf, "far", far_ptr, 256, 0);
	btf__add_field(btf, "", inner_const, 320, 0);
	btf__add_struct(btf, "task", 4);
	btf__add_field(btf, "other", i32, 0, 0);
	btf__add_enum(btf, "helper", 4);
	btf__add_enum_value(btf, "FIRST", 1);
	btf__add_enum_value(btf, "SECOND", 2);
	task_ptr = btf__add_ptr(btf, task);
	void_ptr = btf__add_ptr(btf, 0);
	proto = btf__add_func_proto(btf, 0);
	btf__add_func_param(btf, "", void_ptr);
	btf__add_func_param(btf, "t", task_ptr);
	btf__add_func_param(btf, "f", far_ptr);
	*trace_id = btf__add_typedef(btf, "btf_trace_switch", btf__add_ptr(btf, proto));
	btf__add_func(btf, "bpf_iter_thing", BTF_FUNC_STATIC, proto);
	/* A function of a type's name is no type. */
	btf__add_func(btf, "inner", BTF_FUNC_STATIC, proto);
	btf__add_struct(btf, "unrelated", 4);
	btf__add_field(btf, "y", i32, 0, 0);
	return btf;
}

static struct btf *make_object(void)
{
	struct btf *btf = btf__new_empty();

	btf__add_struct(btf, "task___old", 0);
	btf__add_enum(btf, "helper", 4);
	btf__add_typedef(btf, "btf_trace_switch___new", 0);
	btf__add_struct(btf, "not_in_the_kernel", 0);
	btf__add_struct(btf, "x___", 0);
	return btf;
}

static struct btf *subset_of(const struct btf *local, struct btf_names *names, int *err)
{
	struct strbuf sb = STRBUF_INIT;
	struct btf_image img;
	struct btf *btf = NULL;

	*err = btf_image__open(&img, path);
	if (*err)
		return NULL;
	*err = btf_names__add_types(names, local);
	if (!*err)
		*err = btf_names__add(names, "btf_trace_switch", strlen("btf_trace_switch"), false);
	if (!*err)
		*err = btf_subset__make(&img, names, &sb);
	if (!*err)
		btf = btf__new(sb.buf, (__u32)sb.len);
	strbuf__free(&sb);
	btf_image__close(&img);
	return btf;
}

static const struct btf_type *type_of(const struct btf *btf, const char *name, __u32 kind)
{
	int id = btf__find_by_name_kind(btf, name, kind);

	return id > 0 ? btf__type_by_id(btf, (__u32)id) : NULL;
}

static const struct btf_type *member(const struct btf *btf, const struct btf_type *t, __u32 i,
				     const char *name, __u32 off)
{
	const struct btf_member *m = &btf_members(t)[i];

	if (strcmp(btf__str_by_offset(btf, m->name_off), name) != 0 || m->offset != off)
		return NULL;
	return m->type ? btf__type_by_id(btf, m->type) : NULL;
}

static void check_task(const struct btf *btf)
{
	const struct btf_type *task = type_of(btf, "task", BTF_KIND_STRUCT), *m;

	if (!ok(task && btf_vlen(task) == 5 && task->size == 48,
		"subset: a struct has its members"))
		return;
	m = member(btf, task, 1, "flags", 32);
	ok(m && btf_is_int(m) && m->size == 4, "subset: a member has its name, offset and type");
	m = member(btf, task, 2, "all", 64);
	ok(m && btf_is_typedef(m), "subset: a typedef of an array is kept");
	m = m ? btf__type_by_id(btf, m->type) : NULL;
	ok(m && btf_is_array(m) && btf_array(m)->nelems == 3 &&
		   btf_vlen(btf__type_by_id(btf, btf_array(m)->type)) == 2,
	   "subset: an array's elements have their members");
	m = member(btf, task, 3, "far", 256);
	ok(m && btf_is_ptr(m), "subset: a member may be a pointer");
	m = member(btf, task, 4, "", 320);
	ok(m && btf_is_const(m), "subset: a member without a name is kept");
}

static void check_trace(const struct btf *btf)
{
	const struct btf_type *t = type_of(btf, "btf_trace_switch", BTF_KIND_TYPEDEF), *to;

	t = t ? btf__type_by_id(btf, t->type) : NULL;
	t = t ? btf__type_by_id(btf, t->type) : NULL;
	if (!ok(t && btf_is_func_proto(t) && btf_vlen(t) == 3,
		"subset: a typedef has its prototype"))
		return;
	to = btf__type_by_id(btf, btf__type_by_id(btf, btf_params(t)[1].type)->type);
	ok(btf_is_struct(to) && btf_vlen(to) == 5,
	   "subset: a parameter points to a struct that is kept");
	to = btf__type_by_id(btf, btf__type_by_id(btf, btf_params(t)[2].type)->type);
	ok(btf_is_struct(to) && btf_vlen(to) == 0 && to->size == 4,
	   "subset: a struct that only a parameter points to has no members");
}

static void test_types(const struct btf *local, int trace_id)
{
	struct btf_names names = { 0 };
	const struct btf_type *t;
	struct btf *btf;
	__u32 id, tasks = 0;
	int err;

	btf = subset_of(local, &names, &err);
	if (!ok(btf && !err, "subset: libbpf accepts it"))
		return;
	check_task(btf);
	check_trace(btf);
	for (id = 1; id < btf__type_cnt(btf); id++)
		tasks += !strcmp(btf__str_by_offset(btf, btf__type_by_id(btf, id)->name_off),
				 "task");
	is_u64(tasks, 2, "subset: all types of a name are kept");
	t = type_of(btf, "helper", BTF_KIND_ENUM);
	ok(t && btf_vlen(t) == 2 &&
		   !strcmp(btf__str_by_offset(btf, btf_enum(t)[1].name_off), "SECOND") &&
		   btf_enum(t)[1].val == 2,
	   "subset: an enum has its values");
	ok(!type_of(btf, "unrelated", BTF_KIND_STRUCT), "subset: no other type is kept");
	is_u64(btf_names__id(&names, "btf_trace_switch"), (uint64_t)trace_id,
	       "subset: a typedef's id is that of the image");
	is_u64(btf_names__id(&names, "task"), 0, "subset: a struct has no typedef's id");
	is_u64(btf_names__id(&names, "nothing"), 0, "subset: an unknown name has no id");
	btf_names__free(&names);
	btf__free(btf);
}

/* Tries one image; true: it is refused, or libbpf accepts what is made of it. */
static bool is_harmless(const struct btf *local, const void *data, size_t sz)
{
	struct btf_names names = { 0 };
	struct btf *btf;
	bool good;
	int err;

	write_image(data, sz);
	btf = subset_of(local, &names, &err);
	good = err || btf || errno == EINVAL;
	btf_names__free(&names);
	btf__free(btf);
	return good;
}

static void test_damage(const struct btf *local, const void *data, __u32 sz)
{
	unsigned char *bytes = malloc(sz);
	struct btf_image img;
	__u32 len, bad = 0;
	int i;

	for (len = 0; len < sz; len++) {
		write_image(data, len);
		if (btf_image__open(&img, path))
			continue;
		bad++;
		btf_image__close(&img);
	}
	is_u64(bad, 0, "image: a file that is cut is refused at every length");
	for (i = 0, bad = 0; i < 3000; i++) {
		memcpy(bytes, data, sz);
		bytes[rnd(sz)] = (unsigned char)rnd64();
		bytes[rnd(sz)] ^= (unsigned char)(1u << rnd(8));
		bad += !is_harmless(local, bytes, sz);
	}
	is_u64(bad, 0, "image: overwritten bytes do no harm");
	memcpy(bytes, data, sz);
	((struct btf_header *)(void *)bytes)->version = 2;
	write_image(bytes, sz);
	is_s64(btf_image__open(&img, path), -EINVAL, "image: another version is refused");
	is_s64(btf_image__open(&img, "/nonexistent"), -ENOENT, "image: a missing file is an error");
	free(bytes);
}

int main(void)
{
	int trace_id;
	struct btf *kernel = make_kernel(&trace_id), *local = make_object();
	__u32 sz;
	const void *data = btf__raw_data(kernel, &sz);

	snprintf(path, sizeof(path), "/tmp/bpfperf-btf.%d", getpid());
	write_image(data, sz);
	test_types(local, trace_id);
	test_damage(local, data, sz);
	unlink(path);
	btf__free(kernel);
	btf__free(local);
	return done_testing();
}
