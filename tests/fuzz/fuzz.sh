#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Each fuzzer for some seconds, on from what earlier runs have kept: no crash, no hang, no wrong answer,
# no memory without bounds. FUZZ_S: how many seconds each.
. "$(dirname "$0")/../lib.sh"
OSAN=${OSAN:-$TOP/build-san}
export OSAN

for src in "$TOP"/tests/fuzz/*.c; do
	name=$(basename "$src" .c)
	if [ ! -x "$OSAN/fuzz/$name" ]; then
		skip_test "$name" "it is not built: make SAN=1 fuzzers"
		continue
	fi
	# A fuzzer that starts and reads no input finds nothing. Beside other work some seconds may be too short.
	for secs in "${FUZZ_S:-6}" $((10 * ${FUZZ_S:-6})); do
		line=$("$TOP/tools/fuzz" -p -t "$secs" "$name" 2>err)
		rc=$?
		read -r _ inputs _ <<<"$line"
		if [ "$rc" -ne 0 ] || [ "${inputs:-0}" -ge 20 ]; then
			break
		fi
	done
	tap_result "$rc" "$name: ${line#* }" || diag "$(cat err)"
	between "${inputs:-0}" 20 1000000000 "$name: inputs were tried"
done
done_testing
