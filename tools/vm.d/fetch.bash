# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Debian packages of any suite and architecture, without touching the system: apt with lists,
# cache and an empty status of its own. To be sourced; $CACHE is set, die and say are there.

# The archive that this system's apt is configured with. Where apt has read no lists yet, the one
# among its sources that has this release of Debian.
debian_mirror() {
	local found release

	# shellcheck disable=SC2016 # apt's own variables
	found=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		awk '$1 == "Debian" { print $2; exit }')
	if [ -z "$found" ]; then
		release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
		found=$(apt-get update --print-uris 2>/dev/null |
			sed -nE "s|^'([^']*)/dists/$release/InRelease'.*|\1|p" |
			awk '/debian\/?$/ { print; found = 1; exit } { last = $0 } END { if (!found) print last }')
	fi
	echo "$found"
}

deb_arch() { # ARCH
	echo "${1/x86_64/amd64}"
}

# Makes the private apt of SUITE for ARCH, with its lists, once; leaves its configuration in $APT_CONFIG.
apt_open() { # SUITE ARCH
	local dir=$CACHE/apt/$1-$2 mirror suite key=/usr/share/keyrings/debian-archive-keyring.gpg

	export APT_CONFIG=
	mirror=$(debian_mirror)
	[ -n "$mirror" ] || die "apt knows no Debian archive; add one to /etc/apt/sources.list"
	[ -r "$key" ] || die "$key is not there; apt-get install debian-archive-keyring"
	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" || exit 1
	: >"$dir/status"
	# A backport is installed beside its suite.
	for suite in "${1%-backports}" "$1"; do
		echo "deb [signed-by=$key arch=$(deb_arch "$2")] $mirror $suite main"
	done | sort -u >"$dir/sources.list"
	cat >"$dir/apt.conf" <<-END
		Dir::Etc::sourcelist "$dir/sources.list";
		Dir::Etc::sourceparts "-";
		Dir::Etc::preferences "-";
		Dir::Etc::preferencesparts "-";
		Dir::State "$dir";
		Dir::State::Lists "$dir/lists";
		Dir::State::status "$dir/status";
		Dir::Cache "$dir/cache";
		APT::Architecture "$(deb_arch "$2")";
		APT::Architectures "$(deb_arch "$2")";
		APT::Sandbox::User "root";
		APT::Install-Recommends "false";
		Acquire::Languages "none";
		Acquire::Check-Valid-Until "false";
	END
	APT_CONFIG=$dir/apt.conf
	if [ -z "$(find "$dir/updated" -mtime -1 2>/dev/null)" ]; then
		say "reading the lists of $1 for $2"
		apt-get -qq update >"$dir/log" 2>&1 ||
			die "apt-get update failed for $1: $(grep -m1 '^E:' "$dir/log")"
		touch "$dir/updated"
	fi
}

# Downloads PACKAGE[=VERSION] of the apt that is open and unpacks it into DIR.
deb_unpack() { # PACKAGE[=VERSION] DIR
	local tmp rc

	tmp=$(mktemp -d "$CACHE/tmp.XXXXXX") || exit 1
	mkdir -p "$2"
	(cd "$tmp" && apt-get -qq download "$1") >"$tmp/log" 2>&1 &&
		dpkg-deb -x "$tmp"/*.deb "$2"
	rc=$?
	rm -rf "$tmp"
	return $rc
}

# Downloads the source package PACKAGE of SUITE into DIR.
source_fetch() { # PACKAGE SUITE DIR
	local from dir

	apt_open "$2" x86_64
	from=$(dirname "$APT_CONFIG")
	dir=$from-source
	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" || exit 1
	: >"$dir/status"
	sed 's/^deb /deb-src /' "$from/sources.list" >"$dir/sources.list"
	sed "s|\"$from|\"$dir|" "$APT_CONFIG" >"$dir/apt.conf"
	(cd "$3" && APT_CONFIG=$dir/apt.conf apt-get -qq update &&
		APT_CONFIG=$dir/apt.conf apt-get -qq source --download-only "$1") >"$dir/log" 2>&1
}

# The package that holds the newest kernel of the open apt, by what the metapackage wants: "PACKAGE VERSION".
newest_kernel() { # ARCH
	local meta image binary version

	meta=linux-image-$(deb_arch "$1")
	version=$(apt-cache madison "$meta" | awk '{ print $3; exit }')
	image=$(apt-cache show "$meta=$version" 2>/dev/null |
		sed -nE 's/^Depends:.*(linux-image-[0-9][^ ,]*).*/\1/p' | head -n 1)
	# From 7.0 on the image is in a package of its own.
	binary=$(apt-cache show "$image=$version" 2>/dev/null |
		sed -nE 's/^Depends:.*(linux-binary-[0-9][^ ,]*).*/\1/p' | head -n 1)
	[ -n "$image" ] && echo "${binary:-$image} $version"
}

# The row of the table: "SUITE PACKAGE VERSION"; nothing where there is none.
kernel_row() { # KERNEL ARCH
	awk -v k="$1" -v a="$2" '$1 "" == k && $2 == a { print $3, $4, $5 }' "${VM_KERNELS:-$TOP/tools/vm.d/kernels}"
}

# Unpacks an image of the open apt into $CACHE/kernel/ARCH-KERNEL.
kernel_unpack() { # KERNEL ARCH PACKAGE VERSION
	local dir=$CACHE/kernel/$2-$1 image

	rm -rf "$dir.new"
	deb_unpack "$3=$4" "$dir.new/root" || return 1
	image=$(find "$dir.new/root/boot" "$dir.new/root/usr/lib/modules" -name 'vmlinuz*' 2>/dev/null | head -n 1)
	[ -n "$image" ] || die "there is no vmlinuz in $3 $4"
	mv "$image" "$dir.new/vmlinuz"
	echo "$4" >"$dir.new/version"
	rm -rf "$dir.new/root" "$dir"
	mv "$dir.new" "$dir"
}

# Has the kernel in $CACHE/kernel/ARCH-KERNEL/{vmlinuz,version}.
kernel_fetch() { # KERNEL ARCH
	local dir=$CACHE/kernel/$2-$1 suite pkg version

	read -r suite pkg version < <(kernel_row "$1" "$2") ||
		die "there is no kernel $1 for $2 in tools/vm.d/kernels"
	[ ! -s "$dir/vmlinuz" ] || [ "$(cat "$dir/version")" != "$version" ] || return 0
	apt_open "$suite" "$2"
	say "fetching $pkg $version"
	kernel_unpack "$1" "$2" "$pkg" "$version" && return 0
	# Perhaps it is only that apt's lists are of yesterday.
	rm -f "$(dirname "$APT_CONFIG")/updated"
	apt_open "$suite" "$2"
	kernel_unpack "$1" "$2" "$pkg" "$version" && return 0
	say "$pkg $version is no longer in the archive: change tools/vm.d/kernels; until then the newest of $suite"
	read -r pkg version < <(newest_kernel "$2") || die "there is no kernel for $2 in $suite"
	[ ! -s "$dir/vmlinuz" ] || [ "$(cat "$dir/version")" != "$version" ] || return 0
	say "fetching $pkg $version"
	kernel_unpack "$1" "$2" "$pkg" "$version" || die "cannot fetch $pkg $version of $suite"
}

# A static busybox of ARCH in $CACHE/busybox-ARCH.
busybox_fetch() { # ARCH
	local bin=$CACHE/busybox-$1

	[ ! -s "$bin" ] || return 0
	apt_open bookworm "$1"
	rm -rf "$bin.new"
	deb_unpack busybox-static "$bin.new" || die "cannot fetch busybox-static of bookworm for $1"
	find "$bin.new" -type f -name busybox -exec mv {} "$bin" \;
	rm -rf "$bin.new"
}

# The libraries that a static build links, as packages of bookworm.
SYSROOT_PACKAGES=(libbpf-dev libelf-dev libdw-dev libtraceevent-dev libpfm4-dev zlib1g-dev
	libzstd-dev liblzma-dev libbz2-dev libiberty-dev)

# Headers and static libraries of ARCH beside the cross compiler's: $CACHE/sysroot-ARCH, made anew
# where it was made of other packages.
sysroot_fetch() { # ARCH
	local dir=$CACHE/sysroot-$1 pkg

	[ "$(cat "$dir/packages" 2>/dev/null)" != "${SYSROOT_PACKAGES[*]}" ] || return 0
	apt_open bookworm "$1"
	rm -rf "$dir.new"
	for pkg in "${SYSROOT_PACKAGES[@]}"; do
		deb_unpack "$pkg" "$dir.new" || die "cannot fetch $pkg of bookworm for $1"
	done
	echo "${SYSROOT_PACKAGES[*]}" >"$dir.new/packages"
	rm -rf "$dir"
	mv "$dir.new" "$dir"
}

# Packages of the userland, in addition to Debian's required ones; manual pages are not installed.
USERLAND_PACKAGES=(bash coreutils grep sed mawk findutils procps python3-minimal)
USERLAND_DROP=(usr/share/doc usr/share/man usr/share/locale usr/share/info usr/share/perl
	usr/share/i18n usr/lib/*/perl usr/share/zoneinfo usr/share/common-licenses)

# A tree of Debian of ARCH that has perf, made for KERNEL: $CACHE/userland/ARCH-KERNEL/root.cpio.
userland_fetch() { # KERNEL ARCH
	local suite perf=linux-perf dir=$CACHE/userland/$2-$1 debs link

	read -r suite _ < <(kernel_row "$1" "$2") || die "there is no kernel $1 for $2"
	suite=${suite%-backports}
	[ ! -s "$dir/root.cpio" ] || return 0
	apt_open "$suite" "$2"
	[ "$suite" != bullseye ] || perf=linux-perf-5.10
	say "fetching a userland of $suite for $2"
	apt-get -qq -y --download-only install "$perf" "${USERLAND_PACKAGES[@]}" \
		>"$CACHE/apt/log" 2>&1 ||
		die "cannot fetch a userland of $suite: $(grep -m1 '^E:' "$CACHE/apt/log")"
	rm -rf "$dir"
	mkdir -p "$dir/root/usr"
	for link in bin sbin lib lib64; do
		mkdir -p "$dir/root/usr/$link" && ln -s "usr/$link" "$dir/root/$link"
	done
	for debs in "$(dirname "$APT_CONFIG")"/cache/archives/*.deb; do
		# tar keeps the links to usr/, which dpkg-deb -x would replace.
		dpkg-deb --fsys-tarfile "$debs" | tar -x -C "$dir/root" --keep-directory-symlink ||
			die "cannot unpack $debs"
	done
	# shellcheck disable=SC2068 # patterns
	(cd "$dir/root" && rm -rf ${USERLAND_DROP[@]})
	ln -sf mawk "$dir/root/usr/bin/awk"
	[ -e "$dir/root/usr/bin/perf" ] || ln -s perf_5.10 "$dir/root/usr/bin/perf"
	[ ! -e "$dir/root/usr/bin/perf_5.10" ] || ln -sf perf_5.10 "$dir/root/usr/bin/perf"
	[ -e "$dir/root/usr/bin/python3" ] ||
		ln -s "$(basename "$(echo "$dir"/root/usr/bin/python3.*)")" "$dir/root/usr/bin/python3"
	cpio_of "$dir/root" >"$dir/root.cpio.new" && mv "$dir/root.cpio.new" "$dir/root.cpio"
	rm -rf "$dir/root" "$(dirname "$APT_CONFIG")"/cache/archives/*.deb
}

# The files below DIR as an initramfs, root's.
cpio_of() { # DIR
	(cd "$1" && find . -mindepth 1 | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0)
}
