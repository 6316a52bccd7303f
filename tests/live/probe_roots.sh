#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Probes of files as a process of -p has them: below its own root, or mapped from a directory that no cache knows; probes
# of libraries that are loaded later, and of processes that are forked and executed later.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc unshare chroot ldd
unshare -m true 2>/dev/null || skip_all "unshare -m is not permitted"

gcc -w -g -O1 -o serve "$TOP/tests/workloads/probe/serve.c" -ldl || fail "the program serve compiles"
cat >more.c <<'EOF'
void serve_more(int n)
{
	__asm__ volatile("" : : "r"(n) : "memory");
}
EOF
gcc -w -g -O1 -fPIC -shared -o libmore.so.1 more.c || fail "the library compiles with it"
mkfifo go
mkdir -p box/app box/lib64
cp serve box/app/server
cp libmore.so.1 box/app/
ln -s /app/server box/app/link
ldd serve | grep -oE '/[^ ]+' | while read -r lib; do
	mkdir -p "box/${lib%/*}"
	cp -L "$lib" "box/$lib"
done

# Waits until the process has executed the program that it is to be.
executed() { # PID
	until readlink "/proc/$1/exe" | grep -q '/serve'; do :; done
}
# Traces a process that calls once bpfperf is attached. The events may precede -p, and follow it.
traced() { # EVENT CMD… -> out.json
	local event=$1 pid

	shift
	"$@" <>go &
	pid=$!
	executed "$pid"
	# shellcheck disable=SC2016 # the inner shell's
	"$BPFPERF" trace "$event" -p "$pid" -o out.json -- sh -c 'echo >go; while kill -0 "$0" 2>/dev/null; do sleep 0.02; done' "$pid" \
		>said.txt 2>err || { diag "trace $event" "$(cat err)"; kill "$pid"; }
	wait "$pid"
}
# Its calls with their argument, from 0 to 6.
calls() { # FUNCTION
	grep -o "\"event\":\"u:[^\"]*:$1\",.*" out.json | grep -o '"n":[0-9]' | paste -sd' ' -
}
all='"n":0 "n":1 "n":2 "n":3 "n":4 "n":5 "n":6'

traced u:/app/server:serve chroot box /app/server
is "$(calls serve)" "$all" "a path below the root of a process in a chroot"
traced u:/app/link:serve chroot box /app/server
is "$(calls serve)" "$all" "a link below its root leads within that root"
# shellcheck disable=SC2016 # the inner shell's
own='mount --bind box/app /mnt && exec "$@"'
traced u:/mnt/server:serve unshare -m sh -c "$own" sh /mnt/server
is "$(calls serve)" "$all" "a path that only the process's own mounts have"
traced u:server:serve unshare -m sh -c "$own" sh /mnt/server
is "$(calls serve)" "$all" "a program by its name among the process's mappings"
traced u:/app/libmore.so.1:serve_more chroot box /app/server /app/libmore.so.1
is "$(calls serve_more)" "$all" "a library below its root that is loaded later"
traced u:./libmore.so.1:serve_more ./serve ./libmore.so.1
is "$(calls serve_more)" "$all" "a library that is loaded later"
traced u:./serve:serve ./serve fork
is "$(calls serve)" "$all" "a child that is forked later"
cp serve again
"$BPFPERF" trace -o out.json u:./again:serve -- sh -c '{ echo; echo; } | ./serve exec ./again' >said.txt 2>err
is "$(calls serve)" "$all" "a program that is executed later"

./serve <>go &
pid=$!
executed "$pid"
for path in "/proc/$pid/root$PWD/serve" "/proc/$pid/cwd/serve"; do
	is "$("$BPFPERF" list "u:$path:serve" | head -n 1 | cut -d'(' -f1)" u:serve:serve "a path through /proc: $path"
done
"$BPFPERF" trace -p "$pid" u:./nothing:f -- true 2>err
is "$? $(grep -c 'there is no program or library' err)" "2 1" "a file that neither has"
echo >go
wait "$pid"

# The debug file of a program that the user names is found by links, and below the root of a process.
mkdir links links/there
cat >tock.c <<'EOF'
#include <unistd.h>
__attribute__((noinline, noclone)) int tock(int number) { __asm__ volatile(""); return number + 1; }
int main(void) { for (int n = 0; n >= 0; n = tock(n)) usleep(3000); return 0; }
EOF
{ gcc -w -g -O2 -o links/tock tock.c && objcopy --only-keep-debug links/tock links/there/tock.debug &&
	objcopy -g --add-gnu-debuglink=links/there/tock.debug links/tock; } || fail "a program with a debug file of its own"
ln -s there links/.debug
like "$("$BPFPERF" list u:links/tock:tock)" 'tock\(int number\)' "a debug file in a linked directory"
rm links/.debug && ln -s there/tock.debug links/tock.debug
like "$("$BPFPERF" list u:links/tock:tock)" 'tock\(int number\)' "a debug file that is a link"
rm links/tock.debug && mv links/there/tock.debug links/
unshare -m sh -c 'mount --bind links /mnt && exec /mnt/tock' &
tock=$!
reap $tock
wait_for 10 grep -q /mnt/tock /proc/$tock/maps
is "$(timeout 20 "$BPFPERF" trace -p $tock --max-events 11 'u:/mnt/tock:tock(number)' 2>err | grep -cE 'tock: number=[0-9]')" 11 \
	"the debug file of a program with mounts of its own"
kill $tock
wait $tock 2>/dev/null

# After an update a process runs a file that has no path, or another one's.
cat >tick.c <<'EOF'
#include <unistd.h>
__attribute__((noinline, noclone)) int tick(int n) { __asm__ volatile(""); return n + 1; }
int main(void) { for (int n = 0; n >= 0; n = tick(n)) usleep(3000); return 0; }
EOF
gcc -w -g -O2 -o tick tick.c || fail "the probed program tick.c compiles"
./tick &
tick=$!
reap $tick
wait_for 10 grep -q "$PWD/tick" /proc/$tick/maps
ticks() { # NAME -> the number of calls, and whether a warning says which file is probed
	timeout 20 "$BPFPERF" trace -p $tick --max-events 11 "u:$1:tick" >out 2>err
	echo "$(grep -cE ': u:[a-z.]*tick[a-z.]*:tick: n=[0-9]' out) $(grep -cF "process $tick runs a file $1 that has been deleted or replaced" err)"
}
is "$(ticks ./tick)" "11 0" "a file that is as it was: no word of another one"
cp tick other && mv other tick
is "$(ticks ./tick)" "11 1" "a file that was replaced: that of the process is probed, and that is said"
is "$(ticks tick)" "11 1" "a file that was replaced, by its name"
rm tick
is "$(ticks "$PWD/tick")" "11 1" "a file that was deleted: that of the process is probed"
ln -s . here
is "$(ticks here/tick)" "11 1" "a file that was deleted, by a link to its directory"
kill $tick
wait $tick 2>/dev/null

# So does a library of a process that has its own root or mounts, by its path there and by its name.
cat >libtick.c <<'EOF'
__attribute__((noinline, noclone)) int tick(int n) { __asm__ volatile(""); return n + 1; }
EOF
cat >tock.c <<'EOF'
#include <unistd.h>
int tick(int n);
int main(void) { for (int n = 0; n >= 0; n = tick(n)) usleep(3000); return 0; }
EOF
{ gcc -w -g -O2 -fPIC -shared -o libtick.so libtick.c && gcc -w -O2 -o box/app/tock tock.c -L. -ltick -Wl,-rpath,/app:/mnt; } ||
	fail "the probed library compiles, and a program with it"
# Asks for the calls of a library after each change of its file; CMD starts the program, which has it at PATH.
library_ticks() { # WHAT PATH CMD…
	local what=$1 path=$2

	shift 2
	cp libtick.so box/app/
	"$@" &
	tick=$!
	reap $tick
	wait_for 10 grep -q libtick.so "/proc/$tick/maps"
	is "$(ticks "$path")" "11 0" "$what: a library that is as it was"
	cp libtick.so box/app/other && mv box/app/other box/app/libtick.so
	is "$(ticks "$path")" "11 1" "$what: a library that was replaced"
	is "$(ticks libtick.so)" "11 1" "$what: a library that was replaced, by its name"
	rm box/app/libtick.so
	is "$(ticks "$path")" "11 1" "$what: a library that was deleted"
	is "$(ticks "${path%/*}/./libtick.so")" "11 1" "$what: a library that was deleted, by another path"
	is "$(ticks libtick)" "11 1" "$what: a library that was deleted, by its name"
	kill $tick
	wait $tick 2>/dev/null
}
library_ticks "mounts of its own" /mnt/libtick.so unshare -m sh -c 'mount --bind box/app /mnt && exec /mnt/tock'
# Another file has the library's path, in its mounts and in ours.
mkdir -p hidden/lib
cp libtick.so hidden/lib/
# shellcheck disable=SC2016 # the inner shell's
unshare -m sh -c 'mount -t tmpfs none hidden/lib && cp libtick.so hidden/lib && LD_LIBRARY_PATH=$PWD/hidden/lib box/app/tock & tock=$!
	until grep -q hidden/lib "/proc/$tock/maps"; do :; done; mount -t tmpfs none hidden/lib; echo $tock >tock; wait' &
reap $!
is_there() { [ -s tock ]; }
wait_for 10 is_there
reap "$(cat tock)"
exits 2 "a library whose path has another file: exit 2" timeout 20 "$BPFPERF" trace -p "$(cat tock)" -o out.json u:libtick:tick
like "$(cat err)" "libtick" "a library whose path has another file: it is named"
kill "$(cat tock)"
library_ticks "a root by chroot" /app/libtick.so chroot box /app/tock
library_ticks "a root by chroot, with mounts of its own" /app/libtick.so unshare -m chroot box /app/tock
library_ticks "a root by pivot_root" /app/libtick.so unshare -m sh -c \
	'mount --bind box box && cd box && mkdir -p old && pivot_root . old && exec /app/tock'
done_testing
