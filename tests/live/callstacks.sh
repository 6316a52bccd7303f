#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
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
exits 0 "5003 different stacks: exit 0" "$BPFPERF" -v trace -g -m 8M -o a.json $ev -- "$stacks" 5003 14
spelled a.json 14 >a
is "$(paste -sd' ' a)" "$(seq -s' ' 0 5002)" "5003 different stacks: they spell the numbers from 0 to 5002"
different=$(sed -nE 's/.*: ([0-9]+) different stacks/\1/p' err)
is "$different" 5003 "5003 different stacks: each is printed once"
is "$(summary lost)" 0 "5003 different stacks: no record is lost"
like "$(spelled a.json 14 --kernel | sort -u | head -n 1)" '(do_syscall_64|el0_svc|invoke_syscall)' \
	"5003 different stacks: they begin in the kernel"
unlike "$(spelled a.json 14 --kernel | sort -u)" '(bpf_|__traceiter|trampoline)' \
	"5003 different stacks: no frame of the tracing itself"
ok "5003 different stacks: valid JSON by the schema" python3 "$TOP/tests/formats.py" schema "$TOP/docs/trace.schema.json" a.json

exits 0 "stacks on classic tracepoints: exit 0" env BPFPERF_WITHOUT=syscall_guard "$BPFPERF" -v trace -g -o b.json $ev -- \
	"$stacks" 503 14
is "$(spelled b.json 14 | paste -sd' ')" "$(seq -s' ' 0 502)" "stacks on classic tracepoints: user frames are those of raw ones"
is "$(spelled b.json 14 --kernel | sort -u)" "$(spelled a.json 14 --kernel | sort -u)" "stacks on classic tracepoints: kernel frames are those of raw ones"

# One stack repeats on all CPUs.
exits 0 "a loop of few stacks: exit 0" "$BPFPERF" -v trace -g -m 8M -o loop.json $ev -- "$WORKLOADS/threads" 5 20011
is "$(grep -c '"stack":\[{' loop.json)" $((5 * 20011)) "a loop of few stacks: each record has a stack"
between "$(sed -nE 's/.*: ([0-9]+) different stacks/\1/p' err)" 1 20 "a loop of few stacks: a few different stacks are stored"

# More than are kept: the rest is counted, record by record. On one CPU, as each of them learns it by itself.
exits 0 "100003 different stacks: exit 0" "$BPFPERF" -v trace -g=user -m 64M -o many.json $ev -- \
	taskset -c "$(allowed_cpus | head -n 1)" "$stacks" 100003 17
spelled many.json 17 >many
lost=$(grep -c lost many)
kept=$(grep -vc lost many)
# That there is no more room is learnt from the first that finds none.
between "$kept" 65536 65537 "100003 different stacks: 65536 are kept"
is "$lost" $((100003 - kept)) "100003 different stacks: records of the others report a lost stack"
is "$(sed -nE 's/.*warning: ([0-9]+) records have no stack: there were more.*/\1/p' err)" "$lost" "100003 different stacks: the summary counts lost stacks"
is "$(grep -v lost many | paste -sd' ')" "$(seq -s' ' 0 $((kept - 1)))" "100003 different stacks: stacks that are kept are right"

# Rings too small for the definitions: records without a stack say so.
exits 0 "stacks on rings of one page: exit 0" "$BPFPERF" -v trace -g -m 1 -o small.json $ev -- "$stacks" 20011 15
is $(($(spelled small.json 15 | wc -l) + $(summary lost))) 20011 "stacks on rings of one page: delivered + lost = happened"
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
is "$wrong" 0 "stacks on rings of one page: no record has another's stack"

exits 0 "a stack deeper than the maximum: exit 0" "$BPFPERF" trace -g --unwind=fp -o deep.json $ev -- "$stacks" 3 200
is "$(spelled deep.json 200 | paste -sd' ')" "cut cut cut" "a stack deeper than the maximum: each is cut"
is "$(grep -c '3 records have stacks that are deeper than the limit' err)" 1 "a stack deeper than the maximum: the cut is reported"

exits 0 "trace -g=kernel: exit 0" "$BPFPERF" trace -g=kernel -o k.json $ev -- "$stacks" 3 3
is "$(grep -c '"stack":\[{"ip":"0xffff' k.json) $(grep -c '"name":"zero"' k.json)" "3 0" "trace -g=kernel: kernel frames only"
exits 0 "trace --call-graph=user: exit 0" "$BPFPERF" trace --call-graph=user -o u.json $ev -- "$stacks" 3 3
is "$(grep -c '"ip":"0xffff' u.json) $(grep -c '"name":"zero"' u.json)" "0 3" "trace --call-graph=user: user frames only"
exits 2 "trace -g=dwarf: exit 2" "$BPFPERF" trace -g=dwarf $ev -- true
like "$(cat err)" 'choose from: user kernel both' "trace -g=dwarf: the choices are listed"

# Beside perf: the same functions in the same order. (Of system calls it has the user's side alone.)
# shellcheck disable=SC2016 # for another shell
exits 0 "trace -g beside perf script: exit 0" "$BPFPERF" trace -g -o both.txt $ev,sched:sched_switch -- \
	perf record -q --no-bpf-event -g -e $ev,sched:sched_switch -o both.perf \
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
is "$(names both.txt stacks 1)" "$(names perf.txt stacks 1)" "trace -g beside perf script: user functions are perf's"
is "$(names both.txt stacks 1 | wc -l)" 7 "trace -g beside perf script: each call has a stack"
is "$(names both.txt sleep '')" "$(names perf.txt sleep '')" "trace -g beside perf script: kernel functions are perf's"
like "$(names both.txt sleep '')" ' __schedule schedule do_nanosleep ' "trace -g beside perf script: the stack of a sleeper"
is "$(grep -c '^$' both.txt)" "$(summary records)" "trace -g beside perf script: an empty line ends each stack"

# Calls that a stack may lose: one that is the last instruction of its function, and those that make a thread.
cat >calls.c <<'END'
/* 101 threads and 101 programs, then _exit() by a function whose last instruction is a call. */
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define KEEP() __asm__ volatile("" ::: "memory")

extern char **environ;

static void *thread(void *arg)
{
	return arg;
}

NOINLINE static void with_thread(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
		abort();
	KEEP();
}

NOINLINE static void with_program(void)
{
	char *argv[] = { "true", NULL };
	pid_t pid;

	if (posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ) || waitpid(pid, NULL, 0) != pid)
		abort();
	KEEP();
}

NOINLINE __attribute__((noreturn)) static void last_call(void)
{
	KEEP();
	_exit(0);
}

int main(void)
{
	int i;

	for (i = 0; i < 101; i++) {
		with_thread();
		with_program();
	}
	last_call();
}
END
ok "calls is built" gcc -O2 -fomit-frame-pointer calls.c -o calls
exits 0 "calls of a system call: exit 0" "$BPFPERF" trace -g=user -o calls.txt -e syscalls:sys_enter_clone3,syscalls:sys_exit_clone3,syscalls:sys_enter_exit_group -- ./calls
made=$(awk '/^[^\t]/ { event = $0; n = 0 } /^\t/ { n++; at[n] = $2 }
	/^$/ && event ~ /clone3/ { if (n == 1) born++; for (i = 1; i <= n; i++) if (at[i] ~ /^with_/) { sub(/\+.*/, "", at[i]); cnt[at[i]]++ } }
	END { print cnt["with_thread"], cnt["with_program"], born + 0 }' calls.txt)
if grep -q 'clone3+' calls.txt; then
	is "$made" "202 202 202" "clone3: the stack of its caller is whole, a new thread has none"
fi
is "$(grep -c 'last_call+' calls.txt)" 1 "a call that is the last instruction of its function: the frame is of that function"
done_testing
