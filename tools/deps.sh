# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# The table of dependencies that tools/try and tools/check share: how each is installed,
# and what the running kernel must offer. To be sourced; $TOP is the tree.

# Purpose, Debian package, and how it is recognised (a command, or a file by its path from /usr/include).
# Everything is in main of Debian 12.
deps_table() {
	cat <<-'END'
		build gcc              gcc
		build libc6-dev        stdio.h
		build make             make
		build clang            clang
		build bpftool          bpftool
		build libbpf-dev       bpf/libbpf.h
		build libelf-dev       gelf.h
		build libdw-dev        elfutils/libdwfl.h
		build libtraceevent-dev traceevent/event-parse.h
		build zlib1g-dev       zlib.h
		build liblzma-dev      lzma.h
		build libzstd-dev      zstd.h
		build libiberty-dev    libiberty/demangle.h
		build libpfm4-dev      perfmon/pfmlib_perf_event.h
		build libcurl4-openssl-dev curl/curl.h
		build libipt-dev       intel-pt.h
		build libopencsd-dev   opencsd/c_api/opencsd_c_api.h
		build pkg-config       pkg-config
		test  git              git
		test  g++              g++
		test  xz-utils         xz
		test  perl             prove
		test  linux-perf       perf
		test  bpftrace         bpftrace
		test  trace-cmd        trace-cmd
		test  hotspot          ../lib/*/libexec/hotspot-perfparser
		test  shellcheck       shellcheck
		test  clang-format     clang-format
		test  libclang-rt-dev  ../lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
		test  mandoc           mandoc
		test  python3          python3
		test  ruby             ruby
		test  python3-jsonschema jsonschema
		test  procps           pgrep
		test  binutils         nm
		test  libcapstone4     ../lib/*/libcapstone.so.4
		test  openssl          openssl
		test  curl             curl
		test  strace           strace
		test  bc               bc
		test  chromium         chromium
		test  fonts-dejavu-core ../share/fonts/truetype/dejavu/DejaVuSansMono.ttf
		test  golang-go        go
		test  npm              npm
		test  qemu-system-x86  qemu-system-x86_64
		test  qemu-system-arm  qemu-system-aarch64
		test  cpio             cpio
		test  gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc
		test  g++-aarch64-linux-gnu aarch64-linux-gnu-g++
		test  libc6-dev-arm64-cross ../aarch64-linux-gnu/include/stdio.h
		test  linux-libc-dev-riscv64-cross ../riscv64-linux-gnu/include/asm/ptrace.h
		test  linux-libc-dev-ppc64el-cross ../powerpc64le-linux-gnu/include/asm/ptrace.h
		test  linux-libc-dev-s390x-cross ../s390x-linux-gnu/include/asm/ptrace.h
		test  libbz2-dev       bzlib.h
		release libbz2-dev     bzlib.h
		release gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc
		release libc6-dev-arm64-cross ../aarch64-linux-gnu/include/stdio.h
	END
}

die() { # SENTENCE
	echo "${0##*/}: $1" >&2
	exit 1
}

deps_have() { # COMMAND, HEADER, or a path from the headers on
	case $1 in
	*.h | ../*) compgen -G "/usr/include/$1" >/dev/null ||
		compgen -G "/usr/include/*-linux-gnu*/$1" >/dev/null ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

# Packages of KIND… whose probe finds nothing, one a line.
deps_missing() { # KIND…
	local kind pkg probe

	while read -r kind pkg probe; do
		[[ " $* " != *" $kind "* ]] || deps_have "$probe" || echo "$pkg"
	done < <(deps_table)
}

# apt-get that says nothing unless it fails; then its last lines.
deps_apt() { # ARG…
	local log rc

	log=$(mktemp) || exit 1
	DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 "$@" \
		</dev/null >"$log" 2>&1
	rc=$?
	[ $rc -eq 0 ] || grep -vE '^(Get|Hit|Ign|Reading|Building)' "$log" | tail -n 8 >&2
	rm -f "$log"
	return $rc
}

# Installs what is missing; says what, and nothing where nothing is.
deps_install() { # KIND…
	local missing

	mapfile -t missing < <(deps_missing "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	command -v apt-get >/dev/null ||
		die "there is no apt-get here; install what Debian calls: ${missing[*]}"
	[ "$(id -u)" = 0 ] ||
		die "only root can install what is missing (${missing[*]}): run sudo $0"
	echo "installing: ${missing[*]}"
	deps_apt update ||
		die "apt-get update failed; check the network and /etc/apt/sources.list, then run $0 again"
	deps_apt install --no-install-recommends "${missing[@]}" ||
		die "apt-get could not install ${missing[*]}; mend what it says above, then run $0 again"
	hash -r
	mapfile -t missing < <(deps_missing "$@")
	[ ${#missing[@]} -eq 0 ] || die "still missing after its installation: ${missing[*]}"
}

# Requirements of BPF programs on the kernel and on mounts.
deps_kernel() {
	[ "$(id -u)" = 0 ] || die "loading BPF programs needs root: run sudo $0"
	[ -d /proc/self ] || die "/proc is not mounted: mount -t proc proc /proc"
	[ -d /sys/kernel ] || die "/sys is not mounted: mount -t sysfs sysfs /sys"
	[ -r /sys/kernel/btf/vmlinux ] || die "kernel $(uname -r) carries no BTF\
 (/sys/kernel/btf/vmlinux): boot one built with CONFIG_DEBUG_INFO_BTF=y, as Debian's are"
	[ -e /sys/kernel/tracing/events ] || [ -e /sys/kernel/debug/tracing/events ] ||
		mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null ||
		die "tracefs is not mounted and cannot be mounted here: outside of this container\
 run mount -t tracefs tracefs /sys/kernel/tracing, and pass it in"
}

# make, as the owner of the tree where sudo made us root, so that the tree stays theirs.
deps_make() { # ARG…
	local log rc as=()

	if [ "$(id -u)" = 0 ] && [ -n "${SUDO_USER:-}" ] && [ -O "$TOP" ]; then
		: # the tree is root's
	elif [ "$(id -u)" = 0 ] && [ -n "${SUDO_USER:-}" ] &&
		[ "$(stat -c %U "$TOP")" = "$SUDO_USER" ]; then
		as=(runuser -u "$SUDO_USER" --)
	fi
	log=$(mktemp) || exit 1
	"${as[@]}" make -s -C "$TOP" -j"$(nproc)" "$@" >"$log" 2>&1
	rc=$?
	# The lines of a build that went well are of no use; warnings are.
	if [ $rc -ne 0 ]; then
		tail -n 40 "$log" >&2
	else
		grep -E -A8 'warning:' "$log" >&2
	fi
	rm -f "$log"
	return $rc
}
