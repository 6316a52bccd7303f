#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# recordings.sh [--update]: recordings made in memory (recordings.c) as `bpfperf script`, `report`
# and `stack -i` print them, in each format and with each option that changes it, against
# tests/golden/data/recordings/. A format that a command offers, and that has no golden file, fails:
# --update writes it. Read what it has written before it is committed.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=golden.bash
. "$TOP/tests/golden/golden.bash"
golden_begin recordings "$@"
golden_program recordings
ok "recordings: the recordings are made" as_user ../recordings

# Prints the formats that a command offers: its error message names them.
formats_of() { # CMD [ARG…]
	as_user "$BPFPERF" "$@" --format nosuch 2>&1 | sed -n 's/.*choose from: //p'
}

# Runs a command that writes FORMAT, and compares what it has written, decoded, with FILE.
golden_format() { # FILE FORMAT CMD [ARG…]
	local file=$1 format=$2

	shift 2
	if ! as_user "$BPFPERF" "$@" --format "$format" >made 2>err; then
		fail "recordings: $file: bpfperf $* succeeds" "$(cat err)"
		return
	fi
	golden_decoded "$format" made >"out/$file"
	golden "$file" "$file, by bpfperf $1,"
}

# The eight kinds of files (either byte order, file or pipe, packed or not) hold the same records, and
# must be printed alike.
fields=tid,time,event,period,addr,ip,trace
for kind in 0 1 2 3 4 5 6 7; do
	golden_of made.script "$BPFPERF" script -i made-$kind.data
	golden_of made.script-F "$BPFPERF" script -i made-$kind.data -F $fields
	# The stack is one address of this machine's kernel.
	as_user "$BPFPERF" script -i made-$kind.data --format json 2>err |
		sed 's/"stack":\[.*\]/"stack":STACK/' >out/made.script.json
	golden made.script.json "made.script.json, of made-$kind.data,"
done
golden_of made.script-D "$BPFPERF" script -i made-0.data -D
golden_of made.script-D-swapped "$BPFPERF" script -i made-1.data -D

# Registers have the names of the recording's architecture, not of this machine's.
for arch in x86_64 aarch64; do
	golden_of regs-$arch.script-F "$BPFPERF" script -i regs-$arch.data -F tid,event,addr,ip,iregs,uregs
	golden_of regs.script-D "$BPFPERF" script -i regs-$arch.data -D
done

script() { # FILE ARG…
	golden_of "demo.script$1" "$BPFPERF" script -i demo.data "${@:2}"
}

script ''
script -D -D
script -ns --ns
script -G -G
script -max-stack --max-stack 2
script -time --time 7000.004,7000.009
script -pid --pid 4250
script -tid --tid 4241
script -comms --comms 'child "c"'
for field in comm pid tid cpu time period event trace addr ip sym symoff dso; do
	script "-F-$field" -F "$field"
done
script -F-all -F comm,pid,tid,cpu,time,period,event,trace,addr,ip,sym,symoff,dso
script -F-less -F -comm,-cpu

for format in $(formats_of script -i demo.data); do
	golden_format "demo.script.$format" "$format" script -i demo.data
	golden_format "regs.script.$format" "$format" script -i regs-x86_64.data
	golden_format "cpus.script.$format" "$format" script -i cpus.data
done

# Branch stacks are summed up, without branches that were taken by speculation alone.
for format in autofdo bolt; do
	golden_format "branches.script.$format" "$format" script -i branches.data
	golden_format "branches.script.$format" "$format" script -i branches.data --binary libdemo.so
done
golden_of branches.script-F "$BPFPERF" script -i branches.data -F ip,sym,brstack

report() { # FILE ARG…
	golden_of "demo.report$1" "$BPFPERF" report -i demo.data "${@:2}"
}

report ''
for key in comm dso sym pid tid cpu event srcline trace; do
	report "-s-$key" -s "$key" -g none
done
golden_of made.report-s-facts "$BPFPERF" report -i made-0.data -s weight,local_weight,cgroup,time,socket --time-quantum 1us
report -s-several -s comm,sym,cpu --no-children
report -children --children
for graph in graph fractal caller callee 20; do
	report "-g-$graph" -g "$graph" -s sym
done
report -percent-limit --percent-limit 30
report -no-demangle --no-demangle -s sym -g none
report -max-stack --max-stack 2 -s sym
for format in $(formats_of report -i demo.data); do
	golden_format "demo.report.$format" "$format" report -i demo.data
done
for by in process thread cpu; do
	report "-by-$by" --format tree --by "$by"
done

# Saved profiles are read again, from each of the formats that hold all of a profile.
as_user "$BPFPERF" report -i demo.data --format json -o now.json 2>err
as_user "$BPFPERF" report -i demo.data --format flame -o now.html 2>err
as_user "$BPFPERF" report -i demo.data --format folded -o now.folded 2>err
printf 'worker;main;parse_line;lex_token 5\nworker;main;gone 3\n' >before.folded
for format in $(formats_of stack -i now.json); do
	# Sums cannot become a recording.
	[ "$format" != perf ] || continue
	golden_format "saved.stack.$format" "$format" stack -i now.json
done
for from in html folded; do
	golden_format "saved-$from.stack.json" json stack -i now.$from
done
for format in tree folded flame json; do
	golden_format "saved.stack-diff.$format" "$format" stack -i now.json --diff before.folded
done
# A saved comparison is read as one, and --diff replaces its older profile.
for from in flame json; do
	as_user "$BPFPERF" stack -i now.json --diff before.folded --format $from -o diff.$from 2>err
	golden_format saved.stack-diff.tree tree stack -i diff.$from
	golden_format saved.stack-diff.folded folded stack -i diff.$from
	golden_format saved.stack-diff.tree tree stack -i diff.$from --diff before.folded
	golden_format saved.stack.speedscope speedscope stack -i diff.$from
	like "$(cat err)" "diff.$from is a comparison, and --format speedscope cannot show differences; " \
		"recordings: stack -i diff.$from --format speedscope: the older profile is missing, which is logged"
done
as_user "$BPFPERF" stack -i now.json --diff before.folded --format folded -o diff.folded 2>err
golden_format saved-folded.stack-diff.folded folded stack -i diff.folded
golden_end
