#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Functions of a file of which the DWARF has loops: types of themselves, origins and specifications in a circle.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc python3
[ "$(uname -m)" = x86_64 ] || skip_all "the program is one of x86-64"

python3 "$TOP/tests/live/dwarf_loops.py" >loops.s
gcc -o loops loops.s || fail "a program with loops in its DWARF is made"
list() { # EVENT -> out, err
	timeout 10 "$BPFPERF" list "$1" >out 2>err
}
list 'u:./loops:f_*'
is "$?" 0 "a glob: it ends"
sed -nE 's/^u:loops:f_(.*\))  .*/\1/p' out >got
cat >want <<'END'
typedef(self a)
const(const  a)
far(byte a_in <optimized out>, byte b <optimized out>)
behind(byte a_in <optimized out>, byte b <optimized out>)
nothing(none a_in <optimized out>, byte b <optimized out>)
to_struct(struct again *a)
base(struct derived *a)
struct_spec(struct (unnamed) a <optimized out>)
struct_sign(struct (unnamed) a <optimized out>)
param()
param_spec()
origin()
origin_too()
spec(self a)
copy()
param_sibling(self a)
sibling()
END
same <(grep -vE '^(pointer|array|to_array|struct|many|many_passed)\(' got) want "each function has the arguments that end"
is "$(grep -cE "^pointer\(\*{9,99}a\)\$" got) $(grep -cE "^(to_)?array\((\[\]){9,99}\[? a" got)" "1 2" "types of types are followed so far only"
is "$(grep -cE '^struct\(struct again a(_in){2,20}(_i?n?)*\)$' got)" 1 "a structure of itself is followed so far only"
is "$(grep -cE '^many\((struct many a[^,]*, ){7,71}struct many a[^,]*\)$' got)" 1 "a structure of eight of itself is followed so far only"
ok "a structure of eight of itself, where the convention says: there is an answer" grep -q '^many_passed(struct many a_a <optimized out>' got
list u:./loops:f_far
is "$? $(cat err)" "0 " "a member at the last address: the process that reads it goes on"
list u:./loops:inlined
is "$?" 0 "a copy with an argument that refers to itself: it ends"
for bad in 'f_to_struct(a->in.in.none)' 'f_base(a->none)' 'f_array(a[0])' f_none; do
	list "u:./loops:$bad"
	is "$? $(grep -c '^bpfperf: error: ' err) $(sed -n '$=' err)" "2 1 3" "$bad: one sentence with its place"
done
done_testing
