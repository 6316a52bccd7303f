/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Finds the places that a probe of the command line means, in a file, with the fields of their
 * records. The file is read by a reader (reader/reader.h); what it answers is checked.
 */
#ifndef BPFPERF_PROBE_FIND_H
#define BPFPERF_PROBE_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/arg.h"
#include "probe/place.h"
#include "util/strbuf.h"

/* Wanted of a file. */
struct find_want {
	const char *provider; /* USDT: of the probe `func`; may be a glob */
	const char *func; /* name or glob; NULL: by line, or by address */
	const char *source; /* by line: the end of a file's path */
	uint32_t line;
	uint64_t add; /* bytes behind the function's first instruction; or the address itself */
	bool is_list; /* to show them: all arguments, and where the functions are written */
	const char *args; /* the text between the parentheses; NULL: all parameters */
};

/* The reasons for finding nothing. */
enum find_status {
	FIND_OK,
	FIND_NOTHING, /* no function has the name: `near` has names that are near, or "" */
	FIND_BAD_ARG, /* *fault says which, and why */
	FIND_IFUNC, /* it is chosen at run time */
	FIND_OTHER_MACHINE, /* programs of this architecture do not run here */
	FIND_NO_DWARF, /* lines need it */
	FIND_REFUSED, /* no probe may be placed at any of them (probe/refused.h) */
	FIND_WITHIN, /* within an instruction: `near` is where this one begins, "+0x3" */
	FIND_BEYOND, /* behind the function's code: `near` is the size of that, "23" */
	FIND_WANTS, /* files of split DWARF: find__ask() hands them over, and asks again */
};

struct find_answer {
	enum find_status status;
	struct places places;
	struct arg_fault fault;
	char *near; /* "did you mean a or b?", or by the status; owned; NULL: none */
	char *missing; /* which files of split DWARF could not be read; owned; NULL: none */
	bool is_split; /* the file's DWARF is split */
	bool has_return; /* a field is fetched at the return */
};

/*
 * Asks a reader. path: for finding the debug file. 0, with ->status; -ENOEXEC: no ELF file; or an
 * error of reader__call(). Free the answer in any case.
 */
int find__ask(int fd, const char *path, const struct find_want *want, struct find_answer *answer);
void find_answer__free(struct find_answer *answer);

#endif
