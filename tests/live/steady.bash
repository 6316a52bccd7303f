# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# What keeps a test's answer the same on a machine that is busy, slow or not its own; sourced after lib.sh.

# The CPUs that this test may run on, one a line.
own_cpus() {
	local range

	for range in $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$BASHPID/status" | tr , ' '); do
		seq "${range%-*}" "${range#*-}"
	done
}

# Ticks that the host has taken from this machine's CPUs so far, as far as it tells.
stolen() {
	awk '/^cpu / { print $9 + 0 }' /proc/stat
}

# What SECONDS (decimal) of CPU time bring at HZ, but for what the host took since stolen() said BEFORE.
sampled() { # GOT HZ SECONDS BEFORE NAME
	local lost=$(($(stolen) - $4)) full

	full=$(awk -v hz="$2" -v s="$3" 'BEGIN { printf "%d", hz * s }')
	between "$1" $((full * 85 / 100 - lost * $2 / $(getconf CLK_TCK))) $((full * 115 / 100)) "$5"
}

# What took MS milliseconds took no longer than LIMIT, or than LIMIT would be with the share of a CPU that
# this test is given now: a CPU that others take is not what is measured.
within() { # MS LIMIT NAME
	local ms=$1 limit=$2 start spun_ms

	if [ "$ms" -gt "$limit" ]; then
		start=$(now_ms)
		"$WORKLOADS/spin" 0.3 >/dev/null
		spun_ms=$(($(now_ms) - start))
		# It may have been given less then.
		[ $spun_ms -le 450 ] || limit=$((limit * 2 * spun_ms / 300))
		diag "$3: 0.3 s of CPU time take $spun_ms ms here; limit $limit ms"
	fi
	between "$ms" 0 "$limit" "$3"
}

# A shell that runs its stdin's commands and lives meanwhile: what is watched by its process (-p $family_pid) is what it runs,
# and nothing of others that could fill the rings. Calls the kernel every now and then until it is told to work.
family_start() {
	mkfifo family.in family.out
	bash -c 'until [ -e family.go ]; do sleep 0.02; done
		while read -r line <&7; do eval "$line"; echo done >&8; done' 7<>family.in 8<>family.out &
	family_pid=$!
	reap $family_pid
	exec 7<>family.in 8<>family.out
}
# Waits until FILE has records of it: before them there may be what a format begins with.
family_seen() { # FILE
	wait_for 60 grep -qE "(^|[^0-9])$family_pid([^0-9]|$)" "$1"
}
# Has it run a line, and waits for its end.
family_run() { # LINE
	: >family.go
	echo "$1" >&7
	read -r -t 300 _ <&8
}
family_end() {
	exec 7>&- 8>&-
	kill "$family_pid"
	wait "$family_pid" 2>/dev/null
	rm family.in family.out family.go
}
