// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cli/completion.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "util/log.h"

/*
 * bash splits words at the characters of COMP_WORDBREAKS, which include : and =, and replaces only
 * the part after the last one. So the line is split again at blanks, and the part that bash keeps
 * is removed from each proposal. Inside quotes bash does not split.
 */
static const char head[] = "# bash completion of bpfperf; made by `bpfperf --completion bash`\n"
			   "\n"
			   "# Proposals for what follows the last comma of a list of events.\n"
			   "_bpfperf_events()\n"
			   "{\n"
			   "\tlocal list='' last=$1\n"
			   "\n"
			   "\t[ \"$1\" = \"${1%,*}\" ] || { list=${1%,*}, last=${1##*,}; }\n"
			   "\tmapfile -t COMPREPLY < <(\"$2\" list \"$last*\" 2>/dev/null |\n"
			   "\t\tawk -v list=\"$list\" '{ print list $1 }')\n"
			   "}\n"
			   "\n"
			   "_bpfperf()\n"
			   "{\n"
			   "\tlocal line=${COMP_LINE:0:COMP_POINT} i n prev cur\n"
			   "\tlocal quote='' cmd='' events='' files='' words='' plain=''\n"
			   "\tlocal -a w\n"
			   "\n"
			   "\tCOMPREPLY=()\n"
			   "\tread -ra w <<<\"$line\"\n"
			   "\tcase $line in *[[:blank:]]) w+=('') ;; esac\n"
			   "\tn=$((${#w[@]} - 1))\n"
			   "\tcur=${w[n]} prev=${w[n - 1]}\n"
			   "\tcase $cur in [\\'\\\"]*) quote=${cur:0:1} cur=${cur:1} ;; esac\n"
			   "\tfor ((i = 1; i < n; i++)); do\n"
			   "\t\tcase ${w[i]} in\n"
			   "\t\t--btf) ((i++)) ;;\n"
			   "\t\t-*) ;;\n"
			   "\t\t*) cmd=${w[i]} && break ;;\n"
			   "\t\tesac\n"
			   "\tdone\n"
			   "\tfor ((; i < n; i++)); do\n"
			   "\t\tcase ${w[i]} in --) compopt -o default && return ;; esac\n"
			   "\tdone\n"
			   "\tcase $cmd in\n";

static const char tail[] =
	"\t*) return ;;\n"
	"\tesac\n"
	"\tcase \" $events \" in *\" $prev \"*) cmd=events ;; esac\n"
	"\tcase \" $files \" in *\" $prev \"*) compopt -o default && return ;; esac\n"
	"\tif [ \"$cmd\" != events ] && [ \"${cur#-}\" != \"$cur\" ] || [ -z \"$cmd\" ]; then\n"
	"\t\tcase $cur in --*=*) compopt -o default && return ;; esac\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	"\t\t[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace\n"
	"\t\treturn\n"
	"\tfi\n"
	"\t[ \"$cmd\" != events ] || plain=events\n"
	"\tcase $plain in\n"
	"\tevents) ;;\n"
	"\tcommand)\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$cur\")\n"
	"\t\tcompopt -o default\n"
	"\t\treturn\n"
	"\t\t;;\n"
	"\t*) return ;;\n"
	"\tesac\n"
	"\t_bpfperf_events \"$cur\" \"${w[0]}\"\n"
	"\tif [ -z \"$quote\" ] && [[ $COMP_WORDBREAKS == *:* && $cur == *:* ]]; then\n"
	"\t\tCOMPREPLY=(\"${COMPREPLY[@]#\"${cur%\"${cur##*:}\"}\"}\")\n"
	"\tfi\n"
	"}\n"
	"complete -F _bpfperf bpfperf\n";

static bool takes(const struct opt *o, const char *what)
{
	return o->arg && strncmp(o->arg, what, strlen(what)) == 0;
}

/* " -e --event" for all options with this type of argument. */
static void print_taking(const struct command *cmd, const char *what)
{
	const struct opt *o;

	for (o = cmd->opts; o->long_name || o->short_name; o++) {
		if (!takes(o, what))
			continue;
		if (o->short_name)
			printf(" -%c", o->short_name);
		if (o->long_name)
			printf(" --%s", o->long_name);
	}
}

static void print_command(const struct command *cmd)
{
	const struct opt *o;

	printf("\t%s)\n\t\twords=\"--help", cmd->name);
	for (o = cmd->opts; o->long_name || o->short_name; o++)
		if (o->long_name)
			printf(" --%s%s", o->long_name, o->type == OPT_FLAG ? "" : "=");
	printf("\"\n\t\tevents=\"");
	print_taking(cmd, "EVENT");
	printf("\"\n\t\tfiles=\"");
	print_taking(cmd, "FILE");
	print_taking(cmd, "PATH");
	/* The type of a word that is not an option. */
	printf("\"\n\t\tplain=%s ;;\n", cmd->positional  ? "events"
					: cmd->takes_cmd ? "command"
							 : "''");
}

int completion__print(const struct command *const *commands, const char *shell)
{
	const struct command *const *c;

	if (!shell || strcmp(shell, "bash") != 0) {
		log_error("--completion: choose from: bash");
		return EXIT_USAGE;
	}
	fputs(head, stdout);
	printf("\t'') words=\"--help --version --btf=");
	for (c = commands; *c; c++)
		printf(" %s", (*c)->name);
	printf("\" ;;\n");
	for (c = commands; *c; c++)
		print_command(*c);
	fputs(tail, stdout);
	return fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
}
