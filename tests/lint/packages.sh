#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The recipes of packages (debian/, dist/) say what the tree says: versions, symbols, files, capabilities.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

version=$(sed -n 's/^VERSION := //p' Makefile)
is "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" "$version" "debian/changelog has the version"
is "$(sed -n 's/^Version: *//p' dist/bpfperf.spec)" "$version" "dist/bpfperf.spec has the version"
is "$(sed -n 's/^pkgver=//p' dist/PKGBUILD)" "$version" "dist/PKGBUILD has the version"

is "$(sed -n 's/^ \(bpfperf_[a-z_]*\)@.*/\1/p' debian/libbpfperf1.symbols | xargs)" \
	"$(sed -n 's/^\t\t\(bpfperf_[a-z_]*\);/\1/p' src/selfmon/libbpfperf.map | sort | xargs)" \
	"debian/libbpfperf1.symbols has what the library has"
is "$(sed -n 's/^SELFMON_SONAME := //p' Makefile)" "$(sed -n 's/^\(libbpfperf.so[^ ]*\) .*/\1/p' debian/libbpfperf1.symbols)" \
	"debian/libbpfperf1.symbols has the soname"

sections=$(printf '%s\n' docs/*.[1-9] | sed 's/.*\.//' | sort -u | xargs)
is "$(sed -n 's|^usr/share/man/man\([1-9]\)$|\1|p' debian/*.install | sort -u | xargs)" "$sections" \
	"debian/ installs the manual pages of all sections"
is "$(sed -n 's|^%{_mandir}/man\([1-9]\)/.*|\1|p' dist/bpfperf.spec | sort -u | xargs)" "$sections" \
	"dist/bpfperf.spec installs the manual pages of all sections"

caps() { # PREFIX FILE
	sed -n "s/^$1=//p" "$2" | tr ' ' '\n' | sort | xargs
}
is "$(caps CapabilityBoundingSet dist/bpfperf.service)" "$(caps AmbientCapabilities dist/bpfperf.service)" \
	"the unit has one set of capabilities"
is "$(caps AmbientCapabilities dist/bpfperf.service)" \
	"$(sed -n 's/^| stack | \(.*\) |$/\1/p' docs/security.md | tr -d ' ' | tr ',' '\n' | sort | xargs)" \
	"the unit has the capabilities that docs/security.md names for stack"
is "$("$BPFPERF" doctor --unit | sed 's/^ExecStart=[^ ]*/ExecStart=/')" "$(sed 's/^ExecStart=[^ ]*/ExecStart=/' dist/bpfperf.service)" \
	"doctor --unit prints the unit"

if command -v systemd-analyze >/dev/null; then
	"$BPFPERF" doctor --unit | sed '/^Documentation=/d' >"$TMP/bpfperf.service"
	is "$(systemd-analyze verify "$TMP/bpfperf.service" 2>&1 | grep bpfperf.service)" "" "systemd accepts the unit"
else
	skip_test "systemd accepts the unit" "there is no systemd-analyze"
fi
if command -v rpmspec >/dev/null; then
	ok "rpm reads the spec" rpmspec -q dist/bpfperf.spec
else
	skip_test "rpm reads the spec" "there is no rpmspec"
fi
ok "bash reads the PKGBUILD" bash -n dist/PKGBUILD
done_testing
