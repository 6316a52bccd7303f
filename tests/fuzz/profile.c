// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Profiles that were saved before: a byte says as what the rest is read. */
#include "fuzz.h"

#include <errno.h>

#include "profile/hist_script.h"
#include "profile/profile.h"
#include "profile/profile_read.h"

static void fuzz_setup(void)
{
}

static void fuzz_seeds(void)
{
	fuzz_seed_text("folded", "0a;b;c 3\na;b;c 4\n# x\na 6\nsh;main;read;vfs_read_[k] 7\r\n");
	fuzz_seed_text("script",
		       "3# cmdline\nV8 Worker 7 12/34 [003] 1.000002:   1000 cycles:u: \n"
		       "\tffffffff81 do_it+0x1f ([kernel.kallsyms])\n"
		       "\t  7f00 f(int)+0x2 (/lib/x (deleted))\n\t 12 g (inlined)\n"
		       "\t1 a->b (/tmp/perf-12.map)\n\n"
		       "sh 9 2.5: sched:sched_switch: prev=sh (x)\nx -1 cycles:\n1 [unknown] "
		       "([unknown])\n");
	fuzz_seed_text("json",
		       "1{\"profile\":1,\"freq\":99,\"command\":\"a b\",\"host\":\"h\","
		       "\"lost_by\":{\"ring full\":3},\"events\":[{\"name\":\"cycles\","
		       "\"unit\":\"count\",\"kind\":\"on-cpu\",\"old\":false}]}\n"
		       "{\"function\":\"f\",\"module\":\"/bin/x\",\"kernel\":true}\n"
		       "{\"group\":[\"a\",\"b\"],\"event\":0,\"stack\":[\"m\",\"f\"],\"kernel\":1,"
		       "\"samples\":11,\"weight\":12,\"truncated\":true}\n");
	fuzz_seed_text("page",
		       "2<script id=\"profile\" type=\"application/json\">{\"profile\":1,"
		       "\"events\":[{\"name\":\"c\"},{\"name\":\"d\"}],"
		       "\"functions\":[\"f\",\"a\"],\"modules\":[\"m\"],\"function_of\":\"EC\","
		       "\"nodes\":\"ABAAAABB\",\"each\":[1,0],\"values\":[\"BCCDBE\",\"DCH\"],"
		       "\"times\":{\"shift\":20,\"first\":7,\"slices\":5,\"values\":["
		       "\"BCBBDBCBCD\",\"DBECH\"]}}</script>");
}

/* A report of the text counts each sample once. */
static void sum_up(const char *text, size_t sz)
{
	const struct hist_config cfg = { .keys = { HIST_COMM, HIST_SYM, HIST_TID }, .key_cnt = 3 };
	struct hist_script script;
	struct hist hist;
	uint64_t samples = 0, in_rows = 0;
	size_t i;
	int err;

	hist__init(&hist, &cfg);
	err = hist_script__read(&script, &hist, text, sz);
	fuzz_check(!err || err == -E2BIG);
	for (i = 0; i < hist.event_cnt; i++)
		samples += hist.events[i].samples;
	for (i = 0; i < hist.row_cnt; i++) {
		in_rows += hist.rows[i].samples;
		fuzz_check(hist_script__comm(&script, hist.rows[i].first_tid));
	}
	fuzz_check(samples == in_rows);
	hist_script__free(&script);
	hist__free(&hist);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	static int (*const read[])(struct profile *, const char *, size_t, enum profile_part,
				   size_t *) = { profile_read__folded, profile_read__json,
						 profile_read__page, profile_read__script };
	struct fuzz_bytes b = { data, sz };
	unsigned int kind = (unsigned int)fuzz_take(&b, 1);
	size_t bad_line = 0;
	struct profile p;
	char *text = malloc(b.left + !b.left);
	int err;

	memcpy(text, b.p, b.left);
	profile__init(&p, NULL, PROFILE_BY_COMM);
	err = read[kind % 4](&p, text, b.left, (enum profile_part)(kind / 4 % 3), &bad_line);
	fuzz_check(!err || err == -EINVAL || err == -E2BIG);
	profile__free(&p);
	if (kind % 4 == 3)
		sum_up(text, b.left);
	free(text);
	return 0;
}
