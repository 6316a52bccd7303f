#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# --as-user: the identity, the groups, the environment and the capabilities of CMD under sudo.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd setpriv unshare

chmod 755 .
cat >passwd <<'END'
root:x:0:0:root:/root:/bin/bash
twin:x:4242:4250::/home/twin:/bin/sh
tracy:x:4242:4243::/home/tracy:/bin/dash
bare:x:4244:4244::/:
END
cat >group <<'END'
root:x:0:
tracy:x:4243:
first:x:4300:tracy
second:x:4301:other,tracy
third:x:4302:other
END
# Runs CMD where these are the users of the machine.
with_users() { # CMD…
	# shellcheck disable=SC2016 # of the inner shell
	unshare -m sh -c 'mount --bind "$1" /etc/passwd && mount --bind "$2" /etc/group && shift 2 && exec "$@"' \
		sh "$TMP/passwd" "$TMP/group" "$@"
}
with_users true || skip_all "no mount namespace can be made here"
cat >identity <<'END'
#!/bin/sh
exec sed -nE 's/^((Uid|Gid|Groups|Cap(Inh|Prm|Eff|Amb)):)[[:space:]]*/\1 /p' /proc/self/status
END
cat >variables <<'END'
#!/bin/sh
exec env
END
chmod 755 identity variables
caller=(env SUDO_UID=4242 SUDO_GID=4243 SUDO_USER=tracy SUDO_COMMAND=x SUDO_HOME=/x HOME=/root USER=root LOGNAME=root
	SHELL=/bin/bash KEPT=1)
# The lines of identity as one: ids, groups, and capabilities without leading zeros.
seen() {
	sed -E 's/:? 0*([0-9a-f])/ \1/g; s/\s+/ /g' out | xargs
}
own="Uid 4242 4242 4242 4242 Gid 4243 4243 4243 4243 Groups 4243 4300 4301 CapInh 0 CapPrm 0 CapEff 0 CapAmb 0"

# Each command that takes CMD: its name, and what comes before CMD.
for way in "trace:trace -o way.out task:task_rename" "strace:strace -o way.out" "stack:stack -F 99 -o way.folded" "stat:stat -o way.out -e page-faults" \
	"stat -r:stat -r 1 -o way.out -e page-faults" "record:record -q -o way.data -e cpu-clock" \
	"record -g:record -q -g -o way.data -e cpu-clock"; do
	name=${way%%:*}
	read -ra args <<<"${way#*:}"
	exits 0 "$name --as-user: exit 0" with_users "${caller[@]}" "$BPFPERF" "${args[@]}" --as-user -- ./identity
	is "$(seen)" "$own" "$name --as-user: CMD has the ids and groups of the calling user, and no capability"
	with_users "${caller[@]}" "$BPFPERF" "${args[@]}" --as-user -- ./variables >out 2>err
	is "$(grep -E '^(HOME|USER|LOGNAME|SHELL|KEPT|SUDO_.*)=' out | sort | xargs)" \
		"HOME=/home/tracy KEPT=1 LOGNAME=tracy SHELL=/bin/dash USER=tracy" \
		"$name --as-user: CMD has the environment of the calling user, and nothing of sudo's"
	with_users "${caller[@]}" "$BPFPERF" "${args[@]}" -- ./identity >out 2>err
	like "$(seen)" "^Uid 0 0 0 0 Gid 0 0 0 0 " "$name without --as-user: CMD runs as root"
done

as_user() { # OPTION CMD…: runs CMD below stat, where SUDO_* is not set
	with_users env -u SUDO_UID -u SUDO_GID -u SUDO_USER "$BPFPERF" stat -o way.out -e page-faults "$@" >out 2>err
}
as_user --as-user=tracy -- ./identity
is "$(seen)" "$own" "--as-user=NAME: CMD has the ids and groups of this user"
as_user --as-user=4244 -- ./identity
like "$(seen)" "^Uid 4244 .* Gid 4244 .* Groups 4244 Cap" "--as-user=NUMBER: CMD has the ids of this user"
as_user --as-user=bare -- ./variables
like "$(cat out)" "SHELL=/bin/sh" "--as-user of a user without a shell: SHELL is /bin/sh"
as_user --as-user=root -- ./identity
like "$(seen)" "^Uid 0 0 0 0 Gid 0 0 0 0 Groups 0 Cap" "--as-user=root: CMD runs as root"
with_users setpriv --inh-caps +chown --ambient-caps +chown "$BPFPERF" stat -o way.out -e page-faults --as-user=tracy -- ./identity >out 2>err
is "$(seen)" "$own" "--as-user below inheritable and ambient capabilities: CMD has none"
with_users "${caller[@]}" "$BPFPERF" stat -r 3 -o way.out -e page-faults --as-user -- ./identity >out 2>err
is "$(grep -c '^Uid: 4242' out)" 3 "stat -r 3 --as-user: each run is the user's"

# The user need not reach the directory that the tree is in.
cp "$WORKLOADS/syscall_loop" .
with_users "${caller[@]}" "$BPFPERF" trace -o way.out 'syscalls:sys_enter_set*' 'syscalls:sys_enter_capset' \
	syscalls:sys_enter_getppid --as-user -- ./syscall_loop 1009 getppid >out 2>err
is "$(grep -c sys_enter_getppid way.out) $(grep -cE 'sys_enter_(setres|setgroups|capset)' way.out) $(summary lost)" "1009 0 0" \
	"trace --as-user: each call of CMD has a record, and the change of its user none"
echo kept >kept.out
exits 2 "--as-user without SUDO_UID: exit 2" as_user --as-user -- true
is "$(cat err)" "bpfperf: error: --as-user: SUDO_UID is not set, so bpfperf was not started by sudo; give the user's name: --as-user=NAME" \
	"--as-user without SUDO_UID: the remedy is named"
exits 2 "--as-user of a user who is not in passwd: exit 2" with_users env SUDO_UID=4999 "$BPFPERF" stat --as-user -- true
is "$(cat err)" "bpfperf: error: --as-user: the user 4999 of SUDO_UID is not in the passwd database; give a user of it: --as-user=NAME" \
	"--as-user of a user who is not in passwd: the remedy is named"
for name in nix 4999 4294967295 -1 ''; do
	exits 2 "--as-user=$name: exit 2" with_users "$BPFPERF" stat --as-user="$name" -- true
	like "$(cat err)" "^bpfperf: error: --as-user=$name: there is no such user in the passwd database; .getent passwd. lists the users\$" \
		"--as-user=$name: the remedy is named"
done
cp "$BPFPERF" program && chmod 755 program
exits 1 "--as-user without root: exit 1" with_users setpriv --reuid 4244 --regid 4244 --clear-groups ./program stat --as-user=tracy -- true
like "$(cat err)" "^bpfperf: error: --as-user needs root, .*; run bpfperf with sudo, or omit --as-user: [^.]*\$" "--as-user without root: the remedy is named"
exits 1 "--as-user without CAP_SETUID: exit 1" with_users setpriv --bounding-set=-setuid "$BPFPERF" stat -o kept.out --as-user=tracy -- ./identity
like "$(cat err)" "bpfperf: error: cannot run ./identity as tracy: Operation not permitted; --as-user needs CAP_SETUID" \
	"--as-user without CAP_SETUID: the reason and the remedy are named"
done_testing
