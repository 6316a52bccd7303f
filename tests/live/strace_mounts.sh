#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# bpfperf strace -P: a file that the program opens by another name is found on file systems of which stat(2) has another
# device than the kernel, and so is a device.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

need_root
need_cmd python3 unshare
PYTHON=$(python3 -c 'import sys; print(sys.executable)')
cat >opens.py <<'EOF'
import os, sys
for i in range(101):
    os.close(os.open(sys.argv[1], os.O_RDONLY))
EOF
export BPFPERF PYTHON

# A script of the mounts makes the directory m; then its file is traced, which is opened by a link.
closes() { # MOUNTS
	rm -f found.txt
	# shellcheck disable=SC2016 # The inner shell expands it.
	unshare -m sh -e -c "$1"'
		echo x >"$2/file"
		ln -s file "$2/link"
		"$BPFPERF" strace -P "$PWD/$2/file" -e trace=openat,close -o found.txt "$PYTHON" opens.py "$2/link"' \
		sh "$PWD" "$2" 2>err || diag "$(<err)"
	grep -c 'close(' found.txt
}

mkdir o t b
is "$(closes 'mount -t tmpfs none t' t)" 101 "-P on a tmpfs: a file that was opened by a link"
if grep -qw overlay /proc/filesystems; then
	is "$(closes 'mount -t tmpfs none t; mkdir t/lower t/upper t/work; echo y >t/lower/file
		mount -t overlay overlay -o lowerdir=t/lower,upperdir=t/upper,workdir=t/work o' o)" 101 \
		"-P on an overlay: a file that was opened by a link"
	# Layers on several file systems have devices of their own in stat(2).
	is "$(closes 'mount -t tmpfs none t; mount -t tmpfs none b; mkdir t/upper t/work; echo y >b/file
		mount -t overlay overlay -o lowerdir=b,upperdir=t/upper,workdir=t/work o' o)" 101 \
		"-P on an overlay of two file systems: a file that was opened by a link"
else
	skip_test "-P on an overlay" "the kernel has no overlayfs"
fi
if command -v mkfs.btrfs >/dev/null && command -v btrfs >/dev/null && grep -qw btrfs /proc/filesystems && losetup -f >out 2>err; then
	is "$(closes 'truncate -s 256M disk; mkfs.btrfs -q disk >/dev/null
		mount -o loop disk b; btrfs -q subvolume create b/sub >/dev/null' b/sub)" \
		101 "-P on a subvolume of btrfs: a file that was opened by a link"
else
	skip_test "-P on a subvolume of btrfs" "no mkfs.btrfs or no loop device"
fi
is "$(closes 'mount -t tmpfs none t; mknod t/file c 1 3' t)" 101 "-P of a device: by a link to it"
done_testing
