#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# clang-format and shellcheck find nothing to say; scripts that begin with #! may be executed.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=files.bash
. "$TOP/tests/lint/files.bash"
need_cmd clang-format shellcheck
cd "$TOP" || exit 1

# clang-format starts once for all files: its start takes longer than a file.
mapfile -t files < <(c_files)
ok "format: clang-format finds what is out of form" bash -c '! printf "int  a;\n" | clang-format --dry-run -Werror'
clang-format --dry-run -Werror "${files[@]}" >"$TMP/formatted" 2>&1
in_form() { # FILE
	! grep -F -A 2 "$1:" "$TMP/formatted"
}
for f in "${files[@]}"; do
	ok "format: $f" in_form "$f"
done
while read -r f; do
	ok "shellcheck: $f" shellcheck "$f"
done < <(script_files)
# debhelper takes its scripts as they are.
may_not_run() {
	script_files | grep -v '^debian/' | while read -r f; do
		[ -x "$f" ] || ! head -c 2 "$f" | grep -q '#!' || echo "$f"
	done
}
is "$(may_not_run)" "" "each script that begins with #! may be executed"
done_testing
