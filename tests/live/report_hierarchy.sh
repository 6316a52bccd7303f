#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# report --hierarchy: lines as a tree, with the rows and shares of perf report --hierarchy --stdio.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=perf_report.bash
. "$TOP/tests/live/perf_report.bash"
need_root
need_tracefs
need_built
need_cmd perf python3 cc

# Widths of columns are those of the widest cell; perf counts some cells that it hides. It has other names for stubs of the
# linkage table. Rows of equal shares are in one order.
canon() {
	sed -E '/^# To display the perf.data/d; /^# (\(Tip:|\(Cannot|Branch Stat)/,$d; s/[A-Za-z0-9_.]+@plt/@plt/' |
		sed -E '/^#/{s/ +/ /g; s/\.\.+/../g}; s/ +$//' | python3 "$TOP/tests/live/report_canon.py" --user |
		sed -e :a -e '/^[#\n]*$/{$d;N;ba' -e '}'
}

tree() { # NAME OPTION…: of NAME.data
	local name=$1

	shift
	perf report --stdio --hierarchy -i "$name.data" "$@" 2>perf.err </dev/null | canon >perf.txt &
	"$BPFPERF" report -H -i "$name.data" "$@" 2>ours.err >ours.raw || fail "$name: report -H $* exits 0" "$(cat ours.err)"
	canon <ours.raw >ours.txt
	wait $!
	between "$(grep -vc '^#' perf.txt)" 1 1000000 "$name: perf report prints a tree $*"
	same ours.txt perf.txt "$name: a tree as perf report prints it $*"
}

make_work
libc=$(basename "$(ldd "$(readlink -f /bin/sh)" | grep -oE '/[^ ]*/libc\.[^ ]*')")

ok "perf records two events" perf_record -q --no-bpf-event -W --all-cgroups --sample-cpu -e cpu-clock:u,page-faults:u -F 1997 \
	-o flat.data sh work.sh
for how in "" "-s comm,dso,sym" "-s dso,comm" "-s sym,comm" "-s pid,dso -n" "-n --show-total-period -s dso,cpu,comm" \
	"-s socket,cgroup,weight" "-s comm,local_weight,sym" "-s trace,comm" "-t , -n" "-q -s comm,dso" "--group -s comm,dso"; do
	# shellcheck disable=SC2086
	tree flat $how
done
# Keys in braces are one level.
tree flat -s '{comm,dso},sym'
tree flat -n -s 'comm,{dso,sym}'
# Children below the limit have one line in their place.
tree flat --percent-limit 7
tree flat --percent-limit 60
tree flat -t , --percent-limit 20
like "$(cat ours.raw)" ' +no entry >= 20\.00%' "report -H: children that are all too small have a line"

# Above the level of a filter a line has the share of all its samples; with relative shares, and where no level has the filter's
# name, it has those alone that were selected (perf prints nothing of the latter).
most=$("$BPFPERF" report -q -i flat.data -s sym -S _start,dl_main,_int_free,__vfprintf_internal | sed -n 's/.*\[.\] //p' | sort -u | tr '\n' ,)
isnt "$most" "" "report -H -S: there are functions to select"
cpu=$("$BPFPERF" script -i flat.data -F cpu 2>/dev/null | tr -d ' []:' | sort | tail -n 1 | sed -E 's,^0+(.),\1,')
isnt "$cpu" "" "report -H -C: there is a CPU to select"
for how in "-c sh" "-d $libc" "-d $libc -s comm,dso" "-S ${most%,} -n" "-S ${most%%,*}" "-c sh -d $libc -s dso,comm" \
	"-c sh -S ${most%,}" "-s dso,comm,sym -c true" "-c sh --percentage relative" "--time 10%-60%" "-C $cpu -s cpu,comm"; do
	# shellcheck disable=SC2086
	tree flat $how
done
is "$("$BPFPERF" report -H -q -i flat.data -s dso,sym -n -c sh | awk 'NF == 3 { n += $2 } END { print n }')" \
	"$("$BPFPERF" script -i flat.data -c sh -F ip 2>/dev/null | grep -c .)" "report -H -c without a level of names: only selected samples count"

# Callchains are below the last level.
ok "perf records callchains" perf_record -q --no-bpf-event -g -e cpu-clock:u -F 1997 -o chain.data sh work.sh
for how in "" --no-children "-g none" "-g callee,3" "-gfractal" "-s sym,comm" "-s pid,dso --percent-limit 3" "-c sh -s comm,dso"; do
	# shellcheck disable=SC2086
	tree chain $how
done

# Events of a group are columns of one tree.
ok "perf records a group" perf_record -q --no-bpf-event -g -e '{cpu-clock:u,page-faults:u,context-switches:u}' -e minor-faults:u \
	-F 1997 -o group.data sh work.sh
for how in "" "-g none -n -s comm,dso --percent-limit 45" "-g none -t ," "-g none --no-group" "-g none -c sh -s dso,comm"; do
	# shellcheck disable=SC2086
	tree group $how
done

# The whole machine, events of several kinds.
ok "perf records the machine" perf_record -q -a --no-bpf-event -e cpu-clock,sched:sched_switch -F 997 -o wide.data sh work.sh
without_others wide.data
tree wide -s cpu,pid
tree wide -s pid,dso

# Branches, of made recordings.
cat >lines.c <<'C'
static volatile unsigned long sink;
__attribute__((noinline)) void inner(unsigned long n) { sink += n; }
int main(void)
{
	for (int i = 0; i < 377; i++)
		inner(100003);
}
C
ok "a program with functions is compiled" cc -g -O1 -o lines lines.c
ok "branches are made" python3 "$TOP/tests/live/made_data.py" branches simple.data ./lines plain
for how in "" "-s comm,dso_from,dso_to" "-n -s dso_from,cycles"; do
	# shellcheck disable=SC2086
	tree simple -b $how
done

# The text of perf script has no more than its lines.
perf script -i chain.data </dev/null >chain.txt 2>perf.err
"$BPFPERF" report -H -q -g none -i chain.txt >text.txt
"$BPFPERF" report -H -q -g none -i chain.data -s comm,dso,sym >ours.txt
is "$(grep -c '^    [ 0-9]' text.txt)" "$(grep -c '^    [ 0-9]' ours.txt)" "report -H of the text of perf script: as many threads"

exits 2 "report -H -F: exit 2" "$BPFPERF" report -H -i flat.data -F comm
exits 2 "report -s of an open brace: exit 2" "$BPFPERF" report -H -i flat.data -s 'comm,{dso,sym'
like "$(cat err)" '-s: each \{ needs one \}; write \{dso,sym\}$' "report -s of an open brace: the remedy is named"
done_testing
