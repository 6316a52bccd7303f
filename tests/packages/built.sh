#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Debian's packages are built from the tree with what debian/control names: without a warning, twice the same bytes,
# and lintian finds neither an error nor a warning.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=packages.bash
. "$TOP/tests/packages/packages.bash"

build() { # DIR ENV…
	local dir=$1

	shift
	mkdir "$dir" && cp -a "$TOP" "$dir/bpfperf" && rm -rf "$dir/bpfperf/.git" || return 1
	(cd "$dir/bpfperf" && env "$@" dpkg-buildpackage -us -uc "-j$(nproc)") >"$dir.log" 2>&1 || {
		diag "$(tail -n 20 "$dir.log")"
		return 1
	}
}
# Lines of FILE with a compiler's or a helper's warning; diversions are of Debian's own libraries.
warnings() { # FILE
	grep -i 'warning:' "$1" | grep -v 'diversions involved'
}

ok "packages: the archive's lists are read" apt update
ok "packages: tools for any package are installed" apt install build-essential lintian
ok "packages: what debian/control names for the build is installed" apt build-dep "$TOP/"
ok "packages: the first build succeeds" build first
is "$(warnings first.log)" "" "packages: the build has no warning"
ok "packages: another build succeeds" build another-place TZ=Asia/Tokyo LC_ALL=C.UTF-8 DEB_BUILD_OPTIONS=parallel=1
(cd first && sha256sum -- *.deb *.dsc *.tar.*) >sums
is "$(grep -c 'deb$' sums)" 5 "packages: five of them are built, with debug symbols"
ok "packages: two builds have the same bytes" sh -c 'cd another-place && sha256sum -c --quiet ../sums'
ok "packages: lintian has neither errors nor warnings" lintian --allow-root --fail-on error,warning first/*.changes
diag "$(cd first && stat -c '%s %n' -- *.deb)"
rm -rf $PACKAGES
mkdir $PACKAGES
cp first/*.deb $PACKAGES/
rm -f $PACKAGES/*-dbgsym_*
done_testing
