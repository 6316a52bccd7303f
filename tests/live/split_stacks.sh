#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Programs with split DWARF (-gsplit-dwarf) in stacks: each command names the inlined functions that it names without.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc

cat >work.c <<'END'
#include <stdlib.h>
#include <unistd.h>
volatile unsigned sink;
static inline __attribute__((always_inline)) unsigned leaf(unsigned v) { for (int i = 0; i < 40; i++) v = v * 1103515245u + (v >> 7); return v; }
static inline __attribute__((always_inline)) unsigned middle(unsigned v) { v = leaf(v); return v ^ leaf(v + 3); }
static inline __attribute__((always_inline)) void ask(void) { sink += getppid(); }
__attribute__((noinline)) void work(void) { sink += middle(sink); ask(); }
int main(int argc, char **argv) { for (int n = atoi(argv[argc - 1]); n > 0; n--) work(); return 0; }
END
gcc -g -O2 -fno-omit-frame-pointer -Wl,--build-id=none -o plain work.c || fail "the program is compiled"

# One recording, read with the one program in its place and with the other: the code of both is the same.
cp plain prog
"$BPFPERF" record -g -F 1999 -o rec.data -- ./prog 1000001 2>err || fail "record of the program" "$(cat err)"
mkdir -p "trees/plain$PWD" && cp plain "trees/plain$PWD/prog"
shown() { # TREE OUT: what each reading command prints of it
	"$BPFPERF" script -i rec.data --symfs "trees/$1" --inline -F ip,sym >"$2" 2>err || fail "script below $1" "$(cat err)"
	"$BPFPERF" report -i rec.data --symfs "trees/$1" --inline --format folded -o - >>"$2" 2>err || fail "report below $1" "$(cat err)"
}
shown plain want
like "$(grep -c ' leaf (inlined)$' want)" '^[0-9]{2,}$' "without split DWARF script has inlined functions"
for dwarf in 4 5; do
	dir=trees/$dwarf$PWD
	mkdir -p "$dir"
	(cd "$dir" && cp "$OLDPWD/work.c" . && gcc -g -gdwarf-$dwarf -gsplit-dwarf -O2 -fno-omit-frame-pointer -c work.c &&
		gcc -Wl,--build-id=none -o prog work.o) || fail "DWARF $dwarf: compiles"
	shown $dwarf got
	same got want "DWARF $dwarf: script and report print what they print without split DWARF"
	if [ "$dwarf" = 4 ] && command -v dwp >/dev/null; then
		(cd "$dir" && dwp -e prog -o prog.dwp) || fail "dwp packs the program"
		rm "$dir"/*.dwo
		shown $dwarf got
		same got want "DWARF $dwarf: script and report print the same from a package"
	fi
	rm -f "$dir"/*.dw?
	shown $dwarf got
	is "$(grep -c 'leaf' got)" 0 "DWARF $dwarf: without its files no inlined function is named"
	is "$(grep -c "^bpfperf: warning: .*/prog: inlined functions are missing: .*/work.dwo is not there$" err)" 1 \
		"DWARF $dwarf: report says once which file is not there"
	"$BPFPERF" script -i rec.data --symfs "trees/$dwarf" --inline -F ip,sym >/dev/null 2>err
	is "$(grep -c "^bpfperf: warning: .*/prog: inlined functions are missing: .*/work.dwo is not there$" err)" 1 \
		"DWARF $dwarf: script says once which file is not there"
	"$BPFPERF" script -i rec.data --symfs "trees/$dwarf" -F ip,sym >/dev/null 2>err
	is "$(cat err)" "" "DWARF $dwarf: script without inlined functions misses no file"
done

# A package is looked for when a program turns out to have split DWARF, not beside each file that has any.
if command -v strace >/dev/null; then
	for tree in plain 5; do
		strace -f -qq -e trace=openat,openat2 -o calls.$tree "$BPFPERF" script -i rec.data --symfs "trees/$tree" --inline -F ip,sym >got 2>err
		like "$(grep -c 'prog' calls.$tree)" '^[1-9]' "script opens the program of the tree $tree"
	done
	is "$(grep -c 'prog\.dwp' calls.plain)" 0 "no package is looked for beside a program without split DWARF"
	is "$(grep -c 'prog\.dwp' calls.5)" 1 "a package is looked for once beside a program with split DWARF"
fi

# Live: another user's program, and its files, which it alone may have written.
gcc -g -gsplit-dwarf -O2 -fno-omit-frame-pointer -c work.c || fail "the program is compiled anew"
gcc -o prog work.o || fail "the program is linked anew"
calls() { # -> the calls of getppid() by the inlined function, and all others
	"$BPFPERF" stack -e syscalls:sys_enter_getppid --format folded -o stacks -- ./prog 1001 2>err || fail "stack of the calls: exit 0" "$(cat err)"
	awk '/;work;ask;/ { inlined += $NF; next } /;work;/ { others += $NF } END { print inlined + 0, others + 0 }' stacks
}
chmod 711 .
for owner in 0 65534; do
	chown $owner prog ./*.dwo
	is "$(calls)" "1001 0" "owner $owner: stack names the inlined function of each call"
done
chown 0 ./*.dwo
is "$(calls)" "0 1001" "a file of root's is not read for another user's program"
like "$(cat err)" "/prog: inlined functions are missing: [^ ]*/work.dwo belongs to another user than the program does" "stack says why"
mkfifo pipe && rm ./*.dwo && mv pipe work.dwo
is "$(calls)" "0 1001" "a pipe in the place of the file keeps nothing waiting"
done_testing
