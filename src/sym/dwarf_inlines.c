// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dwarf_inlines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "sym/dwarf_file.h"
#include "sym/dwarf_units.h"
#include "util/array.h"
#include "util/texts.h"

/* Maximum depth of inlining; compilers stay far below. */
#define DEPTH_MAX 64
/* Ranges of all functions inlined into one function; the largest known have about ten thousand. */
#define NODES_MAX 262144

/* [start, end) belongs to the inlined function `name`, called at file:line of the enclosing one. */
struct node {
	uint64_t start, end;
	uint32_t name, file, line;
	uint32_t depth; /* 1: directly in the function */
	uint32_t plain; /* name as addr2line prints it */
	uint32_t first; /* index of the first range of the same entry */
	bool is_linkers; /* plain is the linker's name */
};

struct function {
	struct node own; /* the enclosing function */
	struct node *nodes; /* parents precede their children */
	size_t cnt, cap;
};

struct dwarf_inlines {
	bool lines; /* frames have source positions */
	struct dwarf_file file;
	struct dwarf_units units;
	struct split_units split; /* empty until a skeleton is met */
	struct function *functions;
	uint32_t function_cnt;
	size_t function_cap;
	size_t nodes_sz; /* bytes of all functions' nodes */
	struct u64map by_die; /* die_key() of a function → its index */
	struct texts names;
};

/* The DWARF that describes the code at an address. */
struct place {
	Dwarf_Die cu; /* has the lines: of a split unit, the skeleton */
	const struct split_unit *split; /* NULL: it has all else, too */
	uint64_t die_off; /* of the function, in the split unit if there is one */
};

/* State while one function is read. */
struct inline_reader {
	struct dwarf_inlines *in;
	struct function *fn;
	const struct dwarf_file *file; /* of its DIE */
	const struct dwarf_units *units; /* of its scopes */
	const char *dir; /* to which names of `files` are relative; NULL: it is part of them */
	Dwarf_Files *files; /* NULL: source positions are not needed */
	bool is_mangled; /* the language of the unit mangles names */
};

/* Finds the skeletons, of which there may be none. */
static int read_split(struct dwarf_inlines *in)
{
	return in->split.cnt ? 0
			     : dwarf_file__inflate(&in->file, UINT64_MAX)
				       ?: split_units__read(&in->split, &in->file);
}

struct dwarf_inlines *dwarf_inlines__open(int fd, int alt_fd, bool lines)
{
	struct dwarf_inlines *in = calloc(1, sizeof(*in));

	if (in &&
	    !dwarf_file__open(&in->file, fd, alt_fd, lines ? DWARF_NAMES_AND_LINES : DWARF_NAMES) &&
	    !dwarf_units__read(&in->units, &in->file)) {
		in->lines = lines;
		dwarf_file__idle(&in->file);
		return in;
	}
	dwarf_inlines__close(in);
	return NULL;
}

void dwarf_inlines__close(struct dwarf_inlines *in)
{
	uint32_t i;

	if (!in)
		return;
	for (i = 0; i < in->function_cnt; i++)
		free(in->functions[i].nodes);
	free(in->functions);
	u64map__free(&in->by_die);
	texts__free(&in->names);
	split_units__free(&in->split);
	dwarf_units__free(&in->units);
	dwarf_file__close(&in->file);
	free(in);
}

size_t dwarf_inlines__mem_sz(const struct dwarf_inlines *in)
{
	return !in ? 0
		   : in->file.mem_sz + in->nodes_sz + dwarf_units__mem_sz(&in->units) +
			       split_units__mem_sz(&in->split);
}

static uint32_t keep(struct dwarf_inlines *in, const char *text)
{
	return text && *text ? texts__add(&in->names, text, strlen(text)) : TEXTS_NONE;
}

static const char *text_of(const struct dwarf_inlines *in, uint32_t idx)
{
	return idx == TEXTS_NONE ? NULL : texts__get(&in->names, idx);
}

/* Prefixes a plain name with the scopes of the inlined function, if they are known. */
static uint32_t scoped_name(struct inline_reader *r, Dwarf_Die *die, const char *name)
{
	struct strbuf sb = STRBUF_INIT;
	Dwarf_Attribute attr;
	Dwarf_Die origin, decl;
	uint32_t scope = U64MAP_NONE, idx;

	if (!name)
		return U64MAP_NONE;
	if (dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &origin)) {
		/*
		 * The body may be outside of its scope; then an attribute refers to the
		 * declaration.
		 */
		if (dwarf_formref_die(dwarf_attr(&origin, DW_AT_specification, &attr), &decl))
			origin = decl;
		scope = u64map__get(&r->units->scopes, dwarf_dieoffset(&origin));
	}
	if (scope == U64MAP_NONE)
		return keep(r->in, name);
	strbuf__puts(&sb, text_of(r->in, scope));
	strbuf__puts(&sb, name);
	idx = keep(r->in, strbuf__cstr(&sb));
	strbuf__free(&sb);
	return idx;
}

static const char *text_attr(const struct inline_reader *r, Dwarf_Attribute *attr)
{
	return dwarf_file__text(r->file, dwarf_formstring(attr));
}

/*
 * Returns the linker's name, which includes the scopes; else (C, and local functions in C++) the
 * plain name.
 */
static uint32_t name_of(struct inline_reader *r, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name;

	name = text_attr(r, dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
	if (!name)
		name = text_attr(r, dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr));
	if (name)
		return keep(r->in, name);
	name = text_attr(r, dwarf_attr_integrate(die, DW_AT_name, &attr));
	return scoped_name(r, die, name);
}

/* Returns the source file of this number. */
static uint32_t file_of(struct inline_reader *r, Dwarf_Word nr)
{
	const char *name = dwarf_filesrc(r->files, nr, NULL, NULL);
	struct strbuf sb = STRBUF_INIT;
	uint32_t idx;

	if (!name || name[0] == '/' || !r->dir)
		return keep(r->in, name);
	strbuf__printf(&sb, "%s/%s", r->dir, name);
	idx = keep(r->in, strbuf__cstr(&sb));
	strbuf__free(&sb);
	return idx;
}

static void read_call(struct inline_reader *r, Dwarf_Die *die, struct node *node)
{
	Dwarf_Attribute attr;
	Dwarf_Word val;

	node->file = U64MAP_NONE;
	node->line = 0;
	if (!r->files)
		return;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &val))
		node->file = file_of(r, val);
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &val))
		node->line = (uint32_t)val;
}

static bool add_node(struct function *fn, const struct node *node)
{
	if (fn->cnt >= NODES_MAX ||
	    array__reserve((void **)&fn->nodes, &fn->cap, fn->cnt + 1, sizeof(*fn->nodes)))
		return false;
	fn->nodes[fn->cnt++] = *node;
	return true;
}

static bool is_mangled(int lang)
{
	switch (lang) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}

/* In languages without mangling the plain name is the linker's. */
static void read_plain(struct inline_reader *r, Dwarf_Die *die, struct node *node)
{
	Dwarf_Attribute attr;
	const char *name;

	name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr));
	node->is_linkers = name || !r->is_mangled;
	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
	node->plain = keep(r->in, name);
}

static void add_inlined(struct inline_reader *r, Dwarf_Die *die, uint32_t depth)
{
	struct node node = { .name = name_of(r, die),
			     .depth = depth,
			     .first = (uint32_t)r->fn->cnt };
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	read_plain(r, die, &node);
	read_call(r, die, &node);
	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		node.start = start;
		node.end = end;
		if (start < end && !add_node(r->fn, &node))
			return;
	}
}

/* Descends through blocks; each level of inlining adds one to depth. */
static void read_children(struct inline_reader *r, Dwarf_Die *parent, uint32_t depth,
			  uint32_t nesting)
{
	Dwarf_Die die;
	int err;

	if (nesting > DEPTH_MAX)
		return;
	for (err = dwarf_child(parent, &die); !err; err = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		if (!dwarf_units__may_go_on(&r->in->units))
			return;
		if (tag == DW_TAG_inlined_subroutine) {
			add_inlined(r, &die, depth);
			read_children(r, &die, depth + 1, nesting + 1);
		} else if (tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
			   tag == DW_TAG_catch_block) {
			read_children(r, &die, depth, nesting + 1);
		}
	}
}

/* Chooses the source files that numbers of the function's unit refer to. */
static void choose_files(struct inline_reader *r, const struct place *p, Dwarf_Die *cu)
{
	Dwarf_Die with_files = p->split && !p->split->split.has_files ? p->cu : *cu;
	size_t cnt;

	if (dwarf_getsrcfiles(&with_files, &r->files, &cnt))
		r->files = NULL;
	if (p->split && p->split->split.has_files)
		r->dir = p->split->dir;
}

/* Units have offsets of their own; none is so large that it reaches the number of its unit. */
static uint64_t die_key(const struct dwarf_inlines *in, const struct place *p)
{
	return p->die_off ^ (p->split ? (uint64_t)(p->split - in->split.at + 1) << 40 : 0);
}

/* Returns the function with the DIE at this place, reading it the first time. */
static struct function *get_function(struct dwarf_inlines *in, struct place *p)
{
	uint32_t *slot = u64map__slot(&in->by_die, die_key(in, p));
	struct inline_reader r = { .in = in, .file = &in->file, .units = &in->units };
	Dwarf_Die die, cu = p->cu;

	if (!slot || *slot != U64MAP_NONE)
		return slot ? &in->functions[*slot] : NULL;
	if (array__reserve((void **)&in->functions, &in->function_cap, in->function_cnt + 1,
			   sizeof(*in->functions)))
		return NULL;
	*slot = in->function_cnt++;
	r.fn = &in->functions[*slot];
	*r.fn = (struct function){ 0 };
	if (p->split) {
		r.file = &p->split->split.file;
		r.units = &p->split->functions;
		cu = p->split->split.cu;
	}
	if (in->lines)
		choose_files(&r, p, &cu);
	r.is_mangled = is_mangled(p->split ? p->split->split.lang : dwarf_srclang(&cu));
	if (dwarf_offdie(r.file->dwarf, p->die_off, &die)) {
		read_plain(&r, &die, &r.fn->own);
		if (dwarf_lowpc(&die, &r.fn->own.start))
			r.fn->own.start = 0;
		read_children(&r, &die, 1, 0);
	}
	in->nodes_sz += r.fn->cap * sizeof(*r.fn->nodes);
	return r.fn;
}

static void find_line(struct dwarf_inlines *in, Dwarf_Die *cu, uint64_t vaddr,
		      struct inline_frame *f)
{
	Dwarf_Line *line = dwarf_getsrc_die(cu, vaddr);
	int nr = 0;

	if (!line)
		return;
	f->file = text_of(in, keep(in, dwarf_linesrc(line, NULL, NULL)));
	if (!dwarf_lineno(line, &nr) && nr > 0)
		f->line = (uint32_t)nr;
}

/* Identifies an entry: its function, and its first range among that function's. */
static uint64_t key_of(const struct dwarf_inlines *in, const struct function *fn, uint32_t nth)
{
	return (uint64_t)(fn - in->functions) << 32 | nth;
}

enum place_state {
	PLACE_NONE,
	PLACE_WAITS, /* for a file */
	PLACE_LINES, /* the function is not known */
	PLACE_FOUND,
};

/* Finds the function in a skeleton's split unit, else in what the skeleton itself has. */
static enum place_state find_split(struct dwarf_inlines *in, uint64_t vaddr, struct place *p)
{
	struct split_unit *u = read_split(in) ? NULL : split_units__get(&in->split, &p->cu);
	Dwarf_Die cu;

	if (u && split_unit__waits(u))
		return PLACE_WAITS;
	p->split = u && u->state == SPLIT_HERE ? u : NULL;
	if (p->split
		    ? split_units__find(&in->split, u, &in->names, vaddr, &cu, &p->die_off)
		    : dwarf_units__find(&in->units, &in->file, &in->names, vaddr, &cu, &p->die_off))
		return PLACE_FOUND;
	return in->lines ? PLACE_LINES : PLACE_NONE;
}

static enum place_state find_place(struct dwarf_inlines *in, uint64_t vaddr, struct place *p)
{
	uint8_t type;

	p->split = NULL;
	if (!dwarf_units__find_unit(&in->units, &in->file, vaddr, &p->cu))
		return PLACE_NONE;
	if (!dwarf_cu_info(p->cu.cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) &&
	    type == DW_UT_skeleton)
		return find_split(in, vaddr, p);
	return dwarf_units__find(&in->units, &in->file, &in->names, vaddr, &p->cu, &p->die_off)
		       ? PLACE_FOUND
		       : PLACE_NONE;
}

/* The source position alone, of a function with the symbol's name. */
static size_t put_line(struct dwarf_inlines *in, Dwarf_Die *cu, uint64_t vaddr,
		       struct inline_frame *frame, struct inline_entries *entries)
{
	*frame = (struct inline_frame){ NULL };
	find_line(in, cu, vaddr, frame);
	*entries = (struct inline_entries){ .innermost = UINT64_MAX, .own = UINT64_MAX };
	return frame->file != NULL;
}

size_t dwarf_inlines__find(struct dwarf_inlines *in, uint64_t vaddr, struct inline_frame *frames,
			   size_t max, struct inline_entries *entries)
{
	const struct node *chain[DEPTH_MAX + 1] = { NULL }, *innermost;
	struct inline_frame pos = { NULL };
	uint32_t depth = 0, i;
	struct function *fn;
	struct place place;
	size_t cnt = 0, n;

	*entries = (struct inline_entries){ 0 };
	switch (max ? find_place(in, vaddr, &place) : PLACE_NONE) {
	case PLACE_NONE:
		return 0;
	case PLACE_WAITS:
		entries->is_waiting = true;
		return 0;
	case PLACE_LINES:
		return put_line(in, &place.cu, vaddr, frames, entries);
	case PLACE_FOUND:
		break;
	}
	fn = get_function(in, &place);
	if (!fn)
		return 0;
	for (n = 0; n < fn->cnt; n++) {
		const struct node *node = &fn->nodes[n];

		/* Only ranges inside the one found before: ranges of siblings are disjoint. */
		if (vaddr >= node->start && vaddr < node->end && node->depth == depth + 1 &&
		    depth < DEPTH_MAX)
			chain[++depth] = node;
	}
	if (in->lines)
		find_line(in, &place.cu, vaddr, &pos);
	/* The source position of each frame is the call site in it of the frame before. */
	for (i = depth; i > 0 && cnt + 1 < max; i--) {
		pos.name = text_of(in, chain[i]->name);
		pos.plain = text_of(in, chain[i]->plain);
		frames[cnt++] = pos;
		pos.file = text_of(in, chain[i]->file);
		pos.line = chain[i]->line;
	}
	pos.name = NULL;
	pos.plain = text_of(in, fn->own.plain);
	if (i) {
		pos.file = text_of(in, chain[1]->file);
		pos.line = chain[1]->line;
	}
	frames[cnt++] = pos;
	innermost = depth ? &fn->nodes[chain[depth]->first] : &fn->own;
	*entries = (struct inline_entries){
		.innermost = key_of(in, fn, depth ? chain[depth]->first + 1 : 0),
		.own = key_of(in, fn, 0),
		.own_start = fn->own.start,
		.is_linkers = innermost->is_linkers,
	};
	return cnt;
}

struct split_units *dwarf_inlines__split(struct dwarf_inlines *in)
{
	return &in->split;
}
