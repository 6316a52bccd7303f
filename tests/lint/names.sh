#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Each assertion of the tests has a name that stands alone in a list of failures (names.py has the rules).
. "$(dirname "$0")/../lib.sh"
# shellcheck source=files.bash
. "$TOP/tests/lint/files.bash"
need_cmd python3
names=$TOP/tests/lint/names.py

# The rules themselves: a file with bad names, and what is wrong with each.
mkdir lint
cat >lint/bad.sh <<'END'
handed_on() { # GOT NAME
	local name=$2

	is "$1" 7 "$name"
}
exits 0 "record -o" true
like "$(cat err)" 'no "place"' "says that the disk is full"
is "$(grep -c "a b" out)" 7 \
	"record -o: the disk is full"
handed_on 7 '  and no file stays'
handed_on "$(printf '%s)' x)" "record -o: the disk is full"
case $1 in
-x) ok "short" true ;;
esac
cat <<-'TEXT'
	ok "in text" true
TEXT
# ok "a comment" true
if ok "$opt" true; then pass "the branch is taken"; else skip_test "the branch is taken" "it is not"; fi
END
cat >lint/bad.c <<'END'
static void check(const char *name, int got)
{
	ok(got == 7, "%s", name);
	ok(got != 8, "%s: not 8", name);
}
int main(void)
{
	check("which is seven", 7);
	is_u64(count(a, "x, y"), 7, "seven "
				    "records");
	is_str("a", f(1, 2), "the first and second argument");
	ok(true, "the first and second argument");
}
END
cat >lint/bad.py <<'END'
def is_seven(got, name):
    report(got == 7, name)
is_seven(7, "and seven")
is_seven(7, f"{what} is")
END
want="bad.sh:6: has under three words: record -o
bad.sh:7: begins like the end of a sentence: says that the disk is full
bad.sh:10: begins like the end of a sentence:   and no file stays
bad.sh:11: is the name of line 8 too: record -o: the disk is full
bad.sh:13: has under three words: short
bad.c:8: begins like the end of a sentence: which is seven
bad.c:9: has under three words: seven records
bad.c:12: is the name of line 11 too: the first and second argument
bad.py:3: begins like the end of a sentence: and seven"
is "$(cd lint && python3 "$names" bad.sh bad.c bad.py 2>&1)" "$want" "names.py: each bad name is found, and no good one"

cd "$TOP" || exit 1
mapfile -t files < <(tree_files | grep -E '^tests/(.+)/[^/]+\.(sh|bash|c|py)$' |
	grep -vE '^tests/(bpf|workloads|vm/(testpmu|guest/lib.sh))')
python3 "$names" "${files[@]}" >"$TMP/wrong" 2>&1
is $? 0 "names.py reads all files" || diag "$(tail -n 3 "$TMP/wrong")"
for f in "${files[@]}"; do
	is "$(grep -F "$f:" "$TMP/wrong")" "" "names of $f stand alone"
done
between "$(python3 "$names" --list "${files[@]}" | wc -l)" 3000 100000 "over 3000 names are read"
done_testing
