#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# script --itrace of instructions and packets that ordinary programs have none of, or that are newer than this machine:
# guests, FRED, user interrupts, APX, events of processors that tell of them, each as pt_hand.py has it by hand.
. "$(dirname "$0")/../lib.sh"
need_built
need_cmd perf python3 as ld nm
if [ ! -x "${BPFPERF%/*}/bpfperf-itrace" ]; then
	skip_all "libipt-dev is not installed"
fi
export PYTHONDONTWRITEBYTECODE=1
python3 "$TOP/tests/itrace/pt_hand.py" . >cases && as -o hand.o hand.s &&
	ld -z max-page-size=4096 -Ttext=0xffffffff81000000 -e vmresume -o hand hand.o || exit 1

while read -r name; do
	python3 "$TOP/tests/itrace/pt_hand.py" . "$name" >expected
	exits 0 "$name: exit 0" "$BPFPERF" -v script -i "$name.data" --vmlinux hand --itrace=i1ie -F ip,sym,symoff -o out.txt
	read -r _ captured _ _ decoded _ skipped _ < <(grep -o 'trace: .*' err)
	is "$((decoded + skipped))" "$captured" "$name: bytes decoded and skipped are those captured"
	sed -E 's/^ *[0-9a-f]+ //; s/\+0x/+/; s/^.*trace gap.*/gap/; s/ +$//' out.txt >ours
	same ours expected "$name: these instructions ran"
done <cases
between "$(wc -l <cases)" 17 100 "there are cases"
like "$("$BPFPERF" script -i vmlaunch.data --vmlinux hand --itrace=b -F flags,ip 2>&1)" '^  vmentry ' \
	"the entry of a guest is a branch of its own kind"

# Numbers that code writes into the trace. perf has a place for those alone that the trace has one of.
mkdir -p dir/kcore_dir && cp ptwrite.data dir/data && cp hand dir/kcore_dir/kcore && : >dir/kcore_dir/modules
{
	printf 'ffffffff81000000 T _text\nffffffff81000000 T _stext\n'
	nm hand | sort | awk '{ print $1, "t", $3 }'
} >dir/kcore_dir/kallsyms
for tool in "$BPFPERF" perf; do
	"$tool" script -i dir --itrace=w -F synth:tid,event,synth,ip 2>/dev/null | sed '3s/IP: . //; 3s/ *[0-9a-f]*$//' >"${tool##*/}.ptw"
done
between "$(wc -l <perf.ptw)" 3 3 "ptwrite: perf script prints the numbers"
same bpfperf.ptw perf.ptw "ptwrite: --itrace=w is perf's"
done_testing
