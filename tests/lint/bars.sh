#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# One place for each thing: what docs/internals.md says is done once is done in one file. Sizes of files and functions, and
# the beginnings of comments, are in source.sh.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

# Prints the files below src/ that have a line with the pattern, and how often: "FILE:N …".
places() { # REGEX [GREP-OPTION…]
	grep -rcE "$@" src | grep -v ':0$' | sort | tr '\n' ' '
}

files() { # REGEX
	places "$@" | sed -E 's/:[0-9]+ / /g'
}

is "$(files 'case PERF_RECORD_(FORK|COMM|EXIT|MMAP2?|KSYMBOL):')" "src/machine/proc_event.c " \
	"process records are taken apart in one file"
is "$(places 'epoll_create1?\(' --exclude-dir=source)" "src/run/loop.c:1 " "one loop waits, outside of source/"
is "$(places '\(\*?[a-z_]*epoll_(p?wait2?)\(|[^_]epoll_p?wait2?\(' --exclude-dir=source)" "src/run/loop.c:1 " \
	"one place waits for descriptors"
# Single descriptors: the question whether breakpoints fire, an event that keeps a tracepoint on, a tracepoint's own count, the question whether AUX areas work, and one that
# tells whether a CPU stayed.
is "$(files 'perf_fd__open\(' --include=*.c)" \
	"src/perf/breakpoints.c src/perf/cpu_watch.c src/perf/evset_open.c src/perf/perf_fd.c src/perf/sampling_aux.c src/perf/tp_keepalive.c src/session/tp_witness.c " \
	"one layout of events, CPUs and threads opens them: src/perf/evset.h"
# Questions to the kernel, rings of BPF output, libbpfperf, and a process that has nothing but descriptors.
is "$(files 'SYS_perf_event_open')" \
	"src/kernel/checkup_perf.c src/perf/perf_fd.c src/perf/perf_probe.c src/selfmon/counter.c src/session/detach_helper.c src/source/flight.c " \
	"perf_event_open(2) is called by perf_fd__open() but where nothing of perf/ is at hand"
is "$(files '[^=]= PERF_COUNT_SW_BPF_OUTPUT')" "src/source/ring_sample.h " "one attr of the events that BPF programs write through"
is "$(files 'DW_EH_PE_pcrel')" "src/unwind/reader.c " "one parser of call frame information"
# Two searches end early where a table of Go is damaged.
is "$(files '\(?(hi|high|end|to)_? - (lo|low|from|first)_?\) / 2')" "src/sym/go_inlines.c src/sym/go_table.c src/util/partition.h " \
	"what is sorted is searched by partition_point()"
# The functions of earlier stages that the sinks call, but for those that read the sample or the event at hand.
mapfile -t called < <(grep -rhoE '\b[a-z_0-9]+__[a-z_0-9]+\(' src/sink/*.[ch] | sort -u)
shopt -s extglob
asked=$(for call in "${called[@]}"; do
	grep -qE "^[a-z].*[ *]${call%(}\(" src/{source,machine,decode}/!(sample|proc_event).h && echo "$call)"
done | xargs)
is "$asked" "$(sed -n '/^| `src\/sink\/.* | decode |/p' docs/internals.md | grep -oE '[a-z_0-9]+__[a-z_0-9]+\(\)' | sort -u | xargs)" \
	"docs/internals.md names the calls from sinks back to earlier stages"
between "$(cat src/cmd/*.[ch] | wc -l)" 1 6500 "src/cmd/ has commands and options: at most 6500 lines"
between "$(grep -rhoiwE 'who|whom|whose|nobody|everybody' src | wc -l)" 0 40 \
	"programs and records are it: who, whom, whose, nobody and everybody at most 40 times in src/"
done_testing
