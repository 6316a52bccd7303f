#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# report: recordings of perf record, summed up as perf report --stdio does.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=perf_report.bash
. "$TOP/tests/live/perf_report.bash"
need_root
need_tracefs
need_built
need_cmd perf
need_cmd python3

# perf has no name for stubs of the C library's linkage table.
canon() {
	sed -E 's/[A-Za-z0-9_.]+@plt/@plt/; /^ +[0-9.]+%.*@plt/s/ +/ /g' | python3 "$TOP/tests/live/report_canon.py" | sed -e :a -e '/^[#\n]*$/{$d;N;ba' -e '}' | $fit
}

# Columns are as wide as the longest name, also of a row that is not shown.
narrow() {
	sed -E '/^#/{s/ +/ /g; s/\.\.+/../g; s/ $//}'
}

# perf cuts a thread's name by a column that it measured before the thread was called so (perf-exec, once perf).
fit="cat"
# Other programs that run meanwhile may have any name.
ours_alone() {
	sed -E '/^(#| +[0-9.]+%)/{s/\bperf-ex(e?|ec)\b/perf-exec/; s/ +/ /g; s/\.\.+/../g; s/ $//}' |
		grep -E '^#|[ :](worksh|true|perf-exec)( |$)'
}

# perf's own words on itself are left out; behind "[...]" it prints what memory there held.
perf_report() { # OPTION…
	perf report --stdio "$@" 2>perf.err </dev/null |
		sed 's/\[\.\.\.\] (inlined)/[...]/; /^# To display the perf.data/d; /^# (Tip:/d; /^# (Cannot/,$d'
}

both() { # NAME [OPTION…]: of NAME.data
	local name=$1 fit=$fit

	shift
	perf_report -i "$name.data" "$@" >perf.raw &
	"$BPFPERF" report -i "$name.data" "$@" >ours.raw 2>ours.err ||
		fail "$name: exit 0" "$(cat ours.err)"
	wait $!
	# The names of stubs differ in length.
	[ "$fit" != cat ] || ! grep -q '@plt' ours.raw || fit=narrow
	canon <perf.raw >perf.txt &
	canon <ours.raw >ours.txt
	wait $!
	ok "$name: there are lines $*" grep -q '^ .*%' perf.txt
	same ours.txt perf.txt "$name: as perf report sums it up $*"
}

# perf orders inlined functions by name and others by address, in one tree, where it now and then misses a row that is
# there: the function then has a second one.
rows_twice() {
	grep -oE '\[[.k]\] .* \(inlined\)$' | sort | uniq -d
}
splits_rows() { # NAME
	[ "$(perf_report -i "$1.data" -g none | rows_twice)" != "$("$BPFPERF" report -i "$1.data" -g none 2>/dev/null | rows_twice)" ]
}

# perf forgets the BPF programs of others that go while it records, and ends stacks early in rt_sigreturn (see
# ended_early.py): such a recording is made again, as one that perf does not survive, and one without samples, which a
# loaded machine yields. Where others trace all the time their programs become the code before them in the end, or user code
# alone is recorded where samples are compressed.
record() { # NAME OPTION…
	local name=$1 i early cnt nameless

	shift
	for i in 1 2 3 4 5 6 7; do
		[ "$i$1" != 6-z ] || set -- "${@/cpu-clock/cpu-clock:u}"
		perf record -q -o "$name.data" "$@" >record.out 2>&1 || {
			echo "$i: perf record: exit $?: $(tail -n 1 record.out)" >>tries.out
			continue
		}
		[ $i -lt 6 ] || [ "$1" = -z ] || without_others "$name.data"
		nameless='bpf_prog_|ffffffffc[0-9a-f]* \[unknown\]'
		# Some of these stubs are nothing to it. Without libc6-dbg so is much else, in each recording.
		[ $i -gt 4 ] || nameless+='|\[unknown\] \([^ ]*/libc\.so'
		perf script -F ip,sym,dso -i "$name.data" </dev/null 2>perf.err | sed -E 's/[A-Za-z0-9_.]+@plt/@plt/' >perf.stacks
		"$BPFPERF" script -F ip,sym,dso -i "$name.data" 2>/dev/null | sed -E 's/[A-Za-z0-9_.]+@plt/@plt/' >ours.stacks
		read -r early cnt < <("$TOP/tests/live/ended_early.py" perf.stacks ours.stacks)
		if [ -s perf.stacks ] && [ "$early" -eq 0 ] && ! grep -Eq "$nameless" perf.stacks && ! splits_rows "$name"; then
			rm -f tries.out
			return 0
		fi
		echo "$i: $cnt samples, $early ended early, $(grep -Ec "$nameless" perf.stacks) nameless: $(grep -Em1 "$nameless" perf.stacks)" \
			"$(tail -n 1 perf.err)" >>tries.out
	done
	diag "$name: each of $i recordings has what perf cannot name" "$(cat tries.out record.out)"
	rm -f tries.out
}

# The loops spend the time of `true`, of the shell's own code, and of the kernel below the shell (one read(2) a byte).
cat >work.sh <<'SH'
i=0
while [ $i -lt 37 ]; do i=$((i + 1)); /bin/true; done
i=0
while [ $i -lt 20000 ]; do i=$((i + 1)); done
i=0
while [ $i -lt 3001 ]; do i=$((i + 1)); read -r line </proc/self/status; done
SH

# Several events, without callchains; weighed by their periods (page faults come in fours).
record flat -e cpu-clock,sched:sched_switch,page-faults -F 1997 -- sh work.sh
both flat
both flat -s comm
both flat -s dso,sym
both flat -s pid,cpu
both flat -s comm,dso --percent-limit 7
exits 0 "report with all keys at once: exit 0" "$BPFPERF" report -i flat.data -s comm,pid,tid,cpu,dso,sym,srcline,event,trace
like "$(grep -m 1 '^# .*Command' out)" \
	'Command +Pid:Command +Tid:Command +CPU +Shared Object +Symbol +Source:Line +Event +Trace output' \
	"report with all keys at once: a column for each"
is "$(grep -c "^# Samples: .* of event '" ours.raw)" 3 "report of several events: each has its table"

# Callchains: callers have the share of what they call, or each has its own.
record chain -g -e cpu-clock -F 1997 -- sh work.sh
for how in "" --no-children -gcaller -gcallee -gfractal -gnone "--no-children -gcaller" \
	"--no-children -gfractal" "--no-children -g7" "--percent-limit 3"; do
	# shellcheck disable=SC2086
	both chain $how
done
both chain -s comm
both chain -s pid,cpu,sym,dso
both chain -s dso

# Keys that few reports have. With --children perf counts times and groups several times. Without the key `dso` perf compares
# two addresses without a name by themselves, all else by the file first: it may miss an entry that it has, and make a second.
record facts -g -W --sample-cpu --all-cgroups --no-bpf-event -e cpu-clock -F 1997 -- sh work.sh
for how in "-s comm,weight" "-s local_weight,dso,sym" "-s socket,cpu" "-s parent,comm" "-p ^vfs_|^ksys_" \
	"--no-children -s comm,parent,dso,sym -p read|exec" "--no-children -s cgroup,comm" "--no-children -s time,comm" \
	"--no-children -s time --time-quantum 5ms"; do
	# shellcheck disable=SC2086
	both facts -gnone $how
done
both facts --no-children -s parent,dso,sym -p '^do_sys'
"$BPFPERF" report -i facts.data -gnone -F sample,time --time-quantum 5ms >out
is "$(awk '!/^#/ && NF { s += $1 } END { print s }' out)" "$(perf script -F time -i facts.data </dev/null 2>/dev/null | wc -l)" \
	"report -s time with children: each sample is counted once"
exits 2 "report -s parent without callchains: exit 2" "$BPFPERF" report -i flat.data -s parent
like "$(cat err)" '-s parent needs callchains, and flat.data has none; record with -g$' \
	"report -s parent without callchains: the remedy is named"
exits 2 "report -p of no regular expression: exit 2" "$BPFPERF" report -i facts.data -p 'vfs_('
like "$(cat err)" '-p vfs_[(]: this is no regular expression; see regex[(]7[)]$' \
	"report -p of no regular expression: the option is named"

# A separator between columns.
for how in "-t , --no-children" "-t s -s comm,dso" "-t :: -n --show-total-period -s pid,cpu,dso"; do
	# shellcheck disable=SC2086
	both chain $how
done
both flat -t s
exits 2 "report -t of a dot: exit 2" "$BPFPERF" report -i chain.data -t .
like "$(cat err)" "-t '.': give a separator that does not begin with a dot" "report -t of a dot: the reason is named"

# Memory that each process has mapped last: a child has its parent's memory, until it begins another program. On one CPU the
# recording has the children in the order of their begin.
taskset -c 0 perf record -q -d --no-bpf-event -o mapped.data -e cpu-clock -- sh -c '(read -r line </proc/self/status; :); /bin/true; :' 2>perf.err
perf_report -i mapped.data --mmaps >perf.txt
exits 0 "report --mmaps: exit 0" "$BPFPERF" report -i mapped.data --mmaps
sed '/| *true$/,$d' perf.txt >perf.begun
sed '/| *true$/,$d' out >ours.begun
sed -n '/| *true$/,$p' out >ours.new
same ours.begun perf.begun "report --mmaps: memory as perf report prints it, of a child too"
between "$(grep -c 'r-xp.*/libc' ours.begun)" 2 2 "report --mmaps: two processes have the C library mapped"
between "$(grep -c '/true$' ours.new)" 3 99 "report --mmaps: a new program has its own memory"
is "$(grep -c "$(readlink -f /bin/sh)\$" ours.new)" 0 "report --mmaps: a new program has none of the one that began it"

# A part of the samples, with shares of all, or of those that are shown.
both chain -n --show-total-period -gnone -s comm,dso
both chain --no-children -n -gnone -s dso,sym
for only in "--comms true" "--comms sh,true -s dso" "--comms true --percentage relative" "--time 10%-60%" \
	"--time 10%-20%,50%-80%" "--time 25%/2"; do
	# shellcheck disable=SC2086
	both chain -gnone $only
	# Below entries perf has shares of all samples, also with relative ones.
	# shellcheck disable=SC2086
	[ "${only/relative/}" != "$only" ] || both chain --no-children $only
done
libc=$(basename "$(ldd "$(readlink -f /bin/sh)" | grep -oE '/[^ ]*/libc\.[^ ]*')")
most=$("$BPFPERF" report -i chain.data --no-children -gnone -s sym --dsos '[kernel.kallsyms]' | sed -n 's/.*\[k\] \([a-z_0-9]*\)$/\1/p' | head -n 2 | tr '\n' ,)
isnt "$most" "" "report --dsos: there are functions of the kernel"
for only in "--dsos [kernel.kallsyms]" "-d $libc" "--dsos $libc,[kernel.kallsyms] -s dso" "-S ${most%,}" "--symbols ${most%%,*}" \
	"-c sh -d [kernel.kallsyms] -s comm,sym"; do
	# shellcheck disable=SC2086
	both chain --no-children $only
done
pid=$("$BPFPERF" script -i chain.data --comms sh -F pid | grep -oE '[0-9]+' | head -n 1)
# Without the key `pid`, perf sums an entry of this process up with the entries of others that it hides, or hides it.
both chain -gnone -s pid,dso,sym --pid "$pid"
both chain -gnone -s pid,dso,sym --tid "$pid" --no-children
exits 2 "report -C of a recording without CPUs: exit 2" "$BPFPERF" report -i chain.data -C 0
like "$(cat err)" 'chain.data has no CPU numbers; omit -C' "report -C of a recording without CPUs: a sentence"
exits 2 "report --percentage of neither: exit 2" "$BPFPERF" report -i chain.data --percentage half
"$BPFPERF" report -i chain.data --format folded --comms true -o folded.txt 2>err
is "$(grep -v '^\[' folded.txt | cut -d ' ' -f 1 | cut -d ';' -f 1 | sort -u)" true "report --comms --format folded: stacks of that name"

# The whole machine, every CPU told, several events with stacks.
fit=ours_alone
cp "$(readlink -f /bin/sh)" worksh
record wide -a -g -e cpu-clock,sched:sched_switch,minor-faults -F 997 -- ./worksh work.sh
both wide -gnone -s comm
both wide --no-children -gnone -s comm,pid
# Programs of others come and go, and with them the files that name them: entries of ours, by its name. Stubs of
# linkage tables perf names by their order. Columns are as wide as the longest name of anybody.
of_worksh() {
	fit="cat" canon | awk '/^ +[0-9.]+% +[0-9.]+% / { show = / worksh / } /^#/ { show = 0 } show && !/@plt/' |
		sed 's/  */ /g'
}
perf_report -i wide.data | of_worksh >perf.txt
"$BPFPERF" report -i wide.data | of_worksh >ours.txt
between "$(wc -l <perf.txt)" 50 1000000 "wide: our program has many lines"
between "$(($(diff perf.txt ours.txt | grep -c '^[<>]') * 100))" 0 "$(wc -l <perf.txt)" \
	"wide: 99 of 100 lines are perf report's"
both wide --no-children -gnone -s cpu,pid
# A CPU on which our program was: others may have kept it from one.
cpu=$("$BPFPERF" script -i wide.data -c worksh -F cpu 2>/dev/null | sed -nE '/\[/{s/.*\[0*([0-9]+)\].*/\1/p;q}')
isnt "$cpu" "" "report -C: there is a CPU to select"
both wide --no-children -gnone -s comm,cpu -C "$cpu"
both wide --no-children -gnone -s comm,cpu -C "$((cpu > 0 ? cpu - 1 : 0))-$((cpu > 0 || $(nproc --all) == 1 ? cpu : 1))"
fit="cat"

# Source lines, of a program that has them.
cat >lines.c <<'C'
static volatile unsigned long sink;
static inline __attribute__((always_inline)) void inner(unsigned long n)
{
	while (n--)
		sink += n;
}
__attribute__((noinline)) void outer(unsigned long n) { inner(n); }
int main(void)
{
	for (int i = 0; i < 977; i++)
		outer(100003);
}
C
if cc -g -O1 -fno-omit-frame-pointer -o lines lines.c 2>cc.err; then
	record lines -g -e cpu-clock -F 1997 -- ./lines
	both lines
	both lines --no-children -s dso,sym
	# The dynamic linker's lines, hit by a tick each, perf names by the file of the unit, not by the included one.
	fit=narrow
	both lines -s srcline --no-children --percent-limit 5
	fit="cat"
	"$BPFPERF" report -i lines.data --inline >inlined.txt
	like "$(cat inlined.txt)" 'inner \(inlined\)' "report --inline: inlined functions are named"
fi

# The functions of a JIT compiler are named by the file that it left, though its process has ended.
cat >jit.c <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	/* Counts down to 0. */
#ifdef __x86_64__
	static const unsigned char code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#else
	static const unsigned int code[] = { 0xd1000400, 0xb5ffffe0, 0xd65f03c0 };
#endif
	char *mem = mmap(NULL, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	void (*fn)(unsigned long);
	FILE *f;

	memcpy(mem, code, sizeof(code));
	__builtin___clear_cache(mem, mem + 4096);
	memcpy(&fn, &(void *){ mem }, sizeof(fn));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	f = fopen("jit.maps", "a");
	fprintf(f, "%s\n", path);
	fclose(f);
	unlink(path);
	f = fopen(path, "w");
	fprintf(f, "%lx %zx JitFunction\n", (unsigned long)mem, sizeof(code));
	fclose(f);
	while (clock() < CLOCKS_PER_SEC / 2)
		fn(1000003);
}
C
if cc -O1 -w -o jit jit.c 2>cc.err; then
	record jit -e cpu-clock -F 1997 -- ./jit
	both jit
	both jit --no-children -s dso,sym
	like "$(cat ours.raw)" '\[JIT\] tid [0-9]+ +\[\.\] JitFunction' "report: functions compiled at run time are named"
	xargs rm -f <jit.maps
fi

# Stacks that were recorded as memory.
for what in "unwind_c calls" "unwind_c deep" "unwind_c signal"; do
	# shellcheck disable=SC2086
	record dwarf --call-graph dwarf -e cpu-clock -F 997 -- "$WORKLOADS"/$what 1
	both dwarf
	both dwarf --no-children -s dso,sym
done
ok "report of compiled code: inlined functions are named" grep -q ' (inlined)$' ours.raw

# Packed, and as a pipe: perf shows a pipe's callers only where it is told to.
record packed -z -g -e cpu-clock -F 1997 -- sh work.sh
both packed
perf record -q --no-bpf-event -o - -e cpu-clock,sched:sched_process_exit -F 1997 -- sh work.sh >pipe.data 2>/dev/null
without_others pipe.data
both pipe -s comm,dso
"$BPFPERF" report -i - -s comm,dso <pipe.data >stdin.txt
same stdin.txt ours.raw "report of a pipe on stdin: exit 0"

# All of stack's formats, with the same weights.
"$BPFPERF" script -i chain.data -F period >periods.txt
# Without a format mawk prints six digits of a sum of more than 2^31.
total=$(awk '{ sum += $1 } END { printf "%.0f\n", sum }' periods.txt)
"$BPFPERF" report -i chain.data >chain.txt
is "$(sed -n 's/^# Event count (approx.): //p' chain.txt)" "$total" "report of a pipe on stdin: the periods of all samples"
"$BPFPERF" report -i chain.data --format folded >chain.folded
is "$(awk '{ sum += $NF } END { printf "%.0f\n", sum }' chain.folded)" "$total" "report --format folded: the sum of all periods"
# record() prefers recordings without BPF programs of others, and these run in system calls: a program that is in
# the kernel nearly all the time, recorded once, has such stacks for certain.
perf record -q --no-bpf-event -o calls.data -g -e cpu-clock -F 1997 -- \
	dd if=/dev/zero of=/dev/null bs=64k count=20011 2>/dev/null
"$BPFPERF" report -i calls.data --format folded >calls.folded
in_calls=$(sed -nE '/;(do_syscall_64|el0_svc)[; ]/s/.* //p' calls.folded |
	awk '{ s += $1 } END { printf "%.0f\n", s }')
isnt "$in_calls" 0 "report --format folded: whole stacks, through the kernel's entry"
is "$in_calls" "$(perf script -F period,ip,sym -i calls.data </dev/null | awk 'NF == 1 && !/^\t/ { period = $1 }
		$2 ~ /^(do_syscall_64|el0_svc)$/ { s += period } END { printf "%.0f\n", s }')" \
	"report --format folded: as many stacks through the kernel's entry as in perf script"
for file in x.html x.json x.speedscope.json x.pb.gz x.folded; do
	exits 0 "report -o $file: exit 0" "$BPFPERF" report -i chain.data -o $file
	ok "report -o $file: the file is written" test -s $file
done
same x.folded chain.folded "report -o x.folded: the ending selects the format"
"$BPFPERF" stack -i x.json --weight --format folded >again.folded
same again.folded chain.folded "stack -i of a saved profile: exit 0"
like "$("$BPFPERF" report -i chain.data --format tree)" '^# [0-9]+ samples of cpu-clock' "report --format tree: the head of a tree"

# More events than a profile holds: nothing is half written, and the limit is reported.
perf record -q -e "cpu-clock$(printf ',cpu-clock%.0s' {1..66})" -F 499 -o many.data -- "$WORKLOADS/spin" 0.3 2>perf.err
exits 1 "report of 67 events to a page: exit 1" "$BPFPERF" report -i many.data -o many.html
like "$(cat err)" 'a profile holds 64 events at most, and there are samples of more; --format stdio shows them all$' "report of 67 events to a page: the limit is reported"
ok "report of 67 events to a page: no page is written" test ! -e many.html
exits 0 "report of 67 events as text: exit 0" "$BPFPERF" report -i many.data
is "$(grep -c '^# Samples:' out)" 67 "report of 67 events as text: a table for each"

# Errors are reported.
exits 2 "report -s of an unknown key: exit 2" "$BPFPERF" report -i flat.data -s comm,shoe
like "$(cat err)" '-s shoe: there is no such key; choose from comm' "report -s of an unknown key: keys are named"
exits 2 "report --percent-limit of no number: exit 2" "$BPFPERF" report -i flat.data --percent-limit x
like "$(cat err)" '--percent-limit x: a percentage is a number from 0 to 100' "report --percent-limit of no number: the range is named"
"$BPFPERF" report -i chain.data -g caller,3 --stdio >word.txt 2>err
"$BPFPERF" report -i chain.data -gcaller,3 --stdio >attached.txt 2>err
same word.txt attached.txt "report -g WORD as perf's: exit 0"
exits 2 "report -g of an unknown word: exit 2" "$BPFPERF" report -i flat.data -gshoe
like "$(cat err)" '-g shoe: choose from graph' "report -g of an unknown word: the choices are named"
exits 2 "report --format of a recording: exit 2" "$BPFPERF" report -i flat.data --format perf -o x.data
like "$(cat err)" 'choose from: tree folded flame pprof otlp speedscope json flat$' "report --format of a recording: formats are named"
exits 2 "report --format of an unknown name: exit 2" "$BPFPERF" report -i flat.data --format shoe
exits 1 "report -i of a file that is not there: exit 1" "$BPFPERF" report -i none.data
like "$(cat err)" 'cannot open none.data: No such file' "report -i of a file that is not there: the file is named"
exits 1 "report -i of a file that is no recording: exit 1" "$BPFPERF" report -i work.sh
data_off=$(od -An -j40 -N8 -tu8 chain.data)
data_sz=$(od -An -j48 -N8 -tu8 chain.data)
head -c $((data_off + data_sz - 3)) chain.data >cut.data
exits 1 "report -i of a file that was cut: exit 1" "$BPFPERF" report -i cut.data
like "$(cat err)" 'cut.data is damaged' "report -i of a file that was cut: the damage is reported"
ok "report -i of a file that was cut: earlier samples are summed up" grep -q '^ .*%' out
# Names that end in a number, or in a word that is too long for a suffix, have none.
for name in plain.7 plain.continued-report; do
	exits 0 "report -o $name: exit 0" "$BPFPERF" report -i chain.data -o $name
	ok "report -o $name: the text of a report" grep -q '^# Samples:' $name
done
done_testing
