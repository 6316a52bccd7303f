// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Converts places to names: functions, inlined functions, files. */
#include <string.h>

#include "sym/maps.h"
#include "sym/sym_priv.h"
#include "util/path.h"

const char *const frame_kinds[FRAME_KINDS] = {
	[FRAME_INLINED] = "inlined",
	[FRAME_JIT] = "jit",
	[FRAME_PYTHON] = "python",
	[FRAME_RUBY] = "ruby",
};
enum frame_kind frame_kind__of(const char *name)
{
	enum frame_kind kind = FRAME_KINDS - 1;

	while (kind != FRAME_NATIVE && strcmp(frame_kinds[kind], name) != 0)
		kind--;
	return kind;
}

static const struct {
	enum frame_kind kind;
	const char *module; /* of code without a name */
} languages[] = {
	[INTERP_PYTHON] = { FRAME_PYTHON, "[python]" },
	[INTERP_RUBY] = { FRAME_RUBY, "[ruby]" },
};

void sym__kernel(struct sym *sym, uint64_t place, struct sym_result *res)
{
	const struct map *map;

	res->module = "[bpf]";
	res->func_off = 0;
	res->kind = FRAME_NATIVE;
	res->line = 0;
	res->name = ksyms__find(&sym->ksyms, place, &res->off);
	if (res->name || kallsyms__find(&sym->kernel, place, &res->name, &res->module, &res->off))
		return;
	map = sym->kernel_maps ? maps__find(sym->kernel_maps, place) : NULL;
	res->module = map ? sym->dsos.dsos[map->dso]->path : "[unknown]";
	res->off = place;
	res->func_off = 0;
}

static uint32_t dso_of(const struct sym *sym, uint64_t place)
{
	uint64_t idx = place >> PLACE_OFF_BITS;

	return idx < sym->dsos.cnt ? (uint32_t)idx : 0;
}

void sym__will_name(struct sym *sym, uint64_t place)
{
	dsos__will_name(&sym->dsos, dso_of(sym, place), sym__file_off(place));
}

void sym__will_name_kernel(struct sym *sym, uint64_t place)
{
	uint64_t off;

	if (!ksyms__find(&sym->ksyms, place, &off))
		kallsyms__want(&sym->kernel, place);
}

void sym__go_ahead(struct sym *sym)
{
	dsos__go_ahead(&sym->dsos);
	kallsyms__go_ahead(&sym->kernel);
}

uint64_t sym__file_off(uint64_t place)
{
	return place & PLACE_OFF_MASK;
}

bool sym__vaddr(struct sym *sym, uint64_t place, uint64_t *vaddr)
{
	uint64_t off;

	dsos__find(&sym->dsos, dso_of(sym, place), sym__file_off(place), &off);
	return dsos__vaddr(&sym->dsos, dso_of(sym, place), sym__file_off(place), vaddr);
}

static bool is_code(const struct sym *sym, uint64_t place)
{
	return sym->code_dso && dso_of(sym, place) == sym->code_dso;
}

static void name_code(const struct sym *sym, uint64_t place, struct sym_frame *frame)
{
	struct code_name name;

	codes__name(&sym->codes, sym__file_off(place), &name);
	*frame = (struct sym_frame){
		.name = name.name,
		.module = name.file ? name.file : languages[name.language].module,
		.kind = languages[name.language].kind,
		.file = name.file,
		.line = name.line,
	};
}

uint64_t sym__printed_off(const struct sym *sym, uint64_t place)
{
	uint64_t off = sym__file_off(place);

	return is_code(sym, place) ? off & ((1ull << CODES_LINE_BITS) - 1) : off;
}

void sym__name(struct sym *sym, uint64_t place, struct sym_result *res)
{
	uint32_t idx = dso_of(sym, place);
	struct sym_frame frame;

	if (is_code(sym, place)) {
		name_code(sym, place, &frame);
		*res = (struct sym_result){ .name = frame.name,
					    .module = frame.module,
					    .kind = frame.kind,
					    .line = frame.line };
		return;
	}

	res->module = sym->dsos.dsos[idx]->path;
	res->kind = sym->dsos.dsos[idx]->kind == DSO_JIT || sym->dsos.dsos[idx]->kind == DSO_DUMP
			    ? FRAME_JIT
			    : FRAME_NATIVE;
	res->line = 0;
	res->name = dsos__find(&sym->dsos, idx, sym__file_off(place), &res->off);
	res->func_off = 0;
	if (res->name)
		return;
	res->off = sym__file_off(place);
	res->func_off = dsos__func_off(&sym->dsos, idx, res->off);
}

const char *sym__path(const struct sym *sym, uint64_t place)
{
	return sym->dsos.dsos[dso_of(sym, place)]->path;
}

uint32_t sym__file_idx(uint64_t place)
{
	return (uint32_t)(place >> PLACE_OFF_BITS);
}

int sym__open_file(struct sym *sym, uint64_t place)
{
	return dsos__open_file(&sym->dsos, dso_of(sym, place));
}

char *sym__vdso(struct sym *sym, uint64_t place, size_t *sz)
{
	return dsos__vdso(&sym->dsos, dso_of(sym, place), sz);
}

/*
 * Adds all frames with the names that addr2line prints, including the last one. 0: no line is
 * known.
 */
static size_t add_plain(struct sym *sym, const struct sym_result *res,
			const struct inline_frame *found, size_t cnt, struct sym_frame *frames)
{
	size_t i;

	if (!cnt || !found[0].file)
		return 0;
	for (i = 0; i < cnt; i++) {
		const char *name = found[i].plain;

		frames[i] = (struct sym_frame){ .line = found[i].line };
		if (found[i].file)
			frames[i].file = dsos__kept(&sym->dsos, found[i].file);
		frames[i].name = name && !found[i].is_symbols
					 ? dsos__printed(&sym->dsos, name, found[i].plain_printed)
					 : res->name;
		frames[i].is_inlined = strcmp(frames[i].name, res->name) != 0;
	}
	return cnt;
}

/*
 * Adds names and source positions of all frames of a place except for the name of the last. 0: none
 * known.
 */
static size_t add_inlines(struct sym *sym, uint64_t place, const struct sym_result *res,
			  struct sym_frame *frames, size_t max)
{
	struct inline_frame found[SYM_FRAMES_MAX];
	uint32_t idx = dso_of(sym, place);
	struct dso *dso = sym->dsos.dsos[idx];
	size_t cnt, i, kept = 0;
	uint64_t vaddr;

	/* The mapping of a file that was truncated in the meantime must not be accessed either. */
	if (!dso->inlines || !res->name || dso__check_lost_lately(dso) ||
	    !dsos__vaddr(&sym->dsos, idx, sym__file_off(place), &vaddr))
		return 0;
	if (max > SYM_FRAMES_MAX)
		max = SYM_FRAMES_MAX;
	cnt = inlines__find(dso->inlines, vaddr, vaddr - res->off, found, max);
	if (!cnt && inlines__is_gone(dso->inlines)) {
		dsos__read_again(&sym->dsos, idx);
		cnt = dso->inlines
			      ? inlines__find(dso->inlines, vaddr, vaddr - res->off, found, max)
			      : 0;
	}
	/* Texts of this file stay: it is not dropped for its own sake. */
	dsos__looked_up(&sym->dsos, idx);
	if (sym->options.as_addr2line)
		return add_plain(sym, res, found, cnt, frames);
	for (i = 0; i < cnt; i++) {
		const struct inline_frame *f = &found[i];
		struct sym_frame *to = &frames[kept];

		/* A DIE without a name is not a function of the source. */
		if (!f->name && i + 1 < cnt)
			continue;
		kept++;
		*to = (struct sym_frame){ .line = f->line };
		if (f->file)
			to->file = dsos__kept(&sym->dsos, f->file);
		if (f->name)
			to->name = dsos__printed(&sym->dsos, f->name, f->printed);
	}
	return kept;
}

static void name_place(struct sym *sym, bool is_kernel, uint64_t place, struct sym_result *res)
{
	if (is_kernel)
		sym__kernel(sym, place, res);
	else
		sym__name(sym, place, res);
}

/* Converts a place to the address that other tools take; symbols must have been read. */
static uint64_t addr_of(const struct sym *sym, bool is_kernel, uint64_t place)
{
	uint64_t vaddr;

	if (is_kernel)
		return ksyms__addr(&sym->ksyms, place);
	return dsos__vaddr(&sym->dsos, dso_of(sym, place), sym__file_off(place), &vaddr)
		       ? vaddr
		       : sym__file_off(place);
}

void sym__function(struct sym *sym, bool is_kernel, uint64_t place, struct sym_frame *frame)
{
	struct sym_result res;

	if (!is_kernel && is_code(sym, place)) {
		name_code(sym, place, frame);
		return;
	}
	name_place(sym, is_kernel, place, &res);
	*frame = (struct sym_frame){ .name = res.name,
				     .module = res.module,
				     .off = res.off,
				     .func_off = res.func_off,
				     .kind = res.kind,
				     .addr = addr_of(sym, is_kernel, place) };
}

char sym__origin(struct sym *sym, bool is_kernel, uint64_t place)
{
	struct sym_result res;

	if (is_kernel && !sym->options.vmlinux)
		return 'k';
	if (is_kernel) {
		sym__kernel(sym, place, &res);
		return strcmp(res.module, "[kernel.kallsyms]") ? 'k' : 'v';
	}
	return is_code(sym, place)
		       ? 'j'
		       : dsos__origin(&sym->dsos, dso_of(sym, place), sym__file_off(place));
}

uint64_t sym__size(struct sym *sym, bool is_kernel, uint64_t place)
{
	if (is_kernel)
		return ksyms__size(&sym->ksyms, place) ?: kallsyms__size(&sym->kernel, place);
	return is_code(sym, place)
		       ? 0
		       : dsos__size(&sym->dsos, dso_of(sym, place), sym__file_off(place));
}

/* A JIT compiler's dump has source lines. */
static void add_dump_line(struct sym *sym, uint64_t place, const struct sym_result *res,
			  struct sym_frame *frame)
{
	uint32_t idx = dso_of(sym, place);
	uint64_t off = sym__file_off(place);
	const struct jit_line *line;
	const struct dso *dso;

	if (!sym->options.lines || !res->name)
		return;
	dsos__to_dump(&sym->dsos, &idx, &off);
	dso = sym->dsos.dsos[idx];
	if (dso->kind != DSO_DUMP || !dso->dump)
		return;
	line = jit_dump__line(dso->dump, off - res->off, dsos__size(&sym->dsos, idx, off), off);
	if (!line || !line->line)
		return;
	frame->file = dsos__kept(&sym->dsos, dso->dump->texts + line->file);
	frame->line = line->line;
}

size_t sym__frames(struct sym *sym, bool is_kernel, uint64_t place, struct sym_frame *frames,
		   size_t max)
{
	struct sym_result res;
	size_t cnt = 0, i;
	uint64_t addr;

	if (!is_kernel && is_code(sym, place)) {
		name_code(sym, place, frames);
		return 1;
	}
	name_place(sym, is_kernel, place, &res);
	addr = addr_of(sym, is_kernel, place);
	if (!is_kernel && sym->options.inlines)
		cnt = add_inlines(sym, place, &res, frames, max);
	if (cnt && sym->options.as_addr2line) {
		for (i = 0; i < cnt; i++) {
			frames[i].module = res.module;
			frames[i].off = res.off;
			frames[i].addr = addr;
		}
		return cnt;
	}
	/* The last frame is the function itself; the others were inlined into it. */
	if (!cnt) {
		frames[cnt++] = (struct sym_frame){ .file = NULL };
		if (!is_kernel)
			add_dump_line(sym, place, &res, frames);
	}
	for (i = 0; i < cnt; i++) {
		frames[i].module = res.module;
		frames[i].off = res.off;
		frames[i].addr = addr;
		frames[i].is_inlined = i + 1 < cnt;
	}
	frames[cnt - 1].name = res.name;
	frames[cnt - 1].kind = res.kind;
	frames[cnt - 1].func_off = res.func_off;
	return cnt;
}

const struct sym_build_id *sym__build_id(struct sym *sym, uint64_t place)
{
	return dsos__build_id(&sym->dsos, dso_of(sym, place));
}

const struct sym_build_id *sym__kernel_build_id(struct sym *sym)
{
	if (!sym->knows_kernel && !sym->options.offline && !sym->kernel_id.len)
		build_id__of_kernel(&sym->kernel_id);
	return sym->kernel_id.len ? &sym->kernel_id : NULL;
}

void sym__user(struct sym *sym, int32_t pid, uint64_t addr, struct sym_result *res)
{
	sym__name(sym, sym__place(sym, pid, addr), res);
}

static void put_file(struct strbuf *sb, const char *path)
{
	const char *base = path__base(path);

	strbuf__puts(sb, " (");
	strbuf__put_escaped(sb, base, strlen(base));
	strbuf__putc(sb, ')');
}

void sym_result__put(const struct sym_result *res, struct strbuf *sb)
{
	const char *base;

	if (res->name) {
		strbuf__put_escaped(sb, res->name, strlen(res->name));
		if (frame_kind__is_interpreted(res->kind) && res->name[0] == '<')
			put_file(sb, res->module);
		return;
	}
	/* Bracketed names are not paths, and their offsets are useless outside of this process. */
	if (res->module[0] == '[') {
		strbuf__puts(sb, res->module);
		return;
	}
	base = path__base(res->module);
	strbuf__putc(sb, '[');
	strbuf__put_escaped(sb, base, strlen(base));
	strbuf__puts(sb, "+0x");
	strbuf__put_hex(sb, res->off - res->func_off);
	strbuf__putc(sb, ']');
}
