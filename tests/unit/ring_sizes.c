// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Sizes of the recorder's rings: as given, or smaller the more rings there are. */
#include "run/ring_sizes.h"

#include "tap.h"

int main(void)
{
	struct ring_sizes few = ring_sizes__choose(1, 0, 0, 0), many, given;

	many = ring_sizes__choose(4096, 0, 0, 0);
	ok(many.ring <= few.ring, "rings of samples are smaller where there are many");
	ok(many.track < few.track, "rings of processes are smaller where there are many");
	ok(many.aux <= few.aux, "AUX areas are smaller where there are many");
	ok(!(few.ring & (few.ring - 1)), "a ring's size is a power of two");
	given = ring_sizes__choose(4096, 1u << 20, 2u << 20, 0);
	is_u64(given.ring, 1u << 20, "a size of rings that is given is taken");
	is_u64(given.aux, 2u << 20, "a size of AUX areas that is given is taken");
	ok(ring_sizes__choose(1, 0, 0, 64u << 20).aux >= 64u << 20,
	   "an AUX area has room for a snapshot");
	return done_testing();
}
