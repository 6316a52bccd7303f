#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# stack --latency: a sample's share of wall-clock time, beside the times that the scheduler's own switches say.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 nice
mapfile -t cpus < <(allowed_cpus)
v2=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
v1=$(awk '$3 == "cgroup" && $4 ~ /(^|,)(cpu|pids|memory)(,|$)/ { print $2; exit }' /proc/self/mounts)

# Copied, so that targets by name and switches are those of this test alone.
cp "$WORKLOADS/phases" phases.$$
name=phases.$$

weight_ms() { # FILE [REGEX]
	awk -v re="${2:-.}" '$0 ~ re { n += $NF } END { printf "%d", n / 1000000 }' "$1"
}
samples_of() { # FILE.json
	grep -oE '"samples":[0-9]+' "$1" | head -n 1 | cut -d: -f2
}
weight_of() { # FILE.json
	grep -oE '"weight":[0-9]+' "$1" | head -n 1 | cut -d: -f2
}
# Runs CMD while all switches are recorded, and computes from them how long threads of $name ran.
with_switches() { # NAME CMD…
	local what=$1

	shift
	exits 0 "$what: exit 0" "$BPFPERF" trace -a --include-self sched:sched_switch --format csv -o switches.csv \
		-m 4M -- "$@" || diag "$(head -n 5 err)"
	python3 "$TOP/tests/live/running_union.py" switches.csv "$name" >truth
}
truth() { # KEY
	said "$1" <truth
}
# The sampler's sum is off by the sampling, a few samples at each change.
near() { # GOT WANT NAME
	between "$1" $(($2 * 95 / 100 - 15)) $(($2 * 105 / 100 + 15)) "$3"
}

# The bar: 90 % and 10 %. Where others take the CPUs, the switches know better than the clock, which then needs samples enough.
with_switches "9 s of one thread, 1 s of 128" "$BPFPERF" stack --latency -F 997 -o l.folded -- "./$name" 9000 1000 128
serial=$(weight_ms l.folded ';serial_phase')
parallel=$(weight_ms l.folded ';parallel_phase')
near "$serial" "$(truth serial_ms)" "9 s of one thread, 1 s of 128: the time of the one"
near "$parallel" "$(truth parallel_ms)" "9 s of one thread, 1 s of 128: the time of the 128 is counted once"
between $((serial * 1000 / (serial + parallel))) $(($(truth serial_share) - 10)) $(($(truth serial_share) + 10)) \
	"9 s of one thread, 1 s of 128: the shares of wall-clock time"

# One thread: nothing is divided, and no nanosecond is lost.
exits 0 "one thread: exit 0" "$BPFPERF" stack --latency -e cpu-clock -c 2000000 --format json -o one.json -- "./$name" 300 0 0
is "$(weight_of one.json)" $(($(samples_of one.json) * 2000000)) "one thread: each sample weighs its period"
# Two threads and odd periods: the remainders of the divisions are not lost either, but for one of each CPU.
exits 0 "two threads: exit 0" nice -n -20 "$BPFPERF" stack --latency -e cpu-clock -c 2000001 --format json -o two.json -- \
	"./$name" 0 700 2
if [ ${#cpus[@]} -gt 1 ]; then
	sum=$(($(samples_of two.json) * 2000001))
	between "$(weight_of two.json)" $((sum / 2 - ${#cpus[@]})) $((sum * 9 / 10)) "two threads: together they weigh less than their CPU time"
fi

# Each kind of target: two threads that both run, of which the sum is the wall-clock time.
mkfifo go gone
beside() { # NAME ARG…
	local what=$1

	shift
	nice -n -20 "./$name" 0 1200 2 wait <go >gone &
	pid=$!
	reap $pid
	exec 6>go 7<gone
	read -r _ <&7
	[ -z "${group:-}" ] || echo $pid >"$group/cgroup.procs"
	# The name of the group or process is known by now.
	with_switches "$what" "$BPFPERF" stack --latency -F 499 -o b.folded "${@/PID/$pid}" -- sh -c 'echo >&6; cat <&7'
	exec 6>&- 7<&-
	wait $pid
	near "$(weight_ms b.folded "^$name;")" $(($(truth parallel_ms) + $(truth serial_ms))) "$what: the time in which one of its threads ran"
}
beside "-p PID" -p PID
beside "-a --comm" -a --comm "$name"
beside "-a -u" -a -u 0 --comm "$name"
for group in ${v2:+"$v2/bpfperf-latency.$$"} ${v1:+"$v1/bpfperf-latency.$$"}; do
	mkdir "$group" || continue
	beside "-G of v$([ "$group" = "$v2/bpfperf-latency.$$" ] && echo 2 || echo 1)" -a -G "$group"
	rmdir "$group"
done
group=
[ -n "$v2" ] || skip_test "-G of v2" "not mounted"
[ -n "$v1" ] || skip_test "-G of v1" "not mounted"

# The whole machine, all CPUs of which are busy: the sum is the duration, however many CPUs there are.
for cpu in "${cpus[@]}"; do
	nice -n -20 taskset -c "$cpu" "$WORKLOADS/spin" 60 >/dev/null &
	spinning+=($!)
	reap $!
done
exits 0 "-a: exit 0" "$BPFPERF" stack --latency -a -F 199 --duration 2 -o a.folded
if [ ${#cpus[@]} = "$(getconf _NPROCESSORS_ONLN)" ]; then
	# On a busy machine the end may come later than was asked for.
	took=$(tail -n 1 a.folded | sed -E 's/.*;seconds=([0-9]+)\.([0-9]{3});.*/\1\2/')
	between "$(weight_ms a.folded)" $((took * 75 / 100)) $((took * 105 / 100)) "-a: all CPUs together weigh no more than the time that passed"
fi
exits 0 "-C: exit 0" "$BPFPERF" stack --latency -C "${cpus[0]}" -F 199 --duration 1 --format json -o c.json
between "$(weight_of c.json)" $(($(samples_of c.json) * 5025125 - 5025125)) $(($(samples_of c.json) * 5025125 + 5025125)) \
	"-C: threads on other CPUs do not count"
kill "${spinning[@]}"
wait "${spinning[@]}" 2>/dev/null

# Every format has the name, which says what the sum is, and the unit.
like "$(tail -n 1 l.folded)" ';event=cpu-clock latency;unit=ns;' "folded: name and unit"
like "$(head -n 1 one.json)" '"name":"cpu-clock latency","unit":"ns"' "json: name and unit"
for f in txt html pb.gz data; do
	exits 0 "$f: exit 0" "$BPFPERF" stack --latency -F 999 -o "l.$f" -- "./$name" 50 50 3
done
like "$(head -n 3 l.txt)" 'samples of cpu-clock latency.*time  thread, stack' "tree: name and unit"
like "$(cat l.html)" '"name":"cpu-clock latency","unit":"ns","ns":true,"weight":true' "html: name and unit"
like "$(zcat l.pb.gz | tr -d '\0' | strings)" 'cpu-clock latency.*nanoseconds' "pprof: name and unit"
if command -v perf >/dev/null; then
	perf script -i l.data -F event,period >out 2>/dev/null
	like "$(cat out)" '[0-9]+ cpu-clock latency' "perf: periods are weights"
fi
exits 0 "--diff: exit 0" "$BPFPERF" stack -i l.folded --diff one.json --format tree
unlike "$(cat err)" 'compared with|no counterpart' "--diff: latency is compared with latency"
done_testing
