# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Profiles and functions that the tests of formats share; sourced after lib.sh.

need_built
need_cmd python3

# A profile whose counts do not occur by chance: 9277 samples in all.
cat >plain.folded <<'END'
web;main;parse;lex 3001
web;main;parse 1013
web;main;render;draw_text 2003
web;main;render;[libgl.so+0x12] 211
web;main;read_[k];vfs_read_[k] 1709
db;start;query;scan 911
db;start;query;größe_測試 401
db;start;query;b<i>&"q"</script><img src=x onerror=alert(1)> 17
db;[truncated];orphan 11
END
# 3 s of running and 7 s of waiting, 13 page faults in two samples.
cat >both.json <<'END'
{"profile":1,"events":[{"name":"cpu-clock","unit":"ns","kind":"on-cpu"},{"name":"off-cpu","unit":"ns","kind":"off-cpu"},{"name":"page-faults","unit":"count","kind":"on-cpu"}],"freq":99,"duration_ns":10100000000,"command":"sh -c 'x; y'","lost_by":{"ring full":17}}
{"function":"schedule","module":"[kernel.kallsyms]","kernel":true}
{"function":"main","module":"/opt/app","kernel":false}
{"group":["app"],"event":0,"stack":["main","work"],"kernel":0,"samples":297,"weight":3000000000}
{"group":["app"],"event":1,"stack":["main","wait_for_it","schedule"],"kernel":1,"samples":5,"weight":7000000000}
{"group":["app"],"event":2,"stack":["main","work"],"kernel":0,"samples":2,"weight":13}
END

# Makes assertions of lines on stdin: "ok" or "not ok", a name and a reason, with tabs between.
tell() {
	local verdict name why

	while IFS=$'\t' read -r verdict name why; do
		if [ "$verdict" = ok ]; then
			pass "$name"
		else
			fail "$name" "$why"
		fi
	done
}
