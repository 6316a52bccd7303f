#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# tools/fresh: CMD runs in a root of its own, which is gone afterwards with its mounts, whatever ends it. In place of a
# Debian the root has the few programs that this file needs.
. "$(dirname "$0")/../lib.sh"
need_root
need_cmd git apt-config flock
unshare -m true 2>/dev/null || skip_all "unshare -m is not permitted"

mkdir bin roots
cat >bin/debootstrap <<'END2'
#!/bin/bash
# debootstrap OPTION… SUITE ROOT MIRROR
echo "$*" >>"$CALLS"
[[ " $* " != *" broken "* ]] || { echo "E: no such suite" && exit 1; }
root=${*: -2:1}
mkdir -p "$root"/{dev,proc,sys,run,tmp,root,etc/apt/apt.conf.d,usr/bin} && ln -s usr/bin "$root/bin"
for cmd in sh env sleep cat git grep sed true touch bash umount; do
	path=$(readlink -f "$(command -v $cmd)")
	cp "$path" "$root/usr/bin/$cmd"
	for lib in $(ldd "$path" | grep -o '/[^ ]*'); do
		mkdir -p "$root${lib%/*}" && cp -Lu "$lib" "$root$lib"
	done
done
END2
chmod +x bin/debootstrap
export PATH=$TMP/bin:$PATH CALLS=$TMP/calls TMPDIR=$TMP/roots
touch calls

fresh() { # ARG…
	"$TOP/tools/fresh" "$@"
}
has_no_root() {
	[ -z "$(ls roots)" ]
}
mounts() {
	grep -c "$TMP/roots" /proc/self/mountinfo
}
# shellcheck disable=SC2016 # the inner shell's
exits 7 "tools/fresh CMD: the exit status of CMD" fresh sh -c 'sed -n 2p tools/fresh; grep -c " / / \| /proc \| /sys " /proc/self/mountinfo; cat /root/bpfperf/README.md >/dev/null && exit 7'
like "$(cat out)" 'SPDX' "tools/fresh CMD: the tree is the working directory"
is "$(ls roots; mounts)" 0 "tools/fresh CMD: no root and no mount remains"
like "$(cat calls)" '--variant=minbase --include=git,ca-certificates bookworm ' "tools/fresh CMD: a root of bookworm is made"
exits 1 "tools/fresh of a suite that cannot be made: exit 1" fresh --suite broken true
like "$(cat err)" $'E: no such suite\n.*debootstrap of broken failed' "tools/fresh of a suite that cannot be made: the reason is reported"
ok "tools/fresh of a suite that cannot be made: no root remains" wait_for 20 has_no_root

# A signal to tools/fresh ends CMD, too; after SIGKILL the root is there as long as CMD runs.
begin() {
	rm -f started
	"$TOP/tools/fresh" sh -c 'echo $$ >/root/started; exec sleep 1000' >out 2>err &
	bg=$!
	reap $bg
	wait_for 60 sh -c 'cat roots/*/root/root/started >started'
	cmd=$(cat started)
}
for sig in TERM HUP; do
	begin
	kill -s $sig "$bg"
	wait "$bg"
	is $? 130 "tools/fresh after SIG$sig: exit 130"
	nok "tools/fresh after SIG$sig: CMD has ended" test -e "/proc/$cmd/root/made"
	ok "tools/fresh after SIG$sig: no root remains" wait_for 20 has_no_root
done
begin
kill -KILL "$bg"
wait "$bg" 2>/dev/null
ok "tools/fresh after SIGKILL: the root of a command that runs is there" test -e "/proc/$cmd/root/made"
kill "$cmd"
ok "tools/fresh after SIGKILL: no root remains after the command" wait_for 20 has_no_root
is "$(mounts)" 0 "tools/fresh after signals: no mount remains"

# A root that is kept is the next run's.
exits 0 "tools/fresh --keep: exit 0" fresh --keep --dir kept sh -c 'touch /root/mine'
: >calls
exits 0 "tools/fresh of a root that was kept: exit 0" fresh --dir kept cat /root/mine
is "$(cat calls)" "" "tools/fresh of a root that was kept: no other is made"
nok "tools/fresh of a root that was kept: it is removed without --keep" test -e kept
mkdir full
touch full/mine
exits 1 "tools/fresh --dir of a folder with other files: exit 1" fresh --dir full true
like "$(cat err)" 'full is not empty' "tools/fresh --dir of a folder with other files: the folder is named"
ok "tools/fresh --dir of a folder with other files: they are not removed" test -e full/mine
done_testing
