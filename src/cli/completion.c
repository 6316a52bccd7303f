// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "util/log.h"

static void print_options(const struct command *cmd)
{
	const struct opt *o;

	printf("\t%s) words=\"--help", cmd->name);
	for (o = cmd->opts; o->long_name || o->short_name; o++)
		if (o->long_name)
			printf(" --%s%s", o->long_name, o->type == OPT_FLAG ? "" : "=");
	printf("\" ;;\n");
}

int completion__print(const struct command *const *commands, const char *shell)
{
	const struct command *const *c;

	if (!shell || strcmp(shell, "bash") != 0) {
		log_error("--completion: choose from: bash");
		return EXIT_USAGE;
	}
	printf("# bash completion of bpfperf; made by `bpfperf --completion bash`\n"
	       "_bpfperf()\n{\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} cmd=${COMP_WORDS[1]} words\n"
	       "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	       "\t\twords=\"--help --version --btf=");
	for (c = commands; *c; c++)
		printf(" %s", (*c)->name);
	printf("\"\n\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n\t\treturn\n"
	       "\tfi\n\tcase $cmd in\n");
	for (c = commands; *c; c++)
		print_options(*c);
	printf("\t*) return ;;\n\tesac\n"
	       "\tif [ \"${cur#-}\" != \"$cur\" ]; then\n"
	       "\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	       "\t\t[ \"${COMPREPLY[0]: -1}\" = \"=\" ] && compopt -o nospace\n"
	       "\telse\n"
	       "\t\tmapfile -t COMPREPLY < <(bpfperf list \"$cur*\" 2>/dev/null | awk '{ print $1 }')\n"
	       "\tfi\n}\ncomplete -o default -F _bpfperf bpfperf\n");
	return EXIT_DONE;
}
