// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/version.h"

#include <stdio.h>

#include <bpf/libbpf.h>

#include "cli/opt.h"
#include "event/pfm_lib.h"
#include "export/sender.h"
#include "util/helper_program.h"

#ifdef BPFPERF_STATIC
#define LINKING "static"
#else
#define LINKING "dynamic"
#endif

static void print_decoder(const char *trace, const char *program)
{
	char text[400], path[4200];

	if (!helper_program__find(program, path, sizeof(path)))
		printf("%s is not decoded: %s is missing\n", trace, program);
	else if (helper_program__version(path, text, sizeof(text)))
		printf("%s is not decoded: %s does not run\n", trace, path);
	else
		printf("%s %s: %s\n", trace, path, text);
}

int version__print(bool details)
{
	struct sender sender = { .fd = -1 };
	char text[400];

	printf("bpfperf %s\n", BPFPERF_VERSION);
	if (details) {
		printf("program  %s, libbpf %s\n", LINKING, libbpf_version_string());
		printf("libpfm4  %s\n",
		       pfm_lib__get() ? "vendor names of events" : "missing: install libpfm4");
		if (!sender__is_there(&sender))
			printf("stores   files only: bpfperf-send is missing\n");
		else if (sender__version(&sender, text, sizeof(text)))
			printf("stores   files only: %s does not run\n", sender.path);
		else
			printf("stores   %s: %s\n", sender.path, text);
		print_decoder("Intel PT", "bpfperf-itrace");
		print_decoder("CoreSight", "bpfperf-etm");
	}
	return fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
}
