#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# bpfperf strace: every call, once, with its arguments and result; beside strace where it is installed.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

need_cmd python3
DIFF=$TOP/tests/live/strace_diff.py

calls() { # FILE NAME
	grep -c "^[0-9]* *$2(" "$1"
}

# Every call of a program that makes a known number of them.
"$BPFPERF" strace -o out.txt dd if=/dev/zero of=/dev/null bs=1 count=10000 >dd.txt 2>err
is $? 0 "strace: exit 0"
is "$(summary lost)" 0 "strace: no record is lost"
between "$(calls out.txt read)" 10001 10020 "strace: each read is one line"
between "$(calls out.txt write)" 10000 10010 "strace: each write is one line"
like "$(head -1 out.txt)" 'execve\(".*/dd", \["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=10000"\], 0x[0-9a-f]+ /\* [0-9]+ vars \*/\) = 0' \
	"strace: the first line is the exec of CMD"
like "$(tail -1 out.txt)" '\+\+\+ exited with 0 \+\+\+' "strace: the last line is the exit of CMD"

# Counts of the kernel.
"$BPFPERF" strace -c -S calls -U calls,errors,name -o counts.txt dd if=/dev/zero of=/dev/null bs=1 count=10000 2>err
is "$(awk '$NF == "write" { print $1 }' counts.txt)" "$(calls out.txt write)" "strace -c: the calls are those of the lines"
"$BPFPERF" strace -C -e trace=openat -o both.txt true 2>err
like "$(cat both.txt)" 'openat\(.*' "strace -C: lines"
is "$(awk '$NF == "openat" { print $4 }' both.txt)" "$(calls both.txt openat)" "strace -C: and their number in the table"

# Sets and results.
"$BPFPERF" strace -e trace=%file,write -o set.txt ls -d / /no/such/file >/dev/null 2>err
is "$(sed -E 's/^[0-9]+ +//' set.txt | grep -cE '^(read|close|mmap|brk)\(')" 0 "strace -e trace=: no other calls"
isnt "$(calls set.txt openat)" 0 "strace -e trace=%file: calls of the class"
isnt "$(calls set.txt write)" 0 "strace -e trace=: calls by name"
"$BPFPERF" strace -Z -e signal=none -o failed.txt ls -d /no/such/file >/dev/null 2>err
is "$(grep '(' failed.txt | grep -vcE '= (-1|\?) |exit_group')" 0 "strace -Z: only calls that fail"
"$BPFPERF" strace -z -e status=successful -o good.txt ls -d /no/such/file >/dev/null 2>err
is "$(grep -c '= -1' good.txt)" 0 "strace -z: only calls that succeed"
"$BPFPERF" strace --min-us 20000 -T -o slow.txt sleep 0.05 2>err
like "$(cat slow.txt)" 'clock_nanosleep\(CLOCK_REALTIME, 0, \{tv_sec=0, tv_nsec=50000000\}, .*= 0 <(0\.0[5-9]|0\.[1-9]|[1-9])[0-9.]*>' \
	"strace --min-us: only slow calls, with -T their duration"
# On a busy machine any call may be a slow one.
is "$(grep -cE '<0\.0[01][0-9]*>$' slow.txt)" 0 "strace --min-us: no fast calls"

# The formats of programs: the calls of the text; processes run side by side in another order each time.
cat >formats.py <<'END'
import csv, json, sys
kind = sys.argv[1]
rows = [json.loads(l) for l in sys.stdin] if kind == "json" else list(csv.DictReader(sys.stdin))
for r in rows:
    if kind == "json" and "call" in r:
        print("%s(%s) = %s" % (r["call"], ", ".join(r["args"]), r["result"]) if "ret" in r else r["call"] + "()")
        assert (r.get("ret") == -1) == ("error" in r) and r["real"] > r["time"] and r.get("duration", 1) > 0, r
    elif kind == "csv" and r["kind"] == "call":
        print("%s(%s) = %s" % (r["call"], r["args"], r["result"]) if r["ret"] else r["call"] + "()")
        assert None not in r and None not in r.values() and (r["ret"] == "-1") == (r["error"] != ""), r
print("killed by", [r.get("killed") or r["call"] for r in rows if r.get("killed") or r.get("kind") == "killed"])
END
for format in json csv; do
	"$BPFPERF" strace --format $format -s 64 -o format.$format "$WORKLOADS/strace_calls" >/dev/null 2>err
	is "$(summary lost)" 0 "strace --format $format: no record is lost"
	python3 formats.py $format <format.$format >printed.txt
	is $? 0 "strace --format $format: each record is complete"
	"$BPFPERF" strace -s 64 -o format.txt "$WORKLOADS/strace_calls" >/dev/null 2>err
	sed -nE 's/^[0-9]+ +([a-z0-9_]+)\(.*/\1/p' format.txt | grep -v getrandom | sort >names.text
	sed -n 's/(.*//p' printed.txt | grep -v getrandom | sort >names.$format
	isnt "$(wc -l <names.$format)" 0 "strace --format $format: there are calls"
	is "$(diff names.text names.$format)" "" "strace --format $format: the calls are those of the text"
done
"$BPFPERF" strace --format json -k -o killed.json sh -c 'kill -9 $$' 2>err
like "$(python3 formats.py json <killed.json)" "killed by \['SIGKILL'\]" "strace --format json: the signal that ended a process"
like "$(grep '"call":"kill"' killed.json)" '"args":\["[0-9]+","SIGKILL"\],"ret":0,"result":"0","duration":[0-9]+,"stack":\[".*\(.*kill\+0x' \
	"strace --format json -k: the arguments and the stack of a call"
# A ring of one page: what is in the file is what was delivered and what was lost.
for format in json csv; do
	"$BPFPERF" strace --format $format -m 4K -o full.$format dd if=/dev/zero of=/dev/null bs=1 count=100003 2>err
	isnt "$(summary lost)" 0 "strace --format $format, full ring: records are lost"
	is "$(sed -nE 's/.*"lost":([0-9]+).*|.*,lost,[^,]*,,([0-9]+),.*/\1\2/p' full.$format | awk '{ n += $1 } END { print n + 0 }')" "$(summary lost)" \
		"strace --format $format, full ring: the file says how many were lost"
done
exits 2 "strace --format of another command: exit 2" "$BPFPERF" strace --format flame true
like "$(cat err)" "perfetto" "strace --format of another command: the choices"

# Calls about one file, which is found behind a link, too.
echo text >named
ln -s named link
exits 0 "strace -P: exit 0" "$BPFPERF" strace -P "$PWD/named" -o named.txt cat "$PWD/named" "$PWD/link" /etc/passwd
is "$(calls named.txt openat) $(calls named.txt close)" "2 2" "strace -P: calls that open and close the file"
is "$(grep -c passwd named.txt)" 0 "strace -P: no calls about other files"
exits 2 "strace -P -c: exit 2" "$BPFPERF" strace -P x -c true

# Forms of lines.
"$BPFPERF" strace -f -ttt -r -s 4 --columns 60 -v -x -y -e trace=read,openat -m 512K --lost-exit -o forms.txt cat /etc/passwd >/dev/null 2>err
is $? 0 "strace --lost-exit: exit 0 where nothing is lost"
like "$(cat forms.txt)" 'read\([0-9]+</etc/passwd>, "[^"]{4}"\.\.\., [0-9]+\) += [0-9]+' "strace -y -s: the path, and 4 bytes of the text"
like "$(cat forms.txt)" '^[0-9]+ +[0-9]+\.[0-9]{6} [0-9]{10}\.[0-9]{6} openat' "strace -ttt -r: both times"

# A process that runs, which is never stopped.
sh -c 'while :; do sleep 0.05; done' &
pid=$!
reap $pid
"$BPFPERF" strace -p $pid -o attach.txt 2>err &
bg=$!
reap $bg
wait_for 60 grep -q wait4 attach.txt
kill -TERM $pid
wait $bg
like "$(cat attach.txt)" '--- SIGTERM \{si_signo=SIGTERM, si_code=SI_USER, si_pid=[0-9]+, si_uid=[0-9]+\} ---' \
	"strace -p: the signal that ends the process"
like "$(cat attach.txt)" '\+\+\+ killed by SIGTERM \+\+\+' "strace -p: the end of the process ends the run"
exits 0 "strace --comm -u -G: only tasks that match" "$BPFPERF" strace --all-cpus --comm sleep -u root -G / --duration 0.1 -o none.txt

# A sleep that a signal interrupts, and that goes on; so long that it is not over before that. The number of clock_nanosleep:
printf '%s' '#include <sys/syscall.h>
SYS_clock_nanosleep' | gcc -E -P - | tail -n 1 >syscall.nr
# shellcheck disable=SC2016 # for the inner shell
"$BPFPERF" strace -e trace=clock_nanosleep,restart_syscall -o resumed.txt sh -c 'sleep 4 &
	until grep -q "^$(cat syscall.nr) " /proc/$!/syscall; do :; done
	kill -STOP $!
	until grep -q "^State:.T" /proc/$!/status; do :; done
	kill -CONT $!; wait' 2>err
like "$(cat resumed.txt)" 'restart_syscall\(<\.\.\. resuming interrupted clock_nanosleep \.\.\.>\) = 0' \
	"strace: restart_syscall names the call that it resumes"

# Threads that are killed, text of control characters, pointers to nothing.
"$BPFPERF" strace -o hostile.txt sh -c 'printf "\001\033[1m" >/dev/null; kill -9 $$' >/dev/null 2>err
like "$(cat hostile.txt)" '\+\+\+ killed by SIGKILL \+\+\+' "strace: the signal that ended a process"
is "$(grep -c "$(printf '\033')" hostile.txt)" 0 "strace: control characters are escaped"

# Stacks, of a program without frame pointers.
cat >nested.c <<'END'
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noinline)) void inner(void) { syscall(SYS_getppid); __asm__ volatile(""); }
__attribute__((noinline)) void outer(void) { inner(); __asm__ volatile(""); }
int main(void)
{
	for (int i = 0; i < 41; i++)
		outer();
	execl("/bin/true", "true", NULL);
	return 1;
}
END
gcc -O1 -fomit-frame-pointer nested.c -o nested
# The lines behind each line that matches, without the names of functions, of which strace knows those of libraries only.
stacks_of() { # FILE REGEX
	awk -v re="$2" '/> / { if (on) print; next } { on = $0 ~ re }' "$1" | sed -E 's/^[0-9]+ +//;s/\([^]]*\) \[/() [/'
}
exits 0 "strace -k: exit 0" "$BPFPERF" strace -k -o stacks.txt ./nested
is "$(grep -A 4 'getppid()' stacks.txt | grep -cE '^ > .*/nested\((inner|outer|main)\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]$')" 123 \
	"strace -k: the functions of 41 calls"
is "$(stacks_of stacks.txt '"/bin/true"' | grep -c /nested)" 2 "strace -k: the stack of an execve is that of its caller"
exits 2 "strace -k -c: exit 2" "$BPFPERF" strace -k -c true
like "$(cat err)" "use -C" "strace -k -c: the remedy"

if ! command -v strace >/dev/null || ! strace -o x true 2>/dev/null; then
	skip_test "strace: the lines equal strace's" "strace is not installed, or may not trace here"
	done_testing
	exit
fi

strace -k -o theirs.txt ./nested 2>err
isnt "$(stacks_of theirs.txt 'getppid|exit_group' | wc -l)" 0 "strace -k: strace prints stacks here"
is "$(stacks_of stacks.txt getppid)" "$(stacks_of theirs.txt getppid)" "strace -k: files and offsets of 41 calls equal strace's"

# 182 different calls, counted; the C library asks for another random number now and then.
for cols in calls,errors,name name,errors,calls; do
	strace -f -c -U $cols -S name -o a.txt "$WORKLOADS/strace_calls" >/dev/null 2>&1
	"$BPFPERF" strace -c -U $cols -S name -o b.txt "$WORKLOADS/strace_calls" >/dev/null 2>err
	is "$(grep -vE 'getrandom|total' b.txt)" "$(grep -vE 'getrandom|total' a.txt)" "strace -c -U $cols: the table is strace's"
done

for cmd in "$WORKLOADS/strace_calls" 'ls -l /' 'git --version' "find $TOP/docs -name x"; do
	# shellcheck disable=SC2086 # words of a command
	strace -f -o a.txt $cmd >/dev/null 2>&1
	# shellcheck disable=SC2086
	"$BPFPERF" strace -o b.txt $cmd >/dev/null 2>err
	python3 "$DIFF" a.txt b.txt >diff.txt
	last=$(tail -1 diff.txt)
	lines=${last#lines=}
	differ=${last#*differ=}
	between $((100 * ${differ% *} / ${lines%% *})) 0 8 "${cmd##*/}: at most 8 % of the lines differ from strace's" || diag "$(cat diff.txt)"
	[ "$cmd" != "$WORKLOADS/strace_calls" ] || between "${last##*=}" 150 400 "strace: the lines of 150 different calls equal strace's"
done
done_testing
