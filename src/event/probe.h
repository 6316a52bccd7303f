/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A probe: a place in a file's or the kernel's code, and how the fields of its records are fetched
 * there. src/probe/ makes it from what the user asked for; src/session/ attaches it.
 */
#ifndef BPFPERF_EVENT_PROBE_H
#define BPFPERF_EVENT_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One step of fetching a value, from the value so far. Steps are run in the order in which they are
 * listed; the first one of a value sets it.
 */
enum fetch_op {
	FETCH_REG, /* value = the register at `imm` bytes into the probe's context */
	FETCH_CONST, /* value = imm */
	FETCH_ADD, /* value += imm */
	FETCH_READ, /* value = `size` bytes of memory at value; extended by sign if is_signed */
	FETCH_SHIFT_LEFT, /* value <<= imm */
	FETCH_SHIFT_RIGHT, /* value >>= imm; by sign if is_signed */
	FETCH_DURATION, /* value = ns since the call began */
	FETCH_SAVE, /* keeps the value for FETCH_RESTORE and as the length of a text */
	FETCH_PLUS_SAVED, /* value += the value kept */
	/* The field is absent, as if it were not in memory, unless value == imm, or if it is so. */
	FETCH_IF,
	FETCH_IF_NOT,
};

struct fetch_step {
	uint8_t op; /* enum fetch_op */
	uint8_t size;
	uint8_t is_signed; /* whatever bits a reader has set in it */
	int64_t imm;
};

enum fetch_kind {
	FETCH_NUMBER, /* `size` bytes at `off` */
	FETCH_TEXT, /* a text up to its NUL at the address */
	FETCH_TEXT_LEN, /* a text of as many bytes as were kept by FETCH_SAVE */
	FETCH_BYTES, /* `size` bytes at the address, to `off` */
	FETCH_LITERAL, /* always `literal` */
};

/* A field and its value. Texts are __data_loc: a word of four bytes at `off`. */
struct fetch_field {
	uint8_t kind; /* enum fetch_kind */
	uint16_t off, size; /* bytes; in the record */
	uint8_t absent_bit; /* of the field __absent: set if the value is not in memory */
	bool at_return; /* fetched when the function returns */
	const char *literal; /* static storage */
	struct fetch_step *steps; /* owned */
	size_t step_cnt;
};

/*
 * Work of the kernel at a hit, by the instruction at the place; src/kernel/hit_cost.h has the
 * price of each.
 */
enum hit_class {
	HIT_UNKNOWN,
	HIT_STEP, /* a trap, and a second one behind the instruction, which runs elsewhere */
	HIT_PUSH, /* a trap; the kernel carries out the instruction: push, nop, jump, call */
	HIT_ENDBR, /* endbr64, which some kernels carry out */
	HIT_SUB, /* sub from the stack pointer, likewise */
	HIT_NOP5, /* a nop of five bytes, which some kernels make a call */
	HIT_KERNEL, /* a kprobe */
	HIT_CLASS_CNT,
};

/* "trap", "nop5", "kprobe"; HIT_UNKNOWN: NULL. */
const char *hit_class__name(enum hit_class c);

/* Which file it was that was read. */
struct probe_file {
	uint64_t dev, ino, sz;
	int64_t mtime_s, mtime_ns;
};

struct probe {
	bool in_kernel; /* a function of the kernel, by name; else of the file `path` */
	bool is_pair; /* its records are made when the function returns, of both ends */
	bool is_return; /* at the function's return alone */
	uint8_t hit; /* enum hit_class */
	uint8_t pushed; /* bytes of a return address on the stack at the function's entry */
	uint32_t pmu_type; /* of the PMU by which perf_event_open() counts it; 0: there is none */
	char *path; /* file of the code, as it can be opened; owned */
	struct probe_file file; /* as it was when it was read */
	char *func; /* name of the function; owned */
	uint64_t off; /* of the code: bytes from the start of the file, or of the function */
	uint64_t sem_off; /* USDT: of its semaphore in the file; 0: none */
	struct fetch_field *fields; /* owned */
	size_t field_cnt;
	int weight; /* index of the field that a hit counts by; -1: each counts 1 */
	uint16_t fixed_sz, max_sz; /* bytes of a record: without texts, and at most */
	uint16_t absent_off; /* of the field __absent; 0: there is none */
};

struct probe *probe__new(void);
/* Fills in what the open file is, or for fd -1 what lies at the path. 0 or -errno. */
int probe_file__get(struct probe_file *file, int fd, const char *path);
/* NULL is accepted. */
void probe__free(struct probe *p);
/* Appends a step to the field's steps. 0 or -ENOMEM. */
int fetch_field__add(struct fetch_field *f, enum fetch_op op, uint8_t size, bool is_signed,
		     int64_t imm);

#endif
