/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The samples of a recording, summed up for `report`: samples that agree in every sort key and in
 * their callchain are one row. The lines of the report are made from the rows at the end
 * (profile/hist_entries.h), so memory grows with the number of distinct rows and not with the
 * length of the recording.
 */
#ifndef BPFPERF_PROFILE_HIST_H
#define BPFPERF_PROFILE_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/texts.h"
#include "util/u64map.h"

/* The sort keys of perf report -s. */
enum hist_key {
	/* Numbers of a line: they order lines, and separate no samples. */
	HIST_OVERHEAD_CHILDREN, /* the share with that of callees */
	HIST_OVERHEAD,
	HIST_OVERHEAD_MODES, /* the shares in each mode of the processor … */
	HIST_OVERHEAD_SYS = HIST_OVERHEAD_MODES,
	HIST_OVERHEAD_US,
	HIST_OVERHEAD_GUEST_SYS,
	HIST_OVERHEAD_GUEST_US,
	HIST_SAMPLES,
	HIST_PERIOD,
	HIST_NUMBER_CNT,
	/* Keys by which samples are separated. */
	HIST_COMM = HIST_NUMBER_CNT, /* the thread's name */
	HIST_PID, /* "PID:Command": the thread id, as perf's `pid` has it, and its last name */
	HIST_TID, /* the thread id again, as perf's `tid` */
	HIST_CPU,
	HIST_DSO, /* the file, or "[kernel.kallsyms]" */
	HIST_SYM, /* the function, by its file and address */
	HIST_SRCLINE, /* "file.c:12" */
	HIST_EVENT, /* the event's name */
	HIST_TRACE, /* the payload of a tracepoint's record, as text */
	HIST_SYM_SIZE, /* of the function, in bytes */
	HIST_DSO_SIZE, /* of the mapping that has the address */
	/* Keys of struct hist_facts (profile/hist_facts.h). */
	HIST_FACTS,
	HIST_PARENT = HIST_FACTS, /* the caller that --parent names */
	HIST_WEIGHT, /* the sample's weight; printed: the sum */
	HIST_LOCAL_WEIGHT, /* the sample's weight */
	HIST_CGROUP, /* the control group's path */
	HIST_SOCKET, /* the socket of the CPU */
	HIST_TIME, /* the beginning of a span of time */
	HIST_INS_LAT, /* cycles from the beginning of an instruction to its end; printed: the sum */
	HIST_LOCAL_INS_LAT,
	HIST_SRCFILE, /* "file.c" */
	HIST_ADDR, /* the address of the sample */
	HIST_CODE_PAGE_SIZE,
	HIST_TRANSACTION, /* of the processor: how it ended */
	/* Keys of an access of memory (cfg.is_memory). */
	HIST_MEMORY,
	HIST_MEM = HIST_MEMORY, /* the level of memory that had the data */
	HIST_LOCKED, /* was it an atomic one? */
	HIST_TLB,
	HIST_SNOOP,
	HIST_BLOCKED,
	HIST_SYM_DADDR, /* the address of the data, by its name */
	HIST_DSO_DADDR, /* the file that is mapped there */
	HIST_SYM_IADDR, /* the address of the instruction, by its function */
	HIST_PHYS_DADDR,
	HIST_DCACHELINE, /* the cache line of the data, by its name */
	HIST_DATA_PAGE_SIZE,
	/* Keys of a branch (cfg.is_branches). */
	HIST_BRANCH,
	HIST_DSO_FROM = HIST_BRANCH,
	HIST_DSO_TO,
	HIST_SYM_FROM,
	HIST_SYM_TO,
	HIST_SRCLINE_FROM,
	HIST_SRCLINE_TO,
	HIST_MISPREDICT,
	HIST_ABORT,
	HIST_IN_TX,
	HIST_CYCLES, /* since the branch before it */
};

/* All of them may be asked for at once. */
#define HIST_MAX_KEYS (HIST_CYCLES + 1)
#define HIST_FACT_CNT (HIST_MAX_KEYS - HIST_FACTS)

/* The modes that have a key of their own; the last: any other. */
enum hist_mode { HIST_MODE_SYS, HIST_MODE_US, HIST_MODE_GUEST_SYS, HIST_MODE_GUEST_US, HIST_MODES };

/* Inverted in HIST_ADDR: addresses of the kernel come first, as in perf. */
#define HIST_ADDR_KERNEL (1ull << 63)

/* The values of these keys; 0: the key was not asked for. */
struct hist_facts {
	uint64_t v[HIST_FACT_CNT];
};

/* How the events of groups are printed. */
enum hist_grouping {
	HIST_GROUPS_RECORDED, /* side by side where they were recorded as a group */
	HIST_GROUPS_NONE, /* one after the other */
	HIST_GROUPS_ALL, /* side by side, all events if none was recorded as a group */
};
/* How callchains are printed below an entry. */
enum hist_chain_style {
	HIST_CHAIN_GRAPH, /* a tree, with shares of the total */
	HIST_CHAIN_FRACTAL, /* a tree, with shares of the caller */
	HIST_CHAIN_FLAT, /* each chain by itself, a function a line */
	HIST_CHAIN_FOLDED, /* each chain by itself, in one line */
};
/* The number before a branch, or before a chain. */
enum hist_chain_value {
	HIST_CHAIN_PERCENT,
	HIST_CHAIN_PERIOD,
	HIST_CHAIN_COUNT, /* number of samples */
};

/* Events of larger groups are printed one after the other. */
#define HIST_GROUP_MAX 256

struct hist_config {
	enum hist_grouping grouping;
	enum hist_key keys[HIST_MAX_KEYS];
	bool is_joined[HIST_MAX_KEYS]; /* the key has no level of its own below the key before it */
	uint32_t key_cnt;
	bool is_hierarchy; /* lines are a tree, of which each level has a key */
	bool hides_unresolved; /* functions without a name have no lines, nor have their samples */
	bool is_branches; /* samples are the branches of branch stacks */
	bool is_blocks; /* lines are the blocks of code between these branches */
	bool is_memory; /* samples are accesses of memory, and weigh as much as these took */
	bool children; /* a function's share includes the functions that it calls */
	bool has_chains; /* callchains are printed below each entry */
	bool has_modes, has_samples,
		has_period; /* columns behind the own share, of -n and others */
	bool is_by_fields; /* keys are all columns: those of shares are not printed before them */
	/* The keys choose the order: lines are not ordered by the share with callees, or by any. */
	bool keys_have_total, keys_have_share;
	uint32_t widths[HIST_MAX_KEYS]; /* of columns, from the left; 0: that of the widest cell */
	uint32_t width_cnt;
	uint64_t sort_member; /* the event of a group by which lines are ordered, from 0 on */
	bool shows_empty; /* events without samples have a table, too */
	enum hist_key added[HIST_NUMBER_CNT]; /* further columns of numbers before the keys */
	uint32_t added_cnt;
	bool is_caller; /* chains begin at the outermost function, else at the innermost */
	enum hist_chain_style chain_style;
	enum hist_chain_value chain_value;
	bool has_addresses; /* of functions; files by their paths */
	bool by_address; /* branches of chains are addresses, with their lines of the source */
	uint64_t chain_limit; /* of branches of one function, or of chains; 0: none */
	double min_percent; /* entries with a smaller share are not printed */
	double chain_min_percent; /* branches of chains with a smaller share are not printed */
};

/* A function, or an address without a known function. */
struct hist_func {
	uint32_t name; /* index into hist.texts; TEXTS_NONE: no name, addr is printed */
	uint32_t dso; /* index into hist.texts */
	uint32_t sz; /* in bytes, for HIST_SYM_SIZE; 0: unknown */
	uint64_t map_sz; /* of the mapping that it is in, for HIST_DSO_SIZE; 0: unknown */
	uint64_t addr; /* where the function begins in its file, or the address */
	bool is_inlined;
	bool is_mapped; /* its file is known */
	/* 'k' kernel, '.' user; an unmapped address has the level of the frame before it */
	char level;
	char origin; /* of its name (sym__origin()), for cfg.has_addresses */
	bool is_place; /* an address in a function, with ip, line and whole; else the function */
	uint64_t ip;
	uint32_t line; /* 1 + a text, for cfg.by_address; 0: none */
	uint32_t chain; /* index of the function that represents it in chains */
	uint32_t whole; /* index of the function itself */
};

struct hist_event {
	const char *name; /* not owned; escaped when printed */
	uint64_t samples, period; /* totals of the row */
	/*
	 * The group that it leads: the number of events, itself among them (0: it leads none), and
	 * its name (not owned; NULL: it has none)
	 */
	uint32_t member_cnt;
	const char *group;
	bool is_made_group; /* it was not recorded as one */
};

struct hist_row {
	uint64_t hash;
	uint32_t event, comm, self, srcline, trace, cpu;
	uint32_t facts; /* index into hist.facts; 0 if there is no key of them */
	int32_t pid, tid;
	int32_t first_tid; /* thread id of the row's first sample */
	uint64_t first_addr; /* its address */
	char level;
	enum hist_mode mode;
	bool is_hidden;
	uint32_t frame_cnt;
	/* index of the row's frames in hist.frames, in the order in which chains are printed */
	size_t at;
	uint64_t samples, period;
};

struct hist_sample {
	uint32_t event; /* index of the event */
	const char *comm;
	int32_t pid, tid;
	uint32_t cpu;
	uint64_t addr; /* of the sample, in its file */
	uint32_t self, srcline; /* a function (hist__func()) and a text, or TEXTS_NONE */
	const char *trace; /* text of the record, for HIST_TRACE */
	size_t trace_len;
	const struct hist_facts *facts; /* NULL: there is no key of them */
	char level; /* 'k', '.', …: the privilege level at which the sample was taken */
	enum hist_mode mode;
	bool is_hidden; /* not selected: it has no line, and counts in a hierarchy's upper levels */
	uint64_t period;
	const uint32_t *frames; /* functions, innermost first */
	uint32_t frame_cnt;
};

struct hist {
	struct hist_config cfg;
	struct hist_event *events;
	uint32_t event_cnt;
	struct hist_func *funcs;
	size_t func_cnt, func_cap;
	struct hist_row *rows;
	size_t row_cnt, row_cap;
	uint32_t *frames;
	size_t frame_cnt, frame_cap;
	struct hist_facts *facts;
	size_t fact_cnt, fact_cap;
	struct u64map by_func, by_row, by_facts;
	struct texts texts;
	/* samples without their callchain, since HIST_MAX_FRAMES was reached */
	uint64_t uprooted;
	uint64_t lost; /* lost samples, as reported by the kernel */
};

/*
 * Limit of the frames of all distinct callchains, 256 MiB; beyond it new samples are counted
 * without callers.
 */
#define HIST_MAX_FRAMES (64u << 20)

/* Initializes hist; cfg is copied. */
void hist__init(struct hist *h, const struct hist_config *cfg);
void hist__free(struct hist *h);
/* Makes room for cnt events; samples have event numbers from 0 on. 0 or -ENOMEM. */
int hist__set_events(struct hist *h, uint32_t cnt);
/* Returns the index of a function, which is added if it is new. UINT32_MAX: no memory. */
uint32_t hist__func(struct hist *h, const struct hist_func *func);
/* Returns the index of an address in a function, likewise. line: 1 + a text, or 0. */
uint32_t hist__func_at(struct hist *h, uint32_t whole, uint64_t ip, uint32_t line);
/* Returns the index of a function, or of an address, in a mapping of this size, likewise. */
uint32_t hist__func_in_map(struct hist *h, uint32_t func, uint64_t map_sz);
/* Adds one sample to the rows. 0 or -ENOMEM. */
int hist__add(struct hist *h, const struct hist_sample *s);
bool hist__has_key(const struct hist_config *cfg, enum hist_key key);
/* Has each line a function of its own? No keys stand for the default ones. */
static inline bool hist__shows_functions(const struct hist_config *cfg)
{
	return !cfg->key_cnt || hist__has_key(cfg, HIST_SYM);
}
/* Returns whether a key needs lines of the source. */
bool hist__has_lines(const struct hist_config *cfg);
/* Returns whether a key is one that the text of perf script does not have reliably. */
bool hist__needs_recording(const struct hist_config *cfg);
/* Returns whether a key is one of accesses of memory. */
bool hist__has_mem_key(const struct hist_config *cfg);
/* Returns whether a key is one of branches. */
bool hist__has_branch_key(const struct hist_config *cfg);

#endif
