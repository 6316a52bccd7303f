#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The output of `bpfperf doctor`, as root and as an ordinary user. The findings differ from machine to
# machine: it is the questions, the shape of lines and the exit status that are compared.
. "$(dirname "$0")/../lib.sh"
need_built

cat >want <<'END'
kernel
privileges
lockdown
BTF
tracefs
attach cookies
raw tracepoints
recursion misses
BPF JIT
BPF statistics
memlock
probes
kernel symbols
sampling
counters
PMUs
perf_event_paranoid
NMI watchdog
user-space reads
trace
stack
END

# Lines of FILE that are neither a finding nor a remedy.
misshapen() { # FILE
	grep -vE '^([A-Za-z][A-Za-z _-]{0,19} {1,19} (ok     |limited|missing|unknown)   [^ ].*| {32}-> [^ ].*)$' "$1"
}

# Findings of FILE that say something is to be done, and do not say what.
helpless() { # FILE
	awk '/^ *->/ { bad = ""; next }
		bad != "" { print bad }
		{ bad = substr($0, 23, 7) ~ /limited|missing/ ? $0 : "" }
		END { if (bad != "") print bad }' "$1" |
		grep -vE '^(trace|stack|raw tracepoints|user-space reads) '
}

# The verdict on NAME in FILE.
verdict() { # NAME FILE
	awk -v name="$1" 'index($0, name " ") == 1 { print substr($0, 23, 7) }' "$2" | tr -d ' '
}

check() { # USER EXPECTED_EXIT CMD…
	local user=$1 status=$2

	shift 2
	exits "$status" "$user: exit $status" "$@" doctor
	cp out text
	is "$(cat err)" "" "$user: nothing on stderr"
	grep -v '^ ' text | cut -c1-20 | sed 's/ *$//' >names
	same names want "$user: every question is answered, in their order"
	is "$(misshapen text)" "" "$user: each line is a finding or its remedy"
	is "$(helpless text)" "" "$user: what can be mended has its remedy"
	exits "$status" "$user: --json exits the same" "$@" doctor --json
	python3 - out >names <<-'END'
		import json, sys
		for line in open(sys.argv[1]):
		    o = json.loads(line)
		    assert list(o) == ["name", "verdict", "detail", "remedy"], o
		    assert o["verdict"] in ("ok", "limited", "missing", "unknown"), o
		    assert o["detail"], o
		    assert o["remedy"] is None or o["remedy"], o
		    print(o["name"])
	END
	same names want "$user: JSON has the same questions"
}

if [ "$(id -u)" = 0 ] && "$BPFPERF" doctor >text 2>&1; then
	check root 0 "$BPFPERF"
	is "$(verdict privileges text)" ok "root: has the privileges"
	like "$(grep '^kernel ' text)" "$(uname -r)" "root: the kernel is named"
	is "$(verdict trace text)$(verdict stack text)" okok "root: trace and stack can run"
	exits 0 "root: without BTF both still run" env BPFPERF_WITHOUT=btf,attach_cookie "$BPFPERF" doctor
	is "$(verdict BTF out)" limited "root: BTF is missed"
	is "$(verdict 'attach cookies' out)" limited "root: cookies are missed too"
elif [ "$(id -u)" = 0 ]; then
	skip_test "findings as root" "this machine allows less: $(grep '^trace ' text)"
fi

if [ "$(id -u)" != 0 ]; then
	plain_user=()
elif command -v setpriv >/dev/null; then
	chmod 755 "$TMP"
	cp "$BPFPERF" nobodys
	plain_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	BPFPERF=./nobodys
fi
if [ "$(id -u)" = 0 ] && [ ${#plain_user[@]} -eq 0 ]; then
	skip_test "findings as an ordinary user" "setpriv is not installed"
elif "${plain_user[@]}" "$BPFPERF" doctor >text 2>&1; then
	skip_test "findings as an ordinary user" "this machine allows all users everything"
else
	check "ordinary user" 1 "${plain_user[@]}" "$BPFPERF"
	is "$(verdict privileges text)" missing "ordinary user: has no privileges"
	like "$(cat text)" 'run as root, or with CAP_BPF and CAP_PERFMON' "ordinary user: the remedy is reported"
	is "$(verdict trace text)$(verdict stack text)" missingmissing "ordinary user: neither trace nor stack can run"
	like "$(grep '^trace ' text)" 'see .*privileges' "ordinary user: the missing privileges are named"
fi

exits 2 "doctor with an unknown option: exit 2" "$BPFPERF" doctor --nonsense
exits 2 "doctor with an argument: exit 2" "$BPFPERF" doctor now
"$BPFPERF" doctor >/dev/full 2>err
is $? 1 "doctor to a full disk: exit 1"
done_testing
