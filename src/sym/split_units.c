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
/* Memory of libelf and libdw for a unit, about. */
#define UNIT_SZ (16u << 10)
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

int split_units__read(struct split_units *units, const struct dwarf_file *main)
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

static bool is_missing(enum split_state state)
{
	return state > SPLIT_HERE;
}

static void set_state(struct split_units *units, struct split_unit *u, enum split_state state)
{
	u->state = state;
	if (!is_missing(state))
		return;
	units->missing_cnt++;
	if (!units->missing || u < units->missing)
		units->missing = u;
}

static enum split_state state_of(int err)
{
	switch (err) {
	case 0:
		return SPLIT_HERE;
	case -ENOENT:
		return SPLIT_OTHER_BUILD;
	case -ENOMEM:
		return SPLIT_NO_MEMORY;
	case -EFBIG:
		return SPLIT_TOO_LARGE;
	default:
		return SPLIT_DAMAGED;
	}
}

/* Opens the unit, of which the file is here. */
static int open_unit(struct split_units *units, struct split_unit *u, const struct dwo_file *file)
{
	struct dwo_parts parts;
	int err = dwo_file__unit(file, u->id, &parts) ? 0 : -ENOENT;

	if (!err)
		err = dwarf_split__open(&u->split, units->main, &u->skeleton, u->id, &parts)
			      ?: dwarf_units__read_split(&u->functions, &u->split.cu, &u->skeleton);
	if (err)
		close_unit(u);
	else
		units->mem_sz += UNIT_SZ + dwo_file__mem_sz(&u->dwo) +
				 dwarf_split__mem_sz(&u->split) +
				 dwarf_units__mem_sz(&u->functions);
	return err;
}

/* Opens the unit's own file. */
static int open_file(struct split_units *units, struct split_unit *u, int fd)
{
	return dwo_file__open(&u->dwo, fd) ?: open_unit(units, u, &u->dwo);
}

/* The package may have the unit; if it has not, its own file is asked for. */
static void ask_for(struct split_units *units, struct split_unit *u)
{
	bool may_come = units->package_state == SPLIT_WANTED;

	if (u->name && units->wanted_cnt < SPLIT_FILES_MAX) {
		units->wanted_cnt++;
		set_state(units, u, SPLIT_WANTED);
	} else if (!may_come) {
		set_state(units, u, u->name ? SPLIT_TOO_MANY : SPLIT_DAMAGED);
	}
}

bool split_units__load(struct split_units *units, struct split_unit *u)
{
	if (u->state != SPLIT_UNKNOWN)
		return u->state == SPLIT_HERE;
	if (units->package_state == SPLIT_UNKNOWN)
		units->package_state = SPLIT_WANTED;
	if (units->package_state == SPLIT_HERE && !open_unit(units, u, &units->package)) {
		set_state(units, u, SPLIT_HERE);
		return true;
	}
	ask_for(units, u);
	return false;
}

bool split_unit__waits(const struct split_unit *u)
{
	return u->state < SPLIT_HERE;
}

bool split_units__find(struct split_units *units, struct split_unit *u, struct texts *names,
		       uint64_t vaddr, Dwarf_Die *cu, uint64_t *die_off)
{
	size_t before = dwarf_units__mem_sz(&u->functions);
	bool is_found = dwarf_units__find(&u->functions, &u->split.file, names, vaddr, cu, die_off);

	units->mem_sz += dwarf_units__mem_sz(&u->functions) - before;
	return is_found;
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
		if (state == SPLIT_HERE)
			state = state_of(open_file(units, u, fd));
		set_state(units, u, state);
	}
}

/* With a package here no other file is asked for, unless a unit is not in it. */
static void give_package(struct split_units *units, enum split_state state, int fd)
{
	size_t i;

	if (units->package_state != SPLIT_WANTED)
		return;
	units->package_state =
		state == SPLIT_HERE ? state_of(dwo_file__open(&units->package, fd)) : state;
	if (units->package_state != SPLIT_HERE)
		return;
	units->mem_sz += dwo_file__mem_sz(&units->package);
	units->wanted_cnt = 0;
	for (i = 0; i < units->cnt; i++)
		if (units->at[i].state == SPLIT_WANTED)
			units->at[i].state = SPLIT_UNKNOWN;
}

void split_units__take(struct split_units *units, const struct split_given *given, size_t cnt,
		       const int *fds, uint32_t fd_cnt)
{
	uint32_t at = 0;
	size_t i;

	for (i = 0; i < cnt; i++) {
		enum split_state state = given[i].state;
		int fd = state == SPLIT_HERE && at < fd_cnt ? fds[at] : -1;

		at += state == SPLIT_HERE;
		if (given[i].state >= SPLIT_STATE_CNT)
			continue;
		if (given[i].is_package)
			give_package(units, state, fd);
		else
			give(units, given[i].id, state, fd);
	}
}

size_t split_units__mem_sz(const struct split_units *units)
{
	return units->mem_sz + units->cap * sizeof(*units->at);
}

bool split_units__want(const struct split_units *units)
{
	size_t i;

	for (i = 0; i < units->cnt; i++)
		if (units->at[i].state == SPLIT_WANTED)
			return true;
	return units->package_state == SPLIT_WANTED;
}

void split_units__put_wants(const struct split_units *units, struct strbuf *answer)
{
	uint8_t is_package = units->package_state == SPLIT_WANTED;
	uint64_t cnt = 0;
	size_t i;

	strbuf__add(answer, &is_package, sizeof(is_package));
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

static const char *const reasons[SPLIT_STATE_CNT] = {
	[SPLIT_UNKNOWN] = "is not read",
	[SPLIT_WANTED] = "is not read",
	[SPLIT_ABSENT] = "is not there",
	[SPLIT_OTHERS] = "belongs to another user than the program does",
	[SPLIT_OTHER_BUILD] = "is of another build",
	[SPLIT_DAMAGED] = "is damaged",
	[SPLIT_TOO_LARGE] = "is too large",
	[SPLIT_NO_MEMORY] = "needs more memory than its reader may have",
	[SPLIT_TOO_MANY] = "is one too many: make a .dwp of them",
};

void split_unit__put_missing(const struct split_unit *u, struct strbuf *sb)
{
	const char *name = u->name ? u->name : "a .dwo file without a name";
	const char *dir = name[0] != '/' && u->dir ? u->dir : "";
	size_t len = strlen(dir) + 1 + strlen(name);

	if (*dir && len <= PATH_SHOWN_MAX)
		strbuf__printf(sb, "%s/%s ", dir, name);
	else if (strlen(name) <= PATH_SHOWN_MAX)
		strbuf__printf(sb, "%s ", name);
	else
		strbuf__printf(sb, "%.*s ", PATH_SHOWN_MAX, path__base(name));
	strbuf__puts(sb, reasons[u->state] ?: "is not read");
}

void split_units__put_missing(const struct split_units *units, struct strbuf *sb)
{
	if (!units->missing)
		return;
	split_unit__put_missing(units->missing, sb);
	if (units->missing_cnt > 1)
		strbuf__printf(sb, ", and %zu more", units->missing_cnt - 1);
	if (is_missing(units->package_state) && units->package_state != SPLIT_ABSENT)
		strbuf__printf(sb, "; the .dwp file %s", reasons[units->package_state]);
}
