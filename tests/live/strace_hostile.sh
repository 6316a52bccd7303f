#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# bpfperf strace: memory that ends or leads nowhere, names of any bytes, threads that end inside of calls, exec by a
# thread: each call is printed once, and as strace prints it.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

need_cmd python3
DIFF=$TOP/tests/live/strace_diff.py
HOSTILE=$WORKLOADS/hostile_calls
has_strace=no
command -v strace >/dev/null && strace -o x true 2>/dev/null && has_strace=yes

equals_strace() { # NAME CMD [ARG…]
	local name=$1

	shift
	if [ $has_strace = no ]; then
		skip_test "$name: the lines equal strace's" "strace is not installed, or may not trace here"
		return
	fi
	strace -f -o a.txt "$@" >/dev/null 2>&1
	python3 "$DIFF" a.txt b.txt | cut -c1-300 >diff.txt
	is "$(grep -v ^lines= diff.txt)" "" "$name: the lines equal strace's"
	isnt "$(sed -nE 's/^lines=([0-9]+) .*/\1/p' diff.txt)" 0 "$name: there are lines"
}

# The calls between the first of them and the workload's write(2) of their number.
for what in pointers names; do
	exits 0 "$what: exit 0" "$BPFPERF" strace --lost-exit -o b.txt "$HOSTILE" $what
	is "$(summary lost)" 0 "$what: no call is lost"
	first=$([ $what = names ] && echo 'chdir\(' || echo 'openat\(AT_FDCWD, NULL')
	is "$(sed -nE "/ $first/,/ write\(1, \"hostile /p" b.txt | grep -vcE '^[0-9]+ +(write\(1|mmap|mprotect|munmap|getpid)')" "$(said calls <out)" \
		"$what: each call of the program is printed once"
	is "$(LC_ALL=C tr -d '\n -~' <b.txt | wc -c)" 0 "$what: there are printable bytes alone"
	equals_strace "$what" "$HOSTILE" $what
done

# 31 threads wait in read(2) when the process ends.
exits 0 "killed threads: exit 0" "$BPFPERF" strace --lost-exit -e trace=read,exit_group -o b.txt "$HOSTILE" killed 31
is "$(grep -cE '^[0-9]+ +read\([0-9]+,  <unfinished \.\.\.>\) += \?$' b.txt)" 31 "killed threads: the calls have no result"
is "$(grep -c '+++ exited with 0 +++' b.txt)" 32 "killed threads: the end of each"
exits 0 "killed threads, JSON: exit 0" "$BPFPERF" strace --format json -e trace=read -o b.json "$HOSTILE" killed 31
is "$(grep '"call":"read"' b.json | grep -v '"ret":' | grep -c '"unfinished":true')" 31 "killed threads, JSON: calls without a result"
exits 0 "killed threads, CSV: exit 0" "$BPFPERF" strace --format csv -e trace=read -o b.csv "$HOSTILE" killed 31
is "$(grep -cE '^[0-9]+,[0-9]+,[0-9]+,[0-9]+,unfinished,read,' b.csv)" 31 "killed threads, CSV: calls without a result"
exits 0 "killed threads, -C: exit 0" "$BPFPERF" strace -C -e trace=read -U calls,errors,name -o b.txt "$HOSTILE" killed 31
is "$(awk '$NF == "read" { print $1 }' b.txt)" "$(grep -cE '^[0-9]+ +read\(.*\) += [0-9-]' b.txt)" \
	"killed threads, -C: only calls that return are counted"

# The first thread ends, and the other one goes on under its id.
exits 0 "exec by a thread: exit 0" "$BPFPERF" strace --lost-exit -o b.txt "$HOSTILE" exec
pid=$(sed -nE '1s/^([0-9]+) .*/\1/p' b.txt)
like "$(grep "^$pid .*superseded" b.txt)" '\+\+\+ superseded by execve in pid [0-9]+ \+\+\+' "exec by a thread: the end of the first thread"
like "$(sed '1,/superseded/d' b.txt)" "^$pid +execve\(\"/bin/true\", \[\"true\"\], 0x[0-9a-f]+ /\* [0-9]+ vars \*/\) = 0" \
	"exec by a thread: the call has the first thread's id, and its arguments"
is "$(grep -c '+++ exited with 0 +++' b.txt)" 1 "exec by a thread: one thread is left to exit"
exits 0 "exec by a thread, JSON: exit 0" "$BPFPERF" strace --format json -o b.json "$HOSTILE" exec
is "$(grep -c '"superseded_by":[0-9]*}' b.json)" 1 "exec by a thread, JSON: the end of the first thread"
exits 0 "exec by a thread, counted: exit 0" "$BPFPERF" strace -c -e trace=execve -o c.txt "$HOSTILE" exec
is "$(awk '$NF == "execve" { print $(NF - 1), ($2 > 0) }' c.txt)" "2 1" "exec by a thread, counted: that of the command, and that of the thread, with its time"
done_testing
