#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Probes of functions whose arguments need a look at the calling convention: classes without data, numbers of 16 bytes.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 gcc g++
[ "$(uname -m)" = x86_64 ] || skip_all "the types are those of x86-64"

src=$TOP/tests/workloads/probe
trace() { # EVENTS -> out.json, said.txt, err
	rm -f out.json
	"$BPFPERF" trace -o out.json "$1" -- ./passed 101 >said.txt 2>err || fail "trace $1" "$(cat err)"
	python3 "$TOP/tests/live/probes.py" said.txt out.json
}
p=u:./passed
# With their results, arguments are taken at the function's first instruction, where the convention has them.
# shellcheck disable=SC2016 # bpfperf's own $
{
	empty="$p:tagged(n,\$ret),$p:tags(a,b,e,f,g,\$ret),$p:padded(x_a=x.a,y_a=y.a,n,\$ret)"
	floats="$p:real(n,\$ret),$p:quad(n,\$ret),$p:eight(n,u,\$ret),$p:make_real(n,r=\$ret.d),$p:make_number(n,r=\$ret),$p:make_either(n,i=\$ret.i)"
	stack="$p:by_address(e,x.name,y.id,n,\$ret),$p:last_register(e,n,m,\$ret),$p:wide_stack(g,n,\$ret),$p:real_stack(g,n,\$ret)"
	stack+=",$p:aligned_stack(g,x_a=x.a,n,y_a=y.a,m,z_a=z.a,o,\$ret)"
	others="$p:kinds(x.d,x.a,y.first,y.rest,n,\$ret),$p:methods(n,\$ret),$p:vectors(n,\$ret),$p:odd(n,\$ret)"
}
check() { # WITH WHAT EVENTS WITHOUT-OPTIMIZATION: at -O0 all of it; else as many values, and none that is another
	local want=$4
	case $1 in *-O0*) ;; *) want="${4%, *}, [0-9]+ honest" ;; esac
	like "$(trace "$3")" "^$want$" "$1: $2"
}
compilers=('g++ -Wno-psabi')
command -v clang++ >/dev/null && compilers+=('clang++ -fstandalone-debug')
for compiler in "${compilers[@]}"; do
	# LLVM before 18 has a number of 16 bytes elsewhere than GCC when the registers are used up.
	split=0
	[ "${compiler%% *}" = g++ ] || split=303
	for how in -O0 -O1 -O2 '-O0 -gdwarf-4'; do
		with="$compiler $how"
		# shellcheck disable=SC2086 # several options
		$compiler -w -std=gnu++17 -g $how -o passed "$src/passed.cc" || fail "$with: compiles"
		check "$with" "classes and halves without data take no register" "$empty" "303 calls, 1212 values, 0 honest"
		check "$with" "long double is on the stack, a result of it in no general register, __float128 in a vector" "$floats" \
			"606 calls, 1313 values, 202 honest"
		check "$with" "aligned arguments, and addresses, on the stack" "$stack" "505 calls, 2323 values, $split honest"
		check "$with" "kinds of registers, and types that the convention is not known of" "$others" "404 calls, 1212 values, 303 honest"
	done
done

# C: a structure without members has no size, and GCC has decimal numbers.
cat >c.c <<'EOS'
#define KEPT __attribute__((noinline, noclone))
struct none {};
struct bent { char c; long l; } __attribute__((packed));
struct tens { _Decimal64 d; };
KEPT long after(struct none e, _Float128 q, long n) { __asm__ volatile(""); return n; }
KEPT long tens(_Decimal64 d, struct tens s, long n) { __asm__ volatile(""); return n; }
KEPT long many(_Decimal64 a, long n) { __asm__ volatile(""); return n; }
KEPT long bent(struct bent s, long n) { __asm__ volatile(""); return n; }
int main(void)
{
	return after((struct none){}, 1, 1009) + tens(1, (struct tens){ 2 }, 1013) + many(3, 1019) + bent((struct bent){ 1, 2 }, 1021) == 0;
}
EOS
if gcc -w -g -O0 -o c c.c; then
	# shellcheck disable=SC2016 # bpfperf's own $
	"$BPFPERF" trace -o out.json 'u:./c:after(n,$ret),u:./c:tens(n,$ret),u:./c:many(n,$ret),u:./c:bent(n,$ret)' -- ./c 2>err
	is "$(grep -oE '"n":[^,]*,"ret":[0-9]*' out.json | paste -sd' ' -)" \
		'"n":1009,"ret":1009 "n":"<optimized out>","ret":1013 "n":"<optimized out>","ret":1019 "n":"<optimized out>","ret":1021' \
		"C: decimal numbers and packed structures are not guessed"
fi

# DWARF of LLVM has the lowest bits of a register where a value is narrower; and nothing of an argument that is not used, nor of a
# part of one: those behind it are where the convention says, since other files may call the function.
cat >narrow.c <<'EOS'
#include <stdbool.h>
#define KEPT __attribute__((noinline))
struct bytes { char a; unsigned char b; short c; };
struct half { long a; double d; };
struct wide { long a, b, c; };
KEPT long bits(bool on, unsigned char c, signed char s, struct bytes v, short n) { return on + c + s + v.a + v.c + n; }
KEPT long later(long unused, struct half half, long c, long d, long e, long g, long on_stack, struct wide w) { return half.a + on_stack + w.b; }
int main(void)
{
	volatile long n = 1009;
	return bits(n, 200, -3, (struct bytes){ -5, 250, -1013 }, -7) +
	       later(1, (struct half){ 1019, 2 }, 3, 4, 5, 6, 1021, (struct wide){ 1, 1031, 2 }) == 0;
}
EOS
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for how in -O0 -O1 -O2; do
		$compiler -w -g $how -o narrow narrow.c || fail "$compiler $how, narrow values: compiles"
		"$BPFPERF" trace -o out.json 'u:./narrow:bits(on,c,s,x=v.a,z=v.c,n),u:./narrow:later(a=half.a,on_stack,b=w.b)' -- ./narrow 2>err
		is "$(grep -oE '"fields":{[^}]*}' out.json | paste -sd' ' -)" \
			'"fields":{"on":true,"c":200,"s":-3,"x":-5,"z":-1013,"n":-7} "fields":{"a":1019,"on_stack":1021,"b":1031}' \
			"$compiler $how: narrow values, and those behind an argument that is not used"
	done
done

can_run() { # PROGRAM WHAT
	(exec "./$1") 2>/dev/null && return
	skip_test "$2" "this kernel runs no programs of i386"
	return 1
}
# i386: all is on the stack, and below it the address of a large result.
cat >i386.c <<'EOS'
#define KEPT __attribute__((noinline)) struct big
struct big { int a[6]; };
struct two { int a, b; };
struct three { char c[3]; };
KEPT real(double d, long double e, int n) { return (struct big){ { n } }; }
KEPT wide(int a, long long b, struct two t, int n) { return (struct big){ { n } }; }
KEPT large(struct big b, struct three c, int n) { return (struct big){ { n } }; }
void *memset(void *to, int c, unsigned n) { for (char *p = to; n--; p++) *p = c; return to; }
void *memcpy(void *to, const void *from, unsigned n) { for (unsigned i = 0; i < n; i++) ((char *)to)[i] = ((char *)from)[i]; return to; }
void _start(void)
{
	real(1.5, 2.5, 1009), wide(1, 2, (struct two){ 3, 1013 }, 1019), large((struct big){ { 1021 } }, (struct three){ { 1 } }, 1031);
	__asm__ volatile("int $0x80" ::"a"(1), "b"(0));
}
EOS
if command -v clang >/dev/null && clang -w -m32 -O0 -g -fno-builtin -nostdlib -static -o i386 i386.c &&
	can_run i386 "i386: a program that clang has built runs"; then
	# shellcheck disable=SC2016 # bpfperf's own $
	"$BPFPERF" trace -o out.json 'u:./i386:real(n,r=$ret.a[0]),u:./i386:wide(y=t.b,n,r=$ret.a[0]),u:./i386:large(x=b.a[0],n,r=$ret.a[0])' -- ./i386 2>err
	is "$(grep -oE '"fields":{[^}]*}' out.json | paste -sd' ' -)" \
		'"fields":{"n":1009,"r":1009} "fields":{"y":1013,"n":1019,"r":1019} "fields":{"x":1021,"n":1031,"r":1031}' \
		"i386: arguments and large results are on the stack"
fi

# i386: a call has pushed four bytes, and a function with a large result takes as many more off.
cat >back.c <<'EOS'
#define KEPT __attribute__((noinline))
struct big { int a[6]; };
KEPT int product(int n) { __asm__ volatile(""); return n ? n * product(n - 1) : 1; }
KEPT struct big nest(int n) { struct big b = { { n } }; if (n) b.a[1] = nest(n - 1).a[0]; return b; }
void *memset(void *to, int c, unsigned n) { for (char *p = to; n--; p++) *p = c; return to; }
void *memcpy(void *to, const void *from, unsigned n) { for (unsigned i = 0; i < n; i++) ((char *)to)[i] = ((char *)from)[i]; return to; }
void _start(void) { product(6), nest(4); __asm__ volatile("int $0x80" ::"a"(1), "b"(0)); }
EOS
if gcc -w -m32 -O1 -g -fno-builtin -nostdlib -static -fno-pie -no-pie -mstackrealign -o back back.c &&
	can_run back "i386: a program that gcc has built runs"; then
	for lacks in '' uprobe_session uprobe_multi; do
		# shellcheck disable=SC2016 # bpfperf's own $
		BPFPERF_WITHOUT=$lacks "$BPFPERF" trace -o out.json 'u:./back:product(n,$ret),u:./back:nest(n,r=$ret.a[1])' -- ./back 2>err
		is "$(grep -oE '"n":[0-9]+,"r(et)?":[0-9]+' out.json | sed -E 's/"(n|ret|r)"://g' | paste -sd' ' -)" \
			"0,1 1,1 2,2 3,6 4,24 5,120 6,720 0,0 1,0 2,1 3,2 4,3" \
			"i386: each return is that of its call${lacks:+, without $lacks}"
	done
fi
done_testing
