// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/script_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/log.h"

#define UNKNOWN "[unknown]"

bool text_part__is(const struct text_part *part, const char *text)
{
	return part->len == strlen(text) && !memcmp(part->at, text, part->len);
}

static bool begins_with(const struct text_part *part, const char *text)
{
	return part->len >= strlen(text) && !memcmp(part->at, text, strlen(text));
}

static bool ends_with(const struct text_part *part, const char *text)
{
	size_t len = strlen(text);

	return part->len >= len && !memcmp(part->at + part->len - len, text, len);
}

struct text_part text_part__base(const struct text_part *path)
{
	const char *slash = path->len ? memrchr(path->at, '/', path->len) : NULL;
	size_t skip = slash ? (size_t)(slash + 1 - path->at) : 0;

	return skip ? (struct text_part){ slash + 1, path->len - skip } : *path;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct text_part trim(struct text_part part)
{
	while (part.len && is_space(part.at[part.len - 1]))
		part.len--;
	while (part.len && is_space(part.at[0])) {
		part.at++;
		part.len--;
	}
	return part;
}

/* Takes a word off the beginning; empty at the end. */
static struct text_part take_word(struct text_part *rest)
{
	struct text_part word;

	*rest = trim(*rest);
	word = (struct text_part){ rest->at, 0 };
	while (word.len < rest->len && !is_space(word.at[word.len]))
		word.len++;
	rest->at += word.len;
	rest->len -= word.len;
	return word;
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* Parses the whole part as a number. */
static bool parse_number(struct text_part part, unsigned int base, uint64_t *number)
{
	size_t i;

	*number = 0;
	for (i = 0; i < part.len; i++) {
		unsigned int digit = (unsigned int)digit_of(part.at[i]);

		if (digit >= base || __builtin_mul_overflow(*number, base, number) ||
		    __builtin_add_overflow(*number, digit, number))
			return false;
	}
	return part.len != 0;
}

/* "[003]" */
static bool parse_cpu(struct text_part word, uint32_t *cpu)
{
	uint64_t number;

	if (word.len < 3 || word.at[0] != '[' || word.at[word.len - 1] != ']' ||
	    !parse_number((struct text_part){ word.at + 1, word.len - 2 }, 10, &number))
		return false;
	*cpu = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
	return true;
}

/* "SECONDS.FRACTION:", six digits or, with --ns, nine. */
static bool parse_time(struct text_part word, uint64_t *time_ns)
{
	const char *dot = word.len ? memchr(word.at, '.', word.len) : NULL;
	uint64_t seconds, fraction;
	size_t digits, whole;

	if (!dot || word.at[word.len - 1] != ':')
		return false;
	whole = (size_t)(dot - word.at);
	digits = word.len - whole - 2;
	if (digits > 9 || !parse_number((struct text_part){ word.at, whole }, 10, &seconds) ||
	    !parse_number((struct text_part){ dot + 1, digits }, 10, &fraction))
		return false;
	for (; digits < 9; digits++)
		fraction *= 10;
	if (seconds > UINT64_MAX / 1000000000 - 1)
		return false;
	*time_ns = seconds * 1000000000 + fraction;
	return true;
}

/* "TID" or "PID/TID"; -1 is a thread that perf does not know. */
static bool parse_ids(struct text_part word, int32_t *pid, int32_t *tid)
{
	const char *slash = word.len ? memchr(word.at, '/', word.len) : NULL;
	size_t first = slash ? (size_t)(slash - word.at) : word.len;
	uint64_t a, b = 0;

	if (text_part__is(&word, "-1")) {
		*pid = *tid = -1;
		return true;
	}
	if (!parse_number((struct text_part){ word.at, first }, 10, &a) || a > INT32_MAX)
		return false;
	if (slash &&
	    (!parse_number((struct text_part){ slash + 1, word.len - first - 1 }, 10, &b) ||
	     b > INT32_MAX))
		return false;
	*pid = slash ? (int32_t)a : -1;
	*tid = (int32_t)(slash ? b : a);
	return true;
}

/*
 * Finds where the file's parentheses begin, which end the line: "f(int) (/lib/x (deleted))". NULL:
 * there are none.
 */
static const char *find_module(struct text_part line)
{
	size_t i = line.len, depth = 0;

	if (!line.len || line.at[line.len - 1] != ')')
		return NULL;
	while (i--) {
		if (line.at[i] == ')')
			depth++;
		else if (line.at[i] == '(' && !--depth)
			break;
	}
	if (i < line.len && (!i || is_space(line.at[i - 1])))
		return line.at + i;
	/* The name of a file may have a parenthesis of its own. */
	for (i = line.len; i-- > 1;)
		if (line.at[i] == '(' && is_space(line.at[i - 1]))
			return line.at + i;
	return NULL;
}

/* Drops "+0x1f" at a name's end. */
static void drop_offset(struct script_frame *f)
{
	size_t i = f->name.len;

	while (i && digit_of(f->name.at[i - 1]) < 16)
		i--;
	if (i < 3 || i == f->name.len || memcmp(f->name.at + i - 3, "+0x", 3) != 0 ||
	    !parse_number((struct text_part){ f->name.at + i, f->name.len - i }, 16, &f->off))
		return;
	f->name.len = i - 3;
}

/* The kernel, its modules, its BPF programs; not [vdso], [heap] and other memory. */
static bool is_kernels(const struct text_part *module)
{
	static const char *const users[] = { "[vdso]", "[vsyscall]", "[uprobes]", "[heap]" };
	static const char *const user_begins[] = { "[stack", "[anon", "[JIT]", "[vectors" };
	struct text_part base = text_part__base(module);
	size_t i;

	if (begins_with(&base, "vmlinux") || begins_with(module, "bpf_prog_"))
		return true;
	if (begins_with(module, "/lib/modules/") || ends_with(module, ".ko"))
		return true;
	for (i = 0; i < sizeof(users) / sizeof(*users); i++)
		if (text_part__is(module, users[i]))
			return false;
	for (i = 0; i < sizeof(user_begins) / sizeof(*user_begins); i++)
		if (begins_with(module, user_begins[i]))
			return false;
	return module->len && module->at[0] == '[';
}

/* "ADDRESS NAME+0xOFFSET (FILE)" */
static bool parse_frame(struct text_part line, struct script_frame *f)
{
	const char *module;

	*f = (struct script_frame){ .off = 0 };
	if (!parse_number(take_word(&line), 16, &f->addr))
		return false;
	line = trim(line);
	f->name = line;
	module = find_module(line);
	if (module) {
		f->name.len = (size_t)(module - line.at);
		f->module = (struct text_part){ module + 1, line.len - f->name.len - 2 };
		f->name = trim(f->name);
	}
	/* A line of other columns has no name either. */
	if (!module && !f->name.len)
		return false;
	drop_offset(f);
	if (text_part__is(&f->module, UNKNOWN))
		f->module.len = 0;
	/* If no file is known, the upper half of the addresses is the kernel's. */
	f->is_kernel = f->module.len ? is_kernels(&f->module) : f->addr >> 63;
	f->is_inlined = text_part__is(&f->module, "inlined");
	if (f->is_inlined)
		f->module.len = 0;
	if (text_part__is(&f->name, UNKNOWN))
		f->name.len = 0;
	return true;
}

/*
 * Parses a sample's line behind the ids: "[CPU] TIME: PERIOD EVENT:", all but the last optional.
 * A callchain of one function may follow in the line; the text of a tracepoint does.
 */
static bool parse_rest(struct text_part rest, bool needs_time, struct script_sample *s,
		       struct script_frame *frame)
{
	struct text_part word = take_word(&rest);

	s->cpu = UINT32_MAX;
	s->time_ns = 0;
	if (parse_cpu(word, &s->cpu))
		word = take_word(&rest);
	if (parse_time(word, &s->time_ns))
		word = take_word(&rest);
	else if (needs_time)
		return false;
	s->has_period = parse_number(word, 10, &s->period);
	if (s->has_period)
		word = take_word(&rest);
	else
		s->period = 1;
	if (word.len < 2 || word.at[word.len - 1] != ':')
		return false;
	s->event = (struct text_part){ word.at, word.len - 1 };
	rest = trim(rest);
	/* A tracepoint's text may end with parentheses: it does not begin with an address. */
	s->frame_cnt = rest.len && rest.at[rest.len - 1] == ')' && parse_frame(rest, frame);
	s->trace = s->frame_cnt ? (struct text_part){ .len = 0 } : rest;
	return true;
}

/*
 * Parses a sample's line. A thread's name may have spaces and numbers: the ids are the first
 * number behind which the line goes on as it has to.
 */
static bool parse_head(struct text_part line, bool needs_time, struct script_sample *s,
		       struct script_frame *frame)
{
	struct text_part rest = trim(line), word;
	const char *begin = rest.at;

	take_word(&rest);
	while ((word = take_word(&rest)).len) {
		if (!parse_ids(word, &s->pid, &s->tid) || !parse_rest(rest, needs_time, s, frame))
			continue;
		s->comm = trim((struct text_part){ begin, (size_t)(word.at - begin) });
		return true;
	}
	return false;
}

/* Takes a line off the text, without its end. */
static struct text_part take_line(struct script_text *t)
{
	const char *nl = memchr(t->at, '\n', (size_t)(t->end - t->at));
	struct text_part line = { t->at, (size_t)((nl ? nl : t->end) - t->at) };

	t->at = nl ? nl + 1 : t->end;
	return line;
}

/* Without a time a line could be anything, but for its end. */
static bool is_head(struct text_part line, struct script_sample *s, struct script_frame *frame)
{
	line = trim(line);
	return parse_head(line, true, s, frame) ||
	       (line.len && line.at[line.len - 1] == ':' && parse_head(line, false, s, frame));
}

bool script_text__is(const char *text, size_t len)
{
	struct script_text t = { .at = text, .end = text + len };
	struct script_sample s;
	struct script_frame frame;
	struct text_part line;

	while (t.at < t.end) {
		line = take_line(&t);
		if ((line.len && line.at[0] == '#') || !trim(line).len)
			continue;
		return is_head(line, &s, &frame);
	}
	return false;
}

void script_text__begin(struct script_text *t, const char *text, size_t len)
{
	*t = (struct script_text){ .at = text, .end = text + len };
}

static int add_frame(struct script_text *t, struct script_sample *s,
		     const struct script_frame *frame)
{
	if (s->frame_cnt == SCRIPT_FRAMES_MAX)
		return 0;
	if (array__reserve((void **)&t->frames, &t->cap, s->frame_cnt + 1, sizeof(*frame)))
		return -ENOMEM;
	t->frames[s->frame_cnt++] = *frame;
	return 0;
}

/* Finds the line of a sample. false: the text ends. */
static bool find_head(struct script_text *t, struct script_sample *s, struct script_frame *frame)
{
	struct text_part line;

	while (t->at < t->end) {
		line = take_line(t);
		if (!trim(line).len || line.at[0] == '#')
			continue;
		if (parse_head(line, true, s, frame) || parse_head(line, false, s, frame))
			return true;
		t->odd_cnt++;
	}
	return false;
}

int script_text__next(struct script_text *t, struct script_sample *s)
{
	struct script_sample next;
	struct script_frame frame;
	struct text_part line;
	const char *before;
	int err = 0;

	*s = (struct script_sample){ .pid = -1 };
	if (!find_head(t, s, &frame))
		return 0;
	if (s->frame_cnt) {
		s->frame_cnt = 0;
		err = add_frame(t, s, &frame);
	}
	while (t->at < t->end && !err) {
		before = t->at;
		line = take_line(t);
		/* A sample without a callchain is followed by the next. */
		if (!trim(line).len)
			break;
		if (is_head(line, &next, &frame)) {
			t->at = before;
			break;
		}
		if (parse_frame(line, &frame))
			err = add_frame(t, s, &frame);
		else if (line.at[0] != '#')
			t->odd_cnt++;
	}
	s->frames = t->frames;
	return err ? err : 1;
}

void script_text__warn_odd(const struct script_text *t)
{
	if (t->odd_cnt)
		log_warn("%llu %s neither samples nor functions and %s passed over",
			 (unsigned long long)t->odd_cnt, t->odd_cnt == 1 ? "line is" : "lines are",
			 t->odd_cnt == 1 ? "is" : "are");
}

void script_text__free(struct script_text *t)
{
	free(t->frames);
	t->frames = NULL;
}
