#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The page of --format flame in a browser: what it shows, and what clicks and keys do to it.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=formats.bash
. "$TOP/tests/formats/formats.bash"
need_cmd chromium

# Before: lex 10 %, draw_text 60 %, gone 30 %.
cat >old.folded <<'END'
web;main;parse;lex 101
web;main;render;draw_text 606
web;main;gone 303
END
awk -f "$TOP/tests/formats/large_stacks.awk" >large.folded
large=$(awk '{ n += $NF } END { print n }' large.folded)
printf '{"profile":1,"events":[{"name":"cpu-clock","unit":"ns","kind":"on-cpu"}]}\n' >empty.json

exits 0 "stack -o page.html: exit 0" "$BPFPERF" stack -i plain.folded -o plain.html
exits 0 "stack -o page.html of on-CPU and off-CPU time: exit 0" "$BPFPERF" stack -i both.json -o both.html
exits 0 "stack --diff -o page.html: exit 0" "$BPFPERF" stack -i plain.folded --diff old.folded -o diff.html
exits 0 "stack -o page.html of a large profile: exit 0" "$BPFPERF" stack -i large.folded -o large.html
exits 0 "stack -o page.html of an empty profile: exit 0" "$BPFPERF" stack -i empty.json -o empty.html
is "$(grep -c '<script id="profile"' plain.html)" 1 "the profile is in the page"
is "$(grep -oE '(src|href)="?(https?:)?//[^"]*' plain.html)" "" "the page refers to no other address"

PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/formats/flame_page.py" "$TMP" "$large" >browser.out
rc=$?
tell <browser.out
is $rc 0 "the browser came to the end"
done_testing
