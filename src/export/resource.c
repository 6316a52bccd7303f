// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/resource.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"

const char *resource__get(const struct resource *r, const char *key)
{
	size_t i;

	for (i = 0; r->attrs[i]; i += 2)
		if (!strcmp(r->attrs[i], key))
			return r->attrs[i + 1];
	return NULL;
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

/* Decodes %XX in place. */
static void decode(char *text)
{
	char *to = text;

	for (; *text; text++) {
		int high = *text == '%' ? digit_of(text[1]) : -1;
		int low = high >= 0 ? digit_of(text[2]) : -1;

		*to++ = low > 0 || high > 0 ? (char)(high << 4 | low) : *text;
		text += low > 0 || high > 0 ? 2 : 0;
	}
	*to = '\0';
}

/* Adds an attribute; the first one of a key holds. */
static int add(struct resource *r, size_t *cnt, const char *key, const char *value)
{
	if (resource__get(r, key))
		return 0;
	if (*cnt == 2 * RESOURCE_ATTRS_MAX) {
		log_error("OTEL_RESOURCE_ATTRIBUTES has more than %d attributes; give fewer",
			  RESOURCE_ATTRS_MAX);
		return -EINVAL;
	}
	r->attrs[(*cnt)++] = key;
	r->attrs[(*cnt)++] = value;
	return 0;
}

static int add_pairs(struct resource *r, size_t *cnt, char *text)
{
	char *save = NULL, *pair, *value;
	int err = 0;

	for (pair = strtok_r(text, ",", &save); pair && !err; pair = strtok_r(NULL, ",", &save)) {
		pair += strspn(pair, " ");
		value = strchr(pair, '=');
		if (!value || value == pair) {
			log_error("OTEL_RESOURCE_ATTRIBUTES: %s is no KEY=VALUE; give pairs with "
				  "commas between them",
				  pair);
			return -EINVAL;
		}
		*value++ = '\0';
		decode(value);
		err = add(r, cnt, pair, value);
	}
	return err;
}

int resource__read(struct resource *r)
{
	const char *name = getenv("OTEL_SERVICE_NAME"), *pairs = getenv("OTEL_RESOURCE_ATTRIBUTES");
	size_t cnt = 0;
	int err = 0;

	*r = (struct resource){ 0 };
	if (name && *name)
		err = add(r, &cnt, "service.name", name);
	if (err || !pairs)
		return err;
	r->text = strdup(pairs);
	if (!r->text) {
		log_error("out of memory");
		return -ENOMEM;
	}
	return add_pairs(r, &cnt, r->text);
}

void resource__free(struct resource *r)
{
	free(r->text);
	*r = (struct resource){ 0 };
}
