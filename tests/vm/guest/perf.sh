#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# vm: --userland
# trace: what bpfperf prints of an event is what this kernel's perf script prints of it.
# shellcheck source=lib.sh
. /vm/lib.sh

work() {
	fork_tree 5 31
	sched_pingpong 101
	short_lived 3 2
	threads 3 11
}

# TID EVENT: TEXT of the threads in the file tids.
records_of() { # FILE
	sed -nE 's|^.* -?[0-9]+/(-?[0-9]+) +\[[0-9]+\] +[0-9.]+: +([a-z_]+:[a-z_0-9]+): ?(.*)$|\1 \2: \3|p' "$1" |
		awk 'NR == FNR { want[$1]; next } $1 in want' tids - | sed 's/ *$//'
}

# Without what threads do after their end: perf knows no id for one that has been reaped.
of_the_living() {
	awk '!($1 in dead) { print } / sched:sched_process_exit: / { dead[$1] }'
}

# Passes where each line of FILE is in OTHER, as often.
is_in() { # FILE OTHER
	[ -s "$2" ] || { echo "$2 is empty" && return 1; }
	awk 'NR == FNR { n[$0]++; next } !(n[$0]-- > 0) { print; bad = 1 } END { exit bad }' "$2" "$1"
}

# Both at once, while work runs.
both() { # EVENTS
	rm -f perf.data control ack
	mkfifo control ack
	exec 5<>control 6<>ack
	# It says when it records: started with all switched off, then told to begin.
	perf record -q -a -m 1024 -D -1 --control=fd:5,6 -e "$1" -o perf.data >perf.err 2>&1 &
	perf=$!
	start_bg out.txt -a -m 4M "$1"
	echo enable >&5
	read -r begun <&6
	is "$begun" ack "$1: perf has begun"
	work >said
	sleep 0.3
	stop_bg
	kill -INT $perf
	wait $perf
	exec 5>&- 6>&-
	# On arm64 perf now and then has a record twice, with the same time.
	perf script -i perf.data --ns -F comm,pid,tid,cpu,time,event,trace 2>/dev/null |
		uniq >perf.txt
	grep -oE '(pid|tid|partner)=[0-9]+' said | cut -d= -f2 | grep -vx 0 | sort -u >tids
	records_of out.txt >a
	records_of perf.txt >b
	of_the_living <a >a.living
	of_the_living <b >b.living
	ok "$1: $(grep -c . a) records of $(cut -d' ' -f2 a | sort -u | grep -c .) events are perf's" \
		is_in a.living b
	ok "$1: and perf's are bpfperf's" is_in b.living a
	between "$(grep -c . a)" 20 1000000 "$1: there are some"
	between "$(grep -c . b)" 20 1000000 "$1: of perf's, too"
	# That the kernel skipped none of these threads' is what the comparison shows.
	is "$(lost_but_missed)" 0 "$1: none is lost"
}

diag "$(perf --version)"
both 'sched:*'
both 'raw_syscalls:*'
both 'task:*'
done_testing
