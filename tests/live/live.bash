# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Functions that the live tests share; sourced after lib.sh.

need_root
need_tracefs
need_built

records() {
	python3 "$TOP/tests/records.py" "$@"
}

# Prints a number of the summary on stderr ("bpfperf: 10 records, 0 lost, …"), selected by the word behind it.
summary() { # WORD
	grep -aE '^bpfperf: [0-9]+ (records|samples), ' err | grep -aoE "[0-9]+ $1" | grep -oE '^[0-9]+'
}

# Prints a value of a workload's output: said pid < out.
said() { # KEY
	tr ' ' '\n' | sed -n "s/^$1=//p"
}

# Prints the path of the C library.
libc_path() {
	ldd "$(command -v bash)" | grep -oE '/[^ ]*/libc\.so\.6'
}

# True if there is a debug file of the C library, which alone names the library's local functions: that of libc6-dbg, or a
# copy that perf has put into its cache, also of another root's library.
has_libc_debug() {
	local id

	id=$(readelf -n "$(libc_path)" | sed -n 's/.*Build ID: //p')
	[ -n "$id" ] || return 1
	[ -e "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" ] || [ -e "$HOME/.debug/.build-id/${id:0:2}/${id:2}/debug" ]
}

# Prints the CPUs that this test may run on, one a line.
allowed_cpus() {
	local range

	for range in $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr , ' '); do
		seq "${range%-*}" "${range#*-}"
	done
}

# Starts bpfperf in the background with stderr in err, and waits until it has written records
# to FILE. Leaves its process in $bg.
start_bg() { # FILE ARG…
	local file=$1

	shift
	rm -f "$file"
	"$BPFPERF" "$@" -o "$file" 2>err &
	bg=$!
	reap $bg
	wait_for 20 test -s "$file"
}

# Sends SIGNAL to $bg and waits for it: its status in $bg_rc, milliseconds in $bg_ms.
# shellcheck disable=SC2034 # used by the test that sources this
stop_bg() { # SIGNAL
	local start

	start=$(now_ms)
	kill -s "$1" "$bg"
	wait "$bg"
	bg_rc=$?
	bg_ms=$(($(now_ms) - start))
}
