#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Targets: -G, -u, --comm; names and children through fork, clone, exec and renames.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 taskset

N=1009
ev=syscalls:sys_enter_getppid

# The family's own report, and the trace: "count tid comm", sorted.
said_calls() { # FILE
	sed -nE "s/^pid=[0-9]+ tid=([0-9]+) comm=(.*) count=([0-9]+)$/\3 \1 \2/p" "$1" | sort
}
traced_calls() { # FILE
	python3 - "$1" <<-'END' | sort
		import collections, json, sys
		calls = collections.Counter()
		for line in open(sys.argv[1]):
		    r = json.loads(line)
		    calls[r["tid"], r["comm"]] += 1
		for (tid, comm), count in calls.items():
		    print(count, tid, comm)
	END
}

exits 0 "a family that forks, clones, renames, execs: exit 0" "$BPFPERF" trace -o f.json $ev -- \
	"$WORKLOADS/family" $N
said_calls out >want
traced_calls f.json >got
is "$(wc -l <want)" 10 "a family that forks, clones, renames, execs: ten names and ids"
same got want "a family that forks, clones, renames, execs: each call, under the thread's name of that moment"

# Beside CMD it is all of the machine: idle tasks, too, which have the process id 0, and from which CMD is switched to.
# The context of some tasks the kernel does not trace at all: a switch from these to CMD is seen only by the record
# before it on that CPU, which led to another task than CMD.
nap=nap-$$
cp "$WORKLOADS/sleeper" $nap
exits 0 "trace -a with CMD: exit 0" "$BPFPERF" trace -a --include-self -m 4M -o naps.json sched:sched_switch -- ./$nap 101 1009
read -r left came untraced < <(python3 - naps.json $nap <<'END'
import json, sys
left = came = untraced = 0
runs = {}
for line in open(sys.argv[1]):
    r = json.loads(line)
    f = r["fields"]
    if f["prev_comm"] == sys.argv[2]:
        before = runs.get(r["cpu"])
        left += 1
        came += before == f["prev_pid"]
        untraced += before not in (None, f["prev_pid"])
    runs[r["cpu"]] = f["next_pid"]
print(left, came, untraced)
END
)
[ "$untraced" -eq 0 ] || diag "the kernel did not trace $untraced switches to CMD"
between "$left" 101 100000 "trace -a with CMD: CMD leaves a CPU"
# Nothing may be known of its CPU before its first switch.
between "$((left - came - untraced))" 0 1 "trace -a with CMD: CMD comes back each time ($came)"
between "$untraced" 0 $((left / 10)) "trace -a with CMD: next to all switches to CMD are traced"

# The family again, with --comm, and on the whole machine.
for glob in 'fam-[fn]*' 'ex[a-f]' '*late' 'fam-????'; do
	exits 0 "trace --comm $glob: exit 0" "$BPFPERF" trace -a --comm "$glob" -o f.json $ev -- "$WORKLOADS/family" $N
	said_calls out | while read -r count tid comm; do
		# shellcheck disable=SC2254 # a glob it is
		case $comm in $glob) echo "$count $tid $comm" ;; esac
	done >want
	traced_calls f.json >got
	isnt "$(wc -l <want)" 0 "trace --comm $glob: such threads run"
	same got want "trace --comm $glob: records of them, and all of them"
done
exits 0 "trace --comm of CMD alone: exit 0" "$BPFPERF" trace --comm 'fam-execer' -o f.json $ev -- \
	"$WORKLOADS/family" $N
is "$(traced_calls f.json | cut -d' ' -f1,3)" "$N fam-execer" "trace --comm of CMD alone: records before and after exec"

# Threads that had their name before: a name that no other task has.
mine=loop-$$
cp "$WORKLOADS/syscall_loop" $mine
./$mine 100000000000 &
loop=$!
reap $loop
wait_for 20 grep -qx $mine /proc/$loop/comm
exits 0 "trace --comm of what runs: exit 0" "$BPFPERF" trace --comm "loop-$$*" --max-events 1003 -o f.json $ev
is "$(records count f.json "tid=$loop" comm=$mine)" 1003 "trace --comm of what runs: each of its calls"
exits 0 "trace --comm of a name that no thread has: exit 0" "$BPFPERF" trace --comm no-task-has-it --duration 0.3 -o f.json $ev
is "$(grep -c . f.json)" 0 "trace --comm of a name that no thread has: no record, though CMD runs"
kill $loop

# Threads of the kernel are born with their name, which no record tells (6.4): the journal's of a file system, on a file
# of ours. It is there until its records are seen.
cat >mounts.sh <<'END'
mount -o loop fs.img mnt || exit 1
for i in $(seq 501); do
	! grep -q 'prev_comm=jbd2/loop' k.txt || break
	sleep 0.02
done
umount mnt
END
mkdir mnt
truncate -s 16M fs.img
if { mkfs.ext4 -q -F fs.img && mount -o loop fs.img mnt && umount mnt; } 2>mkfs.err; then
	exits 0 "trace --comm of a new kernel thread: exit 0" "$BPFPERF" trace -a --comm 'jbd2/loop*' -o k.txt \
		sched:sched_switch -- sh mounts.sh
	isnt "$(grep -c ' prev_comm=jbd2/loop' k.txt)" 0 "trace --comm of a new kernel thread: records of it"
	is "$(grep -vcE '^ *jbd2/loop[^ ]* .* prev_comm=jbd2/loop' k.txt)" 0 "trace --comm of a new kernel thread: records of no other"
else
	skip_test "trace --comm of a new kernel thread" "no file system can be mounted here"
fi

# Idle tasks have one id, and a name each. The outer recording sees at least what the inner does.
for cpu in $(allowed_cpus | sed -n '1p;$p' | uniq); do
	exits 0 "trace --comm swapper/$cpu: exit 0" "$BPFPERF" trace -a -m 4M --comm "swapper/$cpu" -o outer.txt sched:sched_switch -- \
		"$BPFPERF" trace -a -m 4M -o inner.txt sched:sched_switch --filter "prev_pid == 0 && CPU == $cpu" -- \
		taskset -c "$cpu" "$WORKLOADS/sleeper" 101 1009
	is "$(grep -c ' 0 lost' err)" 2 "trace --comm swapper: no record is lost"
	is "$(records count outer.txt)" "$(records count outer.txt tid=0 "cpu=$cpu")" "trace --comm swapper: records of no other task"
	seen=$(records count inner.txt)
	if [ "$seen" -gt 0 ]; then
		ok "trace --comm swapper: records of the idle task" test "$(records count outer.txt)" -ge "$seen"
	else
		skip_test "trace --comm swapper: records of the idle task" "CPU $cpu was never idle"
	fi
done

# A process whose first thread has ended: /proc tells of it as of a zombie, without maps.
"$WORKLOADS/headless" >headless &
headless=$!
reap $headless
wait_for 10 test -s headless
tid=$(said tid <headless)
exits 0 "trace -p of a process without its first thread: exit 0" "$BPFPERF" trace -p $headless --max-events 1009 -o f.json $ev
is "$(records count f.json "tid=$tid" comm=headless)" 1009 "trace -p of a process without its first thread: records of its other thread"
for target in "-p $headless" "--comm headless"; do
	# shellcheck disable=SC2086 # two words
	exits 0 "stack $target: exit 0" "$BPFPERF" stack -F 499 $target --duration 1 -o f.folded
	all=$(awk '/^headless;/ { n += $NF } END { print n + 0 }' f.folded)
	between "$all" 10 1000 "stack $target: there are samples"
	between "$(awk '/^headless;.*headless_spin/ { n += $NF } END { print n + 0 }' f.folded)" \
		$((9 * all / 10)) "$all" "stack $target: functions are named"
done
exits 0 "record -p of a process without its first thread: exit 0" "$BPFPERF" record -e cpu-clock -p $headless --duration 0.5 -o f.data
exits 0 "record -p of a process without its first thread: script, exit 0" "$BPFPERF" script -F comm,ip,sym -i f.data
between "$(grep -c headless_spin out)" $((9 * $(grep -c headless out) / 10)) 100000 "record -p of a process without its first thread: functions are named"
kill $headless
wait $headless 2>/dev/null
exits 2 "trace -p of a process that has ended: exit 2" "$BPFPERF" trace -p $headless $ev

# A task that a process of -p starts is traced, a task that a thread of -t starts is not. Both wait in $p and $t for CMD.
both_wait() {
	[ -e ready_p ] && [ -e ready_t ]
}
begin_two() {
	rm -f go_p go_t left ready_p ready_t
	mkfifo go_p go_t left
	sh -c ": >ready_p; read -r x <go_p; '$WORKLOADS/fork_tree' 3 $N; :" >p.out 9<>left &
	p=$!
	sh -c ": >ready_t; read -r x <go_t; '$WORKLOADS/syscall_loop' 1013; exec '$WORKLOADS/syscall_loop' 503" >t.out \
		9<>left &
	t=$!
	reap $p $t
	wait_for 100 both_wait
}
# A reader of `left` sees its end when none of them is left.
let_go="exec 8<left; echo >go_p; echo >go_t; cat <&8"
said_counts() { # FILE: "tid count" of all that called
	sed -nE 's/^pid=([0-9]+) .*count=([1-9][0-9]*)( .*)?$/\1 \2/p' "$1"
}
miscounted() { # FILE
	said_counts "$1" | while read -r tid count; do
		[ "$(records count f.json "tid=$tid")" = "$count" ] || echo "$tid made $count"
	done
}

begin_two
exits 0 "trace -p -t with CMD: exit 0" "$BPFPERF" trace -p $p -t $t -o f.json $ev -- \
	sh -c "'$WORKLOADS/fork_tree' 3 1019; $let_go"
cp out cmd.out
is "$(said_counts p.out | wc -l) $(said_counts cmd.out | wc -l)" "6 6" "trace -p -t with CMD: -p and CMD start six each that call"
is "$(miscounted p.out; miscounted cmd.out)" "" "trace -p -t with CMD: each of their calls"
is "$(records count f.json "tid=$t")" 503 "trace -p -t with CMD: the calls of the thread of -t"
is "$(records count f.json "tid=$(said pid <t.out | head -n 1)")" 0 "trace -p -t with CMD: no calls of what that thread starts"
wait $p $t
begin_two
exits 0 "stat -p -t with CMD: exit 0" "$BPFPERF" stat -x , -o f.csv -p $p -t $t -e $ev -- sh -c "$let_go"
is "$(grep $ev f.csv | cut -d, -f1)" $((6 * N + 503)) "stat -p -t with CMD: trace's calls"
wait $p $t
begin_two
exits 0 "record -p -t with CMD: exit 0" "$BPFPERF" record -m 8M -c 1 -o f.data -p $p -t $t -e $ev -- sh -c "$let_go"
exits 0 "record -p -t with CMD: script, exit 0" "$BPFPERF" script -F comm -i f.data
is "$(grep -c . out)" $((6 * N + 503)) "record -p -t with CMD: trace's calls"
wait $p $t

# Users.
user=nobody
uid=$(id -u $user)
chmod 755 "$TMP"
if runuser -u $user -- test -x "$WORKLOADS/syscall_loop"; then
	for u in $user "$uid"; do
		exits 0 "trace -u $u: exit 0" "$BPFPERF" trace -a -u "$u" -o f.json $ev -- sh -c \
			"'$WORKLOADS/syscall_loop' 503; exec runuser -u $user -- '$WORKLOADS/syscall_loop' $N"
		mapfile -t pids < <(said pid <out)
		is "${#pids[@]}" 2 "trace -u $u: two users make calls"
		is "$(records count f.json "pid=${pids[1]}")" $N "trace -u $u: calls of that user"
		is "$(records count f.json "pid=${pids[0]}")" 0 "trace -u $u: no calls of another"
	done
else
	skip_test "trace -u USER" "$user cannot reach $WORKLOADS"
fi

# Control groups of both kinds, by path and by name.
try_cgroup() { # DIR KIND
	local dir=$1/bpfperf-test-$$ kind=$2 arg

	mkdir -p "$dir/sub/deeper" 2>/dev/null || {
		skip_test "trace -G of $kind" "no group can be made in $1"
		return
	}
	for arg in "$dir" "bpfperf-test-$$" "$dir/sub/deeper"; do
		exits 0 "trace -G $arg ($kind): exit 0" "$BPFPERF" trace -a -G "$arg" -o f.json $ev -- sh -c \
			"'$WORKLOADS/syscall_loop' 503; echo \$\$ >$dir/sub/deeper/cgroup.procs &&
			exec '$WORKLOADS/fork_tree' 3 $N"
		is "$(grep -c . f.json)" $((6 * N)) "trace -G $arg ($kind): tasks in the group or below, their children too"
	done
	exits 0 "trace -G of another group ($kind): exit 0" "$BPFPERF" trace -a -G "$dir/sub" -o f.json $ev -- sh -c \
		"echo \$\$ >$dir/cgroup.procs && exec '$WORKLOADS/syscall_loop' 503"
	is "$(grep -c . f.json)" 0 "trace -G of another group ($kind): no record"
	exits 0 "stack -G ($kind): exit 0" "$BPFPERF" stack -e cpu-clock -F 997 -G "$dir" --format folded -o f.folded -a \
		-- sh -c "echo \$\$ >$dir/sub/cgroup.procs; exec '$WORKLOADS/spin' 0.2"
	is "$(grep -cvE '^(spin|sh|\[recording\]);' f.folded)" 0 "stack -G ($kind): no sample of other tasks"
	ok "stack -G ($kind): samples of the group's task" grep -q '^spin;.*spin_outer' f.folded
	rmdir "$dir/sub/deeper" "$dir/sub" "$dir"
}
v2=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
v1=$(awk '$3 == "cgroup" && $4 ~ /(^|,)(cpu|pids|memory)(,|$)/ { print $2; exit }' /proc/self/mounts)
if [ -n "$v2" ]; then try_cgroup "$v2" v2; else skip_test "-G of v2" "not mounted"; fi
if [ -n "$v1" ]; then try_cgroup "$v1" v1; else skip_test "-G of v1" "not mounted"; fi

exits 2 "trace -G of no group: exit 2" "$BPFPERF" trace -G no-such-group $ev
like "$(cat err)" 'no-such-group.*cgroup' "trace -G of no group: the place of groups is named"
exits 2 "trace -u of no user: exit 2" "$BPFPERF" trace -u no-such-user $ev
like "$(cat err)" 'no-such-user.*name or a number' "trace -u of no user: the syntax is described"
exits 2 "trace --comm of an empty name: exit 2" "$BPFPERF" trace --comm '' $ev
exits 0 "trace --comm swapper/*: exit 0" "$BPFPERF" trace -a -m 4M --comm 'swapper/*' -o slashed.txt --duration 0.5 sched:sched_switch
exits 0 "trace --comm swapper, without a CPU: exit 0" "$BPFPERF" trace -a -m 4M --comm swapper -o plain.txt --duration 0.5 sched:sched_switch
exits 0 "trace --filter COMM == swapper: exit 0" "$BPFPERF" trace -a -m 4M -o filtered.txt --duration 0.5 \
	sched:sched_switch --filter 'COMM == "swapper"'
exits 0 "trace --filter COMM != swapper: exit 0" "$BPFPERF" trace -a -m 4M -o others.txt --duration 0.5 \
	sched:sched_switch --filter 'COMM != "swapper"'
is "$(records count others.txt tid=0)" 0 "trace --filter COMM != swapper: no record of an idle task"
is "$(records count filtered.txt)" "$(records count filtered.txt tid=0)" \
	"trace --filter COMM == swapper: records of idle tasks alone"
if [ "$(records count slashed.txt)" -gt 0 ]; then
	isnt "$(records count filtered.txt)" 0 "trace --filter COMM == swapper: idle tasks of all CPUs, by the name that is printed"
	isnt "$(records count plain.txt tid=0)" 0 "trace --comm swapper, without a CPU: idle tasks of all CPUs, by the name that is printed"
else
	skip_test "trace --filter COMM == swapper: idle tasks of all CPUs, by the name that is printed" "no CPU was idle"
	skip_test "trace --comm swapper, without a CPU: idle tasks of all CPUs, by the name that is printed" "no CPU was idle"
fi
done_testing
