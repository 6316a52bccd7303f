// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Arguments of the options of a report's lines. */
#include <errno.h>
#include <string.h>

#include "sink/func_regex.h"
#include "sink/hist_sink.h"
#include "util/log.h"

int hist_sink__set_percentage(void *hist_sink_config, const char *arg)
{
	struct hist_sink_config *cfg = hist_sink_config;

	cfg->is_relative = !strcmp(arg, "relative");
	if (cfg->is_relative || !strcmp(arg, "absolute"))
		return 0;
	log_error("--percentage %s: choose absolute or relative", arg);
	return -EINVAL;
}

int hist_sink__set_parent(void *hist_sink_config, const char *arg)
{
	((struct hist_sink_config *)hist_sink_config)->facts.parent = arg;
	return func_regex__check("-p", arg);
}

int hist_sink__set_ignored(void *hist_sink_config, const char *arg)
{
	((struct hist_sink_config *)hist_sink_config)->ignored_callees = arg;
	return func_regex__check("--ignore-callees", arg);
}

int hist_sink__set_separator(void *hist_sink_config, const char *arg)
{
	((struct hist_sink_config *)hist_sink_config)->separator = arg;
	if (*arg && *arg != '.')
		return 0;
	log_error("-t '%s': give a separator that does not begin with a dot, which stands for it "
		  "in names",
		  arg);
	return -EINVAL;
}
