// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/place_text.h"

#include <string.h>

void place_text__put(const struct place *p, const char *name, uint32_t hit_ns, struct strbuf *sb)
{
	const char *hit = hit_class__name((enum hit_class)p->hit);
	size_t i;

	strbuf__put_escaped(sb, name, strlen(name));
	strbuf__putc(sb, '(');
	for (i = 0; i < p->field_cnt; i++) {
		const struct place_field *f = &p->fields[i];

		strbuf__puts(sb, i ? ", " : "");
		strbuf__put_escaped(sb, f->type, strlen(f->type));
		strbuf__printf(sb, "%s%s%s%s", sb->buf[sb->len - 1] == '*' ? "" : " ", f->name,
			       f->literal ? " " : "", place_literal__text(f->literal));
	}
	strbuf__putc(sb, ')');
	if (p->decl) {
		strbuf__puts(sb, "  ");
		strbuf__put_escaped(sb, p->decl, strlen(p->decl));
	}
	if (hit)
		strbuf__printf(sb, "  %s", hit);
	if (hit && hit_ns)
		strbuf__printf(sb, " %.2f us", hit_ns / 1e3);
	strbuf__putc(sb, '\n');
}

void place_text__put_json(const struct place *p, const char *name, uint32_t hit_ns,
			  struct strbuf *sb)
{
	const char *hit = hit_class__name((enum hit_class)p->hit);
	size_t i;

	strbuf__puts(sb, "{\"name\":");
	strbuf__put_json(sb, name, strlen(name));
	strbuf__puts(sb, ",\"kind\":\"probe\",\"can\":[\"trace\",\"count\",\"sample\"],\"args\":[");
	for (i = 0; i < p->field_cnt; i++) {
		const struct place_field *f = &p->fields[i];

		strbuf__printf(sb, "%s{\"name\":\"%s\",\"type\":", i ? "," : "", f->name);
		strbuf__put_json(sb, f->type, strlen(f->type));
		strbuf__puts(sb, f->literal ? ",\"optimized_out\":true}" : "}");
	}
	strbuf__putc(sb, ']');
	if (p->decl) {
		strbuf__puts(sb, ",\"line\":");
		strbuf__put_json(sb, p->decl, strlen(p->decl));
	}
	if (hit)
		strbuf__printf(sb, ",\"hit\":{\"class\":\"%s\"", hit);
	if (hit && hit_ns)
		strbuf__printf(sb, ",\"ns\":%u", hit_ns);
	strbuf__puts(sb, hit ? "}}\n" : "}\n");
}
