#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script -F srcline, srccode, brstack, brstacksym, brstackoff, bpf-output: as perf script prints them, of a program's recording and of
# made ones.
. "$(dirname "$0")/../lib.sh"
need_root
need_built
need_cmd perf python3 nm readelf

# addr2line names the unit of the C library's start by the wrong file of its list, and the dynamic linker's by none.
canon() {
	sed -E 's/^  (libc_start_call_main\.h|libc-start\.c):[0-9]+/  START/; s/^  :0/  ??:0/; s/[A-Za-z0-9_.]+@plt/@plt/'
}

both() { # NAME LINES OPTION…: of NAME.data, at least so many lines
	local name=$1 least=$2

	shift 2
	perf script -i "$name.data" "$@" 2>perf.err </dev/null | canon >perf.txt &
	"$BPFPERF" script -i "$name.data" "$@" 2>ours.err >ours.raw || fail "$name: script $* exits 0" "$(cat ours.err)"
	canon <ours.raw >ours.txt
	wait $!
	between "$(wc -l <perf.txt)" "$least" 1000000 "$name: perf script prints lines of $*"
	same ours.txt perf.txt "$name: as perf script prints them $*"
}

cat >lines.c <<'C'
static volatile unsigned long sink;
__attribute__((noinline)) void inner(unsigned long n)
{
	while (n--)
		sink += n;
}
static inline __attribute__((always_inline)) void between(unsigned long n)
{
	inner(n);
	sink++;
}
__attribute__((noinline)) void outer(unsigned long n)
{
	between(n);
	sink++;
}
int main(void)
{
	for (int i = 0; i < 1509; i++)
		outer(100003);
}
C
ok "a program with lines is compiled" cc -g -O1 -fno-omit-frame-pointer -o lines lines.c

ok "branches are made" python3 "$TOP/tests/live/made_data.py" branches branches.data ./lines
for fields in ip,sym,brstack ip,dso,brstack ip,sym,brstacksym comm,tid,brstacksym ip,dso,sym,brstacksym \
	ip,brstackoff ip,dso,brstackoff ip,srcline ip,sym,dso,srcline; do
	both branches 1701 -F $fields
done
ok "script -F srcline: lines of the program" grep -qx '  lines\.c:19' ours.raw
both branches 1701 -F +srcline
"$BPFPERF" script -i branches.data -F brstacksym 2>/dev/null >ours.txt
ok "script -F brstacksym: functions, flags and kinds" \
	grep -Eq '^main\+0x[0-9a-f]+/inner\+0x[0-9a-f]+/[PM-]/[X-]/[A-]/[0-9]+/COND_CALL ' ours.txt
# Without the file an offset in it is all that is known.
cp lines gone
ok "branches of a program that goes are made" python3 "$TOP/tests/live/made_data.py" branches gone.data ./gone
rm gone
both gone 1701 -F ip,dso,brstackoff

ok "records of BPF programs are made" python3 "$TOP/tests/live/made_data.py" bpf bpf.data
# perf has no name for such an event.
both bpf 17 -F -event
ok "script of bpf-output: a text is printed as one" grep -aqx '      BPF string: "a word"' ours.raw
both bpf 7 -F -event,-bpf-output
is "$("$BPFPERF" script -i bpf.data -F tid,bpf-output 2>/dev/null | grep -c 'BPF output:')" 7 \
	"script -F bpf-output: each record's bytes"

# Samples of the program's own functions: for those of the dynamic linker addr2line names the unit in place of the header.
own=(-S "inner,outer,main")
ok "perf records the program" perf_record -q --no-bpf-event -g -e cpu-clock:u -F 1997 -o chain.data ./lines
both chain 101 "${own[@]}" -F ip,sym,dso,srcline
both chain 101 "${own[@]}" -F ip,srcline -G
both chain 101 "${own[@]}" -F ip,sym,srcline --no-inline
ok "perf records stacks of the program" perf_record -q --no-bpf-event --call-graph dwarf -e cpu-clock:u -F 997 -o dwarf.data ./lines
both dwarf 101 "${own[@]}" -F ip,sym,dso,srcline
ok "script -F srcline: each inlined function has a line of its own" grep -qx '  lines\.c:9 (inlined)' ours.raw
both dwarf 101 "${own[@]}" -F ip,sym,dso,srcline --no-inline

both chain 101 "${own[@]}" -F ip,sym --stop-bt outer
both dwarf 101 "${own[@]}" -F ip,sym --stop-bt outer,main
"$BPFPERF" script -i chain.data "${own[@]}" -F ip,srcline --full-source-path 2>/dev/null | grep '/lines\.c:' >ours.txt
perf script -i chain.data "${own[@]}" -F ip,srcline --full-source-path 2>/dev/null | grep '/lines\.c:' >perf.txt
between "$(wc -l <perf.txt)" 101 1000000 "perf script --full-source-path: lines of the program"
same ours.txt perf.txt "script --full-source-path: paths of sources as perf has them"
for fields in srcline comm,srcline -ip,+srcline; do
	exits 2 "script -F $fields without an address: exit 2" "$BPFPERF" script -i chain.data -F $fields
	is "$(cat err)" "bpfperf: error: -F $fields: srcline is the line of ip; add ip" \
		"script -F $fields without an address: the remedy is named"
done
exits 2 "script -F srccode without an address: exit 2" "$BPFPERF" script -i chain.data -F comm,srccode
is "$(cat err)" "bpfperf: error: -F comm,srccode: srccode is the line of ip; add ip" \
	"script -F srccode without an address: the remedy is named"

# The text of a line is below the samples, once until the thread is at another line.
both branches 1701 -F ip,sym,srccode
between "$(grep -c '^|[0-9]' ours.txt)" 701 1701 "script -F srccode: lines of the program"
ok "script -F srccode: a text with its tabs" grep -qP '^\|5        \t\tsink \+= n;$' ours.txt
both branches 1701 -F +srccode
both chain 101 "${own[@]}" -F +srccode
both dwarf 101 "${own[@]}" -F comm,tid,ip,sym,dso,srcline,srccode
mkdir -p "moved$PWD"
mv lines.c "moved$PWD"
is "$("$BPFPERF" script -i chain.data -F ip,srccode 2>/dev/null | grep -c '^|')" 0 "script -F srccode: no text of a source that is gone"
cp lines "moved$PWD"
"$BPFPERF" script -i chain.data "${own[@]}" -F ip,srccode --symfs "$PWD/moved" 2>/dev/null >ours.txt
ok "script -F srccode --symfs: the source below that directory" grep -q '^|5 .*sink += n;$' ours.txt
mv "moved$PWD/lines.c" .
# A source is what another user wrote: its text does nothing to the terminal, and a path to a secret prints none.
sed 's/sink += n;/sink += n; \/\/ \x1b[31mred/' lines.c >red.c
mv red.c lines.c
"$BPFPERF" script -i chain.data "${own[@]}" -F ip,srccode 2>/dev/null >ours.txt
ok "script -F srccode: a control character of the source is escaped" grep -qF 'sink += n; // \x1b[31mred' ours.txt
chmod 600 lines.c
is "$("$BPFPERF" script -i chain.data "${own[@]}" -F ip,srccode 2>/dev/null | grep -c '^|')" 0 \
	"script -F srccode: no text of a file that is root's alone"
done_testing
