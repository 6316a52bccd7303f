/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The places at which a build of Ruby keeps its data, for the walker (ruby.bpf.h). The including
 * side defines the types.
 */
#ifndef BPFPERF_RUBY_WIRE_H
#define BPFPERF_RUBY_WIRE_H

/* Offsets in bytes; those of the file count from the address that its byte 0 has, by its code. */
struct ruby_file {
	__u64 loop; /* vm_exec_core(), in the file */
	__u32 loop_sz;
	__u32 version; /* 0x030300: 3.3.0 */
	__u64 tls_module; /* the word with the number of the file's thread-local block */
	__u16 tls_off; /* the first word of the block that may be the thread's context */
	__u16 tls_cnt; /* words to look at */
	__u16 frame_sz; /* of a control frame */
	__u16 body_insns; /* iseq_constant_body.insns_info */
	__u8 has_old_texts; /* up to 3.1: the size of a short text is in its flags */
	__u8 has_old_line; /* up to 3.1: the first line is a Ruby number */
	__u16 spare;
};

/*
 * The table of lines in a definition: this head; entries of 12 bytes, which begin with the line;
 * the index that leads from a position to its entry (struct succ_index_table of iseq.c).
 */
struct ruby_lines {
	__u32 cnt; /* entries that the code has; as many as fit are here */
	__u32 entries_sz, positions_sz; /* bytes that are here */
	__u32 spare;
};

#endif
