// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "lang/runtimes.h"
#include "util/path.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Each command and switch is tried by tests/live/runtimes.sh, where the runtime can be had. */
static const struct runtime runtimes[] = {
	{ "Java", "libjvm.so", "run `jcmd ", " Compiler.perfmap` while it is sampled (JDK 17)" },
	{ "Node.js", "node", "start it with --perf-basic-prof --interpreted-frames-native-stack",
	  NULL },
	{ "Node.js", "libnode.so",
	  "start it with --perf-basic-prof --interpreted-frames-native-stack", NULL },
	{ ".NET", "libcoreclr.so", "start it with DOTNET_PerfMapEnabled=1 in its environment",
	  NULL },
	{ "LuaJIT", "luajit", "build it with -DLUAJIT_USE_PERFTOOLS, or start it with -joff",
	  NULL },
	{ "LuaJIT", "libluajit", "build it with -DLUAJIT_USE_PERFTOOLS, or start it with -joff",
	  NULL },
	{ "PyPy", "libpypy", "start it with --jit off: it writes no names of compiled code", NULL },
	{ "Ruby", "libruby", "start it with --yjit-perf (Ruby 3.3), or without YJIT", NULL },
	{ "Ruby", "ruby", "start it with --yjit-perf (Ruby 3.3), or without YJIT", NULL },
	{ "Erlang", "beam.smp", "start it with +JPperf true", NULL },
};

const struct runtime *runtimes__of_file(const char *path)
{
	const char *base = path__base(path);
	size_t i, len;

	for (i = 0; i < sizeof(runtimes) / sizeof(*runtimes); i++) {
		len = strlen(runtimes[i].file);
		/* "node", "node20", "luajit-2.1.0", not "nodejs-tool". */
		if (!strncmp(base, runtimes[i].file, len) && !isalpha((unsigned char)base[len]))
			return &runtimes[i];
	}
	return NULL;
}
