// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "lang/python_offsets.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define MINOR(version) ((version) >> 16)
/* No struct that is looked at has as many bytes; a mistaken layout has such figures. */
#define OFFSET_MAX 0xffff

/* Layouts without _Py_DebugOffsets: offsetof() of the headers of 3.11.7 and 3.12.1, 64 bits. */
static const struct python_file tables[] = {
	{
		.version = 0x030b0000,
		.has_cframe = 1,
		.has_entry = 1,
		.kind_shift = 2,
		.interpreters = 40,
		.interpreter_next = 0,
		.interpreter_threads = 16,
		.thread_next = 8,
		.thread_id = 152,
		.thread_native_id = 160,
		.thread_frame = 56,
		.cframe_frame = 8,
		.cframe_previous = 16,
		.frame_code = 32,
		.frame_previous = 48,
		.frame_instr = 56,
		.frame_owner = 69,
		.frame_entry = 68,
		.code_file = 112,
		.code_name = 128,
		.code_lines = 136,
		.code_first_line = 72,
		.code_instrs = 184,
		.bytes_sz = 16,
		.bytes_data = 32,
		.text_len = 16,
		.text_state = 32,
		.text_ascii = 48,
		.text_wide = 72,
	},
	{
		.version = 0x030c0000,
		.has_cframe = 1,
		.owner_interpreter = 3,
		.kind_shift = 2,
		.interpreters = 40,
		.interpreter_next = 0,
		.interpreter_threads = 72,
		.thread_next = 8,
		.thread_id = 136,
		.thread_native_id = 144,
		.thread_frame = 56,
		.cframe_frame = 0,
		.cframe_previous = 8,
		.frame_code = 0,
		.frame_previous = 8,
		.frame_instr = 56,
		.frame_owner = 70,
		.code_file = 112,
		.code_name = 128,
		.code_lines = 136,
		.code_first_line = 68,
		.code_instrs = 192,
		.bytes_sz = 16,
		.bytes_data = 32,
		.text_len = 16,
		.text_state = 32,
		.text_ascii = 40,
		.text_wide = 56,
	},
};

/* The words of _Py_DebugOffsets that all layouts begin with: cookie, version, free_threaded. */
#define COOKIE "xdebugpy"
enum { WORD_COOKIE, WORD_VERSION, WORD_FREE_THREADED };

/* One published offset: its name, its member of struct python_file, the word by layout. */
enum layout { LAYOUT_3_13, LAYOUT_3_14, LAYOUT_3_15, LAYOUT_CNT };
struct published {
	const char *name;
	size_t member;
	uint8_t word[LAYOUT_CNT];
	uint8_t struct_word[LAYOUT_CNT]; /* the word with the size of its struct; 0: none */
};
#define M(member) offsetof(struct python_file, member)
static const struct published published[] = {
	{ "runtime_state.interpreters_head", M(interpreters), { 5, 5, 5 }, { 3, 3, 3 } },
	{ "interpreter_state.next", M(interpreter_next), { 8, 8, 8 }, { 6, 6, 6 } },
	{ "interpreter_state.threads_head", M(interpreter_threads), { 9, 9, 9 }, { 6, 6, 6 } },
	{ "thread_state.next", M(thread_next), { 21, 24, 24 }, { 19, 22, 22 } },
	{ "thread_state.current_frame", M(thread_frame), { 23, 26, 26 }, { 19, 22, 22 } },
	{ "thread_state.thread_id", M(thread_id), { 24, 27, 30 }, { 19, 22, 22 } },
	{ "thread_state.native_thread_id", M(thread_native_id), { 25, 28, 31 }, { 19, 22, 22 } },
	{ "interpreter_frame.previous", M(frame_previous), { 29, 32, 40 }, { 28, 31, 39 } },
	{ "interpreter_frame.executable", M(frame_code), { 30, 33, 41 }, { 28, 31, 39 } },
	{ "interpreter_frame.instr_ptr", M(frame_instr), { 31, 34, 42 }, { 28, 31, 39 } },
	{ "interpreter_frame.owner", M(frame_owner), { 33, 36, 44 }, { 28, 31, 39 } },
	{ "code_object.filename", M(code_file), { 35, 40, 48 }, { 34, 39, 47 } },
	{ "code_object.qualname", M(code_name), { 37, 42, 50 }, { 34, 39, 47 } },
	{ "code_object.linetable", M(code_lines), { 38, 43, 51 }, { 34, 39, 47 } },
	{ "code_object.firstlineno", M(code_first_line), { 39, 44, 52 }, { 34, 39, 47 } },
	{ "code_object.co_code_adaptive", M(code_instrs), { 43, 48, 56 }, { 34, 39, 47 } },
	{ "bytes_object.ob_size", M(bytes_sz), { 65, 75, 87 }, { 64, 74, 86 } },
	{ "bytes_object.ob_sval", M(bytes_data), { 66, 76, 88 }, { 64, 74, 86 } },
	{ "unicode_object.state", M(text_state), { 68, 78, 90 }, { 67, 77, 89 } },
	{ "unicode_object.length", M(text_len), { 69, 79, 91 }, { 67, 77, 89 } },
	{ "unicode_object.asciiobject_size", M(text_ascii), { 70, 80, 92 }, { 67, 77, 89 } },
};
/* Published by free-threaded builds from 3.14 on, too. */
static const struct published own_code[] = {
	{ "interpreter_frame.tlbc_index", M(frame_own_code), { 0, 38, 46 }, { 0, 31, 39 } },
	{ "code_object.co_tlbc", M(code_own), { 0, 49, 57 }, { 0, 39, 47 } },
};

struct head {
	const char *at;
	size_t sz;
	enum layout layout;
};

static uint64_t word_of(const struct head *h, size_t i)
{
	uint64_t word = 0;

	if ((i + 1) * sizeof(word) <= h->sz)
		memcpy(&word, h->at + i * sizeof(word), sizeof(word));
	return word;
}

/*
 * An offset lies in its struct, if the size is that of a struct that was ever seen: a layout of the
 * future that is another one is noticed by that.
 */
static bool take(struct python_file *file, const struct head *h, const struct published *p)
{
	uint64_t off = word_of(h, p->word[h->layout]);
	uint64_t sz = word_of(h, p->struct_word[h->layout]);
	uint16_t value = (uint16_t)off;

	/* Only a frame begins with what is looked at: else 0 says that the offset is missing. */
	if (!off && p->member != M(frame_code))
		return false;
	/* The size of a text is that of its longest head. */
	if (off > OFFSET_MAX || !sz || off > sz)
		return false;
	memcpy((char *)file + p->member, &value, sizeof(value));
	return true;
}

static int take_all(struct python_file *file, const struct head *h, const struct published *all,
		    size_t cnt, const char **missing)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		if (take(file, h, &all[i]))
			continue;
		*missing = all[i].name;
		return -ENOTSUP;
	}
	return 0;
}

/* Sets the facts that no offset says, but the version. */
static void set_habits(struct python_file *file, const struct head *h)
{
	bool free_threaded = word_of(h, WORD_FREE_THREADED);

	/* FRAME_OWNED_BY_CSTACK; from 3.14 on FRAME_OWNED_BY_INTERPRETER. */
	file->owner_interpreter = 3;
	/* In these a byte of its own says whether the text is interned. */
	file->kind_shift = free_threaded && h->layout >= LAYOUT_3_14 ? 8 : 2;
	file->has_own_code = free_threaded && h->layout >= LAYOUT_3_14;
	/* PyCompactUnicodeObject: a length and a pointer more. */
	file->text_wide = file->text_ascii + 16;
}

/* The identity of a code object is a run of its bytes, which must have what is read from it. */
static bool is_in_identity(const struct python_file *file, uint16_t off)
{
	uint32_t end = file->code_lines + 8u;

	return off >= end - INTERP_CODE_SZ && off + 8u <= end &&
	       (off - (end - INTERP_CODE_SZ)) % 8 == 0;
}

static int check(const struct python_file *file, const char **missing)
{
	*missing = file->code_lines + 8 < INTERP_CODE_SZ     ? "code_object.linetable"
		   : !is_in_identity(file, file->code_file)  ? "code_object.filename"
		   : !is_in_identity(file, file->code_name)  ? "code_object.qualname"
		   : file->frame_owner >= INTERP_FRAME_SZ    ? "interpreter_frame.owner"
		   : file->frame_instr + 8 > INTERP_FRAME_SZ ? "interpreter_frame.instr_ptr"
							     : NULL;
	return *missing ? -ENOTSUP : 0;
}

static int read_published(struct python_file *file, struct head *h, const char **missing)
{
	uint32_t version = (uint32_t)word_of(h, WORD_VERSION);
	int err;

	*missing = "_Py_DebugOffsets.version";
	if (MINOR(version) < 0x030d || MINOR(version) >= 0x0400)
		return -ENOTSUP;
	/* A version of the future is tried by the newest layout. */
	h->layout = MINOR(version) == 0x030d   ? LAYOUT_3_13
		    : MINOR(version) == 0x030e ? LAYOUT_3_14
					       : LAYOUT_3_15;
	file->version = version;
	err = take_all(file, h, published, sizeof(published) / sizeof(*published), missing);
	if (err)
		return err;
	set_habits(file, h);
	if (file->has_own_code)
		err = take_all(file, h, own_code, sizeof(own_code) / sizeof(*own_code), missing);
	return err ? err : check(file, missing);
}

int python_offsets__read(struct python_file *file, const void *head, size_t sz, uint32_t version,
			 const char **missing)
{
	struct head h = { .at = head, .sz = sz };
	size_t i;

	memset(file, 0, sizeof(*file));
	*missing = "_Py_DebugOffsets";
	if (sz >= sizeof(uint64_t) && !memcmp(head, COOKIE, sizeof(uint64_t)))
		return read_published(file, &h, missing);
	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (MINOR(tables[i].version) != MINOR(version))
			continue;
		*file = tables[i];
		file->version = version;
		return check(file, missing);
	}
	return -ENOTSUP;
}
