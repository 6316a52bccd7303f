# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Compares recordings as perf script and bpfperf script print them; sourced after live.bash.

need_cmd perf python3 readelf nm

# Without its debug file functions of the C library have the names of .dynsym, often several (one_name.py).
one_name() { # FILE
	if has_libc_debug; then
		cat "$1"
	else
		python3 "$TOP/tests/live/one_name.py" "$1" "$(libc_path)"
	fi
}

# perf knows nothing any more of the BPF programs of others on this machine, where they went while it recorded. In a recording
# without samples of the kernel perf has no name for the functions that the kernel's workers are given, and prints their addresses.
plain() { # FILE
	without_stubs "$1" | sed -E 's/ bpf_prog_[^ ]* \(bpf_prog_[^ ]*\)/ [unknown] ([unknown])/
		s/ bpf_prog_[^ ]*/ [unknown]/
		/ sched:sched_kthread_work_/s/(function[= ])[^ ]+/\1[unknown]/' >"$1.plain"
	one_name "$1.plain"
}

both() { # NAME [OPTION…]: of NAME.data
	local name=$1 early of

	shift
	perf script -i "$name.data" "$@" >perf.raw 2>perf.err </dev/null &
	"$BPFPERF" script -i "$name.data" "$@" >ours.raw 2>ours.err ||
		fail "$name: exit 0" "$(cat ours.err)"
	wait $!
	plain perf.raw >perf.txt &
	plain ours.raw >ours.txt
	wait $!
	read -r early of < <("$TOP/tests/live/ended_early.py" perf.txt ours.txt)
	[ "$early" -le $((of / 50)) ] || fail "$name: perf ended $early of $of stacks early"
	[ "$early" -eq 0 ] || diag "$name: perf ended $early of $of stacks early"
	ok "$name: there are lines $*" test -s perf.txt
	same ours.txt perf.txt "$name: as perf script prints them $*"
}

# 37 children: what each does is in its own comm, fork, exec and exit. A child's time in the kernel is shorter than a period
# of the clock: it is the shell that is in the kernel for long (one read(2) a byte).
cat >work.sh <<'END'
i=0
while [ $i -lt 37 ]; do i=$((i + 1)); /bin/true; done
i=0
while [ $i -lt 20000 ]; do i=$((i + 1)); done
i=0
while [ $i -lt 1501 ]; do i=$((i + 1)); read -r line </proc/self/status; done
END
