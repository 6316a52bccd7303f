// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/elf_needs.h"

#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "reader/answer.h"

/* Sections of real files are far smaller. */
#define SECTION_MAX (1u << 20)

/* Returns the text at an offset; "": there is none. */
static const char *text_at(const char *strs, size_t sz, uint64_t off)
{
	return off < sz && memchr(strs + off, '\0', sz - off) ? strs + off : "";
}

static void put_interpreter(const struct elf_file *elf, struct strbuf *answer)
{
	const struct elf_section *sec = elf_file__section(elf, ".interp");
	char *interp = sec ? elf_file__contents(elf, sec, PATH_MAX) : NULL;

	answer__put_text(answer, interp && *text_at(interp, sec->sz, 0) ? interp : NULL);
	free(interp);
}

static void put_dynamic(const struct elf_file *elf, struct strbuf *answer)
{
	const struct elf_section *dyn = elf_file__section(elf, ".dynamic");
	const struct elf_section *str = elf_file__section(elf, ".dynstr");
	char *strs = str ? elf_file__contents(elf, str, SECTION_MAX) : NULL;
	Elf64_Dyn *dyns = dyn ? (void *)elf_file__contents(elf, dyn, SECTION_MAX) : NULL;
	size_t cnt = dyns && strs ? dyn->sz / sizeof(*dyns) : 0, i;
	const char *run_path = NULL;

	for (i = 0; i < cnt; i++)
		if (dyns[i].d_tag == DT_RUNPATH || dyns[i].d_tag == DT_RPATH)
			run_path = text_at(strs, str->sz, dyns[i].d_un.d_val);
	answer__put_text(answer, run_path);
	for (i = 0; i < cnt; i++)
		if (dyns[i].d_tag == DT_NEEDED)
			answer__put_text(answer, text_at(strs, str->sz, dyns[i].d_un.d_val));
	free(dyns);
	free(strs);
}

void elf_needs__put(const struct elf_file *elf, struct strbuf *answer)
{
	/* Tables are made of native programs alone. */
	if (!elf->is64 || elf->swapped)
		return;
	put_interpreter(elf, answer);
	put_dynamic(elf, answer);
}
