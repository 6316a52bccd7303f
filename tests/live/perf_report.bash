# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Reports beside those of perf report --stdio, line by line.

# perf's own words on itself, and blank lines at the end, are left out.
plain() {
	sed '/^# To display the perf.data/d; /^# (Tip:/d; /^# (Cannot/,$d; s/[A-Za-z0-9_.]*@plt/@plt/' |
		sed -e :a -e '/^[#\n]*$/{$d;N;ba' -e '}'
}

# perf may loop without end over a group with callchains.
both() { # NAME OPTION…: of NAME.data
	local name=$1

	shift
	timeout 60 perf report --stdio -i "$name.data" "$@" 2>perf.err </dev/null | plain >perf.txt &
	"$BPFPERF" report -i "$name.data" "$@" 2>ours.err >ours.raw || fail "$name: report $* exits 0" "$(cat ours.err)"
	plain <ours.raw >ours.txt
	wait $!
	between "$(grep -vc '^#' perf.txt)" 1 1000000 "$name: perf report prints rows $*"
	same ours.txt perf.txt "$name: as perf report prints it $*"
}

# Samples in BPF programs of others, which trace while perf records, become samples of the code before them: without records of
# these programs perf has no name for them, or an offset in place of an address, and bpfperf those that are loaded when it reads.
without_others() { # FILE
	python3 - "$1" <<'END'
import os, struct, sys

with open("/proc/kallsyms", encoding="ascii") as f:
    ends = {s[2]: int(s[0], 16) for s in map(str.split, f) if s[2] in ("_stext", "_etext")}
code = [(ends["_stext"], ends["_etext"])]
# A kernel without modules has no such file.
with open("/proc/modules" if os.path.exists("/proc/modules") else os.devnull, encoding="ascii") as f:
    code += [(int(m[5], 16), int(m[5], 16) + int(m[1])) for m in map(str.split, f)]
data = bytearray(open(sys.argv[1], "rb").read())
at, size = struct.unpack_from("<QQ", data, 40)
end, known = at + size, ends["_stext"]
if data[8] == 16:
    at, end = 16, len(data)
while at < end:
    kind, _, length = struct.unpack_from("<IHH", data, at)
    for word in range(at + 8, at + length, 8) if kind == 9 else ():
        addr = struct.unpack_from("<Q", data, word)[0]
        if not 0xffff << 48 <= addr < 2**64 - 4096:
            continue
        if any(begin <= addr < last for begin, last in code):
            known = addr
        else:
            struct.pack_into("<Q", data, word, known)
    # Formats of tracepoints stand behind their record.
    at += length + (struct.unpack_from("<I", data, at + 8)[0] if kind == 66 else 0)
open(sys.argv[1], "wb").write(data)
END
}

# Writes work.sh: 37 programs, and work of the shell itself.
make_work() {
	cat >work.sh <<'SH'
i=0
while [ $i -lt 37 ]; do i=$((i + 1)); /bin/true; done
i=0
while [ $i -lt 60001 ]; do i=$((i + 1)); done
SH
}

# Builds a program of few places, of which leaf has most samples.
make_places() {
	cat >places.c <<'C'
volatile unsigned long x;
#define KEPT __attribute__((noinline)) void
KEPT leaf(int n) { for (int i = 0; i < n; i++) x++; }
KEPT a(int n) { leaf(n); x++; }
KEPT b(int n) { leaf(2 * n); a(n); x++; }
KEPT c(int n) { b(n); a(n); x++; }
int main(void) { for (int i = 0; i < 307; i++) c(100000), a(200000); return 0; }
C
	ok "a program with few places is built" gcc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o places places.c
}

# Builds a program whose functions have lines, for branches that are made.
make_lines() {
	cat >lines.c <<'C'
static volatile unsigned long sink;
__attribute__((noinline)) void inner(unsigned long n) { sink += n; }
__attribute__((noinline)) void outer(unsigned long n)
{
	inner(n);
	sink++;
}
int main(void)
{
	for (int i = 0; i < 377; i++)
		outer(100003);
}
C
	ok "a program with functions is compiled" cc -g -O1 -o lines lines.c
}
