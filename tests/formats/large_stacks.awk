# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Prints 6,000 stacks, folded: wide, deep and ragged, every stack of its own. flame.sh and flame_views.sh make pages of
# them.
BEGIN {
	srand(4711)
	for (i = 0; i < 6000; i++) {
		line = "proc" i % 7
		for (d = 1 + int(rand() * 60); d; d--)
			line = line ";function_" int(rand() * rand() * 40)
		print line, 1 + int(rand() * 5)
	}
}
