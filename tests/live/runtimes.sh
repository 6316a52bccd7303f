#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Functions that JIT compilers wrote: the summary says what would name them, and that does.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd python3

# share WORD: percent of the samples with a function of that name.
share() {
	awk -v word="$1" '/^\[recording\]/ { next } { n = $NF; all += n } index($0, word) { with += n } END { print int(100 * with / (all ? all : 1)) }' x.folded
}
sample() { # CMD…
	"$BPFPERF" stack -e cpu-clock -F 299 --format folded -o x.folded "$@" 2>err
}

if command -v node >/dev/null; then
	cat >spin.js <<'END'
function inner(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) * i % 7; return s }
const until = process.hrtime.bigint() + 2000000000n
let x = 0
while (process.hrtime.bigint() < until) x += inner(10000)
END
	ok "node without the switch: exit 0" sample -- node spin.js
	like "$(cat err)" 'Node\.js compiled at [0-9]+ addresses.*--perf-basic-prof --interpreted-frames-native-stack' \
		"node without the switch: the summary names it"
	is "$(share spin.js)" 0 "node without the switch: its functions have no names"
	ok "node with the switch: exit 0" sample -- node --perf-basic-prof --interpreted-frames-native-stack spin.js
	between "$(share spin.js)" 40 100 "node with the switch: its functions have names"
else
	skip_test "node: functions have names" "there is none"
fi

if command -v java >/dev/null && command -v jcmd >/dev/null; then
	cat >Spin.java <<'END'
public class Spin {
    static double inner(int n) { double s = 0; for (int i = 0; i < n; i++) s += Math.sqrt(i) * i % 7; return s; }
    public static void main(String[] a) throws Exception {
        long until = System.nanoTime() + 120_000_000_000L;
        double x = 0;
        for (int i = 0; System.nanoTime() < until; i++) {
            x += inner(10000);
            if (i == 5000) System.out.println("warm");
        }
        System.out.println(x);
    }
}
END
	mkfifo warm
	java -XX:+UseSerialGC Spin.java >warm &
	pid=$!
	reap $pid
	read -r _ <warm
	ok "java without a map: exit 0" sample -p $pid --duration 1
	like "$(cat err)" "Java compiled at [0-9]+ addresses in process $pid .*jcmd $pid Compiler\\.perfmap" "java without a map: the summary names the command"
	is "$(share Spin.inner)" 0 "java without a map: its functions have no names"
	if jcmd $pid Compiler.perfmap >/dev/null 2>&1; then
		ok "java with a map: exit 0" sample -p $pid --duration 1
		between "$(share Spin.inner)" 50 100 "java with a map: its functions have names"
		rm -f "/tmp/perf-$pid.map"
	else
		skip_test "java with a map" "this JDK has no Compiler.perfmap"
	fi
else
	skip_test "java: functions have names" "there is none"
fi

if command -v luajit >/dev/null; then
	echo 'local t, x = os.clock(), 0 while os.clock() - t < 2 do for i = 1, 1e6 do x = x + math.sqrt(i) % 7 end end' >spin.lua
	ok "luajit: exit 0" sample -- luajit spin.lua
	like "$(cat err)" 'LuaJIT compiled at [0-9]+ addresses.*-joff' "luajit: the summary names the switch"
	ok "luajit -joff: exit 0" sample -- luajit -joff spin.lua
	unlike "$(cat err)" 'LuaJIT compiled' "luajit -joff: nothing is compiled"
else
	skip_test "luajit: functions have names" "there is none"
fi

# YJIT writes a map from Ruby 3.3 on.
if ruby --yjit -e 1 2>/dev/null; then
	cat >spin.rb <<'END'
def inner(n) s = 0; i = 0; while i < n; s += i % 7; i += 1; end; s end
now = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
until_ = now.call + 0.7
inner(300) while now.call < until_
END
	ok "ruby --yjit: exit 0" sample -- ruby --yjit spin.rb
	like "$(cat err)" 'Ruby compiled at [0-9]+ addresses.*--yjit-perf' "ruby --yjit: the summary names the switch"
	ok "ruby without YJIT: exit 0" sample -- ruby spin.rb
	unlike "$(cat err)" 'Ruby compiled' "ruby without YJIT: nothing is compiled"
else
	skip_test "ruby: functions that YJIT compiled" "there is none"
fi
done_testing
