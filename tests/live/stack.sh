#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Stacks: how many, of what, and named whatever became of the process.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=steady.bash
. "$TOP/tests/live/steady.bash"

SPIN=$WORKLOADS/spin

# Samples in a folded file: all, or of the lines that match.
samples() { # FILE [REGEX]
	grep -aE "${2:-.}" "$1" | awk '{ n += $NF } END { print n + 0 }'
}

# Samples that a clock of HZ brings of CPUs in the seconds of the summary, which begin a little before sampling and
# end after it, and ticks without a sample that it tells of: where the host of a virtual CPU takes it away, or
# somebody holds interrupts off.
at_most() { # HZ CPUS
	awk -v hz="$1" -v cpus="$2" '/^bpfperf: [0-9]+ samples, / {
		sub(/.* lost, /, ""); printf "%d", $1 * hz * cpus }' err
}
# Samples of bpfperf's own run are excluded.
own() { # HZ
	awk -v hz="$1" '/^bpfperf: [0-9]+ samples, / {
		sub(/.*; cost /, ""); printf "%d", ($1 + $5) * hz }' err
}
unseen() {
	sed -nE 's/^bpfperf: ([0-9]+) of [0-9]+ ticks of the clock produced no sample.*/\1/p' err | grep . || echo 0
}

# CPU time of processes so far, in clock ticks.
ticks_of() { # PID…
	local pid

	for pid in "$@"; do
		cut -d' ' -f14,15 "/proc/$pid/stat"
	done | awk '{ n += $1 + $2 } END { print n + 0 }'
}

# Kills what a test left spinning.
stop_spinning() {
	kill "${spinning[@]}" 2>/dev/null
	wait "${spinning[@]}" 2>/dev/null
	spinning=()
}

# Every CPU is busy from here on, so each gives 99 samples a second.
spinning=()
mapfile -t cpus < <(own_cpus)
where=()
[ ${#cpus[@]} -eq "$(getconf _NPROCESSORS_ONLN)" ] || where=(-C "$(IFS=, && echo "${cpus[*]}")")
for cpu in "${cpus[@]}"; do
	"$SPIN" 600 "$cpu" >/dev/null &
	spinning+=($!)
	reap $!
done
sleep 0.2

# Under a name of its own: others may run bpfperf meanwhile.
cp "$BPFPERF" self
exits 0 "stack -F 99 --duration 5: exit 0" ./self stack -F 99 --duration 5 "${where[@]}" -o all.folded
all=$(samples all.folded)
is "$all" "$(summary samples)" "stack -F 99 --duration 5: folded counts add up to the number of samples"
is "$(summary lost)" 0 "stack -F 99 --duration 5: no sample is lost"
want=$((99 * 5 * ${#cpus[@]}))
between $((all + $(unseen))) $((want * 95 / 100 - $(own 99))) $(($(at_most 99 ${#cpus[@]}) * 105 / 100)) "stack -F 99 --duration 5: 99 samples a second and busy CPU"
is "$(samples all.folded '^self;')" 0 "stack -F 99 --duration 5: bpfperf is not among them"

# Between its own begin and end CMD looks at what the others are charged for.
cat >charged <<-'END'
	charged() {
		for pid; do cut -d ' ' -f 14,15 "/proc/$pid/stat"; done | awk '{ n += $1 + $2 } END { print n }'
	}
	before=$(charged "$@")
	sleep 2
	echo ticks=$(($(charged "$@") - before))
END
before=$(stolen)
exits 0 "stack -a -- CMD: exit 0" "$BPFPERF" stack -F 499 -a "${where[@]}" -o spun.folded -- sh charged "${spinning[@]}"
want=$(($(said ticks <out) * 499 / $(getconf CLK_TCK) - ($(stolen) - before) * 5))
between "$(samples spun.folded '^spin;')" $((want * 85 / 100)) "$(summary samples)" \
	"stack -a -- CMD: the spinning programs are there, by their CPU time"
# Both runs together: where other tasks take the CPUs, one run has few samples.
cat all.folded spun.folded >both.folded
spun=$(samples both.folded '^spin;')
SPINS='^spin;.*;main(;spin_outer|;spin_inner|;cpu_s)+[; ]'
between "$(samples both.folded "$SPINS")" $((spun * 98 / 100)) "$spun" "stack -a -- CMD: over 98 % of samples resolve to what spins" ||
	diag "$(grep -a '^spin;' both.folded | grep -vE "$SPINS" | head)"

exits 0 "stack -c PERIOD: exit 0" "$BPFPERF" stack -e cpu-clock -c 20000000 -C "${cpus[0]}" --duration 2 -o c.folded
between $(($(samples c.folded) + $(unseen))) $((90 - $(own 50))) $(($(at_most 50 1) * 105 / 100 + 1)) \
	"stack -c PERIOD: a sample every 20 ms of a CPU's time"
ticks=$(ticks_of "${spinning[0]}")
exits 0 "stack -p PID: exit 0" "$BPFPERF" stack -F 199 -p "${spinning[0]}" --duration 1 -o p.folded
ticks=$(($(ticks_of "${spinning[0]}") - ticks))
is "$(samples p.folded '^spin;')" "$(samples p.folded)" "stack -p PID: that process alone"
between "$(samples p.folded)" 1 $((ticks * 2 + 15)) "stack -p PID: at most the time that it ran"
exits 0 "stack --user: exit 0" "$BPFPERF" stack -F 199 --user --duration 1 -o u.folded
is "$(samples u.folded 'entry_SYSCALL_64|asm_sysvec|el0t?_')" 0 "stack --user: no kernel functions"
exits 0 "stack --max-depth 1: exit 0" "$BPFPERF" stack -F 199 --max-depth 1 -p "${spinning[0]}" --user --duration 1 \
	-o d.folded
like "$(cat d.folded)" '^spin;\[truncated\];spin_(outer|inner) [0-9]+' "stack --max-depth 1: the innermost function"
exits 0 "stack --format tree: exit 0" "$BPFPERF" stack --format tree --duration 1
like "$(cat out)" '# [0-9]+ samples of (cpu-clock|cycles), 0 lost' "stack --format tree: the header"
like "$(cat out)" 'main.*spin_outer' "stack --format tree: the path"

# Ctrl-C prints what there is and leaves at once.
"$BPFPERF" stack >int.folded 2>err &
bg=$!
reap $bg
# A background job ignores SIGINT until bpfperf records, from when on it is blocked and waited for; so is SIGHUP where it
# was not ignored.
ok "stack with Ctrl-C: the signal is waited for" wait_for 20 grep -q '^SigBlk:.*400[23]$' /proc/$bg/status
sleep 1
stop_bg INT
is "$bg_rc" 0 "stack with Ctrl-C: exit 0"
within "$bg_ms" 1000 "stack with Ctrl-C: the end is at once"
between "$(samples int.folded)" 10 $(($(at_most 105 "$(getconf _NPROCESSORS_ONLN)") + 10)) \
	"stack with Ctrl-C: samples are printed"
stop_spinning

before=$(stolen)
SPIN_TELL=1 exits 0 "-- CMD" "$BPFPERF" stack -F 999 -o cmd.folded -- "$SPIN" 1
is "$(samples cmd.folded '^spin;')" "$(samples cmd.folded '^(spin|bpfperf);')" \
	"stack -- CMD: from its exec on, not bpfperf's child before it"
sampled "$(samples cmd.folded)" 999 "$(said cpu_s <out)" "$before" "stack -- CMD: a second of CPU time"
# It asks for its CPU time meanwhile, which is 2 % of its time where that clock is slow.
named=$(samples cmd.folded '^spin;.*;main;(spin_(outer|inner)|cpu_s)')
between "$named" $((980 * $(samples cmd.folded) / 1000)) 1200 "stack -- CMD: functions are named"
# Five standard errors of so many samples.
named=$(samples cmd.folded '^spin;.*;main;spin_(outer|inner)')
inner=$(samples cmd.folded ';spin_inner[; ]')
by=$((5 * 471 * 1000 / $(awk -v n="$named" 'BEGIN { printf "%d", sqrt(n) * 1000 }')))
between $((inner * 1000 / named)) $(($(said inner <out) - by)) $(($(said inner <out) + by)) \
	"stack -- CMD: as much in spin_inner as the program spent there"

# Named after its end: a program only its own mount name space ever saw.
if unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's
	hidden='mkdir -p "$1/hidden" && mount -t tmpfs none "$1/hidden" &&
		cp "$2" "$1/hidden/ghost" && exec "$1/hidden/ghost" 1'
	before=$(stolen)
	exits 0 "a container's program: exit 0" "$BPFPERF" stack -F 499 -o ghost.folded -- \
		unshare -m sh -c "$hidden" sh "$TMP" "$SPIN"
	nok "a container's program: the path is not visible outside" test -e hidden/ghost
	named=$(samples ghost.folded '^ghost;.*;main;(spin_(outer|inner)|cpu_s)')
	between "$named" $((98 * $(samples ghost.folded '^ghost;') / 100)) 600 "a container's program: functions are named after its end"
	sampled "$named" 499 1 "$before" "a container's program: all its samples"
fi

# A program that is gone from the disk when the profile is printed.
cp "$SPIN" gone
before=$(stolen)
# shellcheck disable=SC2016 # the inner shell's
exits 0 "a deleted program: exit 0" "$BPFPERF" stack -F 499 -o gone.folded -- sh -c './gone 1; rm gone'
sampled "$(samples gone.folded '^gone;.*;main;spin_(outer|inner)')" 499 1 "$before" "a deleted program: functions are named"

# Another program under the same path: the names of neither go to the other.
cp "$SPIN" changeling
before=$(stolen)
# shellcheck disable=SC2016 # the inner shell's
exits 0 "a replaced program: exit 0" "$BPFPERF" stack -F 499 -o two.folded -- \
	sh -c './changeling 1; rm changeling; cp "$1" changeling; ./changeling 100000 >/dev/null' \
	sh "$WORKLOADS/syscall_loop"
sampled "$(samples two.folded '^changeling;.*;main;spin_(outer|inner)')" 499 1 "$before" "a replaced program: functions of the first are named"
is "$(samples two.folded 'changeling;.*spin_.*SYSCALL')" 0 "a replaced program: the second is not taken for the first"

exits 2 "stack with -F and -c: exit 2" "$BPFPERF" stack -F 99 -c 100
exits 2 "stack --max-depth 513: exit 2" "$BPFPERF" stack --max-depth 513
exits 0 "stack -p of a process that sleeps: exit 0" "$BPFPERF" stack -e cpu-clock --format tree -- sleep 0.2
if ! grep -q '^# [1-9]' out; then
	is "$(sed 's/, [0-9.]* s$//' out)" "# 0 samples of cpu-clock, 0 lost, 0 truncated, 99 Hz
# command: sleep 0.2" "stack -p of a process that sleeps: the tree has nothing but the head"
	like "$(cat err)" 'no sample was taken: .*give -a' "stack -p of a process that sleeps: the message proposes -a"
fi
exits 2 "stack -o x.csv: exit 2" "$BPFPERF" stack --duration 1 -o x.csv
like "$(cat err)" 'no format has the suffix .csv' "stack -o x.csv: the ending is named"
like "$(cat err)" 'html.*pb.gz.*speedscope.json' "stack -o x.csv: known endings are listed"
nok "stack -o x.csv: no file is made" test -e x.csv
exits 2 "stack --by of an unknown key: exit 2" "$BPFPERF" stack --by moon
printf 'no profile\n' >words
exits 2 "stack --diff with a file that is no profile: exit 2" "$BPFPERF" stack --diff words --duration 1
like "$(cat err)" 'words, line 1: this is not a profile' "stack --diff with a file that is no profile: the line is named"
exits 0 "stack -o some.data: exit 0" "$BPFPERF" stack -F 999 -o some.data -- true
exits 2 "stack -i of a recording: exit 2" "$BPFPERF" stack -i some.data
like "$(cat err)" 'is a recording, not a profile; .bpfperf report -i some.data' "stack -i of a recording: report is the remedy"
exits 1 "stack --diff with a file that is not there: exit 1" "$BPFPERF" stack --diff missing --duration 1
exits 2 "stack -i with --by: exit 2" "$BPFPERF" stack -i cmd.folded --by cpu
exits 2 "stack -i with CMD: exit 2" "$BPFPERF" stack -i cmd.folded -- true
is "$("$BPFPERF" stack -i cmd.folded --format json | head -n 1 | grep -o '"samples":[0-9]*' | tail -n 1)" \
	"\"samples\":$(samples cmd.folded)" "stack -i of a saved profile: its samples"
exits 0 "stack --by thread: exit 0" "$BPFPERF" stack -F 499 --by thread -o thread.folded -- "$SPIN" 1
like "$(grep -v '^\[' thread.folded)" '^spin-[0-9]+/[0-9]+;' "stack --by thread: name, process, thread"
exits 0 "stack --per-thread: exit 0" "$BPFPERF" stack -F 499 --per-thread -o thread.folded -- "$SPIN" 1
like "$(grep -v '^\[' thread.folded)" '^spin-[0-9]+/[0-9]+;' "stack --per-thread: equal to --by thread"
cpu=${cpus[-1]}
exits 0 "stack --by cpu: exit 0" "$BPFPERF" stack -F 499 --by cpu -o cpu.folded -- taskset -c "$cpu" "$SPIN" 1
is "$(samples cpu.folded "^CPU $(printf %03d "$cpu");spin;")" "$(samples cpu.folded ';spin;')" "stack --by cpu: the CPU of the samples"
exits 0 "stack --weight: exit 0" "$BPFPERF" stack -e cpu-clock -c 1000000 --weight -o weight.folded -- "$SPIN" 1
between "$(($(samples weight.folded) / $(summary samples)))" 1000000 1010000 "stack --weight: each sample is its period"
exits 2 "stack --annotate: exit 2" "$BPFPERF" stack --annotate main -o page.html -- true
like "$(cat err)" 'report --annotate' "stack --annotate: the command that shows instructions is named"
exits 2 "stack --format xml: exit 2" "$BPFPERF" stack --format xml
like "$(cat err)" 'tree folded' "stack --format xml: formats are listed"
exits 1 "stack -F beyond the kernel's limit: exit 1" "$BPFPERF" stack -F 99999999 -e cpu-clock
like "$(cat err)" 'perf_event_max_sample_rate' "stack -F beyond the kernel's limit: the sysctl of the limit is named"
if ! "$BPFPERF" stack -e cycles --duration 0.1 >out 2>err; then
	like "$(cat err)" 'cpu-clock' "stack without PMU: the event taken instead is reported"
fi
done_testing
