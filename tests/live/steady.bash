# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Functions that make a test's result independent of a busy, slow or shared machine; sourced after lib.sh.

# Prints the CPUs that this test may run on, one a line.
own_cpus() {
	local range

	for range in $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$BASHPID/status" | tr , ' '); do
		seq "${range%-*}" "${range#*-}"
	done
}

# Prints the ticks that the host has taken from this machine's CPUs so far, if the host reports them.
stolen() {
	awk '/^cpu / { print $9 + 0 }' /proc/stat
}

# Passes if GOT samples are those of SECONDS (decimal) of CPU time at HZ, without the time that the host took since
# stolen() printed BEFORE.
sampled() { # GOT HZ SECONDS BEFORE NAME
	local lost=$(($(stolen) - $4)) full

	full=$(awk -v hz="$2" -v s="$3" 'BEGIN { printf "%d", hz * s }')
	between "$1" $((full * 85 / 100 - lost * $2 / $(getconf CLK_TCK))) $((full * 115 / 100)) "$5"
}

# Passes if MS milliseconds are no longer than LIMIT, scaled by the share of a CPU that this test gets now: time that
# others take from the CPU is not measured.
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

# Starts a shell that runs the commands of its stdin: tracing by its process (-p $family_pid) sees only these commands,
# and no others that could fill the rings. The shell makes system calls now and then until the first command.
family_start() {
	mkfifo family.in family.out
	bash -c 'until [ -e family.go ]; do sleep 0.02; done
		while read -r line <&7; do eval "$line"; echo done >&8; done' 7<>family.in 8<>family.out &
	family_pid=$!
	reap $family_pid
	exec 7<>family.in 8<>family.out
}
# Waits until FILE has records of the shell: before them may be the head of a format.
family_seen() { # FILE
	wait_for 60 grep -qE "(^|[^0-9])$family_pid([^0-9]|$)" "$1"
}
# Sends a line to the shell, and waits for the end of the command.
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
