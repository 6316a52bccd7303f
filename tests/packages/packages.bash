# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Shared by the tests of Debian's packages, which tools/packages runs.

# They install and purge packages of the system that they run in: only tools/fresh's has such a file.
[ -e /made ] || skip_all "only in a root of tools/fresh: run tools/packages"
export DEBIAN_FRONTEND=noninteractive

# shellcheck disable=SC2034 # of the files that source this one
PACKAGES=/root/packages

# Scripts of packages find programs by this shell's PATH.
apt() { # ARG…
	apt-get -q -y -o "DPkg::Path=$PATH" -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >apt.log 2>&1 || {
		diag "$(grep -vE '^(Get|Hit|Ign|Reading|Building)' apt.log | tail -n 12)"
		return 1
	}
}
