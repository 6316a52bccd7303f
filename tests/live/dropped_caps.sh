#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# The capabilities that bpfperf and bpfperf-detach keep after attaching: those that docs/security.md names, in each thread.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

declare -A bit=([CAP_CHOWN]=0 [CAP_DAC_OVERRIDE]=1 [CAP_DAC_READ_SEARCH]=2 [CAP_FOWNER]=3 [CAP_SETGID]=6 [CAP_SETUID]=7 [CAP_IPC_LOCK]=14 [CAP_SYS_PTRACE]=19 [CAP_SYS_ADMIN]=21
	[CAP_SYSLOG]=34 [CAP_PERFMON]=38 [CAP_BPF]=39 [CAP_CHECKPOINT_RESTORE]=40)
[ "$(cat /proc/sys/kernel/cap_last_cap)" -ge 40 ] || skip_all "this kernel has no CAP_BPF, so that CAP_SYS_ADMIN is kept"
# Prints the mask of capabilities that docs/security.md names for a kind of process.
named() { # KIND
	local mask=0 cap

	while read -r cap; do
		mask=$((mask | 1 << bit[$cap]))
	done < <(sed -n "/^| $1 |/p" "$TOP/docs/security.md" | grep -oE 'CAP_[A-Z_]+')
	printf '%016x\n' $mask
}

# Prints the capabilities of all threads of a process, each mask once.
masks() { # PID
	sed -nE 's/^Cap(Prm|Eff):\s*//p' /proc/"$1"/task/*/status | sort -u | xargs
}
has_masks() { # PID MASK
	[ "$(masks "$1")" = "$2" ]
}

mkfifo go
chmod 777 . go
# shellcheck disable=SC2016 # of that shell
cmd='sed -n "s/^CapEff:\s*//p" /proc/self/status >cmd.caps; : >started; read -r line <go'
full=$(sed -n 's/^CapEff:\s*//p' /proc/self/status)
for way in "trace:trace kmem:kfree" "trace -g:trace -g kmem:kfree" "stack:stack -F 99 --format folded" "stat:stat -e page-faults" \
	"stat of tracepoints:stat -e kmem:kfree" "record:record -q -e cpu-clock" "record -g:record -q -g -e cpu-clock" \
	"record that switches:record -q --switch-output -e cpu-clock" "latency:latency syscalls" "why:why"; do
	name=${way%%:*}
	read -ra args <<<"${way#*:}"
	kind=${args[0]}
	[[ $name != "record -g" ]] || kind=stack
	[[ $name != "record that switches" ]] || kind="record --switch-output"
	want=$(named "$kind")
	isnt "$want" 0000000000000000 "$name: docs/security.md names its capabilities"
	rm -f started cmd.caps
	"$BPFPERF" "${args[@]}" -o "$TMP/kept.out" -- sh -c "$cmd" 2>err &
	bg=$!
	reap $bg
	ok "$name: CMD is started" wait_for 100 test -e started
	ok "$name: each thread of bpfperf keeps what docs/security.md names: $want" wait_for 50 has_masks $bg "$want"
	is "$(cat cmd.caps)" "$full" "$name: CMD has all capabilities of root"
	for pid in $(pgrep -x bpfperf-detach); do
		grep -qa "$TMP/kept.out" "/proc/$pid/cmdline" || continue
		is "$(masks "$pid")" "$(named bpfperf-detach)" "$name: bpfperf-detach keeps what docs/security.md names"
	done
	echo >go
	wait $bg
	is $? 0 "$name: exit 0"
done

# Without CMD: files of intervals, and the processes that read for it.
want=$(named "stack --every")
isnt "$want" 0000000000000000 "stack --every: docs/security.md names its capabilities"
"$BPFPERF" stack -a --every 1h --format folded -o "$TMP/intervals.%t" 2>err &
bg=$!
reap $bg
ok "stack --every: each thread of bpfperf keeps what docs/security.md names: $want" wait_for 100 has_masks $bg "$want"
readers() { # the host and the readers of bpfperf
	local pid

	for pid in $(pgrep '^bpfperf-reader'); do
		grep -qas "$TMP/intervals" "/proc/$pid/cmdline" && echo "$pid"
	done
}
has_readers() { [ "$(readers | wc -l)" -ge 2 ]; }
ok "stack --every: there are readers" wait_for 100 has_readers
is "$(for pid in $(readers); do masks "$pid"; done | sort -u)" 0000000000000000 "stack --every: readers and their host have no capability"
kill -INT $bg
wait $bg
is $? 0 "stack --every: exit 0"

# The process that talks to a store. Nothing need listen there before the first interval ends.
if [ -x "$O/bpfperf-send" ]; then
	"$BPFPERF" stack -a --every 1h --to http://127.0.0.1:9 2>err &
	bg=$!
	reap $bg
	ok "stack --to: a process sends" wait_for 100 pgrep -P $bg -x bpfperf-send
	sender=$(pgrep -P $bg -x bpfperf-send)
	ok "stack --to: the sender keeps what docs/security.md names" wait_for 50 has_masks "$sender" "$(named "bpfperf-send, bpfperf-itrace, bpfperf-etm")"
	kill -INT $bg
	wait $bg
else
	skip_test "stack --to: the sender keeps what docs/security.md names" "bpfperf-send is not built"
fi

# Between the runs of stat only what the next one needs is kept, where CMD is a user's.
rm -f started
want=$(named "stat -r and --fit with --as-user, before the last run")
isnt "$want" 0000000000000000 "stat -r 2 --as-user: docs/security.md names its capabilities"
# shellcheck disable=SC2016 # of that shell
"$BPFPERF" stat -r 2 --as-user=nobody -e page-faults,kmem:kfree -o runs.out -- \
	sh -c 'echo >>"$0"/started; read -r line <"$0"/go' "$PWD" 2>err &
bg=$!
reap $bg
ok "stat -r 2 --as-user: bpfperf keeps what a further run needs: $want" wait_for 50 has_masks $bg "$want"
echo >go
has_started_twice() { [ "$(wc -l <started)" -eq 2 ]; }
ok "stat -r 2 --as-user: the second run begins" wait_for 100 has_started_twice
ok "stat -r 2 --as-user: in the last run it keeps what one run needs" wait_for 50 has_masks $bg "$(named stat)"
echo >go
wait $bg
is $? 0 "stat -r 2 --as-user: exit 0"
like "$(cat runs.out)" '[1-9][0-9]* +page-faults' "stat -r 2 --as-user: there are counts"
unlike "$(cat runs.out)" '\+-100\.00%|\+- 100\.00%' "stat -r 2 --as-user: neither run counted nothing"

# A recording is read by a process that can no more than read. The writer of the pipe lets it wait.
"$BPFPERF" record -q -e cpu-clock -o - -- true >piped.data 2>err
want=$(named "script, report, latency -i, why -i, stack -i")
isnt "$want" 0000000000000000 "script: docs/security.md names its capabilities"
{
	cat piped.data
	read -r _ <go
} | "$BPFPERF" script -i - -o script.out 2>err &
bg=$!
reap $bg
ok "script: each thread keeps what docs/security.md names: $want" wait_for 50 has_masks $bg "$want"
remover=$(pgrep -P $bg -x bpfperf)
ok "script -o: a process waits to remove the new file" test -n "$remover"
is "$(masks "$remover")" "$(named "the process that removes their new output file")" "script -o: that process keeps what docs/security.md names"
limited() { # PID: no privileges are gained, and system calls are limited (2: by a filter)
	[ "$(sed -nE 's/^(NoNewPrivs|Seccomp):\s*//p' /proc/"$1"/status | xargs)" = "1 2" ]
}
ok "script: it gains no privileges, and its system calls are limited" wait_for 50 limited $bg
echo >go
wait $bg
is $? 0 "script: exit 0"
gone() { [ ! -e "/proc/$1" ]; }
ok "script: with it ends the process that would remove its file" wait_for 50 gone "$remover"
exits 0 "stat -r 3: exit 0" "$BPFPERF" stat -r 3 -e page-faults -o runs.out -- sh -c 'sed -n "s/^CapEff:\s*//p" /proc/self/status'
is "$(sort -u out)" "$full" "stat -r 3: CMD has all capabilities of root in each run"

# The decoder of Intel PT: nobody reads its text meanwhile, so that it waits.
if [ -x "$O/itrace/pt_make" ] && [ -x "$O/bpfperf-itrace" ]; then
	ok "script --itrace: there is a recording of Intel PT" "$O/itrace/pt_make" pt.data pt.steps 60001 1 "$WORKLOADS/pt_busy" 3
	mkfifo text
	"$BPFPERF" script -i pt.data --itrace=i1i -F tid,ip,sym >text 2>err &
	bg=$!
	reap $bg
	exec 5<text
	decoders() { pgrep -P $bg -x bpfperf-itrace; }
	ok "script --itrace: a decoder runs" wait_for 100 decoders
	decoder=$(decoders | head -n 1)
	ok "script --itrace: the decoder keeps what docs/security.md names" wait_for 50 has_masks "$decoder" "$(named "bpfperf-send, bpfperf-itrace, bpfperf-etm")"
	ok "script --itrace: the decoder gains no privileges, and its system calls are limited" wait_for 50 limited "$decoder"
	is "$(sed -nE 's/^Uid:\s*//p' "/proc/$decoder/status" | xargs)" "65534 65534 65534 65534" "script --itrace: the decoder's user owns nothing"
	cat <&5 | wc -l >lines
	exec 5<&-
	wait $bg
	is $? 0 "script --itrace: exit 0"
	is "$(cat lines)" "$(wc -l <pt.steps)" "script --itrace: each instruction is a line"
else
	skip_test "script --itrace: the decoder keeps what docs/security.md names" "libipt-dev is not installed"
fi
done_testing
