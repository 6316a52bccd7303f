#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Stripped programs by function: C (dynamic, static, 32-bit) by its frame information, Go by its own table; beside nm of
# the program with symbols. A JIT map that a process writes at its end.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 gcc strip nm

cat >spin.c <<'END'
__attribute__((noinline, noclone)) unsigned inner(unsigned n)
{
	unsigned v = n;

	while (n--)
		v = v * 2654435761u + (v >> 7);
	return v;
}
__attribute__((noinline, noclone)) unsigned outer(unsigned n)
{
	return inner(n) + 1;
}
END
cat >main.c <<'END'
#include <time.h>
unsigned outer(unsigned n);
int main(void)
{
	volatile unsigned s = 0;

	while (clock() < CLOCKS_PER_SEC * 6 / 10)
		s += outer(100000);
	return s == 3;
}
END
cat >bare.c <<'END'
unsigned outer(unsigned n);
void _start(void)
{
	volatile unsigned s = 0;

	for (int i = 0; i < 6000; i++)
		s += outer(100000);
	__asm__ volatile("int $0x80" ::"a"(1), "b"(0));
}
END

# Profiles STRIPPED into JSON; prints how many frames of its own have the function of nm of PROGRAM: as a name, or
# as the start in [STRIPPED+0xSTART]; how many have not; the names of functions.
compare() { # PROGRAM STRIPPED
	"$BPFPERF" stack -F 499 --format json -o "$2.json" -- "./$2" 2>err || return
	nm "$1" | grep -i ' t ' >"$1.nm"
	python3 - "$1" "$2" <<'END'
import bisect
import json
import re
import subprocess
import sys

program, stripped = sys.argv[1:]
starts = {}
for line in open(program + ".nm"):
    addr, _, name = line.split(None, 2)
    starts.setdefault(int(addr, 16), set()).add(re.sub(r"\.abi0$", "", name.strip()))
order = sorted(starts)
# Names have offsets in the file.
segments = [line.split() for line in subprocess.run(["readelf", "-lW", stripped], capture_output=True,
                                                    text=True).stdout.splitlines() if line.startswith("  LOAD")]

def offset_of(addr):
    for s in segments:
        off, vaddr, size = (int(s[i], 16) for i in (1, 2, 4))
        if vaddr <= addr < vaddr + size:
            return off + addr - vaddr
    return -1

right = wrong = 0
names = set()
# crtbegin.o has these without entries of .eh_frame: where they begin is in no stripped file. A program that ends runs one.
runtime = {"__do_global_dtors_aux", "frame_dummy", "register_tm_clones", "deregister_tm_clones"}
for line in open(stripped + ".json", encoding="utf-8"):
    o = json.loads(line)
    if not o.get("module", "").endswith("/" + stripped) or "frame" not in o or o.get("inlined"):
        continue
    addr = int(o["address"], 16)
    start = order[bisect.bisect_right(order, addr) - 1]
    if set(starts[start]) <= runtime:
        continue
    known = {f"[{stripped}+{offset_of(start):#x}]"} | starts[start]
    good = o["name"] in known and o.get("offset", addr - start) == addr - start
    right += good
    wrong += not good
    if not good:
        print("not in nm:", o, known, file=sys.stderr)
    for name in starts[start]:
        names.add(name)
print(right, wrong, *sorted(names & {"inner", "outer", "main", "_start", "main.main", "main.work"}))
END
}

# Checks that each own function is one row with the start of nm.
by_function() { # NAME PROGRAM STRIPPED WANT
	local got

	got=$(compare "$2" "$3" 2>notes) || diag "$(cat err)"
	read -r right wrong names <<<"$got"
	between "${right:-0}" 2 100000 "$1: frames have the functions of nm"
	is "$wrong" 0 "$1: no frame has another function" || diag "$(head -n 5 notes)"
	like " $names " "$4" "$1: the hot functions are among them"
}

gcc -O2 -o dynamic spin.c main.c && strip -s -o sdynamic dynamic
by_function "a stripped program" dynamic sdynamic ' inner main outer '
rows=$("$BPFPERF" stack -i sdynamic.json --format flat | grep -c '\[sdynamic+')
between "$rows" 3 6 "a stripped program: a function is one row"
gcc -O2 -no-pie -o fixed spin.c main.c && strip -s -o sfixed fixed
by_function "a stripped program at a fixed address" fixed sfixed ' inner main outer '
if gcc -O2 -static -o static spin.c main.c 2>/dev/null; then
	strip -s -o sstatic static
	by_function "a stripped static program" static sstatic ' inner main outer '
else
	skip_test "a stripped static program" "the C library is not there as an archive"
fi
if [ "$(uname -m)" = x86_64 ] && gcc -m32 -O2 -fno-omit-frame-pointer -nostdlib -static -ffreestanding -fno-pic -no-pie \
	-fasynchronous-unwind-tables -o bits32 spin.c bare.c 2>/dev/null && ./bits32; then
	strip -s -o sbits32 bits32
	by_function "a stripped 32-bit program" bits32 sbits32 ' inner '
else
	skip_test "a stripped 32-bit program" "it cannot be built or run"
fi

cat >main.go <<'END'
package main

import "time"

func step(n uint64) uint64 {
	return n*6364136223846793005 + 1
}

//go:noinline
func work(k int, n uint64) uint64 {
	for i := 0; i < k; i++ {
		n = step(n)
	}
	return n
}

func main() {
	n := uint64(0)
	for end := time.Now().Add(600 * time.Millisecond); time.Now().Before(end); {
		n = work(1000000, n)
	}
	if n == 3 {
		println(n)
	}
}
END
export GOCACHE=$TMP/gocache GO111MODULE=off CGO_ENABLED=0 GOFLAGS=-p=1
if command -v go >/dev/null && go build -o gofixed main.go 2>/dev/null && go build -buildmode=pie -o gopie main.go 2>/dev/null; then
	for kind in fixed pie; do
		strip -s -o sgo$kind go$kind
		by_function "a stripped Go program, $kind" go$kind sgo$kind ' main.work '
		is "$("$BPFPERF" stack -i sgo$kind.json --format flat | grep -c '\[sgo')" 0 \
			"a stripped Go program, $kind: every function has a name"
		like "$(grep '"name":"main.step"' sgo$kind.json)" '"inlined":true' "a stripped Go program, $kind: inlined functions"
		# The chain at an address is as long as DWARF has it.
		python3 -c 'import collections, json, sys
at = collections.Counter(f["address"] for f in map(json.loads, open(sys.argv[1])) if "frame" in f and f.get("module", "").endswith(sys.argv[2]))
for a, n in sorted(at.items()):
	print(a, n)' sgo$kind.json /sgo$kind >got.txt
		awk '{ print $1 }' got.txt | addr2line -ai -e go$kind |
			awk '/^0x0*/ { if (a) print a, n; a = $1; sub(/^0x0*/, "0x", a); n = 0; next } { n++ } END { print a, n }' >want.txt
		same got.txt want.txt "a stripped Go program, $kind: as many functions at each address as with DWARF"
	done
else
	skip_test "a stripped Go program" "there is no compiler of Go that builds one"
fi

# Java writes its map when it ends: -XX:+DumpPerfMapAtExit.
cat >late.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	/* push frame; count rdi down to 0; pop frame; return */
#ifdef __x86_64__
	static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3 };
#else
	static const unsigned int code[] = { 0xa9bf7bfd, 0x910003fd, 0xd1000400, 0xb5ffffe0, 0xa8c17bfd, 0xd65f03c0 };
#endif
	char *mem = mmap(NULL, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	void (*fn)(unsigned long);
	FILE *f;

	memcpy(mem, code, sizeof(code));
	__builtin___clear_cache(mem, mem + 4096);
	memcpy(&fn, &mem, sizeof(fn));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	puts(path);
	fflush(stdout);
	unlink(path);
	while (clock() < CLOCKS_PER_SEC * 6 / 10)
		fn(1000000);
	f = fopen(path, "w");
	fprintf(f, "%lx 1000 LateFunction\n", (unsigned long)mem);
	fclose(f);
}
END
gcc -O1 -w -o late late.c
exits 0 "a JIT map written at the end: exit 0" "$BPFPERF" stack -F 499 -o late.folded -- ./late
rm -f "$(grep -a '^/tmp/perf-' out)"
all=$(awk '/^late;/ { n += $NF } END { print n + 0 }' late.folded)
between "$all" 100 2000 "a JIT map written at the end: there are samples"
between "$(awk '/^late;.*LateFunction/ { n += $NF } END { print n + 0 }' late.folded)" $((all * 95 / 100)) "$all" \
	"a JIT map written at the end: the function is named"
done_testing
