#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script --itrace of CoreSight without the hardware: etm_make.py follows an arm64 program instruction by instruction, and
# writes what a trace unit writes of it; decoded, it is these instructions and branches, and what perf decodes.
. "$(dirname "$0")/../lib.sh"
need_built
need_cmd perf python3
TOOLS=aarch64-linux-gnu
if [ ! -x "${BPFPERF%/*}/bpfperf-etm" ]; then
	skip_all "libopencsd-dev is not installed"
fi
need_cmd $TOOLS-as $TOOLS-ld $TOOLS-objdump
# More of them by hand.
MAX=${ETM_MAX:-15013}
$TOOLS-as -o walk.o "$TOP/tests/itrace/etm_walk.s" && $TOOLS-ld -o walk walk.o || exit 1

make_data() { # NAME FLAG…
	local name=$1

	shift
	ok "etm_make ${*:-threads}: a program is followed" python3 "$TOP/tests/itrace/etm_make.py" "$name" walk $TOOLS-objdump "$MAX" 7 "$@"
}
by_thread() { # lines that begin with a tid
	grep -v gap: | sed -E 's/=>//; s/ +/ /g; s/^ //; s/ $//' | sort -s -k1,1
}
# Decodes NAME.data: the branches to NAME.b, what is said of it to NAME.err.
decode() { # NAME
	"$BPFPERF" -v script -i "$1.data" --itrace=b -F tid,ip,addr >"$1.out" 2>"$1.err"
	by_thread <"$1.out" >"$1.b"
}
sums() { # NAME: captured - decoded - skipped, and skipped - the gaps
	sed -nE 's/.*trace: ([0-9]+) bytes captured, ([0-9]+) decoded, ([0-9]+) skipped/\1 \2 \3/p' "$1.err" >sums
	awk -v gaps="$(awk '/gap:/ { for (i = 2; i <= NF; i++) if ($i ~ /^bytes/) n += $(i - 1) } END { print n + 0 }' "$1.out")" \
		'{ print $1 - $2 - $3, $3 - gaps }' sums
}
compare() { # NAME WHAT
	decode "$1"
	by_thread <"$1.branches" >steps
	same "$1.b" steps "$2: --itrace=b prints the branches that were taken"
	"$BPFPERF" script -i "$1.data" --itrace=i1i -F tid,ip 2>/dev/null | by_thread >ours
	by_thread <"$1.steps" >steps
	same ours steps "$2: --itrace=i1i prints the instructions that ran"
	between "$(wc -l <"$1.b")" $((MAX / 4)) $((MAX / 2)) "$2: they are many"
	is "$(sums "$1")" "0 0" "$2: decoded + skipped = captured"
	like "$(cat "$1.err")" " decoded, 0 skipped" "$2: no byte is skipped"
}
# perf 6.1 does not tell that a trace ends with its last bytes.
theirs() { # NAME FIELDS ENDS
	perf script -i "$1.data" --itrace=b -F "$2" 2>/dev/null | by_thread | sed -E 's/ ilen:.*//' >theirs
	"$BPFPERF" script -i "$1.data" --itrace=b -F "$2" 2>/dev/null | by_thread | sed -E 's/ ilen:.*//' >ours
	is "$(diff ours theirs | grep -c '^>') $(diff ours theirs | grep -c '^<')" "0 $3" "$1, -F $2: perf's, and $3 more: where the areas end"
}

make_data threads
compare threads threads
theirs threads tid,ip,addr 4
theirs threads tid,event,flags,ip 4
theirs threads tid,ip,insn,insnlen 4
make_data raw raw
compare raw "no frames"
theirs raw tid,ip,addr 4
make_data lost overflow
compare lost overflows
theirs lost tid,event,flags,ip,addr 4
like "$(cat lost.err)" "dropped packets of its trace [0-9]+ times" "overflows: they are counted"
like "$(grep -m1 gap: lost.out)" "trace overflow, 0 bytes" "overflows: they stand in their place"
for flags in "cpus" "cpus shared" "cpus raw ete" "cpus times" "cpus hw-ids" "cpus shared times overflow" no-aux idle; do
	read -ra list <<<"$flags"
	make_data more "${list[@]}"
	compare more "$flags"
done

# Addresses alone: perf 6.1 finds some threads late.
make_data cpus cpus
decode cpus
perf script -i cpus.data --itrace=b -F ip,addr 2>/dev/null | sed 's/ *$//' | sort >theirs
"$BPFPERF" script -i cpus.data --itrace=b -F ip,addr 2>/dev/null | sed 's/ *$//' | sort >ours
is "$(diff ours theirs | grep -c '^>') $(diff ours theirs | grep -c '^<')" "0 2" "cpus: perf's branches, and 2 more: where the areas end"
"$BPFPERF" script -i cpus.data --itrace=b -F cpu,tid 2>/dev/null | awk '{ print $2, $1 }' | sort -u >ours
printf '[000] 4000\n[000] 4002\n[001] 4001\n[001] 4003\n' >want
same ours want "cpus: each thread on its CPU"
make_data timed cpus times
"$BPFPERF" script -i timed.data --itrace=b -F time,ip 2>/dev/null | awk '{ bad += $1 + 0 < last; cnt += $1 + 0 > last; last = $1 + 0 } END { print bad + 0, (cnt > 100) }' >ours
is "$(cat ours)" "0 1" "times: in their order, from the timestamps"
for period in 100i 10us; do
	"$BPFPERF" script -i timed.data --itrace=i$period -F tid,period,ip >ours 2>/dev/null
	between "$(awk '{ n += $2 } END { print n + 0 }' ours)" $((MAX / 2)) "$(wc -l <timed.steps)" \
		"--itrace=i$period: the periods add up to the instructions"
done
"$BPFPERF" report -i threads.data --itrace=i1i --stdio 2>/dev/null | sed -nE 's/^ +[0-9.]+% .*\[\.\] (.*[^ ]) *$/\1/p' | sort >ours
$TOOLS-nm -n walk >symbols
python3 - threads.steps symbols >want <<-'END'
	import bisect, sys
	syms = [(int(a, 16), n) for a, t, n in map(str.split, open(sys.argv[2])) if t in "tT" and not n.startswith("$")]
	at = [a for a, _ in syms]
	print("\n".join(sorted({syms[bisect.bisect_right(at, int(l.split()[1], 16)) - 1][1] for l in open(sys.argv[1])})))
END
same ours want "report --itrace: the functions that ran"
"$BPFPERF" script -i threads.data --itrace=i50ig -F tid,ip,sym 2>/dev/null >chains
like "$(tr '\n' ' ' <chains)" "depth[[:space:]]+[0-9a-f]+ depth[[:space:]]+[0-9a-f]+ again" "--itrace=g: callchains have the calls"

# Damage.
for flags in garbage "garbage raw cpus" cut few "few cpus shared"; do
	read -ra list <<<"$flags"
	make_data bad "${list[@]}"
	decode bad
	is "$(sums bad)" "0 0" "$flags: decoded + skipped = captured, and the gaps have all that was skipped"
	between "$(awk '{ print $3 }' sums)" 7 "$(awk '{ print $1 - 1 }' sums)" "$flags: a part is skipped"
done
like "$(cat bad.err)" "bytes of units that the recording does not describe" "unknown units: says so"
like "$(grep -m1 gap: bad.out)" "trace of an unknown unit, [0-9]+ bytes" "unknown units: a gap has its cause"
make_data cut cut
decode cut
like "$(grep -m1 gap: cut.out)" "damaged trace, 9 bytes" "frames that are cut: a gap has its cause and length"
mv walk gone
decode threads
is "$(sums threads)" "0 0" "no program: decoded + skipped = captured"
like "$(grep -m1 gap: threads.out)" "no code for the trace, [0-9]+ bytes" "no program: a gap has its cause and length"
is "$(awk '$2 != 0' threads.b)" "" "no program: no branch of it is printed"
mv gone walk

# The program that decodes.
mkdir other
# A script is read without the privileges of root.
chmod 755 . other
ln "$BPFPERF" other/bpfperf 2>/dev/null || cp "$BPFPERF" other/bpfperf
exits 1 "no bpfperf-etm: exit 1" other/bpfperf script -i threads.data --itrace
like "$(cat err)" "bpfperf-etm is missing, which decodes CoreSight; install it .*libopencsd" "no bpfperf-etm: says what to do"
helper() { # COMMANDS
	printf '#!/bin/sh\n%s\n' "$1" >other/bpfperf-etm
	chmod +x other/bpfperf-etm
}
helper 'exit 4'
exits 1 "a bpfperf-etm of another version: exit 1" other/bpfperf script -i threads.data --itrace
like "$(cat err)" "not of bpfperf .*; install that of this version" "a bpfperf-etm of another version: says so"
helper 'exit 127'
exits 1 "a bpfperf-etm that lacks its library: exit 1" other/bpfperf script -i threads.data --itrace
like "$(cat err)" "bpfperf-etm cannot start; install the library" "a bpfperf-etm that lacks its library: says so"
exits 4 "bpfperf-etm started by another version: exit 4" "${BPFPERF%/*}/bpfperf-etm" 0 1 0.0.0
helper 'kill -SEGV $$'
exits 0 "bpfperf-etm crashes: exit 0" other/bpfperf script -i threads.data --itrace
like "$(cat err)" "bpfperf-etm ended [0-9]+ times" "bpfperf-etm crashes: says so"
like "$("$BPFPERF" --version -v)" "CoreSight .*bpfperf-etm .*libopencsd [0-9]" "--version -v: the library"
done_testing
