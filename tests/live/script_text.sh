#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
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
perf_record -q --no-bpf-event --sample-cpu -g -e cpu-clock:u -c 500000 -o chains.data -- ./work 2>err || fail "perf record -g: it records" "$(cat err)"
perf_record -q --no-bpf-event --sample-cpu -e cpu-clock:u -c 500000 -o flat.data -- ./work 2>err || fail "perf record without callchains: it records" "$(cat err)"

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
	"$BPFPERF" "$@" --format folded 2>err | grep -E ';(inner|outer|main) [0-9]+$' | sed 's/;_start;.*;main/;main/; s/;\[[^;]*\];/;/g; s/;_start;/;/; s/;__libc_start_main[^;]*//g; s/;__libc_start_call_main//' | sort
}
stacks report -i chains.data >want.txt
stacks report -i chains.txt >got.txt
ok "report of a text as folded stacks: there are some" grep -q 'main;outer;inner' got.txt
same got.txt want.txt "report of a text as folded stacks: those of the recording"
"$BPFPERF" stack -i chains.txt -o page.html 2>err
ok "stack -i of a text: a page" grep -q outer page.html
is "$("$BPFPERF" stack -i - --format folded <chains.txt 2>err | awk '{ n += $NF } END { print n }')" "$(grep -cE '^\S' chains.txt)" \
	"stack -i of a text on stdin: as many samples as perf prints"

# A look at the beginning of a named pipe loses nothing, and its writer may be gone before the rest is read.
"$BPFPERF" record -q -e cpu-clock:u -c 500000 -o ours.data -- ./work 2>err || fail "record: a recording of our own" "$(cat err)"
perf script -i ours.data >ours.txt 2>/dev/null
rows -i ours.data -s comm,sym -g none >want.txt
ok "report of our recording: there are rows" grep -q inner want.txt
mkfifo pipe
head -n 31 ours.txt >short.txt
rows -i short.txt -s comm,sym -g none >short.want
for of in recording text short; do
	case $of in
	recording) make=("$BPFPERF" record -q -e cpu-clock:u -c 500000 -o - -- ./work) ;;
	text) make=(cat ours.txt) ;;
	short) make=(cat short.txt) ;;
	esac
	"${make[@]}" 2>err.make >pipe &
	reap $!
	timeout 60 "$BPFPERF" report -i pipe -s sym -g none >fifo.txt 2>err
	is "$?" 0 "report of a named pipe, $of: exit 0"
	ok "report of a named pipe, $of: rows" grep -q inner fifo.txt
	timeout 60 "$BPFPERF" report -i <("${make[@]}" 2>err.make) -s sym -g none >subst.txt 2>err
	is "$?" 0 "report of a pipe of the shell, $of: exit 0"
	ok "report of a pipe of the shell, $of: rows" grep -q inner subst.txt
done
cat ours.txt >pipe &
reap $!
rows -i pipe -s comm,sym -g none >got.txt
same got.txt want.txt "report of a text in a named pipe: the rows of the recording"
cat short.txt >pipe &
reap $!
rows -i pipe -s comm,sym -g none >got.txt
same got.txt short.want "report of a short text in a named pipe: its rows"

"$BPFPERF" report -q -i chains.txt -s sym -g none >quiet.txt 2>err
ok "report -q of a text: rows" grep -q inner quiet.txt
nok "report -q of a text: no lines above them" grep -q '^#' quiet.txt

sed -n 1,7p flat.txt | sed 's/^[^ ]*/\xc3\xa9l\xc3\xa8ve/' >utf8.txt
rows -i utf8.txt -s comm -g none >got.txt
ok "report of a text: a name in UTF-8" grep -q "$(printf '\xc3\xa9l\xc3\xa8ve')" got.txt

{
	cat flat.txt
	echo '!'
} >odd.txt
exits 0 "report of a text with another line: exit 0" "$BPFPERF" report -i odd.txt
ok "report of a text with another line: it is said" grep -q '1 line is neither samples nor functions' "$TMP/err"
exits 0 "stack -i of a text with another line: exit 0" "$BPFPERF" stack -i odd.txt --format folded
ok "stack -i of a text with another line: it is said" grep -q '1 line is neither samples nor functions' "$TMP/err"
exits 0 "report of a text: exit 0" "$BPFPERF" report -i chains.txt
is "$(cat "$TMP/err")" "" "report of a text: every line of perf script is known"

awk 'BEGIN { for (i = 0; i < 4097; i++) print "a 1 1.0: 1 e" i ":" }' >events.txt
exits 1 "report of a text with 4097 events: exit 1" "$BPFPERF" report -i events.txt
ok "report of a text with 4097 events: a sentence" grep -q 'more than 4096 events' "$TMP/err"

exits 2 "report of a text: options that select samples are refused" "$BPFPERF" report -i chains.txt --pid 1
ok "report of a text: what to omit" grep -q 'omit options that select samples' "$TMP/err"
echo 'any text at all' >other.txt
exits 1 "report of another text: exit 1" "$BPFPERF" report -i other.txt
ok "report of another text: what is read" grep -q 'nor the text of perf script' "$TMP/err"

done_testing
