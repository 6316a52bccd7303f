#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# stack --to as its unit of systemd starts it: another user, the unit's capabilities, the manager's socket.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 setpriv
[ -x "$O/bpfperf-send" ] || skip_all "bpfperf-send is not built: apt-get install libcurl4-openssl-dev"
[ "$(cat /proc/sys/kernel/cap_last_cap)" -ge 40 ] || skip_all "this kernel has no CAP_BPF; CAP_SYS_ADMIN takes its place"

chmod 755 .
mkdir store bin state
cp "$BPFPERF" "$O/bpfperf-send" bin/
chown 61234:61234 state
python3 "$TOP/tests/live/store_server.py" store &
reap $!
wait_for 10 test -s store/port

cat >manager.py <<'END'
import os
import socket
import sys

sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
sock.bind("notify")
os.chmod("notify", 0o777)
with open("said", "w", buffering=1) as f:
    while True:
        f.write(sock.recv(200).decode() + "\n")
END
python3 manager.py &
reap $!
wait_for 10 test -S notify

caps=$(sed -n 's/^AmbientCapabilities=//p' "$TOP/dist/bpfperf.service" | tr '[:upper:]' '[:lower:]' | sed -e 's/cap_/+/g' -e 's/ /,/g')
NOTIFY_SOCKET=$TMP/notify WATCHDOG_USEC=400000 STATE_DIRECTORY=$TMP/state \
	setpriv --reuid 61234 --regid 61234 --clear-groups --no-new-privs --inh-caps "-all,$caps" --ambient-caps "-all,$caps" \
	--bounding-set "-all,$caps" bin/bpfperf stack -a -F 199 --every 500ms --to "http://127.0.0.1:$(cat store/port)" >out 2>err &
service=$!
reap $service
"$WORKLOADS/spin" 2 >/dev/null &
reap $!
ok "service: a message is sent" wait_for 20 test -s store/got-0002
ok "service: the watchdog is answered" wait_for 10 grep -q WATCHDOG=1 said
kill -TERM $service
wait $service
is "$?" 0 "service: SIGTERM: exit 0"
ok "service: the manager is told of the end" wait_for 10 grep -q STOPPING=1 said
is "$(head -n 1 said)" READY=1 "service: the manager is told of the begin"
is "$(python3 "$TOP/tests/formats/otlp.py" sums store/got-* | sed -n 's/^samples //p')" "$(summary samples)" \
	"service: the store has every sample"
like "$(python3 "$TOP/tests/formats/otlp.py" stacks store/got-*)" 'spin;.*main.*[0-9]' \
	"service: user functions of another user's program have names"
is "$(find state -name '*.msg' | wc -l)" 0 "service: the spool is empty"
done_testing
