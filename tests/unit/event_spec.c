// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The grammar of events, row by row: what was typed and what came out. */
#include "event/event.h"

#include <errno.h>

#include "tap.h"

#include "event_tree.h"
#include "util/strbuf.h"

/* One event: NAME TYPE/CONFIG[,CONFIG1[,CONFIG2]] and what else is set. */
static void put_event(struct strbuf *sb, const struct event *ev)
{
	const struct {
		bool is_set;
		const char *word;
	} flags[] = {
		{ ev->exclude_user, "-u" },  { ev->exclude_kernel, "-k" },
		{ ev->exclude_hv, "-h" },    { ev->exclude_host, "-H" },
		{ ev->exclude_guest, "-G" }, { ev->exclude_idle, "I" },
		{ ev->precise_max, "P" },    { ev->read_group, "S" },
		{ ev->pinned, "D" },         { ev->weak_group, "W" },
		{ ev->exclusive, "e" },      { ev->by_bpf, "b" },
		{ ev->aux_output, "aux" },   { ev->from_glob, "glob" },
		{ ev->system_wide, "sys" },
	};
	const struct event_sampling *how = &ev->sampling;
	size_t i;

	strbuf__printf(sb, "%s%s %u/%#llx", sb->len ? "; " : "", ev->name, ev->type,
		       (unsigned long long)ev->config);
	if (ev->config1 || ev->config2)
		strbuf__printf(sb, ",%#llx", (unsigned long long)ev->config1);
	if (ev->config2)
		strbuf__printf(sb, ",%#llx", (unsigned long long)ev->config2);
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (flags[i].is_set)
			strbuf__printf(sb, " %s", flags[i].word);
	if (ev->precise_ip)
		strbuf__printf(sb, " p%u", ev->precise_ip);
	if (ev->group >= 0)
		strbuf__printf(sb, " {%d}", ev->group);
	if (ev->cpus)
		strbuf__printf(sb, " @%s", ev->cpus);
	if (ev->bp_type)
		strbuf__printf(sb, " bp%u", ev->bp_type);
	if (ev->aux_action || ev->aux_sample_sz)
		strbuf__printf(sb, " aux%u,%u", ev->aux_action, ev->aux_sample_sz);
	if (event__has_options(ev))
		strbuf__printf(sb, " how%u,%u,%u,%u,%u", how->chain, how->stack_sz, how->max_stack,
			       how->time, how->inherit);
	if (ev->unit)
		strbuf__printf(sb, " %g %s", ev->scale, ev->unit);
}

static const struct {
	const char *spec, *want;
} good[] = {
	/* breakpoints: the address and the length; kinds of access */
	{ "mem:0x10", "mem:0x10 5/0,0x10,0x4 bp3" },
	{ "mem:16:x", "mem:16:x 5/0,0x10,0x8 bp4" },
	{ "mem:0x10/8:w", "mem:0x10/8:w 5/0,0x10,0x8 bp2" },
	{ "mem:0x10/8:wr:u,cs", "mem:0x10/8:wr:u 5/0,0x10,0x8 -k -h -G bp3; cs 1/0x3" },
	{ "mem:0x10/8:u,msr/tsc/", "mem:0x10/8:u 5/0,0x10,0x8 -k -h -G bp3; msr/tsc/ 10/0" },
	{ "{mem:0x10/8,mem:0x20/2:r}",
	  "mem:0x10/8 5/0,0x10,0x8 {0} bp3; mem:0x20/2:r 5/0,0x20,0x2 {0} bp1" },
	/* terms of AUX areas */
	{ "cycles/aux-output/", "cycles/aux-output/ 0/0 aux" },
	{ "cycles/name=x,aux-action=pause/", "x 0/0 aux2,0" },
	{ "cpu/event=1,aux-action=start-paused/",
	  "cpu/event=1,aux-action=start-paused/ 4/0x1 aux1,0" },
	{ "cpu/event=1,aux-action=resume,aux-sample-size=0x1000/",
	  "cpu/event=1,aux-action=resume,aux-sample-size=0x1000/ 4/0x1 aux4,4096" },
	{ "ftrace:function", "ftrace:function 2/0x1" },
	/* terms that say how an event is sampled */
	{ "cycles/call-graph=fp,max-stack=7,time=0/",
	  "cycles/call-graph=fp,max-stack=7,time=0/ 0/0 how2,0,7,1,0" },
	{ "cycles/call-graph=dwarf,stack-size=1019,inherit/k",
	  "cycles/call-graph=dwarf,stack-size=1019,inherit/k 0/0 -u -h how3,1024,0,0,2" },
	{ "cycles/max-stack=010,stack-size=0x40/",
	  "cycles/max-stack=010,stack-size=0x40/ 0/0 how0,64,10,0,0" },
	{ "cpu/event=1,call-graph=no,no-inherit/",
	  "cpu/event=1,call-graph=no,no-inherit/ 4/0x1 how1,0,0,0,1" },
	/* perf's own names */
	{ "cpu-clock", "cpu-clock 1/0" },
	{ "task-clock", "task-clock 1/0x1" },
	{ "page-faults", "page-faults 1/0x2" },
	{ "faults", "faults 1/0x2" },
	{ "context-switches", "context-switches 1/0x3" },
	{ "cs", "cs 1/0x3" },
	{ "cpu-migrations", "cpu-migrations 1/0x4" },
	{ "migrations", "migrations 1/0x4" },
	{ "minor-faults", "minor-faults 1/0x5" },
	{ "major-faults", "major-faults 1/0x6" },
	{ "alignment-faults", "alignment-faults 1/0x7" },
	{ "emulation-faults", "emulation-faults 1/0x8" },
	{ "dummy", "dummy 1/0x9" },
	{ "bpf-output", "bpf-output 1/0xa" },
	{ "cgroup-switches", "cgroup-switches 1/0xb" },
	{ "cpu-cycles", "cpu-cycles 0/0" },
	{ "cycles", "cycles 0/0" },
	{ "instructions", "instructions 0/0x1" },
	{ "cache-references", "cache-references 0/0x2" },
	{ "cache-misses", "cache-misses 0/0x3" },
	{ "branch-instructions", "branch-instructions 0/0x4" },
	{ "branches", "branches 0/0x4" },
	{ "branch-misses", "branch-misses 0/0x5" },
	{ "bus-cycles", "bus-cycles 0/0x6" },
	{ "stalled-cycles-frontend", "stalled-cycles-frontend 0/0x7" },
	{ "idle-cycles-frontend", "idle-cycles-frontend 0/0x7" },
	{ "stalled-cycles-backend", "stalled-cycles-backend 0/0x8" },
	{ "idle-cycles-backend", "idle-cycles-backend 0/0x8" },
	{ "ref-cycles", "ref-cycles 0/0x9" },
	/* cache events */
	{ "L1-dcache-loads", "L1-dcache-loads 3/0" },
	{ "L1-dcache-load-misses", "L1-dcache-load-misses 3/0x10000" },
	{ "L1-dcache-misses-load", "L1-dcache-misses-load 3/0x10000" },
	{ "L1-icache-prefetch-misses", "L1-icache-prefetch-misses 3/0x10201" },
	{ "LLC-loads", "LLC-loads 3/0x2" },
	{ "LLC", "LLC 3/0x2" },
	{ "LLC-misses", "LLC-misses 3/0x10002" },
	{ "llc-store-misses", "llc-store-misses 3/0x10102" },
	{ "dTLB-stores", "dTLB-stores 3/0x103" },
	{ "d-tlb-speculative-read-access", "d-tlb-speculative-read-access 3/0x203" },
	{ "iTLB-load-misses", "iTLB-load-misses 3/0x10004" },
	{ "branch-loads", "branch-loads 3/0x5" },
	{ "bpu-miss", "bpu-miss 3/0x10005" },
	{ "node-prefetches", "node-prefetches 3/0x206" },
	{ "LLC-loads:u", "LLC-loads:u 3/0x2 -k -h -G" },
	/* raw */
	{ "r0", "r0 4/0" },
	{ "r1a8", "r1a8 4/0x1a8" },
	{ "rFFffFFffFFffFFff", "rFFffFFffFFffFFff 4/0xffffffffffffffff" },
	{ "r1a8:u", "r1a8:u 4/0x1a8 -k -h -G" },
	{ "r1a8:pp", "r1a8:pp 4/0x1a8 -G p2" },
	/* modifiers */
	{ "cycles:u", "cycles:u 0/0 -k -h -G" },
	{ "cycles:k", "cycles:k 0/0 -u -h" },
	{ "cycles:h", "cycles:h 0/0 -u -k" },
	{ "cycles:uk", "cycles:uk 0/0 -h -G" },
	{ "cycles:ku", "cycles:ku 0/0 -h -G" },
	{ "cycles:ukh", "cycles:ukh 0/0 -G" },
	{ "cycles:G", "cycles:G 0/0 -H" },
	{ "cycles:H", "cycles:H 0/0 -G" },
	{ "cycles:GH", "cycles:GH 0/0" },
	{ "cycles:uG", "cycles:uG 0/0 -k -h -H" },
	{ "cycles:Gu", "cycles:Gu 0/0 -k -h -H" },
	{ "cycles:I", "cycles:I 0/0 I" },
	{ "cycles:p", "cycles:p 0/0 -G p1" },
	{ "cycles:pp", "cycles:pp 0/0 -G p2" },
	{ "cycles:ppp", "cycles:ppp 0/0 -G p3" },
	{ "cycles:pup", "cycles:pup 0/0 -k -h -G p2" },
	{ "cycles:Hp", "cycles:Hp 0/0 -G p1" },
	{ "cycles:Gp", "cycles:Gp 0/0 -H p1" },
	{ "cycles:P", "cycles:P 0/0 P" },
	{ "cycles:D", "cycles:D 0/0 D" },
	{ "cycles:e", "cycles:e 0/0 e" },
	{ "cycles:S", "cycles:S 0/0 S" },
	{ "cycles:W", "cycles:W 0/0 W" },
	{ "cycles:b", "cycles:b 0/0 b" },
	{ "cs:upppPSDIWeb", "cs:upppPSDIWeb 1/0x3 -k -h -G I P S D W e b p3" },
	/* tracepoints */
	{ "sched:sched_switch", "sched:sched_switch 2/0x12d" },
	{ "sched:sched_switch:u", "sched:sched_switch 2/0x12d -k -h -G" },
	{ "sched:sched_wak*", "sched:sched_wakeup 2/0x12e glob; sched:sched_waking 2/0x12f glob" },
	{ "sched:sched_waki?g", "sched:sched_waking 2/0x12f glob" },
	{ "sched:sched_wa[a-k]ing", "sched:sched_waking 2/0x12f glob" },
	{ "sched:*switch:k", "sched:sched_switch 2/0x12d -u -h glob" },
	{ "*:sys_enter", "raw_syscalls:sys_enter 2/0xc9 glob" },
	{ "raw_*:sys_e?it", "raw_syscalls:sys_exit 2/0xca glob" },
	{ "irq:*", "irq:irq_handler_entry 2/0x65 glob; irq:irq_handler_exit 2/0x66 glob" },
	{ "*:irq_*", "irq:irq_handler_entry 2/0x65 glob; irq:irq_handler_exit 2/0x66 glob" },
	/* its name consists of modifiers */
	{ "sched:pp", "sched:pp 2/0x130" },
	{ "sched:pp:p", "sched:pp 2/0x130 -G p1" },
	/* once is enough */
	{ "irq:irq_handler_exit,irq:irq_handler_exit", "irq:irq_handler_exit 2/0x66" },
	{ "irq:irq_handler_ex*,irq:irq_handler_exit", "irq:irq_handler_exit 2/0x66" },
	{ "irq:irq_handler_exit,irq:irq_handler_ex*", "irq:irq_handler_exit 2/0x66" },
	{ "irq:*,irq:*", "irq:irq_handler_entry 2/0x65 glob; irq:irq_handler_exit 2/0x66 glob" },
	{ "sched:pp,sched:pp:u", "sched:pp 2/0x130; sched:pp 2/0x130 -k -h -G" },
	{ "{sched:pp,sched:pp}", "sched:pp 2/0x130 {0}; sched:pp 2/0x130 {0}" },
	{ "cs,cs", "cs 1/0x3; cs 1/0x3" },
	/* sysfs */
	{ "msr/tsc/", "msr/tsc/ 10/0" },
	{ "msr/tsc/u", "msr/tsc/u 10/0 -k -h -G" },
	{ "msr/tsc/:u", "msr/tsc/:u 10/0 -k -h -G" },
	{ "msr//", "msr// 10/0" },
	{ "msr/event=7/", "msr/event=7/ 10/0x7" },
	{ "msr/event=0x10/", "msr/event=0x10/ 10/0x10" },
	{ "msr/event=010/", "msr/event=010/ 10/0xa" },
	{ "msr/event=18446744073709551615/",
	  "msr/event=18446744073709551615/ 10/0xffffffffffffffff" },
	{ "msr/config=1,config1=2,config2=3/", "msr/config=1,config1=2,config2=3/ 10/0x1,0x2,0x3" },
	{ "msr/tsc,name=ticks/", "ticks 10/0" },
	{ "msr/r1f/", "msr/r1f/ 10/0x1f" },
	{ "bare//", "bare// 30/0" },
	{ "bare/config=5/", "bare/config=5/ 30/0x5" },
	{ "cpu/cpu-cycles/", "cpu/cpu-cycles/ 4/0x3c" },
	{ "cpu/event=0x3c,umask=1/", "cpu/event=0x3c,umask=1/ 4/0x13c" },
	{ "cpu/event=0x3c,umask=1,edge,cmask=2/pp",
	  "cpu/event=0x3c,umask=1,edge,cmask=2/pp 4/0x204013c -G p2" },
	{ "cpu/edge=0/", "cpu/edge=0/ 4/0" },
	{ "cpu/event=1,event=2/", "cpu/event=1,event=2/ 4/0x2" },
	{ "cpu/mem-loads/P", "cpu/mem-loads/P 4/0x1cd,0x3 P" },
	{ "cpu/mem-loads,ldlat=30/", "cpu/mem-loads,ldlat=30/ 4/0x1cd,0x1e" },
	{ "cpu/needy,event=0x7/", "cpu/needy,event=0x7/ 4/0x207" },
	{ "cpu/flagged/", "cpu/flagged/ 4/0x40400" },
	{ "cpu/event_x=0x9ab/", "cpu/event_x=0x9ab/ 4/0x9000000ab" },
	{ "cpu/sparse=15/", "cpu/sparse=15/ 4/0,0,0x350" },
	{ "cpu/sparse=5,top/", "cpu/sparse=5,top/ 4/0,0,0x8000000000000110" },
	{ "cpu/rc0/u", "cpu/rc0/u 4/0xc0 -k -h -G" },
	{ "uncore_imc_1/cas_count_read/",
	  "uncore_imc_1/cas_count_read/ 21/0x304 sys @0,28 6.10352e-05 MiB" },
	{ "uncore_imc/event=1/", "uncore_imc_0/event=1/ 20/0x1 glob sys @0,28; "
				 "uncore_imc_1/event=1/ 21/0x1 glob sys @0,28" },
	{ "imc/event=1/", "uncore_imc_0/event=1/ 20/0x1 glob sys @0,28; "
			  "uncore_imc_1/event=1/ 21/0x1 glob sys @0,28" },
	{ "imc_1/event=1/", "uncore_imc_1/event=1/ 21/0x1 glob sys @0,28" },
	{ "*imc*0/event=1/", "uncore_imc_0/event=1/ 20/0x1 glob sys @0,28" },
	{ "armv8_pmuv3_0/cpu_cycles/", "armv8_pmuv3_0/cpu_cycles/ 8/0x11 @0-3" },
	{ "armv8_pmuv3/event=0x8/", "armv8_pmuv3_0/event=0x8/ 8/0x8 glob @0-3" },
	/* sysfs events without their PMU */
	{ "tsc", "tsc 10/0" },
	{ "tsc:k", "tsc:k 10/0 -u -h" },
	{ "mem-loads:pp", "mem-loads:pp 4/0x1cd,0x3 -G p2" },
	{ "cas_count_read", "cas_count_read 20/0x304 glob sys @0,28 6.10352e-05 MiB; "
			    "cas_count_read 21/0x304 glob sys @0,28 6.10352e-05 MiB" },
	/* perf's names with slashes */
	{ "cycles//", "cycles// 0/0" },
	{ "cycles//u", "cycles//u 0/0 -k -h -G" },
	{ "cs/name=switches/k", "switches 1/0x3 -u -h" },
	/* lists and groups */
	{ "cs,faults", "cs 1/0x3; faults 1/0x2" },
	{ " cs ,\tfaults ", "cs 1/0x3; faults 1/0x2" },
	{ "cpu/event=1,umask=2/,cs", "cpu/event=1,umask=2/ 4/0x201; cs 1/0x3" },
	{ "{cs}", "cs 1/0x3 {0}" },
	{ "{cs,faults}", "cs 1/0x3 {0}; faults 1/0x2 {0}" },
	{ "{ cs , faults }", "cs 1/0x3 {0}; faults 1/0x2 {0}" },
	{ "{cs,faults},dummy", "cs 1/0x3 {0}; faults 1/0x2 {0}; dummy 1/0x9" },
	{ "dummy,{cs,faults},{cycles}",
	  "dummy 1/0x9; cs 1/0x3 {0}; faults 1/0x2 {0}; cycles 0/0 {1}" },
	{ "{cs,faults}:D", "cs 1/0x3 D {0}; faults 1/0x2 {0}" },
	{ "{cs,faults}:We", "cs 1/0x3 W e {0}; faults 1/0x2 {0}" },
	{ "{cs:D,faults}", "cs:D 1/0x3 D {0}; faults 1/0x2 {0}" },
	{ "{cs,faults}:S", "cs 1/0x3 S {0}; faults 1/0x2 S {0}" },
	{ "{cs:k,faults}:uD", "cs:k 1/0x3 -h -G D {0}; faults 1/0x2 -k -h -G {0}" },
	{ "{cs:p,faults}:pp", "cs:p 1/0x3 -G p3 {0}; faults 1/0x2 -G p2 {0}" },
	{ "{cs:G,faults}:H", "cs:G 1/0x3 {0}; faults 1/0x2 -G {0}" },
	{ "{cpu/event=1,umask=2/,msr/tsc/u}:k",
	  "cpu/event=1,umask=2/ 4/0x201 -u -h {0}; msr/tsc/u 10/0 -h -G {0}" },
	{ "{irq:*}",
	  "irq:irq_handler_entry 2/0x65 glob {0}; irq:irq_handler_exit 2/0x66 glob {0}" },
	{ "{sched:pp:u,cs}", "sched:pp 2/0x130 -k -h -G {0}; cs 1/0x3 {0}" },
#ifdef __x86_64__
	/* vendors' names: LIBPFM_FORCE_PMU=skl */
	{ "l1d_pend_miss.pending", "l1d_pend_miss.pending 4/0x148" },
	{ "L1D_PEND_MISS:PENDING", "L1D_PEND_MISS:PENDING 4/0x148" },
	{ "l1d_pend_miss.pending:u", "l1d_pend_miss.pending:u 4/0x148 -k -h -G" },
	{ "L1D_PEND_MISS:PENDING:pp", "L1D_PEND_MISS:PENDING:pp 4/0x148 -G p2" },
	{ "skl::L1D_PEND_MISS:PENDING", "skl::L1D_PEND_MISS:PENDING 4/0x148" },
	{ "cpu/l1d_pend_miss.pending/", "cpu/l1d_pend_miss.pending/ 4/0x148" },
	{ "L1D_PEND_MISS:PENDING:c=1", "L1D_PEND_MISS:PENDING:c=1 4/0x1000148" },
#endif
};

/* Faults: the error, a part of the sentence, the column of the caret (-1: there is none). */
static const struct {
	const char *spec;
	int err;
	const char *says;
	int caret;
} bad[] = {
	{ "", -EINVAL, "an event is missing here", 0 },
	{ " ", -EINVAL, "an event is missing here", 1 },
	{ ",", -EINVAL, "an event is missing here", 0 },
	{ "cs,", -EINVAL, "an event is missing here", 3 },
	{ "cs,,cs", -EINVAL, "an event is missing here", 3 },
	{ "{}", -EINVAL, "an event is missing here", 1 },
	{ "{cs,}", -EINVAL, "an event is missing here", 4 },
	{ "cycles:z", -EINVAL, "no modifier", 7 },
	{ "cycles:uz", -EINVAL, "no modifier", 8 },
	{ "cs,cycles:kuz", -EINVAL, "no modifier", 12 },
	{ "cycles:", -EINVAL, "modifiers are missing", 7 },
	{ "cycles:uu", -EINVAL, "twice", 8 },
	{ "cycles:ukIu", -EINVAL, "twice", 10 },
	{ "cycles:pppp", -EINVAL, "more than three p", 10 },
	{ "sched:sched_switch:z", -EINVAL, "no modifier", 19 },
	{ "sched:sched_switch:DD", -EINVAL, "twice", 20 },
	{ "sched:*:kk", -EINVAL, "twice", 9 },
	{ "msr/tsc/z", -EINVAL, "no modifier", 8 },
	{ "msr/tsc/:", -EINVAL, "no modifier", 8 },
	{ "msr/tsc/uu", -EINVAL, "twice", 9 },
	{ "msr/tsc/u/", -EINVAL, "no modifier", 9 },
	{ "msr/tsc", -EINVAL, "no closing", 3 },
	{ "/tsc/", -EINVAL, "name of a PMU", 0 },
	{ "msr/event=/", -EINVAL, "value is missing", 10 },
	{ "msr/=3/", -EINVAL, "term is missing", 4 },
	{ "msr/tsc,/", -EINVAL, "term is missing", 8 },
	{ "msr/,tsc/", -EINVAL, "term is missing", 4 },
	{ "msr/event=abc/", -EINVAL, "not a number", 10 },
	{ "msr/event=-1/", -EINVAL, "not a number", 10 },
	{ "msr/event= 1/", -EINVAL, "not a number", 10 },
	{ "msr/event=1x/", -EINVAL, "not a number", 10 },
	{ "msr/event=0x/", -EINVAL, "not a number", 10 },
	{ "msr/event=18446744073709551616/", -EINVAL, "not a number", 10 },
	{ "msr/event/", -EINVAL, "needs a value", 4 },
	{ "cpu/event=0x100/", -EINVAL, "takes 0…0xff", 10 },
	{ "cpu/edge=2/", -EINVAL, "takes 0…0x1", 9 },
	{ "cpu/event_x=0x1000/", -EINVAL, "takes 0…0xfff", 12 },
	{ "cpu/sparse=16/", -EINVAL, "takes 0…0xf", 11 },
	{ "cpu/needy/", -EINVAL, "needs a value: cpu/needy,event=…/", 4 },
	{ "cpu/odd/", -EINVAL, "later", 4 },
	{ "cs,cpu/odd/", -EINVAL, "later", 7 },
	{ "cycles/event=1/", -EINVAL, "has the terms name", 7 },
	{ "cycles/name=/", -EINVAL, "has the terms name", 7 },
	{ "{cs", -EINVAL, "no '}'", 0 },
	{ "cs,{cs,faults", -EINVAL, "no '}'", 3 },
	{ "cs}", -EINVAL, "out of place", 2 },
	{ "{cs,u:./app:f(a,b),faults}", -EINVAL, "cannot be used by this command", 4 },
	{ "{ u:/a/b:f,cs},cs", -EINVAL, "cannot be used by this command", 2 },
	{ "cs,u:/a/b:f", -EINVAL, "cannot be used by this command", 3 },
	{ "a{b}", -EINVAL, "out of place", 1 },
	{ "{cs,{faults}}", -EINVAL, "do not nest", 4 },
	{ "{cs}x", -EINVAL, "only ':' and modifiers", 4 },
	{ "{cs}u", -EINVAL, "only ':' and modifiers", 4 },
	{ "{cs}:", -EINVAL, "modifiers are missing", 5 },
	{ "{cs}:uz", -EINVAL, "no modifier", 6 },
	{ "{cs}{cs}", -EINVAL, "only ':' and modifiers", 4 },
	{ "{cs,faults:D}", -EINVAL, "whole group", 11 },
	{ "{cs,faults:ue}", -EINVAL, "whole group", 12 },
	{ "{cs,msr/tsc/W}", -EINVAL, "whole group", 12 },
	{ "{cs:pp}:pp", -EINVAL, "more than three p", 1 },
	{ "nosuchthing", -ENOENT, "bpfperf list", -1 },
	{ "cycels", -ENOENT, "did you mean cycles?", -1 },
	{ "cycels:u", -ENOENT, "'cycels'; did you mean cycles?", -1 },
	{ "intructions", -ENOENT, "did you mean instructions?", -1 },
	{ "LLC-lodas", -ENOENT, "did you mean LLC-loads?", -1 },
	{ "shed:*", -ENOENT, "did you mean sched:*?", -1 },
	{ "shed:sched_switch", -ENOENT, "did you mean sched:sched_switch?", -1 },
	{ "sched:sched_swich", -ENOENT, "did you mean sched:sched_switch?", -1 },
	{ "sched:sched_swich:u", -ENOENT, "did you mean sched:sched_switch?", -1 },
	{ "sched:*swich*", -ENOENT, "did you mean sched:sched_switch?", -1 },
	{ "sched_switch", -ENOENT, "did you mean sched:sched_switch?", -1 },
	{ "sched:", -ENOENT, "bpfperf list", -1 },
	{ ":sched_switch", -ENOENT, "sched:sched_switch", -1 },
	{ ":", -ENOENT, "bpfperf list", -1 },
	{ "::", -ENOENT, "bpfperf list", -1 },
	{ "sched:gone", -ENOENT, "bpfperf list", -1 },
	{ "sched:broken", -EBADMSG, "format of sched:broken", -1 },
	{ "ftrace:print", -ENOENT, "bpfperf list", -1 },
	{ "mem:", -EINVAL, "address is missing", 4 },
	{ "cs,mem:x", -EINVAL, "address is missing", 7 },
	{ "mem:0x10/", -EINVAL, "length in bytes is missing", 9 },
	{ "mem:0x10/0", -EINVAL, "length in bytes is missing", 10 },
	{ "mem:0x10/8x", -EINVAL, "only a length and kinds", 10 },
	{ "mem:0x10:q", -EINVAL, "no modifier", 9 },
	{ "mem:0x10:rw:uu", -EINVAL, "twice", 13 },
	{ "mem:99999999999999999999", -EINVAL, "address is missing", 24 },
	{ "cycles/aux-action=none/", -EINVAL, "aux-action=start-paused", 7 },
	{ "cpu/event=1,aux-sample-size=70000/", -EINVAL, "aux-sample-size=0", 12 },
	{ "cycles/call-graph=frames/", -EINVAL, "call-graph=fp, dwarf, lbr or no", 7 },
	{ "cycles/stack-size=65529/", -EINVAL, "stack-size=1…65528", 7 },
	{ "cycles/max-stack=0/", -EINVAL, "max-stack=1…65535", 7 },
	{ "cycles/time=2/", -EINVAL, "time=0 or 1", 7 },
	{ "cycles/branch_type=u/", -EINVAL, "branch_type=any", 7 },
	{ "cycles/depth=2/", -EINVAL, "max-stack", 7 },
	{ "sched:sched_switch/depth=2/", -EINVAL, "max-stack", 19 },
	{ "sched:sched_switch/max-stack=2", -EINVAL, "no closing", 18 },
	{ "sched:gone/max-stack=2/", -ENOENT, "bpfperf list", -1 },
	{ "cpu/aux-action/", -EINVAL, "aux-action=start-paused", 4 },
	{ "../sched:sched_switch", -EINVAL, "no closing", 2 },
	{ "r", -ENOENT, "bpfperf list", -1 },
	{ "r1g", -ENOENT, "bpfperf list", -1 },
	{ "r11112222333344445", -ENOENT, "bpfperf list", -1 },
	{ "LLC-loads-loads", -ENOENT, "bpfperf list", -1 },
	{ "LLC-foo", -ENOENT, "bpfperf list", -1 },
	{ "msr/tcs/", -ENOENT, "did you mean tsc?", 4 },
	{ "msr/evnt=1/", -ENOENT, "did you mean event?", 4 },
	{ "msr/tsc,evnt=1/", -ENOENT, "did you mean event?", 8 },
	{ "cpu/backwards=1/", -ENOENT, "no event or term", 4 },
	{ "cpu/too_wide=1/", -ENOENT, "no event or term", 4 },
	{ "cpu/no_bits=1/", -ENOENT, "no event or term", 4 },
	{ "cpu/no_end=1/", -ENOENT, "no event or term", 4 },
	{ "mrs/tsc/", -ENOENT, "did you mean msr?", -1 },
	{ "nopmu/x=1/", -ENOENT, "no PMU 'nopmu'", -1 },
	{ "cas_count_read.scale", -ENOENT, "bpfperf list", -1 },
	{ "uncore_imc_0/cas_count_read.unit/", -ENOENT, "no event or term", 13 },
	{ "no\033such\nthing", -ENOENT, "no\\x1bsuch\\nthing", -1 },
};

static void check_good(const char *spec, const char *want)
{
	struct event_list list = { 0 };
	struct strbuf got = STRBUF_INIT;
	size_t i;
	const char *said;
	int err;

	tree_catch();
	err = event_list__add(&list, spec);
	said = tree_said();
	for (i = 0; i < list.cnt; i++)
		put_event(&got, list.events[i]);
	if (err)
		strbuf__printf(&got, " error %d: %s", err, said);
	is_str(strbuf__cstr(&got), want, "%s", spec);
	event_list__free(&list);
	strbuf__free(&got);
}

/* Column of the caret in its line, or -1. */
static int caret_of(const char *said)
{
	const char *last = strrchr(said, '\n');

	if (!last || last == said || last[-1] != '^')
		return -1;
	for (last--; last > said && last[-1] == ' '; last--)
		;
	return (int)strcspn(last, "^") - 2;
}

static void check_bad(size_t row)
{
	struct event_list list = { 0 };
	const char *said, *newline;
	int err;

	tree_catch();
	err = event_list__add(&list, bad[row].spec);
	event_list__free(&list);
	said = tree_said();
	is_s64(err, bad[row].err, "bad row %zu: the error", row);
	if (!ok(strstr(said, bad[row].says) != NULL, "bad row: the message is %s", bad[row].says))
		diag("%s", said);
	is_s64(caret_of(said), bad[row].caret, "bad row: the caret's place");
	newline = strchr(said, '\n');
	ok(!strncmp(said, "bpfperf: error: ", 16) && newline &&
		   (bad[row].caret >= 0 || !newline[1]),
	   "bad row: one sentence");
}

static void check_terms(void)
{
	struct event_list list = { 0 };

	is_s64(event_list__add(&list, "irq:*,cs"), 0, "a list takes two terms");
	is_s64(event_list__add(&list, "{faults,cycles}"), 0, "a group is one term");
	is_s64(event_list__add(&list, "{dummy}"), 0, "a second group is one term");
	is_s64(event_list__add(&list, "irq:irq_handler_exit"), 0,
	       "an event that is there is taken again");
	is_u64(list.cnt, 6, "an event that is there is not added twice");
	is_s64(list.term_cnt, 5, "a list counts its terms");
	is_s64(list.events[0]->term, 0, "the first event is of the first term");
	is_s64(list.events[1]->term, 4, "an event named twice is of the last term");
	ok(!list.events[1]->from_glob, "an event named twice keeps its own name");
	ok(list.events[0]->from_glob, "another event is of the glob");
	is_s64(list.events[2]->term, 1, "an event of the second term");
	is_s64(list.events[4]->term, 2, "an event of the group's term");
	is_s64(list.events[4]->group, 0, "an event of the first group");
	is_s64(list.events[5]->group, 1, "an event of the second group");
	ok(list.events[0]->fmt && list.events[0]->fmt->id == 101, "the format of an event is read");
	ok(!event__is_hw(list.events[0]) && !event__is_hw(list.events[2]),
	   "tracepoints and software events are no hardware");
	ok(event__is_hw(list.events[4]), "a hardware event is hardware");
	event_list__free(&list);
}

static void check_kinds(void)
{
	static const struct {
		const char *spec;
		enum event_kind kind;
		bool is_hw;
	} rows[] = {
		{ "cs", EVENT_SOFTWARE, false },
		{ "cycles", EVENT_HARDWARE, true },
		{ "LLC-loads", EVENT_HARDWARE, true },
		{ "r3c", EVENT_RAW, true },
		{ "cpu/event=1/", EVENT_PMU, true },
		{ "msr/tsc/", EVENT_PMU, false },
		{ "armv8_pmuv3_0/event=1/", EVENT_PMU, true },
		{ "uncore_imc_0/event=1/", EVENT_PMU, false },
		{ "irq:irq_handler_exit", EVENT_TRACEPOINT, false },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct event_list list = { 0 };

		event_list__add(&list, rows[i].spec);
		ok(list.cnt == 1 && list.events[0]->kind == rows[i].kind, "kind of %s",
		   rows[i].spec);
		ok(list.cnt == 1 && event__is_hw(list.events[0]) == rows[i].is_hw,
		   "%s is%s hardware", rows[i].spec, rows[i].is_hw ? "" : " no");
		event_list__free(&list);
	}
}

/* No PMU, no tracefs: what still works, and what is said of the rest. */
static void check_bare_machine(void)
{
	struct event_list list = { 0 };
	char path[512];

	is_str(event__default_profile(), "cycles", "a PMU serves cycles");
	snprintf(path, sizeof(path), "%s/nowhere", tree);
	pmu__set_sysfs(path);
	is_str(event__default_profile(), "cpu-clock", "without a PMU the default is the clock");
	is_s64(event_list__add(&list, "cycles:u,cs,r3c"), 0,
	       "names need neither sysfs nor tracefs");
	tree_catch();
	ok(event_list__add(&list, "msr/tsc/") == -ENOENT, "names of PMU events need sysfs");
	tree_said();
	tracefs__set_dir(path);
	is_s64(event_list__add(&list, "cycles:u"), 0, "modifiers are no tracepoint");
	tree_catch();
	ok(event_list__add(&list, "sched:*") == -ENODEV, "tracepoints need tracefs");
	ok(strstr(tree_said(), "CONFIG_EVENT_TRACING") != NULL,
	   "tracepoints without tracefs: the message names tracefs");
	event_list__free(&list);
}

int main(void)
{
	size_t i;

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	tree_make();
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		check_good(good[i].spec, good[i].want);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_bad(i);
	check_terms();
	check_kinds();
	check_bare_machine();
	return done_testing();
}
