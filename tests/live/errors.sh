#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# An impossible request is reported in one sentence with its remedy, and the exit status states the kind.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

# One sentence on stderr, which matches; nothing on stdout.
refuses() { # STATUS REGEX ARG…
	local want=$1 regex=$2

	shift 2
	exits "$want" "exit $want: bpfperf $*" "$BPFPERF" "$@" || return
	like "$(cat err)" "$regex" "bpfperf $*: stderr matches $regex"
	is "$(wc -c <out)" 0 "bpfperf $*: nothing on stdout"
}

refuses 2 'sched_switch' trace sched:sched_swich
refuses 2 'sched:' trace 'shed:*'
refuses 2 'nosuchevent' trace nosuchevent
refuses 2 'EVENT|event' trace
refuses 2 'max-events' trace --max-events -5 sched:sched_switch
refuses 2 'max-events' trace --max-events 5x sched:sched_switch
refuses 2 'duration' trace --duration soon sched:sched_switch
refuses 2 'time' trace --time=noon sched:sched_switch
refuses 2 'format.*(json|text)' trace --format xml sched:sched_switch
refuses 2 "xml.*--format" trace -o out.xml sched:sched_switch
refuses 2 'empty' trace -o '' sched:sched_switch
refuses 2 'empty' trace ''
refuses 2 'did you mean' trace 'zzz:*'
refuses 2 'above 0' trace --duration 1e-30 sched:sched_switch
refuses 2 'whole number' trace --max-events ' 5' sched:sched_switch
refuses 2 'whole number' stack -F ' -5'
refuses 2 'no such user' stat -u 4294967296 -e page-faults
refuses 2 'from 1 to' stat --timeout 18446744073709552 -e page-faults -- true
refuses 2 'from 1 to' record -o none.data -c 9223372036854775808 -- true
refuses 2 '-m' trace -m huge sched:sched_switch
refuses 2 'nosuchoption' trace --nosuchoption sched:sched_switch
refuses 2 '-C|CPU' trace -C 4096 sched:sched_switch
refuses 2 'nosuchcommand' nosuchcommand
true &
gone=$!
wait $gone
refuses 2 'no such process' trace -p $gone sched:sched_switch
refuses 1 'no/such/dir' trace -o no/such/dir/out.txt --duration 0.1 sched:sched_switch
refuses 1 'no-such-command' trace sched:sched_switch -- ./no-such-command
echo kept >kept.csv
refuses 1 'no-such-command' stat -o kept.csv -- ./no-such-command
is "$(cat kept.csv)" kept "stat -o of a command that is not there: the file is unchanged"
refuses 2 'true is a program; .* -- true' trace sched:sched_switch true
refuses 2 'sleep is a program; .* -- sleep' stack sleep 1
refuses 2 'give one' trace -a -p $$ sched:sched_switch
is "$("$BPFPERF" trace sched:sched_swich 2>&1 | grep -c .)" 1 "trace of an unknown event: the error is one line"

like "$("$BPFPERF" --version)" '^bpfperf [0-9]+\.[0-9]+' "bpfperf --version: a version number"
exits 0 "bpfperf --help: exit 0" "$BPFPERF" --help
like "$(cat out)" 'trace.*stack' "bpfperf --help: commands are listed on stdout"
exits 2 "bpfperf without a command: exit 2" "$BPFPERF"
exits 0 "bpfperf list 'sched:*': exit 0" "$BPFPERF" list 'sched:*'
like "$(cat out)" 'sched:sched_switch' "bpfperf list 'sched:*': tracepoints are listed"

# Without privileges.
chmod 755 "$TMP"
if runuser -u nobody -- test -x "$BPFPERF"; then
	exits 1 "not root, trace: exit 1" runuser -u nobody -- "$BPFPERF" trace --duration 0.1 sched:sched_switch
	like "$(cat err)" 'root|CAP_BPF|sudo' "not root, trace: the missing right is named"
	exits 1 "not root, stack: exit 1" runuser -u nobody -- "$BPFPERF" stack --duration 0.1
	like "$(cat err)" 'root|CAP_BPF|sudo' "not root, stack: the missing right is named"
	exits 1 "not root, record of another user's process: exit 1" runuser -u nobody -- "$BPFPERF" record -o /dev/null -p 1 \
		-e cpu-clock:u -- true
	like "$(cat err)" "of task 1, which belongs to another user; run as that user, as root" "not root, record of another user's process: the owner is named"
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ]; then
		exits 1 "not root, record of the kernel alone: exit 1" runuser -u nobody -- "$BPFPERF" record -o /dev/null \
			-e cpu-clock:k -- true
		like "$(cat err)" "you may not record [^;]*; run as root" "not root, record of the kernel alone: the refusal is reported"
		exits 1 "not root, stat of the kernel alone: exit 1" runuser -u nobody -- "$BPFPERF" stat -e page-faults:k -- true
		like "$(cat err)" "page-faults:k counts in the kernel only.*root" "not root, stat of the kernel alone: the refusal is reported"
	fi
else
	skip_test "refusals without root" "the user nobody cannot reach $BPFPERF"
fi

# Without tracefs: a mount namespace of its own, where nothing covers the directories.
if unshare -m true 2>/dev/null; then
	cat >no_tracefs <<-'END'
		awk '$3 == "tracefs" || $3 == "debugfs" { print $2 }' /proc/self/mounts | tac | xargs -r umount -l
		exec "$@"
	END
	exits 1 "trace without tracefs: exit 1" unshare -m sh no_tracefs "$BPFPERF" trace --duration 0.1 sched:sched_switch
	like "$(cat err)" 'mount -t tracefs' "trace without tracefs: the mount command is named"
fi

# Recordings that are none, or not alone.
printf 'PERFFILE%0200d' 0 >old.data
refuses 1 'of perf before 3.4, whose files are of version 1' script -i old.data
"$BPFPERF" record -q -e page-faults -o - -- true >alone.pipe 2>err
{
	cat alone.pipe
	echo 'printed by the command'
} >mixed.pipe
exits 0 "script of a pipe with text behind: exit 0" "$BPFPERF" script -i mixed.pipe
like "$(cat err)" 'text follows the records of mixed.pipe, which were all read' "script of a pipe with text behind: it is told"
is "$(grep -c 'page-faults' out)" "$("$BPFPERF" script -i alone.pipe | grep -c 'page-faults')" \
	"script of a pipe with text behind: all samples are printed"
done_testing
