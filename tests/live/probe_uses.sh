#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Probes where tracepoints are used: keys, sums, triggers, ends of pairs; numbers that are not in memory.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc

gcc -w -g -O2 -o gone "$TOP/tests/workloads/probe/gone.c" || fail "the program gone compiles"
p=u:./gone
run() { # ARG… -> out, err
	"$BPFPERF" "$@" -o out -- ./gone >said 2>err || fail "$*" "$(cat err)"
}

run trace --count --by x --format csv "$p:take(x=*p)"
is "$(sed 1d out | sort | paste -sd' ' -)" \
	"u:gone:take,1,1 u:gone:take,2,1 u:gone:take,3,1 u:gone:take,4,1 u:gone:take,<not in memory>,2" \
	"--by: a number that is not in memory is a key of its own"
run trace --sum x --format csv "$p:take(x=*p)"
is "$(sed 1d out | paste -sd' ' -)" "u:gone:take,4,10 [no value],2," "--sum: numbers that are not in memory are left out"
like "$(cat err)" '2 records are in no row: their x was not in memory' "--sum: how many were left out is said"
run trace --hist x --by k --format json "$p:take(x=*p,k)"
is "$(tail -n 1 out)" '{"no_value":2}' "--hist: how many were left out is in the output"
is "$(grep -c '"event"' out)" 4 "--hist: records with a number are counted"

run trace --overwrite --format text "$p:begin(id=*id)" --trigger "$p:take(k):k == 3"
is "$(grep -c '^# dump [0-9]*: trigger' out) $(grep -c 'gone:take' out) $(grep -c 'gone:begin' out)" "1 1 4" \
	"--trigger of a probe: it dumps, and is a record only where it triggers"
run trace --overwrite --format text "$p:take(k)" --trigger "$p:take(k):k == 3"
is "$(grep -c 'gone:take' out)" 6 "--trigger of a probe that is traced: each hit is one record"
like "$(cat err)" ' 1 records triggered' "--trigger of a probe that is traced: one record triggers"
run trace --overwrite --format text "$p:begin" --trigger "$p:finish(\$ret):ret < 0"
like "$(cat err)" ' 1 records triggered' "--trigger by the result of a function"

run latency --format csv --from "$p:begin(id=*id)" --to "$p:finish(id=*id)" --key id
like "$(cat err)" '4 starts: 3 ended|3 starts: 3 ended' "latency --from --to: calls are joined by a value in memory; one that is absent joins nothing"
"$BPFPERF" why --from "$p:begin" --to "$p:finish" -- ./gone >out 2>err
like "$(head -n 1 out)" '^4 times from the first event to the second' "why --from --to: requests between two functions"
gcc -w -g -gsplit-dwarf -O1 -o split "$TOP/tests/workloads/probe/tree.c" -pthread || fail "a program with split DWARF compiles"
rm -f ./*.dwo
"$BPFPERF" trace -o out u:./split:'one(arg1:d)' -- ./split 3 >said 2>err
is "$(grep -c 'u:split:one: arg1=[012]$' out)" 9 "split DWARF whose files are gone: arguments have numbers"
exits 2 "--hist of a duration that the probe does not ask for: exit 2" "$BPFPERF" trace --hist duration "$p:take" -- ./gone
like "$(cat err)" "has no field 'duration'; a probe that is written take\(duration\) has it" "--hist duration: how the probe gets it is said"
exits 2 "--by of a result that the probe does not ask for: exit 2" "$BPFPERF" trace --count --by ret "$p:take" -- ./gone
# shellcheck disable=SC2016 # bpfperf's own $
like "$(cat err)" 'a probe that is written take\(\$ret\) has it' "--by ret: how the probe gets it is said"
# Both ends of a call by one link (6.13), by a pair of links, and by perf events.
gcc -w -g -O2 -o args "$TOP/tests/workloads/probe/args.c" || fail "the program args compiles"
for without in none uprobe_session uprobe_session,uprobe_multi; do
	export BPFPERF_WITHOUT=$without
	"$BPFPERF" trace --hist duration --format csv -o out u:./args:'factorial(duration)' -- ./args 1009 >said 2>err
	is "$(awk -F, '$1 == "u:args:factorial" { n += $2 } END { print n }' out) $(summary lost)" "5 0" \
		"without $without: each call has a duration"
	# shellcheck disable=SC2016 # bpfperf's own $
	"$BPFPERF" trace --format csv -o out --count --by n,ret u:./args:'factorial(n,$ret)' -- ./args 3 >said 2>err
	is "$(sed 1d out | cut -d, -f2-4 | sort -n | paste -sd' ' -)" "1,1,1 2,2,1 3,6,1 4,24,1 5,120,1" \
		"without $without: a call has its own arguments and result"
done
unset BPFPERF_WITHOUT
echo 'int f(const char *const a, int *const b, char *const *c, const int d) { return d; } int main(void) { return f(0, 0, 0, 0); }' >types.c
gcc -w -g -O0 -o types types.c || fail "the program types compiles"
is "$("$BPFPERF" list u:./types:f | cut -d' ' -f1-10)" "u:types:f(const char *const a, int *const b, char *const *c," \
	"list: const of a pointer stands behind it"
cat >quotes.c <<'EOS'
char text[] = "a \"b\" \\c", name[] = "the \"x\"";
__attribute__((noipa)) const char *quoted(const char *n) { return text; }
int main(void) { name[0] = 'T'; return quoted(name) != text; }
EOS
gcc -w -g -O2 -o quotes quotes.c || fail "the program quotes compiles"
# shellcheck disable=SC2016 # bpfperf's own $
"$BPFPERF" trace --format text -o out u:./quotes:'quoted(n,$ret)' -- ./quotes >said 2>err
is "$(sed -n 's/.*quoted: //p' out)" 'n="The \"x\"" ret="a \"b\" \\c"' "text: quotes and backslashes of a text within quotes are escaped"
cat >signs.c <<'EOS'
#include <stdio.h>
struct pair { long x, y; };
struct outer { struct pair in; };
__attribute__((noipa)) int g(signed char a, short b, struct outer o, struct pair *q)
{
	return printf("%d %d %ld %ld %ld\n", a, b, o.in.x, o.in.y, q->x);
}
int main(void)
{
	struct outer o = { { -7, 1l << 40 } };
	return g(-100, -30000, o, &o.in) == 7;
}
EOS
for flags in -O0 -O2 "-O2 -gdwarf-4 -fdebug-types-section"; do
	# shellcheck disable=SC2086 # words
	gcc -w -g $flags -o signs signs.c || fail "the program signs compiles"
	"$BPFPERF" trace -o out u:./signs:'g(a,b,o.in,*q)' -- ./signs >said 2>err
	like "$(cat out)" 'a=-100 b=-30000 in_x=-7 in_y=1099511627776 q_x=-7 q_y=1099511627776$' \
		"$flags: signs of small numbers, structures member by member"
done

# Instructions at which no probe is placed: the kernel would carry out vpcmpeqb as je.
if [ "$(uname -m)" = x86_64 ]; then
	cat >vector.s <<'EOS'
.globl same, locked, plain, main
.type same, @function
.type locked, @function
.type plain, @function
same: vpcmpeqb %xmm0, %xmm0, %xmm0
ret
.size same, .-same
locked: lock decl -4(%rsp)
ret
.size locked, .-locked
plain: mov $1, %eax
ret
.size plain, .-plain
main: call locked
call plain
xor %eax, %eax
ret
.section .note.GNU-stack, "", @progbits
EOS
	gcc -o vector vector.s || fail "the program vector compiles"
	"$BPFPERF" trace --count u:./vector:'same()' -- true >said 2>err
	is "$? $(grep -c 'would take it for another one' err)" "2 1" "a vector instruction that the kernel misreads: refused"
	# The kernel looks at the instruction when the program maps it: before, it accepts the probe.
	"$BPFPERF" trace --count u:./vector:locked -- ./vector >said 2>err
	is "$? $(grep -c 'cannot probe the first instruction there' err)" "2 1" "an instruction that the kernel does not probe: refused, and no silence"
	"$BPFPERF" trace --count --format csv -o out u:./vector:'[slp]*()' -- ./vector >said 2>err
	is "$? $(sed 1d out) $(grep -c 'left out of the pattern, .*: 2 places$' err)" "0 u:vector:plain,1 1" \
		"a glob: what the kernel cannot probe is left out, and said"
fi

# A program of more functions than are taken: one of them is found, and a glob says that it has more.
{
	echo .text
	seq 20011 | sed 's/.*/.globl sym_&\n.type sym_&, @function\nsym_&: nop\n.size sym_&, 1/'
	echo '.section .note.GNU-stack,"",%progbits'
} >many.s
echo 'int last(int v) { return v + 1; } int main(void) { return last(6) == 9; }' >many.c
gcc -g -O0 -o many many.c many.s || fail "a program of 20,011 functions: compiles"
"$BPFPERF" list 'u:./many:sym_*' >out 2>err
is "$? $(wc -l <out)" "0 20000" "list of 20,011 functions: exit 0, as many as are taken"
like "$(cat err)" 'only the first 20000 functions are taken; give a narrower pattern$' "list of 20,011 functions: it says that there are more"
"$BPFPERF" list 'u:./many:sym_*7' >out 2>err
is "$(wc -l <out) $(cat err)" "2001 " "list of 2,001 of 20,011 functions: they are all there are"
is "$("$BPFPERF" list u:./many:last | grep -c '^u:many:last(int v)')" 1 "one of 20,013 functions is found"

done_testing
