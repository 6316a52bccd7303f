#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# record --overwrite and --switch-output: files on SIGUSR2, each complete by itself.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=perf_text.bash
. "$TOP/tests/live/perf_text.bash"

# Runs record with these options; the command does N calls, has a dump made, does M calls.
N=30011 M=20021
dumping() { # OPTION…
	rm -f rec.data* go
	mkfifo go
	"$BPFPERF" record -o rec.data -e raw_syscalls:sys_enter --filter 'id == 110' "$@" -- \
		sh -c "'$WORKLOADS/syscall_loop' $N; echo >ready; read -r x <go; '$WORKLOADS/syscall_loop' $M" \
		>out 2>err &
	recorder=$!
	reap $recorder
	rm -f ready
	wait_for 20 test -s ready
	kill -USR2 $recorder
	wait_for 20 grep -q '^bpfperf: dump: ' err
	echo >go
	wait $recorder
	is $? 0 "$*: exit status"
	dump=$(sed -n 's/^bpfperf: dump: //p' err)
	ok "$*: the dump $dump is there" test -s "$dump"
	like "$dump" '^rec\.data\.20[0-9]{14}$' "record $*: the dump's name has its time"
}
calls() { # FILE
	"$BPFPERF" script -i "$1" -F comm | grep -c syscall_loop
}
newest() { # FILE
	"$BPFPERF" script -i "$1" -F time --ns | sort -n | tail -n 1
}

dumping --switch-output -m 8M
last=$(sed -nE 's/^bpfperf: .* MB in (.*)/\1/p' err)
is "$(calls "$dump")" $N "--switch-output=signal: the first dump has all $N"
is "$(calls "$last")" $M "--switch-output=signal: the second has all $M"
for file in "$dump" "$last"; do
	cp "$file" one.data
	both one
	unlike "$("$BPFPERF" script -i one.data -F comm)" ':[0-9]' "--switch-output=signal: names are known"
done

dumping --overwrite -m 16
first=$(calls "$dump")
between "$first" 100 $((N - 1)) "--overwrite: the ring holds $first of $N"
between "$(calls rec.data)" 100 $((M - 1)) "--overwrite: the second dump's part of $M"
cp "$dump" one.data
both one
cp rec.data one.data
both one
unlike "$("$BPFPERF" script -i one.data -F comm)" ':[0-9]' "--overwrite: names are known"
is "$(sort -n <(newest "$dump"; newest rec.data) | tail -n 1)" "$(newest rec.data)" "--overwrite: the second dump is the newer"

# Large rings: nothing is overwritten, each call is in one of the two, and none in both.
dumping --overwrite -m 8M
is "$(calls "$dump"), $(calls rec.data)" "$N, $M" "--overwrite: a dump has what no dump before had"

# Records that come while a dump has paused the rings are lost; no ring is full. The next dump comes before the ring has
# overwritten what tells of it.
# shellcheck disable=SC2016 # CMD's
"$BPFPERF" -v record --overwrite -m 16M -o storm.data -e raw_syscalls:sys_enter -- \
	sh -c 'until [ -e enough ]; do "$1" 2 300007; done' sh "$WORKLOADS/threads" >out 2>err &
recorder=$!
reap $recorder
wait_for 20 grep -q 'recording into' err
until [ "$(grep -c '^bpfperf: dump: ' err)" -ge 61 ] || ! kill -USR2 $recorder 2>/dev/null; do
	sleep 0.03
done
touch enough
wait $recorder
isnt "$(summary lost)" 0 "--overwrite, one dump after the other: samples are lost"
is "$(grep -c 'came during a dump' err) $(grep -c 'rings were full' err)" "1 0" \
	"--overwrite, one dump after the other: the cause of the loss is the dump"
rm -f storm.data*

# The newest is there: that of the workload's last calls.
"$BPFPERF" record --overwrite -m 4 -e raw_syscalls:sys_enter -o end.data -- "$WORKLOADS/syscall_loop" 100003 >out 2>err
is "$("$BPFPERF" script -i end.data | tail -n 1 | grep -cE 'NR 231 ')" 1 "--overwrite: the last record is the exit"

# Dumps that follow each other at once do not take each other's place.
rm -f err
# shellcheck disable=SC2016 # CMD's
"$BPFPERF" -v record --overwrite -o many.data -e sched:sched_switch -- sh -c 'echo $$ >asleep; exec sleep 60' 2>err &
recorder=$!
reap $recorder
wait_for 20 grep -q 'recording into' err
wait_for 20 test -s asleep
# CMD outlives its recorder, and has this test's stdout.
reap "$(cat asleep)"
i=0
while [ $i -lt 13 ]; do
	i=$((i + 1))
	kill -USR2 $recorder
	wait_for 20 sh -c "[ \$(grep -c '^bpfperf: dump: ' err) -ge $i ]"
done
kill -INT $recorder
wait $recorder
files=(many.data.*)
is ${#files[@]} 13 "13 signals: 13 dumps in 13 files"

# By size and by time.
"$BPFPERF" record --switch-output=1M -e raw_syscalls:sys_enter -o size.data -- "$WORKLOADS/syscall_loop" 50021 >out 2>err
files=(size.data.*)
between ${#files[@]} 2 8 "--switch-output=1M: ${#files[@]} files"
sum=0
for file in "${files[@]}"; do
	sum=$((sum + $("$BPFPERF" script -i "$file" | grep -c 'NR 110 ')))
done
is $((sum + $(summary lost))) 50021 "--switch-output=1M: the files together have all"
"$BPFPERF" record --switch-output=1s -a -e sched:sched_switch -o time.data 2>err &
recorder=$!
reap $recorder
ok "--switch-output=1s: two files are complete" wait_for 20 sh -c "[ \$(grep -c '^bpfperf: dump: ' err) -ge 2 ]"
kill -INT $recorder
wait $recorder
files=(time.data.*)
is ${#files[@]} $(($(grep -c '^bpfperf: dump: ' err) + 1)) "--switch-output=1s: the last file is complete"
# Each is of the time that it was open: a second, but for what a machine at rest did not do at its ends.
for file in "${files[@]:0:2}"; do
	span=$(newest "$file" | tr -d ' :.')
	span=$(((span - $("$BPFPERF" script -i "$file" -F time --ns | head -n 1 | tr -d ' :.')) / 1000000))
	between $span 500 20000 "--switch-output=1s: files of a second each ($span ms)"
done
# bpfperf itself is in none of the files: one thread writes all of them.
"$BPFPERF" record --switch-output -a -e sched:sched_switch -o self.data 2>err &
recorder=$!
reap $recorder
has_samples() { # FILE
	"$BPFPERF" script -i "$1" -F tid 2>/dev/null | grep -q .
}
for i in 1 2 3; do
	wait_for 20 has_samples self.data
	kill -USR2 $recorder
	wait_for 20 sh -c "[ \$(grep -c '^bpfperf: dump: ' err) -ge $i ]"
done
wait_for 20 has_samples self.data
kill -INT $recorder
wait $recorder
files=(self.data*)
is ${#files[@]} 4 "4 files of the whole machine"
for file in "${files[@]}"; do
	ok "$file: other processes are in it" has_samples "$file"
	is "$("$BPFPERF" script -i "$file" --pid $recorder -F tid | wc -l)" 0 "$file: bpfperf is not in it"
done

# A switch that fails ends it: one sentence, and what was recorded before is kept.
failing() { # NAME REGEX FILE CMD…: the command comes between
	local name=$1 why=$2 file=$3

	shift 3
	"$BPFPERF" record --switch-output -a -e sched:sched_switch -o "$file" 2>err &
	recorder=$!
	reap $recorder
	ok "$name: records are written" wait_for 20 has_samples "$file"
	"$@"
	kill -USR2 $recorder
	wait $recorder
	is $? 1 "$name: exit status"
	is "$(grep -c 'bpfperf: error' err)" 1 "$name: one sentence"
	like "$(cat err)" "cannot rename .*: $why" "$name: the sentence says why"
}
mkdir gone
failing "a directory that is gone" 'No such file' gone/x.data rm -r gone
long=$(printf 'x%.0s' {1..240})
failing "a name that is too long for a time" 'File name too long' "$long" true
ok "a name that is too long: earlier samples are in the file" has_samples "$long"

exits 2 "--switch-output to a pipe: exit 2" "$BPFPERF" record --overwrite -o - -e cpu-clock true
like "$(cat err)" 'give -o FILE' "--switch-output to a pipe: -o is the remedy"
# A device or a named pipe is never renamed, as /dev/null would be.
mkfifo pipe && ln -s pipe link
for how in --switch-output=1s --switch-output --overwrite; do
	exits 2 "$how to a named pipe: exit 2" timeout 10 "$BPFPERF" record $how -o link -e cpu-clock true
	like "$(cat err)" 'device or a pipe; give -o FILE' "$how to a named pipe: the kind of file is named"
done
is "$(ls -d pipe* link*)" "$(printf 'link\npipe')" "$how to a named pipe: pipe and link stay what they are"
done_testing
