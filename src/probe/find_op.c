// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Runs in readers, on files that may do anything to them. */
#include "probe/find_op.h"

#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/code_file.h"
#include "probe/code_insns.h"
#include "probe/copies.h"
#include "probe/fields.h"
#include "probe/find.h"
#include "probe/hit_class.h"
#include "probe/place_lines.h"
#include "probe/refused.h"
#include "probe/symbols.h"
#include "probe/usdt.h"
#include "reader/answer.h"
#include "util/path.h"

/* A glob that matches more functions has no arguments, unless they are named. */
#define ALL_ARGS_MAX 32

/* One request while it is worked on. */
struct search {
	struct find_want want;
	struct func_pattern pattern;
	struct code_file *file;
	struct arg_list args;
	struct places places;
	struct arg_fault fault;
	enum find_status status;
	uint64_t hint; /* FIND_WITHIN: where the instruction begins; FIND_BEYOND: bytes of code */
	const struct split_unit *copies_of; /* its copies are looked for; NULL: the file's own */
};

/* Removes the last place again: it cannot be probed. */
static void drop_place(struct places *ps)
{
	struct places last = { .at = malloc(sizeof(*ps->at)), .cnt = 1 };

	if (!last.at)
		return;
	last.at[0] = ps->at[--ps->cnt];
	places__free(&last);
}

/* The source file that an attribute names: by the unit's own table, or by that of its lines. */
static const char *source_of(struct fields_scope *fs, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	const char *text;
	Dwarf_Word nr;
	Dwarf_Die cu;
	bool has_own;
	size_t cnt;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &nr) ||
	    !dwarf_cu_die(attr.cu, &cu, NULL, NULL, NULL, NULL, NULL, NULL))
		return NULL;
	code_file__need_lines(fs->is_split ? &fs->unit : &cu);
	has_own = !fs->has_lines_files || dwarf_tag(&cu) == DW_TAG_type_unit;
	if (dwarf_getsrcfiles(has_own ? &cu : &fs->unit, &files, &cnt) || nr >= cnt)
		return NULL;
	text = dwarf_file__text(fs->dwarf, dwarf_filesrc(files, nr, NULL, NULL));
	/* Before DWARF 5, file 0 is none, for which libdw has this name. */
	return text && strcmp(text, "???") != 0 ? text : NULL;
}

/* "FILE:LINE" of a function, in memory of its own; NULL: unknown. */
static char *decl_of(struct fields_scope *fs)
{
	const char *file = source_of(fs, &fs->die, DW_AT_decl_file);
	char *text;
	int line;

	if (!file || dwarf_decl_line(&fs->die, &line))
		return NULL;
	return asprintf(&text, "%.200s:%d", path__base(file), line) < 0 ? NULL : text;
}

/* Adds the place at scope.pc, and its fields. */
static int add_place(struct search *s, struct fields_scope *fs, const char *name, const char *where)
{
	const struct elf_file *elf = &s->file->elf;
	uint8_t insn[REFUSED_INSN_SZ];
	struct place *p;
	int err;

	/* The file is asked for, and then the whole is asked again. */
	if (fs->missing && split_unit__waits(fs->missing))
		return 0;
	/* A kernel that is asked before the file is mapped accepts it, and then has no hit. */
	if (code_insns__refused(elf, fs->scope.pc)) {
		s->places.refused++;
		return 0;
	}
	p = places__add(&s->places);
	if (!p)
		return s->places.cut ? 0 : -ENOMEM;
	p->name = strdup(name);
	p->where = where ? strdup(where) : NULL;
	if (!p->name || (where && !p->where))
		return -ENOMEM;
	p->is_go = fs->is_go;
	if (s->want.is_list && fs->has_dwarf)
		p->decl = decl_of(fs);
	err = fields__add(fs, s->want.args ? &s->args : NULL, p, &s->fault);
	if (err == -EINVAL) {
		s->status = FIND_BAD_ARG;
		return err;
	}
	p->vaddr = fs->scope.pc;
	p->pushed = s->file->regs->cfa_off;
	/* Its fields may have moved it behind the function's first instructions. */
	p->hit = hit_class__of(elf->machine, insn,
			       code_insns__read(elf, p->vaddr, insn, sizeof(insn)));
	if (!err && !code_insns__offset(elf, p->vaddr, &p->off))
		drop_place(&s->places);
	return err;
}

static void init_scope(struct search *s, struct fields_scope *fs, uint64_t pc)
{
	*fs = (struct fields_scope){
		.scope = { .regs = s->file->regs, .cfi = s->file->cfi, .pc = pc, .at_entry = true },
		.elf = &s->file->elf,
		.is_go = s->file->is_go,
		.is_pair = s->args.has_return,
	};
}

/* Finds the function's entry in DWARF. */
static void find_die(struct search *s, struct fields_scope *fs, uint64_t vaddr)
{
	struct code_func func;
	Dwarf_Addr low;

	if (!code_file__find(s->file, vaddr, &func, &fs->missing))
		return;
	fs->die = fs->scope.func = func.die;
	fs->unit = func.unit;
	fs->dwarf = func.dwarf;
	fs->is_split = func.dwarf != &s->file->dwarf;
	fs->has_lines_files = func.has_lines_files;
	fs->has_dwarf = true;
	fs->scope.at_entry = !dwarf_lowpc(&fs->die, &low) && low == vaddr;
}

/* May no probe be placed FUNC+OFF, as it is not an instruction of the function? */
static bool is_misplaced(struct search *s, uint64_t func, uint64_t size)
{
	uint64_t start;

	if (size && s->want.add >= size) {
		s->status = FIND_BEYOND;
		s->hint = size;
		return true;
	}
	if (!code_insns__within(&s->file->elf, func, func + s->want.add, &start))
		return false;
	s->status = FIND_WITHIN;
	s->hint = start - func;
	return true;
}

static int add_symbol(struct search *s, const struct found_symbol *sym)
{
	struct fields_scope fs;
	char where[32];

	if (s->want.add && is_misplaced(s, sym->vaddr, sym->size))
		return 0;
	init_scope(s, &fs, sym->vaddr + s->want.add);
	fs.scope.is_global = sym->is_global;
	find_die(s, &fs, sym->vaddr + s->want.add);
	if (!s->want.add)
		return add_place(s, &fs, sym->name, NULL);
	fs.scope.at_entry = false;
	snprintf(where, sizeof(where), "+0x%llx", (unsigned long long)s->want.add);
	return add_place(s, &fs, sym->name, where);
}

/* The place at which the copy was inlined: "FILE:LINE". */
static void put_call(struct fields_scope *fs, char *text, size_t sz)
{
	const char *name = source_of(fs, &fs->die, DW_AT_call_file);
	Dwarf_Attribute attr;
	Dwarf_Word line = 0;

	if (dwarf_attr(&fs->die, DW_AT_call_line, &attr))
		dwarf_formudata(&attr, &line);
	snprintf(text, sz, "%.80s:%llu", name ? path__base(name) : "?", (unsigned long long)line);
}

static int add_copy(void *ctx, const struct inlined_copy *copy)
{
	struct search *s = ctx;
	struct fields_scope fs;
	char where[128];

	if (s->want.add && is_misplaced(s, copy->pc, 0))
		return 0;
	init_scope(s, &fs, copy->pc + s->want.add);
	fs.has_dwarf = fs.is_inlined = true;
	fs.scope.at_entry = false;
	fs.scope.func = copy->func;
	fs.die = copy->die;
	fs.dwarf = &s->file->dwarf;
	if (s->copies_of) {
		fs.is_split = true;
		fs.dwarf = &s->copies_of->split.file;
		fs.unit = s->copies_of->skeleton;
		fs.has_lines_files = !s->copies_of->split.has_files;
	}
	put_call(&fs, where, sizeof(where));
	return add_place(s, &fs, s->want.func, where);
}

/* Copies in split units: all of these are looked at that may know the name. */
static int find_split_copies(struct search *s)
{
	struct split_units *split = &s->file->split;
	struct copies_unit one = { .is_always = true };
	const struct copies_units units = { .at = &one, .cnt = 1 };
	int err = 0;
	size_t i;

	for (i = 0; i < split->cnt && !err; i++) {
		struct split_unit *u = &split->at[i];

		if (!split_units__load(split, u) ||
		    !dwarf_split__may_name(&u->split, copies__name(&s->pattern)))
			continue;
		s->copies_of = u;
		one.die = u->split.cu;
		err = copies__each(&u->split.file, &units, &s->pattern, add_copy, s);
	}
	s->copies_of = NULL;
	return err;
}

static int find_copies(struct search *s)
{
	return code_file__copies(s->file)
		       ?: copies__each(&s->file->dwarf, &s->file->copies_units, &s->pattern,
				       add_copy, s)
		       ?: find_split_copies(s);
}

static int find_functions(struct search *s, const struct code_fds *fds)
{
	struct found_symbols found;
	int err = found_symbols__read(&found, fds->file, fds->debug, &s->pattern, NULL);
	size_t i;

	/* Arguments of all functions of a library would not fit into one program. */
	if (!s->want.args && !s->want.is_list && s->pattern.is_glob && found.cnt > ALL_ARGS_MAX)
		s->want.args = "";
	/* A symbol that is not the one which the linker binds would never be hit. */
	if (found.has_ifunc && !s->pattern.is_glob) {
		s->status = FIND_IFUNC;
		found_symbols__free(&found);
		return 0;
	}
	/* Names alone are read without it. */
	if (s->want.is_list || !s->pattern.is_glob || !s->want.args || *s->want.args)
		code_file__dwarf(s->file, fds);
	for (i = 0; i < found.cnt && !err && !s->places.cut; i++)
		err = add_symbol(s, &found.at[i]);
	/* Records of returns need functions that do return. */
	if (!err && s->file->has_dwarf && !s->pattern.is_glob && !(s->args.has_return && found.cnt))
		err = find_copies(s);
	/* A function and its copies have different code: it is enough that one has the place. */
	if (s->places.cnt && (s->status == FIND_WITHIN || s->status == FIND_BEYOND))
		s->status = FIND_OK;
	if (!err && !s->places.cnt && s->status == FIND_OK)
		s->status = found.has_ifunc ? FIND_IFUNC : FIND_NOTHING;
	found_symbols__free(&found);
	return err;
}

/* Is the address within an instruction, as far as call frame information tells where one begins? */
static bool is_address_within(struct search *s)
{
	Dwarf_Frame *frame;
	Dwarf_Addr begin, end;
	bool is_within;

	if (!s->file->cfi || dwarf_cfi_addrframe(s->file->cfi, s->want.add, &frame))
		return false;
	is_within = dwarf_frame_info(frame, &begin, &end, NULL) >= 0 &&
		    code_insns__within(&s->file->elf, begin, s->want.add, &s->hint);
	free(frame);
	return is_within;
}

static int find_address(struct search *s)
{
	struct fields_scope fs;
	char name[32];

	if (is_address_within(s)) {
		s->status = FIND_WITHIN;
		return 0;
	}
	init_scope(s, &fs, s->want.add);
	find_die(s, &fs, s->want.add);
	snprintf(name, sizeof(name), "0x%llx", (unsigned long long)s->want.add);
	return add_place(s, &fs, name, NULL);
}

static int add_line(void *ctx, uint64_t vaddr)
{
	struct search *s = ctx;
	struct fields_scope fs;
	char name[160];

	init_scope(s, &fs, vaddr);
	find_die(s, &fs, vaddr);
	fs.scope.at_entry = false;
	snprintf(name, sizeof(name), "%.120s:%u", s->want.source, s->want.line);
	return add_place(s, &fs, name, NULL);
}

static int add_note(void *ctx, const struct usdt_note *note)
{
	struct search *s = ctx;
	struct strbuf name = STRBUF_INIT;
	struct fields_scope fs;
	size_t cnt = s->places.cnt;
	int err;

	if (fnmatch(s->want.provider, note->provider, 0) ||
	    !func_pattern__match_plain(&s->pattern, note->name))
		return 0;
	init_scope(s, &fs, note->vaddr);
	fs.scope.at_entry = false;
	fs.usdt_args = note->args;
	strbuf__printf(&name, "%s:%s", note->provider, note->name);
	err = add_place(s, &fs, strbuf__cstr(&name), NULL);
	if (!err && s->places.cnt > cnt)
		s->places.at[cnt].sem_off = note->sem_off;
	strbuf__free(&name);
	return err;
}

static int find_notes(struct search *s, int fd)
{
	int err = usdt__each(fd, add_note, s);

	if (!err && !s->places.cnt)
		s->status = FIND_NOTHING;
	return err;
}

static int find_line(struct search *s)
{
	int err;

	if (!s->file->has_dwarf) {
		s->status = FIND_NO_DWARF;
		return 0;
	}
	code_file__need_lines(NULL);
	err = place_lines__each(&s->file->dwarf, s->want.source, s->want.line, add_line, s);
	if (!err && !s->places.cnt)
		s->status = FIND_NOTHING;
	return err;
}

static int find(struct search *s, int *taken, const struct code_fds *fds)
{
	int err = code_file__open(&s->file, taken, fds);

	if (err)
		return err;
	if (!s->file->regs) {
		s->status = FIND_OTHER_MACHINE;
		return 0;
	}
	if (s->want.args && arg_list__parse(&s->args, s->want.args, &s->fault)) {
		s->status = FIND_BAD_ARG;
		return 0;
	}
	if (s->want.provider)
		return find_notes(s, fds->file);
	if (s->want.func)
		return find_functions(s, fds);
	code_file__dwarf(s->file, fds);
	return s->want.source ? find_line(s) : find_address(s);
}

/* Names that are near, for a function that is not there. */
static void put_near(struct search *s, const struct code_fds *fds, struct strbuf *answer)
{
	struct strbuf text = STRBUF_INIT;
	struct found_symbols found;
	struct suggest near;

	if (s->status == FIND_NOTHING && s->want.func && !s->pattern.is_glob &&
	    !suggest__init(&near, s->want.func)) {
		found_symbols__read(&found, fds->file, fds->debug, &s->pattern, &near);
		found_symbols__free(&found);
		suggest__put(&near, &text);
		suggest__free(&near);
	}
	if (s->status == FIND_WITHIN)
		strbuf__printf(&text, "%s0x%llx", s->want.func ? "+" : "",
			       (unsigned long long)s->hint);
	if (s->status == FIND_BEYOND)
		strbuf__printf(&text, "%llu", (unsigned long long)s->hint);
	answer__put_text(answer, text.len ? strbuf__cstr(&text) : NULL);
	strbuf__free(&text);
}

static void put_answer(struct search *s, struct strbuf *answer, const struct code_fds *fds)
{
	uint8_t has_return = s->args.has_return, is_split = s->file->split.cnt != 0;
	struct strbuf missing = STRBUF_INIT;
	uint32_t status = s->status;

	strbuf__add(answer, &status, sizeof(status));
	strbuf__add(answer, &has_return, sizeof(has_return));
	strbuf__add(answer, &is_split, sizeof(is_split));
	strbuf__add(answer, &s->fault, sizeof(s->fault));
	put_near(s, fds, answer);
	split_units__put_missing(&s->file->split, &missing);
	answer__put_text(answer, missing.len ? strbuf__cstr(&missing) : NULL);
	strbuf__free(&missing);
	split_units__put_wants(&s->file->split, answer);
	places__put(&s->places, answer);
}

static int run_find(struct reader_request *req, struct strbuf *answer)
{
	struct search s = { .status = FIND_OK };
	struct find_request_head head;
	struct answer body = answer__of(req->body, req->sz);
	struct code_fds fds;
	int err;

	answer__take(&body, &head, sizeof(head));
	s.want.provider = answer__take_text(&body);
	s.want.func = answer__take_text(&body);
	s.want.source = answer__take_text(&body);
	s.want.args = answer__take_text(&body);
	s.want.add = head.add;
	s.want.line = head.line;
	s.want.is_list = head.is_list != 0;
	if (body.is_bad)
		return -EPROTO;
	fds = code_fds__of(req, &head.has);
	func_pattern__init(&s.pattern, s.want.func ? s.want.func : "");
	err = find(&s, &req->fds[0], &fds);
	if (!err && !s.places.cnt && s.places.refused)
		s.status = FIND_REFUSED;
	if (err == -EINVAL && s.status == FIND_BAD_ARG)
		err = 0;
	if (!err && split_units__want(&s.file->split))
		s.status = FIND_WANTS;
	if (!err && s.status != FIND_OK)
		places__free(&s.places);
	if (!err)
		put_answer(&s, answer, &fds);
	places__free(&s.places);
	arg_list__free(&s.args);
	return err;
}

const struct reader_op find_op = { "find", run_find };
