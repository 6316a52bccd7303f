#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# --format pprof in go's pprof: the same functions, counts, labels and comments.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=formats.bash
. "$TOP/tests/formats/formats.bash"
# shellcheck source=../live/steady.bash
. "$TOP/tests/live/steady.bash"
need_cmd go
go tool pprof -h >/dev/null 2>&1 || [ $? -eq 2 ] || skip_all "go has no pprof"
# Its scratch files, and no word about it.
export HOME=$TMP PPROF_TMPDIR=$TMP

pprof() {
	go tool pprof -symbolize=none "$@" 2>err
}

# The rows of -top as "flat cum name".
top_counts() {
	sed -nE '1,/^ +flat /d; s/^ *([^ ]+) +[^ ]+ +[^ ]+ +([^ ]+) +[^ ]+ +(.*)$/\1 \2 \3/p' | sort
}

# The counts of a function in folded stacks: "flat cum", a recursive one counted once.
counts() { # FILE
	awk '{
		n = $NF
		sub(/ [0-9]+$/, "")
		cnt = split($0, f, ";")
		delete seen
		for (i = 2; i <= cnt; i++) {
			sub(/_\[k\]$/, "", f[i])
			if (f[i] == "[truncated]" && i == cnt)
				continue
			if (!(f[i] in seen))
				cum[f[i]] += n
			seen[f[i]] = 1
			if (i == cnt)
				flat[f[i]] += n
		}
	} END { for (name in cum) print flat[name] + 0, cum[name], name }' "$1" | sort
}

exits 0 "stack -o plain.pb.gz: exit 0" "$BPFPERF" stack -i plain.folded -o plain.pb.gz
ok "stack -o plain.pb.gz: a gzip file" gzip -t plain.pb.gz
exits 0 "go tool pprof -top opens it" pprof -top -nodecount=1000 -nodefraction=0 plain.pb.gz
is "$(grep -c 'of 9277 total' out)" 1 "pprof -top: all samples"
top_counts <out >got
counts plain.folded >want
same got want "pprof -top: each function's own and total count"
exits 0 "pprof -tagroot: exit 0" pprof -tagroot comm -top -nodecount=1000 plain.pb.gz
is "$(awk '$6 == "web" { print $4 }' out)" 7937 "pprof -tagroot: the thread's name is a label"
exits 0 "pprof -comments: exit 0" pprof -comments plain.pb.gz
like "$(cat out)" '9277 samples, 0 lost, 11 truncated' "pprof -comments: the command is named"
exits 0 "pprof -raw: exit 0" pprof -raw plain.pb.gz
is "$(grep -cE '^ +9277|^Samples:' out)" 1 "pprof -raw: samples with their labels"

exits 0 "a profile of several events: exit 0" "$BPFPERF" stack -i both.json -o both.pb.gz
for type in "cpu-clock samples:297" "off-cpu samples:5" "page-faults samples:2" page-faults:13 off-cpu:7s cpu-clock:3s; do
	pprof -top -sample_index="${type%:*}" both.pb.gz >out
	is "$(sed -nE 's/.* of ([^ ]+) total.*/\1/p' out)" "${type#*:}" "several events, ${type%:*}: totals in its unit"
done
pprof -top both.pb.gz >out
like "$(cat out)" 'Type: cpu-clock' "several events: time is shown first"
like "$(cat out)" 'Duration: 10.10s' "several events: the recording's length"
like "$(pprof -comments both.pb.gz)" '17 lost \(17 ring full\)' "several events: losses are among the comments"

# Names that are no UTF-8 would make readers refuse the whole.
printf 'w;m\xe4in;caf\xc3\xa9 7\n' >latin.folded
exits 0 "a name in Latin-1: exit 0" "$BPFPERF" stack -i latin.folded -o latin.pb.gz
ok "a name in Latin-1: UTF-8 in pprof" python3 -c '
import gzip, sys
data = gzip.open("latin.pb.gz").read()
sys.exit("m\ufffdin".encode() not in data or b"m\xe4in" in data or "caf\u00e9".encode() not in data)'

"$BPFPERF" stack -i plain.folded --format pprof --diff plain.folded >out 2>err
is $? 2 "differences are pprof's own business"
like "$(cat err)" 'choose from: tree folded flame json' "--diff -o FILE.pb.gz: the formats that compare are named"
sed 's/lex 3001/lex 3012/' plain.folded >more.folded
"$BPFPERF" stack -i more.folded -o more.pb.gz
pprof -top -diff_base plain.pb.gz more.pb.gz >out
like "$(cat out)" ' 11 .* lex' "-diff_base finds what changed"

# On this kernel pprof and folded stacks of the same samples agree.
if [ "$(id -u)" = 0 ] && [ -x "$WORKLOADS/spin" ]; then
	exits 0 "stack -o live.json of a live run: exit 0" "$BPFPERF" stack -F 997 -o live.json -- "$WORKLOADS/spin" 1
	"$BPFPERF" stack -i live.json -o live.folded
	# With what was recorded left out, as it counts nothing.
	sed -i '/^\[recording\]/d' live.folded
	before=$(stolen)
	exits 0 "live, straight to pprof" "$BPFPERF" stack -F 997 -o live.pb.gz -- "$WORKLOADS/spin" 1
	pprof -top live.pb.gz >out
	like "$(cat out)" 'spin_outer' "pprof of a live run: its functions"
	pprof -comments live.pb.gz >out
	like "$(cat out)" "command: .*spin 1" "pprof of a live run: its command"
	all=$(sed -nE 's/^([0-9]+) samples of .*/\1/p' out)
	is "$all" "$(pprof -top live.pb.gz | sed -nE 's/.*Total samples = ([0-9]+).*/\1/p')" "pprof of a live run: all samples"
	sampled "$all" 997 1 "$before" "stack -F 997 of one second: samples"
	"$BPFPERF" stack -i live.json --format pprof >again.pb.gz
	pprof -top -nodecount=10000 -nodefraction=0 again.pb.gz |
		top_counts >got
	counts live.folded >want
	same got want "pprof of a live run: counts are those of folded stacks"
else
	skip_test "pprof of a live run" "needs root"
fi
done_testing
