#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Files that root writes into directories of other users: who may read them, and what may lie in their way.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd setpriv

as_user() { setpriv --reuid 4242 --regid 4242 --clear-groups "$@"; }

chmod 711 .
mkdir theirs && chown 4242:4242 theirs
echo 4711 >mine.txt
cp mine.txt want.txt
as_user ln -s "$PWD/mine.txt" theirs/link.out
as_user ln -s "$PWD/made.out" theirs/loose.out
as_user ln -s "$PWD" theirs/dir
as_user touch theirs/empty.out
as_user mkfifo theirs/pipe.out
ln mine.txt theirs/hard.out
"$BPFPERF" record -q -o in.data -e raw_syscalls:sys_enter -- "$WORKLOADS/syscall_loop" 11 2>/dev/null

# Each way to write a file: its name, and the command that comes before -o FILE.
ways=("trace:trace raw_syscalls:sys_enter" "record:record -e raw_syscalls:sys_enter"
	"stack:stack -F 997 --format folded" "stat:stat -e page-faults")
run_way() { # WAY FILE: leaves the exit status in $rc
	# shellcheck disable=SC2086
	"$BPFPERF" ${1#*:} -o "$2" -- "$WORKLOADS/syscall_loop" 11 >out 2>err
	rc=$?
}
for way in "${ways[@]}"; do
	name=${way%%:*}
	run_way "$way" theirs/"$name"-new.out
	is "$rc" 0 "$name -o of a new file in a user's directory: exit 0"
	is "$(stat -c '%a %u' theirs/"$name"-new.out)" "600 0" "$name -o of a new file in a user's directory: only root may read it"
	run_way "$way" theirs/"$name"-new.out
	is "$rc" 0 "$name -o of its own file in a user's directory: exit 0"
	for file in link loose dir/new pipe empty hard; do
		run_way "$way" theirs/"$file".out
		is "$rc" 1 "$name -o of a user's $file: exit 1"
		like "$(cat err)" "cannot write theirs/$file.out: (other users may write to the directory of|another user may have placed it).*; give -o a file in a directory of your own" \
			"$name -o of a user's $file: the reason and the remedy are named"
	done
	ok "$name -o of a user's files: nothing was written through them" \
		sh -c 'cmp mine.txt want.txt && [ ! -s theirs/empty.out ] && [ ! -e made.out ] && [ ! -e new.out ]'
	run_way "$way" "$name"-own.out
	is "$rc $(stat -c '%a %u' "$name"-own.out)" "0 600 0" "$name -o of a new file: only root may read it"
	ln -s "$name"-own.out "$name"-link.out
	run_way "$way" "$name"-link.out
	is "$rc" 0 "$name -o of a link in root's own directory: exit 0"
	export SUDO_UID=4242 SUDO_GID=4242
	run_way "$way" theirs/"$name"-sudo.out
	is "$rc $(stat -c '%a %u %g' theirs/"$name"-sudo.out)" "0 600 4242 4242" "$name -o under sudo: the file is the user's"
	run_way "$way" theirs/empty.out
	is "$rc" 0 "$name -o under sudo of the user's own file: exit 0"
	: >theirs/empty.out
	unset SUDO_UID SUDO_GID
done

# A recording that is kept as FILE.old: the new one is as protected.
is "$(stat -c '%a %u' theirs/record-new.out theirs/record-new.out.old | sort -u)" "600 0" "record -o of its own file: neither it nor FILE.old may be read by others"
exits 1 "report -o of a user's link: exit 1" "$BPFPERF" report -i in.data -o theirs/link.out
exits 0 "stat > FILE: the shell opens what root names" sh -c "'$BPFPERF' stat -e page-faults -- true >theirs/link.out"
done_testing
