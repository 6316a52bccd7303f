/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Registers of a probed function: where the probe's context has them, and calling conventions. */
#ifndef BPFPERF_PROBE_REGS_H
#define BPFPERF_PROBE_REGS_H

#include <stdbool.h>
#include <stdint.h>

/* The registers of one kind of program, as it runs on this machine. */
struct probe_regs {
	uint16_t machine; /* EM_… */
	uint8_t addr_sz; /* bytes of a pointer */
	uint8_t arg_reg_cnt; /* integer arguments in registers */
	const uint8_t *arg_regs; /* their DWARF numbers */
	uint8_t ret_reg, ret_reg2; /* DWARF numbers: of an integer result, and of its second half */
	uint8_t sp_reg, fp_reg;
	uint8_t cfa_off; /* at a function's first instruction the frame begins at sp + this */
	/* Offsets in the context (bpf_user_pt_regs_t) by DWARF number; -1: not there. */
	const int16_t *offs;
	uint8_t off_cnt;
	int16_t pc_off;
};

/* Returns the registers of programs for an EM_… machine; NULL: they do not run here. */
const struct probe_regs *probe_regs__of(uint16_t machine, bool is64);
/* Registers of Go's own calling convention since 1.17; *cnt is set to their number. */
const uint8_t *probe_regs__go(const struct probe_regs *regs, uint8_t *cnt);
/* Returns the offset of a register in the context; -1: it is not there. */
int probe_regs__off(const struct probe_regs *regs, uint64_t dwarf_nr);
/* Bytes of the context: no offset lies beyond it. */
uint32_t probe_regs__context_sz(void);

#endif
