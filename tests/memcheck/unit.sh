#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The compiled unit tests under valgrind, which sees a use of memory that was never set. Sanitizers of the ring unit do not.
# $O/memcheck has the tests (make memcheck-tests); MEMCHECK="strbuf queue" runs these alone.
. "$(dirname "$0")/../lib.sh"
# No dependency of the suite: it brings the C library's debug files, without which the other rings must pass, too.
command -v valgrind >/dev/null || skip_all "valgrind is not installed; install it for this ring alone"

# Why a test cannot run under valgrind.
declare -A EXCLUDED=(
	[confine]="it makes system calls that valgrind does not know, with addresses that are invalid on purpose"
)

for src in "$TOP"/tests/unit/*.c; do
	name=$(basename "$src" .c)
	[[ -z ${MEMCHECK:-} || " $MEMCHECK " == *" $name "* ]] || continue
	if [ -n "${EXCLUDED[$name]:-}" ]; then
		skip_test "$name under valgrind" "${EXCLUDED[$name]}"
		continue
	fi
	if [ ! -x "$O/memcheck/$name" ]; then
		skip_test "$name under valgrind" "it is not built: make memcheck-tests"
		continue
	fi
	# The readers of files can open no log of their own.
	(cd "$TOP" && exec timeout 600 valgrind -q --vgdb=no --num-callers=20 --log-fd=9 "$O/memcheck/$name") >out 2>err 9>log
	# Beside errors, which have a place, the log has warnings.
	grep -qE '^==[0-9]+==    at 0x' log
	tap_result $((!$?)) "$name under valgrind: no error of memory" || diag "$(grep '^==' log | head -n 60)"
	# Assertions are those of the ring unit: here a reader may be too slow, /proc has files of valgrind's, and what valgrind does
	# not know (seccomp, pidfd_open, limits of memory) fails.
	ok "$name under valgrind: it comes to its end" grep -qE '^1\.\.[1-9]' out
done
done_testing
