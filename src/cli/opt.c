// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cli/opt.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"

static bool is_end(const struct opt *o)
{
	return !o->long_name && !o->short_name;
}

/* True if a name on the command line or in a rule, of len bytes, is this option's. */
static bool has_name(const struct opt *o, const char *name, size_t len)
{
	if (o->long_name)
		return strlen(o->long_name) == len && memcmp(o->long_name, name, len) == 0;
	return len == 1 && o->short_name == *name;
}

bool opt_given__has(const struct opt_given *given, const char *name)
{
	size_t len = strlen(name), i;

	for (i = 0; given->opts && !is_end(&given->opts[i]); i++)
		if (has_name(&given->opts[i], name, len))
			return given->bits[i / 64] >> i % 64 & 1;
	return false;
}

static bool takes_arg(const struct opt *o)
{
	return o->type != OPT_FLAG && o->type != OPT_OPTCALL;
}

/* "--name" or "-x", for messages. */
static const char *opt_label(const struct opt *o, char *buf, size_t sz)
{
	if (o->long_name)
		snprintf(buf, sz, "--%s", o->long_name);
	else
		snprintf(buf, sz, "-%c", o->short_name);
	return buf;
}

static int set_u64(const struct opt *o, uint64_t *val, const char *arg)
{
	char label[64], *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(arg, &end, 10);
	/* strtoull() also accepts blanks and signs, and turns -1 into the largest number. */
	if (errno || arg[0] < '0' || arg[0] > '9' || *end || v < o->min || (o->max && v > o->max)) {
		if (o->max)
			log_error("%s %s: give a whole number from %llu to %llu",
				  opt_label(o, label, sizeof(label)), arg,
				  (unsigned long long)o->min, (unsigned long long)o->max);
		else
			log_error("%s %s: give a whole number from %llu on",
				  opt_label(o, label, sizeof(label)), arg,
				  (unsigned long long)o->min);
		return -EINVAL;
	}
	*val = v;
	return 0;
}

static int set_seconds(const struct opt *o, uint64_t *ns, const char *arg)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "", 1e9 },   { "s", 1e9 },  { "ms", 1e6 },
		      { "us", 1e3 }, { "m", 60e9 }, { "h", 3600e9 } };
	char label[64], *end;
	double v;
	size_t i;

	v = strtod(arg, &end);
	for (i = 0; end != arg && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit) == 0 && v * units[i].ns >= 1 &&
		    v * units[i].ns < 9e18) {
			*ns = (uint64_t)(v * units[i].ns);
			return 0;
		}
	}
	log_error("%s %s: give a time above 0, in seconds or with us, ms, s, m, h, such as 1.5 or "
		  "200ms",
		  opt_label(o, label, sizeof(label)), arg);
	return -EINVAL;
}

static int set_choice(const struct opt *o, unsigned int *choice, const char *arg)
{
	struct strbuf names = STRBUF_INIT;
	char label[64];
	unsigned int i;

	for (i = 0; o->choices[i]; i++) {
		if (*arg && !strcmp(o->choices[i], arg)) {
			*choice = i;
			strbuf__free(&names);
			return 0;
		}
		if (*o->choices[i])
			strbuf__printf(&names, " %s", o->choices[i]);
	}
	log_error("%s %s: choose from:%s", opt_label(o, label, sizeof(label)), arg,
		  strbuf__cstr(&names));
	strbuf__free(&names);
	return -EINVAL;
}

static int apply(const struct opt *o, void *opts, const char *arg)
{
	void *at = (char *)opts + o->off;

	switch (o->type) {
	case OPT_FLAG:
		*(bool *)at = true;
		return 0;
	case OPT_STR:
		*(const char **)at = arg;
		return 0;
	case OPT_U64:
		return set_u64(o, at, arg);
	case OPT_SECONDS:
		return set_seconds(o, at, arg);
	case OPT_CHOICE:
		return set_choice(o, at, arg);
	case OPT_CALL:
	case OPT_OPTCALL:
		return o->set(at, arg);
	}
	return -EINVAL;
}

static struct {
	int (*set)(void *at, const char *arg);
	void (*fn)(const char *arg);
} peeked;

void command__peek(int (*set)(void *at, const char *arg), void (*fn)(const char *arg))
{
	peeked.set = set;
	peeked.fn = fn;
}

struct parser {
	bool peeks; /* it handles no options */
	const struct command *cmd;
	void *opts;
	char **argv;
	int argc, i;
	bool help;
};

/* Marks the option as given, and stores its value in the options struct. */
static int take_option(struct parser *p, const struct opt *o, const char *arg)
{
	struct opt_given *given;
	size_t i = (size_t)(o - p->cmd->opts);

	if (p->peeks) {
		if (peeked.set && o->set == peeked.set)
			peeked.fn(arg);
		return 0;
	}
	if (p->cmd->given_off) {
		given = (void *)((char *)p->opts + p->cmd->given_off);
		given->bits[i / 64] |= 1ull << i % 64;
	}
	return apply(o, p->opts, arg);
}

/* Errors are reported when the options are handled. */
#define fault(p, ...) ((p)->peeks ? (void)0 : log_error(__VA_ARGS__))

static int usage_hint(const struct parser *p)
{
	fault(p, "see `bpfperf %s --help`", p->cmd->name);
	return -EINVAL;
}

/* An optional argument is the next word only in a command that takes no words of its own. */
static bool takes_next_word(const struct parser *p, const struct opt *o)
{
	return o->type == OPT_OPTCALL && !p->cmd->positional && !p->cmd->positional_is_cmd &&
	       p->i < p->argc && p->argv[p->i][0] != '-';
}

/*
 * Finds the only option with a name that begins with these len bytes, as perf does. NULL: there is
 * none, or several (logged).
 */
static const struct opt *find_abbreviated(const struct parser *p, const char *name, size_t len)
{
	const struct opt *o, *found = NULL;

	for (o = p->cmd->opts; len && !is_end(o); o++) {
		if (!o->long_name || strncmp(o->long_name, name, len))
			continue;
		if (found) {
			fault(p, "--%.*s may be --%s or --%s; write one of them", (int)len, name,
			      found->long_name, o->long_name);
			return NULL;
		}
		found = o;
	}
	if (!found)
		fault(p, "there is no option --%.*s; see `bpfperf %s --help`", (int)len, name,
		      p->cmd->name);
	return found;
}

static int parse_long(struct parser *p, const char *name)
{
	const struct opt *o;
	size_t len = strcspn(name, "=");
	const char *arg = name[len] == '=' ? name + len + 1 : NULL;

	if (strcmp(name, "help") == 0) {
		p->help = true;
		return 0;
	}
	for (o = p->cmd->opts; !is_end(o); o++)
		if (o->long_name && has_name(o, name, len))
			break;
	if (is_end(o)) {
		if (!p->peeks && p->cmd->explain && p->cmd->explain(name, len))
			return -EINVAL;
		o = find_abbreviated(p, name, len);
		if (!o)
			return -EINVAL;
	}
	if (o->type == OPT_FLAG && arg) {
		fault(p, "--%s takes no argument; see `bpfperf %s --help`", o->long_name,
		      p->cmd->name);
		return -EINVAL;
	}
	if (takes_arg(o) && !arg) {
		if (p->i >= p->argc) {
			fault(p, "--%s needs an argument: %s; see `bpfperf %s --help`",
			      o->long_name, o->arg, p->cmd->name);
			return -EINVAL;
		}
		arg = p->argv[p->i++];
	} else if (!arg && takes_next_word(p, o)) {
		arg = p->argv[p->i++];
	}
	return take_option(p, o, arg);
}

/* A cluster: -av, -F99, -F 99. */
static int parse_short(struct parser *p, const char *s)
{
	int err = 0;

	while (*s && !err) {
		const struct opt *o;
		const char *arg = NULL;
		char c = *s++;

		if (c == 'h') {
			p->help = true;
			return 0;
		}
		for (o = p->cmd->opts; !is_end(o); o++)
			if (o->short_name == c)
				break;
		if (o->short_name != c) {
			if (!p->peeks && p->cmd->explain && p->cmd->explain(&c, 1))
				return -EINVAL;
			fault(p, "there is no option -%c; see `bpfperf %s --help`", c,
			      p->cmd->name);
			return -EINVAL;
		}
		if (o->type != OPT_FLAG && *s) {
			arg = *s == '=' && o->type == OPT_OPTCALL ? s + 1 : s;
			s = "";
		} else if (takes_arg(o)) {
			if (p->i >= p->argc) {
				fault(p, "-%c needs an argument: %s; see `bpfperf %s --help`", c,
				      o->arg, p->cmd->name);
				return -EINVAL;
			}
			arg = p->argv[p->i++];
		} else if (takes_next_word(p, o)) {
			arg = p->argv[p->i++];
		}
		err = take_option(p, o, arg);
	}
	return err;
}

/* Sets p->i to the first word of CMD. */
static int parse(struct parser *p)
{
	int err = 0;

	while (p->i < p->argc && !err && !p->help) {
		const char *arg = p->argv[p->i];

		if (strcmp(arg, "--") == 0) {
			if (++p->i < p->argc)
				return 0;
			fault(p, "-- needs a command after it, such as -- make");
			return -EINVAL;
		}
		if (arg[0] == '-' && arg[1]) {
			p->i++;
			err = arg[1] == '-' ? parse_long(p, arg + 2) : parse_short(p, arg + 1);
		} else if (p->cmd->positional_is_cmd) {
			return 0;
		} else if (p->cmd->positional) {
			p->i++;
			err = p->peeks ? 0 : p->cmd->positional(p->opts, arg);
		} else {
			fault(p, "%s: takes no argument %s", p->cmd->name, arg);
			err = usage_hint(p);
		}
	}
	return err;
}

/* Goes through the command line twice. */
static int parse_all(struct parser *p)
{
	const int first = p->i;

	p->peeks = true;
	parse(p);
	p->peeks = p->help = false;
	p->i = first;
	return parse(p);
}

int command__main(const struct command *cmd, int argc, char **argv)
{
	struct parser p = { .cmd = cmd, .argv = argv, .argc = argc, .i = 1 };
	struct strbuf help = STRBUF_INIT;
	int status = EXIT_USAGE, err;

	p.opts = calloc(1, cmd->opts_sz ? cmd->opts_sz : 1);
	if (!p.opts) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	if (cmd->given_off)
		((struct opt_given *)((char *)p.opts + cmd->given_off))->opts = cmd->opts;
	err = parse_all(&p);
	/* The command line is valid, but this machine lacks a feature. */
	if (err && err != -EINVAL && err != -ENOENT && err != -ESRCH)
		status = EXIT_FAILED;
	if (!err) {
		if (p.help) {
			command__help(cmd, &help);
			fputs(strbuf__cstr(&help), stdout);
			strbuf__free(&help);
			status = fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
		} else if (p.i < argc && !cmd->takes_cmd) {
			log_error("%s runs no command; omit -- before %s", cmd->name, argv[p.i]);
		} else {
			status = cmd->run(p.opts, argc - p.i, argv + p.i);
		}
	}
	free(p.opts);
	return status;
}

void command__help(const struct command *cmd, struct strbuf *out)
{
	const struct opt *o;

	strbuf__printf(out, "usage: bpfperf %s %s\n\n%s\n\n", cmd->name, cmd->synopsis,
		       cmd->summary);
	for (o = cmd->opts; !is_end(o); o++) {
		char left[64];
		int n;

		n = o->short_name ? snprintf(left, sizeof(left), "  -%c", o->short_name)
				  : snprintf(left, sizeof(left), "    ");
		if (o->long_name)
			n += snprintf(left + n, sizeof(left) - (size_t)n, "%s--%s",
				      o->short_name ? ", " : "  ", o->long_name);
		if (o->arg)
			snprintf(left + n, sizeof(left) - (size_t)n,
				 o->type == OPT_OPTCALL ? "[=%s]" : " %s", o->arg);
		strbuf__printf(out, "%-32s %s\n", left, o->help);
	}
	strbuf__printf(out, "%-32s %s\n", "  -h, --help", "this text");
}
