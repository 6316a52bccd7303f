#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# commands.sh [--update]: the formats of `bpfperf explain`, `list` and `doctor`, against
# tests/golden/data/commands/. explain describes models, which are the same everywhere; findings of
# list and doctor about this machine are replaced with a word.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=golden.bash
. "$TOP/tests/golden/golden.bash"
golden_begin commands "$@"

explain() { # FILE ARG…
	golden_of "explain$1" "$BPFPERF" explain --kernel 6.1 --tfa off "${@:2}"
}

events='cycles,{r1b0,r2b0},r3b0,r4b0,r5b0'
for json in '' --json; do
	explain "-fits$json" $json --pmu skl --ht on --nmi-watchdog off -e r1b0,r2b0
	explain "-turns$json" $json --pmu skl --ht on --nmi-watchdog on -e "$events"
	explain "-arm$json" $json --pmu armv8:4 --nmi-watchdog off -e r1,r2,r3,r4,r5,r6
done

# Lines of NAME KIND CAN.
as_user "$BPFPERF" list hw sw cache raw tool 2>err | awk '{ print $1, $2, "CAN" }' >out/list
golden list
as_user "$BPFPERF" list --json hw sw cache raw tool 2>err | sed 's/"can":\[[^]]*\]/"can":[CAN]/' >out/list--json
golden list--json

# Lines of QUESTION VERDICT DETAIL.
as_user "$BPFPERF" doctor 2>err | sed -n 's/^\([A-Za-z][^ ]*\( [^ ]*\)* *\)  \(ok     \|limited\|missing\|unknown\)   [^ ].*/\1  VERDICT  DETAIL/p' >out/doctor
golden doctor
text='"\([^"\\]\|\\.\)*"'
as_user "$BPFPERF" doctor --json 2>err | sed -e "s/\"verdict\":$text/\"verdict\":VERDICT/" \
	-e "s/\"detail\":$text/\"detail\":DETAIL/" -e "s/\"remedy\":\($text\|null\)/\"remedy\":REMEDY/" >out/doctor--json
golden doctor--json
golden_end
