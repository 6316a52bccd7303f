#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Debian's packages on a system that has never had them: installed by apt, used, upgraded, purged; nothing is left.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=packages.bash
. "$TOP/tests/packages/packages.bash"

# All files but those of the machine's kernel, of apt and of this test.
files() {
	find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /root -o -path /var/cache \
		-o -path /var/log -o -path /var/lib/apt \) -prune -o -print | LC_ALL=C sort
}

# The manager of services is one that only notes what it is told.
mkdir -p bin /run/systemd/system
for cmd in deb-systemd-invoke systemctl; do
	printf '#!/bin/sh\necho "%s $*" >>"%s/told"\n' $cmd "$TMP" >bin/$cmd
	chmod +x bin/$cmd
done
PATH=$TMP/bin:$PATH
told() {
	grep -o 'deb-systemd-invoke.*' told | sort -u
	: >told
}

ok "packages: the archive's lists are read" apt update
ok "packages: what users have is installed" apt install man-db bash-completion gcc libc6-dev pkgconf
: >told
files >before
ok "apt install bpfperf: exit 0" apt install $PACKAGES/bpfperf_*.deb
is "$(told)" "" "apt install bpfperf: no service is started"
nok "apt install bpfperf: no service is enabled" ls /etc/systemd/system/multi-user.target.wants/bpfperf.service
nok "apt install bpfperf: no debug file hides what is missing" test -d /usr/lib/debug/.build-id
like "$(bpfperf --version -v)" 'stores .*/bpfperf-send: bpfperf-send .* libcurl' "installed bpfperf --version -v: bpfperf-send is found"
is "$(bpfperf trace -a sched:sched_switch --max-events 3 2>err | wc -l)" 3 "installed bpfperf trace --max-events 3: three events"
exits 0 "installed bpfperf stack of a short command: exit 0" bpfperf stack -F 99 -- true
# shellcheck disable=SC2016 # the inner shell's
bpfperf stack -F 999 -o work.folded -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done' 2>err
like "$(cat work.folded)" $'(^|\n)sh;' "installed bpfperf stack: stacks of the shell"
like "$(bpfperf doctor)" $'\nmemlock +ok .*\n' "installed bpfperf doctor: locked memory is no limit where the kernel counts by cgroup"
for page in bpfperf bpfperf-trace bpfperf-probes; do
	like "$(MANPAGER=cat MANWIDTH=100 man $page 2>err)" "NAME.*bpfperf" "man $page: the page is shown"
done
# shellcheck disable=SC2016 # the inner shell's
completed=$(bash -c '. /usr/share/bash-completion/bash_completion
	_comp_load bpfperf 2>/dev/null || _completion_loader bpfperf
	COMP_WORDS=(bpfperf tra) COMP_CWORD=1 COMP_LINE="bpfperf tra" COMP_POINT=11
	"$(complete -p bpfperf | sed "s/.*-F \([^ ]*\).*/\1/")" bpfperf tra bpfperf
	echo "${COMPREPLY[@]}"')
is "$completed" trace "installed completion of bpfperf tra: trace"
ok "apt install libbpfperf-dev: exit 0" apt install $PACKAGES/libbpfperf*.deb
for test in smoke library; do
	mkdir $test
	ok "autopkgtest $test: exit 0" env AUTOPKGTEST_TMP="$TMP/$test" sh "$TOP/debian/tests/$test"
done
is "$(dpkg --verify bpfperf libbpfperf1 libbpfperf-dev)" "" "packages: installed files are as they were packed"

: >told
ok "apt install of a newer bpfperf: exit 0" apt install --reinstall $PACKAGES/bpfperf_*.deb
is "$(told)" "deb-systemd-invoke try-restart bpfperf.service" "apt install of a newer bpfperf: a service that runs is started anew"
mkdir -p /var/lib/private/bpfperf/spool /run/bpfperf
ln -s private/bpfperf /var/lib/bpfperf
ok "apt remove bpfperf: exit 0" apt remove bpfperf
is "$(told)" "deb-systemd-invoke stop bpfperf.service" "apt remove bpfperf: a service that runs is stopped"
ok "apt remove bpfperf: the configuration is kept" test -e /etc/default/bpfperf
ok "apt purge of all: exit 0" apt purge --autoremove bpfperf libbpfperf1 libbpfperf-dev
rmdir /var/lib/private 2>/dev/null
files >after
is "$(LC_ALL=C diff before after)" "" "apt purge of all: the files are those from before"
nok "apt purge of all: /run has nothing" ls /run/bpfperf
is "$(dpkg -l | grep bpfperf)" "" "apt purge of all: dpkg knows no bpfperf"
done_testing
