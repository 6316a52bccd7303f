#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# The page of --format flame has the times of all samples, live and of a recording.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

# Sums of a page's values, of all or of those in slices of time: samples and weight.
values() { # PAGE [SLICES]
	python3 "$TOP/tests/golden/flame_text.py" "$1" | awk -v slices="${2-}" '
		/^event [0-9]+ node/ && (/ slice / ? 1 : 0) == (slices != "") {
			times = / slice / ? $8 - $6 + 1 : 1
			samples += $(NF - 2) * times
			weight += $NF * times
		}
		END { printf "%d %.0f\n", samples, weight }'
}
# Milliseconds from the first to the last slice.
span() { # PAGE
	python3 "$TOP/tests/golden/flame_text.py" "$1" | awk '/^times / { printf "%d", $7 * 2 ^ $3 / 1000000 }'
}

exits 0 "stack --off-cpu -o page.html: exit 0" "$BPFPERF" stack --off-cpu -e cpu-clock -F 997 -o both.html -- \
	sh -c "\"$WORKLOADS/spin\" 1; sleep 0.7"
is "$(values both.html slices)" "$(values both.html)" "stack --off-cpu -o page.html: samples and weights of the slices are those of the stacks"
like "$(values both.html)" '^[1-9][0-9]* [1-9][0-9]{8,}$' "stack --off-cpu -o page.html: there are samples, of more than 100 ms"
between "$(span both.html)" 700 60000 "stack --off-cpu -o page.html: the axis of time has the sleep"

exits 0 "record of a workload: exit 0" "$BPFPERF" record -q -g -F 997 -o spin.data -- "$WORKLOADS/spin" 1
exits 0 "report -o page.html of a recording: exit 0" "$BPFPERF" report -i spin.data -o recorded.html
is "$(values recorded.html slices)" "$(values recorded.html)" "report -o page.html: samples and weights of the slices are those of the stacks"
like "$(values recorded.html)" '^[1-9]' "report -o page.html: there are samples"
exits 0 "stack -i of a page with times: exit 0" "$BPFPERF" stack -i both.html -o again.html
is "$(values again.html slices)" "$(values both.html)" "stack -i page.html -o page.html: the times are kept"
done_testing
