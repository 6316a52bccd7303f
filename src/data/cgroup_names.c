// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/cgroup_names.h"

#include <errno.h>
#include <string.h>

#include "data/bytes.h"
#include "data/record_layout.h"

void cgroup_names__free(struct cgroup_names *c)
{
	u64map__free(&c->by_id);
	texts__free(&c->texts);
}

int cgroup_names__take(struct cgroup_names *c, const struct perf_event_header *hdr)
{
	struct bytes b;
	uint64_t id;
	uint32_t *slot, text;

	if (hdr->type != PERF_RECORD_CGROUP)
		return 0;
	b = bytes__of(hdr + 1, record_layout__body_end(hdr) - sizeof(*hdr), false);
	id = bytes__u64(&b);
	if (b.bad)
		return 0;
	text = texts__add_escaped(&c->texts, (const char *)b.p,
				  strnlen((const char *)b.p, bytes__left(&b)));
	slot = text == TEXTS_NONE ? NULL : u64map__slot(&c->by_id, id);
	if (!slot)
		return -ENOMEM;
	*slot = text;
	return 0;
}

const char *cgroup_names__get(const struct cgroup_names *c, uint64_t id)
{
	uint32_t text = u64map__get(&c->by_id, id);

	return text == U64MAP_NONE ? NULL : texts__get(&c->texts, text);
}
