/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Stacks of names, for tests of a profile without addresses. */
#ifndef BPFPERF_TESTS_NAMED_STACKS_H
#define BPFPERF_TESTS_NAMED_STACKS_H

#include <string.h>

#include "profile/profile.h"
#include "tap.h"

/* Returns the index of an event of this kind, added if it is new. */
TAP_FN uint8_t named_stacks__event(struct profile *p, enum sample_kind kind)
{
	const char *name = kind == SAMPLE_OFF_CPU ? "asleep" : "cpu-clock";
	const struct profile_event ev = { .name = texts__add(&p->texts, name, strlen(name)),
					  .is_ns = true,
					  .kind = kind };

	return (uint8_t)profile__add_event(p, &ev);
}

/*
 * Adds a stack: names of the kernel's functions, "|", names of user functions, innermost first and
 * separated by blanks. A user function is of the file before it ("/lib/libc.so.6: read"), or of
 * "/bin/app". Returns the stack's index.
 */
TAP_FN uint32_t named_stacks__add(struct profile *p, enum sample_kind kind, const char *comm,
				  const char *text, uint64_t weight)
{
	struct profile_stack st = { .event = named_stacks__event(p, kind),
				    .group = { texts__add(&p->texts, comm, strlen(comm)),
					       TEXTS_NONE },
				    .samples = 1,
				    .weight = weight };
	char copy[1024], *word, *left, module[64] = "/bin/app";
	uint32_t locs[64];
	bool user = false;

	snprintf(copy, sizeof(copy), "%s", text);
	for (word = strtok_r(copy, " ", &left); word; word = strtok_r(NULL, " ", &left)) {
		if (!strcmp(word, "|")) {
			user = true;
		} else if (word[strlen(word) - 1] == ':') {
			snprintf(module, sizeof(module), "%.*s", (int)strlen(word) - 1, word);
		} else if (user) {
			locs[st.kern_cnt + st.user_cnt++] =
				profile__named_loc(p, word, module, false, FRAME_NATIVE);
		} else {
			locs[st.kern_cnt++] =
				profile__named_loc(p, word, *word == '[' ? "" : "[kernel.kallsyms]",
						   true, FRAME_NATIVE);
		}
	}
	return profile__add_stack(p, &st, locs);
}

#endif
