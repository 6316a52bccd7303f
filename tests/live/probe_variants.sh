#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Arguments that are enums of Rust: which variant each is, and its data, which is there for that variant alone.
# The program says what it passes.
# parallel: yes
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

command -v rustc >/dev/null || skip_all "rustc is not installed"
cat >enums.rs <<'END'
use std::hint::black_box;
#[derive(Clone, Copy, Debug)]
pub enum Color { Red, Green = 5, Blue }
#[derive(Debug)]
pub enum Shape { Circle(f64), Rect { w: u32, h: u16 }, Unit, Named(String) }
#[derive(Debug)]
pub enum Wide { A(u8, i64), B(u64), C(u128) }
#[inline(never)] fn color(c: Color) { black_box(c); }
#[inline(never)] fn shape(s: Shape) { black_box(&s); }
#[inline(never)] fn by_ref(s: &Shape) { black_box(s); }
#[inline(never)] fn number(o: Option<i32>) { black_box(o); }
#[inline(never)] fn text(o: Option<&str>) { black_box(o); }
#[inline(never)] fn flag(o: Option<bool>) { black_box(o); }
#[inline(never)] fn letter(o: Option<char>) { black_box(o); }
#[inline(never)] fn nested(o: Option<Color>) { black_box(o); }
#[inline(never)] fn result(r: Result<u64, i32>) { black_box(&r); }
#[inline(never)] fn wide(w: &Wide) { black_box(w); }
fn main() {
    for i in 0..11i32 {
        color([Color::Red, Color::Green, Color::Blue][i as usize % 3]);
        let one = |k: i32| match k % 4 {
            0 => Shape::Circle(f64::from(i) + 0.5),
            1 => Shape::Rect { w: 1000 + i as u32, h: i as u16 },
            2 => Shape::Unit,
            _ => Shape::Named(format!("name {}", i)),
        };
        shape(one(i));
        by_ref(&one(i + 1));
        number(if i % 2 == 0 { Some(-i) } else { None });
        let owned = format!("text {}", i);
        text(if i % 3 == 0 { Some(&owned) } else { None });
        flag([Some(false), Some(true), None][i as usize % 3]);
        letter(if i % 2 == 0 { None } else { Some((b'a' + i as u8) as char) });
        nested(if i % 4 == 0 { None } else { Some(Color::Blue) });
        result(if i % 5 == 0 { Err(-7 - i) } else { Ok(1u64 << (i + 30)) });
        wide(&match i % 3 { 0 => Wide::A(200, -i as i64), 1 => Wide::B(i as u64), _ => Wide::C(0) });
    }
}
END

# The calls, as bpfperf is to print them: f NAME CYCLE… prints an argument that goes through a cycle.
want() {
	local i none='<not in memory>'
	local colors=(Red Green Blue) flags=(Some Some None) shapes=(Circle Rect Unit Named)

	shape() { # FUNC I NUMBER
		local c=$none w=$none h=$none n=$none

		case $(($2 % 4)) in
		0) c=$3.5 ;;
		1) w=$((1000 + $3)) h=$3 ;;
		3) n="name $3" ;;
		esac
		echo "enums::$1: s=${shapes[$2 % 4]} circle=$c w=$w h=$h name=\"$n\""
	}
	for ((i = 0; i < 11; i++)); do
		echo "enums::color: c=${colors[i % 3]}"
		shape shape $i $i
		shape by_ref $((i + 1)) $i
		[ $((i % 2)) -eq 0 ] && echo "enums::number: o=Some n=$((-i))" || echo "enums::number: o=None n=$none"
		[ $((i % 3)) -eq 0 ] && echo "enums::text: o=Some t=\"text $i\"" || echo "enums::text: o=None t=\"$none\""
		echo "enums::flag: o=${flags[i % 3]}"
		[ $((i % 2)) -eq 0 ] && echo "enums::letter: o=None l=$none" || echo "enums::letter: o=Some l=$((97 + i))"
		[ $((i % 4)) -eq 0 ] && echo "enums::nested: o=None c=$none" || echo "enums::nested: o=Some c=Blue"
		[ $((i % 5)) -eq 0 ] && echo "enums::result: r=Err ok=$none err=$((-7 - i))" ||
			echo "enums::result: r=Ok ok=$((1 << (i + 30))) err=$none"
		case $((i % 3)) in
		0) echo "enums::wide: w=A byte=200 long=$((-i)) b=$none" ;;
		1) echo "enums::wide: w=B byte=$none long=$none b=$i" ;;
		2) echo "enums::wide: w=C byte=$none long=$none b=$none" ;;
		esac
	done
}
want >want.txt
shape='s,circle=s.Circle.__0,w=s.Rect.w,h=s.Rect.h,name=s.Named.__0'
events=("enums::color" "enums::shape($shape)" "enums::by_ref($shape)" "enums::number(o,n=o.Some.__0)"
	"enums::text(o,t=o.Some.__0)" "enums::flag" "enums::letter(o,l=o.Some.__0)" "enums::nested(o,c=o.Some.__0)"
	"enums::result(r,ok=r.Ok.__0,err=r.Err.__0)" "enums::wide(w,byte=w.A.__0,long=w.A.__1,b=w.B.__0)")
for how in opt-level=0 opt-level=2 "opt-level=3 -C lto=fat"; do
	# shellcheck disable=SC2086 # words
	ok "rustc $how: compiles" rustc -g -C $how -o enums enums.rs
	exits 0 "rustc $how: enums are traced" "$BPFPERF" trace -o out.txt "${events[@]/#/u:./enums:}" -- ./enums
	is "$(summary lost)" 0 "rustc $how: no record is lost"
	# An argument that the compiler leaves out is told as such, and differs in no other way.
	sed -E 's/^.* u:enums://; s/ +$//' out.txt >got.txt
	is "$(paste -d'|' want.txt got.txt | awk -F'|' '$1 != $2 && $2 !~ /<optimized out>/')" "" "rustc $how: variants and their data are the program's"
	is "$(wc -l <got.txt)" "$(wc -l <want.txt)" "rustc $how: all 110 calls have a record"
	between "$(grep -vc 'optimized out' got.txt)" 66 110 "rustc $how: most of the arguments are known"
done
exits 2 "a variant that the enum lacks: exit 2" "$BPFPERF" trace 'u:./enums:enums::number(o.Sum.__0)' -- true
like "$(cat err)" "Option<i32> has no member 'Sum'" "a variant that the enum lacks: the error names the type"
"$BPFPERF" trace --format perf -o out.data 'u:./enums:enums::shape' 'u:./enums:enums::text' -- ./enums >out 2>err
"$BPFPERF" script -i out.data -F trace 2>/dev/null | sed 's/ *$//' >ours
if command -v perf >/dev/null; then
	perf script -i out.data -F trace 2>/dev/null | sed 's/ *$//' >theirs
	same ours theirs "recorded variants: perf script prints their names"
else
	skip_test "recorded variants: perf script prints their names" "perf is not installed"
fi
is "$(grep -cE '^(s|o)=(Circle|Rect|Unit|Named|Some|None)$' ours)" 22 "recorded variants: script prints their names"
done_testing
