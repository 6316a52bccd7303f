#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Functions of Ruby in user stacks: what the interpreter itself says at thousands of stops is what the stacks have.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=interp.bash
. "$TOP/tests/live/interp.bash"
need_cmd ruby
# $RUBY: another interpreter, its options included.
read -r -a ruby <<<"${RUBY:-$(command -v ruby)}"
[ "$(uname -m)" = x86_64 ] || skip_all "functions of Ruby are shown on x86-64"
"${ruby[@]}" -e 'exit %w[3.1 3.3].include?(RUBY_VERSION[/\d+\.\d+/])' || skip_all "needs Ruby 3.1 or 3.3"
ev=syscalls:sys_enter_getppid
stops=$TOP/tests/live/ruby_stops.rb

for program in recursion blocks fibers threads exceptions short_lived files names; do
	stops_are_equal Ruby ruby 240 $program "${ruby[@]}" "$stops" truth.json 401
done
ok "trace -g of Ruby: valid by the schema" python3 "$TOP/tests/formats.py" schema "$TOP/docs/trace.schema.json" t.json

# Frames of C in between keep their places: each() calls the block, which the loop called.
cat >block.rb <<'END'
def inner
  Process.ppid
end
def outer
  [1].each { inner }
end
outer
END
exits 0 "trace -g of C in between: exit 0" "$BPFPERF" trace -g -o block.txt -e $ev -- "${ruby[@]}" block.rb
like "$(tr -d '\n' <block.txt)" \
	"ruby inner \(block\.rb:2\).*ruby block in outer \(block\.rb:5\).* rb_yield.* rb_ary_each.*ruby outer \(block\.rb:5\).*ruby <main> \(block\.rb:7\)" \
	"trace -g of C in between: functions of Ruby and of C in order, with lines"
exits 0 "trace -g --ruby=off: exit 0" "$BPFPERF" trace -g --ruby=off -o off.txt -e $ev -- "${ruby[@]}" block.rb
unlike "$(cat off.txt)" "ruby (inner|outer)" "trace --ruby=off: no functions of Ruby"

# Linkers pack relocations (DT_RELR), among them the labels by which the loop is found.
shared=$(ldd "${ruby[0]}" | awk '/libruby/ { print $3 }')
if [ -n "$shared" ] && readelf -SW "$shared" | grep -q '\.gnu_debuglink'; then
	mkdir packed
	python3 "$TOP/tests/live/pack_relocations.py" "$shared" "packed/$(basename "$shared")" >packed.txt
	between "$(cut -d ' ' -f 1 packed.txt)" 150 100000 "libruby with packed relocations: the test packs them"
	exits 0 "trace -g of packed relocations: exit 0" "$BPFPERF" trace -g -o packed.txt -e $ev -- \
		env LD_LIBRARY_PATH="$PWD/packed" "${ruby[@]}" block.rb
	like "$(tr -d '\n' <packed.txt)" "ruby inner \(block\.rb:2\).*ruby block in outer \(block\.rb:5\).*ruby <main> \(block\.rb:7\)" \
		"trace -g of packed relocations: functions of Ruby are named"
	like "$(cat packed.txt)" "rb_ary_each[^(]*\($PWD/packed/" "trace -g of packed relocations: the packed library ran"
else
	skip_test "trace -g of packed relocations" "Ruby is not a stripped shared library"
fi

# A stack with more native frames than a walk takes: the innermost functions are where they belong.
cat >deep.rb <<'END'
def down(n)
  return Process.ppid if n.zero?
  [1].each { down(n - 1) }
end
down(250)
END
exits 0 "trace -g of a deep stack: exit 0" "$BPFPERF" trace -g=user -o deep.txt -e $ev -- "${ruby[@]}" deep.rb
like "$(head -n 60 deep.txt | tr -d '\n')" "ppid.*ruby down \(deep\.rb:2\).* rb_ary_each.*ruby down \(deep\.rb:3\).* rb_ary_each" \
	"trace -g of a deep stack: functions of Ruby and of C take turns from the innermost on"

# Samples at any instruction: each is a path that the program can take.
cat >spin.rb <<'END'
def leaf(n)
  (1..n).inject { |a, b| a + b * b }
end
def one(n)
  leaf(n)
end
def two(n)
  [3, 1, 2].sort_by { |x| one(n) + x }
end
finish = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) + 2
while Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) < finish
  one(20)
  two(20)
end
END
exits 0 "stack of Ruby: exit 0" "$BPFPERF" stack -e cpu-clock -F 997 --user --format json -o spin.json -- "${ruby[@]}" spin.rb
paths_are_possible Ruby ruby 50 "<main>=one,two; one=leaf; two=block in two; block in two=one; leaf=block in leaf"
ok "stack of Ruby: valid by the schema" python3 "$TOP/tests/formats.py" schema "$TOP/docs/profile.schema.json" spin.json

# Off the CPU.
printf '%s\n' 'def nap' '  sleep 0.02' 'end' 'def rest_a_while' '  20.times { nap }' 'end' 'rest_a_while' >sleep.rb
exits 0 "stack --off-cpu of Ruby: exit 0" "$BPFPERF" stack --off-cpu --format json -o off.json -- "${ruby[@]}" sleep.rb
naps_are_counted Ruby rest_a_while nap

# A recording: perf has each function as a mapping of its own, we have it as what it is.
exits 0 "record -g of Ruby: exit 0" "$BPFPERF" record -g -e cpu-clock -F 499 -o spin.data -- "${ruby[@]}" spin.rb
"$BPFPERF" script -i spin.data >ours.txt 2>err
between "$(grep -c ' block in leaf+0x0 (spin\.rb)$' ours.txt)" 100 5000 "record -g of Ruby: script names its functions"
if command -v perf >/dev/null; then
	perf script -i spin.data >theirs.txt 2>/dev/null
	is "$(grep -c '(rb::block in leaf:spin\.rb)$' theirs.txt)" "$(grep -c ' block in leaf+0x0 (spin\.rb)$' ours.txt)" \
		"record -g of Ruby: perf script has as many"
fi

# Structures that a program forged cost little, and name nothing.
lib=$(ldd "${ruby[0]}" | sed -n 's/.*libruby[^ ]* => \([^ ]*\) .*/\1/p')
if nm -D "$lib" 2>/dev/null | grep -q ruby_current_ec; then
	for mode in many wild long huge; do
		exits 0 "stack of forged structures, $mode: exit 0" "$BPFPERF" stack -e cpu-clock -F 499 --user --format json -o forged.json -- \
			"$WORKLOADS/forged_ruby" "$lib" $mode 2
		between "$(summary samples)" 20 2000 "stack of forged structures, $mode: there are samples"
		[ $mode = many ] || is "$(grep -c '"function":"forged"' forged.json)" 0 "stack of forged structures, $mode: no name from them"
		[ $mode = huge ] || like "$(cat err)" "frames of an interpreter that cannot be read" \
			"stack of forged structures, $mode: such stacks are told as not complete"
	done
else
	skip_test "stack of forged structures" "libruby does not export ruby_current_ec"
fi
done_testing
