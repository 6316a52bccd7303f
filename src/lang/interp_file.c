// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "lang/interp_file.h"

#include <errno.h>
#include <string.h>

#include <gelf.h>
#include <libelf.h>

#include "lang/python_file.h"
#include "lang/ruby_file.h"
#include "reader/answer.h"
#include "reader/files.h"
#include "unwind/elf_open.h"

struct answered {
	struct interp_file file;
	int32_t err;
	char missing[INTERP_MISSING_MAX];
};

static int find_python(Elf *elf, int fd, struct interp_file *file, const char **missing)
{
	return python_file__read(elf, fd, &file->python, missing);
}

static int find_ruby(Elf *elf, int fd, struct interp_file *file, const char **missing)
{
	return ruby_file__read(elf, fd, &file->ruby, missing);
}

static int (*const finders[])(Elf *elf, int fd, struct interp_file *file, const char **missing) = {
	[INTERP_PYTHON] = find_python,
	[INTERP_RUBY] = find_ruby,
};

static int examine(Elf *elf, int fd, struct answered *a)
{
	const char *missing = "";
	GElf_Ehdr eh;
	uint32_t i;
	int err = -ENOENT;

	if (!gelf_getehdr(elf, &eh) || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_ident[EI_DATA] != ELFDATA2LSB)
		return -ENOENT;
	for (i = INTERP_PYTHON; i < sizeof(finders) / sizeof(*finders) && err == -ENOENT; i++) {
		memset(&a->file, 0, sizeof(a->file));
		a->file.language = i;
		err = finders[i](elf, fd, &a->file, &missing);
	}
	if (err == -ENOTSUP)
		strncpy(a->missing, missing, sizeof(a->missing) - 1);
	return err;
}

static int run_interp(struct reader_request *req, struct strbuf *answer)
{
	struct answered a;
	Elf *elf;

	memset(&a, 0, sizeof(a));
	elf = elf_open(req->fds[0], ELF_C_READ);
	if (!elf)
		return -ENOEXEC;
	a.err = examine(elf, req->fds[0], &a);
	elf_end(elf);
	strbuf__add(answer, &a, sizeof(a));
	return 0;
}

static const struct reader_op interp_op = { "interpreter", run_interp };

int interp_file__read(int fd, struct interp_file *file, char *missing)
{
	struct strbuf answer = STRBUF_INIT;
	struct reader_call call = {
		.op = &interp_op,
		.purpose = READER_TABLES,
		.fds = &fd,
		.fd_cnt = 1,
		.answer_max = sizeof(struct answered),
		.missing = "functions of interpreters",
	};
	struct answered a;
	struct answer from;
	int err = reader__call_files(&call, &answer, NULL);

	from = answer__of(answer.buf, answer.len);
	answer__take(&from, &a, sizeof(a));
	strbuf__free(&answer);
	if (!err && (from.is_bad || a.file.language >= sizeof(finders) / sizeof(*finders)))
		err = -EPROTO;
	if (err)
		return err == -ENOEXEC ? -ENOENT : err;
	*file = a.file;
	a.missing[sizeof(a.missing) - 1] = '\0';
	memcpy(missing, a.missing, INTERP_MISSING_MAX);
	/* Whatever it is, programs in the kernel read only the process's own memory with it. */
	return a.err == -ENOTSUP || a.err == -ENOENT ? a.err : a.err ? -EPROTO : 0;
}
