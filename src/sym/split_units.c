// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/split_units.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader/answer.h"
#include "util/array.h"
#include "util/path.h"

/* Skeletons that are looked at. */
#define UNITS_MAX (1u << 20)
/* Longer paths are not told in full: sentences have room for so much. */
#define PATH_SHOWN_MAX 120

static const char *text_of(const struct dwarf_file *main, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	const char *text = dwarf_attr(die, name, &attr) ? dwarf_formstring(&attr) : NULL;

	return dwarf_file__text(main, text);
}

static int add_skeleton(struct split_units *units, Dwarf_CU *cu, Dwarf_Die *die)
{
	const struct dwarf_file *main = units->main;
	struct split_unit *u;

	if (array__reserve((void **)&units->at, &units->cap, units->cnt + 1, sizeof(*units->at)))
		return -ENOMEM;
	u = &units->at[units->cnt];
	memset(u, 0, sizeof(*u));
	if (dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &u->id, NULL, NULL))
		return 0;
	u->skeleton = *die;
	u->dir = text_of(main, die, DW_AT_comp_dir);
	u->name = text_of(main, die, DW_AT_dwo_name) ?: text_of(main, die, DW_AT_GNU_dwo_name);
	units->cnt++;
	return 0;
}

int split_units__read(struct split_units *units, const struct dwarf_file *main, int package_fd)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;
	Dwarf_Die die;
	size_t i;
	int err = 0;

	*units = (struct split_units){ .main = main };
	for (i = 0; i < UNITS_MAX && !err; i++) {
		if (dwarf_get_units(main->dwarf, cu, &cu, NULL, &type, &die, NULL))
			break;
		if (type == DW_UT_skeleton)
			err = add_skeleton(units, cu, &die);
	}
	if (!err && units->cnt && package_fd >= 0)
		dwo_file__open(&units->package, package_fd);
	return err;
}

static void close_unit(struct split_unit *u)
{
	dwarf_units__free(&u->functions);
	dwarf_split__close(&u->split);
	dwo_file__close(&u->dwo);
}

void split_units__free(struct split_units *units)
{
	size_t i;

	for (i = 0; i < units->cnt; i++)
		close_unit(&units->at[i]);
	free(units->at);
	split_types__free(&units->types);
	dwo_file__close(&units->package);
	*units = (struct split_units){ NULL };
}

/* Opens the unit, of which the file is here. */
static enum split_state open_unit(struct split_units *units, struct split_unit *u,
				  const struct dwo_file *file)
{
	struct dwo_parts parts;
	int err = dwo_file__unit(file, u->id, &parts) ? 0 : -ENOENT;

	if (!err)
		err = dwarf_split__open(&u->split, units->main, &u->skeleton, u->id, &parts)
			      ?: dwarf_units__read_split(&u->functions, &u->split.cu, &u->skeleton);
	if (err)
		close_unit(u);
	return !err ? SPLIT_HERE : err == -ENOENT ? SPLIT_OTHER_BUILD : SPLIT_DAMAGED;
}

bool split_units__load(struct split_units *units, struct split_unit *u)
{
	if (u->state != SPLIT_UNKNOWN)
		return u->state == SPLIT_HERE;
	if (units->package.elf && open_unit(units, u, &units->package) == SPLIT_HERE) {
		u->state = SPLIT_HERE;
		return true;
	}
	u->state = !u->name                               ? SPLIT_DAMAGED
		   : units->wanted_cnt == SPLIT_FILES_MAX ? SPLIT_TOO_MANY
							  : SPLIT_WANTED;
	units->wanted_cnt += u->state == SPLIT_WANTED;
	return false;
}

static int compare(const void *key, const void *unit)
{
	uint64_t off = *(const uint64_t *)key;
	uint64_t its = dwarf_dieoffset((Dwarf_Die *)&((const struct split_unit *)unit)->skeleton);

	return off < its ? -1 : off > its;
}

struct split_unit *split_units__get(struct split_units *units, Dwarf_Die *cu)
{
	uint64_t off = dwarf_dieoffset(cu);
	struct split_unit *u =
		units->cnt ? bsearch(&off, units->at, units->cnt, sizeof(*units->at), compare)
			   : NULL;

	if (u)
		split_units__load(units, u);
	return u;
}

bool split_units__type(struct split_units *units, uint64_t signature, Dwarf_Die *type)
{
	return units->package.elf &&
	       split_types__find(&units->types, &units->package, signature, type);
}

static void give(struct split_units *units, uint64_t id, enum split_state state, int fd)
{
	size_t i;

	for (i = 0; i < units->cnt; i++) {
		struct split_unit *u = &units->at[i];

		if (u->id != id || u->state != SPLIT_WANTED)
			continue;
		u->state = state;
		if (state == SPLIT_HERE)
			u->state = dwo_file__open(&u->dwo, fd) ? SPLIT_DAMAGED
							       : open_unit(units, u, &u->dwo);
	}
}

void split_units__take(struct split_units *units, const struct split_given *given, size_t cnt,
		       const int *fds, uint32_t fd_cnt)
{
	uint32_t at = 0;
	size_t i;

	for (i = 0; i < cnt; i++) {
		bool here = given[i].state == SPLIT_HERE;

		if (given[i].state < SPLIT_STATE_CNT)
			give(units, given[i].id, (enum split_state)given[i].state,
			     here && at < fd_cnt ? fds[at] : -1);
		at += here;
	}
}

bool split_units__want(const struct split_units *units)
{
	size_t i;

	for (i = 0; i < units->cnt; i++)
		if (units->at[i].state == SPLIT_WANTED)
			return true;
	return false;
}

void split_units__put_wants(const struct split_units *units, struct strbuf *answer)
{
	uint64_t cnt = 0;
	size_t i;

	for (i = 0; i < units->cnt; i++)
		cnt += units->at[i].state == SPLIT_WANTED;
	strbuf__add(answer, &cnt, sizeof(cnt));
	for (i = 0; i < units->cnt; i++) {
		const struct split_unit *u = &units->at[i];

		if (u->state != SPLIT_WANTED)
			continue;
		strbuf__add(answer, &u->id, sizeof(u->id));
		answer__put_text(answer, u->dir);
		answer__put_text(answer, u->name);
	}
}

static bool is_missing(const struct split_unit *u)
{
	return u->state > SPLIT_HERE;
}

void split_unit__put_missing(const struct split_unit *u, struct strbuf *sb)
{
	static const char *const reasons[] = {
		[SPLIT_ABSENT] = "is not there",
		[SPLIT_OTHERS] = "belongs to another user than the program does",
		[SPLIT_OTHER_BUILD] = "is of another build",
		[SPLIT_DAMAGED] = "is damaged",
		[SPLIT_TOO_MANY] = "is one too many: make a .dwp of them",
	};
	const char *name = u->name ? u->name : "a .dwo file without a name";
	const char *dir = name[0] != '/' && u->dir ? u->dir : "";
	size_t len = strlen(dir) + 1 + strlen(name);

	if (*dir && len <= PATH_SHOWN_MAX)
		strbuf__printf(sb, "%s/%s ", dir, name);
	else if (strlen(name) <= PATH_SHOWN_MAX)
		strbuf__printf(sb, "%s ", name);
	else
		strbuf__printf(sb, "%.*s ", PATH_SHOWN_MAX, path__base(name));
	strbuf__puts(sb, is_missing(u) ? reasons[u->state] : "is not read");
}

void split_units__put_missing(const struct split_units *units, struct strbuf *sb)
{
	const struct split_unit *first = NULL;
	size_t cnt = 0, i;

	for (i = 0; i < units->cnt; i++) {
		if (!is_missing(&units->at[i]))
			continue;
		if (!first)
			first = &units->at[i];
		cnt++;
	}
	if (!first)
		return;
	split_unit__put_missing(first, sb);
	if (cnt > 1)
		strbuf__printf(sb, ", and %zu more", cnt - 1);
}
