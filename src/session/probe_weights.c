// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* At a weight point r2 is the event's index, r3 the probe's context. */
#include "session/probe_weights.h"

#include <errno.h>

#include <linux/types.h>

#include "bpf/probe_wire.h"
#include "session/probe_steps.h"

/* r0 = the number that a hit of the event counts. */
static void put_weight(struct fetcher *f, const struct probe_weight *w)
{
	struct code *c = f->c;
	code_label absent = code__label(c), end = code__label(c);
	const struct fetch_field *field = &w->probe->fields[w->field];
	size_t i;

	fetcher__store(f, SLOT_CONTEXT, CODE_R3);
	code__alu(c, BPF_MOV, CODE_R0, 0);
	fetcher__store(f, SLOT_SAVED, CODE_R0);
	for (i = 0; i < field->step_cnt; i++)
		fetcher__step(f, &field->steps[i], absent);
	/* The value has the field's size: what is above it in a register is of no meaning. */
	if (field->size < 8) {
		code__alu(c, BPF_LSH, CODE_R0, 64 - 8 * field->size);
		code__alu(c, BPF_RSH, CODE_R0, 64 - 8 * field->size);
	}
	if (!code__is_used(c, absent))
		return;
	code__goto(c, end);
	code__bind(c, absent);
	code__alu(c, BPF_MOV, CODE_R0, 0);
	code__bind(c, end);
}

static int put_weights(const void *arg, struct code *c, size_t back)
{
	const struct probe_weights *pw = arg;
	struct fetcher f = { c, 0, false };
	code_label next;
	size_t i;

	if (!fetcher__has_room(&f))
		return -E2BIG;
	for (i = 0; i < pw->cnt && !c->err; i++) {
		if (!pw->at[i].probe || pw->at[i].field < 0)
			continue;
		next = code__label(c);
		code__if(c, BPF_JNE, CODE_R2, i, CODE_R5, next);
		f.in_kernel = pw->at[i].probe->in_kernel;
		put_weight(&f, &pw->at[i]);
		patch_code__jump_back(c, back);
		code__bind(c, next);
	}
	code__alu(c, BPF_MOV, CODE_R0, 1);
	patch_code__jump_back(c, back);
	return c->err;
}

const struct patch_extras *probe_weights__extras(struct probe_weights *pw, bool in_kernel)
{
	const struct patch_extra *own = in_kernel ? pw->code.kernel_at : pw->code.at;

	probe_code__extras(&pw->code, 0);
	pw->extra[0] = (struct patch_extra){ WIRE_WEIGHT_PLACEHOLDER, put_weights, pw };
	pw->extra[1] = own[1];
	pw->extra[2] = own[2];
	pw->extras = (struct patch_extras){ pw->extra, WEIGHT_EXTRAS_CNT };
	return &pw->extras;
}
