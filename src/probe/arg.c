// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/arg.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const char *text, *p;
	struct arg_fault *fault;
};

int arg_fault__set(struct arg_fault *fault, uint32_t off, const char *fmt, ...)
{
	va_list ap;

	fault->off = off;
	va_start(ap, fmt);
	vsnprintf(fault->text, sizeof(fault->text), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static uint32_t offset(const struct reader *rd)
{
	return (uint32_t)(rd->p - rd->text);
}

static void skip_blanks(struct reader *rd)
{
	while (isspace((unsigned char)*rd->p))
		rd->p++;
}

static bool eat(struct reader *rd, const char *token)
{
	size_t len = strlen(token);

	skip_blanks(rd);
	if (strncmp(rd->p, token, len) != 0)
		return false;
	rd->p += len;
	return true;
}

/* Reads a name into `name`; "" if there is none. */
static int read_name(struct reader *rd, char *name)
{
	size_t len = 0;

	skip_blanks(rd);
	while (isalnum((unsigned char)rd->p[len]) || rd->p[len] == '_')
		len++;
	if (len >= PROBE_NAME_MAX)
		return arg_fault__set(rd->fault, offset(rd), "this name is longer than %d letters",
				      PROBE_NAME_MAX - 1);
	if (len && isdigit((unsigned char)*rd->p))
		len = 0;
	memcpy(name, rd->p, len);
	name[len] = '\0';
	rd->p += len;
	return 0;
}

static int add_part(struct reader *rd, struct arg *arg, enum arg_part_kind kind, uint32_t off,
		    struct arg_part **part)
{
	*part = NULL;
	if (arg->part_cnt == PROBE_PARTS_MAX)
		return arg_fault__set(rd->fault, off, "more than %d members and elements",
				      PROBE_PARTS_MAX);
	*part = &arg->parts[arg->part_cnt++];
	(*part)->kind = kind;
	(*part)->off = off;
	return 0;
}

static int read_member(struct reader *rd, struct arg *arg, enum arg_part_kind kind, uint32_t off)
{
	struct arg_part *part;
	int err = add_part(rd, arg, kind, off, &part);

	if (!part)
		return err;
	err = read_name(rd, part->name);
	if (!err && !part->name[0])
		err = arg_fault__set(rd->fault, offset(rd), "the name of a member is missing here");
	if (!err)
		memcpy(arg->name, part->name, sizeof(arg->name));
	return err;
}

static int read_index(struct reader *rd, struct arg *arg, uint32_t off)
{
	struct arg_part *part;
	int err = add_part(rd, arg, ARG_INDEX, off, &part);
	char *end;

	if (!part)
		return err;
	errno = 0;
	part->index = strtoll(rd->p, &end, 0);
	if (end == rd->p || errno)
		return arg_fault__set(rd->fault, offset(rd),
				      "the index of an element is a number: buf[0]");
	rd->p = end;
	if (!eat(rd, "]"))
		return arg_fault__set(rd->fault, offset(rd), "']' is missing here");
	return 0;
}

static int read_parts(struct reader *rd, struct arg *arg)
{
	uint32_t off;
	int err = 0;

	while (!err) {
		skip_blanks(rd);
		off = offset(rd);
		if (eat(rd, "->"))
			err = read_member(rd, arg, ARG_ARROW, off);
		else if (eat(rd, "."))
			err = read_member(rd, arg, ARG_MEMBER, off);
		else if (eat(rd, "["))
			err = read_index(rd, arg, off);
		else
			break;
	}
	return err;
}

/* "arg3" and "$arg3" are the third argument. */
static bool is_numbered(const char *name, uint32_t *number)
{
	char *end;
	unsigned long n;

	if (strncmp(name, "arg", 3) != 0 || !isdigit((unsigned char)name[3]))
		return false;
	n = strtoul(name + 3, &end, 10);
	*number = (uint32_t)n - 1;
	return !*end && n >= 1 && n <= 32;
}

static int read_root(struct reader *rd, struct arg *arg)
{
	bool is_special = eat(rd, "$");
	uint32_t off = offset(rd);
	int err = read_name(rd, arg->var);

	if (err)
		return err;
	memcpy(arg->name, arg->var, sizeof(arg->name));
	if (is_special && (!strcmp(arg->var, "ret") || !strcmp(arg->var, "retval"))) {
		arg->root = ARG_RETURN;
		snprintf(arg->name, sizeof(arg->name), "ret");
	} else if (is_numbered(arg->var, &arg->number)) {
		arg->root = ARG_NUMBERED;
	} else if (is_special) {
		return arg_fault__set(rd->fault, off,
				      "only $ret and $arg1, $arg2 … begin with a $");
	} else if (!strcmp(arg->var, "duration")) {
		arg->root = ARG_DURATION;
	} else if (!arg->var[0]) {
		return arg_fault__set(
			rd->fault, off,
			"an argument is missing here: a name, arg1, $ret or duration");
	}
	return 0;
}

static int read_as(struct reader *rd, struct arg *arg)
{
	static const struct {
		const char *name;
		enum arg_as as;
	} known[] = { { "str", ARG_AS_TEXT },    { "string", ARG_AS_TEXT },
		      { "x", ARG_AS_HEX },       { "d", ARG_AS_DEC },
		      { "s64", ARG_AS_DEC },     { "u", ARG_AS_UNSIGNED },
		      { "u64", ARG_AS_UNSIGNED } };
	char name[PROBE_NAME_MAX];
	uint32_t off;
	size_t i;
	int err;

	if (!eat(rd, ":"))
		return 0;
	skip_blanks(rd);
	off = offset(rd);
	err = read_name(rd, name);
	for (i = 0; !err && i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].name, name)) {
			arg->as = known[i].as;
			return 0;
		}
	return err ? err
		   : arg_fault__set(rd->fault, off,
				    "a value is shown as :str, :x, :d or :u, or by its type");
}

/* "label = value": the label becomes the field's name. */
static int read_label(struct reader *rd, char *label)
{
	const char *before = rd->p;
	int err = read_name(rd, label);

	if (err)
		return err;
	skip_blanks(rd);
	if (label[0] && *rd->p == '=') {
		rd->p++;
		return 0;
	}
	label[0] = '\0';
	rd->p = before;
	return 0;
}

static int read_arg(struct reader *rd, struct arg *arg)
{
	char label[PROBE_NAME_MAX];
	struct arg_part *part;
	uint32_t derefs = 0, off;
	int err = read_label(rd, label);

	skip_blanks(rd);
	arg->off = off = offset(rd);
	while (!err && eat(rd, "*"))
		derefs++;
	if (!err)
		err = read_root(rd, arg);
	if (!err)
		err = read_parts(rd, arg);
	for (; !err && derefs; derefs--)
		err = add_part(rd, arg, ARG_DEREF, off, &part);
	if (!err && arg->root == ARG_DURATION && arg->part_cnt)
		err = arg_fault__set(rd->fault, off, "duration is a number of nanoseconds");
	if (!err)
		err = read_as(rd, arg);
	if (!err && label[0])
		memcpy(arg->name, label, sizeof(label));
	return err;
}

/* Fields of one record have different names: the second `len` becomes len_2. */
static void make_unique(struct arg_list *list, struct arg *arg)
{
	char base[PROBE_NAME_MAX];
	unsigned int nr = 1;
	size_t i;

	memcpy(base, arg->name, sizeof(base));
	base[PROBE_NAME_MAX - 5] = '\0';
	for (i = 0; i < list->cnt; i++)
		if (!strcmp(list->args[i].name, arg->name)) {
			snprintf(arg->name, sizeof(arg->name), "%.50s_%u", base, ++nr);
			i = (size_t)-1;
		}
}

int arg_list__parse(struct arg_list *list, const char *text, struct arg_fault *fault)
{
	struct reader rd = { text, text, fault };
	struct arg *arg;
	int err = 0;

	*list = (struct arg_list){ NULL };
	skip_blanks(&rd);
	if (!*rd.p)
		return 0;
	list->args = calloc(PROBE_ARGS_MAX, sizeof(*list->args));
	if (!list->args)
		return -ENOMEM;
	do {
		if (list->cnt == PROBE_ARGS_MAX)
			return arg_fault__set(fault, offset(&rd), "more than %d arguments",
					      PROBE_ARGS_MAX);
		arg = &list->args[list->cnt];
		err = read_arg(&rd, arg);
		if (err)
			return err;
		make_unique(list, arg);
		list->has_return |= arg->root == ARG_RETURN || arg->root == ARG_DURATION;
		list->cnt++;
	} while (eat(&rd, ","));
	skip_blanks(&rd);
	if (*rd.p)
		return arg_fault__set(fault, offset(&rd), "a comma is missing here");
	return 0;
}

void arg_list__free(struct arg_list *list)
{
	free(list->args);
	*list = (struct arg_list){ NULL };
}
