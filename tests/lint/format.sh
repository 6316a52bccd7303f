#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# clang-format and shellcheck find nothing to say; scripts that begin with #! may be executed.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=files.bash
. "$TOP/tests/lint/files.bash"
need_cmd clang-format shellcheck
cd "$TOP" || exit 1

# Each tool starts once for all files: its start takes longer than a file. It ends with a failure where it finds something
# or cannot read a file; said[FILE] is what it says of a file. What it says of no file is printed and fails, too.
declare -A said
tool_says() { # NAME CMD…: of FILES
	local name=$1 rc line found=0 unplaced=0

	shift
	said=()
	"$@" "${files[@]}" >"$TMP/said" 2>&1
	rc=$?
	for f in "${files[@]}"; do
		said[$f]=''
	done
	f=''
	while IFS= read -r line; do
		# Lines of source follow the place in clang-format's output.
		[ -z "${line%%:*}" ] || [ -z "${said[${line%%:*}]+set}" ] || f=${line%%:*} found=1
		if [ -n "$f" ]; then
			said[$f]+=$line$'\n'
		else
			unplaced=1
		fi
	done <"$TMP/said"
	if [ $unplaced -eq 0 ] && [ $((rc != 0)) -eq $found ]; then
		pass "$name: all it says is of a file"
	else
		fail "$name: all it says is of a file" "exit $rc: $(head -n 20 "$TMP/said")"
	fi
	for f in "${files[@]}"; do
		is "${said[$f]}" "" "$name: $f"
	done
}

mapfile -t files < <(c_files)
ok "format: clang-format finds what is out of form" bash -c '! printf "int  a;\n" | clang-format --dry-run -Werror'
tool_says format clang-format --dry-run -Werror

mapfile -t files < <(script_files)
# shellcheck disable=SC2016 # as it stands in the script
printf '#!/bin/bash\nrm $1\n' >"$TMP/unquoted.sh"
like "$(shellcheck -f gcc "$TMP/unquoted.sh")" '^[^:]*/unquoted.sh:2:4: note: .*SC2086' "shellcheck finds a word that is not quoted"
tool_says shellcheck shellcheck -f gcc

# debhelper takes its scripts as they are.
may_not_run() {
	local f line

	for f in "${files[@]}"; do
		IFS= read -r -n 2 line <"$f"
		[[ $f = debian/* || -x $f || $line != '#!' ]] || echo "$f"
	done
}
is "$(may_not_run)" "" "each script that begins with #! may be executed"
done_testing
