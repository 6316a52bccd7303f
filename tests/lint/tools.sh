#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The tools of the tree: who calls them wrongly is told, and what fails below them makes them fail.
. "$(dirname "$0")/../lib.sh"

nok "gen-syscalls fails with its compiler" env CC=false "$TOP/tools/gen-syscalls"

exits 0 "vm --help" "$TOP/tools/vm" --help
like "$(cat out)" '--timeout SEC.*--rings' "lists the options"
exits 2 "vm with an option that is not there, as the last" "$TOP/tools/vm" --nonsense
like "$(cat err)" 'unknown option --nonsense' "says so"
exits 2 "vm with an option without its value" "$TOP/tools/vm" --arch
like "$(cat err)" '--arch needs a value' "says so"

# Should they not be refused, nothing is built all the same: it cannot be written there.
release() { # ARG…
	"$TOP/tools/release" --out /dev/null/none "$@"
}
mkdir a b
touch a/kernel b/kernel.btf
exits 1 "release with types of an architecture that there is none for" release --btf x86=a/kernel
like "$(cat err)" 'releases for x86_64 and arm64, not for x86' "says so"
exits 1 "with types for a tarball that is not made" release --btf arm64=a/kernel x86_64
like "$(cat err)" 'no tarball of arm64' "says so"
exits 1 "with two files of one name" release --btf arm64=a/kernel --btf arm64=b/kernel.btf
like "$(cat err)" 'two files of --btf would be one \(arm64: .*/kernel.btf\)' "says so"
done_testing
