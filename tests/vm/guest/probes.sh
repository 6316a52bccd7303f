#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Functions as events: this kernel's verifier accepts the generated code, and counts are exact. A kernel that cannot attach
# many functions by one link is told as such.
# shellcheck source=lib.sh
. /vm/lib.sh

# Does the kernel refuse this kind of probe, as it is said?
refused() { # EVENT SENTENCE
	bpfperf trace --count -o out.csv "$1" -- true 2>err && return 1
	grep -q "$2" err
}

if refused 'f:do_sys_openat2()' 'need Linux 5.15'; then
	ok "f: an old kernel refuses it with the reason" true
else
	exits 0 "f:GLOB: exit 0" bpfperf trace --count -o out.csv 'f:__*_sys_getppid()' -- syscall_loop 1009 getppid
	is "$(grep -c '^f:__[a-z0-9]*_sys_getppid,1009$' out.csv)" 1 "f:GLOB: each of 1009 calls"
	echo x >seventeen
	exits 0 "f: with arguments: exit 0" bpfperf trace -o out.txt 'f:do_sys_openat2(dfd, filename, how->mode)' -- cat seventeen
	is "$(grep -c 'f:do_sys_openat2: dfd=-100 filename="seventeen" mode=0' out.txt)" 1 "f: with arguments: by the kernel's types"
	# shellcheck disable=SC2016 # $ret is bpfperf's
	exits 0 "f: with the result: exit 0" bpfperf trace -o out.txt 'f:do_sys_openat2(filename, $ret:d, duration)' -- cat seventeen
	is "$(grep -cE 'filename="seventeen" ret=[0-9]+ duration=[0-9]+$' out.txt)" 1 "f: with the result: the call and its return are one record"
	is "$(summary lost)" 0 "f: none is lost"
	exits 0 "f: in a filter: exit 0" bpfperf trace --count -o out.csv 'f:do_sys_openat2(filename)' --filter 'filename ~ "*teen"' -- \
		cat seventeen
	is "$(tail -n 1 out.csv)" "f:do_sys_openat2,1" "f: in a filter: by the text of an argument"
	exits 0 "stack of f: exit 0" bpfperf stack --kernel --format folded -o out.folded -e 'f:__*_sys_getppid()' -- syscall_loop 1009 getppid
	is "$(sed -n 's/^syscall_loop;.* //p' out.folded | awk '{ s += $1 } END { print s }')" 1009 "stack of f: a stack at each call"
	bpfperf trace f:do_sys_openta2 -- true 2>err
	is "$? $(grep -c 'did you mean do_sys_openat2' err)" "2 1" "f: a name that is near"
fi

if refused "u:$(command -v syscall_loop):main()" 'need Linux 5.15'; then
	ok "u: an old kernel refuses it with the reason" true
else
	exits 0 "u: exit 0" bpfperf trace -o out.txt "u:$(command -v syscall_loop):main(arg1:d, \$ret:d)" -- syscall_loop 1009 getppid
	is "$(grep -c ':main: arg1=3 ret=0$' out.txt)" 1 "u: an argument by its number, and the result"
fi
done_testing
