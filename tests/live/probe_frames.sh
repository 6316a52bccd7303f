#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Arguments that a function puts into its frame: read where they are, or said to be nowhere.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 gcc

p=u:./frames
values="$p:unions(u.l,low=b.l[0],high=b.l[1],s.a,s.b,s.c,n),$p:members(m.i,m.f,m.d,p.c,p.l,n),$p:early(n,s.a,s.c,k),$p:outer(a,b,d,e)"
# shellcheck disable=SC2001 # the end of each list
returns=$(sed 's/)/,duration)/g' <<<"$values")

# compare OPTIONS… -> what probes.py says
compare() {
	rm -f out.json
	"$BPFPERF" trace -o out.json "$1" -- ./frames 11 >said.txt 2>err || fail "trace $1" "$(cat err)"
	sed -i 's/,"duration":[0-9]*//' out.json
	python3 "$TOP/tests/live/probes.py" said.txt out.json
}

compilers=gcc
command -v clang >/dev/null && compilers='gcc clang'
for compiler in $compilers; do
	for how in -O0 -O1 -O2 -O3 -Os '-O0 -pg' '-O2 -pg' '-O0 -finstrument-functions' '-O2 -finstrument-functions' \
		'-O2 -mfentry -pg' '-O2 -fno-omit-frame-pointer' '-O0 -fomit-frame-pointer' '-O2 -fstack-protector-all' \
		'-O0 -fstack-clash-protection' '-O0 -mavx'; do
		# shellcheck disable=SC2086 # several options
		$compiler -w -g $how -o frames "$TOP/tests/workloads/probe/frames.c" 2>/dev/null || continue
		like "$(compare "$values")" '^44 calls, 231 values, [0-9]+ honest$' "$compiler $how: arguments in the frame are those of the call"
		like "$(compare "$returns")" '^44 calls, 231 values, [0-9]+ honest$' "$compiler $how: arguments of a call that is timed are its own"
		case $how in -O0*) is "$(compare "$values" | cut -d' ' -f5-)" "0 honest" "$compiler $how: no argument in the frame is missing" ;; esac
	done
done

# Parameters that the function changes before they are in its frame, or on the way there; a loop whose head is behind the
# instructions that put them there; an argument that the caller has put on the stack.
cat >changed.c <<'EOC'
#include <stdbool.h>
struct big { long a, b, c; };
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif
KEEP void use(void *p) { asm volatile("" : : "r"(p) : "memory"); }
KEEP void set(int n) { n = 5; use(&n); }
KEEP void more(int n) { n += 1; use(&n); }
KEEP void scaled(float x) { x *= 2; use(&x); }
KEEP void next(char c, bool yes) { c++; use(&c); use(&yes); }
KEEP void loop(volatile int n) { do { n--; } while (n); }
KEEP void stack(struct big s, long n) { s.a = 7; use(&s); use(&n); }
int main(void)
{
	set(1009);
	more(1013);
	scaled(1.5f);
	next('b', true);
	loop(17);
	stack((struct big){ 1019, 1021, 1031 }, 1033);
}
EOC
changed='u:./changed:set(n),u:./changed:more(n),u:./changed:scaled(x),u:./changed:next(c,yes),u:./changed:loop(n),u:./changed:stack(s.a,s.b,n)'
for compiler in $compilers; do
	for how in -O0 -O1 -O2 -Os '-O2 -mavx2' '-O2 -fno-omit-frame-pointer' '-O0 -fomit-frame-pointer'; do
		# shellcheck disable=SC2086 # several options
		$compiler -w -g $how -o changed changed.c || fail "$compiler $how: the program changed compiles"
		"$BPFPERF" trace -o out.txt --format text "$changed" -- ./changed 2>err
		sed -nE 's/^.*:(set|more|scaled|next|loop|stack): /\1: /p' out.txt >got.txt
		# Optimized by clang, DWARF has the 5 from the entry on.
		set='1009|<optimized out>'
		case $compiler$how in 'clang-O'[12s]*) set='1009|5' ;; esac
		is "$(grep -cE '^set: n=('"$set"')$|^more: n=(1013|<optimized out>)$' got.txt)" 2 "$compiler $how: a parameter is not what the function sets it to"
		is "$(grep -cE '^scaled: x=(1\.5|<optimized out>|<in a floating-point register>)$|^next: c=(98|<optimized out>) yes=(true|<optimized out>)$' got.txt)" 2 "$compiler $how: a float, a char and a bool are those of the call"
		is "$(grep -cE '^loop: n=(17|<optimized out>)$' got.txt) $(grep -c '^loop' got.txt)" "1 1" "$compiler $how: a call is one hit, though a loop begins there"
		is "$(grep -cE '^stack: a=(1019|<optimized out>) b=(1021|<optimized out>) n=(1033|<optimized out>)$' got.txt)" 1 "$compiler $how: an argument on the stack is what the caller has put there"
		[ "$how" != -O0 ] || is "$(grep -c 'optimized' got.txt)" 0 "$compiler $how: no changed parameter is missing"
	done
done

# Packed structures are passed in memory, complex numbers in two parts: what follows is not where ints would be.
cat >packed.c <<'EOC'
struct __attribute__((packed)) packed { char c; int i; short s; };
__attribute__((noipa)) int f(struct packed p, int n) { return p.i + n; }
__attribute__((noipa)) int g(float _Complex z, int n) { return n; }
int main(void) { return f((struct packed){ 1, -1009, -3 }, 11) + g(3, 19) == 0; }
EOC
for how in -O0 -O2; do
	gcc -w -g $how -o packed packed.c || fail "gcc $how: the program packed compiles"
	"$BPFPERF" trace -o out.txt --format text 'u:./packed:f(p.c,p.i,p.s,n,duration),u:./packed:g(n,duration)' -- ./packed 2>err
	like "$(grep -o 'f: .*' out.txt)" '^f: c=1 i=-1009 s=-3 n=(11|<optimized out>) ' "gcc $how: a packed structure, and what is behind it"
	like "$(grep -o 'g: .*' out.txt)" '^g: n=(19|<optimized out>) ' "gcc $how: an argument behind a complex number"
done
# Members of structures of Rust are in registers of their own; its calling convention is not C's.
if command -v rustc >/dev/null; then
	cat >rust.rs <<'EOR'
use std::hint::black_box;
#[derive(Clone, Copy)]
pub struct Inner { a: u32, b: u32 }
#[derive(Clone, Copy)]
pub struct Wrap { i: Inner }
#[inline(never)]
#[no_mangle]
pub fn text(s: &str, n: u32) -> usize { black_box(s.as_bytes()[0] as usize + s.len() + n as usize) }
#[inline(never)]
#[no_mangle]
pub fn small(o: Wrap, p: (u32, u64), t: Inner, n: u32) -> u64 {
    black_box((o.i.a + o.i.b + p.0 + t.a + t.b + n) as u64 + p.1)
}
fn main() {
    let s = format!("text {}", std::env::args().count());
    black_box(text(&s, 7));
    black_box(small(Wrap { i: Inner { a: 11, b: 12 } }, (13, 14), Inner { a: 15, b: 16 }, black_box(17)));
}
EOR
	for how in opt-level=0 opt-level=1 opt-level=3; do
		rustc -g -C $how -o rust rust.rs 2>err || fail "rustc $how: compiles" "$(cat err)"
		for last in '' ',duration'; do
			"$BPFPERF" trace -o out.txt --format text "u:./rust:text(s,n$last),u:./rust:small(o.i,p.__0,p.__1,t.a,t.b,n$last)" -- ./rust 2>err
			like "$(grep -o 'text: .*' out.txt)" '^text: s="text 1" n=7( |$)' "rustc $how: a &str in registers or in the frame ${last:-at entry}"
			like "$(grep -o 'small: .*' out.txt)" \
				'^small: i_a=(11|<optimized out>) i_b=(12|<optimized out>) __0=(13|<optimized out>) __1=(14|<optimized out>) a=(15|<optimized out>) b=(16|<optimized out>) n=(17|<optimized out>)( |$)' \
				"rustc $how: small structures are those of the program, or nowhere ${last:-at entry}"
		done
	done
	like "$(cat out.txt)" 'small: i_a=11 i_b=12 ' "rustc: members of a structure within one, in registers"
fi
done_testing
