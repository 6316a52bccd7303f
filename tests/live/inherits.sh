#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# bpfperf, and CMD through it, inherits signals, limits and files from its parent.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3

# A shell cannot ignore it.
without_sigchld() { # CMD ARG…
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])' "$@"
}

exits 0 "SIGCHLD ignored: the shell that starts the tests ignores it" without_sigchld "$(command -v grep)" SigIgn: /proc/self/status
like "$(cat out)" '[13579bdf]....$' "SIGCHLD ignored: a process started so sees it"
for cmd in 'stat -e task-clock' 'stat -r 3 -e sched:sched_switch' 'record -e cpu-clock' 'trace sched:sched_switch' \
	'trace kmem:kfree' 'stack -e cpu-clock'; do
	# shellcheck disable=SC2086 # words
	exits 0 "$cmd with SIGCHLD ignored: exit 0" without_sigchld "$BPFPERF" $cmd -o some.out -- \
		grep SigIgn: /proc/self/status
	like "$(cat out)" '[02468ace]....$' "$cmd with SIGCHLD ignored: CMD gets signals of its own children"
done
exits 7 "stat with SIGCHLD ignored: exit status of CMD" without_sigchld "$BPFPERF" stat -e task-clock -- sh -c 'exit 7'
exits 7 "record with SIGCHLD ignored: exit status of CMD" without_sigchld "$BPFPERF" record -e cpu-clock -o some.out -- sh -c 'exit 7'

# Locked memory: bpfperf takes more than it was given, CMD does not get it.
most=$(ulimit -Hl)
for cmd in 'trace sched:sched_switch' 'stack -e cpu-clock' 'record -g -e cpu-clock' 'stat -e task-clock'; do
	rm -f limits
	# shellcheck disable=SC2086 # words
	exits 0 "$cmd with 61 KiB of locked memory: exit 0" sh -c 'ulimit -Sl 61 && exec "$@"' sh \
		"$BPFPERF" $cmd -o some.out -- sh -c '{ ulimit -Sl; ulimit -Hl; } >limits'
	is "$(xargs <limits)" "61 $most" "$cmd with 61 KiB of locked memory: CMD has no more"
done
done_testing
