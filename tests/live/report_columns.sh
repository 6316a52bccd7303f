#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# report: numbers as keys and as columns, widths of columns, the order of a group's lines; as perf report --stdio prints them.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=perf_report.bash
. "$TOP/tests/live/perf_report.bash"
need_root
need_built
need_cmd perf gcc python3

make_work
cat >places.c <<'C'
volatile unsigned long x;
#define KEPT __attribute__((noinline)) void
KEPT leaf(int n) { for (int i = 0; i < n; i++) x++; }
KEPT a(int n) { leaf(n); x++; }
KEPT b(int n) { leaf(2 * n); a(n); x++; }
int main(void) { for (int i = 0; i < 503; i++) b(100000), a(200000); return 0; }
C
ok "a program with few places is built" gcc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o places places.c
ok "perf records two events" perf_record -q --no-bpf-event -W -e cpu-clock,page-faults -F 1997 -o flat.data sh work.sh
without_others flat.data
ok "perf records callchains" perf_record -q --no-bpf-event -g -e cpu-clock:u -F 1997 -o places.data ./places
ok "perf records a group" perf_record -q --no-bpf-event -e '{cpu-clock:u,page-faults:u,context-switches:u}' -e minor-faults:u \
	-F 1997 -o group.data sh work.sh

# A word of the share among the keys takes the share out of the order, also as a part of another word.
for keys in overhead overhead,comm overhead_sys,comm comm,overhead_sys overhead_us,dso sample,comm,dso dso,period,comm \
	overhead_guest_sys,overhead_guest_us,comm overhead_children,comm; do
	both flat -s $keys
done
for fields in comm,overhead,sample comm,period,dso,sample overhead_us,overhead_sys,comm; do
	both flat -F $fields
done
both flat -F +period,sample -s comm
both places -F +sample -g none --percent-limit 1
both flat -s comm --show-cpu-utilization -n --show-total-period
for keys in overhead_children,sym overhead_sys,sym sample,sym; do
	both places -s $keys -g none --percent-limit 1
done
both places -s sym --show-cpu-utilization -n -g none --percent-limit 1
both places -F overhead_children,overhead,comm -g none
both places --no-children -s overhead_us,comm -g none
ok "report -s overhead_us: the share in user space stands beside that of all" grep -Eq '^ +100\.00% +[0-9.]+%  places *$' ours.raw

# Names are cut to a width, numbers are not.
for widths in 4 12,3,40 0,20,4 5,4,30; do
	both flat -s comm,dso -w $widths
done
both places --no-children -g none -s comm,sym -w 0,3,7 --percent-limit 1
both flat -s comm,dso -w 0,20 -t,
both flat -F sample,dso -w 20,20
ok "report -w: a wide number stands on the right" grep -Eq '^ +[0-9]+  [^ ]+ *$' ours.raw
for how in "-F overhead,overhead_sys,comm" "-s overhead_us,comm" "-s comm -t, --show-cpu-utilization" "-s comm -n -w 4,4" \
	"-s comm -n -w 12,12,3" "-s comm -w 30" "-s comm,dso --group-sort-idx 1" "-F overhead,sample,dso --group-sort-idx 1" \
	"-s comm,dso --group-sort-idx 7" "-s comm --no-group --skip-empty" "-s comm --no-group --no-skip-empty"; do
	# shellcheck disable=SC2086
	both group $how
done
ok "report --no-skip-empty: an event without samples has a heading" grep -Eq "^# Samples: 0  of event 'context-switches:u'" ours.raw

# perf accepts --symbol-filter, and its text has all lines all the same.
perf report --stdio -i flat.data -s comm,sym -q 2>perf.err </dev/null | grep str | sed '/@plt/d' | sort >perf.txt
"$BPFPERF" report -i flat.data -s comm,sym -q --symbol-filter str 2>ours.err | sed '/^$/d; /@plt/d; s/ *$//' | sort >ours.txt
sed -i 's/ *$//' perf.txt
between "$(wc -l <perf.txt)" 3 1000 "perf report: functions with a part of a name"
same <(awk '{ print $1, $2, $4 }' ours.txt) <(awk '{ print $1, $2, $4 }' perf.txt) "report --symbol-filter: the lines of perf with that part of a name"
# Other facts of samples: perf has no lines of the C library's start, so that the file is that of a program alone.
ok "perf records pages of code" perf_record -q --no-bpf-event --code-page-size -e page-faults -c 1 -o pages.data ./places
both pages -s code_page_size
both pages -s comm,code_page_size,dso
both flat -s addr,dso
both flat -s comm,addr
both places -s srcfile --no-children -g none -d places
both places -s srcfile,sym --no-children -g none -d places
like "$(grep places ours.raw)" 'places\.c +\[\.\] leaf' "report -s srcfile: the file of the source of a function"
ok "perf records transactions" perf_record -q --no-bpf-event --transaction -e cpu-clock:u -F 1997 -o tx.data ./places
python3 - tx.data <<'END'
import struct, sys

data = bytearray(open(sys.argv[1], "rb").read())
at, size = struct.unpack_from("<QQ", data, 40)
end, cnt = at + size, 0
while at < end:
    kind, misc, sz = struct.unpack_from("<IHH", data, at)
    if kind == 9:
        struct.pack_into("<Q", data, at + sz - 8, [0, 1, 2, 0x45 << 32 | 6, 0x2A, 0x5D, 0x80, 0xFF][cnt * 5 % 8])
        cnt += 1
    at += sz
open(sys.argv[1], "wb").write(data)
END
both tx -s transaction -n
both tx -s transaction,comm -n
like "$(cat ours.raw)" 'TX SYNC :45 ' "report -s transaction: the code of an abort"

# Sizes; with "symbol" in -s perf has a column of IPC, which separates functions of one size. It takes the kernel for as large as the
# symbols of this machine are, and here it is as large as in the recording.
for keys in dso_size dso_size,comm "dso,dso_size -w 0,5,3" "dso_size --hierarchy" "dso,dso_size --hierarchy"; do
	# shellcheck disable=SC2086
	both places -g none -s $keys
done
for fields in sample,symbol_size overhead,symbol_size,dso_size sample,dso_size,symbol_size,dso; do
	both places -g none -F $fields
	both places -g none -t, -F $fields
done
both places -g none -F symbol_size,sample
both flat -F symbol_size,sample
sized() {
	plain | sed -E '/kernel\.kallsyms/s/ [0-9]+ +\[/ SIZE [/; s/ +/ /g' | sort
}
perf report --stdio -i flat.data -F sample,dso_size,dso,comm 2>perf.err </dev/null | sized >perf.txt
"$BPFPERF" report -i flat.data -F sample,dso_size,dso,comm 2>ours.err | sized >ours.txt
between "$(grep -c SIZE perf.txt)" 2 1000 "perf report: the kernel has a size"
same ours.txt perf.txt "report -F dso_size: the sizes of mappings that perf prints, the kernel's apart"
is "$("$BPFPERF" report -q -i flat.data -F dso_size,dso 2>ours.err | awk '/kernel\.kallsyms/ { print $1; exit }')" \
	"$(($("$BPFPERF" script -i flat.data --show-mmap-events | sed -nE '/kernel\.kallsyms/s/.*\((0x[0-9a-f]+)\) @.*/\1/p' | head -n 1)))" \
	"report -F dso_size: the kernel is as large as its mapping in the recording"
is "$("$BPFPERF" report -q -i places.data -g none -F symbol_size,sym 2>ours.err | awk '$3 == "leaf" { print $1 }')" \
	"$((16#$(nm -S places | awk '$4 == "leaf" { print $2 }')))" "report -F symbol_size: the size that nm prints of a function"
for key in cgroup_id p_stage_cyc local_p_stage_cyc trace_fields; do
	exits 2 "report -s $key of perf: exit 2" "$BPFPERF" report -i flat.data -s $key
	like "$(cat err)" "^bpfperf: error: -s $key: not printed: .*[a-z]$" "report -s $key of perf: the message says where it is found"
done
for wrong in "-w 3,x" "-w 5000" "-w 1,"; do
	# shellcheck disable=SC2086
	exits 2 "report $wrong: exit 2" "$BPFPERF" report -i flat.data $wrong
	like "$(cat err)" 'give the widths of columns from the left, each 1 to 4096, or 0 for that of the widest cell, as in 10,0,20$' \
		"report $wrong: the message says how widths are given"
done
exits 2 "report -F +comm: exit 2" "$BPFPERF" report -i flat.data -F +comm
like "$(cat err)" 'numbers are added to the columns of -s, and comm is a key; add it to -s$' "report -F +comm: the remedy is named"
done_testing
