#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# stat -G a,b and --for-each-cgroup: the calls of two groups, beside perf stat.
# shellcheck disable=SC2086,SC2016 # words, and texts for another shell
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_root
need_cmd perf python3

enter=syscalls:sys_enter_getppid
mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
a=$mount/bpfperf-a-$$ b=$mount/bpfperf-b-$$
if [ -z "$mount" ] || ! mkdir "$a" "$b" 2>/dev/null; then
	skip_all "there is no cgroup2 in which a group can be made"
fi

# 1009 calls in one group and 2003 in the other, and 499 in none.
cat >calls.sh <<EOF
(echo 0 >$a/cgroup.procs; exec $WORKLOADS/syscall_loop 1009 getppid >/dev/null)
(echo 0 >$b/cgroup.procs; exec $WORKLOADS/syscall_loop 2003 getppid >/dev/null)
exec $WORKLOADS/syscall_loop 499 getppid >/dev/null
EOF
# Columns of a row: count, event, group; perf has names below its mount.
columns() { # FILE
	sed '/^#/d;/^$/d' "$1" | awk -F , '{ n = split($4, p, "/"); print $1, $3 "@" p[n] }'
}
names="${a#"$mount"/},${b#"$mount"/}"

exits 0 "stat --for-each-cgroup: exit 0" "$BPFPERF" stat -a -x , -o ours --for-each-cgroup "$a,$b" -e "$enter,dummy" -- sh calls.sh
is "$(columns ours)" "1009 $enter@${a##*/}
0 dummy@${a##*/}
2003 $enter@${b##*/}
0 dummy@${b##*/}" "stat --for-each-cgroup: each event in each group"
if perf stat -a -x , -o theirs --for-each-cgroup "$names" -e "$enter,dummy" -- sh calls.sh 2>err; then
	is "$(columns ours | grep $enter)" "$(columns theirs | grep $enter)" "stat --for-each-cgroup: counts and order are perf's"
else
	skip_test "stat --for-each-cgroup: counts and order are perf's" "perf: $(head -n 1 err)"
fi
exits 0 "stat -G a,b: exit 0" "$BPFPERF" stat -x , -o ours -e "$enter,page-faults:u,dummy" -G "$b,$a" -- sh calls.sh
is "$(columns ours | head -n 1)" "2003 $enter@${b##*/}" "stat -G a,b: the first event in the first group"
is "$(columns ours | sed -n '2p;3p' | cut -d ' ' -f 2-)" "page-faults:u@${a##*/}
dummy@" "stat -G a,b: the second event in the second group, the third in none"
exits 0 "stat -G ,a: exit 0" "$BPFPERF" stat -x , -o ours -e "page-faults,$enter" -G ",$a" -- sh calls.sh
is "$(columns ours | sed -n 2p)" "1009 $enter@${a##*/}" "stat -G ,a: the second event alone"
exits 0 "stat --for-each-cgroup of a group: exit 0" "$BPFPERF" stat -j -o ours -e "{$enter,page-faults},duration_time" --for-each-cgroup "$a,$b" -- sh calls.sh
is "$(python3 -c 'import json
for line in open("ours"):
    o = json.loads(line)
    print(o["event"] + "@" + o.get("cgroup", "").split("/")[-1][:9])')" "$enter@bpfperf-a
page-faults@bpfperf-a
duration_time@
$enter@bpfperf-b
page-faults@bpfperf-b" "stat --for-each-cgroup of a group: one for each cgroup, and one time"
unlike "$(cat ours)" '"why"' "stat --for-each-cgroup of a group: it is kept together"
exits 0 "stat --for-each-cgroup as text: exit 0" "$BPFPERF" stat -M 'twice=2*page\-faults' --for-each-cgroup "$a,$b" -- sh calls.sh
is "$(grep -c "page-faults +$mount/bpfperf-[ab]" -E out)" 2 "stat --for-each-cgroup as text: the group is named"
is "$(grep -c twice out)" 2 "stat --for-each-cgroup with -M: a metric for each group"
exits 0 "stat --for-each-cgroup --per-node: exit 0" "$BPFPERF" stat -a -x , --per-node --for-each-cgroup "$a,$b" -e "$enter" -- sh calls.sh
is "$(awk -F , '{ n[$6] += $3 } END { for (g in n) print n[g] }' out | sort -n | tr '\n' ' ')" "1009 2003 " "stat --for-each-cgroup --per-node: rows of both groups"

exits 2 "stat -G with more groups than events: exit 2" "$BPFPERF" stat -e dummy -G "$a,$b" true
like "$(cat err)" "2 groups for 1 events; give at most one" "stat -G with more groups than events: the sentence"
exits 2 "stat --for-each-cgroup with an empty name: exit 2" "$BPFPERF" stat --for-each-cgroup "$a," true
like "$(cat err)" "an empty name is no group" "stat --for-each-cgroup with an empty name: the sentence"
exits 2 "stat --for-each-cgroup with user_time: exit 2" "$BPFPERF" stat -e user_time --for-each-cgroup "$a,$b" true
like "$(cat err)" "are of one cgroup" "stat --for-each-cgroup with user_time: the sentence"
exits 2 "stat --for-each-cgroup of no group: exit 2" "$BPFPERF" stat --for-each-cgroup "$a,/nowhere" true
rmdir "$a" "$b"
done_testing
