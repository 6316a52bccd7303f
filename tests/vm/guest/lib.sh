# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# The Test Anything Protocol under busybox, to be sourced first by the rings of tests/vm/guest/.
# A ring runs as root in an empty directory; bpfperf, the workloads and tools of tests are in PATH.

set -u
# shellcheck disable=SC2034 # for the rings
TRACEFS=/sys/kernel/tracing
tap_cnt=0
tap_failed=0

diag() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

tap_result() { # STATUS NAME
	tap_cnt=$((tap_cnt + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_cnt - $2"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_cnt - $2"
	fi
	return "$1"
}

# Passes if CMD succeeds; the output of CMD is printed only if it fails.
ok() { # NAME CMD [ARG…]
	local name=$1 rc

	shift
	"$@" >.ok.out 2>&1
	rc=$?
	tap_result $rc "$name" && return 0
	diag "exit $rc: $*"
	diag "$(head -n 20 .ok.out)"
	return 1
}

# Passes if CMD exits with STATUS. The output of CMD is in out and err afterwards.
exits() { # STATUS NAME CMD [ARG…]
	local want=$1 name=$2 rc

	shift 2
	"$@" >out 2>err
	rc=$?
	[ $rc -eq "$want" ]
	tap_result $? "$name" && return 0
	diag "exit $rc, expected $want: $*"
	diag "$(head -n 20 err)"
	return 1
}

is() { # GOT WANT NAME
	[ "$1" = "$2" ]
	tap_result $? "$3" && return 0
	diag "     got: $1"
	diag "expected: $2"
	return 1
}

# Passes if any line of FILE matches the extended regular expression.
says() { # FILE REGEX NAME
	grep -qE "$2" "$1"
	tap_result $? "$3" && return 0
	diag "no line of $1 matches $2:"
	diag "$(head -n 10 "$1")"
	return 1
}

between() { # GOT LOW HIGH NAME
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
	tap_result $? "$4" && return 0
	diag "got $1, expected $2 to $3"
	return 1
}

# Runs a program that prints TAP; its assertions become assertions of the ring.
run_tap() { # PROGRAM [ARG…]
	run_tap_as "" "$@"
}

# Runs the program likewise, with LABEL, which ends in a space or is empty, before each name.
run_tap_as() { # LABEL PROGRAM [ARG…]
	local label=$1 line rc

	shift
	"$@" >.tap.out 2>&1
	rc=$?
	while read -r line; do
		case $line in
		"ok "*) tap_result 0 "$label${line#* - }" ;;
		"not ok "*) tap_result 1 "$label${line#* - }" ;;
		1..*) ;;
		*) echo "# ${line#\# }" ;;
		esac
	done <.tap.out
	[ $rc -le 1 ]
	tap_result $? "$label$1 runs to its end" || diag "exit $rc"
	grep -q '^1\.\.[1-9]' .tap.out
	tap_result $? "$label$1 was not skipped"
}

skip_test() { # NAME WHY
	tap_cnt=$((tap_cnt + 1))
	echo "ok $tap_cnt - $1 # SKIP $2"
}

skip_all() { # WHY
	echo "1..0 # SKIP $1"
	exit 0
}

done_testing() {
	echo "1..$tap_cnt"
	exit $((tap_failed > 0))
}

# A number of bpfperf's summary in err, by the word behind it: records, samples, lost.
summary() { # WORD
	sed -nE "s/^bpfperf: .*\b([0-9]+) $1.*/\1/p" err | head -n 1
}

# The records that the summary in err counts as lost, without the missed ones: for these the kernel skipped a
# program, in any task of the machine.
lost_but_missed() {
	echo $(($(summary lost) - $(missed)))
}

# The records that the summary in err counts as missed.
missed() {
	local cnt

	cnt=$(sed -nE 's/^bpfperf: missed ([0-9]+):.*/\1/p' err | head -n 1)
	echo "${cnt:-0}"
}

# The value of KEY that a workload printed on stdin.
said() { # KEY
	tr ' ' '\n' | sed -n "s/^$1=//p"
}

# Starts bpfperf trace in the background, writing to FILE, with stderr in err and its process in $bg,
# and waits until it has written a record, of processes that are started and end for that; fails
# where it does not come to one.
start_bg() { # FILE ARG…
	local file=$1 left=600

	shift
	rm -f "$file"
	bpfperf -v trace -o "$file" "$@" 2>err &
	bg=$!
	while [ $left -gt 0 ] && [ -e /proc/$bg/exe ]; do
		/bin/busybox true
		syscall_loop 1 >/dev/null
		[ ! -s "$file" ] || return 0
		sleep 0.1
		left=$((left - 1))
	done
	tap_result 1 "trace begins: $*"
	diag "$(head -n 20 err)"
	return 1
}

# SIGINT to $bg; its exit status.
stop_bg() {
	kill -INT "$bg" 2>/dev/null
	wait "$bg"
}

# Samples of a folded FILE whose line matches REGEX.
samples() { # FILE [REGEX]
	grep -v '^\[' "$1" | grep -E "${2:-.}" | awk '{ n += $NF } END { print n + 0 }'
}

# Counts the user stacks in err's summary that were taken before their tables were loaded.
late_tables() {
	sed -nE 's/^bpfperf: ([0-9]+) of [0-9]+ user stacks are by frame pointers.*/\1/p
		s/^bpfperf: [0-9]+ of [0-9]+ user stacks are not complete:.* ([0-9]+) a table that was not built yet.*/\1/p' err |
		awk '{ n += $1 } END { print n + 0 }'
}

# The kernel is at least VERSION (5.15).
kernel_is() { # VERSION
	[ "$(printf '%s\n%s\n' "$1" "$(uname -r | grep -oE '^[0-9]+\.[0-9]+')" | sort -t. -k1,1n -k2,2n |
		head -n 1)" = "$1" ]
}

# Waits up to SECONDS for CMD to succeed.
wait_for() { # SECONDS CMD [ARG…]
	local left=$(($1 * 50))

	shift
	while [ $left -gt 0 ]; do
		"$@" >/dev/null 2>&1 && return 0
		usleep 20000
		left=$((left - 1))
	done
	return 1
}
