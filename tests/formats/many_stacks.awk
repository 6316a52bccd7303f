# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Prints 50,000 different stacks, folded: names as long as those of C++, 8 to 60 functions each, which share their
# beginnings as calls do. flame_views.sh and tools/bench/page make a flame page of them.
BEGIN {
	srand(17)
	while (i < 50000) {
		at = int(rand() * 4)
		line = "proc" int(rand() * 7)
		for (d = 8 + int(rand() * 53); d; d--) {
			line = line ";" (at % 3 ? "name::Class" at "::method_" at % 997 "(int, std::string const&)" : "function_" at)
			at = (at * 31 + int(rand() * rand() * (1 + at % 5)) + 17) % 8009
		}
		if (line in seen)
			continue
		seen[line] = 1
		i++
		print line, 1 + int(rand() * 9)
	}
}
