// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The filter grammar, row by row: what was typed, how it was understood, and
 * for what is wrong where the caret goes and what is said. Then noise: every
 * text ends as a filter or as a sentence. FUZZ_SEED and FUZZ_ROUNDS as in
 * filter_run.c.
 */
#include "filter/filter.h"

#include <errno.h>

#include "tap.h"

#include "filter/ast.h"
#include "filter_words.h"

static const char format[] =
	"name: ev\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] name;\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc char[] rel;\toffset:32;\tsize:4;\tsigned:0;\n"
	"\tfield:const char * filename;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 delay;\toffset:48;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long args[6];\toffset:56;\tsize:48;\tsigned:0;\n"
	"\tfield:__data_loc cpumask_t mask;\toffset:104;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc u8[] blob;\toffset:108;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 state;\toffset:112;\tsize:1;\tsigned:0;\n"
	"\tfield:u8 mac[4];\toffset:113;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"\"\n";

static struct tp_format *fmt;

static int no_function(void *ctx, const char *name, uint64_t addr, uint64_t *start, uint64_t *end)
{
	if (name && strcmp(name, "do_exit") != 0)
		return -ENOENT;
	*start = 0x1000;
	*end = 0x1100;
	return 0;
}

static struct filter_env world = { .cpu_cnt = 8, .function = no_function };

static void put_pattern(struct strbuf *sb, const struct filter_pred *p)
{
	static const char *const kinds[] = { "full", "front", "middle", "end", "glob" };

	strbuf__printf(sb, "%s%s '%s'", p->pattern.invert ? "not " : "", kinds[p->pattern.kind],
		       p->pattern.text);
}

static void put_pred(struct strbuf *sb, const struct filter_pred *p)
{
	static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=", "&", "~" };
	static const char *const where[] = {
		"@", "dyn@", "rel@", "kptr@", "uptr@", "COMM@", "CPU@"
	};

	strbuf__printf(sb, "%s%u:%u%s %s ", where[p->where], p->off, p->size,
		       p->is_signed ? "s" : "", ops[p->op]);
	if (p->kind == FILTER_NUMBER)
		strbuf__printf(sb, "%s%#llx", "", (unsigned long long)p->val);
	else if (p->kind == FILTER_TEXT)
		put_pattern(sb, p);
	else if (p->kind == FILTER_RANGE)
		strbuf__printf(sb, "%#llx-%#llx", (unsigned long long)p->val,
			       (unsigned long long)p->end);
	else if (p->kind == FILTER_NEVER)
		strbuf__puts(sb, "never");
	else
		strbuf__printf(sb, "%s{%#llx}", p->kind == FILTER_MASK ? "mask" : "in",
			       (unsigned long long)p->mask[0]);
}

static void put_node(struct strbuf *sb, const struct filter *f, uint32_t idx)
{
	const struct filter_node *n = &f->nodes[idx];

	strbuf__puts(sb, n->invert ? "!(" : "(");
	if (n->kind == FILTER_NODE_PRED) {
		put_pred(sb, &f->preds[n->a]);
	} else {
		put_node(sb, f, n->a);
		strbuf__puts(sb, n->kind == FILTER_NODE_AND ? " && " : " || ");
		put_node(sb, f, n->b);
	}
	strbuf__puts(sb, ")");
}

static const struct {
	const char *expr, *want;
} good[] = {
	{ "prev_pid == 1", "(@24:4s == 0x1)" },
	{ "prev_pid==-1", "(@24:4s == 0xffffffffffffffff)" },
	{ " prev_pid\t>=\n017 ", "(@24:4s >= 0xf)" },
	{ "delay<0xFFFFFFFFFFFFFFFF", "(@48:8 < 0xffffffffffffffff)" },
	{ "delay > 10ull", "(@48:8 > 0xa)" },
	{ "state != 'S'", "(@112:1 != 0x53)" },
	{ "state == '\\0' || state == '\\''", "((@112:1 == 0) || (@112:1 == 0x27))" },
	{ "mac == 5", "(@113:4 == 0x5)" },
	{ "delay & 6", "(@48:8 & 0x6)" },
	{ "delay&6&&state&1", "((@48:8 & 0x6) && (@112:1 & 0x1))" },
	{ "common_type == 7", "(@0:2 == 0x7)" },
	{ "CPU == 3 && cpu < 2", "((CPU@0:4s == 0x3) && (CPU@0:4s < 0x2))" },
	{ "cpu & 1", "(CPU@0:4s & never)" },
	{ "prev_comm == \"a b\"", "(@8:16 == full 'a b')" },
	{ "prev_comm != 'it is \"x\"'", "(@8:16 != full 'it is \"x\"')" },
	{ "prev_comm == ''", "(@8:16 == full '')" },
	{ "prev_comm == '*'", "(@8:16 == full '*')" },
	{ "name ~ \"ng*\"", "(dyn@28:4 ~ front 'ng')" },
	{ "rel ~ '*ng'", "(rel@32:4 ~ end 'ng')" },
	{ "name ~ \"*ng*\"", "(dyn@28:4 ~ middle 'ng')" },
	{ "name ~ \"*\"", "(dyn@28:4 ~ end '')" },
	{ "name ~ \"**\"", "(dyn@28:4 ~ middle '')" },
	{ "name ~ \"n*g\"", "(dyn@28:4 ~ glob 'n*g')" },
	{ "name ~ \"n?\"", "(dyn@28:4 ~ glob 'n?')" },
	{ "name ~ \"[n]*\"", "(dyn@28:4 ~ glob '[n]*')" },
	{ "name ~ \"!ng*\"", "(dyn@28:4 ~ not front 'ng')" },
	{ "name ~ \"1*\"", "(dyn@28:4 ~ full '1*')" },
	{ "name ~ \"ng\"", "(dyn@28:4 ~ full 'ng')" },
	{ "COMM ~ \"ng*\" && comm == \"x\"",
	  "((COMM@0:16 ~ front 'ng') && (COMM@0:16 == full 'x'))" },
	/* records print the idle tasks' names without their CPU */
	{ "COMM == \"swapper\" || CPU == 1",
	  "(((COMM@0:16 == full 'swapper') || (COMM@0:16 == front 'swapper/')) || (CPU@0:4s == 0x1))" },
	{ "!(comm != \"swapper\")",
	  "!((COMM@0:16 != full 'swapper') && (COMM@0:16 != front 'swapper/'))" },
	{ "COMM ~ \"!swapper\"",
	  "((COMM@0:16 ~ not full 'swapper') && (COMM@0:16 ~ not front 'swapper/'))" },
	{ "COMM == \"swapper/1\"", "(COMM@0:16 == full 'swapper/1')" },
	{ "prev_comm == \"swapper\"", "(@8:16 == full 'swapper')" },
	{ "filename == \"/etc/passwd\"", "(kptr@40:8 == full '/etc/passwd')" },
	{ "filename.ustring ~ \"/etc/*\"", "(uptr@40:8 ~ front '/etc/')" },
	{ "delay.function == do_exit", "(@48:8 == 0x1000-0x1100)" },
	{ "delay.function != 0x1010 && state == 1",
	  "((@48:8 != 0x1000-0x1100) && (@112:1 == 0x1))" },
	{ "(delay.function == do_exit)", "(@48:8 == 0x1000-0x1100)" },
	{ "mask == CPUS{0-3,5}", "(dyn@104:4 == mask{0x2f})" },
	{ "mask & CPUS{1}", "(dyn@104:4 & mask{0x2})" },
	{ "prev_pid & CPUS{0-6:2/3}", "(@24:4s & in{0x5b})" },
	{ "prev_pid & CPUS{2}", "(@24:4s == 0x2)" },
	{ "prev_pid != CPUS{ 2, 4 }", "(@24:4s != in{0x14})" },
	{ "CPU & CPUS{all}", "(CPU@0:4s & in{0xff})" },
	{ "CPU == CPUS{N}", "(CPU@0:4s == 0x7)" },
	{ "CPU & CPUS{4-N}", "(CPU@0:4s & in{0xf0})" },
	{ "state == 1 && state == 2 || state == 3",
	  "(((@112:1 == 0x1) && (@112:1 == 0x2)) || (@112:1 == 0x3))" },
	{ "state == 1 || state == 2 && state == 3",
	  "((@112:1 == 0x1) || ((@112:1 == 0x2) && (@112:1 == 0x3)))" },
	{ "!(state == 1 || state == 2)", "!((@112:1 == 0x1) || (@112:1 == 0x2))" },
	{ "!!(!state == 1)", "!(@112:1 == 0x1)" },
	{ "! ! state == 1", "(@112:1 == 0x1)" },
	{ "((((state == 1))))", "(@112:1 == 0x1)" },
};

static const struct {
	const char *expr;
	size_t off;
	int err;
	const char *says; /* a part of the sentence */
} bad[] = {
	{ "", 0, -EINVAL, "a field's name is expected" },
	{ "  ", 2, -EINVAL, "a field's name is expected" },
	{ "prev_pdi == 1", 0, -ENOENT,
	  "x:ev has no field 'prev_pdi'; did you mean prev_pid? Its fields: prev_comm prev_pid name rel "
	  "filename delay args mask blob state mac CPU COMM common_pid" },
	{ "state == 1 && zzzzzzzzzz == 2", 14, -ENOENT, "has no field 'zzzzzzzzzz'; its fields" },
	{ "state", 5, -EINVAL, "follow it by one of == != < <= > >= & ~" },
	{ "state = 1", 6, -EINVAL, "follow it by one of" },
	{ "state && state", 6, -EINVAL, "follow it by one of" },
	{ "state ==", 8, -EINVAL, "compare it with one, such as 17" },
	{ "state == x", 9, -EINVAL, "compare it with one, such as 17" },
	{ "state == \"x\"", 9, -EINVAL, "state is a number" },
	{ "state == 08", 10, -EINVAL, "this is not a number" },
	{ "state == 0x", 10, -EINVAL, "this is not a number" },
	{ "state == 1x", 10, -EINVAL, "this is not a number" },
	{ "state == -1", 9, -EINVAL, "state is unsigned" },
	{ "prev_pid == --1", 12, -EINVAL, "prev_pid is a number" },
	{ "delay == 0x10000000000000000", 9, -EINVAL, "64 bits" },
	{ "prev_pid == 0x8000000000000000", 12, -EINVAL, "64 bits" },
	{ "state ~ 1", 6, -EINVAL, "a number takes == != < <= > >= and &" },
	{ "prev_comm == 5", 13, -EINVAL, "prev_comm is a text" },
	{ "prev_comm == bash", 13, -EINVAL, "in quotes, such as prev_comm == " },
	{ "prev_comm > \"a\"", 10, -EINVAL, "a text takes ==, != and ~" },
	{ "prev_comm == \"a", 13, -EINVAL, "close the quotes" },
	{ "prev_comm == \"a'", 13, -EINVAL, "close the quotes" },
	{ "COMM & 1", 7, -EINVAL, "COMM is a text" },
	{ "args == 1", 0, -EINVAL, "args is of type unsigned long[6]" },
	{ "blob == 1", 0, -EINVAL, "blob is of type __data_loc u8[]" },
	{ "mask == 1", 8, -EINVAL, "compare it with CPUS{" },
	{ "mask > CPUS{1}", 5, -EINVAL, "takes ==, != and &" },
	{ "mask == CPUS(1)", 12, -EINVAL, "is written CPUS{0-3,7}" },
	{ "mask == CPUS{1", 14, -EINVAL, "ends with a brace" },
	{ "mask == CPUS{}", 8, -EINVAL, "the list of CPUs is empty" },
	{ "mask == CPUS{3-1}", 16, -EINVAL, "is written CPUS{0-3,7}" },
	{ "mask == CPUS{1024}", 17, -EINVAL, "numbers below 1024" },
	{ "mask == CPUS{x}", 13, -EINVAL, "is written CPUS{0-3,7}" },
	{ "prev_comm == CPUS{1}", 13, -EINVAL, "prev_comm is a text" },
	{ "common_flags == 1", 0, -EINVAL, "BPF programs cannot read common_flags" },
	{ "state == 1 && common_preempt_count == 0", 14, -EINVAL, "BPF programs cannot read" },
	{ "delay.function == no_such", 18, -EINVAL, "the kernel has no function no_such" },
	{ "delay.function > do_exit", 15, -EINVAL, "a function takes == and !=" },
	{ "state.function == do_exit", 5, -EINVAL, "8 bytes" },
	{ "state.ustring == \"x\"", 5, -EINVAL, ".ustring is for fields of type char *" },
	{ "name.ustring == \"x\"", 4, -EINVAL, ".ustring is for" },
	{ "filename.string == \"x\"", 8, -EINVAL, ".function, .ustring or nothing" },
	{ "(state == 1", 0, -EINVAL, "this parenthesis is not closed" },
	{ "state == 1)", 10, -EINVAL, "this parenthesis was not opened" },
	{ "(state == 1 state == 2)", 12, -EINVAL, "here &&, || or ) is expected" },
	{ "state == 1 state == 2", 11, -EINVAL, "here && or || is expected" },
	{ "state == 1 &&", 13, -EINVAL, "a field's name is expected" },
	{ "state == 1 & state == 2", 11, -EINVAL, "here && or || is expected" },
	{ "|| state == 1", 0, -EINVAL, "a field's name is expected" },
	{ "()", 1, -EINVAL, "a field's name is expected" },
};

static void try_good(void)
{
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct filter_fault fault = FILTER_FAULT_INIT;
		struct strbuf sb = STRBUF_INIT;
		struct filter *f;

		if (filter__parse(&f, good[i].expr, fmt, &world, &fault))
			diag("at %zu: %s", fault.off, strbuf__cstr(&fault.text));
		else
			put_node(&sb, f, f->root);
		is_str(strbuf__cstr(&sb), good[i].want, "%s", good[i].expr);
		filter__free(f);
		filter_fault__free(&fault);
		strbuf__free(&sb);
	}
}

static void try_bad(void)
{
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct filter_fault fault = FILTER_FAULT_INIT;
		struct filter *f;
		int err = filter__parse(&f, bad[i].expr, fmt, &world, &fault);

		if (!ok(err == bad[i].err && fault.err == err && !f && fault.off == bad[i].off &&
				strstr(strbuf__cstr(&fault.text), bad[i].says),
			"wrong: %s", bad[i].expr))
			diag("%d at %zu: %s", err, fault.off, strbuf__cstr(&fault.text));
		filter_fault__free(&fault);
	}
}

/* Filters beyond a limit are refused. */
static void try_limits(void)
{
	static const struct {
		const char *before, *again, *after;
		unsigned int most;
		const char *says;
	} rows[] = {
		{ "", "(", "state == 1", FILTER_DEPTH_MAX, "nested too deep" },
		{ "state == 1", "&& state == 1", "", FILTER_PRED_MAX - 1, "comparisons at most" },
		{ "name == \"", "a", "\"", PATTERN_MAX - 1, "characters at most" },
		{ "name ~ \"*", "a", "*\"", PATTERN_TOKENS, "characters at most" },
		{ "name ~ \"b*", "?", "\"", PATTERN_TOKENS - 1, "characters at most" },
	};
	unsigned int i, cnt, over;

	for (i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		struct filter_fault fault = FILTER_FAULT_INIT;
		struct strbuf sb = STRBUF_INIT;
		struct filter *f;
		int err;

		over = i % 2;
		strbuf__puts(&sb, rows[i / 2].before);
		for (cnt = 0; cnt < rows[i / 2].most + over; cnt++)
			strbuf__puts(&sb, rows[i / 2].again);
		strbuf__puts(&sb, rows[i / 2].after);
		for (cnt = 0; i / 2 == 0 && cnt < rows[0].most + over; cnt++)
			strbuf__putc(&sb, ')');
		err = filter__parse(&f, strbuf__cstr(&sb), fmt, &world, &fault);
		ok(over ? err == -EINVAL && strstr(strbuf__cstr(&fault.text), rows[i / 2].says)
			: !err,
		   "%u times '%s'%s", rows[i / 2].most + over, rows[i / 2].again,
		   over ? " is too much" : "");
		filter__free(f);
		filter_fault__free(&fault);
		strbuf__free(&sb);
	}
}

static void try_hints(void)
{
	static const char user[] = "filename is in the memory of the process";
	static const struct {
		const char *sys, *expr, *says, *why;
	} rows[] = {
		{ "x", "prev_comm ~ \"*bash\"", NULL,
		  "*text on an array: the end of the text, without a hint" },
		{ "x", "name ~ \"*bash\"", NULL, "and not told of a text that ends where it ends" },
		{ "syscalls", "filename ~ \"/etc/*\"", user, "a pointer of the process's" },
		{ "syscalls", "delay == 1 || filename != \"a\"", user, "whatever the comparison" },
		{ "syscalls", "filename.ustring ~ \"/etc/*\"", NULL, "not where it is read" },
		{ "x", "filename ~ \"/etc/*\"", NULL, "nor of the kernel's own" },
	};
	struct filter_fault fault = FILTER_FAULT_INIT;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tp_format *ev = tp_format__parse(rows[i].sys, "ev", format, strlen(format));
		const char *hint = NULL;
		struct filter *f;

		if (!filter__parse(&f, rows[i].expr, ev, &world, &fault))
			hint = filter__hint(f);
		ok(f && (rows[i].says ? hint && strstr(hint, rows[i].says) : !hint), "%s",
		   rows[i].why);
		filter__free(f);
		tp_format__free(ev);
	}
	filter_fault__free(&fault);
}

static void try_join(void)
{
	char *both = filter__join("state == 1 || state == 2", "delay > 3");

	is_str(both, "(state == 1 || state == 2) && (delay > 3)", "two filters of one event");
	free(both);
}

/* Pieces of good ones, damaged: told or taken, never anything else. */
static void try_noise(unsigned long rounds)
{
	static const char noise[] = "()!&|=<>~\"'{}.,-0x19aCPUS \\*[]?\xc3";
	unsigned long i, odd = 0, taken = 0;
	size_t k, n;

	for (i = 0; i < rounds; i++) {
		struct filter_fault fault = FILTER_FAULT_INIT;
		struct strbuf sb = STRBUF_INIT;
		struct filter *f;
		int err;

		words__put_filter(&sb, fmt, 4);
		for (n = rnd(4); n; n--) {
			k = rnd(sb.len);
			if (rnd(2))
				sb.buf[k] = noise[rnd(sizeof(noise) - 1)];
			else
				memmove(sb.buf + k, sb.buf + k + 1, --sb.len - k);
		}
		err = filter__parse(&f, strbuf__cstr(&sb), fmt, &world, &fault);
		taken += !err;
		odd += err ? f || !fault.text.len || fault.off > sb.len ||
				       (err != -EINVAL && err != -ENOENT)
			   : !f;
		filter__free(f);
		filter_fault__free(&fault);
		strbuf__free(&sb);
	}
	is_u64(odd, 0, "each of %lu texts is a filter, or is refused with a sentence", rounds);
	ok(taken > rounds / 4, "enough of them (%lu) were filters", taken);
}

int main(void)
{
	const char *seed = getenv("FUZZ_SEED"), *rounds = getenv("FUZZ_ROUNDS");

	if (seed)
		rnd_state = strtoull(seed, NULL, 0);
	fmt = tp_format__parse("x", "ev", format, strlen(format));
	if (!ok(fmt, "the format of the event is read"))
		return done_testing();
	try_good();
	try_bad();
	try_limits();
	try_hints();
	try_join();
	try_noise(rounds ? strtoul(rounds, NULL, 0) : 20000);
	tp_format__free(fmt);
	return done_testing();
}
