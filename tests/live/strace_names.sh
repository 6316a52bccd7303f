#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# bpfperf strace -y and -P: names of descriptors are the traced program's files, and its paths are not looked at: another
# root, or a link that comes later, may lead root anywhere.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

need_root
need_cmd python3
PYTHON=$(python3 -c 'import sys; print(sys.executable)')
mkdir here there real
ln -s /etc/passwd here/file
echo x >there/file
echo x >real/file
ln -s real link

# In the mounts of the program the path is no link.
cat >opens.py <<'END'
import os, sys
for i in range(101):
    os.close(os.open(sys.argv[1], os.O_RDONLY))
END
# shellcheck disable=SC2016
exits 0 "a path in other mounts: exit 0" "$BPFPERF" strace -y -e trace=openat,close -o mounts.txt unshare -m sh -c \
	'mount --bind there here && exec "$0" opens.py here/file' "$PYTHON"
is "$(grep -cE "= [0-9]+<$PWD/here/file>" mounts.txt)" 101 "a path in other mounts: the descriptor has the program's file"
is "$(grep -E 'here/file' mounts.txt | grep -c '</etc/passwd>')" 0 "a path in other mounts: the link in our root is not followed"

# The program waits until its call is printed, so that /proc has its descriptor.
cat >holds.py <<'END'
import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
sys.stdin.read()
END
mkfifo go
"$BPFPERF" strace -y -e trace=openat -o held.txt "$PYTHON" holds.py link/file <go 2>err &
bg=$!
exec 4>go
wait_for 60 grep -q 'link/file' held.txt
exec 4>&-
wait $bg
is $? 0 "a descriptor that is open: exit 0"
like "$(grep 'link/file' held.txt)" "= [0-9]+<$PWD/real/file>" "a descriptor that is open: its name has no links"

# Prints how many descriptors that were opened by a path have a name of this file.
led_to() { # LINES PATH FILE
	grep -F "$2" "$1" | sed -n 's/.* = [0-9]*<\(.*\)>$/\1/p' | xargs realpath | grep -cx "$3"
}
exits 0 "dots in a path: exit 0" "$BPFPERF" strace -y -e trace=openat,close -o dots.txt "$PYTHON" opens.py "real/.././real//file"
is "$(led_to dots.txt real//file "$PWD/real/file")" 101 "dots in a path: the name leads to the file"

# Behind a link, ".." is the directory above the target.
mkdir -p far/away
echo x >far/file
echo x >file
ln -s far/away jump
exits 0 "dots behind a link: exit 0" "$BPFPERF" strace -y -e trace=openat,close -o jump.txt "$PYTHON" opens.py jump/../file
is "$(led_to jump.txt jump/../file "$PWD/far/file")" 101 "dots behind a link: the name leads to the file"

# Beside strace: the working directory after each call. The program waits until its calls are printed.
cat >walks.py <<'END'
import os, sys
def visit(*dirs):
    for to in dirs:
        os.chdir(to)
        os.close(os.open(".", os.O_RDONLY))
home = os.getcwd()
print(os.getpid(), flush=True)
visit(*sys.argv[2:])
if sys.argv[1] == "wait":
    sys.stdin.read()
visit(home)
END
walk() { # NAME DIR...
	local name=$1

	shift
	rm -f ours.txt
	strace -y -e trace=chdir,openat -o theirs.txt "$PYTHON" walks.py go "$@" >out 2>err
	"$BPFPERF" strace -y -e trace=chdir,openat -o ours.txt "$PYTHON" walks.py wait "$@" <go >pid 2>err &
	bg=$!
	exec 4>go
	wait_for 60 printed $#
	exec 4>&-
	wait $bg
	is $? 0 "$name: exit 0"
	is "$(dirs_of ours.txt "$(cat pid)")" "$(dirs_of theirs.txt "$(cat out)")" "$name: the directories are strace's"
}
# The last one is of after the wait, when the process may have ended.
dirs_of() { # FILE PID
	sed -n 's/.*AT_FDCWD<\(.*\)>, "\."[^.].*/\1/p' "$1" | sed "\$d; s:/$2/:/PID/:"
}
printed() { # N
	[ "$(grep -c 'AT_FDCWD<.*>, "\.",' ours.txt 2>err)" -ge "$1" ]
}
mkdir real/real
if command -v strace >/dev/null && strace -o x true 2>/dev/null; then
	walk "a directory by a link" jump
	walk "the directory above a link's target" jump ..
	walk "a directory that is named after itself" real
	walk "a directory of /proc that is the process's own" /proc/self/ns
	if [ "$(printf '%s\n' 5.12 "$(uname -r)" | sort -V | head -1)" = 5.12 ]; then
		walk "directories one after another" jump .. away ../.. "$PWD/link" ../far/./away/ "$PWD" jump ../..
	else
		skip_test "directories one after another" "Linux before 5.12 does not tell what it has in its cache"
	fi
else
	skip_test "working directories beside strace" "no strace"
fi

exits 0 "-P: exit 0" "$BPFPERF" strace -P "$PWD/real/file" -e trace=openat,close -o paths.txt "$PYTHON" opens.py "real/../real/file"
is "$(grep -c 'close(' paths.txt)" 101 "-P: a descriptor of the file that was opened by another path"
done_testing
