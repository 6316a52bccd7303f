# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Checks that all interpreters have, in python.sh and ruby.sh.

# A program that stops again and again (python_stops.py, ruby_stops.rb), with its own word in truth.json.
stops_are_equal() { # LANGUAGE KIND MIN PROGRAM CMD…
	local what="trace -g of $1, $4" kind=$2 min=$3 program=$4 said n
	shift 4
	exits 0 "$what: exit 0" "$BPFPERF" trace -g -m 16M --format json -o t.json -e syscalls:sys_enter_getppid -- "$@" "$program"
	said=$(python3 "$TOP/tests/live/interp_check.py" "$kind" truth.json t.json 2>differ)
	n=$(sed -n 's/^stops \([0-9]*\) .*/\1/p' <<<"$said")
	between "$n" "$min" 900 "$what: there are stops"
	is "$said" "stops $n equal $n other 0" "$what: each stack is the interpreter's" || diag "$(cut -c1-600 differ)"
	is "$(summary lost)" 0 "$what: nothing lost"
}

# Samples at any instruction, in spin.json and with their summary in `err`: each is a path that the program can take. A call of the
# loop that begins or ends has frames of one side only, and 3.11 and 3.12 link a frame to its caller some instructions after it
# became the thread's newest: such stacks are told, at most one of RARE.
paths_are_possible() { # LANGUAGE KIND RARE "CALLER=CALLEE…; …"
	local what="stack of $1" good bad none cut
	read -r good bad none <<<"$(python3 "$TOP/tests/live/interp_paths.py" "$2" spin.json "$4" 2>differ)"
	cut=$(sed -nE 's/.* ([0-9]+) frames of an interpreter that cannot be read.*/\1/p' err)
	between "$good" 500 5000 "$what: samples have its functions"
	between "$bad" 0 "${cut:-0}" "$what: each sample is a path of the program, or is said to be cut" ||
		diag "$(cut -c1-300 differ | head -5)"
	between "${cut:-0}" 0 $((good / $3)) "$what: few are cut"
	# Before the program begins there are the functions of the interpreter's start.
	between "$none" 0 $((good / 5)) "$what: others are of the interpreter's start"
}

# Twenty naps, in off.json.
naps_are_counted() { # LANGUAGE CALLER FUNCTION
	local naps
	naps=$(python3 -c 'import json, sys
print(sum(r["samples"] for r in map(json.loads, open(sys.argv[1])) if {*sys.argv[2:], "[sleeping]"} <= set(r.get("stack", ()))))' off.json "$2" "$3")
	between "$naps" 20 25 "stack --off-cpu of $1: each nap is of its function"
}
