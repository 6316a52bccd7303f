#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Programs of which the DWARF is split (-gsplit-dwarf): in .dwo files and in packages (.dwp), whole, missing and damaged.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc python3

src=$TOP/tests/workloads/probe
cat >more.c <<'END'
struct node { int id; struct node *next; const char *name; };
static int seen;
static inline __attribute__((always_inline)) int twice(int v) { return v * 2 + seen; }
__attribute__((noinline)) int walk(struct node *n, int depth) { seen += n->id; return n->next ? walk(n->next, depth + 1) + n->id : depth; }
__attribute__((noinline)) int use(int k) { return twice(k) + 1; }
END
cat >last.c <<'END'
static inline __attribute__((always_inline)) int twice(int v) { return v * 2 + 7; }
__attribute__((noinline)) int third(long x, double y, const char *s) { return twice((int)x) + (int)y + s[0]; }
END
listed() { # PROGRAM -> all functions, an inlined one, and one by its line, without the cost of a hit
	local event
	for event in '*' twice caller_one inlined more.c:4 'walk(n->next->name,depth)'; do
		"$BPFPERF" list "u:./$1:$event" 2>&1
	done | sed -E "s/^u:$1://; s/  [a-z]+ [0-9.]+ [^ ]*s\$//"
}
build() { # PROGRAM COMPILER OPTION…
	local out=$1 file
	shift
	for file in "$src/args.c" more.c last.c; do
		"$@" -w -g -c "$file" -o "$(basename "$file" .c).o" || fail "$*: compiles"
	done
	"$1" -o "$out" args.o more.o last.o
}

compilers=gcc
command -v clang >/dev/null && compilers='gcc clang'
values=u:./split:integers,u:./split:'many(a,f,g,h)',u:./split:'pointers(req->url,req->state,name,buf:str)'
for compiler in $compilers; do
	for how in '-gdwarf-5 -O0' '-gdwarf-5 -O1' '-gdwarf-5 -O2 -ffunction-sections' '-gdwarf-4 -O0' '-gdwarf-4 -O2' '-gdwarf-5 -O2 -gz' \
		'-gdwarf-4 -O1 -fdebug-types-section'; do
		rm -f ./*.dwo ./*.dwp
		# shellcheck disable=SC2086 # several options
		build plain $compiler $how
		# shellcheck disable=SC2086 # several options
		build split $compiler $how -gsplit-dwarf
		listed plain >want
		listed split >got
		same got want "$compiler $how: the listing is that of a program without split DWARF"
		like "$(cat got)" 'third\(long( int)? x, double y' "$compiler $how: types are those of the source"
	done
	for how in '-gdwarf-5 -O0' '-gdwarf-4 -O2'; do
		# shellcheck disable=SC2086 # several options
		build split $compiler $how -gsplit-dwarf
		"$BPFPERF" trace -o out.json "$values" -- ./split 101 >said.txt 2>err || fail "$compiler $how: trace" "$(cat err)"
		like "$(python3 "$TOP/tests/live/probes.py" said.txt out.json)" '^303 calls, [0-9]+ values, ' \
			"$compiler $how: arguments are those of the program"
	done
done

# Sections that are compressed are inflated as far as they are needed.
for compiler in $compilers; do
	for how in '-gdwarf-5 -O0' '-gdwarf-5 -O2' '-gdwarf-4 -O2'; do
		# shellcheck disable=SC2086 # several options
		build plain $compiler $how
		objcopy --compress-debug-sections=zlib plain packed
		listed plain >want
		listed packed >got
		same got want "$compiler $how: the listing is that of a program whose DWARF is not compressed"
		# The first function alone, then others of the same units.
		"$BPFPERF" list u:./packed:walk u:./packed:third u:./packed:integers 2>&1 | sed -E 's/^u:packed:/u:plain:/; s/  [a-z]+ [0-9.]+ [^ ]*s$//' >got
		"$BPFPERF" list u:./plain:walk u:./plain:third u:./plain:integers 2>&1 | sed -E 's/  [a-z]+ [0-9.]+ [^ ]*s$//' >want
		same got want "$compiler $how, compressed: functions one by one"
	done
	cp packed whole.packed
	bad=0
	for nr in $(seq 17); do
		python3 "$TOP/tests/live/split_damage.py" whole.packed packed packed "$nr"
		timeout 20 "$BPFPERF" list u:./packed:third u:./packed:twice >out 2>err
		[ $? -le 2 ] || bad=$((bad + 1))
	done
	is "$bad" 0 "$compiler: compressed sections that are damaged by chance: each search ends"
done

# Packages: not every tool can pack what every compiler writes.
packed() { # COMPILER DWARF TOOL
	command -v "$1" >/dev/null && command -v "$3" >/dev/null || return 0
	rm -f ./*.dwo ./*.dwp
	build plain "$1" "-gdwarf-$2" -O1
	build split "$1" "-gdwarf-$2" -O1 -gsplit-dwarf
	timeout 20 "$3" -e split -o split.dwp >tool.out 2>&1 || fail "$3 packs $1's DWARF $2" "$(cat tool.out)"
	listed plain >want
	rm -f ./*.dwo
	listed split >got
	same got want "$3, $1, DWARF $2: the listing from a package is that without split DWARF"
}
packed clang 5 llvm-dwp
packed gcc 4 llvm-dwp
packed gcc 4 dwp
packed clang 4 dwp

# Types that have units of their own, in packages: both files of the program refer to them.
cat >types.h <<'END'
enum tint { RED, GREEN };
struct point { int x; struct point *up; };
struct leaf { int id; struct leaf *next; const char *name; struct point at[3]; enum tint colour; union { int i; float f; } u; };
extern "C" __attribute__((noinline)) int visit(struct leaf *n, int depth);
extern "C" __attribute__((noinline)) int by_value(struct point p, struct leaf n);
END
cat >visit.cc <<'END'
#include "types.h"
int visit(struct leaf *n, int depth) { return n->next ? visit(n->next, depth + 1) + n->id : depth; }
int by_value(struct point p, struct leaf n) { return p.x + n.at[2].x; }
END
cat >leaves.cc <<'END'
#include "types.h"
int main(void)
{
	struct leaf a = { 7, 0, "last", { { 1, 0 }, { 2, 0 }, { 6, 0 } }, GREEN, { 5 } };
	struct leaf b = { 9, &a, "first", { { 11, 0 } }, RED, { 6 } };
	struct point p = { 13, &b.at[1] };
	return visit(&b, 0) + by_value(p, a);
}
END
build_types() { # PROGRAM COMPILER OPTION…
	local out=$1 file
	shift
	for file in visit leaves; do
		"$@" -g -O1 -fdebug-types-section -c $file.cc -o $file.o || fail "$*: compiles"
	done
	"$1" -o "$out" visit.o leaves.o
}
typed() { # PROGRAM -> the values of its calls, and its functions
	"$BPFPERF" trace -o said.txt "u:./$1:visit(depth,n->id,n->next->at[2].x,n->next->colour,n->next->u.i),u:./$1:by_value(p.x,n.at[1].x,n.colour)" \
		-- "./$1" 2>err || fail "trace of $1" "$(cat err)"
	sed -nE 's/.*:(visit|by_value): /\1 /p' said.txt
	"$BPFPERF" list "u:./$1:*[iy]*" 2>&1 | sed -E "s/^u:$1://; s/  [a-z]+ [0-9.]+ [^ ]*s\$//"
}
types_packed() { # COMPILER DWARF TOOL
	command -v "$1" >/dev/null && command -v "$3" >/dev/null || return 0
	rm -f ./*.dwo ./*.dwp
	build_types plain "$1" "-gdwarf-$2"
	build_types split "$1" "-gdwarf-$2" -gsplit-dwarf
	timeout 20 "$3" -e split -o split.dwp >tool.out 2>&1 || fail "$3 packs types of $1's DWARF $2" "$(cat tool.out)"
	rm -f ./*.dwo
	like "$(readelf -SW split.dwp)" 'debug_tu_index' "$3, $1, DWARF $2: the package has units of types"
	typed plain >want
	typed split >got
	same got want "$3, $1, DWARF $2: types in units of a package are those without"
	is "$(grep -c '^visit depth=0 id=9 x=6 colour=GREEN i=5$' got)" 1 "$3, $1, DWARF $2: values of such types are the program's"
}
types_packed g++ 4 dwp
types_packed clang++ 4 dwp
types_packed g++ 4 llvm-dwp
types_packed g++ 5 llvm-dwp
types_packed clang++ 4 llvm-dwp
types_packed clang++ 5 llvm-dwp

# A stripped program, of which the skeletons are in its debug file.
rm -f ./*.dwo ./*.dwp
build split gcc -O1 -gsplit-dwarf
objcopy --only-keep-debug split split.debug
objcopy --strip-debug --add-gnu-debuglink=split.debug split
like "$("$BPFPERF" list u:./split:third)" 'third\(long int x, double y' "skeletons in a debug file: types are known"

# Files that cannot be had: one sentence that names the first.
sentence() { # WHAT SENTENCE
	"$BPFPERF" trace 'u:./split:third(x)' -- true >/dev/null 2>err
	is "$? $(grep -c '^bpfperf: error: ' err) $(sed -n '$=' err)" "2 1 3" "$1: one sentence with its place"
	like "$(cat err)" "are not known: [^ ]*/last\\.dwo $2; write arg1" "$1: it says why"
	"$BPFPERF" list u:./split:third >out 2>err
	is "$? $(grep -c '^u:split:third()' out)" "0 1" "$1: the function itself is found"
	like "$(cat err)" "arguments and inlined copies are missing: [^ ]*/last\\.dwo $2\$" "$1: what is missing is said"
	is "$("$BPFPERF" list 'u:./split:walk(depth)' 2>/dev/null | grep -c '^u:split:walk(int depth)')" 1 "$1: other units are read"
}
rm -f split.debug
build split gcc -O1 -gsplit-dwarf
cp last.dwo whole && cp whole last.whole
rm last.dwo
sentence "a missing file" "is not there"
cp more.dwo last.dwo
sentence "a file of another build" "is of another build"
echo text >last.dwo
sentence "a text in its place" "is damaged"
mkfifo pipe && rm last.dwo && mv pipe last.dwo
sentence "a pipe in its place" "is damaged"
rm last.dwo && ln -s last.dwo last.dwo
sentence "a link to itself" "is not there"
rm last.dwo && cp whole last.dwo && chown 65534 last.dwo
sentence "a file of another user" "belongs to another user than the program does"
rm last.dwo
for kind in cut sparse; do
	python3 "$TOP/tests/live/split_damage.py" whole last.dwo "$kind"
	sentence "$kind" "is damaged"
done
# A program of another user names a file of root's.
mkdir -m 755 theirs && chmod 711 .
(cd theirs && gcc -w -g -O1 -gsplit-dwarf -c ../last.c -o last.o && gcc -w -shared -o lib.so last.o && chown 65534 lib.so)
"$BPFPERF" list u:./theirs/lib.so:third >out 2>err
is "$(grep -c 'belongs to another user' err) $(grep -c 'third()' out)" "1 1" "a program of another user: a file of root's is not read"

# Another user's file that takes more memory than a reader of such files may have.
cp theirs/last.dwo whole && python3 "$TOP/tests/live/split_damage.py" whole theirs/last.dwo vast
chown 65534 theirs/last.dwo
"$BPFPERF" list u:./theirs/lib.so:third >out 2>err
like "$(cat err)" 'last\.dwo needs more memory than its reader may have$' "a file that needs too much memory: it is not called damaged"
is "$(grep -c 'third()' out)" 1 "a file that needs too much memory: the function itself is found"
cp last.whole whole

# Whatever is in the file, the command ends, with its answer or with sentences.
ends() { # WHAT
	timeout 20 "$BPFPERF" list 'u:./split:*' >out 2>err
	like "$? $(wc -l <out)" '^0 [0-9]{2}$' "$1: functions are listed all the same"
	timeout 20 "$BPFPERF" list 'u:./split:twice' >out 2>err
	like "$?" '^[012]$' "$1: a search for inlined copies ends"
}
for kind in abbrevs offsets texts; do
	python3 "$TOP/tests/live/split_damage.py" whole last.dwo "$kind"
	ends "a .dwo file with damaged $kind"
done
bad=0
for nr in $(seq 33); do
	python3 "$TOP/tests/live/split_damage.py" whole last.dwo bits "$nr"
	timeout 20 "$BPFPERF" list u:./split:twice u:./split:third >out 2>err
	[ $? -le 2 ] || bad=$((bad + 1))
done
is "$bad" 0 "bytes that are changed by chance: each search ends"
if command -v dwp >/dev/null; then
	build split gcc -gdwarf-4 -O1 -gsplit-dwarf
	dwp -e split -o whole && rm -f ./*.dwo
	for kind in slots full rows abbrevs offsets cut sparse; do
		python3 "$TOP/tests/live/split_damage.py" whole split.dwp "$kind"
		ends "a package with damaged $kind"
	done
	build split gcc -gdwarf-4 -O1 -fdebug-types-section -gsplit-dwarf
	dwp -e split -o whole && rm -f ./*.dwo
	for kind in type_slots type_rows types; do
		python3 "$TOP/tests/live/split_damage.py" whole split.dwp "$kind"
		ends "a package with damaged $kind"
	done
fi
done_testing
