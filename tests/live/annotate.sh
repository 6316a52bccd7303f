#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# report --annotate: samples by instruction, beside perf annotate.
. "$(dirname "$0")/../lib.sh"
need_root
need_tracefs
need_built
need_cmd perf
need_cmd objdump
need_cmd g++

cat >hot.c <<'C'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
volatile uint64_t total;
static inline uint64_t mix(uint64_t x) { x ^= x >> 33; x *= 0xff51afd7ed558ccdULL; return x ^ x >> 29; }
__attribute__((noinline)) void divides(uint64_t n) {
	for (uint64_t i = 0; i < n; i++)
		total += mix(i) / (i | 1);
}
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
	static int values[400000];
	divides(40000000);
	for (int round = 0; round < 4; round++) {
		for (size_t i = 0; i < 400000; i++)
			values[i] = (int)mix(i + round);
		qsort(values, 400000, sizeof(int), by_value);
	}
	return 0;
}
C
cat >scoped.cc <<'C'
#include <cstdint>
namespace app { struct Work { uint64_t sum = 0; void __attribute__((noinline)) run(uint64_t n); }; }
void app::Work::run(uint64_t n) { for (uint64_t i = 1; i < n; i++) sum += (n << 20) / i; }
int main() { app::Work w; w.run(30000000); return w.sum == 1; }
C
gcc -g -O2 -o hot hot.c
gcc -g -O2 -no-pie -o fixed hot.c
g++ -g -O2 -o scoped scoped.cc

record() { # NAME OPTION…
	local name=$1

	shift
	perf_record -q --no-bpf-event -o "$name.data" -e cpu-clock:u -c 500000 "$@" -- "./$name" 2>record.err ||
		fail "$name: perf record" "$(cat record.err)"
}
record hot
record fixed -g
record scoped

# "ADDRESS COUNT" of each instruction.
counts() {
	sed -nE 's/^ *([0-9.]+) +: +([0-9a-f]+):.*/\2 \1/p'
}

both() { # NAME FUNCTION OPTION…
	local name=$1 func=$2

	shift 2
	"$BPFPERF" report -i "$name.data" --annotate "$func" "$@" >ours.raw 2>ours.err
	is "$(cat ours.err)" "" "annotate $name $func${*:+ $*}: no word on stderr"
	perf annotate --stdio -i "$name.data" "$func" "$@" 2>/dev/null </dev/null | counts >perf.txt
	counts <ours.raw >ours.txt
	ok "annotate $name $func${*:+ $*}: perf has instructions" test -s perf.txt
	same ours.txt perf.txt "annotate $name $func${*:+ $*}: counts by address as perf annotate's"
}

both hot divides -n
ok "annotate hot: the source line of the division" grep -qE '^ +: 8 +total \+= mix\(i\) / \(i \| 1\);' ours.raw
ok "annotate hot: the source of the inlined function" grep -qE '^ +: mix\(\):' ours.raw
ok "annotate hot: the division itself" grep -qE ' : .*divq? ' ours.raw
ok "annotate hot: a branch names its destination" grep -qE ':   j[a-z]+ .*<divides\+0x[0-9a-f]+>' ours.raw
both hot divides
both hot by_value -n
both fixed divides -n
both fixed by_value
both scoped app::Work::run -n

# Each sample of the function stands at one of its instructions.
sum() {
	awk '{ n += $2 } END { print n + 0 }' "$1"
}
"$BPFPERF" report -i hot.data --annotate divides -n 2>/dev/null >ours.raw
counts <ours.raw >ours.txt
is "$(sum ours.txt)" "$(sed -nE 's/.*\(([0-9]+) samples,.*/\1/p' ours.raw)" "annotate -n: the counts add up to the samples of the head"
is "$(sum ours.txt)" "$("$BPFPERF" report -i hot.data --no-children -n -s sym 2>/dev/null | awk '$NF == "divides" { print $2 }')" \
	"annotate -n: as many samples as report -n has"

"$BPFPERF" report -i hot.data --annotate absent >out 2>err
is $? 1 "annotate of a function without samples: exit 1"
ok "annotate of a function without samples: how to find others" grep -q 'report -s sym' err
"$BPFPERF" report -i hot.data --annotate divides -s sym >out 2>err
is $? 2 "annotate with -s: exit 2"

# Source that others may not read is not shown to the reader of a recording.
chmod 600 hot.c
"$BPFPERF" report -i hot.data --annotate divides >out 2>err
ok "annotate: of a source that only its owner may read, the line's number alone" grep -qE ' : /.*/hot\.c:8$' out
nok "annotate: no text of that source" grep -q 'total +=' out

# Debug information may name a pipe, or a device that does something when it is opened.
{
	echo '#line 1 "fifo"'
	cat hot.c
} >piped.c
gcc -g -O2 -o piped piped.c
mkfifo fifo
record piped
echo unopened >fifo &
exits 0 "annotate of a source that is a pipe: exit 0" timeout 60 "$BPFPERF" report -i piped.data --annotate divides
ok "annotate of a source that is a pipe: the line's number alone" grep -qE ' : /.*/fifo:8$' out
# Its writer still waits for a reader.
is "$(timeout 10 cat fifo)" unopened "annotate of a source that is a pipe: it was not opened"
kill $! 2>err
wait $! 2>err

# Without the library the addresses remain.
mapfile -t hidden < <(ldconfig -p | sed -nE 's/.*libcapstone\.so\.[45] .*=> (.*)/\1/p')
# shellcheck disable=SC2016 # expanded by the inner shell
unshare -m bash -c 'bpfperf=$1; shift
	for f; do mount --bind /dev/null "$(readlink -f "$f")"; done
	"$bpfperf" report -i hot.data --annotate divides -n' hide "$BPFPERF" "${hidden[@]}" >bare.raw 2>err
ok "annotate without libcapstone: what to install" grep -q 'install libcapstone' err
counts <bare.raw >bare.txt
awk '$2' ours.txt >sampled.txt
same bare.txt sampled.txt "annotate without libcapstone: the counts of all sampled addresses"

done_testing
