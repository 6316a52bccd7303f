// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Compiled plans against libtraceevent: for every format of the corpus, records
 * of random content print the same text both ways. For developers:
 *
 *   DIR=/sys/kernel/tracing/events build/unit/print_differential   this machine's formats
 *   BENCH=1 build/unit/print_differential                          ns per record, both ways
 */
#include <errno.h>
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "decode/print.h"
#include "rnd.h"
#include "tap.h"
#include "util/fs.h"

#define ROUNDS 60
/* libtraceevent reads behind a record's end where a length says so. */
#define ROOM (1 << 18)

struct event_case {
	struct tp_format *fmt;
	struct tep_handle *tep;
	struct tep_event *event;
};

static const char *resolve(void *ctx, uint64_t addr, uint64_t *off)
{
	*off = addr & 0xfff;
	return addr & 0x10 ? "some_function" : NULL;
}

static char *tep_resolve(void *ctx, unsigned long long *addr, char **mod)
{
	uint64_t off = 0;
	const char *name = resolve(ctx, *addr, &off);

	if (name)
		*addr -= off;
	return (char *)name;
}

/* Formats that libtraceevent 1.7.1 is known to print wrongly; print.h lists them. */
static bool differs_on_purpose(const struct event_case *ec, const char *want)
{
	const char *format = ec->event->print_fmt.format;

	/* Not given up here: ours of it is in print_edges.c. */
	if (ec->event->flags & TEP_EVENT_FL_FAILED &&
	    (strstr(ec->fmt->text, "sizeof(") || strchr(strstr(ec->fmt->text, "fmt:"), '\t')))
		return true;
	return (strstr(want, ">c<") && strstr(format, "%c")) ||
	       (strstr(want, ">+<") && strstr(format, "%+")) || strstr(format, "%*pb");
}

static void fill_text(uint8_t *p, size_t len)
{
	size_t i, end = len ? rnd64() % len : 0;

	for (i = 0; i < len; i++)
		p[i] = i < end ? (uint8_t)('!' + rnd64() % 94) : 0;
}

/* Bytes that are no text: no control characters, which only one side escapes, and many zeros. */
static void fill_bytes(uint8_t *p, size_t len)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	size_t i;

	for (i = 0; i < len; i++)
		p[i] = rnd64() & 1 ? 0 : (uint8_t)('!' + rnd64() % 94);
	if (len == 16 && rnd64() % 4 == 0)
		memcpy(p, mapped, sizeof(mapped));
	if (len == 16 && rnd64() % 8 == 0)
		memcpy(p + 8, "\x02\x00\x5e\xfe", 4);
	/* A struct sockaddr: AF_INET, AF_INET6. */
	if (len >= 28) {
		p[0] = rnd64() & 1 ? 2 : 10;
		p[1] = 0;
	}
}

static void fill_number(uint8_t *p, size_t len, bool tame)
{
	uint64_t v = rnd64() >> rnd64() % 64;

	if (tame)
		v = rnd64() % 9;
	else if (rnd64() % 8 == 0)
		v = 0;
	else if (rnd64() % 8 == 0)
		v = UINT64_MAX - rnd64() % 3;
	memcpy(p, &v, len < 8 ? len : 8);
}

/* A record of the event, and zeros behind it; its size. No record gets longer than 32 KiB. */
static uint32_t synthesize(const struct tp_format *fmt, uint8_t *rec, bool tame)
{
	uint32_t end = (fmt->fixed_sz + 7u) & ~7u, len, word;
	size_t i;

	memset(rec, 0, 1 << 15);
	for (i = 0; i < fmt->field_cnt; i++) {
		const struct tp_field *f = &fmt->fields[i];

		if (f->flags & TP_FIELD_DYNAMIC) {
			/* For an empty CPU set libtraceevent allocates 4 GiB. */
			len = (uint32_t)(rnd64() % 6 + (f->elem_size == 8)) * f->elem_size;
			if (f->elem_size == 1)
				len = (uint32_t)(rnd64() % 40);
			/*
			 * The kernel's strings have their NUL at least; an empty one prints junk.
			 */
			if (f->flags & TP_FIELD_STRING)
				len++;
			word = (f->flags & TP_FIELD_REL ? end - f->off - 4 : end) | len << 16;
			memcpy(rec + f->off, &word, 4);
			if (f->flags & TP_FIELD_STRING)
				fill_text(rec + end, len);
			else
				fill_bytes(rec + end, len);
			end += len;
		} else if (f->flags & TP_FIELD_STRING) {
			fill_text(rec + f->off, f->size);
		} else if (f->flags & TP_FIELD_ARRAY && f->elem_size == 1) {
			fill_bytes(rec + f->off, f->size);
		} else if (f->flags & TP_FIELD_ARRAY) {
			for (len = 0; len + f->elem_size <= f->size; len += f->elem_size)
				fill_number(rec + f->off + len, f->elem_size, tame);
		} else {
			fill_number(rec + f->off, f->size, tame);
		}
	}
	memcpy(rec, &fmt->id, 2);
	/* Room for tame lengths that say more than the last array has. */
	return (end + 16 + 7) & ~7u;
}

/* libtraceevent leaks what it read of a print format that it cannot parse. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

static sigjmp_buf on_trap;

static void trap(int sig)
{
	siglongjmp(on_trap, sig);
}

/* libtraceevent's text, its newlines as ours. False where it trapped (division by 0). */
static bool tep_text(const struct event_case *ec, uint8_t *rec, uint32_t size, struct strbuf *text)
{
	struct tep_record record = { .data = rec, .size = (int)size };
	struct trace_seq seq;
	size_t i, len;

	trace_seq_init(&seq);
	if (sigsetjmp(on_trap, 1)) {
		trace_seq_destroy(&seq);
		return false;
	}
	tep_print_event(ec->tep, &seq, &record, "%s", TEP_PRINT_INFO);
	len = seq.len;
	while (len && seq.buffer[len - 1] == '\n')
		len--;
	strbuf__reset(text);
	for (i = 0; i < len; i++) {
		if (seq.buffer[i] == '\n')
			strbuf__puts(text, "\\n");
		else
			strbuf__putc(text, seq.buffer[i]);
	}
	strbuf__cstr(text);
	trace_seq_destroy(&seq);
	return true;
}

/* Every shorter record, and lengths and offsets out of bounds: nothing is read outside (ASan). */
static void abuse(struct printer *pr, const struct event_case *ec, const uint8_t *rec,
		  uint32_t size)
{
	struct strbuf out = STRBUF_INIT;
	uint32_t cut, i;

	for (cut = 0; cut <= size; cut += cut < 64 ? 1 : 13) {
		uint8_t *copy = malloc(cut ? cut : 1);

		memcpy(copy, rec, cut);
		for (i = 8; i < cut; i++)
			if (rnd64() % 4 == 0)
				copy[i] = (uint8_t)rnd64();
		strbuf__reset(&out);
		printer__print(pr, ec->fmt, copy, cut, &out);
		free(copy);
	}
	strbuf__free(&out);
}

static void compare(struct printer *pr, const struct event_case *ec)
{
	static uint8_t rec[ROOM];
	struct strbuf got = STRBUF_INIT, want = STRBUF_INIT;
	const char *fmt_text = strstr(ec->fmt->text, "print fmt:");
	/* Lengths out of fields: libtraceevent takes them as they are. */
	bool tame =
		fmt_text && (strstr(fmt_text, "__print_hex") || strstr(fmt_text, "__print_array") ||
			     strstr(fmt_text, "%*") || strstr(fmt_text, ".*"));
	unsigned int same = 0, purpose = 0, traps = 0, i;
	uint32_t size = 0;

	for (i = 0; i < ROUNDS; i++) {
		size = synthesize(ec->fmt, rec, tame);
		if (!tep_text(ec, rec, size, &want)) {
			traps++;
			continue;
		}
		strbuf__reset(&got);
		printer__print(pr, ec->fmt, rec, size, &got);
		if (differs_on_purpose(ec, want.buf)) {
			purpose++;
		} else if (!strcmp(strbuf__cstr(&got), want.buf)) {
			same++;
		} else {
			is_str(got.buf, want.buf, "%s:%s", ec->fmt->sys, ec->fmt->name);
			goto done;
		}
	}
	ok(same + purpose + traps == ROUNDS, "%s:%s%s", ec->fmt->sys, ec->fmt->name,
	   purpose ? " (better on purpose)" : "");
	abuse(pr, ec, rec, size);
done:
	strbuf__free(&got);
	strbuf__free(&want);
}

static double now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void bench(struct printer *pr, const struct event_case *ec)
{
	static uint8_t rec[ROOM];
	struct strbuf out = STRBUF_INIT;
	double best[2] = { 1e9, 1e9 }, t;
	unsigned int round, i;
	uint32_t size = synthesize(ec->fmt, rec, true);

	for (round = 0; round < 7; round++) {
		t = now_ns();
		for (i = 0; i < 200000; i++) {
			strbuf__reset(&out);
			printer__print(pr, ec->fmt, rec, size, &out);
		}
		t = (now_ns() - t) / 200000;
		best[0] = t < best[0] ? t : best[0];
		t = now_ns();
		for (i = 0; i < 20000; i++)
			tep_text(ec, rec, size, &out);
		t = (now_ns() - t) / 20000;
		best[1] = t < best[1] ? t : best[1];
	}
	diag("%s:%s: %.0f ns compiled, %.0f ns libtraceevent: %.1f times", ec->fmt->sys,
	     ec->fmt->name, best[0], best[1], best[1] / best[0]);
	strbuf__free(&out);
}

/* ".../SYS/NAME/format" or ".../SYS.NAME.format" */
static struct tp_format *load(const char *path)
{
	char buf[512], *sys, *name, *end, *text;
	struct tp_format *fmt;
	size_t len;

	snprintf(buf, sizeof(buf), "%s", path);
	end = buf + strlen(buf) - strlen(".format");
	*end = '\0';
	if (path[end - buf] == '/') {
		name = strrchr(buf, '/');
		*name++ = '\0';
		sys = strrchr(buf, '/') + 1;
	} else {
		sys = strrchr(buf, '/') + 1;
		name = strchr(sys, '.');
		*name++ = '\0';
	}
	text = fs__read_file(path, &len);
	if (!text)
		return NULL;
	fmt = tp_format__parse(sys, name, text, len);
	free(text);
	return fmt;
}

/* One has its format in the record, and is no event of perf; the other nests too deep. */
static bool is_by_fields(const struct tp_format *fmt)
{
	return !strcmp(fmt->name, "bprint") || !strcmp(fmt->name, "right_deep");
}

static void run_case(struct printer *pr, const char *path)
{
	struct event_case ec = { .fmt = load(path) };

	if (!ec.fmt) {
		ok(false, "%s is a format file", path);
		return;
	}
	if (strstr(ec.fmt->text, "sizeof(unsigned")) {
		skip("libtraceevent 1.7.1 uses freed memory on sizeof(unsigned int)");
		tp_format__free(ec.fmt);
		return;
	}
	ec.tep = tep_alloc();
	tep_set_long_size(ec.tep, 8);
	tep_set_function_resolver(ec.tep, tep_resolve, NULL);
	tep_parse_format(ec.tep, &ec.event, ec.fmt->text, ec.fmt->text_len, ec.fmt->sys);
	if (ec.event && getenv("BENCH"))
		bench(pr, &ec);
	else if (is_by_fields(ec.fmt))
		ok(!printer__is_compiled(pr, ec.fmt), "%s:%s is printed field by field",
		   ec.fmt->sys, ec.fmt->name);
	else if (ec.event)
		compare(pr, &ec);
	tep_free(ec.tep);
	tp_format__free(ec.fmt);
}

int main(void)
{
	/* TOP: set by tests/run; else from the top of the tree. */
	const char *dir = getenv("DIR"), *top = getenv("TOP");
	char pattern[512];
	glob_t found;
	size_t i;

	if (dir)
		snprintf(pattern, sizeof(pattern), "%s/*/*/format", dir);
	else
		snprintf(pattern, sizeof(pattern), "%s/tests/unit/data/formats/%s.format",
			 top ? top : ".", getenv("BENCH") ? "[rs]*.s[yc][sh]*_[se][nw]*" : "*");
	if (glob(pattern, 0, NULL, &found))
		skip_all("no format files");
	signal(SIGFPE, trap);
	tep_set_loglevel(TEP_LOG_NONE);
	for (i = 0; i < found.gl_pathc; i++) {
		/* Ids of different kernels' formats may collide: a printer each. */
		struct printer *pr = printer__new();

		printer__set_resolver(pr, resolve, NULL);
		run_case(pr, found.gl_pathv[i]);
		printer__free(pr);
	}
	globfree(&found);
	return done_testing();
}
