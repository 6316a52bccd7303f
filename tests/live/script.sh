#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script: recordings of perf record, line by line as perf script prints them.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=perf_text.bash
. "$TOP/tests/live/perf_text.bash"

record() { # NAME OPTION…
	local name=$1

	shift
	perf_record -q -o "$name.data" "$@" >record.out 2>&1 || fail "perf record $*" "$(cat record.out)"
}

record tp -e sched:sched_process_exec,sched:sched_process_exit,sched:sched_process_fork -- sh work.sh
both tp
both tp -F comm,pid,tid,cpu,time,event,trace
both tp -F comm,tid,time,event --ns
is "$(grep -c 'sched_process_exec: filename=/bin/true' ours.raw)" 0 "script -F without trace: no text of events"
both tp -F +pid,-comm
"$BPFPERF" script -i tp.data >tp.txt
is "$(grep -c 'sched_process_exec: filename=/bin/true' tp.txt)" 37 "script: each of 37 programs"

record chain -g -e cpu-clock -F 1997 -- sh work.sh
both chain
mv ours.raw chain.txt
both chain -G
both chain -F ip,sym
both chain -F comm,period,event,ip,sym,dso
both chain -F -symoff,-dso

record one --per-thread -e cpu-clock -F 1997 -- sh work.sh
both one

# If only a group's leader is sampled, each sample has the counts of all members.
record group -e '{cpu-clock,page-faults,context-switches}:S' -F 997 -- "$WORKLOADS/faults" 100003 3
both group
between "$(grep -c page-faults ours.raw)" 7 100000 "script of a group: members are samples, too"

record packed -z -g -e cpu-clock -F 1997 -- sh work.sh
like "$(perf script --header-only -i packed.data 2>/dev/null)" 'compressed : Zstd' "script of a compressed recording: records are packed"
both packed
# The lines of the header that perf has, too; perf's tables of CPUs are not printed.
"$BPFPERF" script --header-only -i packed.data >header.txt
perf script --header-only -i packed.data 2>/dev/null >header.perf
is "$(grep -cE '^# (hostname|os release|arch|cmdline|compressed) ' header.txt)" 5 "script --header-only: the machine and the command"
is "$(grep -E '^# (hostname|os release|arch|nrcpus online|cmdline|compressed|captured on) ' header.txt)" \
	"$(grep -E '^# (hostname|os release|arch|nrcpus online|cmdline|compressed|captured on) ' header.perf)" "script --header-only: as perf prints it"
"$BPFPERF" script --header -i packed.data >with.txt
"$BPFPERF" script -i packed.data >without.txt
cat header.txt without.txt >both.txt
same with.txt both.txt "script --header: the header, then the samples"
"$BPFPERF" script -f --header -D -i packed.data >with.txt
"$BPFPERF" script -D -i packed.data >without.txt
cat header.txt without.txt >both.txt
same with.txt both.txt "script --header -D: the header, then the records"

record tpchain -g -e sched:sched_switch,page-faults -c 1 -- sh work.sh
both tpchain

# Stacks that were recorded as memory, and what was inlined: C, C++, recursion, signal handlers, exceptions,
# shared libraries without frame pointers. Of programs that call exec perf takes old mappings for new ones.
for what in "unwind_c calls" "unwind_c sort" "unwind_c deep" "unwind_c signal" "unwind_c thread" \
	"unwind_c jit" "unwind_cxx inline"; do
	# shellcheck disable=SC2086
	record dwarf --call-graph dwarf -e cpu-clock -F 997 -- "$WORKLOADS"/$what 1
	both dwarf
done
ok "script: inlined functions are named" grep -q ' (inlined)$' ours.raw
both dwarf --no-inline
both dwarf --max-stack 3
both dwarf -G
record dwarf --call-graph dwarf -e cpu-clock -F 997 -- sort -R /proc/kallsyms
both dwarf
record dwarf -a --no-bpf-event --call-graph dwarf,1024 -e cpu-clock -F 97 -- sleep 1
"$BPFPERF" script -i dwarf.data -F tid,time,ip,sym >dwarf.txt
# The thread of a task that is being reaped is -1. perf script looks into the files of all programs, and does not survive all
# that other tests make; perf report --stats counts alone.
is "$(grep -cE '^ *-?[0-9]+ +[0-9]+\.[0-9]+: *$' dwarf.txt)" \
	"$(perf report --stats -i dwarf.data 2>err | awk '$1 == "SAMPLE" { print $3; exit }')" "script of short stack copies: each sample"

perf record -q --no-bpf-event -o - -e cpu-clock,sched:sched_process_exit -F 1997 -- sh work.sh >pipe.data 2>/dev/null
both pipe
"$BPFPERF" script -i - <pipe.data >stdin.txt
same stdin.txt ours.raw "script -i - of a pipe: exit 0"
"$BPFPERF" script -i pipe.data | head -n 1 >first.txt
is "$(wc -l <first.txt)" 1 "script to head: exit 0"

# The time of the day is known with a clock that was asked for.
record clocked -k CLOCK_MONOTONIC --no-bpf-event -e cpu-clock -F 1997 -- sh work.sh
export TZ=Asia/Kolkata
both clocked -F tod,time,event
both clocked -F +tod --ns
both clocked -F tod,event --show-mmap-events
unset TZ
perf record -q --no-bpf-event -o - -k CLOCK_MONOTONIC -e cpu-clock -F 1997 -- sh work.sh >clocked-pipe.data 2>/dev/null
both clocked-pipe -F tod,event
exits 2 "script -F tod without a clock: exit 2" "$BPFPERF" script -i one.data -F tod
like "$(cat err)" '-F tod: one.data does not say what time of the day it was; record with -k CLOCK$' \
	"script -F tod without a clock: the remedy is named"

# Several CPUs: in the order of time across them.
record wide -a --no-bpf-event -e sched:sched_switch -- sh work.sh
both wide -F time --ns
"$BPFPERF" script -i wide.data -F time --ns >times.txt
ok "script -F time: times never decrease" sort -c -n times.txt

# Selections: by time, by task, by name.
record some -g -e sched:sched_switch,cpu-clock -F 997 -- sh work.sh
"$BPFPERF" script -i some.data -F time | tr -d ' :' | grep . >times.txt
cnt=$(wc -l <times.txt)
between "$cnt" 8 1000000 "script --time: the recording has times to choose from"
from=$(sed -n $((cnt / 4))p times.txt)
to=$(sed -n $((cnt * 3 / 4))p times.txt)
both some --time "$from,$to"
both some --time ",$from"
both some --time "$to,"
both some --comms sh,true
both chain --time 5%-95%
both chain --time 0%-40%,60%-100%
both chain --time 50%/2
exits 2 "script --time of no percentage: exit 2" "$BPFPERF" script -i some.data --time 10%-5%
both chain -c true
both chain --dsos "[kernel.kallsyms]"
both chain -S "$("$BPFPERF" script -i chain.data -G -F ip,sym | awk '$2 ~ /^[a-z_]+$/ { print $2 }' | sort | uniq -c | sort -rn | awk '{ print $2 }' | head -n 3 | paste -sd ,)"
"$BPFPERF" script -i chain.data -G -F ip,sym,symoff | awk '$2 ~ /^[a-z_]+\+0x/ { print $1, $2 }' | sort | uniq -c | sort -rn >addrs.txt
# Samples of one address, of the function that begins at one, and of all addresses from one on.
read -r _ often place < <(grep '+0x' addrs.txt | awk '$3 !~ /\+0x0$/')
both chain -S "0x$often" -F comm,tid,time,ip
is "$("$BPFPERF" script -i chain.data -G -S "0x$often" -F ip | awk '{ print $1 }' | sort -u)" "$often" "script -S ADDRESS: samples of that address alone"
start=$(printf '0x%x' $((0x$often - 0x${place##*+0x})))
# perf 6.1 finds none then, against its manual.
is "$("$BPFPERF" script -i chain.data -G -S "$start" -F ip,sym | awk '{ print $2 }' | sort -u)" "${place%+0x*}" "script -S ADDRESS: all samples of the function that begins there"
both chain -S "no_such,$start" --addr-range $((0x${place##*+0x} + 1)) -F comm,tid,time,ip
exits 2 "script --addr-range without an address: exit 2" "$BPFPERF" script -i chain.data -S no_such --addr-range 7
like "$(cat err)" '--addr-range is for an address; give it, too: -S 0x4007a0 --addr-range 16' "script --addr-range without an address: the error has an example"
record wide -a -e cpu-clock -F 199 -- sh work.sh
# Without names: programs of others have any.
both wide -C 0 -F comm,tid,cpu,time,ip
both wide -F comm,tid,misc,cpu,time,ip
both chain -F +misc
both chain --reltime
both chain --deltatime --ns

# Accesses of memory: page faults have no source of their data, so that others are put in.
record memory -d -W --phys-data --data-page-size --code-page-size -e page-faults -c 1 -- sh work.sh
both memory -F comm,tid,event,addr,data_src
both memory -F comm,tid,event,data_src,weight,phys_addr,ip,sym
python3 - memory.data <<'END'
import random, struct, sys

random.seed(7)
data = open(sys.argv[1], "rb").read()
none = struct.pack("<Q", 0x1e05080021)
parts = data.split(none)
assert len(parts) > 100, len(parts)
out = [parts[0]]
for part in parts[1:]:
    # Few at once, as processors say it: perf cuts what is longer than 99 bytes.
    src = 1 << random.randrange(5) | (random.choice([0, 2, 4]) | 1 << random.randrange(3, 14)) << 5
    src |= 1 << random.randrange(19, 24) | random.getrandbits(2) << 24
    src |= (random.choice([0, 2, 4]) | 1 << random.randrange(3, 7)) << 26
    src |= random.choice([0, 0, 0, 1, 2, 10, 11, 12, 13, 14, 15]) << 33 | random.choice([0, 0, 1]) << 37
    src |= random.choice([0, 0, 0, 1, 2]) << 38 | random.getrandbits(3) << 40 | random.choice([0, 0, 0, 1, 2]) << 43
    out += [struct.pack("<Q", src), part]
open(sys.argv[1], "wb").write(b"".join(out))
END
cut_source() { # CMD…
	"$@" script -i memory.data -F event,data_src 2>/dev/null | sed 's/ *$//' | cut -c1-95
}
cut_source perf >perf.txt
cut_source "$BPFPERF" >ours.txt
same ours.txt perf.txt "script -F data_src: sources of data as perf script prints them"
both memory -F event,time,data_page_size,code_page_size,ip
shell=$("$BPFPERF" script -i some.data --comms sh -F pid | grep -oE '[0-9]+' | head -n 1)
both some --pid "$shell,1"
both some --tid "$shell"
exits 2 "script --time of no range: exit 2" "$BPFPERF" script -i some.data --time "$to,$from"
like "$(cat err)" 'give FROM,TO in seconds' "script --time of no range: the syntax is described"
exits 2 "script --pid of no number: exit 2" "$BPFPERF" script -i some.data --pid 1,,2
like "$(cat err)" '--pid 1,,2: give numbers separated by commas' "script --pid of no number: the syntax is described"

# A loss is counted once: at its end perf sums up the losses that its records have reported (from 6.1 on).
perf_record -q --no-bpf-event -m 1 -o lossy.data -e raw_syscalls:sys_enter -- "$WORKLOADS/syscall_loop" 200003 >/dev/null 2>&1
"$BPFPERF" script -D -i lossy.data >dump.txt
lost_by() { # TYPE
	sed -nE "s/.*PERF_RECORD_$1 .* lost=([0-9]+).*/\1/p" dump.txt | awk '{ n += $1 } END { print n + 0 }'
}
told=$(lost_by LOST)
summed=$(lost_by LOST_SAMPLES)
isnt "$told" 0 "a recording with losses: $told by LOST, $summed in sums"
for cmd in script report; do
	exits 0 "script of a recording with losses, $cmd: exit 0" "$BPFPERF" $cmd -i lossy.data
	like "$(cat err)" " $((told > summed ? told : summed)) records were lost" "script of a recording with losses, $cmd: each loss is counted once"
done
like "$(cat out)" "Total Lost Samples: $summed"$'\n' "script of a recording with losses, $cmd: perf's own line has perf's number"

# Registers.
regs=ax,ip,sp
[ "$(uname -m)" = x86_64 ] || regs=x0,pc,sp
record regs --user-regs=$regs -I -e cpu-clock -F 997 -- sh work.sh
both regs -F comm,tid,time,event,iregs
both regs -F comm,uregs,iregs,ip,sym

# --dump: every record of the file, as many as perf counts.
"$BPFPERF" script -D -i tp.data >dump.txt
perf script -D -i tp.data 2>/dev/null >perfdump.txt </dev/null
for type in SAMPLE COMM MMAP2 FORK EXIT; do
	is "$(grep -c ": PERF_RECORD_$type misc" dump.txt)" \
		"$(grep -c "^[0-9].*: PERF_RECORD_${type}[(: ]" perfdump.txt)" "script --dump: as many $type as perf"
done
like "$(grep -m1 PERF_RECORD_FORK dump.txt)" 'pid=[0-9]+ ppid=[0-9]+ tid=[0-9]+ ptid=[0-9]+ time=[0-9]+ \| pid=' \
	"script --dump: fields, and what the kernel adds to each"

# Damage.
data_off=$(od -An -j40 -N8 -tu8 chain.data)
data_sz=$(od -An -j48 -N8 -tu8 chain.data)
# Within its last record: in the first half there may be nothing but the BPF programs of this machine.
head -c $((data_off + data_sz - 3)) chain.data >cut.data
exits 1 "script of a file that was cut: exit 1" "$BPFPERF" script -i cut.data
like "$(cat err)" 'cut.data is damaged: ' "script of a file that was cut: the damage is reported"
ok "script of a file that was cut: earlier records are printed" test -s out
head -c $((data_off + data_sz + 3)) chain.data >cut.data
exits 1 "script of a file that was cut behind its records: exit 1" "$BPFPERF" script -i cut.data
like "$(cat err)" 'cut.data is damaged after its records' "script of a file that was cut behind its records: the damage is reported"
is "$(wc -l <out)" "$(wc -l <chain.txt)" "script of a file that was cut behind its records: all its records are printed"
exits 1 "script of an empty file: exit 1" "$BPFPERF" script -i /dev/null
like "$(cat err)" 'not a recording of perf' "script of an empty file: the message calls it no recording"
exits 1 "script of a file that is not there: exit 1" "$BPFPERF" script -i none.data
like "$(cat err)" 'cannot open none.data: No such file' "script of a file that is not there: the file is named"
exits 2 "script -F of an unknown field: exit 2" "$BPFPERF" script -i tp.data -F comm,shoe
like "$(cat err)" '-F shoe: there is no such field; choose from comm' "script -F of an unknown field: fields are named"

# A recorder that was killed: its complete records.
perf record -q --no-bpf-event -o killed.data -a -e sched:sched_switch -m 16 2>/dev/null &
recorder=$!
reap $recorder
wait_for 20 test -s killed.data
has_data() {
	# perf writes when half a ring is full.
	"$WORKLOADS/sched_pingpong" 503 >/dev/null
	"$BPFPERF" script -i killed.data -F tid 2>/dev/null | grep -q .
}
wait_for 20 has_data
kill -KILL $recorder
wait $recorder 2>/dev/null
exits 0 "script of a recording whose recorder was killed: exit 0" "$BPFPERF" script -i killed.data
like "$(cat err)" 'the recording was not ended' "script of a recording whose recorder was killed: the missing end is reported"
between "$(wc -l <out)" 1 100000000 "script of a recording whose recorder was killed: its records are printed"
done_testing
