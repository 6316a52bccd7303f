#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Folded stacks with names that the form itself cannot hold.
. "$(dirname "$0")/../lib.sh"
need_built

printf ';main;f 3\n;main 2\nsh;main 1\n' >unnamed.folded
exits 0 "stack -i, a thread with an empty name: exit 0" "$BPFPERF" stack -i unnamed.folded --format folded
is "$(grep -v '^\[recording\]' out | sort)" "$(printf '[unnamed];main 2\n[unnamed];main;f 3\nsh;main 1')" \
	"stack -i, a thread with an empty name: it has a group of its own"
done_testing
