#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --userland
# trace: the text and bytes behind pointers of system calls (from 6.19 on) are what this kernel's perf shows of them.
# shellcheck source=lib.sh
. /vm/lib.sh

EVENTS=syscalls:sys_enter_openat
for ev in write pwrite64 execve renameat2 linkat symlinkat mount mq_timedsend sethostname setdomainname; do
	[ ! -d $TRACEFS/events/syscalls/sys_enter_$ev ] || EVENTS=$EVENTS,syscalls:sys_enter_$ev
done
has_names=0
! grep -q __filename_val $TRACEFS/events/syscalls/sys_enter_openat/format || has_names=1
is $has_names "$(kernel_is 6.19 && echo 1 || echo 0)" "records have names from 6.19 on"

# Bytes are shown as text where they are some. perf does that only until some are none.
cat >numbers.py <<'END'
import re, sys
for line in sys.stdin.buffer:
    m = re.match(rb"(.*(?:count|msg_len)=(\d+).*_val=)(?!ARRAY\[)(.*)\n", line)
    if m:
        text = re.sub(rb"\\(x..|[abtnvfr])", lambda e: eval(b"b'" + e[0] + b"'"), m[3])
        cnt = min(int(m[2]), 63) if text else 0
        line = m[1] + b"ARRAY[%s]\n" % b", ".join(b"%02x" % c for c in text.ljust(cnt, b"\0"))
    sys.stdout.buffer.write(line)
END

# EVENT: TEXT of the calls that are the same in each run: by their descriptor, or where they point to.
texts_of() { # FILE
	# The text before the fields, times among it, may have these digits, too.
	sed -nE 's|^.*: +syscalls:([a-z_0-9]+): ?(.*)$|\1: \2|p' "$1" | grep -aE '5a00|23040|5a1[0-9a-f]{9}' |
		sed 's/ *$//' | python3 numbers.py
}

perf record -q -m 1024 -e "$EVENTS" -o perf.data -- names_calls odd >perf.said 2>perf.err
perf script -i perf.data --ns -F comm,pid,tid,cpu,time,event,trace >perf.txt 2>/dev/null
exits 0 "trace of file names: exit 0" bpfperf -v trace -m 4M -o out.txt "$EVENTS" -- names_calls odd
is "$(cat out)" "$(cat perf.said)" "trace and perf trace: both runs make equal calls"
openat=$(said openat <out) write=$(said write <out) far=$(said not_in_memory <out)
texts_of perf.txt >want
texts_of out.txt >got
is "$(grep -ac '^sys_enter_openat:' got)" "$openat" "trace of file names: each openat"
is "$(grep -ac '^sys_enter_write:' got)" "$write" "trace of file names: each write"
is "$(summary lost)" 0 "trace of file names: none is lost"
is "$(grep -c unaccounted err)" 0 "trace of file names: none is unaccounted for"
ok "trace of file names: $(grep -ac . got) records are perf's" diff want got
ok "trace of file names: no event takes a classic tracepoint of its own" sh -c '! grep -q "no program for the record" err'
if [ $has_names = 0 ]; then
	ok "trace of file names before 6.19: no record has a name" sh -c '! grep -qa "/no/not_in_memory" got'
	done_testing
fi

ok "a name of an odd length is printed" grep -qa ' filename: 0x5a0000000000 "abcdefghijklmno", ' got
ok "a name that is too long ends in dots" \
	grep -qaE ' filename: 0x5a0000000000 "[a-z]{63}\.\.\.", ' got
ok "a name that fits does not end in dots" grep -qaE ' filename: 0x5a0000000000 "[a-z]{63}", ' got

# perf was not there to bring it into memory.
of_far() { # FILE
	grep -aE 'sys_enter_openat: .* "/no/not_in_memory_[0-9]+"' "$1" | grep -ac .
}
sleepable=0
! grep -q 'T trace_call_bpf_faultable$' /proc/kallsyms || sleepable=1
if [ $sleepable = 1 ]; then
	is "$(of_far got)" "$far" "names that were not in memory are read"
	exits 0 "without a sleepable program: exit 0" env BPFPERF_WITHOUT=sleepable_tp \
		bpfperf -v trace -m 4M -o out.txt "$EVENTS" -- names_calls odd
fi
says err 'no sleepable programs' "without a sleepable program: -v reports it"
texts_of out.txt >got
is "$(of_far got)" 0 "without a sleepable program: names are empty"
is "$(grep -ac '^sys_enter_openat:' got)" "$openat" "without a sleepable program: each call"
is "$(summary lost)" 0 "without a sleepable program: none is lost"

# The kernel's own record does not have them when programs run.
exits 0 "without BTF: exit 0" env BPFPERF_WITHOUT=btf bpfperf trace -a -m 4M -o out.txt "$EVENTS" -- names_calls odd
is "$(grep -c 'file names, is empty .*BTF$' err)" 1 "without BTF: one sentence reports missing names"
texts_of out.txt >got
is "$(grep -ac '^sys_enter_openat:' got)" "$openat" "without BTF: each call"
is "$(grep -a '^sys_enter_openat:' got | grep -ac ' ""')" "$openat" "without BTF: names are empty"
is "$(summary lost)" 0 "without BTF: none is lost"

# More processes than CPUs: each record has the name of its own call.
exits 0 "5 processes that open files: exit 0" bpfperf trace -m 8M -o out.txt syscalls:sys_enter_openat -- names_calls busy 5 1003
sed -nE 's|^.* ([0-9]+)/[0-9]+ .* "/no/([0-9]+)/([0-9]+)".*|\1 \2 \3|p' out.txt | sort -n >got
sed -nE 's|^pid=([0-9]+) count=1003$|\1|p' out | sort -n |
	awk '{ for (i = 0; i < 1003; i++) print $1, $1, i }' | sort -n >want
is "$(grep -c . want)" 5015 "5 processes that open files: 5015 calls"
ok "5 processes that open files: each name is its caller's, once" diff want got
is "$(summary lost)" 0 "5 processes that open files: none is lost"
is "$(grep -c unaccounted err)" 0 "5 processes that open files: none is unaccounted for"

# In the kernel.
exits 0 "--filter by a file name: exit 0" bpfperf trace -m 4M -o out.txt syscalls:sys_enter_openat \
	--filter '__filename_val ~ "/no/not_in_memory_*7"' -- names_calls odd
is "$(grep -c . out.txt)" $((sleepable * 3)) "--filter by a file name: 7, 17, 27 match"
exits 0 "--count --by a file name: exit 0" bpfperf trace --count --by __filename_val --format csv -o out.txt \
	syscalls:sys_enter_openat -- names_calls odd
is "$(grep -c 'not_in_memory_' out.txt)" $((sleepable * far)) "--count --by a file name: a row for each"
done_testing
