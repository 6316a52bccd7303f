#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# trace -g: each record has its own stack, whichever way it was taken, and a stack that comes again
# costs an id.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 perf taskset

stacks=$WORKLOADS/stacks
ev=syscalls:sys_enter_getppid

# stacks.py FILE DEPTH: of each record of the workload the number that its stack spells, "lost",
# or "cut"; with --kernel its kernel functions, outermost last.
cat >stacks.py <<'END'
import json
import sys
path, depth = sys.argv[1], int(sys.argv[2])
for line in open(path):
    r = json.loads(line)
    if r.get("event") != "syscalls:sys_enter_getppid":
        continue
    if r["stack"] is None:
        print("lost")
        continue
    kernel = [f for f in r["stack"] if int(f["ip"], 16) >> 63]
    user = [f for f in r["stack"] if not int(f["ip"], 16) >> 63]
    assert r["stack"] == kernel + user, r
    if len(sys.argv) > 3:
        print(" ".join(f.get("name", "?") for f in kernel))
        continue
    bits = [f["name"] for f in user if f.get("name") in ("zero", "one")]
    number = sum((name == "one") << i for i, name in enumerate(bits))
    whole = len(bits) == depth and any(f.get("name") == "main" for f in user)
    print(number if whole else "cut")
END
spelled() { # FILE DEPTH
	python3 stacks.py "$@"
}

# Every record's own: 5003 different stacks, all in their place. (Rings hold all there is, here and below.)
exits 0 "5003 different stacks" "$BPFPERF" -v trace -g -m 8M -o a.json $ev -- "$stacks" 5003 14
spelled a.json 14 >a
is "$(paste -sd' ' a)" "$(seq -s' ' 0 5002)" "spell the numbers from 0 to 5002"
different=$(sed -nE 's/.*: ([0-9]+) different stacks/\1/p' err)
is "$different" 5003 "are told once each"
is "$(summary lost)" 0 "with none lost"
like "$(spelled a.json 14 --kernel | sort -u | head -n 1)" '(do_syscall_64|el0_svc|invoke_syscall)' \
	"begin in the kernel"
unlike "$(spelled a.json 14 --kernel | sort -u)" '(bpf_|__traceiter|trampoline)' \
	"and not in what traces them"
ok "the JSON is valid by the schema" python3 "$TOP/tests/formats.py" schema "$TOP/docs/trace.schema.json" a.json

exits 0 "on classic tracepoints" env BPFPERF_WITHOUT=syscall_guard "$BPFPERF" -v trace -g -o b.json $ev -- \
	"$stacks" 503 14
is "$(spelled b.json 14 | paste -sd' ')" "$(seq -s' ' 0 502)" "they are the same"
is "$(spelled b.json 14 --kernel | sort -u)" "$(spelled a.json 14 --kernel | sort -u)" "in the kernel too"

# The same stack again and again, on all CPUs.
exits 0 "a loop" "$BPFPERF" -v trace -g -m 8M -o loop.json $ev -- "$WORKLOADS/threads" 5 20011
is "$(grep -c '"stack":\[{' loop.json)" $((5 * 20011)) "each record has a stack"
between "$(sed -nE 's/.*: ([0-9]+) different stacks/\1/p' err)" 1 20 "of a few different ones"

# More than are kept: the rest is counted, record by record. On one CPU, as each of them learns it by itself.
exits 0 "100003 different stacks" "$BPFPERF" -v trace -g=user -m 64M -o many.json $ev -- \
	taskset -c "$(allowed_cpus | head -n 1)" "$stacks" 100003 17
spelled many.json 17 >many
lost=$(grep -c lost many)
kept=$(grep -vc lost many)
# That there is no more room is learnt from the first that finds none.
between "$kept" 65536 65537 "65536 are kept"
is "$lost" $((100003 - kept)) "the records of the others say that theirs is lost"
is "$(sed -nE 's/.*warning: ([0-9]+) records have no stack: there were more.*/\1/p' err)" "$lost" "so does the summary"
is "$(grep -v lost many | paste -sd' ')" "$(seq -s' ' 0 $((kept - 1)))" "those that are kept are right"

# Rings too small for the definitions: records without a stack say so.
exits 0 "on rings of one page" "$BPFPERF" -v trace -g -m 1 -o small.json $ev -- "$stacks" 20011 15
is $(($(spelled small.json 15 | wc -l) + $(summary lost))) 20011 "delivered + lost = happened"
wrong=$(python3 - <<'END'
import json, subprocess
numbers = subprocess.run(["python3", "stacks.py", "small.json", "15"], capture_output=True, text=True).stdout.split()
last = -1
wrong = 0
for n in numbers:
    if n == "lost":
        continue
    wrong += n == "cut" or int(n) <= last
    last = int(n) if n != "cut" else last
print(wrong)
END
)
is "$wrong" 0 "no record has another's stack"

exits 0 "a stack deeper than is taken" "$BPFPERF" trace -g --unwind=fp -o deep.json $ev -- "$stacks" 3 200
is "$(spelled deep.json 200 | paste -sd' ')" "cut cut cut" "is cut"
is "$(grep -c '3 records have stacks that are deeper than is taken' err)" 1 "and that is said"

exits 0 "-g=kernel" "$BPFPERF" trace -g=kernel -o k.json $ev -- "$stacks" 3 3
is "$(grep -c '"stack":\[{"ip":"0xffff' k.json) $(grep -c '"name":"zero"' k.json)" "3 0" "has the kernel's side"
exits 0 "--call-graph=user" "$BPFPERF" trace --call-graph=user -o u.json $ev -- "$stacks" 3 3
is "$(grep -c '"ip":"0xffff' u.json) $(grep -c '"name":"zero"' u.json)" "0 3" "has the user's"
exits 2 "-g=dwarf" "$BPFPERF" trace -g=dwarf $ev -- true
like "$(cat err)" 'choose from: user kernel both' "is told what there is"

# Beside perf: the same functions in the same order. (Of system calls it has the user's side alone.)
# shellcheck disable=SC2016 # for another shell
exits 0 "beside perf script" "$BPFPERF" trace -g -o both.txt $ev,sched:sched_switch -- \
	perf record -q -g -e $ev,sched:sched_switch -o both.perf \
	sh -c '"$1" 7 5; sleep 0.01; exec sleep 0.02' - "$stacks"
perf script -i both.perf -F comm,tid,event,ip,sym,trace >perf.txt 2>/dev/null
names() { # FILE COMM USER?: of each record of COMM its functions in one line
	awk -v comm="$2" -v user="$3" '
		/^[^\t]/ { if (line) print line; line = ""; mine = $1 == comm && !/prev_state=[RXZ]/ }
		/^\t/ && mine && $2 !~ /^__traceiter_/ && (user || $1 ~ /^ffff/) {
			sub(/\+0x.*/, "", $2)
			if (!user || $2 ~ /^(zero|one|main)$/) line = line " " $2
		}
		END { if (line) print line }' "$1"
}
is "$(names both.txt stacks 1)" "$(names perf.txt stacks 1)" "the user's functions are perf's"
is "$(names both.txt stacks 1 | wc -l)" 7 "of each call"
is "$(names both.txt sleep '')" "$(names perf.txt sleep '')" "the kernel's functions are perf's"
like "$(names both.txt sleep '')" ' __schedule schedule do_nanosleep ' "of one that sleeps"
is "$(grep -c '^$' both.txt)" "$(summary records)" "an empty line ends each"
done_testing
