/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The places at which a build of Python keeps its data, for the walker (python.bpf.h). The
 * including side defines the types.
 */
#ifndef BPFPERF_PYTHON_WIRE_H
#define BPFPERF_PYTHON_WIRE_H

/* Offsets in bytes. */
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

#endif
