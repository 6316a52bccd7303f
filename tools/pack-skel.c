// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * pack-skel OBJECT HEADER: prints a skeleton of bpftool with its object compressed, which is
 * unpacked at its first use (src/session/skel_data.h). Objects are a fourth of the static program,
 * and a tenth of their size when packed.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#define LEVEL 19

static char *read_all(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *data = NULL;
	long sz;

	if (f && !fseek(f, 0, SEEK_END) && (sz = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET)) {
		data = malloc((size_t)sz + 1);
		*len = data ? fread(data, 1, (size_t)sz, f) : 0;
		if (data && *len != (size_t)sz) {
			free(data);
			data = NULL;
		}
		if (data)
			data[sz] = '\0';
	}
	if (f)
		fclose(f);
	return data;
}

static void put_body(const unsigned char *packed, size_t len, size_t sz)
{
	size_t i;

	printf("{\n\tstatic void *data;\n\tstatic const unsigned char packed[] = {");
	for (i = 0; i < len; i++)
		printf("%s%u,", i % 32 ? "" : "\n", packed[i]);
	printf("\n\t};\n\n\treturn skel_data__unpack(&data, packed, sizeof(packed), %zu, sz);\n}\n",
	       sz);
}

int main(int argc, char **argv)
{
	size_t obj_sz = 0, head_sz = 0, max, packed_sz;
	char *obj = argc == 3 ? read_all(argv[1], &obj_sz) : NULL;
	char *head = argc == 3 ? read_all(argv[2], &head_sz) : NULL;
	char *body, *end;
	void *packed;

	/* The definition of NAME__elf_bytes(); its declaration ends with a semicolon. */
	body = head ? strstr(head, "__elf_bytes(size_t *sz)\n{\n") : NULL;
	end = body ? strstr(body, "\n}\n") : NULL;
	max = ZSTD_compressBound(obj_sz);
	packed = malloc(max);
	if (!obj || !end || !packed) {
		fprintf(stderr, "pack-skel: cannot read an object and its skeleton\n");
		return 1;
	}
	packed_sz = ZSTD_compress(packed, max, obj, obj_sz, LEVEL);
	if (ZSTD_isError(packed_sz)) {
		fprintf(stderr, "pack-skel: %s\n", ZSTD_getErrorName(packed_sz));
		return 1;
	}
	body = strchr(body, '\n') + 1;
	printf("#include \"session/skel_data.h\"\n");
	fwrite(head, 1, (size_t)(body - head), stdout);
	put_body(packed, packed_sz, obj_sz);
	fputs(end + strlen("\n}\n"), stdout);
	return fflush(stdout) || ferror(stdout);
}
