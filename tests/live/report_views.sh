#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# report: columns that -F chooses, in its order of rows, groups of events, and branches; as perf report --stdio prints them.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=perf_report.bash
. "$TOP/tests/live/perf_report.bash"
need_root
need_built
need_cmd perf python3 nm readelf

make_work

# Without a share rows are in the order of the first number, else of the names; what is not mapped is the last file.
ok "perf records two events" perf_record -q --no-bpf-event -W -e cpu-clock:u,page-faults:u -F 1997 -o flat.data sh work.sh
for fields in sample,comm period,comm overhead,sample,period,comm,dso sample,dso period,dso,comm comm,dso dso pid,comm \
	sample,cpu,comm sample,socket,comm local_weight,dso; do
	both flat -F $fields
done
both flat -s trace
ok "perf records callchains" perf_record -q --no-bpf-event -g -e cpu-clock:u -F 1997 -o chain.data sh work.sh
both chain -F comm,dso -g none
both chain -F sample,dso -g none
both chain -F overhead,comm,dso -g none

# Callchains in each of perf's forms, of a program with few places; rare ones are equal, and perf has those in the order of memory.
make_places
ok "perf records its callchains" perf_record -q --no-bpf-event -g -e cpu-clock:u -F 1997 -o places.data ./places
for words in flat,0.5,callee folded,0.5,callee graph,0.5,callee,function,count graph,0.5,caller,function,period \
	fractal,0.5,callee,function,count folded,0.5,caller,count flat,caller,function,period graph,0.5,2 graph,0.5,1,callee flat,0.5,1 \
	graph,0.5,caller,function,percent; do
	both places --no-children --percent-limit 6 -g "$words"
	both places -s sym --percent-limit 6 -g "$words"
done
both places -G --no-children --percent-limit 6
both places -U -g none --percent-limit 6
both places -f -s comm -g none
both places -x -p '^b$' -g none --no-children
both places -x -p '^b$' -g none --no-children --percentage relative

# Events of a group are columns side by side; those in which only members have samples are rows, too.
ok "perf records a group" perf_record -q --no-bpf-event -g -e '{cpu-clock:u,page-faults:u,context-switches:u}' -e minor-faults:u \
	-F 1997 -o group.data sh work.sh
for how in "-s comm,dso -g none" "-s comm -n --show-total-period --no-children -g none" "-s comm -t, -g none" \
	"-F sample,comm -g none" "--no-children -F overhead,sample,period,dso -g none" "-s dso --no-group -g none" \
	"-s comm --group -g none" "-s comm --percent-limit 7 -g none" "-q -s dso -g none"; do
	# shellcheck disable=SC2086
	both group $how
done
like "$(cat ours.raw)" '^ +[0-9.]+% +[0-9.]+% +0\.00% +[0-9.]+%' "report of a group: each event has a share in each row"
# Chains are those of the first event; branches of equal shares are in any order.
canon() {
	python3 "$TOP/tests/live/report_canon.py" <"$1"
}
perf report --stdio -i group.data --no-children -s comm --percent-limit 3 2>perf.err </dev/null | plain >perf.raw
"$BPFPERF" report -i group.data --no-children -s comm --percent-limit 3 2>ours.err | plain >ours.raw
canon perf.raw >perf.txt
canon ours.raw >ours.txt
between "$(grep -c -e '--[0-9.]*%--' perf.raw)" 3 1000000 "perf report prints chains of a group"
same ours.txt perf.txt "report of a group: chains as perf report prints them"
for how in "-s comm,dso" "-n -s dso -t :" "-F sample,dso"; do
	# shellcheck disable=SC2086
	both flat --group $how
done
ok "perf records a group of which the leader is sampled" perf_record -q --no-bpf-event -e '{cpu-clock:u,page-faults:u}:S' -F 1997 \
	-o sampled.data sh work.sh
both sampled -n -s comm,dso
"$BPFPERF" record -q -e '{cpu-clock:u,page-faults:u}' -F 1997 -o own.data sh work.sh 2>own.err
both own -s comm,dso

# Branches, of made recordings: rows of equal shares perf has in the order of memory. Its comparison of aborts and of
# mispredictions is no order, and so it has several rows of the same where these are one key of many.
branches() { # NAME OPTION…
	local name=$1

	shift
	perf report -b --stdio -i "$name.data" "$@" 2>perf.err </dev/null | sed '/^# Branch Statistics/,$d' | plain |
		python3 "$TOP/tests/live/report_canon.py" >perf.txt
	"$BPFPERF" report -b -i "$name.data" "$@" 2>ours.err >ours.raw || fail "$name: report -b $* exits 0" "$(cat ours.err)"
	plain <ours.raw | python3 "$TOP/tests/live/report_canon.py" >ours.txt
	between "$(grep -vc '^#' perf.txt)" 1 1000000 "$name: perf report prints rows of branches $*"
	same ours.txt perf.txt "$name: branches as perf report -b prints them $*"
}
make_lines
ok "branches are made" python3 "$TOP/tests/live/made_data.py" branches branches.data ./lines
ok "plain branches are made" python3 "$TOP/tests/live/made_data.py" branches simple.data ./lines plain
# With names of branches in -s perf 6.1 crashes; not in -F, nor by default.
for name in branches simple; do
	branches $name
	branches $name -s comm,dso_from,dso_to
	branches $name -F overhead,symbol_from,symbol_to
	branches $name -F overhead,dso_from,symbol_to,cycles
done
for keys in cycles in_tx abort sym,dso comm,sym,cycles; do
	branches simple -n -s $keys
done
branches simple -t , -s dso_from,cycles
# A function without lines has "??:0" in perf, and here its name and the offset.
srclines() {
	awk '!/^#/ && NF >= 3 { gsub(/[A-Za-z_]+[+][0-9]+/, "??:0"); n[$2 " " $3] += $1 } END { for (k in n) print n[k], k }' | sort
}
perf report -b --stdio -i branches.data -F sample,srcline_from,srcline_to 2>perf.err </dev/null | sed '/^# Branch Statistics/,$d' |
	srclines >perf.txt
"$BPFPERF" report -b -i branches.data -F sample,srcline_from,srcline_to 2>ours.err | srclines >ours.txt
between "$(wc -l <perf.txt)" 9 1000 "report -b -F srcline_from,srcline_to: perf has pairs of lines"
same ours.txt perf.txt "report -b -F srcline_from,srcline_to: the pairs of lines that perf has"
exits 2 "report -s srcline_to without -b: exit 2" "$BPFPERF" report -i simple.data -s srcline_to
"$BPFPERF" report -b -i simple.data -q -F sample,mispredict,abort >ours.txt 2>/dev/null
is "$(awk 'NF { n += $1; rows++ } END { print n, rows }' ours.txt)" "$("$BPFPERF" script -i simple.data -F brstack 2>/dev/null |
	grep -o 0x | wc -l | awk '{ print $1 / 2, 6 }')" "report -b: each branch is counted once, by what became of it"
exits 2 "report -s of branches without -b: exit 2" "$BPFPERF" report -i simple.data -s comm,symbol_to
like "$(cat err)" '-s: dso_from, dso_to, .* are keys of branches; give -b, too$' "report -s of branches without -b: the remedy is named"
exits 2 "report -b without branches: exit 2" "$BPFPERF" report -b -i flat.data
like "$(cat err)" '-b needs branch stacks, and flat.data has none; record with -b$' "report -b without branches: the remedy is named"
done_testing
