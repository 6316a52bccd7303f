/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Prints a call as an object of JSON: its name, then each value, then the end. */
#ifndef SAY_H
#define SAY_H

#include <stdio.h>

static inline void say(const char *event)
{
	printf("{\"event\":\"%s\"", event);
}

static inline void say_num(const char *name, long val)
{
	printf(",\"%s\":%ld", name, val);
}

static inline void say_size(const char *name, unsigned long val)
{
	printf(",\"%s\":%lu", name, val);
}

static inline void say_real(const char *name, double val)
{
	printf(",\"%s\":%.17g", name, val);
}

static inline void say_flag(const char *name, int val)
{
	printf(",\"%s\":%s", name, val ? "true" : "false");
}

static inline void say_text(const char *name, const char *val)
{
	printf(",\"%s\":\"%s\"", name, val);
}

static inline void say_end(void)
{
	printf("}\n");
}

#endif
