#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script -i - of a recorder that goes on: what its rounds release is printed at once, and a reader that has read
# enough ends them both.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf

# The output of these commands is too small to fill a buffer, so that script must flush it.
COMMANDS=103

record_bpfperf() {
	exec "$BPFPERF" record -o - -e sched:sched_process_exec -- sh
}
record_perf() {
	exec perf record -q --no-bpf-event --no-buffering -o - -e sched:sched_process_exec -- sh
}

mkfifo commands recorded printed

# A shell that runs the commands written to fd 3, and the recorder that writes into a pipe: $recorder.
begin() { # RECORDER
	"record_$1" <commands >recorded 2>recorder.err &
	recorder=$!
	reap $recorder
	given=0
	exec 3<>commands
}

# Gives it one command after the other, until CMD succeeds.
until_done() { # CMD [ARG…]
	while [ "$given" -lt "$COMMANDS" ]; do
		echo /bin/true >&3
		given=$((given + 1))
		"$@" && return 0
	done
	return 1
}
a_line_comes() {
	read -r -t 1 -u 4 line
}
is_gone() {
	! kill -0 "$recorder"
}
ends() {
	wait_for 1 is_gone
}

for from in bpfperf perf; do
	for option in "-F trace" -D; do
		begin $from
		# shellcheck disable=SC2086 # words
		"$BPFPERF" script $option -i - <recorded >printed 2>err 3>&- &
		script=$!
		reap $script
		exec 4<printed
		line=
		ok "$from record | script $option: a line is printed while the recorder waits for more" until_done a_line_comes
		exec 3>&-
		{
			echo "$line"
			cat <&4
		} >out
		exec 4<&-
		wait $recorder
		is $? 0 "$from record | script $option: the recorder's exit status" || diag "$(cat recorder.err)"
		wait $script
		is $? 0 "$from record | script $option: script's exit status" || diag "$(cat err)"
		case $option in
		-D) is "$(grep -c PERF_RECORD_SAMPLE out)" $((given + 1)) "$from record | script $option: each of $given commands is there, and the shell" ;;
		*) is "$(grep -c filename=/bin/true out)" $given "$from record | script $option: each of $given commands is there" ;;
		esac
	done

	begin $from
	{
		"$BPFPERF" script -F trace -i - 2>err
		echo $? >rc
	} <recorded 3>&- | head -n 1 >first.txt 3>&- &
	head=$!
	reap $head
	ok "$from record | script | head: the recorder ends" until_done ends
	exec 3>&-
	wait $head
	is "$(cat rc)" 0 "$from record | script | head: script's exit status" || diag "$(cat err)"
	is "$(wc -l <first.txt)" 1 "$from record | script | head: one line was read"
	wait $recorder
	rc=$?
	# SIGPIPE ends perf.
	[ $from = perf ] || is $rc 0 "$from record | script | head: the recorder's exit status" || diag "$(cat recorder.err)"
done
done_testing
