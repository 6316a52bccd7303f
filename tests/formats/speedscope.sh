#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# --format speedscope in speedscope itself: its importer, its tables. It comes from npm, once.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=formats.bash
. "$TOP/tests/formats/formats.bash"
need_cmd chromium npm

VERSION=1.25.0
page=$O/cache/speedscope-$VERSION/dist/release
if [ ! -e "$page/index.html" ]; then
	HOME=$TMP timeout 120 npm pack --silent "speedscope@$VERSION" >npm.out 2>&1 ||
		skip_all "npm cannot fetch speedscope $VERSION: $(tail -n 1 npm.out)"
	mkdir -p "$O/cache"
	mkdir fetched
	tar -xzf "speedscope-$VERSION.tgz" -C fetched
	mv -n fetched/package "$O/cache/speedscope-$VERSION"
fi

exits 0 "stack -o plain.speedscope.json: exit 0" "$BPFPERF" stack -i plain.folded -o plain.speedscope.json
exits 0 "speedscope of several events: exit 0" "$BPFPERF" stack -i both.json -o both.speedscope.json

# Its schema in short: every index is a frame's, every weight a sample's.
cat >check.py <<'END'
import json, sys
doc = json.load(open(sys.argv[1], encoding="utf-8"))
frames = doc["shared"]["frames"]
for p in doc["profiles"]:
    assert p["type"] == "sampled" and len(p["samples"]) == len(p["weights"]), p["name"]
    assert p["startValue"] == 0 and p["endValue"] == sum(p["weights"])
    assert all(0 <= f < len(frames) for s in p["samples"] for f in s)
    print(p["name"], p["unit"], p["endValue"], sep="|")
END
is "$(python3 check.py plain.speedscope.json)" "samples: 9277 samples, 0 lost, 11 truncated|none|9277" "one event: a sampled profile of all samples"
is "$(python3 check.py both.speedscope.json | cut -d'|' -f2-)" "nanoseconds|10000000000
none|2" "several events: times in seconds, the rest without unit"
like "$(python3 check.py both.speedscope.json)" '17 lost \(17 ring full\)' "losses are in the profile's name"

PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/formats/speedscope_page.py" "$page" "$TMP" >browser.out
rc=$?
tell <browser.out
is $rc 0 "the browser came to the end"

if [ "$(id -u)" = 0 ] && [ -x "$WORKLOADS/spin" ]; then
	exits 0 "live, by thread" "$BPFPERF" stack -F 997 --by thread -o live.speedscope.json -- "$WORKLOADS/spin" 1
	python3 check.py live.speedscope.json >out
	like "$(cat out)" '^spin-([0-9]+)/[0-9]+, cpu-clock|^spin-([0-9]+)/[0-9]+, cycles' "a profile of each thread"
fi
done_testing
