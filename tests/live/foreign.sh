#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Recordings of other machines and of programs that have changed: whose kernel's functions they are named by, and where
# the files are found that they name (--kallsyms, --vmlinux, --symfs, perf's build-id cache).
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd perf python3 gcc

release=$(uname -r)
# A name of the same length, of a kernel that this one is not.
other=$(sed -E 's/[0-9]/9/g' <<<"$release")
isnt "$other" "$release" "the name of another kernel differs"

# Puts TO for FROM, everywhere.
replace() { # FILE FROM TO (bytes.fromhex() for 0x…)
	python3 - "$@" <<'END'
import sys

def of(text):
    return bytes.fromhex(text[2:]) if text.startswith("0x") else text.encode()

path, old, new = sys.argv[1], of(sys.argv[2]), of(sys.argv[3])
with open(path, "rb") as f:
    data = f.read()
assert old in data and len(old) == len(new)
with open(path, "wb") as f:
    f.write(data.replace(old, new))
END
}
record() { # OPTION…
	perf_record -q --no-bpf-event "$@" >record.out 2>&1 || fail "perf record $*: it ends" "$(cat record.out)"
}
# The kernel's frames of a recording, named.
kernel() { # FILE [OPTION…]
	local file=$1

	shift
	"$BPFPERF" script -i "$file" -F ip,sym,dso "$@" 2>err | grep -E '^\s*ffff'
}
named() { # reads lines
	grep -vcE '\[unknown\] \(|bpf_prog_'
}

# Most of its time is the kernel's; programs that live shorter than a period have no samples.
cat >work.sh <<'END'
dd if=/dev/zero of=/dev/null bs=64k count=30000
END
record -B -N -g -e cpu-clock -F 997 -o mine.data -- sh work.sh
kernel mine.data >mine.txt
isnt "$(named <mine.txt)" 0 "a recording without build ids of this kernel: its functions have names"
is "$(grep -c 'another kernel' err)" 0 "a recording of this kernel: no warning"

# The release alone says that it is another kernel's.
cp mine.data other.data
replace other.data "$release" "$other"
kernel other.data >other.txt
is "$(named <other.txt)" 0 "a recording of another release: nothing is named by this kernel"
is "$(grep -c 'another kernel' err)" 1 "a recording of another release: one warning"
like "$(cat err)" "another kernel \($other " "a recording of another release: the warning says which"
is "$(wc -l <other.txt)" "$(wc -l <mine.txt)" "a recording of another release: all addresses are printed"
is "$(grep -c '(\[kernel.kallsyms\])' other.txt)" "$(grep -c '(\[kernel.kallsyms\])' mine.txt)" \
	"a recording of another release: addresses of the kernel have their DSO"
"$BPFPERF" report -i other.data -s dso -g none --no-children 2>/dev/null >report.txt
is "$(grep -c '\[unknown\]' report.txt)" "$("$BPFPERF" report -i mine.data -s dso -g none --no-children 2>/dev/null | grep -c '\[unknown\]')" \
	"report of another release: no row without a DSO more than of this one"

# With that kernel's functions.
cat /proc/kallsyms >kallsyms
kernel other.data --kallsyms kallsyms >given.txt
same given.txt mine.txt "script --kallsyms: as the recorded kernel named them"
is "$(grep -c 'another kernel' err)" 0 "script --kallsyms: no warning"
"$BPFPERF" report -i other.data --kallsyms kallsyms -g none >given.txt 2>err
"$BPFPERF" report -i mine.data -g none >mine.report 2>err
same given.txt mine.report "report --kallsyms: as the recorded kernel named them"
exits 2 "script --kallsyms of no file: a usage error" "$BPFPERF" script -i other.data --kallsyms gone
like "$(cat err)" '--kallsyms gone: No such file' "script --kallsyms of no file: it is named"
mkfifo pipe
exits 2 "script --kallsyms of a pipe: a usage error" "$BPFPERF" script -i other.data --kallsyms pipe
kernel other.data --vmlinux kallsyms >given.txt
is "$(named <given.txt)" 0 "script --vmlinux of no ELF file: no names"
like "$(cat err)" "kallsyms: kernel functions stay unnamed: it has no kernel's functions" "script --vmlinux of no ELF file: a sentence"

# perf's cache has the functions of a kernel that was recorded before, by its build id.
record -N -g -e cpu-clock -F 997 -o id.data -- sh work.sh
id=$(perf buildid-list -i id.data | sed -n 's/ \[kernel.kallsyms\]$//p')
like "$id" '^[0-9a-f]{40}$' "the recording has the kernel's build id"
kernel id.data >id.txt
no_id=$(rev <<<"$id")
replace id.data "0x$id" "0x$no_id"
HOME=$TMP/home kernel id.data >none.txt
is "$(named <none.txt)" 0 "a recording of another build id: nothing is named by this kernel"
mkdir -p "home/.debug/.build-id/${no_id:0:2}/${no_id:2}"
cp kallsyms "home/.debug/.build-id/${no_id:0:2}/${no_id:2}/kallsyms"
HOME=$TMP/home kernel id.data >cached.txt
same cached.txt id.txt "a recording of another build id: named by perf's cache"
is "$(grep -c 'another kernel' err)" 0 "a recording of another build id: no warning then"

# A program that was built anew: the recorded one is in perf's cache.
program() { # FUNCTION
	echo "volatile int n; __attribute__((noinline)) void $1(void) { for (int i = 0; i < 50000000; i++) n++; }
		int main(void) { $1(); }" >prog.c
	gcc -O1 -g -Wl,--build-id -o prog prog.c
}
funcs() { # [OPTION…]
	"$BPFPERF" script -i prog.data -F ip,sym,dso "$@" 2>err | grep -c " before_it_was "
}
program before_it_was
HOME=$TMP/home record -e cpu-clock:u -F 997 -o prog.data ./prog
want=$(funcs)
isnt "$want" 0 "a recorded program: its function is named"
mkdir -p tree"$TMP"
cp prog tree"$TMP"
program after_it_is
is "$(HOME=$TMP/nowhere funcs)" 0 "a program that was built anew: the new one does not name it"
is "$(HOME=$TMP/home funcs)" "$want" "a program that was built anew: perf's cache has the old one"
is "$(PERF_BUILDID_DIR=$TMP/home/.debug HOME=$TMP/nowhere funcs)" "$want" "a program that was built anew: \$PERF_BUILDID_DIR, too"
is "$(HOME=$TMP/nowhere funcs --symfs tree)" "$want" "script --symfs: the old one is found there"
"$BPFPERF" report -i prog.data --symfs tree -g none -s sym --no-children >ours.txt 2>err
like "$(cat ours.txt)" 'before_it_was' "report --symfs: its function is named"
exits 2 "script --symfs of no directory: a usage error" "$BPFPERF" script -i prog.data --symfs prog

# Without build ids, a copy of the tree has other inodes, and is believed.
rm -r home
program before_it_was
HOME=$TMP/home record -B -N -e cpu-clock:u -F 997 -o prog.data ./prog
want=$(HOME=$TMP/nowhere funcs)
isnt "$want" 0 "a recording without build ids: its function is named"
cp prog tree"$TMP"
rm prog
is "$(HOME=$TMP/nowhere funcs)" 0 "a recording without build ids: nothing names a file that is gone"
is "$(HOME=$TMP/nowhere funcs --symfs tree)" "$want" "script --symfs without build ids: the tree has it"

# Recorders that write no inodes: the file of the path is believed if it is old enough.
cp tree"$TMP"/prog prog
touch -d '1 hour ago' prog
record -B -N -e cpu-clock:u -F 997 -o prog.data ./prog
want=$(funcs)
isnt "$want" 0 "a recording with inodes: its function is named"
python3 - prog.data <<'END'
import struct, sys

data = bytearray(open(sys.argv[1], "rb").read())
at, left = struct.unpack_from("<QQ", data, 40)
end, cnt = at + left, 0
while at < end:
    kind, _, size = struct.unpack_from("<IHH", data, at)
    if kind == 10:
        data[at + 40:at + 64] = bytes(24)
        cnt += 1
    at += size
assert cnt
open(sys.argv[1], "wb").write(data)
END
is "$(funcs)" "$want" "a recording without inodes: its function is named"
sleep_until_newer() {
	touch prog
	test prog -nt prog.data
}
wait_for 5 sleep_until_newer
is "$(funcs)" 0 "a recording without inodes: a file that is newer does not name it"

# The vDSO of another machine has no functions here.
cat >clock.c <<'END'
#include <time.h>
int main(void) { struct timespec t; for (int i = 0; i < 20000000; i++) clock_gettime(CLOCK_MONOTONIC, &t); }
END
gcc -O1 -o clock clock.c
record -B -N -e cpu-clock:u -F 997 -o clock.data ./clock
vdso() { # FILE
	"$BPFPERF" script -i "$1" -F ip,sym,dso 2>err | grep '\[vdso\]'
}
cp clock.data there.data
replace there.data "$release" "$other"
isnt "$(vdso clock.data | named)" 0 "the vDSO of this kernel: its functions are named"
is "$(vdso there.data | named)" 0 "the vDSO of another kernel: no names"
is "$(vdso there.data | wc -l)" "$(vdso clock.data | wc -l)" "the vDSO of another kernel: its addresses are printed"
done_testing
