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

# Are the values of a kernel function's argument those of a tracepoint of the same calls?
same_values() { # WHAT FUNCTION FIELD TRACEPOINT FIELD
	sed -n "s/.*\"event\":\"f:$2\".*\"$3\":\"*\([^,\"}]*\).*/\1/p" out.json | sort >ours
	sed -n "s/.*\"event\":\"[a-z]*:$4\".*\"$5\":\"*\([^,\"}]*\).*/\1/p" out.json | sort >theirs
	ok "$1: $2.$3 is $4.$5 ($(grep -c . theirs) calls)" cmp -s ours theirs
	ok "$1: there are some" test -s theirs
}

# Compares the calls that a program prints with the records of its probes, in their order for each function. Of optimized
# code half of the values may be optimized out.
compare() { # SAID TRACED HOW
	awk -v share="$([ "$3" = O0 ] || echo 0.5)" '
		{ sub(/"event":"u:[^"]*:/, "\"event\":\""); sub(/@[^"]*"/, "\"") }
		!/"event":"/ || (NR != FNR && !/"fields":/) { next }
		{
			name = $0
			sub(/.*"event":"/, "", name)
			sub(/".*/, "", name)
			values = $0
			if (NR != FNR)
				sub(/.*"fields":[{]/, "", values)
			sub(/^[{]/, "", values)
			sub(/[}].*/, "", values)
			n = split(values, part, /,"/)
			nr = NR == FNR ? said[name]++ : traced[name]++
			calls += NR != FNR
		}
		{
			for (i = 1; i <= n; i++) {
				key = val = part[i]
				sub(/":.*/, "", key)
				sub(/^"/, "", key)
				sub(/^[^:]*:/, "", val)
				if (NR == FNR) {
					own[name, nr, key] = val
					continue
				}
				values_cnt++
				want = own[name, nr, key]
				if (val == "\"<optimized out>\"")
					out++
				else if (val != want && (want !~ /^-?[0-9.]+$/ || val + 0 != want + 0)) {
					differ++
					print name, nr, key, val, "not", want >"/dev/stderr"
				}
			}
		}
		END {
			for (name in traced)
				differ += traced[name] != said[name]
			printf "%d calls differ in %d of %d values, ", calls, differ, values_cnt
			print (out <= share * values_cnt ? "few" : out) " are optimized out"
		}' "$1" "$2" 2>differ
	head -n 5 differ | sed 's/^/# /' >&2
}

# A program in the kernel counts, on one link of the entry, or of both ends of the call; before 5.15 events of perf do.
# shellcheck disable=SC2016 # $ret is bpfperf's
for args in '()' '($ret)'; do
	exits 0 "stat of f:GLOB$args: exit 0" bpfperf stat -x , -o out.csv -e "f:__*_sys_getppid$args,page-faults" -- \
		syscall_loop 1009 getppid
	is "$(grep -c '^1009,,f:__[a-z0-9]*_sys_getppid,' out.csv)" 1 "stat of f:GLOB$args: each of 1009 calls"
	is "$(grep -c '^[1-9][0-9]*,,page-faults' out.csv)" 1 "stat of f:GLOB$args: beside an event of perf"
done
exits 0 "stat -a of f: exit 0" bpfperf stat -a -x , -o out.csv -e 'f:__*_sys_getppid()' -- syscall_loop 1009 getppid
ok "stat -a of f: no call is missing" test "$(sed -n 's/,,f:__[a-z0-9]*_sys_getppid,.*//p' out.csv)" -ge 1009

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
	# shellcheck disable=SC2016 # expanded there
	exits 0 "f: beside tracepoints of the same calls: exit 0" bpfperf trace --format json -o out.json \
		'f:do_sys_openat2(mode=how->mode),f:vfs_write(count),f:vfs_read(count),f:wake_up_new_task(pid=p->pid),f:do_mprotect_pkey(len)' \
		syscalls:sys_enter_openat,syscalls:sys_enter_write,syscalls:sys_enter_read,sched:sched_wakeup_new,syscalls:sys_enter_mprotect \
		-- sh -c 'for i in 1 2 3 4 5 6 7; do dd if=/dev/zero of=seventeen bs=10$i count=3 2>/dev/null; cat seventeen; done; (exit 0)'
	same_values "f: modes of files" do_sys_openat2 mode sys_enter_openat mode
	same_values "f: sizes that are written" vfs_write count sys_enter_write count
	same_values "f: sizes that are read" vfs_read count sys_enter_read count
	same_values "f: new tasks" wake_up_new_task pid sched_wakeup_new pid
	same_values "f: sizes that are protected" do_mprotect_pkey len sys_enter_mprotect len
	# A structure by value takes two registers, so that the argument behind it is in another one than by its number.
	ip link set lo up
	exits 0 "f: behind a structure by value: exit 0" bpfperf trace --format json -o out.json \
		'f:tcp_setsockopt(level,optname,user=optval.user,optlen)' syscalls:sys_enter_setsockopt --filter 'level == 6' -- strace_calls
	same_values "f: behind a structure by value" tcp_setsockopt optlen sys_enter_setsockopt optlen
	same_values "f: a structure by value" tcp_setsockopt user sys_enter_setsockopt optval
	# The seventh argument is on the stack of x86-64 from Linux 6.5 on.
	exits 0 "f: an argument on the stack: exit 0" bpfperf trace --format json -o out.json 'f:do_mmap(len,pgoff)' syscalls:sys_enter_mmap \
		--filter 'len == 8192' -- fresh_paths 101 mapped
	sed -nE 's/.*"event":"f:do_mmap".*"len":8192,"pgoff":([0-9]+).*/\1/p' out.json | sort >ours
	sed -nE 's/.*"event":"[a-z]*:sys_enter_mmap".*"off":"?(0x[0-9a-f]+|[0-9]+).*/\1/p' out.json | while read -r off; do echo $((off / 4096)); done | sort >theirs
	ok "f: an argument on the stack: do_mmap.pgoff is of sys_enter_mmap.off ($(grep -c . theirs) calls)" diff ours theirs
	between "$(sort -u theirs | grep -c .)" 51 1000 "f: an argument on the stack: calls have different values"
	# An instruction behind the function's entry, whose offset on this kernel is found by trying.
	for off in 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0x10; do
		bpfperf trace --count -o out.csv "f:vfs_write+$off" -- sh -c 'for i in 1 2 3 4 5 6 7; do echo x; done >seventeen' 2>err || continue
		break
	done
	is "$(tail -n 1 out.csv)" "f:vfs_write+$off,7" "f:FUNC+OFF: an instruction within a function"
	cut -d ' ' -f 1-2 /proc/uptime >before
	bpfperf trace --count -o out.csv 'f:tcp_*,f:ip_*,f:blk_*,f:inet_*,f:sock_*,f:skb_*,f:dev_*,f:net_*' -- true 2>err
	is $? 0 "f:GLOB: a thousand functions are attached to"
	echo "# seconds since the boot, and idle: $(cat before) before, $(cut -d ' ' -f 1-2 /proc/uptime) behind; $(cat err)"
	bpfperf trace f:do_sys_openta2 -- true 2>err
	is "$? $(grep -c 'did you mean do_sys_openat2' err)" "2 1" "f: a name that is near"
fi

if refused "u:$(command -v syscall_loop):main()" 'need Linux 5.15'; then
	ok "u: an old kernel refuses it with the reason" true
else
	exits 0 "u: exit 0" bpfperf trace -o out.txt "u:$(command -v syscall_loop):main(arg1:d, \$ret:d)" -- syscall_loop 1009 getppid
	is "$(grep -c ':main: arg1=3 ret=0$' out.txt)" 1 "u: an argument by its number, and the result"
	for how in O0 O1 O2 O3 lto; do
		program=/vm/probes/args-$how.debug
		p=u:$program
		exits 0 "u, $how: exit 0" bpfperf trace --format json -o out.json "$p:integers,$p:floats(n),$p:by_value(p.x,p.y,w.b,w.c,last)
			,$p:many(a,f,g,h),$p:pointers(req->url,req->flags,req->level,req->weight,req->ratio,parts=req->parts[1]
			,next=req->next->url,name,buf:str,third=list[1]->level)" -- $program 101
		cp out said.json
		is "$(compare said.json out.json $how)" "505 calls differ in 0 of 2626 values, few are optimized out" "u, $how: arguments are those of the program"
		exits 0 "u, $how, with results: exit 0" bpfperf trace --format json -o out.json \
			"$p:integers(c,q,\$ret),$p:many(h,\$ret),$p:pointers(req->url,\$ret)" -- $program 101
		cp out said.json
		is "$(compare said.json out.json $how)" "303 calls differ in 0 of 707 values, few are optimized out" "u, $how: results are those of the program"
		is "$(summary lost)" 0 "u, $how: none is lost"
	done
fi
done_testing
