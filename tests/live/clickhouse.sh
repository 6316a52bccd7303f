#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# stack --to clickhouse+http: three hosts (names and networks of their own) and two shards, one of which is killed and comes
# back: the flame graph of SQL is the sum of what the three have sampled. BPFPERF_TEST_SECONDS=60 takes longer.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 clickhouse-server clickhouse-client curl unshare ip
seconds=${BPFPERF_TEST_SECONDS:-4} every=200ms
[ "$seconds" -lt 20 ] || every=1
[ -x "$O/bpfperf-send" ] || skip_all "bpfperf-send is not built: apt-get install libcurl4-openssl-dev"

free_ports() { # COUNT
	python3 -c '
import socket
import sys
socks = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in socks:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in socks))' "$1"
}
read -r http1 http2 tcp1 tcp2 <<<"$(free_ports 4)"

cat >users.xml <<'END'
<yandex><profiles><default><max_memory_usage>500000000</max_memory_usage></default></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
<quotas><default/></quotas></yandex>
END
shard() { # HTTP-PORT TCP-PORT
	echo "<shard><replica><host>127.0.0.1</host><port>$2</port></replica></shard>"
}
config() { # NAME HTTP-PORT TCP-PORT
	mkdir -p "$1"
	cat >"$1/config.xml" <<-END
		<yandex><logger><level>warning</level><log>$TMP/$1/log</log><errorlog>$TMP/$1/err</errorlog></logger>
		<http_port>$2</http_port><tcp_port>$3</tcp_port><listen_host>127.0.0.1</listen_host>
		<path>$TMP/$1/data/</path><tmp_path>$TMP/$1/tmp/</tmp_path><user_files_path>$TMP/$1/files/</user_files_path>
		<mark_cache_size>50000000</mark_cache_size><users_config>$TMP/users.xml</users_config>
		<default_profile>default</default_profile><default_database>default</default_database>
		<remote_servers><pair>$(shard "$http1" "$tcp1")$(shard "$http2" "$tcp2")</pair></remote_servers></yandex>
	END
}
config one "$http1" "$tcp1"
config two "$http2" "$tcp2"
declare -A node
job=()
start() { # NAME
	clickhouse-server --config-file="$TMP/$1/config.xml" >"$1/out" 2>&1 &
	node[$1]=$!
	reap "${node[$1]}"
}
sql() { # QUERY
	curl -sS -m 20 "http://127.0.0.1:$http1/" --data-binary "$1"
}
start one
start two
ok "clickhouse: both nodes answer" wait_for 60 sh -c "curl -sf http://127.0.0.1:$http1/ && curl -sf http://127.0.0.1:$http2/"

# The tables of the cluster; these nodes have no keeper of replicas.
"$BPFPERF" stack --schema | sed -n '/^-- 2\./,/^$/s/^-- //p' |
	sed -e '/^2\. /d' -e '/^  *A batch/d' -e 's/ReplicatedMergeTree([^)]*)/MergeTree/' -e 's/{cluster}/pair/' >cluster.sql
ok "stack --schema: the first node takes the cluster's tables" clickhouse-client --host 127.0.0.1 --port "$tcp1" -n <cluster.sql
ok "stack --schema: the second node takes the cluster's tables" clickhouse-client --host 127.0.0.1 --port "$tcp2" -n <cluster.sql
"$BPFPERF" stack --schema | sed -e '/^--/d' >one.sql
ok "stack --schema: the tables of one node are SQL" clickhouse-client --host 127.0.0.1 --port "$tcp1" -n <one.sql

# Each sends by a server between, which keeps what is sent.
mkdir kept
python3 "$TOP/tests/live/store_server.py" kept "forward=http://127.0.0.1:$http1" any &
reap $!
wait_for 10 test -s kept/port
declare -A net=([red]=10.97.1 [green]=10.97.2 [blue]=10.97.3)
# Begins a host: a process with a network of its own, which ends with it. Sets `host`. The command waits for its network.
begin_host() { # NAME CMD [ARG…]
	local name=$1 link=bpt-$1

	shift
	rm -f "go-$name"
	mkfifo "go-$name"
	# shellcheck disable=SC2016 # the names are of the inner shell
	unshare --uts --net sh -c 'hostname "$1" && read -r _ <"go-$1" && shift && exec "$@"' sh "$name" "$@" >"out-$name" 2>"err-$name" &
	host=$!
	reap $host
	wait_for 10 sh -c "[ \"\$(readlink /proc/$host/ns/net)\" != \"\$(readlink /proc/self/ns/net)\" ]"
	ip link add "$link" type veth peer name eth0 netns $host &&
		ip addr add "${net[$name]}.1/30" dev "$link" && ip link set "$link" up &&
		nsenter --net="/proc/$host/ns/net" sh -c "ip addr add ${net[$name]}.2/30 dev eth0 && ip link set eth0 up"
	echo >"go-$name"
}
begin_profile() { # NAME SECONDS
	begin_host "$1" "$BPFPERF" stack -F 499 --every $every --spool "$TMP/spool-$1" \
		--to "clickhouse+http://${net[$1]}.1:$(cat kept/port)/" -- timeout "$2" "$WORKLOADS/spin" 600
}
for name in red green blue; do
	begin_profile $name "$seconds"
	job[${#job[@]}]=$host
done
wait_for 30 sh -c 'ls kept | grep -q got-0004'
kill -KILL "${node[two]}"
wait "${node[two]}" 2>/dev/null
wait_for 30 sh -c "grep -q 'wait in the spool' err-red err-green err-blue"
start two
wait_for 60 curl -sf "http://127.0.0.1:$http2/"
wait "${job[@]}"
all=0
for name in red green blue; do
	cp "err-$name" err
	all=$((all + $(summary samples)))
	unlike "$(grep 'messages with .* sent' "err-$name")" 'refused|in doubt|dropped|lost, as' "$name: nothing is refused, in doubt or dropped"
done
ok "clickhouse: a shard's end was noticed" grep -q 'wait in the spool' err-red err-green err-blue
is_empty() { # DIR
	[ -z "$(find "$1" -name '*.msg' -o -name '*.sending')" ]
}
# Next runs send the rest of each spool, as much as they can in the 10 s of their end; their own samples count, too.
for name in red green blue; do
	for ((run = 0; run < 30; run++)); do
		begin_profile $name 0.3
		wait "$host"
		cp "err-$name" err
		all=$((all + $(summary samples)))
		is_empty "spool-$name" && break
	done
	ok "$name: the spool is empty in the end" is_empty "spool-$name"
done
is "$(sql "SELECT sum(samples) FROM bpfperf_samples")" "$all" "clickhouse: each sample is there once"
is "$(sql "SELECT uniq(host) FROM bpfperf_samples")" 3 "clickhouse: there are three hosts"
isnt "$(sql "SELECT count() FROM bpfperf_samples_local")" "$(sql "SELECT count() FROM bpfperf_samples")" "clickhouse: both shards have rows"
"$BPFPERF" stack --schema | sed -n '/^-- Flame graph/,/;$/s/^--   //p' >flame.sql
sql "$(cat flame.sql)" | LC_ALL=C sort >by-sql
python3 - kept >by-hand <<'END'
import collections
import glob
import gzip
import json
import sys
sums, seen = collections.Counter(), set()
for path in sorted(glob.glob(sys.argv[1] + "/got-*")):
    rows = [json.loads(line) for line in gzip.open(path)]
    # One that was sent again after a failure; in the sum of SQL it would be there twice.
    if rows[0]["batch"] not in seen:
        for row in rows:
            sums[row["comm"] + ";" + ";".join(row["stack"])] += row["samples"]
    seen.add(rows[0]["batch"])
for path, cnt in sums.items():
    print(f"{path}\t{cnt}")
END
LC_ALL=C sort -o by-hand by-hand
ok "clickhouse: there is a flame graph" test -s by-sql
same by-sql by-hand "clickhouse: the flame graph of SQL is the sum of the three"
done_testing
