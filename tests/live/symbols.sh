#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Names, wherever a program's file is and whatever was stripped from it.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd g++ objcopy strip xz perf

samples() { # FILE [REGEX]
	grep -aE "${2:-.}" "$1" | awk '{ n += $NF } END { print n + 0 }'
}

# Profiles CMD into FILE and checks that almost all of THREAD's samples match REGEX.
named() { # NAME FILE THREAD REGEX CMD…
	local name=$1 file=$2 thread=$3 regex=$4 all

	shift 4
	exits 0 "$name: recorded" "$BPFPERF" stack -F 499 -o "$file" -- "$@" || return
	all=$(samples "$file" "^$thread;")
	between "$all" 100 2000 "$name: there are samples"
	between "$(samples "$file" "^$thread;(.*;)?$regex")" $((97 * all / 100)) "$all" \
		"$name: they are named" || diag "$(grep "^$thread;" "$file" | head -n 5)"
}

cat >a.cpp <<'END'
#include <cstdlib>
#include <cstring>
#include <ctime>
namespace app {
template <class T> struct engine {
	__attribute__((noinline)) static unsigned long burn(T ms);
};
static double now()
{
	timespec ts;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}
__attribute__((noinline)) static unsigned long hidden(unsigned long x)
{
	for (volatile int i = 0; i < 200000; i = i + 1)
		x += i;
	return x;
}
template <class T> unsigned long engine<T>::burn(T ms)
{
	unsigned long x = 0;
	for (double end = now() + ms; now() < end;)
		x += hidden(x);
	return x;
}
}
int main(int argc, char **argv)
{
	return app::engine<int>::burn(argc > 1 ? atoi(argv[1]) : 800) == 42;
}
END
CXX=(g++ -O1 -fno-inline -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -g)
[ "$(uname -m)" = x86_64 ] || CXX=(g++ -O1 -fno-inline -fno-omit-frame-pointer -g)
ok "a C++ program is built" "${CXX[@]}" a.cpp -Wl,--build-id -o cpp
BURN='app::engine<int>::burn;(app::hidden|app::now)'

named "C++" cpp.folded cpp "$BURN" ./cpp
like "$(cat cpp.folded)" ';main;app::engine<int>::burn;app::hidden [0-9]' "a C++ program: the whole path is named"

exits 0 "stack --no-demangle: exit 0" "$BPFPERF" stack --no-demangle -F 499 -o raw.folded -- ./cpp
like "$(cat raw.folded)" ';_ZN3app6engineIiE4burnEi;' "stack --no-demangle: names as the linker knows them"

# An inlined function is shown as a call of the source.
sed 's/__attribute__((noinline)) static unsigned long hidden/static inline unsigned long hidden/' a.cpp >i.cpp
ok "a program with inlined functions is built" g++ -O2 -g -fno-omit-frame-pointer i.cpp -o inl
named "inlined" inl.folded inl 'app::engine<int>::burn;(app::hidden|app::now)[; ]' ./inl
exits 0 "stack --no-inline: exit 0" "$BPFPERF" stack --no-inline -F 499 -o flat.folded -- ./inl
is "$(samples flat.folded 'hidden[; ]')" 0 "stack --no-inline: inlined functions are not named"
between "$(samples flat.folded '^inl;.*app::engine<int>::burn')" 100 2000 "stack --no-inline: the function that holds them is named"

# Rust's newer mangling, through an assembler name, where there is no Rust.
cat >rust.c <<'END'
#include <time.h>
void spin(void) __asm__("_RNvNtC8workload6engine4burn");
__attribute__((noinline)) void spin(void)
{
	for (volatile int i = 0; i < 1000000; i = i + 1)
		;
}
void old(void) __asm__("_ZN8workload6engine5older17h0123456789abcdefE");
__attribute__((noinline)) void old(void)
{
	spin();
	__asm__ volatile("");
}
int main(void)
{
	while (clock() < CLOCKS_PER_SEC * 6 / 10)
		old();
}
END
gcc -O1 -fno-omit-frame-pointer rust.c -o rusty
named "Rust" rust.folded rusty 'workload::engine::older;workload::engine::burn' ./rusty

# Stripped, the names elsewhere.
objcopy --only-keep-debug cpp cpp.debug
strip cpp -o linked && objcopy --add-gnu-debuglink=cpp.debug linked
named "debug link" link.folded linked "$BURN" ./linked
mkdir .debug && cp cpp.debug .debug/
mv cpp.debug gone.debug
named "debug link in .debug/" link2.folded linked "$BURN" ./linked
# Another build's file of the same name: its names are not for this program.
sed 's/hidden/wrong/' a.cpp >b.cpp && "${CXX[@]}" b.cpp -Wl,--build-id -o other &&
	objcopy --only-keep-debug other .debug/cpp.debug
exits 0 "a debug file of another build: exit 0" "$BPFPERF" stack -F 499 -o wrong.folded -- ./linked
is "$(samples wrong.folded '^linked;.*app::')" 0 "a debug file of another build: no function is named"
between "$(samples wrong.folded '^linked;.*\[linked\+0x[0-9a-f]+\]')" 100 2000 \
	"a debug file of another build: the file and the offset are printed"
rm -r .debug
id=$(readelf -n cpp | sed -n 's/.*Build ID: //p')
dbg=/usr/lib/debug/.build-id/${id:0:2}
had_dir=$([ -d "$dbg" ] && echo yes)
if mkdir -p "$dbg" 2>/dev/null && cp gone.debug "$dbg/${id:2}.debug"; then
	strip cpp -o by_id
	named "build-id directory" id.folded by_id "$BURN" ./by_id
	rm "$dbg/${id:2}.debug"
	[ -n "$had_dir" ] || rmdir "$dbg"
fi
# MiniDebugInfo, as distributions make it: only the functions that .dynsym lacks.
nm -D cpp --format=posix --defined-only | awk '{ print $1 }' | sort >dynsyms
nm cpp --format=posix --defined-only | awk '$2 ~ /[TtWw]/ { print $1 }' | sort >funcsyms
comm -13 dynsyms funcsyms >keep
objcopy -S --remove-section .gdb_index --keep-symbols=keep gone.debug mini 2>/dev/null
xz mini && strip cpp -o mini_cpp && objcopy --add-section .gnu_debugdata=mini.xz mini_cpp
named "MiniDebugInfo" mini.folded mini_cpp "$BURN" ./mini_cpp

# Other roots. Files there are seen by no other process, and gone when the profile is printed.
if unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's
	inner='mkdir -p ns && mount -t tmpfs none ns && mkdir ns/bin ns/bin/.debug &&
		cp linked ns/bin/contained && cp gone.debug ns/bin/.debug/cpp.debug &&
		exec ns/bin/contained'
	named "another mount name space, with its debug file" ns.folded contained "$BURN" \
		unshare -m sh -c "$inner"
	# shellcheck disable=SC2016
	inner='mkdir -p jail && mount -t tmpfs none jail && mkdir -p jail/bin jail/usr/lib/debug/.build-id/'${id:0:2}' &&
		g++ -O1 -static -o jail/bin/x -x c++ /dev/null 2>/dev/null; cp static jail/bin/jailed &&
		exec chroot jail /bin/jailed'
	"${CXX[@]}" -static a.cpp -o static
	named "chroot" chroot.folded jailed "$BURN" unshare -m sh -c "$inner"
else
	skip_test "another mount namespace: functions are named" "unshare -m is not permitted"
fi
cp cpp vanishing
# shellcheck disable=SC2016
named "deleted while it runs" del.folded vanishing "$BURN" sh -c './vanishing & sleep 0.2; rm vanishing; wait'

# Another program in the file of the first, while that is held open: each names its own or nothing.
sed 's/hidden/shown/; s/engine/motor/' a.cpp >c.cpp
ok "another program in the same file: it is built" "${CXX[@]}" c.cpp -o another
cp cpp rewritten
exits 0 "another program in the same file: exit 0" "$BPFPERF" stack -F 499 -o re.folded -- \
	sh -c './rewritten 400; cat another >rewritten; ./rewritten 400'
all=$(samples re.folded '^rewritten;')
between "$(samples re.folded '^rewritten;.*app::motor<int>::burn;(app::shown|app::now)')" $((all / 3)) "$all" \
	"another program in the same file: functions of the new one are named"
between "$(samples re.folded '^rewritten;.*\[rewritten\+0x')" $((all / 3)) "$all" "another program in the same file: no function of the old one is named"

# More files that are gone at the end than the shell may open; CMD's limit stays.
if [ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -ge 1024 ]; then
	mkdir many
	for i in $(seq 41); do
		cp cpp "many/p$i"
	done
	cat >many.sh <<-'END'
		ulimit -Sn >limit
		for p in many/*; do
			$p 20
		done
		until [ -e gone ]; do
			sleep 0.1
		done
	END
	sh -c 'ulimit -Sn 64 && exec "$@"' sh "$BPFPERF" stack -F 997 -o many.folded -- sh many.sh 2>err &
	bg=$!
	reap $bg
	# A file is also open for a moment while its unwind table is read: a look must find the descriptors of the last one.
	held() {
		local last=$seen

		seen=$(find /proc/"$bg"/fd -lname '*/many/p*' -printf '%f %l\n' | sort -k 2 -u)
		[ "$(echo "$seen" | wc -l)" -eq 41 ] && [ "$seen" = "$last" ]
	}
	seen=
	ok "41 files with a limit of 64: all are held open" wait_for 300 held
	rm -r many
	: >gone
	wait $bg
	is $? 0 "41 files with a limit of 64: exit 0"
	is "$(cat limit)" 64 "41 files with a limit of 64: CMD has no more"
	is "$(grep -E '^p[0-9]+;.*app::engine<int>::burn;app::' many.folded | cut -d';' -f1 | sort -u | wc -l)" 41 \
		"41 files with a limit of 64: functions are named" || diag "$(cat err)" "$(grep -E '^p[0-9]+;' many.folded |
		grep -v 'app::engine<int>::burn;app::')"
	for cmd in trace\ -esched:sched_process_exit record stat; do
		rm -f limit
		# shellcheck disable=SC2086
		sh -c 'ulimit -Sn 64 && exec "$@"' sh "$BPFPERF" $cmd -o some.out -- sh -c 'ulimit -Sn >limit' 2>err
		is "$(cat limit)" 64 "a limit of 64 files: CMD of ${cmd%% *} has no more"
	done
else
	skip_test "more files than the shell may open" "no more than $(ulimit -Hn) may be open"
fi

# 300 processes of 5 ms each.
exits 0 "300 short processes: exit 0" "$BPFPERF" stack -F 999 -o short.folded -- "$WORKLOADS/short_lived" 300 5
all=$(samples short.folded '^exe;')
between "$all" 800 6000 "300 short processes: there are samples"
spun=$(samples short.folded '^exe;.*spin_briefly')
between "$(samples short.folded '^exe;.*main;spin_briefly')" $((98 * spun / 100)) "$spun" \
	"300 short processes: the function that spins is named"
between "$(samples short.folded '^exe;(.*;)?(\[short_lived\+0x|\[unknown\] )')" 0 \
	$((all * 2 / 100)) "300 short processes: next to nothing is unnamed"

# A JIT compiler: code in anonymous memory, told of in /tmp/perf-PID.map.
cat >jit.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	/* push frame; count rdi down to 0; pop frame; return */
#ifdef __x86_64__
	static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3 };
#else
	static const unsigned int code[] = { 0xa9bf7bfd, 0x910003fd, 0xd1000400, 0xb5ffffe0, 0xa8c17bfd, 0xd65f03c0 };
#endif
	char *mem = mmap(NULL, 8192, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	void (*fn)(unsigned long);
	FILE *f;

	memcpy(mem + 256, code, sizeof(code));
	__builtin___clear_cache(mem, mem + 8192);
	memcpy(&fn, &(void *){ mem + 256 }, sizeof(fn));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", argc > 2 ? atoi(argv[2]) : getpid());
	unlink(path);
	f = fopen(path, "w");
	fprintf(f, "%lx 1000 Old code before it\n", (unsigned long)mem);
	fprintf(f, "%lx %zx JitFunction:~loop app.js:17\n", (unsigned long)mem + 256, sizeof(code));
	fclose(f);
	if (argc > 1 && strcmp(argv[1], "-"))
		chown(path, (uid_t)atoi(argv[1]), 0);
	while (clock() < CLOCKS_PER_SEC * 6 / 10)
		fn(10000000);
	unlink(path);
}
END
gcc -O1 -fno-omit-frame-pointer -w jit.c -o jit
# Interrupts of the loop are frames of the kernel below it.
JIT='JitFunction:~loop app\.js:17[; ]'
named "JIT map, gone at the end" jit.folded jit "$JIT" ./jit
exits 0 "a map of another user: exit 0" "$BPFPERF" stack -F 499 -o foreign.folded -- ./jit 4242
is "$(samples foreign.folded 'JitFunction')" 0 "a map of another user: no function is named"
between "$(samples foreign.folded '^jit;.*\[anon\]')" 100 2000 "a map of another user: [anon] in their place"
if unshare -mpf true 2>/dev/null; then
	# Its pid in there is 1, its /tmp its own.
	named "JIT map of a container" cjit.folded jit "$JIT" unshare -mpf --mount-proc sh -c \
		'mkdir -p t && mount -t tmpfs none t && cp jit t/ && mount --bind t /tmp && exec /tmp/jit'
else
	skip_test "JIT map of a container" "unshare -p is not permitted"
fi
done_testing
