#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# bpfperf in containers: in a chroot whose root is no mount point, in mount, pid and cgroup namespaces of its own, and
# beside the host's /proc. All that happened is in the output, with the ids and the names that the container knows.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf python3 unshare readelf ldd
unshare -mp --fork true 2>/dev/null || skip_all "unshare -mp is not permitted"

SPIN=$WORKLOADS/spin
GETPPID=syscalls:sys_enter_getppid
# In a pid namespace of its own with its /proc, as a container has.
contained() { # CMD…
	unshare -mpf --mount-proc "$@"
}
# The thread ids of a trace as text, each once.
tids() { # FILE
	sed -nE 's|^ *[^ ]+ +-?[0-9]+/(-?[0-9]+) .*|\1|p' "$1" | sort -un
}
samples() { # FILE REGEX
	grep -aE "$2" "$1" | awk '{ n += $NF } END { print n + 0 }'
}
# Nine of ten samples of the thread spin, of which there are some, have its functions from main() on.
spins() { # FILE NAME
	local all

	all=$(samples "$1" '^spin;')
	between "$all" 50 100000 "$2: there are samples"
	between "$(samples "$1" '^spin;.*main;spin_(inner|outer)')" $((all * 9 / 10)) "$all" "$2: functions are named"
}

# --- A pid namespace: ids are those of the container, and CMD is found by them.
exits 0 "trace -- CMD in a pid namespace: exit 0" contained "$BPFPERF" trace -o cmd.txt $GETPPID -- \
	"$WORKLOADS/syscall_loop" 1009
is "$(grep -c 'syscall_loop .*getppid' cmd.txt)" 1009 "trace -- CMD in a pid namespace: each call, by the thread's name"
is "$(tids cmd.txt)" "$(said pid <out)" "trace -- CMD in a pid namespace: the id that CMD has"
exits 0 "trace -- CMD of seven threads in a pid namespace: exit 0" contained "$BPFPERF" trace -o threads.txt $GETPPID -- \
	"$WORKLOADS/threads" 7 101 getppid
is "$(grep -c 'worker-[0-6] .*getppid' threads.txt)" 707 "trace -- CMD of seven threads in a pid namespace: each call of each thread"
is "$(tids threads.txt | wc -l)" 7 "trace -- CMD of seven threads in a pid namespace: seven ids"
# shellcheck disable=SC2016 # the inner shell's
exits 0 "trace -p in a pid namespace: exit 0" contained sh -c 'mkfifo go; sh -c "read -r x <go; exec \"\$0\" 1009" "$1" & p=$!
	"$0" trace -p $p -o pid.txt '$GETPPID' -- sh -c "echo >go; while kill -0 $p 2>/dev/null; do sleep 0.05; done"; wait' \
	"$BPFPERF" "$WORKLOADS/syscall_loop"
is "$(grep -c 'syscall_loop .*getppid' pid.txt)" 1009 "trace -p in a pid namespace: each call"
exits 0 "trace --comm in a pid namespace: exit 0" contained "$BPFPERF" trace -a --comm 'syscall_l*' -o comm.txt $GETPPID -- \
	"$WORKLOADS/syscall_loop" 1009
is "$(grep -c getppid comm.txt)" 1009 "trace --comm in a pid namespace: each call"
# shellcheck disable=SC2016 # the inner shell's
own_id='echo $$ >id; exec "$0" 1009'
exits 0 "trace --by pid in a pid namespace: exit 0" contained "$BPFPERF" trace --comm 'syscall_l*' --by pid -o by.json $GETPPID -- \
	sh -c "$own_id" "$WORKLOADS/syscall_loop"
like "$(cat by.json)" "\"pid\":$(cat id)\\},\"count\":1009" "trace --by pid in a pid namespace: counted by the container's id"
exits 0 "trace --counters-by=task in a pid namespace: exit 0" contained "$BPFPERF" trace --counters page-faults --counters-by=task \
	-o counters.json $GETPPID -- "$WORKLOADS/syscall_loop" 1009
is "$(grep -c '"page-faults":' counters.json)" 1009 "trace --counters-by=task in a pid namespace: each record has its counter"

# Tasks outside are seen with -a, and have no id there: not that of another process.
exits 0 "trace -a in a pid namespace: exit 0" contained "$BPFPERF" trace -a -o all.txt sched:sched_switch sched:sched_process_exec -- \
	"$SPIN" 0.3
is "$(summary lost)" 0 "trace -a in a pid namespace: no record is lost"
is "$(grep -c '' all.txt)" "$(summary records)" "trace -a in a pid namespace: each record is printed"
like "$(cat all.txt)" ' :-1 +-1/-1 ' "trace -a in a pid namespace: a task outside has the id -1"
is "$(tids all.txt | awk '$1 > 40' | wc -l)" 0 "trace -a in a pid namespace: no id of another namespace"

# --- Profiles: mappings, unwind tables and names are found by the container's ids.
exits 0 "stack in a pid namespace: exit 0" contained "$BPFPERF" stack -e cpu-clock -F 499 -o stack.folded -- "$SPIN" 0.7
spins stack.folded "stack in a pid namespace"
exits 0 "stack -a in a pid namespace: exit 0" contained "$BPFPERF" stack -a -e cpu-clock -F 499 -o stack-a.folded -- "$SPIN" 0.7
spins stack-a.folded "stack -a in a pid namespace"
exits 0 "stack --off-cpu in a pid namespace: exit 0" contained "$BPFPERF" stack --off-cpu --wakers --format json -o off.json -- \
	"$WORKLOADS/sleeper" 23 20000
between "$(grep -c 'sleep_us.*nanosleep.*\[sleeping\]' off.json)" 1 100 "stack --off-cpu in a pid namespace: sleeps have their stacks"
exits 0 "record -g in a pid namespace: exit 0" contained "$BPFPERF" record -g -F 997 -o record.data -- "$SPIN" 0.5
"$BPFPERF" report -i record.data --format folded -o record.folded 2>err
between "$(grep -cE '^spin;.*main;spin_(inner|outer)' record.folded)" 1 1000 "record -g in a pid namespace: functions are named"
exits 0 "stat in a pid namespace: exit 0" contained "$BPFPERF" stat -x, -o stat.csv -e raw_syscalls:sys_enter -- \
	"$WORKLOADS/syscall_loop" 1009
between "$(grep -oE '^[0-9]+' stat.csv)" 1009 2000 "stat in a pid namespace: CMD's calls are counted"
exits 0 "trace -o FILE.data in a pid namespace: exit 0" contained "$BPFPERF" trace -g -o tp.data $GETPPID -- \
	sh -c "$own_id" "$WORKLOADS/syscall_loop"
is "$(perf script -i tp.data -F comm,pid,event 2>/dev/null | grep -cE "^ *syscall_loop +$(cat id) +.*getppid")" 1009 \
	"trace -o FILE.data in a pid namespace: perf reads each call and the container's id"

# --- /proc of the host in a pid namespace of one's own: no id could be found in it.
exits 1 "trace beside /proc of another pid namespace: exit 1" unshare -pf "$BPFPERF" trace -o no.txt $GETPPID -- true
like "$(cat err)" '/proc has the ids of another pid namespace.*mount -t proc' "trace beside /proc of another pid namespace: the remedy is named"
exits 1 "stack beside /proc of another pid namespace: exit 1" unshare -pf "$BPFPERF" stack -o no.folded -- true
# The host's /proc elsewhere, beside one's own: not used.
mkdir host-proc
# shellcheck disable=SC2016 # the inner shell's
exits 0 "stack with the host's /proc elsewhere: exit 0" unshare -mpf sh -c 'mount --rbind /proc host-proc &&
	mount -t proc proc /proc && exec "$0" stack -e cpu-clock -F 499 -o host.folded -- "$1" 0.7' "$BPFPERF" "$SPIN"
spins host.folded "stack with the host's /proc elsewhere"

# --- A chroot whose root is no mount point, with libraries of its own, beside /proc of the host.
mkdir -p jail/{dev,proc,sys,tmp,out,bin}
for path in "$BPFPERF" "$SPIN" "$WORKLOADS/syscall_loop"; do
	cp "$path" jail/bin/
	for lib in $(ldd "$path" | grep -o '/[^ ]*'); do
		mkdir -p "jail$(dirname "$lib")" && cp -Lu "$lib" "jail$lib"
	done
done
cat >jailed.sh <<'END2'
for sub in dev proc sys; do mount --rbind /$sub jail/$sub || exit 77; done
exec chroot jail "$@"
END2
jailed() { # CMD…
	unshare "${jail_ns[@]}" sh jailed.sh "$@"
}
for jail_ns in -m "-mC"; do
	jail_ns=("$jail_ns")
	where="in a chroot${jail_ns/-m/}"
	where=${where/C/ and a cgroup namespace}
	rm -f jail/out/*
	exits 0 "trace $where: exit 0" jailed /bin/bpfperf trace -g -o /out/tp.data $GETPPID -- /bin/syscall_loop 1009
	is "$(perf script -i jail/out/tp.data -F comm,event 2>/dev/null | grep -cE '^ *syscall_loop .*getppid')" 1009 "trace $where: each call"
	libc=$(cd jail && find . -name libc.so.6 | head -n 1)
	id=$(readelf -n "jail/$libc" | sed -n 's/.*Build ID: //p')
	like "$(perf buildid-list -i jail/out/tp.data 2>/dev/null)" "$id .*libc" "trace -g -o FILE.data $where: the C library's build-id"
	exits 0 "stack $where: exit 0" jailed /bin/bpfperf stack -e cpu-clock -F 499 -o /out/stack.folded -- /bin/spin 0.7
	spins jail/out/stack.folded "stack $where"
	exits 0 "record -g $where: exit 0" jailed /bin/bpfperf record -g -F 997 -o /out/record.data -- /bin/spin 0.5
	like "$("$BPFPERF" script -i jail/out/record.data -F comm,ip,sym 2>&1)" 'spin' "record -g $where: there are samples"
done

# --- One path in two roots: the last process that mapped it has another file there, and has ended.
mkdir -p twin/{bin,lib64}
cp "$WORKLOADS/syscall_loop" twin/bin/
for lib in $(ldd "$WORKLOADS/syscall_loop" | grep -o '/[^ ]*'); do
	[[ $lib == */ld-* ]] && to=twin$lib || to=twin$(realpath "$lib")
	mkdir -p "$(dirname "$to")" && cp -L "$lib" "$to"
done
# shellcheck disable=SC2016 # the inner shell's
exits 0 "trace of two roots: exit 0" "$BPFPERF" trace -g -o twin.data $GETPPID -- \
	sh -c '"$0" 1009 && chroot twin /bin/syscall_loop 7' "$WORKLOADS/syscall_loop"
libc=$(realpath "$(ldd "$WORKLOADS/syscall_loop" | grep -o '/[^ ]*libc\.so\.6')")
id=$(readelf -n "$libc" | sed -n 's/.*Build ID: //p')
is "$(perf buildid-list -i twin.data 2>/dev/null | grep -c "^$id $libc$")" 1 "trace of two roots: the C library of bpfperf's own has its build-id"

# --- A profile of the host, of a program in a jail that only it can see.
jail_ns=(-mp --fork)
exits 0 "stack -a beside a jailed program: exit 0" "$BPFPERF" stack -a -e cpu-clock -F 499 -o outside.folded -- \
	unshare "${jail_ns[@]}" sh jailed.sh /bin/spin 0.7
spins outside.folded "stack -a beside a jailed program"

# --- A cgroup namespace: -G is a directory below the mount as it is seen there.
cg=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
if [ -n "$cg" ] && mkdir "$cg/bpfperf-test-$$" 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's
	exits 0 "trace -G in a cgroup namespace: exit 0" sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$cg/bpfperf-test-$$" \
		unshare -mC sh -c 'mkdir -p cg && mount -t cgroup2 none cg && mkdir cg/inner &&
		"$0" trace -G "$PWD/cg/inner" -o group.txt '$GETPPID' -- sh -c "echo \$\$ >cg/inner/cgroup.procs; exec \"$1\" 1009"
		rc=$?; exit $rc' "$BPFPERF" "$WORKLOADS/syscall_loop"
	is "$(grep -c 'syscall_loop .*getppid' group.txt)" 1009 "trace -G in a cgroup namespace: each call of the group"
	rmdir "$cg/bpfperf-test-$$/inner" "$cg/bpfperf-test-$$"
else
	skip_test "trace -G in a cgroup namespace" "there is no cgroup2 in which a group can be made"
fi
done_testing
