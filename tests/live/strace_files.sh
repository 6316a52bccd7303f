#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# bpfperf strace -y and -yy: descriptors with their files, sockets with their addresses; beside strace where it is installed.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

need_cmd python3
# The program itself: a script that finds it would be traced, too.
PYTHON=$(python3 -c 'import sys; print(sys.executable)')
PROGRAM=$TOP/tests/live/strace_files.py
PORT='127\.0\.0\.1:[0-9]+'

files() { # FILE: the calls of the program's own files, with inodes and ports masked
	sed -nE '/^[0-9]+ +socket\(AF_INET, SOCK_STREAM/,$p' "$1" | sed -E 's/:\[[0-9]+->[0-9]+/:[INO->INO/g; s/:\[[0-9]+/:[INO/g
		s/[A-Z_]+:[0-9]+\]>/PID]>/; s/pid:[0-9]+/PID/; s/:[0-9]{4,5}\b/:PORT/g; s/htons\([0-9]+\)/PORT/g; s/\) += /) = /; s/^[0-9]+ +//
		/^getpid/d; s/pidfd_open\([0-9]+/pidfd_open(PID/; s/nl_pad=0x[0-9a-f]+, //; s/0x[0-9a-f]{6,}/ADDR/g'
}

for y in -y -yy; do
	exits 0 "strace $y: exit 0" "$BPFPERF" strace $y -o ours$y.txt "$PYTHON" "$PROGRAM" "$PWD" </dev/null
	is "$(summary lost)" 0 "strace $y: no record is lost"
done
like "$(cat ours-y.txt)" 'connect\(4<socket:\[[0-9]+\]>, ' "strace -y: the inode of a socket"
like "$(cat ours-yy.txt)" "accept4\(3<TCP:\[$PORT\]>, .* = 5<TCP:\[$PORT->$PORT\]>" "strace -yy: the addresses of a TCP socket"
like "$(cat ours-yy.txt)" "shutdown\(4<TCPv6:\[\[::1\]:[0-9]+->\[::1\]:[0-9]+\]>" "strace -yy: the addresses of a TCPv6 socket"
like "$(cat ours-yy.txt)" 'sendto\(5<UNIX-STREAM:\[[0-9]+->[0-9]+,"/.*/socket"\]>' "strace -yy: the inodes and the path of a UNIX socket"
like "$(cat ours-yy.txt)" 'close\(3<NETLINK:\[SOCK_DIAG:[0-9]+\]>\)' "strace -yy: the protocol and the port of a netlink socket"
like "$(cat ours-yy.txt)" 'write\([0-9]+</dev/null<char 1:3>>, ' "strace -yy: the numbers of a device"
like "$(cat ours-yy.txt)" 'pidfd_send_signal\([0-9]+<pid:[0-9]+>, 0' "strace -yy: the process of a pidfd"
like "$(cat ours-yy.txt)" 'write\([0-9]+</[^ ]*/a\\"\\74b\\76>\(deleted\), "x"' "strace -yy: a deleted file with brackets in its name"
is "$(files ours-yy.txt | grep -cE '^(close|write|sendto|recvfrom)\([0-9]+[^0-9<]')" 0 "strace -yy: every descriptor has a file"

# A socket lives for one call or two, and is gone long before the records are read.
cat >short.py <<'END'
import socket
for i in range(401):
    a, b = socket.socketpair()
    a.close()
    b.close()
END
"$BPFPERF" strace -yy -e trace=socketpair,close -o short.txt "$PYTHON" short.py 2>err
is "$(grep -cE '^[0-9]+ +(socketpair|close)\(.*[0-9]<UNIX-STREAM:\[[0-9]+->[0-9]+\]>' short.txt)" 1203 "strace -yy: the peers of 401 pairs that live for two calls"

# Two file systems whose first files have one inode number, one after the other by the same descriptor, in the program's own mounts.
cat >twins.py <<'END'
import os, sys
for name in "one", "other":
    os.mkdir(name)
    if os.system("mount -t tmpfs none " + name):
        sys.exit(1)
    open(name + "/file", "w").close()
if os.stat("one/file").st_ino != os.stat("other/file").st_ino:
    sys.exit(1)
os.close(os.open("one/file", os.O_RDONLY))
os.open("other/file", os.O_RDONLY)
# The records are read while the second one is open.
open("opened", "w").close()
os.read(0, 1)
END
mkfifo hold
"$BPFPERF" strace -y -e trace=openat -o twins.txt unshare -m "$PYTHON" twins.py <hold 2>err &
exec 7>hold
wait_for 20 grep -q '"opened"' twins.txt
exec 7>&-
wait $!
like "$(cat twins.txt)" '"one/file", O_RDONLY\|O_CLOEXEC\) = [0-9]+</[^ ]*/one/file>' "strace -y: a file is not another one with its inode number"
like "$(cat twins.txt)" '"other/file", O_RDONLY\|O_CLOEXEC\) = [0-9]+</[^ ]*/other/file>' "strace -y: the second of two files with one inode number"

if ! command -v strace >/dev/null || ! strace -o x true 2>/dev/null; then
	skip_test "strace -yy: the lines equal strace's" "strace is not installed, or may not trace here"
	done_testing
	exit
fi
for y in -y -yy; do
	strace $y -o theirs.txt "$PYTHON" "$PROGRAM" "$PWD" </dev/null 2>/dev/null
	sed -i 's/^/1 /' theirs.txt
	isnt "$(files theirs.txt | wc -l)" 0 "strace $y: strace prints the files here"
	is "$(diff <(files theirs.txt) <(files ours$y.txt))" "" "strace $y: the lines of the files equal strace's"
done
done_testing
