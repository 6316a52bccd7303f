#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The BPF programs compile without a warning for every architecture that has its kernel types.
. "$(dirname "$0")/../lib.sh"
need_cmd make clang

# Prints the directory of Debian's kernel headers for an architecture.
headers() { # ARCH
	local triple=${1/arm64/aarch64}-linux-gnu

	triple=${triple/ppc64el/powerpc64le}
	compgen -G "/usr/include/$triple/asm" >/dev/null || compgen -G "/usr/$triple/include/asm" >/dev/null
}

for dir in "$TOP"/vmlinux/*/; do
	arch=$(basename "$dir")
	out=$TMP/$arch
	# This machine's are made already, with warnings as errors, for what is tested here.
	[ "$arch" != "$(uname -m)" ] || out=$O
	if headers "$arch"; then
		ok "BPF for $arch" make -s -C "$TOP" bpf ARCH="$arch" O="$out" WERROR=1
	else
		skip_test "BPF for $arch" "its kernel headers are not installed: apt-get install linux-libc-dev-$arch-cross"
	fi
done
nok "an unknown architecture is refused" make -s -C "$TOP" bpf ARCH=pdp11 O="$TMP/pdp11"
done_testing
