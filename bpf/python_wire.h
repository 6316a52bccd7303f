/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Python's frames, as the walker (python.bpf.h) and its loader (src/lang, src/session/python.h)
 * share them. The including side defines the types.
 *
 * A frame is one word of a user stack, in place of an address:
 *
 *     63, 62  0
 *     61      1: the frame of an interpreter; no user address has this bit
 *     60 ─ 24 id of the code object; 0: it has no name
 *     23 ──── 0 the instruction, counted in code units of two bytes from the first one
 *
 * The definition of an id is in the ring python_defs before the first stack with it is sent.
 */
#ifndef BPFPERF_PYTHON_WIRE_H
#define BPFPERF_PYTHON_WIRE_H

#define PYTHON_FRAME (1ull << 61)
#define PYTHON_INSTR_BITS 24
#define PYTHON_INSTR_MASK ((1ull << PYTHON_INSTR_BITS) - 1)
/* An id: CPU, level, and a number of which each of these has its own. */
#define PYTHON_LEVEL_BITS 2
#define PYTHON_NUMBER_BITS 25
#define PYTHON_ID_BITS 37

/*
 * The places at which an interpreter keeps its data: offsets in bytes. An element of the map
 * python_files, one for each build of Python that has been met; the table of the file has the index
 * (unwind_wire.h).
 */
struct python_file {
	/* of _PyRuntime, from the address that byte 0 of the file would have, by its code */
	__u64 runtime;
	__u32 version; /* PY_VERSION_HEX */
	__u8 has_cframe; /* up to 3.12: the thread has a _PyCFrame, which has the current frame */
	/* 3.11: the last frame of each run is marked; else a frame of the loop itself ends it */
	__u8 has_entry;
	__u8 is_tail_called; /* each instruction is a function, which the loop jumps to */
	__u8 has_own_code; /* free-threaded, 3.14: each thread may have its copy of a code */
	__u8 owner_interpreter; /* the least value of `owner` that is no function's frame */
	__u8 kind_shift; /* of a text's `kind` in its state; `compact` and `ascii` follow it */
	__u16 interpreters; /* _PyRuntimeState.interpreters.head */
	__u16 interpreter_next, interpreter_threads;
	__u16 thread_next, thread_id, thread_native_id, thread_frame;
	__u16 cframe_frame, cframe_previous;
	__u16 frame_code, frame_previous, frame_instr, frame_owner, frame_entry, frame_own_code;
	__u16 code_file, code_name, code_lines, code_first_line, code_instrs, code_own;
	__u16 bytes_sz, bytes_data;
	__u16 text_len, text_state;
	__u16 text_ascii, text_wide; /* sizes of the heads of a text, ASCII or not */
};

#define PYTHON_FILES_MAX 256

/*
 * A code object is told from a later one at the same address by these bytes of it, the last ones up
 * to its table of lines, which never change.
 */
#define PYTHON_CODE_SZ 96
/* Bytes of a frame that are read. */
#define PYTHON_FRAME_SZ 80

#define PYTHON_NAME_MAX 256
#define PYTHON_PATH_MAX 512
#define PYTHON_LINES_MAX 4096

/* A text of Python: its characters are of 1, 2 or 4 bytes, little endian. */
struct python_text {
	__u32 cnt; /* characters of the text; as many as fit are here */
	__u16 sz; /* bytes that are here */
	__u8 width; /* 0: it could not be read */
	__u8 is_ascii; /* one-byte characters are ASCII, else Latin-1 */
};

/* The definition of an id; it ends behind the last byte of its table of lines. */
struct python_def {
	__u64 id;
	__u64 code; /* address of the code object */
	__u32 tgid;
	__s32 first_line;
	struct python_text name, path;
	__u32 lines_sz; /* bytes of the table of lines that are here */
	__u32 spare;
	/* the name, the path, and the table of lines */
	__u8 data[PYTHON_NAME_MAX + PYTHON_PATH_MAX + PYTHON_LINES_MAX];
};

/* Python frames of a walk, and functions of C that run in between, that are kept at most. */
#define PYTHON_WORDS_MAX 512
#define PYTHON_RUNS_MAX 256

/* The frames that one call of the interpreter's loop has: innermost first. */
struct python_run {
	__u64 owner; /* an address on the stack, in the frame of that call */
	__u64 end; /* index behind the last word */
};

struct python_key {
	__u64 code;
	__u32 tgid, spare;
};

/* A code object that has an id. */
struct python_code {
	__u64 identity; /* a hash */
	__u64 id;
};

/* The thread's state in the interpreter, as last found. */
struct python_thread {
	__u64 runtime;
	__u64 state;
};

/* How often: indexes of python_counts. */
enum python_count {
	PYTHON_CNT_FRAMES, /* frames found */
	PYTHON_CNT_CODES, /* definitions sent */
	PYTHON_CNT_UNSENT, /* definitions that found no room: their frames have no names */
	PYTHON_CNT_THREADS, /* threads whose state was looked for: elements of python_threads */
	PYTHON_CNT_COUNTS,
};

/* Why the frames of a walk may be wrong or missing. */
enum python_flaw {
	PYTHON_FLAWLESS,
	PYTHON_UNREADABLE, /* a frame could not be read */
	PYTHON_TOO_MANY, /* more frames, or more calls of the loop, than are kept */
	PYTHON_UNORDERED, /* the frames do not fit each other, or the native ones */
};

/* The state of a walk; one for each state of the native walk. */
struct python_state {
	struct python_file file;
	__u64 runtime, thread, cframe;
	__u64 frame; /* address of the next frame */
	__u64 interpreter, next_thread; /* of the search for the thread */
	__u64 self; /* of the current thread: pthread_self() */
	__u64 native; /* its id in its own pid namespace */
	__u64 instr; /* of the frame whose code is being defined */
	__u64 owner; /* of the run that comes next; ~0: none */
	__u32 tgid;
	__u32 tid; /* in the namespace of bpfperf */
	__u32 cnt; /* words */
	__u32 run_cnt, run; /* runs there are, and the next one to be placed */
	__u32 at; /* words that have been placed */
	__u32 flaw; /* enum python_flaw */
	__u32 number; /* of the last id */
	__u32 is_entry; /* the frame whose code is being defined ends its run */
	__u32 is_one_of_many; /* the process has several interpreters */
	struct python_key key;
	struct python_code code;
	/* copies: twice as large, so that any offset may be read */
	__u8 raw[2 * 128];
	__u64 ident[PYTHON_CODE_SZ / 8];
	__u64 words[PYTHON_WORDS_MAX];
	struct python_run runs[PYTHON_RUNS_MAX];
	struct python_def def;
};

#endif
