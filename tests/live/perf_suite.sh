#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# perf's own tests, which its package installs, with bpfperf in place of perf's stat, record, script, report and list:
# tests/perf-suite has the shim, the runner, and the table of all tests with their results.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf python3 cc bc

suite=$TOP/tests/perf-suite
table=$suite/table
installed=/usr/lib/perf-core/tests
ok "perf-suite: perf's tests are installed" test -d $installed/attr -a -d $installed/shell
(cd $installed && find attr shell -name 'test-*' -o -name '*.sh' -path 'shell/*' ! -path '*/lib/*') | sort >there.txt
awk '!/^#/ && NF { print $2 }' "$table" | sort -u >known.txt
# A perf of another version has other tests; the reasons in the table are those of 6.1.
if [[ $(perf --version) = "perf version 6.1."* ]]; then
	same there.txt known.txt "perf-suite: the table has each test that is installed, and no other"
fi
comm -12 there.txt known.txt >both.txt
awk 'NR == FNR { both[$1]; next } !/^#/ && NF && $2 in both && $3 != "-" { print $1 "/" $2 }' both.txt "$table" >wanted.txt
mkdir log
mapfile -t wanted <wanted.txt
SUITE_LOG=$TMP/log "$suite/run" "${wanted[@]}" >results.txt
is "$(wc -l <results.txt)" "${#wanted[@]}" "perf-suite: each test that applies was run"

# No test of these says what is printed.
"$BPFPERF" stat -x, --no-merge -e cpu-clock,cs -- true >apart.csv
is "$(cut -d, -f3 apart.csv | paste -sd,)" cpu-clock,cs "stat --no-merge: all counts are printed"

# Grades: a failure, less than all, all.
grade() { # RESULT
	case $1 in
	fail) echo 0 ;;
	skip | unsupp) echo 1 ;;
	ok-*) echo $((100 - ${1#ok-})) ;;
	ok) echo 100 ;;
	esac
}
while read -r machine test real ours calls; do
	name="perf-suite $machine/$test"
	read -r _ _ was_real was_ours reason < <(awk -v m="$machine" -v t="$test" '$1 == m && $2 == t' "$table")
	if [[ $reason = bpfperf:* ]]; then
		is "$ours" "$was_ours" "$name: the result of the table, whatever perf's is"
		continue
	fi
	if [ "$(grade "$ours")" -ge "$(grade "$real")" ]; then
		pass "$name: bpfperf does what perf does"
	else
		diag "perf: $real, bpfperf: $ours; commands that perf ran: $calls"
		diag "$(tail -n 8 "log/$machine.${test//\//.}.shim")"
		fail "$name: bpfperf does what perf does"
	fi
	if [ "$real" = "$was_real" ]; then
		is "$ours" "$was_ours" "$name: the result of the table"
	fi
done <results.txt
done_testing
