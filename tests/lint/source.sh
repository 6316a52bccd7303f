#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Rules of the house that a machine can check.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=files.bash
. "$TOP/tests/lint/files.bash"
cd "$TOP" || exit 1

# Prints what breaks the rule; passes where it prints nothing.
none() { # NAME CMD…
	local name=$1 got

	shift
	got=$("$@" 2>&1)
	is "$got" "" "$name"
}

long_files() {
	c_files | xargs wc -l | awk '
		$2 == "total" { next }
		{ max = $2 ~ /^(src|bpf)\// ? 500 : 800 }
		$1 > max { print $2 ": " $1 " lines, at most " max }'
}

# A function ends with a brace in the first column. One that is a single large switch may be longer.
long_functions() {
	c_files | grep -E '^(src|bpf)/' | xargs awk '
		FNR == 1 { start = 0 }
		/^\{/ { start = FNR; cases = 0 }
		start && /^\t+case / { cases++ }
		/^}/ && start {
			if (FNR - start - 1 > 60 && cases < 12)
				print FILENAME ":" start ": " FNR - start - 1 " lines"
			start = 0
		}'
}

no_spdx() {
	tree_files | grep -vE '^LICENSE|\.(md|png)$|^vmlinux/|^\.gitignore$|^debian/(changelog|copyright|source/format|.*\.(install|docs|symbols))$|^\.clang-format$|^tests/.*/data/|\.(txt|out|json)$' |
		xargs awk '
			FNR == 1 { if (file != "") print file; file = FILENAME }
			FNR <= 5 && /SPDX-License-Identifier: / { file = "" }
			FNR == 5 { nextfile }
			END { if (file != "") print file }'
}

other_license() {
	local want='LGPL-2.1-only OR BSD-2-Clause'

	c_files | xargs grep -h -m1 'SPDX-License-Identifier' | grep -vF "$want"
}

todos() {
	tree_files | grep -E '^(src|bpf|tools|tests|docs)/|^Makefile$' |
		grep -v '^tests/lint/' | xargs grep -nIE '\b(TODO|FIXME|XXX|HACK)\b' | grep -v 'XXXXXX'
}

# A header stands alone: it includes what it needs. The build has shown that of a header which its own file includes first.
includes_first() { # FILE → $first
	local line

	first=''
	while IFS= read -r line; do
		[[ $line != '#include'* ]] || { first=$line && return; }
	done <"$1"
}
dependent_headers() {
	local first h

	c_files | grep '^src/.*\.h$' | while read -r h; do
		[ ! -f "${h%.h}.c" ] || includes_first "${h%.h}.c"
		[ -f "${h%.h}.c" ] && [ "$first" = "#include \"${h#src/}\"" ] || grep -q 'skel\.h"' "$h" ||
			gcc -std=gnu11 -D_GNU_SOURCE -fsyntax-only -Wall -Wno-unused-function \
				-Isrc -I. -I"$O/gen" -include linux/types.h -x c "$h" 2>&1 |
			grep -v 'pragma once' | head -n 3
	done
}

trailing_space() {
	tree_files | grep -vE '^LICENSE|^tests/.*/data/|\.(txt|out|json)$' |
		xargs grep -nIE '[[:blank:]]+$' | head -n 20
}

none "each layer includes only what the design allows" tools/check-layers
none "no file of src/ and bpf/ has over 500 lines, no test over 800" long_files
none "no function of src/ and bpf/ has over 60 lines" long_functions
none "comments are sentences, and lines have 100 columns" tools/check-comments
none "every file names its license" no_spdx
none "every file of C names one license" other_license
none "nothing is left to be done" todos
none "each header of src/ compiles on its own" dependent_headers
none "no space at the end of lines" trailing_space
done_testing
