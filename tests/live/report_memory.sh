#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# report --mem-mode: accesses of memory as perf report --mem-mode sums them up; variables have names.
. "$(dirname "$0")/../lib.sh"
need_root
need_built
need_cmd perf python3 gcc

# Rows of equal shares are in any order, and perf pads no column that is too narrow. It names a variable with the offset in it,
# a function without one, and adds a column of IPC to symbols.
canon() {
	sed -E '/^#$/d; /^$/d; /^# (To display|\(Tip|\(Cannot|\.\.\.|Total Lost)/d; s/,ipc_null//; s/  IPC   \[IPC Coverage\]//' |
		sed -E 's/ +- +- *$//; s/^ +//; s/ +/ /g; s/ $//; s/(\[.\] [^ ]*[^ 0-9x][^ ]*)[-+]0x[0-9a-f]+( .*)?$/\1\2/; s/[^ ]*@plt/@plt/' | sort
}
both() { # NAME KEYS [OPTION…]
	local name=$1 keys=$2

	shift 2
	perf report --mem-mode --stdio -i "$name.data" -s "$keys" "$@" 2>perf.err </dev/null | canon >perf.txt
	"$BPFPERF" report --mem-mode -i "$name.data" -s "$keys" "$@" >ours.raw 2>err || fail "$name: report -s $keys exits 0" "$(cat err)"
	canon <ours.raw >ours.txt
	between "$(grep -vc '^#' perf.txt)" 1 1000000 "$name: perf report --mem-mode prints rows of $keys $*"
	same ours.txt perf.txt "$name: as perf report --mem-mode prints $keys $*"
}

cat >pages.c <<'C'
static char table[101 * 4096] = { 1 }, zeros[53 * 4096];
int main(void)
{
	for (int i = 0; i < 101; i++)
		((volatile char *)table)[i * 4096 + 8] = 1;
	for (int i = 0; i < 53; i++)
		((volatile char *)zeros)[i * 4096] = 1;
	return 0;
}
C
ok "a program that writes its variables is built" gcc -O0 -o pages pages.c
ok "perf records its page faults" perf_record -q -d -W --phys-data --data-page-size -e page-faults:u -c 1 -o pages.data ./pages
# Page faults have no source of their data, so that others are put in: one bit of each part, since perf's rows have no more.
python3 - pages.data <<'END'
import random, struct, sys

random.seed(7)
data = open(sys.argv[1], "rb").read()
parts = data.split(struct.pack("<Q", 0x1e05080021))
assert len(parts) > 150, len(parts)
out = [parts[0]]
for part in parts[1:]:
    src = 1 << random.randrange(5) | (random.choice([0, 2, 4]) | 1 << random.randrange(3, 14)) << 5
    src |= 1 << random.randrange(19, 24) | random.choice([0, 2]) << 24
    src |= (random.choice([0, 2, 4]) | 1 << random.randrange(3, 7)) << 26 | random.choice([1, 2, 4, 6]) << 40
    out += [struct.pack("<Q", src), part]
open(sys.argv[1], "wb").write(b"".join(out))
END
for keys in mem locked tlb snoop blocked dso_daddr symbol_daddr symbol_iaddr phys_daddr data_page_size dcacheline dcacheline,comm weight,mem \
	comm,snoop,locked dso,dso_daddr,tlb local_ins_lat,ins_lat,comm pid,mem; do
	both pages $keys
done
both pages mem -c pages
"$BPFPERF" report --mem-mode -i pages.data -s symbol_daddr >ours.txt
# Its first page may have been there before.
between "$(grep -cE ' \[\.\] table\+0x[0-9a-f]+008 ' ours.txt)" 100 101 "--mem-mode: each page of a variable is a row, by name and offset"
between "$(grep -cE ' \[\.\] zeros\+0x[0-9a-f]+ ' ours.txt)" 0 1 "--mem-mode: of .bss, what the file's last page has is named"

# Cache lines: two processes share a line of a file, and none of their own memory, which is at one address in both.
cat >shared.c <<'C'
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int fd = open("shared.file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *file, *own = (char *)0x300000000000;
	if (fd < 0 || ftruncate(fd, 7 * 4096))
		return 1;
	pid_t child = fork();
	file = mmap(0, 7 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED || mmap(own, 7 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != own)
		return 1;
	for (int i = 0; i < 7; i++)
		file[i * 4096 + 64 + (child ? 8 : 16)] = own[i * 4096 + 128 + (child ? 8 : 16)] = 1;
	if (child)
		wait(0);
	return 0;
}
C
ok "a program of two processes that share a file is built" gcc -O0 -o shared shared.c
ok "perf records the page faults of both" perf_record -q -d -W -e page-faults:u -c 1 -o shared.data ./shared
for keys in dcacheline dcacheline,pid dcacheline,dso_daddr,comm; do
	both shared $keys
done
"$BPFPERF" report --mem-mode -i shared.data -n -s dcacheline,dso_daddr >ours.txt
is "$(awk '$3 == "[s]" && $5 == "shared.file" && $2 == 2' ours.txt | wc -l)" 7 "-s dcacheline: a line of a shared file has the samples of both"
is "$(grep -cE '^ +[0-9.]+% +1  \[\.\] 0x000030000000.080 ' ours.txt)" 14 "-s dcacheline: memory at one address of two processes is two lines"
exits 0 "--mem-mode without keys: exit 0" "$BPFPERF" report --mem-mode -i pages.data
is "$(sed -n 's/^# Sort order   : //p' out)" local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat \
	"--mem-mode without keys: those of perf mem"
exits 2 "-s mem without --mem-mode: exit 2" "$BPFPERF" report -i pages.data -s mem
like "$(cat err)" 'are keys of accesses of memory; give --mem-mode, too$' "-s mem without --mem-mode: the message names the option"
perf_record -q -e cpu-clock:u -o plain.data true
exits 2 "--mem-mode of other samples: exit 2" "$BPFPERF" report --mem-mode -i plain.data
like "$(cat err)" 'needs accesses of memory, and plain.data has none; record with -d$' "--mem-mode of other samples: the message says how to record"
done_testing
