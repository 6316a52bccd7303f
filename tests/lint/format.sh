#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# clang-format and shellcheck find nothing to say.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=files.bash
. "$TOP/tests/lint/files.bash"
need_cmd clang-format shellcheck
cd "$TOP" || exit 1

while read -r f; do
	ok "format: $f" clang-format --dry-run -Werror "$f"
done < <(c_files)
while read -r f; do
	ok "shellcheck: $f" shellcheck "$f"
done < <(script_files)
done_testing
