// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <linux/capability.h>

#include "cmd/commands.h"
#include "export/unit.h"
#include "kernel/bpf_error.h"
#include "kernel/checkup.h"
#include "sink/out.h"
#include "util/fs.h"

struct doctor_opts {
	bool json;
	bool unit; /* print the unit of systemd alone */
};

/* The remedy is on a line of its own, in the column of the detail. */
static void put_text(struct strbuf *sb, const struct finding *f)
{
	strbuf__printf(sb, "%-20s  %-8s  %s\n", f->name, verdict__name(f->verdict), f->detail);
	if (f->remedy[0])
		strbuf__printf(sb, "%-20s  %-8s  -> %s\n", "", "", f->remedy);
}

static void put_json(struct strbuf *sb, const struct finding *f)
{
	strbuf__puts(sb, "{\"name\":");
	strbuf__put_json(sb, f->name, strlen(f->name));
	strbuf__printf(sb, ",\"verdict\":\"%s\",\"detail\":", verdict__name(f->verdict));
	strbuf__put_json(sb, f->detail, strlen(f->detail));
	strbuf__puts(sb, ",\"remedy\":");
	if (f->remedy[0])
		strbuf__put_json(sb, f->remedy, strlen(f->remedy));
	else
		strbuf__puts(sb, "null");
	strbuf__puts(sb, "}\n");
}

static int print_unit(void)
{
	long last_cap = CAP_LAST_CAP;
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct out out;
	int err = out__open(&out, NULL);

	if (err)
		return EXIT_FAILED;
	self[len > 0 ? len : 0] = '\0';
	fs__read_long("/proc/sys/kernel/cap_last_cap", &last_cap);
	unit__put(&out.buf, len > 0 ? self : "/usr/bin/bpfperf", last_cap);
	err = out__close(&out);
	return err && err != -EPIPE ? EXIT_FAILED : EXIT_DONE;
}

static int doctor__run(void *opts, int cmd_argc, char **cmd_argv)
{
	const struct doctor_opts *o = opts;
	struct finding findings[CHECKUP_MAX];
	struct out out;
	size_t cnt, i;
	int err;

	if (o->unit)
		return print_unit();
	bpf_error__init();
	err = out__open(&out, NULL);
	if (err)
		return EXIT_FAILED;
	cnt = checkup__run(findings);
	for (i = 0; i < cnt; i++) {
		(o->json ? put_json : put_text)(&out.buf, &findings[i]);
		out__commit(&out);
	}
	err = out__close(&out);
	if (err && err != -EPIPE)
		return EXIT_FAILED;
	for (i = 0; i < cnt; i++)
		if (findings[i].is_command && findings[i].verdict != VERDICT_OK)
			return EXIT_FAILED;
	return EXIT_DONE;
}

static const struct opt doctor_opt_table[] = {
	{ .short_name = 'j',
	  .long_name = "json",
	  .help = "print one JSON object per line: name, verdict, detail, remedy",
	  .type = OPT_FLAG,
	  .off = offsetof(struct doctor_opts, json) },
	{ .long_name = "unit",
	  .help = "print a unit of systemd that sends profiles to a store, fitted to this kernel",
	  .type = OPT_FLAG,
	  .off = offsetof(struct doctor_opts, unit) },
	OPT_END,
};

const struct command cmd_doctor = {
	.name = "doctor",
	.synopsis = "[OPTIONS]",
	.summary = "Checks the capabilities of this machine, and prints remedies.",
	.opts = doctor_opt_table,
	.opts_sz = sizeof(struct doctor_opts),
	.run = doctor__run,
};
