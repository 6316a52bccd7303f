#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Programs of other users: what their files claim does not change the stacks of anybody else.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd cc objcopy python3

[ "$(uname -m)" = x86_64 ] || skip_all "the call frame information that is changed here is x86_64's"
cat >honest.c <<'C'
#include <time.h>
static volatile unsigned long sink;
__attribute__((noinline)) void inner(unsigned long n)
{
	while (n--)
		sink += n * n;
}
__attribute__((noinline)) int middle(int n)
{
	volatile char room[100];

	inner(1000003);
	room[n % 7] = 1;
	return room[n % 7];
}
__attribute__((noinline)) int outer(int n)
{
	int got = middle(n);

	sink += got;
	return got + 1;
}
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 2)
		outer(3);
	return 0;
}
C
cc -O2 -fomit-frame-pointer -Wl,--build-id -o honest honest.c || skip_all "cc makes no program here"

# The other program has this build-id, size and time, but each function's frame is 32 bytes larger than it is.
objcopy -O binary --only-section=.eh_frame honest eh
python3 - <<'END'
import struct
data, at = bytearray(open("eh", "rb").read()), 0
while at + 8 <= len(data):
    size, cie = struct.unpack_from("<II", data, at)
    if not size:
        break
    k = data.find(b"\x0c\x07\x08", at + 8, at + 4 + size) if not cie else -1
    if k > 0:
        data[k + 2] = 0x28
    at += 4 + size
open("eh2", "wb").write(data)
END
cp honest hostile
objcopy --update-section .eh_frame=eh2 hostile
truncate -r honest hostile && touch -r honest hostile && chown 4242 hostile
build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
is "$(build_id hostile) $(stat -c '%s %Y' hostile)" "$(build_id honest) $(stat -c '%s %Y' honest)" \
	"another user's program: the build-id, size and time are those of ours"

exits 0 "stack of both programs: exit 0" "$BPFPERF" stack -F 997 --format folded -o both.folded -- sh -c './hostile; ./honest'
whole() { # PROGRAM: percent of its samples in inner with whole stacks
	awk -v comm="$1" '$0 ~ "^" comm ";" && /;inner / { n += $NF; if (/;main;outer;middle;inner /) whole += $NF }
		END { printf "%d\n", n ? 100 * whole / n : -1 }' both.folded
}
between "$(whole honest)" 97 100 "stack of both programs: ours has whole stacks"
between "$(whole hostile)" 0 3 "stack of both programs: the other one spoils its own alone"
done_testing
