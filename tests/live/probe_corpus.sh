#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# probe_corpus.sh [SEED...]: arguments of random functions, as compilers make them with and without optimization: each is the
# program's own, or said to be none.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 gcc g++

compilers='gcc g++'
command -v clang++ >/dev/null && compilers='gcc g++ clang clang++'
seeds=("$@")
((${#seeds[@]})) || seeds=(7 307 1009)
for seed in "${seeds[@]}"; do
	for compiler in $compilers; do
		lang=c
		[[ $compiler != *++ ]] || lang=cc
		python3 "$TOP/tests/live/probe_corpus.py" "$seed" $lang >corpus.$lang || fail "seed $seed: there is a program"
		for how in -O0 -O1 '-O2 -fno-omit-frame-pointer' -O3; do
			options="-w -g $how"
			[ $lang = c ] || options+=' -std=c++17'
			[ "$compiler" != clang++ ] || options+=' -fstandalone-debug'
			# shellcheck disable=SC2086 # several options
			$compiler $options -I"$TOP/tests/workloads/probe" -o corpus corpus.$lang || fail "$compiler $options: compiles"
			"$BPFPERF" trace -o out.json "$(cat events)" -- ./corpus 7 >said 2>err || diag "$(cat err)"
			told=$(python3 "$TOP/tests/live/probes.py" said out.json)
			diag "$told"
			like "$told" '^168 calls, [0-9]+ values, [0-9]+ honest$' \
				"$compiler $how, seed $seed: arguments are the program's own, or are said to be none"
			is "$(summary lost)" 0 "$compiler $how, seed $seed: no call is lost"
		done
	done
done
done_testing
