#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The ways to look at the page of --format flame in a browser: bottom-up, functions, sandwich, the axis of time, links,
# what is too small to be drawn, copies; and a page of 50,000 stacks.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=formats.bash
. "$TOP/tests/formats/formats.bash"
need_cmd chromium

# Recursion: a is in 5 + 7 + 2 samples, b in 5 + 11; a calls itself through b.
cat >recursive.folded <<'END'
x;a;b;a;b 5
x;a;c 7
y;b 11
y;c;a;a 2
z 13
END
# 60 functions on each other, and 40.
{
	echo "x$(printf ';high_%d' {1..60}) 5"
	echo "x$(printf ';low_%d' {1..40}) 3"
} >tall.folded
printf 'web;main;parse;lex 101\nweb;main;render;draw_text 606\nweb;main;gone 303\n' >old.folded
awk -f "$TOP/tests/formats/large_stacks.awk" >large.folded
large=$(awk '{ n += $NF } END { print n }' large.folded)
awk -f "$TOP/tests/formats/many_stacks.awk" >huge.folded
huge=$(awk '{ n += $NF } END { print n }' huge.folded)
python3 "$TOP/tests/formats/flame_made.py" >made.html

for page in plain recursive tall large; do
	exits 0 "stack -o $page.html: exit 0" "$BPFPERF" stack -i $page.folded -o $page.html
done
exits 0 "stack --diff -o diff.html: exit 0" "$BPFPERF" stack -i plain.folded --diff old.folded -o diff.html
exits 0 "stack -i of a page with times: exit 0" "$BPFPERF" stack -i made.html -o timed.html

exits 0 "50,000 stacks: exit 0" "$BPFPERF" stack -i huge.folded -o huge.html
is "$(wc -c <err)" 0 "50,000 stacks: nothing is logged"
bytes=$(stat -c %s huge.html)
between "$bytes" 100000 $((10 << 20)) "50,000 stacks: a page has at most 10 MB"
"$BPFPERF" stack -i huge.html --format folded | grep -v '^\[recording\]' | sort >huge.again
ok "50,000 stacks: all are read again" cmp huge.again <(sort huge.folded)

PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/formats/flame_views.py" "$TMP" "$large" "$huge" >browser.out
rc=$?
tell <browser.out
is $rc 0 "the browser came to the end"
done_testing
