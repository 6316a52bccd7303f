// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The attributes of bpf(2), by command. */
#include <string.h>

#include <linux/bpf.h>

#include "strace/calls.h"
#include "strace/fields.h"

/* Copies behind the attributes: by the pointers that some commands have at these offsets. */
enum { PART_TEXT_0 = 1, PART_TEXT_16, PART_TEXT_LOG, PART_BYTES_0 };

#define A(m, k, ...) FIELD(union bpf_attr, m, k, __VA_ARGS__)

/* clang-format off */
static const struct field map_create[] = {
	A(map_type, NAME, .names = &names_bpf_map_type), A(key_size, DECIMAL),
	A(value_size, DECIMAL),
	A(max_entries, DECIMAL), A(map_flags, BITS, .names = &names_bpf_map_flag),
	A(inner_map_fd, DESCRIPTOR), A(map_name, CHARS), A(map_ifindex, DECIMAL),
	A(btf_fd, DESCRIPTOR),
	A(btf_key_type_id, DECIMAL), A(btf_value_type_id, DECIMAL),
	A(btf_vmlinux_value_type_id, DECIMAL),
	A(map_extra, DECIMAL), FIELDS_END,
};
static const struct field map_elem[] = {
	A(map_fd, DESCRIPTOR), A(key, POINTER), A(value, POINTER),
	A(flags, BITS, .names = &names_bpf_elem_flag), FIELDS_END,
};
static const struct field map_delete[] = { A(map_fd, DESCRIPTOR), A(key, POINTER), FIELDS_END };
static const struct field map_next[] = {
	A(map_fd, DESCRIPTOR), A(key, POINTER), A(next_key, POINTER), FIELDS_END,
};
static const struct field map_freeze[] = { A(map_fd, DESCRIPTOR), FIELDS_END };
static const struct field prog_load[] = {
	A(prog_type, NAME, .names = &names_bpf_prog_type), A(insn_cnt, DECIMAL), A(insns, POINTER),
	A(license, TEXT, .part = PART_TEXT_16), A(log_level, DECIMAL), A(log_size, DECIMAL),
	A(log_buf, TEXT, .part = PART_TEXT_LOG), A(kern_version, VERSION),
	A(prog_flags, BITS, .names = &names_bpf_prog_flag), A(prog_name, CHARS),
	A(prog_ifindex, DECIMAL),
	A(expected_attach_type, NAME, .names = &names_bpf_attach_type), A(prog_btf_fd, DESCRIPTOR),
	A(func_info_rec_size, DECIMAL), A(func_info, POINTER), A(func_info_cnt, DECIMAL),
	A(line_info_rec_size, DECIMAL), A(line_info, POINTER), A(line_info_cnt, DECIMAL),
	A(attach_btf_id, DECIMAL), A(attach_prog_fd, DESCRIPTOR), A(fd_array, POINTER), FIELDS_END,
};
static const struct field object[] = {
	A(pathname, TEXT, .part = PART_TEXT_0), A(bpf_fd, DESCRIPTOR),
	A(file_flags, BITS, .names = &names_bpf_map_flag), FIELDS_END,
};
static const struct field prog_attach[] = {
	A(target_fd, DESCRIPTOR), A(attach_bpf_fd, DESCRIPTOR),
	A(attach_type, NAME, .names = &names_bpf_attach_type),
	A(attach_flags, BITS, .names = &names_bpf_attach_flag), A(replace_bpf_fd, DESCRIPTOR),
	FIELDS_END,
};
static const struct field prog_detach[] = {
	A(target_fd, DESCRIPTOR), A(attach_type, NAME, .names = &names_bpf_attach_type), FIELDS_END,
};
static const struct field next_id[] = {
	A(start_id, DECIMAL), A(next_id, DECIMAL),
	A(open_flags, BITS, .names = &names_bpf_map_flag),
	FIELDS_END,
};
static const struct field prog_by_id[] = {
	A(prog_id, DECIMAL), A(next_id, DECIMAL), A(open_flags, BITS, .names = &names_bpf_map_flag),
	FIELDS_END,
};
static const struct field map_by_id[] = {
	A(map_id, DECIMAL), A(next_id, DECIMAL), A(open_flags, BITS, .names = &names_bpf_map_flag),
	FIELDS_END,
};
static const struct field btf_by_id[] = { A(btf_id, DECIMAL), FIELDS_END };
static const struct field link_by_id[] = { A(link_id, DECIMAL), FIELDS_END };
static const struct field btf_load[] = {
	A(btf, BYTES, .part = PART_BYTES_0), A(btf_log_buf, POINTER), A(btf_size, DECIMAL),
	A(btf_log_size, DECIMAL), A(btf_log_level, DECIMAL), FIELDS_END,
};
/* Members of structures in the union. */
#define IN_STRUCT(s, m, k, ...)                                                                    \
	{ .name = #m, .off = offsetof(union bpf_attr, s.m),                                        \
	  .sz = sizeof(((union bpf_attr *)0)->s.m), .kind = FIELD_##k, __VA_ARGS__ }
static const struct field info[] = {
	IN_STRUCT(info, bpf_fd, DESCRIPTOR), IN_STRUCT(info, info_len, DECIMAL),
	IN_STRUCT(info, info, POINTER),
	FIELDS_END,
};
static const struct field raw_tracepoint[] = {
	IN_STRUCT(raw_tracepoint, name, TEXT, .part = PART_TEXT_0),
	IN_STRUCT(raw_tracepoint, prog_fd, DESCRIPTOR), FIELDS_END,
};
static const struct field link_create[] = {
	IN_STRUCT(link_create, prog_fd, DESCRIPTOR), IN_STRUCT(link_create, target_fd, DESCRIPTOR),
	IN_STRUCT(link_create, attach_type, NAME, .names = &names_bpf_attach_type),
	IN_STRUCT(link_create, flags, HEXADECIMAL), FIELDS_END,
};
static const struct field test_run[] = {
	IN_STRUCT(test, prog_fd, DESCRIPTOR), IN_STRUCT(test, retval, DECIMAL),
	IN_STRUCT(test, data_size_in, DECIMAL), IN_STRUCT(test, data_size_out, DECIMAL),
	IN_STRUCT(test, data_in, POINTER), IN_STRUCT(test, data_out, POINTER),
	IN_STRUCT(test, repeat, DECIMAL), IN_STRUCT(test, duration, DECIMAL), FIELDS_END,
};

static const struct bpf_command {
	const struct field *fields;
	const char *in; /* the member of the union that has them; NULL: the union itself */
	bool is_cut; /* "..." stands for bytes behind the members */
} commands[] = {
	[BPF_MAP_CREATE] = { map_create, NULL, false },
	[BPF_MAP_LOOKUP_ELEM] = { map_elem, NULL, false },
	[BPF_MAP_UPDATE_ELEM] = { map_elem, NULL, false },
	[BPF_MAP_LOOKUP_AND_DELETE_ELEM] = { map_elem, NULL, false },
	[BPF_MAP_DELETE_ELEM] = { map_delete, NULL, true },
	[BPF_MAP_GET_NEXT_KEY] = { map_next, NULL, false },
	[BPF_MAP_FREEZE] = { map_freeze, NULL, false },
	[BPF_PROG_LOAD] = { prog_load, NULL, false },
	[BPF_OBJ_PIN] = { object, NULL, false },
	[BPF_OBJ_GET] = { object, NULL, false },
	[BPF_PROG_ATTACH] = { prog_attach, NULL, false },
	[BPF_PROG_DETACH] = { prog_detach, NULL, true },
	[BPF_PROG_TEST_RUN] = { test_run, "test", false },
	[BPF_PROG_GET_NEXT_ID] = { next_id, NULL, false },
	[BPF_MAP_GET_NEXT_ID] = { next_id, NULL, false },
	[BPF_BTF_GET_NEXT_ID] = { next_id, NULL, false },
	[BPF_LINK_GET_NEXT_ID] = { next_id, NULL, false },
	[BPF_PROG_GET_FD_BY_ID] = { prog_by_id, NULL, false },
	[BPF_MAP_GET_FD_BY_ID] = { map_by_id, NULL, false },
	[BPF_BTF_GET_FD_BY_ID] = { btf_by_id, NULL, false },
	[BPF_LINK_GET_FD_BY_ID] = { link_by_id, NULL, false },
	[BPF_OBJ_GET_INFO_BY_FD] = { info, "info", false },
	[BPF_RAW_TRACEPOINT_OPEN] = { raw_tracepoint, "raw_tracepoint", false },
	[BPF_BTF_LOAD] = { btf_load, NULL, false },
	[BPF_LINK_CREATE] = { link_create, "link_create", false },
};
/* clang-format on */

void fetch_bpf_attr(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes_at_entry(l, arg, 16);
	fetch_sized(l, arg, sizeof(union bpf_attr) * 2);
	fetch_text_at(l, arg, 0);
	fetch_text_at(l, arg, offsetof(union bpf_attr, license));
	fetch_text_at(l, arg, offsetof(union bpf_attr, log_buf));
	fetch_bytes_at(l, arg, offsetof(union bpf_attr, btf), offsetof(union bpf_attr, btf_size),
		       1);
}

/* The kernel writes the number that follows. */
static bool put_next_id(struct call_view *v, unsigned int arg, const union bpf_attr *attr,
			size_t sz)
{
	const union bpf_attr *before = view__entry(v, arg, 8);

	if (!before || !view__is_written(v) || sz < 12)
		return false;
	strbuf__printf(v->out, "start_id=%u, next_id=%u", before->start_id, before->next_id);
	if (before->next_id != attr->next_id)
		strbuf__printf(v->out, " => %u", attr->next_id);
	strbuf__puts(v->out, ", open_flags=");
	put_flags(v->out, &names_bpf_map_flag, attr->open_flags);
	return true;
}

PRINT(bpf_attr)
{
	unsigned int cmd = (unsigned int)v->args[0];
	const struct bpf_command *c =
		cmd < sizeof(commands) / sizeof(commands[0]) ? &commands[cmd] : NULL;
	size_t sz, end, i;
	const unsigned char *attr = view__part(v, arg, 0, &sz);
	bool any = false;

	if (!attr || !c || !c->fields || sz < (size_t)c->fields[0].off + c->fields[0].sz) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__putc(v->out, '{');
	if (c->in)
		strbuf__printf(v->out, "%s={", c->in);
	if (c->fields == next_id && put_next_id(v, arg, (const void *)attr, sz))
		end = 12;
	else
		end = fields__put(v, arg, c->fields, attr, sz);
	if (c->in)
		strbuf__putc(v->out, '}');
	for (i = end; i < sz; i++)
		any |= attr[i] != 0;
	/* A member that the command does not use lies between those that it does. */
	any |= cmd == BPF_PROG_DETACH && sz >= 8 && ((const union bpf_attr *)attr)->attach_bpf_fd;
	if (c->is_cut && any)
		strbuf__puts(v->out, ", ...");
	else
		fields__put_rest(v, attr, end, sz);
	strbuf__putc(v->out, '}');
}
