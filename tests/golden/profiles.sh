#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# profiles.sh [--update]: profiles made by hand, read by `stack -i`, in the formats for reading,
# against tests/golden/data/profiles/: the tree's indentation at several widths, the list of functions.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=golden.bash
. "$TOP/tests/golden/golden.bash"
golden_begin profiles "$@"
chmod 755 .

# Each function takes time of its own, so that each has a line.
python3 -c '
import sys
levels = int(sys.argv[1])
for n in range(1, levels + 1):
    print("deep;" + ";".join(f"function_{i:03}" for i in range(1, n + 1)), 100 + n)
print("deep;function_001;function_002;other_003 500")
print("deep;function_001;other_002 400")' 30 >deep.folded
cat >work.folded <<'END'
web;main;serve;parse;lex 3001
web;main;serve;parse;parse;lex 11
web;main;serve;vfs_read_[k];[sleeping]_[k];[woken by]_[k];main;lex 70
web;main 5
db;main;query;lex 900
db;main;query;[unknown]_[k] 30
END

stack() { # FILE ARG…
	as_user "$BPFPERF" stack "${@:2}" >"out/$1" 2>err || diag "$(cat err)"
	golden "$1"
}
stack deep-pipe.tree -i deep.folded --format tree
COLUMNS=80 stack deep-80.tree -i deep.folded --format tree
COLUMNS=20 stack deep-20.tree -i deep.folded --format tree
COLUMNS=nonsense as_user "$BPFPERF" stack -i deep.folded --format tree >out/deep-pipe.tree 2>err
golden deep-pipe.tree
stack work.flat -i work.folded --format flat
as_user "$BPFPERF" stack -i work.folded --flat >out/work.flat 2>err
golden work.flat

# The level of a line is told by its indentation and mark alone.
for width in pipe 80 20; do
	is "$(python3 - "$GOLDEN/deep-$width.tree" <<'END'
import re
import sys
wrong = seen = 0
for line in open(sys.argv[1]):
    if line.startswith("#"):
        continue
    column = line.index("%", line.index("%") + 1) + 1 + 10 + 2
    text = line[column:]
    indent = len(text) - len(text.lstrip(" "))
    more = re.match(r"\+(\d+) ", text.lstrip(" "))
    level = indent // 2 + (int(more[1]) if more else 0)
    name = re.search(r"(?:function|other)_0*(\d+)", text)
    if name:
        seen += 1
        wrong += level != int(name[1])
print(wrong, seen)
END
)" "0 32" "the tree of $width: each line's level is its depth"
done
golden_end
