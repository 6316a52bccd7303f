#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script --show-kernel-path: the files of the kernel and of modules as perf script prints them, of a made ELF file of
# this kernel's functions and of samples in a module that is not here.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=perf_report.bash
. "$TOP/tests/live/perf_report.bash"
need_root
need_built
need_cmd perf python3 as ld

both() { # FILE OPTION…
	# The vDSO is a file of perf's own there.
	perf script -i "$@" -F comm,ip,sym,dso 2>perf.err </dev/null | sed 's|(/tmp/perf-vdso.so-[^)]*)|([vdso])|' >perf.txt
	"$BPFPERF" script -i "$@" -F comm,ip,sym,dso 2>ours.err >ours.txt || fail "script -i $* exits 0" "$(cat ours.err)"
	between "$(wc -l <perf.txt)" 31 1000000 "perf script prints lines of -i $*"
	same ours.txt perf.txt "script prints perf's lines of -i $*"
}

# Functions of the kernel's own text, in an ELF file.
python3 - >functions.s <<'END'
import collections

syms = [line.split() for line in open("/proc/kallsyms")]
syms = [(int(s[0], 16), s[2]) for s in syms if len(s) == 3 and s[1] in "tT"]
begin = min(a for a, name in syms if name in ("_text", "_stext"))
end = max(a for a, name in syms if name == "_etext" or a == begin)
# If an address has three names, or names have no size, perf takes one by their order in the file.
addrs = sorted({addr for addr, _ in syms if begin <= addr < end})
after, seen, names = dict(zip(addrs, [*addrs[1:], end])), set(), collections.Counter()
print(".text\nbegin:")
for addr, name in syms:
    if begin <= addr < end and name not in seen and names[addr] < 2 and name.replace("_", "x").isalnum():
        seen.add(name)
        names[addr] += 1
        print(f".type {name},@function\n.globl {name}\n.set {name},begin+{addr - begin}\n.size {name},{after[addr] - addr}")
print(f".space {end - begin}")
open("begin", "w").write(f"{begin:#x}")
END
ok "an ELF file of the kernel's functions is assembled" as -o functions.o functions.s
ok "an ELF file of the kernel's functions is linked" ld -e 0 -Ttext="$(cat begin)" -o kernel.elf functions.o

# Build ids would tell that the file is not the recorded kernel's.
ok "perf records the kernel" perf_record -q -B -N --no-bpf-event -g -e cpu-clock -F 997 -o chains.data dd if=/dev/zero of=/dev/null bs=64k count=20000
without_others chains.data
both chains.data -k kernel.elf
both chains.data -k kernel.elf --show-kernel-path
between "$(grep -c '(kernel\.elf)$' ours.txt)" 31 1000000 "script --show-kernel-path -k: the kernel's functions have the file"
both chains.data --show-kernel-path --kallsyms /proc/kallsyms
is "$(grep -c '(kernel\.elf)$' ours.txt)" 0 "script --show-kernel-path without -k: the kernel is no file"

ok "perf records the kernel without callchains" perf_record -q -B -N --no-bpf-event -e cpu-clock -F 997 -o flat.data \
	dd if=/dev/zero of=/dev/null bs=64k count=60000
without_others flat.data
module=/lib/modules/6.1.0-9/kernel/net/netfilter/nf-nat.ko
ok "samples of a module are made" python3 "$TOP/tests/live/module_samples.py" flat.data module.data $module
both module.data
between "$(grep -c '(\[nf_nat\])$' ours.txt)" 11 1000000 "script of a module's samples: the module's name"
both module.data --show-kernel-path
between "$(grep -c "($module)\$" ours.txt)" 11 1000000 "script --show-kernel-path of a module's samples: the path of its file"
"$BPFPERF" script -i module.data --show-kernel-path --dsos '[nf_nat]' -F ip,dso 2>ours.err >only.txt
is "$(grep -c "($module)\$" only.txt)" "$(grep -c "($module)\$" ours.txt)" "script --show-kernel-path --dsos: the module's name selects its samples"
done_testing
