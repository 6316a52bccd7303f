#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Files that are not as they should be, read and written: cut between records, a pipe, a
# directory, the same as the other, without an end, full.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

exits 0 "record of system calls: exit 0" "$BPFPERF" record -e raw_syscalls:sys_enter -o whole.data -- "$WORKLOADS/syscall_loop" 1009
"$BPFPERF" script -D -i whole.data >dump.txt
is "$(grep -c 'PERF_RECORD_SAMPLE' dump.txt)" "$("$BPFPERF" script -i whole.data | wc -l)" "record of system calls: all samples"

# The last sample but 100 begins there: a record ends, no other one is torn.
at=$(grep PERF_RECORD_SAMPLE dump.txt | tail -n 101 | head -n 1 | sed -E 's/^(0x[0-9a-f]+) .*/\1/')
head -c $((at)) whole.data >cut.data
for cmd in "script" "script -D" "report"; do
	# shellcheck disable=SC2086 # two words
	exits 1 "cut between two records, $cmd: exit 1" "$BPFPERF" $cmd -i cut.data
	like "$(cat err)" 'cut.data is damaged: it ends before all of its records' "cut between two records, $cmd: the damage is reported"
	ok "cut between two records, $cmd: earlier records are printed" test -s out
done

# Only what stands behind the records is gone.
head -c $(($(od -An -j40 -N8 -tu8 whole.data) + $(od -An -j48 -N8 -tu8 whole.data))) whole.data >cut.data
exits 1 "cut behind its records, script -D: exit 1" "$BPFPERF" script -D -i cut.data
like "$(cat err)" 'cut.data is damaged after its records' "cut behind its records, script -D: the damage is reported"
is "$(grep -c PERF_RECORD_SAMPLE out)" "$(grep -c PERF_RECORD_SAMPLE dump.txt)" "cut behind its records, script -D: all records are printed"
for facts in header-only stats tasks; do
	exits 1 "cut behind its records, report --$facts: exit 1" "$BPFPERF" report --$facts -i cut.data
	like "$(cat err)" 'cut.data is damaged after its records' "cut behind its records, report --$facts: the damage is reported"
done
"$BPFPERF" report --header-only -i cut.data >header.txt 2>err
like "$(cat header.txt)" 'event : name = .+, , type = 2' "cut behind its records, report --header-only: the event has some name"

# All records twice, two rounds apart: the second time they are late.
python3 - <<'END'
import struct
data = open("whole.data", "rb").read()
off, sz = struct.unpack("<QQ", data[40:56])
rounds = 2 * struct.pack("<IHH", 68, 0, 8)
# Its features stand elsewhere now: it has none.
head = data[:48] + struct.pack("<Q", 2 * sz + len(rounds)) + data[56:72] + bytes(32) + data[104:off]
open("twice.data", "wb").write(head + data[off:off + sz] + rounds + data[off:off + sz])
END
for cmd in script report; do
	exits 0 "records out of order, $cmd: exit 0" "$BPFPERF" $cmd -i twice.data
	like "$(cat err)" '[0-9]+ records are out of order: the recording marks no rounds' "records out of order, $cmd: the disorder is reported"
done

exits 0 "script with a file as stdin: exit 0" "$BPFPERF" script -i - <whole.data
# shellcheck disable=SC2002 # a pipe it is to be
exits 1 "script with a pipe as stdin: exit 1" sh -c "cat whole.data | '$BPFPERF' script -i -"
like "$(cat err)" 'stdin is a pipe.*give -i FILE' "script with a pipe as stdin: -i is the remedy"
# A terminal that is gone ends bpfperf as Ctrl-C does; not so where that is ignored (nohup).
start_bg hup.txt trace sched:sched_switch
stop_bg HUP
is "$bg_rc" 0 "trace with SIGHUP: exit 0"
like "$(cat err)" '[0-9]+ records, 0 lost' "trace with SIGHUP: a summary is printed"
"$BPFPERF" stat -I 50 -a -e context-switches -o hup.stat &
bg=$!
reap $bg
ok "stat with SIGHUP: counts are printed before" wait_for 20 test -s hup.stat
stop_bg HUP
is "$bg_rc" 0 "stat with SIGHUP: exit 0"
(trap '' HUP && exec "$BPFPERF" trace -o nohup.txt sched:sched_switch 2>nohup.err) &
bg=$!
reap $bg
ok "trace with SIGHUP ignored: records are written" wait_for 20 test -s nohup.txt
kill -HUP $bg
seen=$(wc -c <nohup.txt)
grown() { [ "$(wc -c <nohup.txt)" -gt $((seen + 65536)) ]; }
ok "trace with SIGHUP ignored: output grows after SIGHUP" wait_for 60 grown
stop_bg INT
is "$bg_rc" 0 "trace with SIGHUP ignored: SIGINT ends it"

exits 1 "script -i of an endless file: exit 1" timeout 60 "$BPFPERF" stack -i /dev/zero
like "$(cat err)" '/dev/zero: File too large' "script -i of an endless file: the size is refused"

# Names in messages, messages that are lost, and text for which there is no memory.
exits 1 "script -i of a file with a control character in its name: exit 1" "$BPFPERF" script -i $'none\033[31m'
like "$(cat err)" 'none\\x1b\[31m' "script -i of a file with a control character in its name: the message escapes it"
exits 1 "a summary that stderr does not take: exit 1" sh -c "'$BPFPERF' trace -o lost.txt raw_syscalls:sys_enter -- true 2>/dev/full"
cat >nomem.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
void *realloc(void *p, size_t sz)
{
	void *(*next)(void *, size_t);

	*(void **)&next = dlsym(RTLD_NEXT, "realloc");
	if (sz != 1 << 16)
		return next(p, sz);
	errno = ENOMEM;
	return NULL;
}
C
if ldd "$BPFPERF" >/dev/null 2>&1 && cc -shared -fPIC -o nomem.so nomem.c 2>cc.err; then
	exits 1 "script without memory for its text: exit 1" env LD_PRELOAD="$PWD/nomem.so" "$BPFPERF" script -i whole.data
	like "$(cat err)" 'out of memory' "script without memory for its text: the reason is reported"
fi

cp whole.data same.txt
exits 2 "report -o of the recording itself: exit 2" "$BPFPERF" report -i same.txt -o ./same.txt
like "$(cat err)" 'same.txt is the recording itself; give another' "report -o of the recording itself: the message names the file"
same same.txt whole.data "report -o of the recording itself: the recording stays whole"

exits 1 "an output as large as a file may be: exit 1" sh -c "ulimit -f 64; exec '$BPFPERF' trace -o big.txt \
	raw_syscalls:sys_enter -- '$WORKLOADS/syscall_loop' 50021"
like "$(cat err)" 'cannot write big.txt: File too large' "an output as large as a file may be: the error is reported"
is "$(tail -c 1 big.txt | od -An -tu1 | tr -d ' ')" 10 "an output as large as a file may be: output ends with a whole line"
done_testing
