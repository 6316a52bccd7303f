#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Probes: functions as events, their arguments as the program itself has them.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 gcc g++

src=$TOP/tests/workloads/probe
trace() { # ARG… -> out.json, err
	rm -f out.json
	"$BPFPERF" trace -o out.json "$@" >said.txt 2>err || fail "trace $*" "$(cat err)"
}
compare() {
	python3 "$TOP/tests/live/probes.py" said.txt out.json
}
p=u:./args
values="$p:integers,$p:floats,$p:by_value(p.x,p.y,w.b,w.c,state,last)
,$p:many(a,f,g,h),$p:pointers(req->url,req->flags,req->level,req->weight,req->state,req->ratio,parts=req->parts[1]
,next=req->next->url,name,buf:str,third=list[1]->level)"
values=${values//$'\n'/}
returns="$p:integers(c,s,u,l,b,q,\$ret),$p:by_value(p.x,p.y,w.b,w.c,state,last,\$ret),$p:many(a,f,g,h,\$ret)
,$p:pointers(req->url,req->weight,name,buf:str,\$ret)"
returns=${returns//$'\n'/}

compilers=gcc
command -v clang >/dev/null && compilers='gcc clang'
for compiler in $compilers; do
	for how in -O0 -O1 -O2 -O3 '-O2 -fno-omit-frame-pointer' '-O2 -flto' '-O1 -gdwarf-4' '-O0 -no-pie'; do
		[ "$compiler $how" != 'clang -O2 -flto' ] || continue
		# shellcheck disable=SC2086 # several options
		$compiler -w -g $how -o args "$src/args.c" || fail "$compiler $how: compiles"
		trace "$values" -- ./args 101
		like "$(compare)" '^505 calls, 3030 values, ' "$compiler $how: arguments are those of the program"
		case $how in -O0*) is "$(compare)" "505 calls, 3030 values, 0 honest" "$compiler $how: no argument is missing" ;; esac
		trace "$returns" -- ./args 101
		like "$(compare)" '^404 calls, 2424 values, [0-9]+ honest' "$compiler $how: arguments and results are those of the program"
		is "$(summary lost)" 0 "$compiler $how: none is lost"
	done
done
# Its frame is made by the function itself, and filled behind the place where debuggers stop.
cat >frame.c <<'EOF'
struct two { int a, b; };
__attribute__((noinline)) void use(void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
__attribute__((noinline)) int framed(int k, struct two s, const char *text, long *n, double d)
{
	use(&k), use(&s), use(&text), use(&d);
	return k + s.a + s.b;
}
int main(void) { long n = -77; return framed(-11, (struct two){ 5, -6 }, "text", &n, 1.5) != -12; }
EOF
for how in -O0 -O1 -O2; do
	gcc -w -g $how -fsanitize=address -o frame frame.c || break
	trace "u:./frame:framed(k,s,text,*n),u:./frame:framed(k,s.b,\$ret)" -- ./frame
	like "$(cat out.json)" '"k":-11,"s_a":(5|"<optimized out>"),"s_b":(-6|"<optimized out>"),"text":"text","n":-77' "$how, ASan: arguments that the function moves"
	like "$(cat out.json)" '"k":-11,"b":(-6|"<optimized out>"),"ret":-12' "$how, ASan: arguments that the function moves, and its result"
done
gcc -w -g -O2 -o args "$src/args.c"
trace "$p:inlined" -- ./args 101
is "$(records count out.json)" 202 "inlined copies: both are attached to"
is "$(grep -o '"event":"[^"]*"' out.json | sort | uniq -c | awk '{ printf "%s ", $1 }')" "101 101 " \
	"inlined copies: they are told apart"
trace "$p:factorial(n,\$ret)" -- ./args 3
is "$(grep -oE '"n":[0-9]+,"ret":[0-9]+' out.json | paste -sd' ' -)" \
	'"n":1,"ret":1 "n":2,"ret":2 "n":3,"ret":6 "n":4,"ret":24 "n":5,"ret":120' "recursion: each call has its own result"

for how in -O0 -O2; do
	g++ -w -std=c++17 -g $how -o args "$src/args.cc" || fail "g++ $how: compiles"
	trace "$p:run(this->id,this->name,this->load,path,count,fast),$p:app::join(left,engine.name,engine.id,last),$p:view" -- ./args 101
	like "$(compare)" '^303 calls, 1212 values, ' "g++ $how: texts, references and members are those of the program"
	trace "$p:app::Engine::run(path,count,\$ret),$p:join(left,engine.name,engine.id,last,\$ret)" -- ./args 101
	like "$(compare)" '^202 calls, 808 values, [0-9]+ honest' "g++ $how: objects by value and results are those of the program"
done

gcc -w -g -O2 -o args "$src/args.c"
exits 0 "--count: exit 0" "$BPFPERF" trace --count -o out.csv "$p:integers,$p:factorial" -- ./args 1009
is "$(tail -n 2 out.csv | paste -sd' ' -)" "u:args:integers,1009 u:args:factorial,5" "--count: each call is counted"
exits 0 "--filter: exit 0" "$BPFPERF" trace --count -o out.csv "$p:pointers(req->url)" --filter 'url ~ "*7"' -- ./args 1009
is "$(tail -n 1 out.csv)" "u:args:pointers,101" "--filter: by the text of an argument"
passes() { # FILTER -> calls of main() that pass; argv[2] is NULL
	"$BPFPERF" trace --count -o out.csv "$p:main(argc,v=argv[2][0]:u)" --filter "$1" -- ./args 9 >said 2>err
	sed -n 's/^u:args:main,//p' out.csv
}
is "$(passes 'v == 0')$(passes 'v != 0')$(passes '!(v == 0)')$(passes '!(v == 0 || argc == 2)')" "" \
	"--filter: a value that is not in memory is equal to none, nor is it different"
is "$(passes 'v == 0 || argc == 2') $(passes '!(v == 0 && argc == 3)')" "1 1" "--filter: what does not depend on it is known"
exits 0 "--sum --by: exit 0" "$BPFPERF" trace --sum last --by state -o out.csv "$p:by_value(state,last)" -- ./args 9
is "$(sed 1d out.csv | cut -d, -f 2-4 | sort | paste -sd' ' -)" "-2,3,15 0,3,9 7,3,12" "--sum --by: sums by argument"
exits 0 "stat: exit 0" "$BPFPERF" stat -x , -e "$p:integers,$p:many" -o out.csv -- ./args 1009
is "$(grep -oE '^1009,,u:args:(integers|many)' out.csv | paste -sd' ' -)" "1009,,u:args:integers 1009,,u:args:many" \
	"stat: functions are counted"
exits 0 "stack: exit 0" "$BPFPERF" stack --user --format folded -o out.folded -e "$p:factorial" -- ./args 3
is "$(grep -oE 'main;factorial.* [0-9]+$' out.folded | sed 's/factorial/f/g' | paste -sd' ' -)" \
	"main;f 1 main;f;f 1 main;f;f;f 1 main;f;f;f;f 1 main;f;f;f;f;f 1" "stack: a stack at each call"
exits 0 "stack --weight FIELD: exit 0" "$BPFPERF" stack --weight --format folded -o out.folded -e "$p:many(g)" --weight g -- ./args 101
is "$(sed -n 's/^args;.*many //p' out.folded)" 5656 "stack --weight FIELD: an argument is what a call counts"
exits 0 "perf.data: exit 0" "$BPFPERF" trace -o out.data "$p:pointers(req->url,req->state)" -- ./args 13
if command -v perf >/dev/null; then
	is "$(perf script -i out.data -F event,trace 2>/dev/null | sed -n '2s/^ *//p')" \
		'probe_args:pointers: url="/page/1" state=STATE_BUSY' "perf.data: perf script prints it"
fi
is "$("$BPFPERF" script -i out.data 2>/dev/null | grep -c 'probe_args:pointers: url="/page/[0-9]*" state=STATE_')" 13 \
	"perf.data: script prints it"

# A call that has returned is one record, whatever it calls: a million, and none is lost.
exits 0 "a million hits: exit 0" "$BPFPERF" trace -m 4M -o /dev/null "$p:many(a,h)" -- ./args 100003
is "$(summary records) $(summary lost)" "100003 0" "100,003 hits: all are delivered"

# Kernels without one link for many functions have a perf event for each: 5.15 to 6.5.
export BPFPERF_WITHOUT=uprobe_multi
exits 0 "a kernel without uprobe_multi: exit 0" "$BPFPERF" trace --count -o out.csv "$p:integers,$p:many(a,\$ret)" -- ./args 1009
is "$(sed 1d out.csv | sort | paste -sd' ' -)" "u:args:integers,1009 u:args:many,1009" \
	"a kernel without uprobe_multi: each call is counted"
exits 0 "stack without uprobe_multi: exit 0" "$BPFPERF" stack --user --format folded -o out.folded -e "$p:factorial" -- ./args 3
is "$(grep -c '^args;.*factorial.* 1$' out.folded)" 5 "stack without uprobe_multi: a stack at each call"
export BPFPERF_WITHOUT=preempt_disable
exits 0 "a kernel without bpf_preempt_disable(): exit 0" "$BPFPERF" trace -o out.json "$p:many(a,h)" -- ./args 1009
is "$(($(summary records) + $(summary lost)))" 1009 "a kernel without bpf_preempt_disable(): each call is delivered or lost"
unset BPFPERF_WITHOUT

# The file is another one when its functions are attached to: the reader that finds them is held up meanwhile.
cp args other
cat >swap.gdb <<'EOF'
set breakpoint pending on
set confirm off
set detach-on-fork on
break probe_links__attach
run
shell cp args other
continue
EOF
if command -v gdb >/dev/null; then
	gdb -q -batch -x swap.gdb --args "$BPFPERF" trace --count 'u:./other:many()' -- true >swap.out 2>&1
	like "$(cat swap.out)" 'other has changed since its functions were read' "a file that is rewritten meanwhile: refused"
fi

usage() { # WHAT SENTENCE
	"$BPFPERF" trace "$1" -- true >/dev/null 2>err
	is "$? $(grep -cF "$2" err)" "2 1" "$1: refused with the reason"
}
usage "$p:integer" "has no function integer; did you mean integers?"
usage "$p:pointers(req->ulr)" "struct request has no member 'ulr'"
usage "$p:pointers(rq)" "there is no argument 'rq'; there are: req, name, buf, list"
usage "$p:inlined(\$ret)" "this copy of the function is inlined: it does not return"
usage "$p:integers(c:str)" "char is no text"
usage "$p:integers(c" "')' is missing"
usage "u:./nothing:f" "there is no program or library ./nothing"
usage "u:$src/args.c:f" "is neither a program nor a library"
usage "u:./args" "a function is written u:PATH:FUNC"
usage "usdt:./args:a:b" "has no probe a:b"
usage "usdt:./args:*:*" "args has no USDT probes"

# A probe within an instruction would change it: neither its function nor its address gets one.
cat >steps.cc <<'EOF'
#include <cstdio>
#define PLACE __attribute__((noinline, noclone, used))
extern "C" PLACE int step(int v) { return v * 100; }
extern "C" PLACE void wide(__int128 w, long double d, int n) { printf("%d %d %d\n", (int)w, (int)d, n); }
namespace shop {
template <class T> PLACE T scale(T v, int by) { printf("%d\n", by); return v * by; }
struct price { int cents; PLACE bool operator==(const price &other) const { return printf("%d\n", cents) == other.cents; } };
}
int main(int argc, char **argv)
{
	shop::price a = { 1001 }, b = { 1009 };
	int v = step(argc);
	wide(v, 1.5L, 1013);
	shop::scale<double>(v, 1019);
	shop::scale<unsigned>(v, 1021);
	return a == b;
}
EOF
g++ -w -g -O2 -o steps steps.cc || fail "the probed program steps.cc compiles"
address=$(nm steps | awk '$3 == "step" { print $1 }')
for place in step+1 "$(printf '0x%x' $((16#$address + 1)))"; do
	usage "u:./steps:$place" "this is within an instruction, which a probe would change"
done
usage "u:./steps:step+40000" "bytes of code; give a smaller offset"

# Code that is longer than a part of the file that is read at once; and two functions of one name, of which one has the place.
cat >long.c <<'EOF'
__attribute__((noinline, noclone)) int code(int n) { __asm__ volatile(".rept 9000; nop; .endr"); return n; }
__attribute__((noinline, noclone)) static int twin(int n) { __asm__ volatile("nop; nop; nop; nop; nop; nop"); return n; }
int other(int n);
int main(void) { int sum = 0; for (int i = 0; i < 1013; i++) sum += code(i) + twin(i) + other(i); return sum == 1; }
EOF
cat >twin.c <<'EOF'
__attribute__((noinline, noclone)) static int twin(int n) { __asm__ volatile("movabs $0x1122334455667788, %%rax" ::: "rax"); return n; }
int other(int n) { return twin(n); }
EOF
gcc -w -g -O2 -o long long.c twin.c || fail "the probed program long.c compiles"
for place in code+4084 code+4090 code+4096 code+8190 twin+4; do
	"$BPFPERF" trace -o out.txt "u:./long:$place" -- ./long 2>err
	is "$? $(grep -c ': u:long:' out.txt)" "0 1013" "a probe at an instruction far into its function, or of one of two: $place"
done
trace 'u:./steps:shop::scale<double>(by),u:./steps:shop::scale<unsigned int>(by),u:./steps:shop::price::operator==(this->cents)' -- ./steps
is "$(grep -oE '"(by|cents)":[0-9]+' out.json | paste -sd' ' -)" '"by":1019 "by":1021 "cents":1001' \
	"functions are found by template arguments and operators, which the linker abbreviates"
# Objects that a copy constructor makes are passed by their address, in a register that holds it from the first instruction on.
cat >object.cc <<'EOF'
#include <string>
struct pair { int a, b; pair(int x, int y) : a(x), b(y) {} pair(const pair &o) : a(o.a), b(o.b) {} ~pair() { __asm__ volatile(""); } };
__attribute__((noinline, noclone)) void byref(pair p, int n) { __asm__ volatile("" ::"r"(p.a + p.b + n)); }
__attribute__((noinline, noclone)) void bystr(std::string s, int n) { __asm__ volatile("" ::"r"(s.size() + n)); }
int main() { for (int i = 1; i <= 3; i++) { byref(pair(1009 * i, 1013), i); bystr(std::string(i, 'x'), 1019 * i); } }
EOF
for how in -O0 -O1 -O2; do
	g++ -w -g $how -o object object.cc || fail "g++ $how: the probed program object.cc compiles"
	trace 'u:./object:byref(p.a,p.b,n),u:./object:bystr(s,n)' -- ./object
	is "$(grep -oE '"(a|b|s|n)":("[^"]*"|[0-9]+)' out.json | paste -sd' ' -)" \
		'"a":1009 "b":1013 "n":1 "s":"x" "n":1019 "a":2018 "b":1013 "n":2 "s":"xx" "n":2038 "a":3027 "b":1013 "n":3 "s":"xxx" "n":3057' \
		"g++ $how: objects that are passed by reference are those of the program"
done
g++ -w -g -O0 -o steps steps.cc
trace 'u:./steps:wide' -- ./steps
like "$(cat out.json)" '"w":"<larger than 8 bytes>","d":"<larger than 8 bytes>","n":1013' \
	"numbers of 16 bytes are said to be too large, wherever they are"
like "$("$BPFPERF" list "$p:by_value")" \
	'^u:args:by_value\(.*long int w_c, enum state state, int last\)  args\.c:[0-9]+(  trap.*)?$' "list: a function with its arguments"
done_testing
