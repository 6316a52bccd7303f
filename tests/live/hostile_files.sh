#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Programs of another user that cost their reader more than it may take: their names are missing, which is said, and those of
# other programs are not.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc objcopy setpriv strace

chmod 755 .
FUNCTIONS=20
# Entries of DWARF in each function: libdw looks at each of them for an address, some 100 ns each.
ENTRIES=1000000

# A program that spends its time in all of its functions in turn.
program() {
	local i

	echo 'static volatile unsigned int turns;'
	for ((i = 0; i < FUNCTIONS; i++)); do
		echo "__attribute__((noinline)) void busy$i(void) { for (unsigned int n = 0; n < 200000; n++) turns++; }"
	done
	echo 'int main(void) { for (;;) {'
	for ((i = 0; i < FUNCTIONS; i++)); do
		echo "busy$i();"
	done
	echo '} }'
}

# Its DWARF: a unit, a function for each, and in it blocks without anything.
entries() {
	local i

	printf '.section .debug_abbrev\n.byte 1,0x11,1,0x11,1,0x12,7,0,0\n.byte 2,0x2e,1,1,0x13,0x11,1,0x12,7,0,0\n.byte 3,0xb,0,0,0\n.byte 0\n'
	printf '.section .debug_info\nbegin: .4byte end - begin - 4\n.2byte 4\n.4byte 0\n.byte 8\n.byte 1\n.8byte busy0\n.8byte 0x10000\n'
	for ((i = 0; i < FUNCTIONS; i++)); do
		printf 'f%d: .byte 2\n.4byte f%d - begin\n.8byte busy%d\n.8byte 16\n.fill %d,1,3\n.byte 0\n' $i $((i + 1)) $i $ENTRIES
	done
	printf 'f%d: .byte 0\nend:\n' $FUNCTIONS
}

program >busy.c
entries >nested.s
gcc -O1 -fno-inline -no-pie -o nested busy.c nested.s 2>gcc.err || { cat gcc.err; skip_all "gcc does not make the program"; }
# Compressed it takes little on disk, and so has a tenth of a second.
objcopy --compress-debug-sections=zlib nested
gcc -O1 -fno-inline -no-pie -o plain busy.c
chown 4242:4242 nested

./plain &
plain=$!
setpriv --reuid 4242 --regid 4242 --clear-groups ./nested &
nested=$!
reap $plain $nested
"$BPFPERF" stack -F 997 -p "$plain,$nested" --duration 2 -o out.folded 2>err
is $? 0 "a user's DWARF that takes too long: exit 0"
like "$(cat err)" "warning: inlined functions of $PWD/nested are missing: reading it takes too long" \
	"a user's DWARF that takes too long: it is said, with the file"
is "$(grep -c "warning: .* are missing" err)" 1 "a user's DWARF that takes too long: it is said once"
between "$(grep -oE 'nested;.*busy[0-9]+ ' out.folded | grep -oE 'busy[0-9]+ ' | sort -u | wc -l)" 10 $FUNCTIONS \
	"a user's DWARF that takes too long: its functions have the names of symbols"
between "$(grep -oE 'plain;.*busy[0-9]+ ' out.folded | grep -oE 'busy[0-9]+ ' | sort -u | wc -l)" 10 $FUNCTIONS \
	"another program beside it: its functions have names"

# A map of a JIT compiler that is as large as it may be, of another user: a million functions, the last of which runs.
cat >jit.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FUNCTIONS 1000000
#define SZ 64

static char spin[SZ] __attribute__((aligned(SZ), section(".text#"))) = {
#if defined(__x86_64__)
	(char)0xeb, (char)0xfe
#else
	0, 0, 0, 0x14
#endif
};

int main(void)
{
	char *code = mmap(NULL, (size_t)FUNCTIONS * SZ, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *last = code + (FUNCTIONS - 1) * SZ;
	char path[64];
	FILE *map;
	int i;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	for (i = 0; i < FUNCTIONS; i++)
		fprintf(map, "%lx %x function_%035d\n", (uintptr_t)code + (size_t)i * SZ, SZ, i);
	if (fclose(map))
		return 1;
	memcpy(last, spin, SZ);
	__builtin___clear_cache(last, last + SZ);
	puts("ready");
	fflush(stdout);
	((void (*)(void))last)();
}
END
gcc -O1 -o jit jit.c
setpriv --reuid 4242 --regid 4242 --clear-groups ./jit >ready &
jit=$!
reap $jit
trap 'rm -f /tmp/perf-$jit.map; tap_cleanup' EXIT
is_ready() { [ -s ready ]; }
wait_for 20 is_ready
between "$(stat -c %s "/tmp/perf-$jit.map")" 60000000 $((64 << 20)) "a user's JIT map of a million functions is written"
"$BPFPERF" stack -F 997 -p "$jit" --duration 1 -o out.folded 2>err
is $? 0 "a user's JIT map of a million functions: exit 0"
like "$(cat out.folded)" "jit;.*function_0*999999" "a user's JIT map of a million functions: the last one is named" || diag "$(cat err)"

# Readers are processes of bpfperf's: they are not traced where it is not. Up to three of their calls come before their id is known.
# Records come while there is something to name.
# shellcheck disable=SC2016 # of that shell
busy=(bash -c 'for ((i = 0; i < 200; i++)); do ls / >"$0"; done' /dev/null)
readers() { sed -n 's/.* process \([0-9]*\) reads files .*/\1/p' err; }
records_of_readers() { grep -cE "^ *bpfperf-readers? ($(readers | paste -sd'|'))/" trace.txt; }
"$BPFPERF" -v trace -a -g raw_syscalls:sys_enter -o trace.txt -- "${busy[@]}" 2>err
is $? 0 "trace -a -g: exit 0"
between "$(grep -c . trace.txt)" 10 1000000000 "trace -a -g: there are records"
between "$(readers | wc -l)" 1 100 "trace -a -g: files were read"
between "$(records_of_readers)" 0 $((3 * $(readers | wc -l))) "trace -a -g: none are of the processes that read files, once they are known"

# The first reader begins while the programs are loaded: the first message of each thread is late, and so are the last calls
# of the load.
strace -f -qq -o calls.txt -e trace=bpf,sendmsg -e inject=sendmsg:delay_enter=200000:when=1 \
	-e inject=bpf:delay_exit=30000:when=60..80 \
	"$BPFPERF" -v trace -a -g raw_syscalls:sys_enter -o trace.txt -- "${busy[@]}" 2>err
is $? 0 "trace -a -g, a reader that begins during the load: exit 0"
between "$(readers | wc -l)" 1 100 "trace -a -g, a reader that begins during the load: files were read"
between "$(records_of_readers)" 0 $((3 * $(readers | wc -l))) \
	"trace -a -g, a reader that begins during the load: none are of the processes that read files"
done_testing
