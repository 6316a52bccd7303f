#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# sinks.sh [--update]: what each format of src/sink/ makes of records made in memory (sinks.c) and
# of counts (stat.c), against tests/golden/data/sinks/. The generators walk through the tables of
# formats: one that is added to a table needs its files here, which --update writes. Read what it
# has written before it is committed: the golden file says what the format is meant to be.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=golden.bash
. "$TOP/tests/golden/golden.bash"
golden_begin sinks "$@"
golden_program sinks
golden_program stat

ok "sinks: every sink takes every record" as_user ../sinks
ok "sinks: every format of stat takes every row" as_user ../stat
for path in out/*; do
	file=${path#out/}
	golden_decoded "${file##*.}" "$path" >"$TMP/decoded" 2>err || diag "$file: $(cat err)"
	mv -f "$TMP/decoded" "$path"
	golden "$file"
done
golden_end
