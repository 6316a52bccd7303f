#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The tools of the tree: a wrong call is reported, and a failure below a tool makes it fail.
. "$(dirname "$0")/../lib.sh"

nok "gen-syscalls fails with its compiler" env CC=false "$TOP/tools/gen-syscalls"

exits 0 "tools/vm --help: exit 0" "$TOP/tools/vm" --help
like "$(cat out)" '--timeout SEC.*--rings' "tools/vm --help: options are listed"
exits 2 "tools/vm with an unknown option at the end: exit 2" "$TOP/tools/vm" --nonsense
like "$(cat err)" 'unknown option --nonsense' "tools/vm with an unknown option at the end: the option is named"
exits 2 "tools/vm --arch without its value: exit 2" "$TOP/tools/vm" --arch
like "$(cat err)" '--arch needs a value' "tools/vm --arch without its value: the missing value is reported"

exits 0 "tools/models-check --help: exit 0" "$TOP/tools/models-check" --help
exits 0 "tools/uncore-check --help: exit 0" "$TOP/tools/uncore-check" --help
exits 2 "tools/models-check of no source tree: exit 2" "$TOP/tools/models-check" .
like "$(cat err)" 'not a source tree of the kernel' "tools/models-check of no source tree: the mistake is reported"

exits 0 "tools/fresh --help: exit 0" "$TOP/tools/fresh" --help
like "$(cat out)" '--suite SUITE.*--keep' "tools/fresh --help: options are listed"
exits 2 "tools/fresh with an unknown option: exit 2" "$TOP/tools/fresh" --nonsense true
like "$(cat err)" 'unknown option --nonsense' "tools/fresh with an unknown option: the option is named"
exits 1 "tools/fresh --suite without its value: exit 1" "$TOP/tools/fresh" --suite
like "$(cat err)" '--suite needs a value' "tools/fresh --suite without its value: the missing value is reported"

exits 0 "tools/packages --help: exit 0" "$TOP/tools/packages" --help
like "$(cat out)" '--suite SUITE.*--out DIR' "tools/packages --help: options are listed"
exits 2 "tools/packages with an unknown option: exit 2" "$TOP/tools/packages" --nonsense
like "$(cat err)" 'unknown option --nonsense' "tools/packages with an unknown option: the option is named"
exits 1 "tools/packages --suite without its value: exit 1" "$TOP/tools/packages" --suite
like "$(cat err)" '--suite needs a value' "tools/packages --suite without its value: the missing value is reported"

# Should they not be refused, nothing is built all the same: it cannot be written there.
release() { # ARG…
	"$TOP/tools/release" --out /dev/null/none "$@"
}
mkdir a b
touch a/kernel b/kernel.btf
exits 1 "tools/release --btf of an architecture without tarball: exit 1" release --btf x86=a/kernel
like "$(cat err)" 'releases for x86_64 and arm64, not for x86' "tools/release --btf of an architecture without tarball: the architectures are listed"
exits 1 "tools/release --btf of a tarball that is not made: exit 1" release --btf arm64=a/kernel x86_64
like "$(cat err)" 'no tarball of arm64' "tools/release --btf of a tarball that is not made: the tarball is named"
exits 1 "tools/release with two --btf files of one name: exit 1" release --btf arm64=a/kernel --btf arm64=b/kernel.btf
like "$(cat err)" 'two files of --btf would be one \(arm64: .*/kernel.btf\)' "tools/release with two --btf files of one name: both files are named"
done_testing
