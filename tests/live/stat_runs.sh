#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# stat: what starts, stops and surrounds its runs, beside perf stat.
# shellcheck disable=SC2086,SC2016 # words, and texts for another shell
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_root
need_cmd perf

loop="$WORKLOADS/syscall_loop 1009 getppid"
quiet="$loop >/dev/null"
enter=syscalls:sys_enter_getppid
mkfifo ctl ack

# The command itself enables the counters for the second of three loops, and disables them.
cat >switched.sh <<EOF
$quiet
echo enable >ctl && read -r answer <ack && echo "\$answer"
$quiet
echo disable >ctl && read -r answer <ack && echo "\$answer"
$quiet
EOF
for tool in "$BPFPERF" perf; do
	name=$(basename "$tool")
	exits 0 "$name stat --control: exit 0" timeout 100 "$tool" stat -D -1 --control fifo:ctl,ack -x , -o counts -e "$enter" -- \
		sh switched.sh
	is "$(awk -F , -v e="$enter" '$3 == e { print $1 }' counts)" 1009 "$name stat --control: calls between enable and disable"
	is "$(cat out)" "ack
ack" "$name stat --control: two answers"
done
# Switched twice while a child forks without end: each fork copies the events as they are at that moment.
cat >twice.sh <<EOF
while :; do /bin/true; done &
for word in enable disable enable disable; do
	$quiet
	echo \$word >ctl && read -r answer <ack
	[ \$word = disable ] || { $quiet && $quiet; }
done
kill \$!
EOF
exits 0 "stat --control of a child that forks: exit 0" timeout 100 "$BPFPERF" stat -D -1 --control fifo:ctl,ack -x , -o counts \
	-e "$enter" -- sh twice.sh
is "$(awk -F , -v e="$enter" '$3 == e { print $1 }' counts)" 6054 "stat --control of a child that forks: the calls of both times are counted"
# A whole run is ended by stop, and what was counted so far is printed.
exec 6<>ctl
printf 'enable\nstop\n' >&6
exits 0 "stat --control stop: exit 0" timeout 100 "$BPFPERF" stat -a -D -1 --control fd:6,5 -x , -e cpu-clock 5>acks
exec 6>&-
is "$(cat acks)" "ack
ack" "stat --control stop: both are answered"
like "$(cat out)" ',cpu-clock,' "stat --control stop: counts are printed"
exits 2 "stat --control of nothing: exit 2" "$BPFPERF" stat --control pipe:1 true
like "$(cat err)" 'give fd:CTL' "stat --control of nothing: the forms are named"
exits 2 "stat -D of no number: exit 2" "$BPFPERF" stat -D 0 true
like "$(cat err)" 'give milliseconds from 1' "stat -D of no number: the sentence"

# Both sides of the system, with perf's counts. openat(2) is traced in the kernel.
for side in user kernel; do
	for tool in "$BPFPERF" perf; do
		exits 0 "$(basename "$tool") stat --all-$side: exit 0" "$tool" stat "--all-$side" -x , -o "$(basename "$tool").csv" \
			-e "$enter,page-faults,dummy" -- $loop
		sed -i '/^#/d;/^$/d' "$(basename "$tool").csv"
	done
	is "$(sed -n 1p "$(basename "$BPFPERF").csv" | cut -d , -f 1-3)" "$(sed -n 1p perf.csv | cut -d , -f 1-3)" "stat --all-$side: calls are perf's"
	f=$(sed -n 2p perf.csv | cut -d , -f 1)
	between "$(sed -n 2p "$(basename "$BPFPERF").csv" | cut -d , -f 1)" $((f - 8)) $((f + 8)) "stat --all-$side: page faults are perf's or about"
done

# A table of runs: perf's text, with other times.
for tool in "$BPFPERF" perf; do
	"$tool" stat --table -r 3 -n -- true >"$(basename "$tool").txt" 2>&1
	sed -i -E 's/[0-9.]+/N/g; s/#+$/#/; s/[+-]N/N/; s/^ +//; s/ +/ /g' "$(basename "$tool").txt"
done
is "$(grep -c '^N (N) #' "$(basename "$BPFPERF").txt")" 3 "stat --table: a line for each run"
is "$(sed -n '/# Table/,/# Final/p' "$(basename "$BPFPERF").txt")" "$(sed -n '/# Table/,/# Final/p' perf.txt)" "stat --table: the table is perf's"

# Levels of detail, in one option and in three.
exits 0 "stat -d -d -d: exit 0" "$BPFPERF" stat -d -d -d -x , -- true
names() { # FILE
	cut -d , -f 3 "$1" | sort -u
}
names out >three
exits 0 "stat -ddd: exit 0" "$BPFPERF" stat -ddd -x , -- true
is "$(names out)" "$(cat three)" "stat -d -d -d: the events of -ddd"
perf stat -d -d -d -x , -o perf.csv -- true
is "$(cat three)" "$(sed '/^#/d;/^$/d' perf.csv | cut -d , -f 3 | sort -u)" "stat -d -d -d: events are perf's"

# Commands around each run.
rm -f steps
exits 0 "stat --pre --post: exit 0" "$BPFPERF" stat -r 3 --pre 'echo pre >>steps' --post 'echo post >>steps' -n -- sh -c 'echo run >>steps'
is "$(tr '\n' ' ' <steps)" "pre run post pre run post pre run post " "stat --pre --post: around each run"
exits 1 "stat --pre that fails: exit 1" "$BPFPERF" stat --pre 'exit 3' -n -- touch never
like "$(cat err)" "failed with status 3" "stat --pre that fails: the status is named"
ok "stat --pre that fails: no run" test ! -e never
exits 1 "stat --post that is killed: exit 1" "$BPFPERF" stat -r 9 --post 'kill -9 $$' -n -- sh -c 'echo >>once'
is "$(wc -l <once)" 1 "stat --post that is killed: no further run"

# Runs without end: each is printed, until the command itself asks for the end.
rm -f runs
exits 0 "stat -r 0: exit 0" "$BPFPERF" stat -r 0 -x , -o forever -e "$enter" \
	--post 'echo >>runs; [ $(wc -l <runs) -lt 3 ] || kill -INT $PPID' -- $loop
is "$(grep -c "^1009,,$enter," forever)" 3 "stat -r 0: each run has its counts, not a mean"
is "$(grep -c ",,$enter," forever)" 3 "stat -r 0: a signal that comes behind a run ends it before the next one"
done_testing
