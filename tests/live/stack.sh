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
# Of its own run there are no samples.
own() { # HZ
	awk -v hz="$1" '/^bpfperf: [0-9]+ samples, / {
		sub(/.*; cost /, ""); printf "%d", ($1 + $5) * hz }' err
}
unseen() {
	sed -nE 's/^bpfperf: ([0-9]+) of [0-9]+ ticks of the clock brought no sample.*/\1/p' err | grep . || echo 0
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
exits 0 "stack -F 99 --duration 5" ./self stack -F 99 --duration 5 "${where[@]}" -o all.folded
all=$(samples all.folded)
is "$all" "$(summary samples)" "folded sums up to the number of samples"
is "$(summary lost)" 0 "none was lost"
want=$((99 * 5 * ${#cpus[@]}))
between $((all + $(unseen))) $((want * 95 / 100 - $(own 99))) $(($(at_most 99 ${#cpus[@]}) * 105 / 100)) "99 a second and busy CPU"
is "$(samples all.folded '^self;')" 0 "bpfperf is not among them"

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
exits 0 "-a -- CMD" "$BPFPERF" stack -F 499 -a "${where[@]}" -o spun.folded -- sh charged "${spinning[@]}"
want=$(($(said ticks <out) * 499 / $(getconf CLK_TCK) - ($(stolen) - before) * 5))
between "$(samples spun.folded '^spin;')" $((want * 85 / 100)) "$(summary samples)" \
	"the spinning programs are there, by their CPU time"
# Of both runs: where others take the CPUs one has few.
cat all.folded spun.folded >both.folded
spun=$(samples both.folded '^spin;')
SPINS='^spin;.*;main(;spin_outer|;spin_inner|;cpu_s)+[; ]'
between "$(samples both.folded "$SPINS")" $((spun * 98 / 100)) "$spun" "over 98 % of them resolve to what spins" ||
	diag "$(grep -a '^spin;' both.folded | grep -vE "$SPINS" | head)"

exits 0 "-c PERIOD" "$BPFPERF" stack -e cpu-clock -c 20000000 -C "${cpus[0]}" --duration 2 -o c.folded
between $(($(samples c.folded) + $(unseen))) $((90 - $(own 50))) $(($(at_most 50 1) * 105 / 100 + 1)) \
	"every 20 ms of a CPU's time is a sample"
ticks=$(ticks_of "${spinning[0]}")
exits 0 "-p PID" "$BPFPERF" stack -F 199 -p "${spinning[0]}" --duration 1 -o p.folded
ticks=$(($(ticks_of "${spinning[0]}") - ticks))
is "$(samples p.folded '^spin;')" "$(samples p.folded)" "-p: that process alone"
between "$(samples p.folded)" 1 $((ticks * 2 + 15)) "-p: at most what it ran"
exits 0 "--user" "$BPFPERF" stack -F 199 --user --duration 1 -o u.folded
is "$(samples u.folded 'entry_SYSCALL_64|asm_sysvec|el0t?_')" 0 "--user: no kernel functions"
exits 0 "--max-depth" "$BPFPERF" stack -F 199 --max-depth 1 -p "${spinning[0]}" --user --duration 1 \
	-o d.folded
like "$(cat d.folded)" '^spin;\[truncated\];spin_(outer|inner) [0-9]+' "--max-depth 1: the innermost"
exits 0 "tree" "$BPFPERF" stack --format tree --duration 1
like "$(cat out)" '# [0-9]+ samples of (cpu-clock|cycles), 0 lost' "tree: the header"
like "$(cat out)" 'main.*spin_outer' "tree: the path"

# Ctrl-C prints what there is and leaves at once.
"$BPFPERF" stack >int.folded 2>err &
bg=$!
reap $bg
# A background job ignores SIGINT until bpfperf records, from when on it is blocked and waited for.
wait_for 20 grep -q '^SigBlk:.*4002$' /proc/$bg/status
sleep 1
stop_bg INT
is "$bg_rc" 0 "Ctrl-C: exit 0"
within "$bg_ms" 1000 "Ctrl-C: leaves at once"
between "$(samples int.folded)" 10 $(($(at_most 105 "$(getconf _NPROCESSORS_ONLN)") + 10)) \
	"Ctrl-C: what there is was printed"
stop_spinning

before=$(stolen)
SPIN_TELL=1 exits 0 "-- CMD" "$BPFPERF" stack -F 999 -o cmd.folded -- "$SPIN" 1
is "$(samples cmd.folded '^spin;')" "$(samples cmd.folded '^(spin|bpfperf);')" \
	"CMD from its exec on, not bpfperf's child before it"
sampled "$(samples cmd.folded)" 999 "$(said cpu_s <out)" "$before" "CMD's second of CPU time"
named=$(samples cmd.folded '^spin;.*;main;spin_(outer|inner)')
between "$named" $((980 * $(samples cmd.folded) / 1000)) 1200 "CMD is named"
# Five standard errors of so many samples.
inner=$(samples cmd.folded ';spin_inner[; ]')
by=$((5 * 471 * 1000 / $(awk -v n="$named" 'BEGIN { printf "%d", sqrt(n) * 1000 }')))
between $((inner * 1000 / named)) $(($(said inner <out) - by)) $(($(said inner <out) + by)) \
	"as much of it in spin_inner as it was there"

# Named after its end: a program only its own mount name space ever saw.
if unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's
	hidden='mkdir -p "$1/hidden" && mount -t tmpfs none "$1/hidden" &&
		cp "$2" "$1/hidden/ghost" && exec "$1/hidden/ghost" 1'
	before=$(stolen)
	exits 0 "a container's program" "$BPFPERF" stack -F 499 -o ghost.folded -- \
		unshare -m sh -c "$hidden" sh "$TMP" "$SPIN"
	nok "which nobody else sees" test -e hidden/ghost
	named=$(samples ghost.folded '^ghost;.*;main;spin_(outer|inner)')
	between "$named" $((98 * $(samples ghost.folded '^ghost;') / 100)) 600 "is named after its end"
	sampled "$named" 499 1 "$before" "with all its samples"
fi

# A program that is gone from the disk when the profile is printed.
cp "$SPIN" gone
before=$(stolen)
# shellcheck disable=SC2016 # the inner shell's
exits 0 "a deleted program" "$BPFPERF" stack -F 499 -o gone.folded -- sh -c './gone 1; rm gone'
sampled "$(samples gone.folded '^gone;.*;main;spin_(outer|inner)')" 499 1 "$before" "is named too"

# Another program under the same path: the names of neither go to the other.
cp "$SPIN" changeling
before=$(stolen)
# shellcheck disable=SC2016 # the inner shell's
exits 0 "a replaced program" "$BPFPERF" stack -F 499 -o two.folded -- \
	sh -c './changeling 1; rm changeling; cp "$1" changeling; ./changeling 100000 >/dev/null' \
	sh "$WORKLOADS/syscall_loop"
sampled "$(samples two.folded '^changeling;.*;main;spin_(outer|inner)')" 499 1 "$before" "the first is named"
is "$(samples two.folded 'changeling;.*spin_.*SYSCALL')" 0 "the second is not taken for it"

exits 2 "-F and -c" "$BPFPERF" stack -F 99 -c 100
exits 2 "--max-depth 513" "$BPFPERF" stack --max-depth 513
exits 0 "what does not run" "$BPFPERF" stack -e cpu-clock --format tree -- sleep 0.2
if ! grep -q '^# [1-9]' out; then
	is "$(sed 's/, [0-9.]* s$//' out)" "# 0 samples of cpu-clock, 0 lost, 0 truncated, 99 Hz
# command: sleep 0.2" "  tree: nothing but what was recorded"
	like "$(cat err)" 'nothing was sampled: .*give -a' "  says why"
fi
exits 2 "-o x.csv" "$BPFPERF" stack --duration 1 -o x.csv
like "$(cat err)" 'no format has the ending .csv' "  names the ending"
like "$(cat err)" 'html.*pb.gz.*speedscope.json' "  and those there are"
nok "  makes no file" test -e x.csv
exits 2 "--by nothing known" "$BPFPERF" stack --by moon
printf 'no profile\n' >words
exits 2 "--diff with no profile" "$BPFPERF" stack --diff words --duration 1
like "$(cat err)" 'words, line 1: this is no profile' "  names the line"
exits 0 "a recording" "$BPFPERF" stack -F 999 -o some.data -- true
exits 2 "-i of a recording" "$BPFPERF" stack -i some.data
like "$(cat err)" 'is a recording, no profile; .bpfperf report -i some.data' "  is told what makes a profile of it"
exits 1 "--diff with no file" "$BPFPERF" stack --diff missing --duration 1
exits 2 "-i and --by" "$BPFPERF" stack -i cmd.folded --by cpu
exits 2 "-i and CMD" "$BPFPERF" stack -i cmd.folded -- true
is "$("$BPFPERF" stack -i cmd.folded --format json | head -n 1 | grep -o '"samples":[0-9]*' | tail -n 1)" \
	"\"samples\":$(samples cmd.folded)" "-i: the same samples"
exits 0 "--by thread" "$BPFPERF" stack -F 499 --by thread -o thread.folded -- "$SPIN" 1
like "$(grep -v '^\[' thread.folded)" '^spin-[0-9]+/[0-9]+;' "--by thread: name, process, thread"
exits 0 "--per-thread" "$BPFPERF" stack -F 499 --per-thread -o thread.folded -- "$SPIN" 1
like "$(grep -v '^\[' thread.folded)" '^spin-[0-9]+/[0-9]+;' "--per-thread is --by thread"
cpu=${cpus[-1]}
exits 0 "--by cpu" "$BPFPERF" stack -F 499 --by cpu -o cpu.folded -- taskset -c "$cpu" "$SPIN" 1
is "$(samples cpu.folded "^CPU $(printf %03d "$cpu");spin;")" "$(samples cpu.folded ';spin;')" "--by cpu: where it ran"
exits 0 "--weight" "$BPFPERF" stack -e cpu-clock -c 1000000 --weight -o weight.folded -- "$SPIN" 1
between "$(($(samples weight.folded) / $(summary samples)))" 1000000 1010000 "--weight: each sample is its period"
exits 2 "--format xml" "$BPFPERF" stack --format xml
like "$(cat err)" 'tree folded' "  names the formats"
exits 1 "-F beyond the kernel's limit" "$BPFPERF" stack -F 99999999 -e cpu-clock
like "$(cat err)" 'perf_event_max_sample_rate' "  names the limit"
if ! "$BPFPERF" stack -e cycles --duration 0.1 >out 2>err; then
	like "$(cat err)" 'cpu-clock' "no PMU: says what there is instead"
fi
done_testing
