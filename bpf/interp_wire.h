/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Frames of interpreters, as their walkers (interp.bpf.h) and the loader (src/lang,
 * src/session/interp.h) share them. The including side defines the types.
 *
 * A frame is one word of a user stack, in place of an address:
 *
 *     63, 62  0
 *     61      1: the frame of an interpreter; no user address has this bit
 *     60 ─ 24 id of the code object; below INTERP_ID_FIRST: a language, of code without a name
 *     23 ──── 0 the instruction, counted from the first one in units of the language
 *
 * The definition of an id is in the ring interp_defs before the first stack with it is sent.
 */
#ifndef BPFPERF_INTERP_WIRE_H
#define BPFPERF_INTERP_WIRE_H

#include "python_wire.h"
#include "ruby_wire.h"

#define INTERP_FRAME (1ull << 61)
#define INTERP_INSTR_BITS 24
#define INTERP_INSTR_MASK ((1ull << INTERP_INSTR_BITS) - 1)
/* An id: CPU, level, and a number of which each of these has its own. */
#define INTERP_LEVEL_BITS 2
#define INTERP_NUMBER_BITS 25
#define INTERP_ID_BITS 37
#define INTERP_ID_FIRST 16

/* Languages that are known. */
enum interp_language {
	INTERP_NONE,
	INTERP_PYTHON,
	INTERP_RUBY,
};

/*
 * An element of the map interp_files, one for each build of an interpreter that has been met; the
 * table of the file has the index (unwind_wire.h).
 */
struct interp_file {
	__u32 language; /* enum interp_language */
	__u32 spare;
	union {
		struct python_file python;
		struct ruby_file ruby;
	};
};

#define INTERP_FILES_MAX 256

/*
 * A code object is told from a later one at the same address by these bytes of it, the last ones up
 * to its table of lines, which never change.
 */
#define INTERP_CODE_SZ 96
/* Bytes of a frame that are read. */
#define INTERP_FRAME_SZ 80

#define INTERP_NAME_MAX 256
#define INTERP_PATH_MAX 512
#define INTERP_LINES_MAX 8192

/* A text: Python has characters of 1, 2 or 4 bytes, little endian. */
#define INTERP_UTF8 8
struct interp_text {
	__u32 cnt; /* characters of the text, or bytes of UTF-8; as many as fit are here */
	__u16 sz; /* bytes that are here */
	__u8 width; /* of a character; INTERP_UTF8: the text is UTF-8; 0: it could not be read */
	__u8 is_ascii; /* Python: one-byte characters are ASCII, else Latin-1 */
};

/* The definition of an id; it ends behind the last byte of its table of lines. */
struct interp_def {
	__u64 id;
	__u64 code; /* address of the code object */
	__u32 tgid;
	__s32 first_line;
	struct interp_text name, path;
	__u32 lines_sz; /* bytes of the table of lines that are here */
	__u32 language; /* enum interp_language: decides how the table of lines is read */
	/* the name, the path, and the table of lines */
	__u8 data[INTERP_NAME_MAX + INTERP_PATH_MAX + INTERP_LINES_MAX];
};

/* Frames of a walk, and functions of C that run in between, that are kept at most. */
#define INTERP_WORDS_MAX 512
#define INTERP_RUNS_MAX 256

/* The frames that one call of the interpreter's loop has: innermost first. */
struct interp_run {
	__u64 owner; /* Python: an address on the stack, in the frame of that call */
	__u64 end; /* index behind the last word */
};

struct interp_key {
	__u64 code;
	__u32 tgid, spare;
};

/* A code object that has an id. */
struct interp_code {
	__u64 identity; /* a hash */
	__u64 id;
};

/* A thread's state in the interpreter of Python, as last found. */
struct python_thread {
	__u64 runtime;
	__u64 state;
};

/* How often: indexes of interp_counts. */
enum interp_count {
	INTERP_CNT_FRAMES, /* frames found */
	INTERP_CNT_CODES, /* definitions sent */
	INTERP_CNT_UNSENT, /* definitions that found no room: their frames have no names */
	INTERP_CNT_THREADS, /* threads whose state was looked for: elements of python_threads */
	INTERP_CNT_COUNTS,
};

/* Why the frames of a walk may be wrong or missing. */
enum interp_flaw {
	INTERP_FLAWLESS,
	INTERP_UNREADABLE, /* a frame could not be read */
	INTERP_TOO_MANY, /* more frames, or more calls of the loop, than are kept */
	INTERP_UNORDERED, /* the frames do not fit each other, or the native ones */
};

/* The state of a walk; one for each state of the native walk. */
struct interp_state {
	union {
		struct python_file file;
		struct ruby_file ruby;
	};
	__u64 base; /* the address that byte 0 of the file has, by its code */
	__u64 runtime, thread, cframe; /* Python's */
	__u64 interpreter, next_thread; /* of the search for Python's thread */
	__u64 frame; /* address of the next frame */
	__u64 frames_end; /* Ruby: no frame begins from here on */
	__u64 self; /* of the current thread: pthread_self() */
	__u64 native; /* its id in its own pid namespace */
	__u64 instr; /* of the frame whose code is being defined */
	__u64 insn_cnt; /* Ruby: the words of that code */
	__u64 owner; /* of the run that comes next; ~0: none */
	__u32 language; /* enum interp_language */
	__u32 tgid;
	__u32 tid; /* in the namespace of bpfperf */
	__u32 cnt; /* words */
	__u32 run_cnt, run; /* runs there are, and the next one to be placed */
	__u32 at; /* words that have been placed */
	__u32 flaw; /* enum interp_flaw */
	__u32 number; /* of the last id */
	__u32 is_entry; /* the frame whose code is being defined ends its run */
	__u32 is_one_of_many; /* the process has several interpreters */
	struct interp_key key;
	struct interp_code code;
	/* copies: twice as large, so that any offset may be read */
	__u8 raw[2 * 128];
	__u64 ident[INTERP_CODE_SZ / 8];
	__u64 words[INTERP_WORDS_MAX];
	struct interp_run runs[INTERP_RUNS_MAX];
	/* Ruby: the native frames of the loop, by their index, and the stack that is made */
	__u32 loop_cnt, joined_cnt; /* loops, and those that are in the stack */
	__u32 from, to; /* the next native frame, and its place */
	__u32 skew; /* a loop has the run of its number and so many more (modulo 2^32) */
	__u16 loops[INTERP_RUNS_MAX];
	__u64 stack[2 * INTERP_WORDS_MAX]; /* twice as large: any piece may be added */
	struct interp_def def;
};

#endif
