#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script --per-event-dump: the files of perf script, of a recording of several events, and what is in their way.
. "$(dirname "$0")/../lib.sh"
need_root
need_built
need_cmd perf

dump() { # DIR ARG…: bpfperf script --per-event-dump there
	(cd "$1" && shift && "$BPFPERF" script --per-event-dump "$@") >out 2>err
}

names() { # DIR
	(cd "$1" && printf '%s\n' *)
}

same_files() { # NAME: perf/ and ours/ have the same files
	is "$(names ours)" "$(names perf)" "$1: a file for each event, named as perf names it"
	for f in perf/*.dump; do
		without_stubs "$f" >want.txt
		without_stubs "ours/${f#*/}" >got.txt
		same got.txt want.txt "$1: ${f#*/} has perf's samples"
	done
}

ok "perf records three events" perf_record -q --no-bpf-event -g -e cpu-clock:u,task-clock:u,dummy -F 997 -o all.data \
	"$WORKLOADS/spin" 0.5
for options in "" "-G --ns" "-F comm,tid,time,event,ip,sym,symoff,dso"; do
	rm -rf perf ours
	mkdir perf ours
	cp all.data perf
	cp all.data ours
	# shellcheck disable=SC2086
	(cd perf && perf script --per-event-dump -i all.data $options >../perf.out 2>../perf.err)
	# shellcheck disable=SC2086
	dump ours -i all.data $options || fail "script --per-event-dump $options exits 0" "$(cat err)"
	same_files "script --per-event-dump $options"
	is "$(wc -c <out)" 0 "script --per-event-dump $options: no sample on stdout"
	sed -nE 's/.*MB (.*) \(([0-9]+) samples\).*/bpfperf: \1: \2 samples/p' perf.out >want.txt
	same err want.txt "script --per-event-dump $options: as many samples as perf says"
done
between "$(grep -c spin 'ours/all.data.cpu-clock:u.dump')" 101 100000 "script --per-event-dump: samples of the program"

# A file that is there is written anew.
seq 100003 >'ours/all.data.cpu-clock:u.dump'
dump ours -i all.data -G --ns
(cd perf && perf script --per-event-dump -i all.data -G --ns >../perf.out 2>../perf.err)
same_files "script --per-event-dump again"
dump ours -i all.data --show-task-events
"$BPFPERF" script -i all.data --show-task-events 2>err | grep PERF_RECORD >want.txt
same out want.txt "script --per-event-dump --show-task-events: the records are on stdout"

mkdir piped
"$BPFPERF" script -i all.data 2>err >want.txt
dump piped -i - <all.data
is "$(names piped)" "$(names perf | sed -n 's/^all.data\.\(.*dump\)/stdin.\1/p')" "script --per-event-dump of stdin: the files are named by it"
is "$(cat piped/* | wc -l)" "$(wc -l <want.txt)" "script --per-event-dump of stdin: all lines"

# The name of an event is the recording's word: a file of this directory it is in any case.
mkdir named
sed 's#cpu-clock:u#../../../:u#g; s#task-clock:u#x/y\x1b[mabcd:u#g' all.data >named/all.data
dump named -i all.data || fail "script --per-event-dump of a made name exits 0" "$(cat err)"
is "$(names named | tr '\n' ' ')" 'all.data all.data..._.._.._:u.dump all.data.dummy.dump all.data.x_y_[mabcd:u.dump ' \
	"script --per-event-dump: a name has no other directory"

# Files that others may have placed are not written.
mkdir shared
chmod 1777 shared
cp all.data shared
echo secret >secret
ln -s ../secret 'shared/all.data.task-clock:u.dump'
dump shared -i all.data
is "$?" 1 "script --per-event-dump with a link in a directory of others: exit 1"
is "$(grep error: err)" "bpfperf: error: cannot write all.data.task-clock:u.dump: another user may have placed it there, or a link on the way to it; copy the recording to a directory of your own" \
	"script --per-event-dump with a link in a directory of others: the remedy is named"
is "$(cat secret)" secret "script --per-event-dump: a link's file keeps its bytes"
mkdir odd
cp all.data odd
mkfifo 'odd/all.data.task-clock:u.dump'
dump odd -i all.data
is "$?" 1 "script --per-event-dump with a named pipe: exit 1"
like "$(grep error: err)" '^bpfperf: error: cannot write all.data.task-clock:u.dump: .*; [a-z ]+$' "script --per-event-dump with a named pipe: the remedy is named"
# Such a process ends behind the one that it opens files for.
ok "no process that opens files is left" wait_for 20 sh -c '! pgrep -P 1 -f "script --per-event-dump -i all.data"'
done_testing
