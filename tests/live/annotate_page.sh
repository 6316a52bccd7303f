#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# report --annotate -o page.html: the pane of instructions in a browser, beside perf annotate.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../formats/formats.bash
. "$TOP/tests/formats/formats.bash"
need_root
need_tracefs
need_cmd perf
need_cmd objcopy
need_cmd chromium

hostile='<img src=x onerror=alert(1)></script>&"q"'
cat >hot.c <<'C'
#include <stdint.h>
#include <stdlib.h>
volatile uint64_t total;
static inline uint64_t mix(uint64_t x) { x ^= x >> 33; x *= 0xff51afd7ed558ccdULL; return x ^ x >> 29; }
__attribute__((noinline)) void divides(uint64_t n) {
	for (uint64_t i = 0; i < n; i++)
		total += mix(i) / (i | 1);
}
__attribute__((noinline)) void unnamed(uint64_t n) {
	for (uint64_t i = 1; i < n; i++)
		total += (n << 20) / i; /* </script><img src=x onerror=alert(2)> ESC[31m */
}
__attribute__((noinline)) void left(uint64_t n) {
	for (uint64_t i = 1; i < n; i++)
		total ^= i;
}
int main(void) {
	divides(20000000);
	unnamed(20000000);
	left(20000000);
	return 0;
}
C
sed -i "s/ESC/$(printf '\033')/" hot.c
gcc -g -O2 -o plain hot.c
objcopy --redefine-sym unnamed="$hostile" plain hot || fail "objcopy: a hostile name of a symbol"
perf_record -q --no-bpf-event -B -N -o hot.data -e cpu-clock:u -c 500000 -- ./hot 2>record.err || fail "perf record of a hostile name" "$(cat record.err)"

# "ADDRESS COUNT" of each address with samples.
counts() {
	sed -nE 's/^ *([0-9]+) +: +([0-9a-f]+):.*/\2 \1/p' | awk '$2'
}
exits 0 "report --annotate '*' -o page.html: exit 0" "$BPFPERF" report -i hot.data --annotate '*' -o all.html
exits 0 "report --annotate divides -o page.html: exit 0" "$BPFPERF" report -i hot.data --annotate divides -o one.html
"$BPFPERF" report -i hot.data -o none.html
n=0
for f in divides left "$hostile"; do
	n=$((n + 1))
	"$BPFPERF" report -i hot.data --annotate "$f" -n 2>report.err | counts >"ours.$n"
	perf annotate --stdio -n -i hot.data "$f" 2>/dev/null </dev/null | counts >"perf.$n"
	ok "annotate $f: there are counts" test -s "ours.$n"
done
same ours.1 perf.1 "annotate divides: counts as perf annotate's"
same ours.2 perf.2 "annotate left: counts as perf annotate's"

PYTHONPATH="$TOP/tests/formats" PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/live/annotate_page.py" "$TMP" "$hostile" >browser.out
rc=$?
tell <browser.out
is $rc 0 "the browser came to the end"

# All functions as text; and the page is read as a profile.
"$BPFPERF" report -i hot.data --annotate '*' -n >all.txt 2>err
is "$(grep -c 'Source code & Disassembly of ' all.txt)" "$(grep -c '^"rows"' all.html)" "annotate '*': the text has as many functions as the page"
exits 0 "stack -i of a page with instructions: exit 0" "$BPFPERF" stack -i all.html -o again.folded
ok "stack -i of a page with instructions: its stacks" grep -q 'divides' again.folded

exits 1 "annotate of a function without samples, as a page: exit 1" "$BPFPERF" report -i hot.data --annotate absent -o absent.html
ok "annotate of a function without samples: the page is whole" grep -q '^</html>' absent.html
exits 2 "annotate in another format: exit 2" "$BPFPERF" report -i hot.data --annotate divides -o x.json
ok "annotate in another format: what there is" grep -q 'FILE.html' err
done_testing
