#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Directories of perf record --threads: a file for each ring, read as perf reads them, in the order of time, in little
# memory, and up to the damage of one of them.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=perf_text.bash
. "$TOP/tests/live/perf_text.bash"

perf_record --threads -q --no-bpf-event -o try.data -e dummy true 2>/dev/null || skip_all "perf knows no --threads"

cat >both_cpus.sh <<'END'
sh work.sh &
sh work.sh
wait
END
# BPF programs and kernel functions that come and go end the reading of such a directory in perf 6.1.
record() { # NAME OPTION…
	local name=$1

	shift
	perf_record -q --no-bpf-event --all-user -o "$name.data" "$@" -- sh both_cpus.sh 2>err || fail "perf record $*" "$(cat err)"
	ok "$name: it has several files" test -f "$name.data/data.1"
}
# Samples of one nanosecond in two files are in any order.
by_time() { # FILE
	plain "$1" | sort -s -k3,3 -k2,2n
}
threads() { # NAME [OPTION…]: of NAME.data
	local name=$1

	shift
	perf script --ns -i "$name.data" "$@" >perf.raw 2>perf.err </dev/null
	"$BPFPERF" script --ns -i "$name.data" "$@" >ours.raw 2>ours.err || fail "$name: exit 0" "$(cat ours.err)"
	is "$(awk '$3 + 0 < last { n++ } { last = $3 + 0 } END { print n + 0, (NR > 100) }' ours.raw)" "0 1" "$name: samples of all files are in the order of time $*"
	by_time perf.raw >perf.txt
	by_time ours.raw >ours.txt
	same ours.txt perf.txt "$name: as perf script prints them $*"
}
record cpu --threads -e task-clock -F 2003
threads cpu
threads cpu -F comm,tid,time,period,ip,sym
record packed --threads=core -z -e task-clock -F 2003 -d
threads packed -F comm,tid,time,event,addr,ip
"$BPFPERF" report -i cpu.data -F overhead,sample,comm,sym >report.out 2>err || fail "report of a directory" "$(cat err)"
is "$(awk '/^ *[0-9]/ { sum += $2 } END { print sum }' report.out)" "$("$BPFPERF" script -i cpu.data | wc -l)" \
	"report of a directory: it has all samples"

# The file of the headers stands for all.
"$BPFPERF" script -i cpu.data >whole.txt
"$BPFPERF" script -i cpu.data/data >data.txt
same data.txt whole.txt "-i DIR/data is -i DIR"
mkdir alone
cp cpu.data/data alone
"$BPFPERF" record -q -o alone/data -e task-clock -c 1000000 -- sh work.sh
cp cpu.data/data.0 alone
"$BPFPERF" script -i alone/data 2>err >alone.txt
rm alone/data.0
"$BPFPERF" script -i alone/data >really.txt
same alone.txt really.txt "a data.0 beside a recording that knows of none is left alone"

# Each sample has its time from a ring, and none is older than the one before.
"$BPFPERF" script -i cpu.data --ns -F time | awk '$1 + 0 < last { bad++ } { last = $1 + 0 } END { print bad + 0 }' >late.txt
is "$(cat late.txt)" 0 "samples of two files are in the order of time"

# A file that is cut in a record: all before the cut, and the other files whole. It is the largest, where most samples are:
# a CPU may have had a few at its end alone.
cp -r cpu.data cut.data
most=$(basename "$(printf '%s\n' cpu.data/data.[0-9]* | xargs ls -S | head -n 1)")
sz=$(stat -c %s "cut.data/$most")
truncate -s $((sz / 2 / 8 * 8 + 4)) "cut.data/$most"
exits 1 "a file is cut in a record: exit 1" "$BPFPERF" script -i cut.data
like "$(cat err)" "cut.data/$most is damaged: it ends inside a record" "a file is cut in a record: it is named"
is "$(grep -c damaged err)" 1 "a file is cut in a record: one sentence says so"
cp -r cpu.data others.data
: >"others.data/$most"
: "$("$BPFPERF" script -i others.data >others.txt 2>others.err)"
between "$(wc -l <others.txt)" 1 "$(wc -l <out)" "a file is cut in a record: those of the others are printed"
between "$(wc -l <out)" "$(($(wc -l <others.txt) + 1))" "$(($(wc -l <whole.txt) - 1))" "a file is cut in a record: those before the cut are printed"
cp -r cpu.data gap.data
mv gap.data/data.1 gap.data/data.2
exits 1 "a file of the directory is not there: exit 1" "$BPFPERF" script -i gap.data
like "$(cat err)" 'gap.data/data.1 is missing, so gap.data/data is not whole' "a file of the directory is not there: it is said"
rm cut.data/data.1
mkfifo cut.data/data.1
exits 1 "a named pipe in the directory: exit 1" timeout 20 "$BPFPERF" report -i cut.data
like "$(cat err)" 'cut.data/data.1 is no file' "a named pipe in the directory: it is said"
exits 2 "an output in the directory: exit 2" "$BPFPERF" report -i cpu.data --format folded -o cpu.data/data.0
like "$(cat err)" 'is the recording itself' "an output in the directory: it is said"
exits 2 "an output beside the headers: exit 2" "$BPFPERF" report -i cpu.data/data --format folded -o cpu.data/data.0
is "$("$BPFPERF" script -i cpu.data | wc -l)" "$(wc -l <whole.txt)" "an output in the directory: the recording is as it was"
for round in first second; do
	exits 0 "another file in the directory, $round time: exit 0" "$BPFPERF" report -i cpu.data --format folded -o cpu.data/out.folded
done
rm cpu.data/out.folded
cp cpu.data/data.0 ln.data.0
cp -r cpu.data linked.data
ln -sf ../ln.data.0 linked.data/data.0
exits 1 "a link in the directory: exit 1" "$BPFPERF" script -i linked.data
like "$(cat err)" 'linked.data/data.0 is no file of the owner of' "a link in the directory: it is said"
mkdir empty
exits 1 "a directory without a recording: exit 1" "$BPFPERF" script -i empty
like "$(cat err)" 'empty is a directory without the file .data.' "a directory without a recording: it is said"
(ulimit -n 12 && exec "$BPFPERF" script -i cpu.data >few.txt 2>few.err)
is "$?" 0 "few descriptors: two files are read"

# Memory does not grow with the files: 20 times the records take no more.
python3 - cpu.data <<'END'
import shutil, sys
shutil.copytree("cpu.data", "many.data")
for i in (0, 1):
    data = open(f"cpu.data/data.{i}", "rb").read()
    with open(f"many.data/data.{i}", "wb") as f:
        f.write(data * (1 + (80 << 20) // max(len(data), 1)))
END
peak() { # DIR: KiB
	python3 - "$BPFPERF" "$1" <<'END'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "report", "-i", sys.argv[2]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
}
few=$(peak cpu.data)
many=$(peak many.data)
between "$many" 1 $((few + 64 * 1024)) "160 MB of records take at most 64 MiB more memory than a few"
done_testing
