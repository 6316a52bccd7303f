// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/replay_files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sym/sym.h"
#include "util/log.h"

static int set_file(const char **file, const char *option, const char *arg)
{
	struct stat st;
	int err = stat(arg, &st) || access(arg, R_OK) ? errno : !S_ISREG(st.st_mode) ? EINVAL : 0;

	*file = arg;
	if (!err)
		return 0;
	log_error("%s %s: %s; give a file of the recorded kernel", option, arg,
		  err == EINVAL ? "it is no regular file" : strerror(err));
	return -EINVAL;
}

int replay_files__set_kallsyms(void *files, const char *arg)
{
	return set_file(&((struct replay_files *)files)->kallsyms, "--kallsyms", arg);
}

int replay_files__set_vmlinux(void *files, const char *arg)
{
	return set_file(&((struct replay_files *)files)->vmlinux, "--vmlinux", arg);
}

int replay_files__set_symfs(void *files, const char *arg)
{
	struct replay_files *f = files;
	struct stat st;

	f->symfs = arg;
	if (!stat(arg, &st) && S_ISDIR(st.st_mode))
		return 0;
	log_error("--symfs %s: give a directory with the recorded machine's files", arg);
	return -EINVAL;
}

void replay_files__use(const struct replay_files *files, struct sym_options *options)
{
	options->kallsyms = files->kallsyms;
	options->vmlinux = files->vmlinux;
	options->symfs = files->symfs;
	options->kernel_paths = files->kernel_paths;
}
