# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Recordings as perf script and bpfperf script print them; sourced after lib.sh.

need_cmd perf

# The kernel has several names for some addresses, and it is nobody's to say which is meant: all are the
# first of them here. perf knows nothing, or an empty name, of most procedure linkage tables.
plain() { # FILE
	sed -E 's/ [^ ]*@plt(\+0x[0-9a-f]+)?/ [unknown]/' "$1" | awk '
		NR == FNR { if (!($1 in first)) first[$1] = $3; alias[$3] = first[$1]; next }
		match($0, /ffffffff[0-9a-f]+ [^ +]+/) {
			name = substr($0, RSTART + 17, RLENGTH - 17)
			if (name in alias)
				$0 = substr($0, 1, RSTART + 16) alias[name] substr($0, RSTART + RLENGTH)
		}
		{ print }' /proc/kallsyms -
}

both() { # NAME [OPTION…]: of NAME.data
	local name=$1

	shift
	perf script --no-inline -i "$name.data" "$@" >perf.raw 2>perf.err </dev/null
	"$BPFPERF" script -i "$name.data" "$@" >ours.raw 2>ours.err ||
		fail "$name: exit 0" "$(cat ours.err)"
	plain perf.raw >perf.txt
	plain ours.raw >ours.txt
	ok "$name: there are lines $*" test -s perf.txt
	same ours.txt perf.txt "$name: as perf script prints them $*"
}

# 37 children: what each does is in its own comm, fork, exec and exit.
cat >work.sh <<'END'
i=0
while [ $i -lt 37 ]; do i=$((i + 1)); /bin/true; done
i=0
while [ $i -lt 20000 ]; do i=$((i + 1)); done
END
