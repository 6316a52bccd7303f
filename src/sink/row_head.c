// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/row_head.h"

#include <stdbool.h>
#include <string.h>

#include "sink/profile_json.h"

void row_head__put(struct strbuf *to, const struct row_head *head)
{
	const char *batch = head->batch ? head->batch : "";

	strbuf__puts(to, "{\"batch\":");
	strbuf__put_json(to, batch, strlen(batch));
	profile_json__put_u64(to, "time", head->begin_ns / 1000000000);
	profile_json__put_u64(to, "begin_ns", head->begin_ns);
	profile_json__put_u64(to, "end_ns", head->end_ns);
	profile_json__put_str(to, "host", head->host ? head->host : "");
}

static bool has_key(const char *const *attrs, const char *key)
{
	for (; attrs && attrs[0]; attrs += 2)
		if (!strcmp(attrs[0], key))
			return true;
	return false;
}

void row_head__put_labels(struct strbuf *to, const char *const *first, const char *const *second)
{
	const char *const *lists[] = { first, second }, *const * attr, *sep = "";
	struct strbuf label = STRBUF_INIT;
	size_t i;

	strbuf__puts(to, ",\"labels\":[");
	for (i = 0; i < 2; i++)
		for (attr = lists[i]; attr && attr[0]; attr += 2) {
			if (i && has_key(first, attr[0]))
				continue;
			strbuf__reset(&label);
			strbuf__printf(&label, "%s=%s", attr[0], attr[1]);
			strbuf__puts(to, sep);
			strbuf__put_json(to, label.buf, label.len);
			sep = ",";
		}
	strbuf__putc(to, ']');
	strbuf__free(&label);
}
