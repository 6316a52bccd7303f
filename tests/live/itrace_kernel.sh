#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script --itrace through code of the kernel and of a module, without the hardware: pt_kernel.py walks an ELF file as
# objdump disassembles it, and writes what the processor writes of that; decoded, it is these instructions, and perf's.
. "$(dirname "$0")/../lib.sh"
need_built
need_cmd perf python3 as ld objdump
if [ ! -x "${BPFPERF%/*}/bpfperf-itrace" ]; then
	skip_all "libipt-dev is not installed"
fi
export PYTHONDONTWRITEBYTECODE=1
# By hand: more of them, and a real kernel's file, with objdump's --start-address= and --stop-address= in KERNEL_PART.
MAX=${PT_MAX:-40013}
read -ra part <<<"${KERNEL_PART:-}"
kernel=${KERNEL_FILE:-kernel}
if [ "$kernel" = kernel ]; then
	python3 "$TOP/tests/itrace/kernel_code.py" 3 >kernel.s && as -o kernel.o kernel.s &&
		ld -z max-page-size=4096 -Ttext=0xffffffff81000000 --section-start=.mod=0xffffffffc0000000 -e _text \
			-o kernel kernel.o || exit 1
fi

make_data() { # NAME SEED FLAG…
	local name=$1 seed=$2

	shift 2
	ok "pt_kernel ${*:-as it is}: the code is walked" \
		python3 "$TOP/tests/itrace/pt_kernel.py" "$name" "$kernel" "$MAX" "$seed" "${part[@]}" "$@"
}
fields() {
	awk '{ print $1, $2 }' "$@"
}
# Decodes NAME/data by these options, and compares with the steps.
compare() { # NAME WHAT OPTION…
	local name=$1 what=$2

	shift 2
	exits 0 "$what: exit 0" "$BPFPERF" -v script -i "$name/data" --itrace=i1ie -F tid,ip -o out.txt "$@"
	fields out.txt >ours
	same ours "$name/steps" "$what: --itrace=i1i prints the instructions that ran"
	like "$(cat err)" "trace: ([0-9]+) bytes captured, \1 decoded, 0 skipped" "$what: all bytes are decoded"
}

make_data plain 1
compare plain "a copy of kcore beside the recording"
{
	printf 'ffffffff81000000 T _text\nffffffff81000000 T _stext\n'
	nm -n "$kernel" 2>/dev/null | awk '$3 ~ /^f/ { print $1, "t", $3 ($1 ~ /^ffffffffc/ ? "\t[walk]" : "") }'
} >plain/kcore_dir/kallsyms
if [ "$kernel" = kernel ]; then
	echo "walk 4096 0 - Live 0xffffffffc0000000"
fi >plain/kcore_dir/modules
perf script -i plain --itrace=i1i -F tid,ip 2>/dev/null | fields >theirs
between "$(wc -l <theirs)" "$MAX" "$MAX" "a copy of kcore: perf decodes it, too"
same ours theirs "a copy of kcore: --itrace=i1i prints perf's instructions"
branches() { # lines as "EVENT KIND IP"
	sed -E 's/ ilen:.*//; s/ +/ /g; s/^ //; s/ $//'
}
"$BPFPERF" script -i plain/data --itrace=b -F event,flags,ip 2>/dev/null | branches >ours
perf script -i plain --itrace=b -F event,flags,ip 2>/dev/null | branches >theirs
between "$(wc -l <theirs)" $((MAX / 10)) "$MAX" "a copy of kcore: perf's branches are many"
same ours theirs "a copy of kcore: --itrace=b prints perf's branches"

make_data poked 2 poke
compare poked "code that changes, as it was at the begin"
make_data patched 3 poke patched
compare patched "code that changes, as it was at the end"

# A recording of somebody else that lies: what it makes bpfperf and its decoders keep has an end.
make_data flood 6 flood
cat >peak.py <<'END'
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
sys.exit(code)
END
exits 0 "a flood of changed pages: exit 0" python3 peak.py "$BPFPERF" script -i flood/data --itrace=i1ie -F tid,ip -o out.txt
between "$(cat out)" 1 200 "a flood of changed pages: MiB of the largest process, of 781 that are named"
fields out.txt >ours
same ours flood/steps "a flood of changed pages: --itrace=i1i prints the instructions that ran"

# A copy of kcore beside a recording of another layout is of any recording, and of any user.
mkdir other && cp plain/data other/perf.data && cp -r plain/kcore_dir other/
"$BPFPERF" script -i other/perf.data --itrace=i1ie -F tid,ip -o out.txt 2>err
is "$(grep -vc 'trace gap' out.txt)" 0 "a copy of kcore that perf did not put there: it is not read"

mv plain/kcore_dir gone
exits 0 "no file of the kernel: exit 0" "$BPFPERF" -v script -i plain/data --itrace=i1ie -F tid,ip -o out.txt
between "$(grep -c 'trace gap.*no code for the trace, [0-9]* bytes' out.txt)" 1 "$MAX" "no file of the kernel: gaps are in place"
is "$(grep -vc 'trace gap' out.txt)" 0 "no file of the kernel: no instruction is made up"
like "$(cat err)" "code of the kernel that is not known: it is of another kernel or boot; give its --vmlinux" \
	"no file of the kernel: says why, and what to do"
echo none >empty
exits 0 "a --vmlinux without code: exit 0" "$BPFPERF" script -i plain/data -k empty --itrace=i1ie -F tid,ip -o out.txt
like "$(cat err)" "code of the kernel that is not known: the file of --vmlinux has no code" "a --vmlinux without code: says so"
cat >units.py <<'END'
"""units.py FROM TO CNT: a recording of Intel PT, without its features, that claims AUX data of CNT more CPUs."""
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
at, size = struct.unpack_from("<QQ", data, 40)
more = b"".join(struct.pack("<IHHQQQIIII", 71, 0, 48, 8, 0, 0, 1000 + i, 0, 1000 + i, 0) + bytes(8) for i in range(int(sys.argv[3])))
struct.pack_into("<Q", data, 48, size + len(more))
data[72:104] = bytes(32)
open(sys.argv[2], "wb").write(data[:at + size] + more)
END
python3 units.py plain/data units.data 65537
exits 1 "AUX data of ever new CPUs: exit 1" timeout 60 "$BPFPERF" script -i units.data --itrace=b -o /dev/null
like "$(cat err)" "has AUX data of more than 65536 CPUs or threads" "AUX data of ever new CPUs: says so"
compare plain "--vmlinux" -k "$kernel"

# The running kernel: another /proc, which has these files of its own.
make_data here 6 here poke patched
mv here/kcore_dir/kcore kcore
mkdir real proc
in_proc() { # COMMAND…
	# shellcheck disable=SC2016
	unshare -m bash -c 'mount --bind /proc real && for f in real/[a-z]*; do ln -s "$PWD/$f" proc/ || exit; done
		rm -f proc/kcore proc/kallsyms proc/modules && : >proc/modules && printf "%s T _text\n" "$1" >proc/kallsyms &&
		if [ -n "$2" ]; then cp "$2" proc/kcore; fi && mount --bind proc /proc && shift 2 && exec "$@"' bash "$@"
}
if [ "$(id -u)" = 0 ] && in_proc 0 "" true 2>err; then
	rm -rf proc/*
	exits 0 "/proc/kcore: exit 0" in_proc ffffffff81000000 kcore "$BPFPERF" -v script -i here/data --itrace=i1ie -F tid,ip -o out.txt
	fields out.txt >ours
	same ours here/steps "/proc/kcore: --itrace=i1i prints the instructions that ran"
	rm -rf proc/*
	exits 0 "/proc/kcore of another boot: exit 0" \
		in_proc ffffffff92000000 kcore "$BPFPERF" script -i here/data --itrace=i1ie -F tid,ip -o out.txt
	like "$(cat err)" "it is of another kernel or boot; give its --vmlinux" "/proc/kcore of another boot: says so"
	rm -rf proc/*
	exits 0 "no /proc/kcore: exit 0" \
		in_proc ffffffff81000000 "" "$BPFPERF" script -i here/data --itrace=i1ie -F tid,ip -o out.txt
	like "$(cat err)" "/proc/kcore cannot be read; run bpfperf as root, or give a --vmlinux" "no /proc/kcore: says so"
else
	skip_test "/proc/kcore: a file of the test" "no mount of one's own"
fi

# Another boot has the kernel elsewhere. A file of the kernel has no module.
if [ "$kernel" = kernel ]; then
	objcopy -R .mod kernel core 2>/dev/null || exit 1
	kernel=core
fi
make_data moved 4 moved
mv moved/kcore_dir moved/gone
compare moved "--vmlinux of another boot" -k "$kernel"
make_data both 5 moved poke
compare both "--vmlinux of another boot, and code that changes" -k "$kernel"
if [ "$kernel" = core ]; then
	"$BPFPERF" report -i moved/data -k core --itrace=i1i --stdio 2>/dev/null | sed -nE 's/^ +[0-9.]+% .*\[k\] (f[0-9]+) *$/\1/p' | sort >ours
	nm -n core | awk '$3 ~ /^f/ { print substr($1, 9), $3 }' >symbols
	python3 - moved/steps symbols >want <<-'END'
		import bisect, sys
		syms = [(int(a, 16), n) for a, n in map(str.split, open(sys.argv[2]))]
		at = [a for a, _ in syms]
		ips = {(int(l.split()[1], 16) - 0x1c000000) & 0xffffffff for l in open(sys.argv[1])}
		print("\n".join(sorted({syms[bisect.bisect_right(at, ip) - 1][1] for ip in ips})))
	END
	between "$(wc -l <want)" 11 60 "report --itrace: functions ran"
	same ours want "report --itrace: the kernel's functions that ran"
fi
done_testing
