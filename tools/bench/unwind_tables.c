// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * unwind_tables FILE…: of each the bytes of its unwind table, rows, rules and the time to make it;
 * then all bytes.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "unwind/file.h"
#include "util/mono.h"

int main(int argc, char **argv)
{
	uint64_t sum = 0, start_ns;
	int i, fd, err;

	for (i = 1; i < argc; i++) {
		struct unwind_table t;

		start_ns = mono_ns();
		fd = open(argv[i], O_RDONLY | O_CLOEXEC);
		err = fd < 0 ? -1 : unwind_file__read(&t, fd);
		if (fd >= 0)
			close(fd);
		if (err) {
			fprintf(stderr, "unwind_tables: %s: no table (%d)\n", argv[i], err);
			return 1;
		}
		printf("%s: %zu bytes, %zu rows, %zu rules, %" PRIu64 " us\n", argv[i],
		       unwind_table__mem_sz(&t), t.row_cnt, t.rule_cnt,
		       (mono_ns() - start_ns) / 1000);
		sum += unwind_table__mem_sz(&t);
		unwind_table__free(&t);
	}
	printf("all: %" PRIu64 "\n", sum);
	return 0;
}
