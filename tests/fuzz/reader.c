// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Both sides of the readers (reader/reader.h), in one process. A byte says which call is made, and
 * whether the rest is the file that the reader's op gets, or the answer of a reader that such a
 * file has taken over. reader__call() is replaced: it runs the op at once.
 */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "decode/print.h"
#include "lang/interp_file.h"
#include "probe/find.h"
#include "reader/reader.h"
#include "sym/inlines.h"
#include "sym/read_elf.h"
#include "unwind/read_table.h"

#define IS_ANSWER 0x80
#define TEXTS_MAX 64

static int input_fd;
static bool is_answer;
static struct fuzz_bytes answers; /* what is left of them */

int __wrap_reader__call(const struct reader_call *call, struct strbuf *answer,
			uint64_t *generation);

/* Each answer of the input has its size before it. */
static int give_answer(struct strbuf *answer, size_t max)
{
	size_t sz = (size_t)fuzz_take(&answers, 2);

	sz = sz < answers.left ? sz : answers.left;
	strbuf__add(answer, answers.p, sz);
	answers.p += sz;
	answers.left -= sz;
	return answer->len > max ? -EPROTO : 0;
}

int __wrap_reader__call(const struct reader_call *call, struct strbuf *answer, uint64_t *generation)
{
	struct reader_request req = { .sz = call->sz, .fd_cnt = call->fd_cnt };
	char *body;
	uint32_t i;
	int err;

	if (generation)
		*generation = 1;
	strbuf__reset(answer);
	if (is_answer)
		return give_answer(answer, call->answer_max);
	body = malloc(call->sz + 1);
	if (call->sz)
		memcpy(body, call->body, call->sz);
	body[call->sz] = '\0';
	req.body = body;
	for (i = 0; i < call->fd_cnt; i++)
		req.fds[i] = dup(call->fds[i]);
	err = call->op->run(&req, answer);
	for (i = 0; i < call->fd_cnt; i++)
		if (req.fds[i] >= 0)
			close(req.fds[i]);
	free(body);
	if (err)
		strbuf__reset(answer);
	return !err && answer->len > call->answer_max ? -EPROTO : err;
}

static void fuzz_setup(void)
{
	input_fd = memfd_create("input", MFD_CLOEXEC);
}

/* A program of two inlined functions, with the version of DWARF that each kind has by default. */
static void seed_program(const char *flags, const char *name)
{
	static const char format[] =
		"printf '%%s' 'static inline int low(int *p, int x) { return p[0] * x ^ 7; }"
		"static inline int mid(int *p, int x) { while (x--) p[1] += low(p, x); return p[1]; }"
		"int high(int *p, int x) { return mid(p, x) + 1; }"
		"void _start(void) { static int a[2]; high(a, 3); for (;;) ; }' >%1$s.c && "
		"clang -Qn -O1 -fno-vectorize %2$s -nostdlib -static -w -Wl,-n,--build-id=none,"
		"-z,norelro,-z,noseparate-code,--no-warn-rwx-segments %1$s.c -o %1$s";
	char path[] = "/tmp/bpfperf-seed.XXXXXX", command[1024], data[8192];
	int fd = mkstemp(path), op;
	ssize_t n;

	snprintf(command, sizeof(command), format, path, flags);
	fuzz_check(fd >= 0 && !system(command));
	close(fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = read(fd, data + 1, sizeof(data) - 1);
	close(fd);
	fuzz_check(n > 0);
	for (op = 0; op < 8; op++) {
		char seed[64];

		data[0] = (char)op;
		snprintf(seed, sizeof(seed), "%s.%d", name, op);
		fuzz_seed(seed, data, (size_t)n + 1);
	}
	unlink(path);
	snprintf(command, sizeof(command), "%s.c", path);
	unlink(command);
}

static void fuzz_seeds(void)
{
	static const char names[] = "\5_ZN3std6vectorIiSaIiEE9push_backEOi\0_RNvC6_123foo3bar\0"
				    "_ZNK4core3fmt9Formatter3pad17h0123456789abcdefE";
	static const char map[] = "\6"
				  "7f0000001000 40 lazy\n7f0000001040 20 other name\n";
	char zeros[256] = { 0 };
	int op;

	seed_program("-gdwarf-4", "dwarf4");
	seed_program("-gdwarf-5", "dwarf5");
	seed_program("-gdwarf-5 -gz=zlib", "packed");
	fuzz_seed("names", names, sizeof(names));
	fuzz_seed("map", map, sizeof(map) - 1);
	for (op = 0; op < 9; op++) {
		char seed[16];

		zeros[0] = (char)(IS_ANSWER | op);
		zeros[1] = (char)(sizeof(zeros) - 3);
		snprintf(seed, sizeof(seed), "answer.%d", op);
		fuzz_seed(seed, zeros, sizeof(zeros));
	}
}

static void check_syms(struct elf_syms *syms, int err)
{
	const struct elf_image img = { .fd = input_fd };
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; !err && i < syms->tab.cnt && i < 100; i++) {
		symtab__find(&syms->tab, syms->tab.entries[i].addr);
		strbuf__reset(&sb);
		elf_syms__put_name(syms, &syms->tab.entries[i], &img, &sb);
		fuzz_check(sb.len <= SYM_NAME_MAX_SZ);
	}
	strbuf__free(&sb);
	elf_syms__free(syms);
}

static void read_heads(void)
{
	struct strbuf needs = STRBUF_INIT;
	struct elf_heads heads;

	if (!read_elf__heads(READER_NAMES, input_fd, &heads)) {
		fuzz_check(strlen(heads.debuglink) < sizeof(heads.debuglink));
		read_elf__match(READER_NAMES, input_fd, &heads);
	}
	read_elf__needs(READER_NAMES, input_fd, &needs);
	strbuf__free(&needs);
}

static void read_syms(void)
{
	struct elf_syms syms = { .cut = false };
	struct symtab fdes = { .cnt = 0 };
	int err = read_elf__syms(READER_NAMES, input_fd, -1, ELF_SYMS_STRIPPED | ELF_SYMS_DATA,
				 &syms);

	check_syms(&syms, err);
	if (!read_elf__fdes(READER_NAMES, input_fd, &fdes))
		symtab__find(&fdes, 0x401000);
	symtab__free(&fdes);
}

static void read_tables(void)
{
	struct unwind_table t;
	__u64 *words;
	size_t cnt;

	if (!read_table(input_fd, &t)) {
		fuzz_check(t.row_cnt && t.rule_cnt);
		unwind_table__free(&t);
	}
	if (!read_table__words(input_fd, &words, &cnt))
		free(words);
}

static void read_inlines(void)
{
	static const uint64_t vaddrs[] = { 0x4000f0, 0x400101, 0x400108, 0x400110, 0x400140, 0 };
	struct inline_frame frames[INLINE_FRAMES_MAX];
	const struct inlines_file file = { "input", -1, input_fd, -1 };
	struct inlines *in = inlines__open(READER_NAMES, &file, true);
	size_t i, cnt, f;

	if (!in)
		return;
	inlines__read(in, vaddrs, sizeof(vaddrs) / sizeof(*vaddrs));
	for (i = 0; i < sizeof(vaddrs) / sizeof(*vaddrs); i++) {
		cnt = inlines__find(in, vaddrs[i], 0x4000f0, frames, INLINE_FRAMES_MAX);
		fuzz_check(cnt <= INLINE_FRAMES_MAX);
		for (f = 0; f < cnt; f++)
			fuzz_check(!frames[f].name || strlen(frames[f].name) < SIZE_MAX);
	}
	inlines__close(in);
}

static void read_interpreter(void)
{
	char missing[INTERP_MISSING_MAX];
	struct interp_file file;

	interp_file__read(input_fd, &file, missing);
}

static void take_printed(void *ctx, size_t nr, const char *printed)
{
	fuzz_check(nr < TEXTS_MAX && printed[strlen(printed)] == '\0');
}

static void read_names(const uint8_t *data, size_t sz)
{
	struct strbuf names = STRBUF_INIT;
	size_t cnt = 0, len;

	for (; sz && cnt < TEXTS_MAX; cnt++) {
		len = strnlen((const char *)data, sz);
		strbuf__add(&names, data, len);
		strbuf__putc(&names, '\0');
		len += len < sz;
		data += len;
		sz -= len;
	}
	read_elf__demangle(READER_NAMES, 0, &names, cnt, take_printed, NULL);
	strbuf__free(&names);
}

static void read_jit(size_t sz)
{
	struct elf_syms syms = { .cut = false };
	int err = read_elf__jit(READER_NAMES, input_fd, sz, &syms);

	check_syms(&syms, err);
}

static void find_functions(void)
{
	static const struct find_want wants[] = {
		{ .func = "high", .args = "x, p[1]" },
		{ .func = "*", .is_list = true },
		{ .source = "c", .line = 1 },
		{ .provider = "*", .func = "*" },
	};
	struct find_answer answer;
	size_t i;

	for (i = 0; i < sizeof(wants) / sizeof(*wants); i++) {
		find__ask(input_fd, "input", &wants[i], &answer);
		find_answer__free(&answer);
	}
}

/* A record is printed by the plan that is answered for a format. */
static void print_record(void)
{
	static const char format[] =
		"name: a\nID: 1\nformat:\n\tfield:int i;\toffset:0;\tsize:4;\tsigned:1;\n"
		"\tfield:char s[12];\toffset:4;\tsize:12;\tsigned:0;\n\nprint fmt: \"%d %s\", "
		"REC->i, REC->s\n";
	struct tp_format *fmt = tp_format__parse("sys", "a", format, sizeof(format) - 1);
	struct printer *pr = printer__new();
	struct strbuf out = STRBUF_INIT;
	char *raw = malloc(16);

	memset(raw, 0x11, 16);
	printer__print(pr, fmt, raw, 16, &out);
	fuzz_check(!strbuf__has_control(strbuf__cstr(&out), out.len) ||
		   memchr(out.buf, '\t', out.len));
	free(raw);
	strbuf__free(&out);
	printer__free(pr);
	tp_format__free(fmt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	if (!sz)
		return -1;
	is_answer = data[0] & IS_ANSWER;
	answers = (struct fuzz_bytes){ data + 1, sz - 1 };
	if (ftruncate(input_fd, 0) || pwrite(input_fd, data + 1, sz - 1, 0) != (ssize_t)sz - 1)
		return -1;
	switch (data[0] & 15) {
	case 0:
		read_heads();
		break;
	case 1:
		read_syms();
		break;
	case 2:
		read_tables();
		break;
	case 3:
		read_inlines();
		break;
	case 4:
		read_interpreter();
		break;
	case 5:
		read_names(data + 1, sz - 1);
		break;
	case 6:
		read_jit(sz - 1);
		break;
	case 7:
		find_functions();
		break;
	case 8:
		print_record();
		break;
	}
	return 0;
}
