#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# tests/run on small trees of its own: what fails, dies or cannot run is counted, reported, and in the exit status.
# shellcheck disable=SC2016 # bodies of files
. "$(dirname "$0")/../lib.sh"
need_cmd prove ps

# A test FILE of the tree, with stdin as its body.
file_of() { # FILE
	mkdir -p "tree/tests/${1%/*}"
	{
		echo '#!/bin/bash'
		cat
	} >"tree/tests/$1"
	chmod +x "tree/tests/$1"
}

new_tree() {
	rm -rf tree
	mkdir -p tree/tests
	cp "$TOP/tests/run" "$TOP/tests/python.bash" tree/tests/
}

# The tree's tests/run in the environment of a user; its output in out and err, both in all.
run() { # STATUS NAME [ARG…]
	local want=$1 name=$2

	shift 2
	exits "$want" "$name" env -u CI -u O -u OSAN TREE="$TMP" tree/tests/run "$@"
	cat out err >all
}

closing() { # LINE NAME
	is "$(tail -n 1 out)" "$1" "$2"
}

new_tree
run 2 "tests/run NOSUCH: exit 2" nosuch
like "$(cat err)" 'no ring nosuch; there are: lint unit' "tests/run NOSUCH: the rings are listed"
run 2 "tests/run -j 0: exit 2" -j 0 lint
run 2 "tests/run with an unknown option: exit 2" -Z
run 0 "tests/run -h: exit 0" -h
like "$(cat out)" '-j N .*Exit 1 where a test failed' "tests/run -h: options and exit status are described"
run 0 "tests/run on a tree without tests: exit 0"
like "$(cat out)" 'ring not run: lint: there are no tests' "tests/run without tests: the empty ring is reported"
closing '0 passed, 0 failed, 0 skipped' "tests/run without tests: the closing line counts nothing"
run 1 "tests/run RING on a ring without tests: exit 1" lint
exits 1 "CI=true tests/run on a tree without tests: exit 1" env -u O -u OSAN CI=true tree/tests/run

file_of lint/good.sh <<<'echo "ok 1 - first fact"; echo "ok 2 - second # SKIP no such thing"; echo 1..2'
file_of golden/good.sh <<<'echo "ok 1 - third fact"; echo 1..1'
run 0 "two rings that pass: exit 0" lint golden
closing '2 passed, 0 failed, 1 skipped' "two rings that pass: passed and skipped are counted"
is "$(grep '^==' out)" $'== lint\n== golden' "two rings that pass: output is in the order of the command line"
run 0 "two rings that pass, in the other order: exit 0" golden lint
is "$(grep '^==' out)" $'== golden\n== lint' "two rings named the other way: output is in that order"
run 0 "two rings that pass, -j 1: exit 0" -j 1 lint golden
closing '2 passed, 0 failed, 1 skipped' "two rings that pass, -j 1: the closing line is the same"
run 0 "a ring named twice: exit 0" lint lint
closing '1 passed, 0 failed, 1 skipped' "a ring named twice: its tests are counted once"
run 0 "tests/run -v: exit 0" -v lint
like "$(cat out)" 'ok 1 - first fact' "tests/run -v: each assertion is printed"

file_of golden/skipped.sh <<<'echo "1..0 # SKIP not here"'
run 0 "a file that is skipped beside one that passes: exit 0" golden
closing '1 passed, 0 failed, 1 skipped' "a file that is skipped: it is counted as one skip"
rm tree/tests/golden/good.sh
run 1 "a named ring whose files are all skipped: exit 1" lint golden
like "$(cat out)" 'ring not run: golden: every test was skipped' "a ring whose files are all skipped: it is reported"

# Failures, side by side and alone.
file_of golden/bad.sh <<'END'
echo "# long before" >&2
for i in {1..7}; do echo "# and $i" >&2; done
echo "ok 1 - a good fact"
echo "not ok 2 - a bad fact"
echo "#   Failed test: a bad fact" >&2
echo "# what was wrong" >&2
echo 1..2
exit 1
END
file_of formats/dies.sh <<<'echo "ok 1 - before the end"; kill -SEGV $$'
file_of fuzz/short.sh <<<'echo "ok 1 - one of two"; echo 1..2'
for jobs in 1 2 7; do
	run 1 "rings that fail, -j $jobs: exit 1" -j $jobs lint golden formats fuzz
	closing '4 passed, 3 failed, 2 skipped' \
		"-j $jobs: a failed assertion, a killed file and a missing assertion are three failures"
	like "$(cat all)" 'what was wrong' "-j $jobs: diagnostics of the failed assertion are printed"
	is "$(sed -n '/^failed: .*bad.sh/,/^failed/p' out | sed '$d' | tail -n 3)" \
		$'# and 7\n#   Failed test: a bad fact\n# what was wrong' \
		"-j $jobs: the assertion that failed is told at the end, with its diagnostics"
	like "$(sed -n '/^failed: .*dies.sh/,/^failed/p' out)" 'ended without a failed assertion' \
		"-j $jobs: a killed file is told at the end"
	for file in golden/bad.sh formats/dies.sh fuzz/short.sh; do
		like "$(cat out)" "tests/$file +\(Wstat" "-j $jobs: the summary names $file"
	done
	unlike "$(cat out)" 'again' "-j $jobs: files outside of the ring live are not run again"
done

# Compiled tests are looked for in the build by their sources.
new_tree
mkdir -p tree/tests/unit tree/build-san/unit
touch tree/tests/unit/{made,unmade}.c
printf '#!/bin/sh\necho "ok 1 - a compiled fact"; echo 1..1\n' >tree/build-san/unit/made
chmod +x tree/build-san/unit/made
run 1 "a compiled test that was not built: exit 1" unit
closing '1 passed, 1 failed, 0 skipped' "a compiled test that was not built: it fails"
rm tree/tests/unit/unmade.c
run 0 "compiled tests of the ring unit: exit 0" unit

# Two files that wait for each other end only where they run side by side; NAME and OTHER are their marks.
meets() { # NAME OTHER
	cat <<-END
		# parallel: yes
		touch \$TREE/met.$1
		for i in {1..100}; do
			[ ! -e \$TREE/met.$2 ] || { echo "ok 1 - $1 meets $2"; echo 1..1; exit; }
			sleep 0.1
		done
		echo "not ok 1 - $1 meets $2"; echo 1..1
	END
}
# A file that another of its kind must not meet.
avoids() {
	cat <<-'END'
		mkdir $TREE/alone || { echo "not ok 1 - alone"; echo 1..1; exit; }
		sleep 0.3
		rmdir $TREE/alone
		echo "ok 1 - alone"; echo 1..1
	END
}
new_tree
meets a b | file_of unit/a.sh
meets b a | file_of unit/b.sh
run 0 "-j 2: two files of a ring run side by side" -j 2 unit
rm met.*
mkdir tree/tests/golden
mv tree/tests/unit/b.sh tree/tests/golden/
run 0 "-j 2: files of two rings run side by side" -j 2 unit golden
rm met.*
mkdir tree/tests/live
mv tree/tests/{unit,golden}/*.sh tree/tests/live/
avoids | file_of live/0.sh
avoids | file_of live/1.sh
run 0 "-j 3: files of live that say parallel: yes run side by side" -j 3 live
closing '4 passed, 0 failed, 0 skipped' "-j 3: files of live that do not say so run alone"
new_tree
for file in unit/{1,2,3,4}.sh golden/{1,2}.sh; do
	file_of "$file" <<<'mkdir $TREE/place.$$; ls -d $TREE/place.* | wc -l >>$TREE/most; sleep 0.3
		rmdir $TREE/place.$$; echo "ok 1 - one fact"; echo 1..1'
done
run 0 "-j 2: six files of two rings pass" -j 2 unit golden
is "$(sort -n most | tail -n 1)" 2 "-j 2: all rings together run two files at once"

# Up to two files of live that fail beside a foreign load are run once more.
fails_once() { # NAME
	echo "[ -e \$TREE/once.$1 ] && echo 'ok 1 - $1 works' || echo 'not ok 1 - $1 works'; touch \$TREE/once.$1; echo 1..1"
}
new_tree
file_of live/good.sh <<<'echo "ok 1 - one fact"; echo 1..1'
fails_once a | file_of live/a.sh
{ echo '# parallel: yes' && fails_once b; } | file_of live/b.sh
AGAIN_LOAD=1000000 run 1 "two files of live that fail on an idle machine: exit 1" live
closing '1 passed, 2 failed, 0 skipped' "two files of live that fail on an idle machine: none is run again"
like "$(cat out)" 'failed: tests/live/a.sh, beside a foreign load of [0-9]+ % of one CPU' \
	"two files of live that fail on an idle machine: the load is printed"
rm once.*
export AGAIN_LOAD=0
run 0 "two files of live that fail at first: exit 0" live
closing '3 passed, 0 failed, 0 skipped' "two files of live that fail at first: the second run counts"
like "$(cat out)" '== live, again' "two files of live that fail at first: the second run has a headline"
for file in a b; do
	like "$(cat out)" "failed at first, run again: $file.sh, beside a foreign load of [0-9]+ % of one CPU: not ok 1 - $file works" \
		"two files of live that fail at first: $file.sh is reported at the end"
done
rm once.*
fails_once c | file_of live/c.sh
run 1 "three files of live that fail: exit 1" live
closing '1 passed, 3 failed, 0 skipped' "three files of live that fail: none is run again"
file_of live/a.sh <<<'echo "not ok 1 - a works"; echo 1..1'
run 1 "a file of live that fails twice: exit 1" live
closing '3 passed, 1 failed, 0 skipped' "a file of live that fails twice: it is one failure"

unset AGAIN_LOAD

# The load is that of others, as long as the file runs: a process that the file starts is not.
new_tree
file_of live/own.sh <<<'TIMEFORMAT="%P"; { time timeout 0.5 sh -c "while :; do :; done"; } 2>$TREE/own
	echo "not ok 1 - own works"; echo 1..1'
run 1 "a file of live that keeps a CPU busy itself: exit 1" live
own=$(sed -nE 's/.*beside a foreign load of ([0-9]+) %.*/\1/p' out | head -n 1)
spinners=()
for _ in $(seq "$(nproc)"); do
	timeout 60 sh -c 'while :; do :; done' &
	spinners+=($!)
done
file_of live/own.sh <<<'sleep 0.5; [ -e $TREE/once ] && echo "ok 1 - own works" || echo "not ok 1 - own works"; touch $TREE/once; echo 1..1'
run 0 "a file of live that fails beside busy processes: exit 0" live
kill "${spinners[@]}"
like "$(cat out)" 'failed at first, run again: own.sh, beside a foreign load of ([5-9][0-9]|[0-9]{3,}) %' \
	"a file of live that fails beside busy processes: their load is printed"
between "${own:-none}" 0 $((100 * $(nproc) - $(sed 's/\..*//' own) + 20)) \
	"a file of live that keeps a CPU busy itself: its own load is not foreign"

# A ring whose process is killed before its counts.
new_tree
file_of unit/kills.sh <<<'kill -KILL $(ps -o ppid= $(ps -o ppid= $(ps -o ppid= $PPID))); sleep 1; echo "ok 1 - late"; echo 1..1'
file_of golden/good.sh <<<'echo "ok 1 - third fact"; echo 1..1'
run 1 "a ring whose process is killed: exit 1" -j 2 unit golden
closing '1 passed, 1 failed, 0 skipped' "a ring whose process is killed: it is one failure"
like "$(cat err)" 'the ring unit ended without a result' "a ring whose process is killed: it is reported"
done_testing
