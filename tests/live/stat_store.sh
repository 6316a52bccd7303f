#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# stat -I --to URL: the counts of all intervals, as metrics of OTLP, add up to what happened.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3
[ -x "$O/bpfperf-send" ] || skip_all "bpfperf-send is not built: apt-get install libcurl4-openssl-dev"

mkdir store
python3 "$TOP/tests/live/store_server.py" store &
reap $!
wait_for 10 test -s store/port
url=http://127.0.0.1:$(cat store/port)

# Prints "EVENT SUM": fields by their numbers in metrics.proto (request 1: resource metrics 2: scope metrics 2: metric 1 name,
# 7 sum 1: points of 4, a double).
cat >sums.py <<'END'
import collections
import glob
import gzip
import struct
import sys

sys.path.insert(0, sys.argv[1])
from otlp import varint


def parts(buf):
    at = 0
    while at < len(buf):
        tag, at = varint(buf, at)
        if tag & 7 == 0:
            value, at = varint(buf, at)
        elif tag & 7 == 1:
            value, at = buf[at:at + 8], at + 8
        else:
            size, at = varint(buf, at)
            value, at = buf[at:at + size], at + size
        yield tag >> 3, value


def of(buf, field):
    return [value for nr, value in parts(buf) if nr == field]


sums, times = collections.Counter(), set()
for path in glob.glob("store/got-*"):
    for res in of(gzip.open(path).read(), 1):
        for scope in of(res, 2):
            for metric in of(scope, 2):
                for total in of(metric, 7):
                    assert of(total, 2) == [1] and of(total, 3) == [1]
                    for point in of(total, 1):
                        sums[of(metric, 1)[0].decode()] += sum(struct.unpack("<d", v)[0] for v in of(point, 4))
                        times.add((of(point, 2)[0], of(point, 3)[0]))
for name, value in sorted(sums.items()):
    print(name, int(value))
print("intervals", len(times))
END
cat >work.py <<'END'
import os
import select

for i in range(10):
    for _ in range(500):
        os.getpriority(os.PRIO_PROCESS, 0)
    select.select([], [], [], 0.1)
END
exits 0 "stat --to: exit 0" "$BPFPERF" stat -e syscalls:sys_enter_getpriority,page-faults -I 100 --spool spool --to "$url" -- python3 work.py
like "$(cat err)" '--to: [0-9]+ messages with [0-9]+ counts sent$' "stat --to: the summary has the counts"
is "$(cat out)" "" "stat --to: nothing is printed"
python3 sums.py "$TOP/tests/formats" >sums
is "$(sed -n 's/^syscalls:sys_enter_getpriority //p' sums)" 5000 "stat --to: the intervals add up to the calls that were made"
ok "stat --to: there are several intervals" test "$(sed -n 's/^intervals //p' sums)" -ge 5
is "$(sort -u store/paths)" /v1/metrics "stat --to: OTLP's path of metrics"
exits 2 "stat --to without -I: exit 2" "$BPFPERF" stat --to "$url" -- true
like "$(cat err)" 'give -I MS' "stat --to without -I: the remedy is told"
exits 2 "stat --to another kind of store: exit 2" "$BPFPERF" stat -I 100 --to pprof+http://localhost:1 -- true
like "$(cat err)" 'Pyroscope has profiles alone' "stat --to another kind of store: the remedy is told"

# Rows of ClickHouse: sums of a member over all rows of a table.
rows() { # TABLE MEMBER
	python3 - "$1" "$2" <<-'END'
		import glob
		import gzip
		import json
		import sys
		table, member = sys.argv[1:]
		paths = open("store/paths").read().splitlines()
		print(sum(row.get(member, 0) for i, path in enumerate(paths, 1) if table in path
		          for row in map(json.loads, gzip.open(f"store/got-{i:04}"))))
	END
}
exits 0 "stat --to clickhouse: exit 0" "$BPFPERF" stat -e syscalls:sys_enter_getpriority -I 200 --spool spool \
	--to "clickhouse+$url" -- python3 work.py
is "$(rows bpfperf_counters value)" 5000 "stat --to clickhouse: the rows add up to the calls that were made"

# Durations of latency: histograms as metrics and as rows, and each of them.
exits 0 "latency --to: exit 0" "$BPFPERF" latency syscalls:getpriority --interval 0.2 --spool spool --to "$url" -- python3 work.py
like "$(cat err)" '--to: [0-9]+ messages with 5000 durations sent$' "latency --to: all durations are sent"
is "$(cat out)" "" "latency --to: nothing is printed"
cat >hist.py <<'END'
import glob
import gzip
import struct
import sys

sys.argv[1:] = [sys.argv[1]]
exec(open("sums.py").read().split("sums, times")[0])
cnt = buckets = 0
for path in glob.glob("store/got-*"):
    body = gzip.open(path).read()
    if body[:1] != b"\n":
        continue
    for hist in [h for res in of(body, 1) for scope in of(res, 2) for m in of(scope, 2) for h in of(m, 9)]:
        for point in of(hist, 1):
            counts = struct.unpack(f"<{len(of(point, 6)[0]) // 8}Q", of(point, 6)[0])
            bounds = struct.unpack(f"<{len(of(point, 7)[0]) // 8}d", of(point, 7)[0])
            assert len(counts) == len(bounds) + 1 and list(bounds) == sorted(bounds)
            cnt += struct.unpack("<Q", of(point, 4)[0])[0]
            buckets += sum(counts)
print(cnt, buckets)
END
is "$(python3 hist.py "$TOP/tests/formats")" "5000 5000" "latency --to: counts and buckets of the histograms are all durations"
exits 0 "latency --to clickhouse: exit 0" "$BPFPERF" latency syscalls:getpriority --interval 0.2 --spool spool \
	--to "clickhouse+$url" -- python3 work.py
is "$(rows bpfperf_durations durations)" 5000 "latency --to clickhouse: the buckets have all durations"
exits 0 "latency --each --to clickhouse: exit 0" "$BPFPERF" latency syscalls:getpriority --each --spool spool \
	--to "clickhouse+$url" -- python3 work.py
is "$(rows bpfperf_spans "pid" | grep -c .)" 1 "latency --each --to clickhouse: rows have a process"
like "$(cat err)" '--to: [0-9]+ messages with 5000 durations sent$' "latency --each --to clickhouse: all durations are sent"
done_testing
