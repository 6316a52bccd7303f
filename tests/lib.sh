# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# The Test Anything Protocol for test scripts, to be sourced first:
#
#     . "$(dirname "$0")/../lib.sh"
#     need_root
#     ok "proc: a link to the process" test -e /proc/self   # NAME CMD ARG…: CMD succeeds
#     is "$got" "$want" "trace: one record a call"
#     done_testing
#
# A name stands alone in a list of failures: it has the command or option, and the fact
# (tests/lint/names.py).
#
# Tests run in $TMP, an empty directory that is removed at the end, and find
#     $BPFPERF    the program under test
#     $WORKLOADS  the directory of the compiled tests/workloads/
#     $TOP        the source tree
#
# Background children that are registered by `reap PID` are killed at the end.

set -u
export LC_ALL=C TZ=UTC
# The width of trees is that of a file.
unset COLUMNS

TOP=${TOP:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
O=${O:-$TOP/build}
case $O in /*) ;; *) O=$TOP/$O ;; esac
BPFPERF=${BPFPERF:-$O/bpfperf}
WORKLOADS=${WORKLOADS:-$O/workloads}
export TOP O BPFPERF WORKLOADS

# shellcheck source=python.bash
. "$TOP/tests/python.bash"

TRACEFS=/sys/kernel/tracing
[ -e $TRACEFS/events ] || TRACEFS=/sys/kernel/debug/tracing

tap_cnt=0
tap_failed=0
tap_pids=()
declare -A tap_births=()
TMP=$(mktemp -d "${TMPDIR:-/tmp}/bpfperf-test.XXXXXX") || exit 1
tap_self=$(realpath "$0")
cd "$TMP" || exit 1

# When a process began, in ticks since the machine's start, which tells it from another one that has its id later: $tap_born.
tap_birth() { # PID
	local stat='' stat_fields

	{ IFS= read -r -d '' stat <"/proc/$1/stat"; } 2>/dev/null
	read -ra stat_fields <<<"${stat##*) }"
	tap_born=${stat_fields[19]:-}
}

tap_cleanup() {
	local p

	for p in "${tap_pids[@]}"; do
		tap_birth "$p"
		[ "$tap_born" != "${tap_births[$p]}" ] || kill -KILL "$p" 2>/dev/null
	done
	wait 2>/dev/null
	cd / && rm -rf "$TMP"
}
trap tap_cleanup EXIT
trap 'exit 130' INT TERM HUP

diag() {
	printf '%s\n' "$*" | sed 's/^/# /' >&2
}

tap_result() { # STATUS NAME
	tap_cnt=$((tap_cnt + 1))
	if [ "$1" -eq 0 ]; then
		printf 'ok %d - %s\n' "$tap_cnt" "$2"
	else
		tap_failed=$((tap_failed + 1))
		printf 'not ok %d - %s\n' "$tap_cnt" "$2"
		diag "  Failed test: $2"
	fi
	return "$1"
}

pass() { # NAME
	tap_result 0 "$1"
}

fail() { # NAME [WHY]
	tap_result 1 "$1"
	[ $# -lt 2 ] || diag "$2"
	return 1
}

# Passes if CMD succeeds; the output of CMD is printed only if it fails.
ok() { # NAME CMD [ARG…]
	local name=$1 rc

	shift
	"$@" >"$TMP/.ok.out" 2>&1
	rc=$?
	tap_result $rc "$name" && return 0
	diag "exit $rc: $*"
	diag "$(head -n 20 "$TMP/.ok.out")"
	return 1
}

# Passes if CMD fails.
nok() { # NAME CMD [ARG…]
	local name=$1

	shift
	if "$@" >"$TMP/.ok.out" 2>&1; then
		tap_result 1 "$name"
		diag "succeeded: $*"
		return 1
	fi
	tap_result 0 "$name"
}

# Passes if CMD exits with STATUS. The output of CMD is in $TMP/out and $TMP/err afterwards.
exits() { # STATUS NAME CMD [ARG…]
	local want=$1 name=$2 rc

	shift 2
	"$@" >"$TMP/out" 2>"$TMP/err"
	rc=$?
	if [ $rc -eq "$want" ]; then
		tap_result 0 "$name"
		return 0
	fi
	tap_result 1 "$name"
	diag "exit $rc, expected $want: $*"
	diag "$(head -n 20 "$TMP/err")"
	return 1
}

is() { # GOT WANT NAME
	if [ "$1" = "$2" ]; then
		tap_result 0 "$3"
		return 0
	fi
	tap_result 1 "$3"
	diag "     got: $1"
	diag "expected: $2"
	return 1
}

isnt() { # GOT UNWANTED NAME
	if [ "$1" != "$2" ]; then
		tap_result 0 "$3"
		return 0
	fi
	tap_result 1 "$3"
	diag "got: $1"
	return 1
}

# The extended regular expression is matched against the whole text.
like() { # GOT REGEX NAME
	if [[ $1 =~ $2 ]]; then
		tap_result 0 "$3"
		return 0
	fi
	tap_result 1 "$3"
	diag "         got: $(printf '%s' "$1" | head -c 1000)"
	diag "should match: $2"
	return 1
}

unlike() { # GOT REGEX NAME
	if [[ ! $1 =~ $2 ]]; then
		tap_result 0 "$3"
		return 0
	fi
	tap_result 1 "$3"
	diag "             got: $(printf '%s' "$1" | head -c 1000)"
	diag "should not match: $2"
	return 1
}

# Whole numbers: LOW <= GOT <= HIGH.
between() { # GOT LOW HIGH NAME
	if [[ $1 =~ ^-?[0-9]+$ ]] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; then
		tap_result 0 "$4"
		return 0
	fi
	tap_result 1 "$4"
	diag "got $1, expected $2 to $3"
	return 1
}

# Passes if two files have equal bytes.
same() { # GOT_FILE WANT_FILE NAME
	if cmp -s "$1" "$2"; then
		tap_result 0 "$3"
		return 0
	fi
	tap_result 1 "$3"
	diag "$(diff -u "$2" "$1" 2>&1 | head -n 20)"
	return 1
}

# Counts one assertion that cannot be made on this machine.
skip_test() { # NAME WHY
	tap_cnt=$((tap_cnt + 1))
	printf 'ok %d - %s # SKIP %s\n' "$tap_cnt" "$1" "$2"
}

# Reports that the whole script cannot run on this machine, and exits.
skip_all() { # WHY
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

need_root() {
	[ "$(id -u)" = 0 ] || skip_all "needs root"
}

need_tracefs() {
	[ -e "$TRACEFS/events" ] || skip_all "tracefs is not mounted"
}

need_cmd() { # CMD…
	local c

	for c; do
		command -v "$c" >/dev/null 2>&1 || skip_all "$c is not installed"
	done
}

need_built() {
	[ -x "$BPFPERF" ] || skip_all "$BPFPERF is not built"
	# shellcheck disable=SC2016 # as it stands in the file
	! grep -q '\$WORKLOADS' "$tap_self" || [ -d "$WORKLOADS" ] || skip_all "$WORKLOADS is not built: make workloads"
}

# Kills PID at the end of the test, if the process still exists; not another one that has got its id meanwhile.
reap() { # PID…
	local p

	for p; do
		[ -n "$p" ] || continue
		tap_pids+=("$p")
		tap_birth "$p"
		tap_births[$p]=$tap_born
	done
}

# Waits up to SECONDS (whole) for CMD to succeed; a wait in vain is told, as it may be one that no assertion follows.
wait_for() { # SECONDS CMD [ARG…]
	local secs=$1 left=$(($1 * 50))

	shift
	while [ $left -gt 0 ]; do
		"$@" >/dev/null 2>&1 && return 0
		sleep 0.02
		left=$((left - 1))
	done
	diag "waited in vain for $secs s: $*"
	return 1
}

# perf knows nothing, or an empty name, of most procedure linkage tables, which a program's start calls, too, or takes them
# for the end of _init, which has no size and stands before them.
without_stubs() { # [FILE]
	sed -E 's/ [^ ]*@plt(\+0x[0-9a-f]+)?/ [unknown]/; s/ _init\+0x[0-9a-f]+/ [unknown]/' "$@"
}

# Runs perf record, again where a signal ended it: it does not always survive BPF programs that others unload meanwhile, nor
# files that others write to its cache of build ids.
perf_record() { # ARG…
	local try rc

	for try in 1 2 3 4 5; do
		perf record "$@"
		rc=$?
		[ "$rc" -gt 128 ] || break
		diag "perf record $*: ended by signal $((rc - 128)) ($try)"
	done
	return "$rc"
}

# Milliseconds since the epoch.
now_ms() {
	local now=$EPOCHREALTIME

	echo $((10#${now/./} / 1000))
}

done_testing() {
	printf '1..%d\n' "$tap_cnt"
	[ "$tap_failed" -eq 0 ]
	exit $?
}
