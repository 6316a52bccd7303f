#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Every command has a man page, and page and --help name the same options.
. "$(dirname "$0")/../lib.sh"
need_cmd mandoc
need_built

# Long options of a text, one a line. In --help they stand in the option column, so
# that an option which a description mentions does not count.
help_options() {
	sed -nE 's/^ +(-[^- ][^ ]*,? +)?--([a-z][a-z0-9-]*).*/\2/p' | sort -u
}

# In a page they are the tags of lists: `.It Fl g , Fl -call-graph Ns …`.
page_options() {
	sed -nE '/^\.It /{s/ Fl -([a-z])/\n@\1/g;p}' | sed -nE 's/^@([a-z][a-z0-9-]*).*/\1/p' | sort -u
}

# A section of a page, without its heading.
section() {
	sed -n "/^\.Sh $1\$/,/^\.Sh /p" "$2" | sed '/^\.Sh /d'
}

# --comm is an option of trace and stack alone.
without_comm() {
	sed '/^\.It Fl -comm /,/^\.It /{/^\.It Fl -comm /d;/^\.It /!d}'
}

commands=$("$BPFPERF" --help 2>/dev/null | sed -nE 's/^  ([a-z]+)  +.*/\1/p')
isnt "$commands" "" "--help lists commands"

for page in "$TOP"/docs/*.[1-9]; do
	is "$(mandoc -Tlint -W error "$page" 2>&1)" "" "mandoc has no errors in $(basename "$page")"
done
# Ql, Fl and their like go on to the end of the line: what stands behind belongs on the next.
is "$(grep -nE '^\.(Pq )?Ql .* Ql |^\.Fl [a-z-]+ [a-z]{2,}' "$TOP"/docs/*.[1-9])" "" "quotes end where they should"
ok "bpfperf.1 is there" test -s "$TOP/docs/bpfperf.1"
for cmd in $commands; do
	page=$TOP/docs/bpfperf-$cmd.1

	ok "bpfperf-$cmd.1 is there" test -s "$page" || continue
	ok "bpfperf.1 names $cmd" grep -q "bpfperf-$cmd" "$TOP/docs/bpfperf.1"
	exits 0 "$cmd --help exits 0" "$BPFPERF" "$cmd" --help
	help_options <out >help.opts
	page_options <"$page" >page.opts
	ok "$cmd --help lists options" test -s help.opts
	same page.opts help.opts "the page of $cmd has the options of its --help"
done
for page in "$TOP"/docs/bpfperf-*.1; do
	cmd=$(basename "$page" .1)
	cmd=${cmd#bpfperf-}
	ok "$cmd, which has a page, is a command" grep -qx "$cmd" <<<"$commands"
done

# Four commands share the target options: one wording, four times.
section TARGETS "$TOP/docs/bpfperf-trace.1" >targets.trace
ok "the page of trace has a section TARGETS" test -s targets.trace
section TARGETS "$TOP/docs/bpfperf-stack.1" >targets.stack
same targets.stack targets.trace "the pages of stack and trace describe targets in the same words"
without_comm <targets.trace >targets.common
for cmd in stat record; do
	section TARGETS "$TOP/docs/bpfperf-$cmd.1" >"targets.$cmd"
	same "targets.$cmd" targets.common "the pages of $cmd and trace describe targets in the same words"
done
for cmd in trace stack stat record; do
	ok "the page of $cmd has a section OVERHEAD" \
		grep -qx '\.Sh OVERHEAD' "$TOP/docs/bpfperf-$cmd.1"
done
done_testing
