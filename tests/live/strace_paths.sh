#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# bpfperf strace: paths in pages that their process has never touched are printed, whole.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

# Prints how many calls have a path of the workload, how many of these are the one that the call was made with, and how
# many calls have something else.
paths_of() { # FILE PID
	awk -v pid="$2" '$1 == pid && /access\(/ && !/ld.so.preload/ {
		want = "\"/no/such/fresh/path/" n++ % 2003 "\""
		if (index($0, "access(" want ", F_OK) = -1 ENOENT")) same++
		else if (/"\/no\/such\/fresh\/path\/[0-9]+"/) other++
		else { missing++; if (missing < 5) print > "/dev/stderr" }
	} END { print same + 0, other + 0, missing + 0 }' "$1"
}

fresh() { # NAME N [cold]
	local name=$1

	shift
	"$BPFPERF" strace --lost-exit -e trace=access -o paths.txt "$WORKLOADS/fresh_paths" "$1" pages "${@:2}" >out 2>err
	is $? 0 "$name: no call is lost"
	is "$(said calls <out)" "$1" "$name: calls that the program made"
	is "$(paths_of paths.txt "$(said pid <out)")" "$1 0 0" "$name: each call has its path, none is empty"
}

fresh "fresh pages" 100003
fresh "fresh pages that the disk reads" 1009 cold
# The page cache of some file systems is the file.
if [ "$(stat -f -c %T .)" = tmpfs ]; then
	skip_test "the disk has read pages of these calls" "the directory of the test is a tmpfs"
else
	between "$(said majfaults <out)" 907 3000 "the disk has read pages of these calls"
fi
done_testing
