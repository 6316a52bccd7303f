#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# bpfperf strace: structures of bpf, perf_event_open, io_uring, seccomp, landlock and messages; beside strace where it is installed.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

need_cmd python3
PROGRAM=$WORKLOADS/strace_structs

# A directory whose entries have more bytes than a record.
mkdir many
(cd many && touch $(seq -f 'a_file_of_a_long_name_%04g' 401))

exits 0 "strace, structures: exit 0" "$BPFPERF" strace -o ours.txt "$PROGRAM" many
is "$(summary lost)" 0 "strace, structures: no record is lost"
like "$(cat ours.txt)" 'bpf\(BPF_MAP_CREATE, \{map_type=BPF_MAP_TYPE_HASH, key_size=4, value_size=8, max_entries=11, map_flags=0,.* map_name="a_map"' "strace bpf: a map"
like "$(cat ours.txt)" 'bpf\(BPF_PROG_LOAD, \{prog_type=BPF_PROG_TYPE_SOCKET_FILTER, insn_cnt=2, .*license="GPL",.* prog_name="a_prog"' "strace bpf: a program with the text of its license"
like "$(cat ours.txt)" 'bpf\(BPF_OBJ_GET, \{pathname="/sys/fs/bpf/none", bpf_fd=[0-9]+' "strace bpf: a path"
like "$(cat ours.txt)" 'perf_event_open\(\{type=PERF_TYPE_SOFTWARE, .*config=PERF_COUNT_SW_CPU_CLOCK, sample_period=1009' "strace perf_event_open: the attributes"
like "$(cat ours.txt)" 'io_uring_setup\(3, \{flags=IORING_SETUP_CQSIZE, .*sq_entries=4, cq_entries=8,' "strace io_uring_setup: what the kernel has written"
like "$(cat ours.txt)" 'sendmmsg\([0-9]+, \[\{msg_hdr=.*"one".*msg_len=3\}, .*"twotwo".*"on".*msg_len=8\}\], 2,' "strace sendmmsg: the buffers of two messages"
is "$(sed -nE 's/.*getdents64\(.*\/\* ([0-9]+) entries \*\/.*/\1/p' ours.txt | awk '{ n += $1 } END { print n }')" 403 "strace getdents64: the number of entries of a large directory"
exits 0 "strace -v, structures: exit 0" "$BPFPERF" strace -v -o ours-v.txt env -i A=1 B=two "$PROGRAM" many
like "$(cat ours-v.txt)" '\["A=1", "B=two"\]' "strace -v: the environment"
like "$(cat ours-v.txt)" 'seccomp\(.*BPF_JUMP\(BPF_JMP\|BPF_K\|BPF_JEQ, 0xc000003e, 0x1, 0\), BPF_STMT\(BPF_RET\|BPF_K, SECCOMP_RET_ALLOW\)' "strace -v: the instructions of a filter"
like "$(cat ours-v.txt)" 'getdents64\([0-9]+, \[\{d_ino=[0-9]+, d_off=-?[0-9]+, d_reclen=[0-9]+, d_type=DT_[A-Z]+, d_name="' "strace -v: directory entries"

if ! command -v strace >/dev/null || ! strace -o x true 2>/dev/null; then
	skip_test "strace, structures: the lines equal strace's" "strace is not installed, or may not trace here"
	done_testing
	exit
fi
strace -f -o theirs.txt "$PROGRAM" many 2>/dev/null
python3 "$TOP/tests/live/strace_diff.py" theirs.txt ours.txt >diff.txt
between "$(tail -1 diff.txt | sed 's/^lines=//; s/ .*//')" 60 200 "strace, structures: strace prints lines here"
is "$(grep -v '^lines=' diff.txt)" "" "strace, structures: the lines equal strace's"
strace -f -v -e trace=perf_event_open,seccomp,io_uring_setup,sendmmsg,recvmmsg -o theirs.txt "$PROGRAM" many 2>/dev/null
"$BPFPERF" strace -v -e trace=perf_event_open,seccomp,io_uring_setup,sendmmsg,recvmmsg -o ours.txt "$PROGRAM" many 2>err
python3 "$TOP/tests/live/strace_diff.py" theirs.txt ours.txt >diff.txt
is "$(grep -v '^lines=' diff.txt)" "" "strace -v, structures: the lines equal strace's"
done_testing
