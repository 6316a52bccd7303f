# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# The files that the lint tests read, from git or from a tarball.

# Every file, one a line, relative to the tree; without what is generated or empty.
tree_files() {
	# A tree of another user (sudo) is read all the same.
	{
		git -c safe.directory='*' -C "$TOP" ls-files --cached --others --exclude-standard \
			2>/dev/null ||
			(cd "$TOP" && find . -type f -not -path './build*' -not -path './.git/*' |
				sed 's|^\./||')
	} | while read -r f; do
		[ ! -f "$TOP/$f" ] || echo "$f"
	done | sort -u
}

# Our own C: not what a tool generates.
c_files() {
	tree_files | grep -E '\.[ch]$' | grep -v '^vmlinux/'
}

# Scripts, by ending or by first line. Prints them relative to the tree.
script_files() {
	local f line shell='^#!.*\b(ba|da)?sh\b'

	tree_files | while read -r f; do
		case $f in
		*.sh | *.bash) echo "$f" ;;
		*.c | *.h | *.1 | *.md) ;;
		*)
			IFS= read -r -n 64 line <"$TOP/$f"
			[[ ! $line =~ $shell ]] || echo "$f"
			;;
		esac
	done
}
