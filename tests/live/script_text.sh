#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# report and stack of what perf script printed: as of the recording itself.
. "$(dirname "$0")/../lib.sh"
need_root
need_tracefs
need_built
need_cmd perf
need_cmd gcc

cat >work.c <<'C'
volatile unsigned long total;
__attribute__((noinline)) void inner(unsigned long n) { while (n--) total += n; }
__attribute__((noinline)) void outer(unsigned long n) { inner(n); total++; }
int main(void) { for (int i = 0; i < 40; i++) outer(3000001); return 0; }
C
gcc -O0 -o work work.c
perf record -q --sample-cpu -g -e cpu-clock:u -c 500000 -o chains.data -- ./work 2>err || fail "perf record -g: it records" "$(cat err)"
perf record -q --sample-cpu -e cpu-clock:u -c 500000 -o flat.data -- ./work 2>err || fail "perf record without callchains: it records" "$(cat err)"

# Rows of named functions: of others the text has addresses of the process alone.
rows() {
	"$BPFPERF" report "$@" 2>err | sed -nE '/^ +[0-9.]+%/{/ 0x[0-9a-f]+$|\] [0-9a-f]{16}$/d; s/ +/ /g; p}'
}
for name in chains flat; do
	perf script -i $name.data >$name.txt 2>/dev/null
	rows -i $name.data -s comm,sym -g none >want.txt
	rows -i $name.txt -s comm,sym -g none >got.txt
	ok "report of a text, $name: there are rows" grep -q inner want.txt
	same got.txt want.txt "report of a text, $name: the rows of the recording"
	rows -i - -s comm,sym -g none <$name.txt >got.txt
	same got.txt want.txt "report of a text on stdin, $name: the rows of the recording"
	perf script -i $name.data 2>/dev/null | rows -i - -s comm,sym -g none >got.txt
	same got.txt want.txt "report of a text from a pipe, $name: the rows of the recording"
	perf script -i $name.data -F comm,pid,tid,cpu,time,event,ip,sym,dso,period >more.txt 2>/dev/null
	rows -i more.txt -s comm,sym -g none >got.txt
	same got.txt want.txt "report of a text with processes, $name: the rows of the recording"
done

stacks() {
	"$BPFPERF" "$@" --format folded 2>err | grep -E '(inner|outer|main) [0-9]+$' | sed 's/;_start;.*;main/;main/; s/;\[[^;]*\];/;/g; s/;_start;/;/; s/;__libc_start_main[^;]*//g; s/;__libc_start_call_main//' | sort
}
stacks report -i chains.data >want.txt
stacks report -i chains.txt >got.txt
ok "report of a text as folded stacks: there are some" grep -q 'main;outer;inner' got.txt
same got.txt want.txt "report of a text as folded stacks: those of the recording"
"$BPFPERF" stack -i chains.txt -o page.html 2>err
ok "stack -i of a text: a page" grep -q outer page.html
is "$("$BPFPERF" stack -i - --format folded <chains.txt 2>err | awk '{ n += $NF } END { print n }')" "$(grep -cE '^\S' chains.txt)" \
	"stack -i of a text on stdin: as many samples as perf prints"

exits 2 "report of a text: options that select samples are refused" "$BPFPERF" report -i chains.txt --pid 1
ok "report of a text: what to omit" grep -q 'omit options that select samples' "$TMP/err"
echo 'any text at all' >other.txt
exits 1 "report of another text: exit 1" "$BPFPERF" report -i other.txt
ok "report of another text: what is read" grep -q 'nor the text of perf script' "$TMP/err"

done_testing
