#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# stack --every --to URL: each sample is in one message that a server has got, or counted as lost, whatever the server does.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3 openssl curl
[ -x "$O/bpfperf-send" ] || skip_all "bpfperf-send is not built: apt-get install libcurl4-openssl-dev"

otlp() { # COMMAND FILE…
	python3 "$TOP/tests/formats/otlp.py" "$@"
}

# Starts a server with these rules; its directory is $store, its port $port.
servers=0
serve() { # RULE…
	servers=$((servers + 1))
	store=$TMP/store-$servers
	mkdir "$store"
	python3 "$TOP/tests/live/store_server.py" "$store" "$@" 2>"$store/err" &
	server=$!
	reap $server
	wait_for 10 test -s "$store/port"
	port=$(cat "$store/port")
}

# Samples the program `spin` of SECONDS; the summary is in err.
send() { # SECONDS ARG…
	local secs=$1

	shift
	rm -rf "$TMP/spool"
	"$BPFPERF" stack -F 499 --every 300ms --spool "$TMP/spool" "$@" -- "$WORKLOADS/spin" "$secs" >out 2>err
}

# A number of the sentence on --to: "12 samples refused".
told() { # WORDS
	sed -n "s/.*--to: [0-9]* messages with.*[^0-9]\([0-9][0-9]*\) samples $1.*/\1/p" err
}
got() {
	local sums

	sums=$(otlp sums "$store"/got-*) && sed -n 's/^samples //p' <<<"$sums"
}
left_over() {
	find "$TMP/spool" -type f -name '*.*' | wc -l
}

serve ok
ok "stack --to: exit 0" send 2 --to "http://127.0.0.1:$port"
ok "stack --to: every message is valid" otlp check "$store"/got-*
is "$(got)" "$(summary samples)" "stack --to: the store has every sample"
is "$(told sent)" "$(summary samples)" "stack --to: the summary has the number of samples sent"
is "$(sort -u "$store/paths")" "/v1development/profiles" "stack --to: OTLP's path"
is "$(otlp gaps "$store"/got-*)" 0 "stack --to: each interval begins where the one before ends"
is "$(left_over)" 0 "stack --to: the spool is empty"
like "$(otlp text "$store/got-0001" | tr -d '\n')" "'host.name' *value *string '$(uname -n)'" "stack --to: the host is an attribute of the resource"

OTEL_SERVICE_NAME=shop OTEL_RESOURCE_ATTRIBUTES=service.version=1%2B2,a=b send 1 --to "http://127.0.0.1:$port/"
last=$(find "$store" -name 'got-*' | sort | tail -n 1)
like "$(otlp text "$last" | tr -d '\n')" "'service.name' *value *string 'shop'.*'service.version' *value *string '1\+2'.*'a' *value *string 'b'" \
	"stack --to: attributes of the environment are the resource's"

# The program has symbols, so that a name can only be missing by choice.
send 1 --to "http://127.0.0.1:$port" --symbols none
newest=$(find "$store" -name 'got-*' | sort | tail -n 1)
ok "stack --symbols none: the message is valid" otlp check "$newest"
like "$(otlp stacks "$newest")" 'workloads/spin\+0x' "stack --symbols none: user functions are offsets"
like "$(otlp text "$newest")" "build_id.gnu" "stack --symbols none: files have build ids"
kill $server

# Each answer, once or for ever.
serve 429:1 503 ok
send 2 --to "http://127.0.0.1:$port"
is "$(got)" "$(summary samples)" "a store that is busy: every sample is sent later"
like "$(cat err)" 'wait in the spool.*HTTP 429' "a store that is busy: a warning has its answer"
kill $server

serve '*' 503
send 1 --to "http://127.0.0.1:$port"
is "$(told 'left in the spool for the next run')" "$(summary samples)" "a store that stays busy: every sample is left in the spool"
all=$(summary samples)
kill $server
wait $server
# The address is the name of the spool, so that the next server has the same port.
serve "port=$port" ok
"$BPFPERF" stack -F 499 --every 300ms --spool "$TMP/spool" --to "http://127.0.0.1:$port" -- "$WORKLOADS/spin" 1 >out 2>err
unlike "$(cat err)" 'was killed' "the next run: the earlier one has ended well"
like "$(cat err)" "an earlier run has left [0-9]* messages with $all samples" "the next run: what was left is announced"
is "$(got)" "$(($(summary samples) + all))" "the next run: what was left is sent, too"
kill $server

serve 500 ok
send 1 --to "http://127.0.0.1:$port"
is "$(($(got) + $(told 'refused by the store')))" "$(summary samples)" "a store that refuses a message: its samples are counted"
kill $server

serve partial ok
send 1 --to "http://127.0.0.1:$port"
is "$(($(got) + $(told 'refused by the store')))" "$(summary samples)" "a partial success: the samples of that message are counted"
like "$(cat err)" '1 profiles were rejected: too large' "a partial success: the store's words are told"
kill $server

serve ok drop ok
send 2 --to "http://127.0.0.1:$port"
dropped=$(otlp sums "$store"/dropped-* | sed -n 's/^samples //p')
is "$(told 'in doubt (sent, and not answered)')" "$dropped" "a request without answer: its samples are in doubt"
is "$(($(got) + dropped))" "$(summary samples)" "a request without answer: it is not sent twice, and all others are sent"
kill $server

serve cut ok
send 2 --to "http://127.0.0.1:$port"
is "$(($(got) + $(told 'in doubt (sent, and not answered)' | grep . || echo 0)))" "$(summary samples)" \
	"a request that is cut: every sample is sent, or in doubt"
kill $server

serve slow:1 ok
send 1 --to "http://127.0.0.1:$port"
is "$(got)" "$(summary samples)" "a slow store: every sample is sent once"
kill $server
wait $server

send 1 --to "http://127.0.0.1:$port"
is "$(told 'left in the spool for the next run')" "$(summary samples)" "a dead store: every sample is left in the spool"
like "$(cat err)" 'wait in the spool.*(refused|connect)' "a dead store: a warning has the reason"
# When a spool is full, the oldest messages are dropped, and their samples counted.
rm -rf spool
"$BPFPERF" stack -a -F 999 --every 100ms --by thread --spool spool --spool-size 1 --to http://127.0.0.1:1 -- "$WORKLOADS/short_lived" 300 >out 2>err
rest=$(told 'left in the spool for the next run' | grep . || echo 0)
drop=$(told 'dropped, as the spool was full' | grep . || echo 0)
is "$((rest + drop))" "$(summary samples)" "--spool-size: every sample is in the spool, or dropped and counted"
between "$(du -sb spool | cut -f 1)" 1 1100000 "--spool-size 1: the spool has a mebibyte at most"

# Certificates.
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
	-addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>/dev/null
serve "tls=$TMP/cert.pem,$TMP/key.pem" ok
send 1 --to "https://127.0.0.1:$port"
is "$(told 'left in the spool for the next run')" "$(summary samples)" "a certificate of an unknown authority: nothing is sent"
like "$(cat err)" 'certificate' "a certificate of an unknown authority: a warning says so"
CURL_CA_BUNDLE=$TMP/cert.pem send 1 --to "https://127.0.0.1:$port"
is "$(got)" "$(summary samples)" "a certificate that is known: every sample is sent"
kill $server

# A disk of 1 MiB and some KiB: below 1 MiB of free space the oldest are dropped.
mkdir small
if mount -t tmpfs -o size=1060k none small 2>/dev/null; then
	"$BPFPERF" stack -a -F 999 --every 100ms --by thread --spool small --to http://127.0.0.1:1 -- "$WORKLOADS/spin" 3 >out 2>err
	rest=$(told 'left in the spool for the next run' | grep . || echo 0)
	drop=$(told 'dropped, as the spool was full' | grep . || echo 0)
	fail=$(told 'lost, as the spool could not be written' | grep . || echo 0)
	is "$((rest + drop + fail))" "$(summary samples)" "a full disk: every sample is left, dropped or lost, and counted"
	ok "a full disk: some were dropped" test "$((drop + fail))" -gt 0
	umount small
else
	skip_test "a full disk: every sample is left, dropped or lost, and counted" "no file system can be mounted"
fi

# A process that is killed: the spool's messages are sent by the next run, one that was being sent is in doubt.
serve '*' slow:3
rm -rf spool
"$BPFPERF" stack -a -F 499 --every 200ms --spool spool --to "http://127.0.0.1:$port" >out 2>err &
victim=$!
reap $victim
wait_for 20 test -s "$store/log"
wait_for 20 eval 'find spool -name "*.msg" | grep -q .'
kill -KILL $victim
wait $victim 2>/dev/null
# The message in hand is still answered.
wait_for 20 eval '! find spool -name "*.sending" | grep -q .'
before=$(find spool -name '*.msg' | sed 's/.*\/[0-9]*-\([0-9]*\)-.*/\1/' | paste -sd+ | bc)
first=$(got)
kill $server
wait $server
serve "port=$port" ok
"$BPFPERF" stack -F 499 --every 300ms --spool "$TMP/spool" --to "http://127.0.0.1:$port" -- "$WORKLOADS/spin" 1 >out 2>err
like "$(cat err)" 'an earlier run was killed: its samples since 20[0-9TZ:-]*, of one interval at most' \
	"kill -9: the next run says from when on samples are lost"
is "$(got)" "$((before + $(summary samples)))" "kill -9: the next run sends what was in the spool"
ok "kill -9: the message in hand was sent once" test "$first" -gt 0
kill $server

# The state for Prometheus, beside the summary.
serve '*' 503
rm -rf spool
"$BPFPERF" stack -a -F 499 --every 200ms --spool spool --to "http://127.0.0.1:$port" --metrics "$TMP/state" >out 2>err &
job=$!
reap $job
wait_for 20 sh -c 'find spool -name "*.msg" | grep -q .'
metric() { # NAME
	curl -sf --unix-socket "$TMP/state" http://localhost/metrics | sed -n "s/^bpfperf_$1 //p"
}
ok "stack --metrics: the spool has messages" wait_for 20 sh -c "curl -sf --unix-socket '$TMP/state' http://localhost/metrics | grep -q '^bpfperf_spool_messages [1-9]'"
ok "stack --metrics: attempts have failed" test "$(metric store_retries_total)" -gt 0
is "$(metric 'lost_total{cause="ring full"}')" 0 "stack --metrics: losses have their cause"
ok "stack --metrics: there are samples" test "$(metric samples_total)" -gt 0
is "$(stat -c %a state)" 700 "stack --metrics: the socket is its user's alone"
kill -INT $job
wait $job
nok "stack --metrics: the socket is removed" test -e state
kill $server

# Wrong arguments.
bad() { # NAME PATTERN ARG…
	exits 2 "$1: exit 2" "$BPFPERF" stack "${@:3}"
	like "$(cat err)" "$2" "$1: the remedy is told"
}
bad "stack --to without a host" 'give http://HOST:4318' --to http://
bad "stack --to of an empty address" 'empty address.*BPFPERF_TO in /etc/default/bpfperf' --to ''
bad "stack --to of an unknown kind" 'give http://HOST:4318' --to ftp://host
bad "stack --every without --to and -o" "-o 'p-%t.pb.gz'" --every 1s
bad "stack --every with a name without time" "-o 'p-%t.pb.gz'" --every 1s -o p.pb.gz
bad "stack --every of no time" 'at least 100ms' --every 1ms -o p-%t.json
bad "stack --metrics without intervals" 'give --every or --to' --metrics :1
exits 2 "stack --metrics at no port: exit 2" "$BPFPERF" stack --every 1s -o p-%n.json --metrics nonsense
like "$(cat err)" 'give HOST:PORT' "stack --metrics at no port: the remedy is told"
bad "stack --spool without --to" 'give --to URL' --spool x
cp "$BPFPERF" alone
exits 1 "stack --to without bpfperf-send: exit 1" ./alone stack --to "http://127.0.0.1:1" --duration 0.1
like "$(cat err)" 'bpfperf-send is missing.*install it' "stack --to without bpfperf-send: the remedy is told"

# Files.
ok "stack --every -o: exit 0" "$BPFPERF" stack -F 499 --every 500ms -o 'p-%n-%t.json' -- "$WORKLOADS/spin" 2
files=(p-*.json)
is "$(printf '%s\n' "${files[@]}" | sed 's/p-\([0-9]*\)-[0-9T]*\.[0-9]*Z\.json/\1/')" "$(seq -f %06g ${#files[@]})" \
	"stack --every -o: files have their number and time in their names"
"$BPFPERF" stack -F 499 --every 500ms -o 'q-%n.pb.gz' -- "$WORKLOADS/spin" 1 >out 2>err
is "$(for f in q-*.pb.gz; do
	python3 "$TOP/tests/golden/pprof_text.py" "$f" | grep -oE '[0-9]+ samples of' | head -n 1
done | awk '{ n += $1 } END { print n }')" "$(summary samples)" "stack --every -o: the files have every sample once"

ok "stack --schema: exit 0" "$BPFPERF" stack --schema
done_testing
