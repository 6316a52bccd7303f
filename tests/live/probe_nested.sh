#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Functions in functions: lambdas, methods of local classes, and C's nested functions have their arguments.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc g++

cat >nested.c <<'EOF'
#include <stdio.h>
#ifndef KEPT
#define KEPT __attribute__((noinline, noclone))
#endif
static KEPT int outer(int a, int b)
{
	KEPT int add(int x, int y)
	{
		printf("add: x=%d y=%d\n", x, y);
		return x + y + b;
	}
	int r = 0;
	for (int i = 0; i < a; i++) {
		KEPT int mul(int z)
		{
			printf("mul: z=%d\n", z);
			return z * b;
		}
		r += add(i, 7) + mul(i + 1000);
	}
	return r;
}
int main(void) { return outer(53, 3) == 0; }
EOF
cat >nested.cc <<'EOF'
#include <cstdio>
#include <string>
#define KEPT __attribute__((noinline))
struct holder { int v; };
static KEPT int run(int k, const std::string &name)
{
	auto sum = [k, &name](int x, holder h) KEPT {
		printf("operator(): x=%d h_v=%d\n", x, h.v);
		return x + k + h.v + (int)name.size();
	};
	struct local {
		int m;
		KEPT int twice(int z)
		{
			printf("twice: z=%d\n", z);
			return m * z;
		}
	} l{ k };
	int s = 0;
	for (int i = 0; i < 53; i++) {
		s += sum(i, holder{ i * 11 });
		if (i % 2) {
			auto less = [&](int y) KEPT {
				printf("operator(): y=%d\n", y);
				return y - k;
			};
			s += less(i) + l.twice(-i);
		}
	}
	return s;
}
int main(int, char **v) { return run(5, v[0]) == 0; }
EOF

# The function's own name, and the arguments that were named, of each record.
recorded() {
	sed -nE 's/^.* u:[^ ]*:(.*): ([a-z_]+=.*)$/\1: \2/p' out.txt | sed -E 's/^.*(::|:)(twice|operator\(\)): /\2: /; s/\.[a-z.0-9]*: /: /; s/ (this|__closure)=[^ ]*//; s/: (this|__closure)=[^ ]* /: /'
}
check() { # WHAT EVENTS PROGRAM CALLS
	exits 0 "$1: exit 0" "$BPFPERF" trace -o out.txt "$2" -- "$3"
	grep -E '^[a-z()]+: ' out >want.txt
	is "$(wc -l <want.txt)" "$4" "$1: the program tells of each call"
	recorded >got.txt
	same got.txt want.txt "$1: each call has its arguments"
	is "$(summary lost)" 0 "$1: no record is lost"
}
for how in -O0 -O1 '-O0 -gdwarf-4'; do
	# shellcheck disable=SC2086 # several options
	gcc -w -g $how -o nested nested.c || fail "gcc $how: compiles"
	check "nested functions of C, $how" 'u:./nested:add,u:./nested:mul' ./nested 106
	for compiler in g++ clang++; do
		command -v $compiler >/dev/null || continue
		# shellcheck disable=SC2086
		$compiler -w -g $how -o nestedxx nested.cc || fail "$compiler $how: compiles"
		check "$compiler $how" 'u:./nestedxx:*operator()*,u:./nestedxx:*twice*' ./nestedxx 105
	done
done
# An inlined one is found where it was put.
gcc -w -g -O2 -DKEPT= -o nested nested.c
exits 0 "an inlined nested function: exit 0" "$BPFPERF" trace -o out.txt 'u:./nested:add' -- ./nested
is "$(grep -c 'u:nested:add@nested.c:[0-9]*: ' out.txt)" 53 "an inlined nested function: each run of its copy"
# A profile has their names, too.
exits 0 "a stack at a nested function: exit 0" "$BPFPERF" stack --format folded -o out.folded -e 'u:./nestedxx:*twice*' -- ./nestedxx
is "$(sed -nE 's/.*;main;run;[^;]*local::twice //p' out.folded | awk '{ n += $1 } END { print n }')" 26 \
	"a stack at a nested function: its caller is the outer one"
done_testing
