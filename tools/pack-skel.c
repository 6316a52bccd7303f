// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * pack-skel OBJECT HEADER: prints a skeleton of bpftool with its object compressed, which is
 * unpacked at its first use (src/session/skel_data.h). Objects are a fourth of the static program,
 * and a tenth of their size when packed.
 *
 * pack-skel --bytes FILE NAME: prints C source of the constants NAME, the compressed file, and
 * NAME_sz, how many bytes these are.
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

static void *pack(const char *data, size_t sz, size_t *packed_sz)
{
	size_t max = ZSTD_compressBound(sz);
	void *packed = malloc(max);

	*packed_sz = packed ? ZSTD_compress(packed, max, data, sz, LEVEL) : 0;
	if (!packed || ZSTD_isError(*packed_sz)) {
		fprintf(stderr, "pack-skel: cannot compress %zu bytes\n", sz);
		exit(1);
	}
	return packed;
}

static void put_bytes(const unsigned char *packed, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		printf("%s%u,", i % 32 ? "" : "\n", packed[i]);
}

static void put_body(const char *obj, size_t sz)
{
	size_t len;
	unsigned char *packed = pack(obj, sz, &len);

	printf("{\n\tstatic void *data;\n\tstatic const unsigned char packed[] = {");
	put_bytes(packed, len);
	printf("\n\t};\n\n\treturn skel_data__unpack(&data, packed, sizeof(packed), %zu, sz);\n}\n",
	       sz);
}

static int put_constants(const char *path, const char *name)
{
	size_t sz = 0, len;
	char *data = read_all(path, &sz);
	unsigned char *packed;

	if (!data) {
		fprintf(stderr, "pack-skel: cannot read %s\n", path);
		return 1;
	}
	packed = pack(data, sz, &len);
	printf("extern const unsigned char %s[%zu];\nextern const unsigned long %s_sz;\n", name,
	       len, name);
	printf("const unsigned char %s[%zu] = {", name, len);
	put_bytes(packed, len);
	printf("\n};\nconst unsigned long %s_sz = %zu;\n", name, len);
	return fflush(stdout) || ferror(stdout);
}

int main(int argc, char **argv)
{
	size_t obj_sz = 0, head_sz = 0;
	char *obj = argc == 3 ? read_all(argv[1], &obj_sz) : NULL;
	char *head = argc == 3 ? read_all(argv[2], &head_sz) : NULL;
	char *body, *end;

	if (argc == 4 && !strcmp(argv[1], "--bytes"))
		return put_constants(argv[2], argv[3]);
	/* The definition of NAME__elf_bytes(); its declaration ends with a semicolon. */
	body = head ? strstr(head, "__elf_bytes(size_t *sz)\n{\n") : NULL;
	end = body ? strstr(body, "\n}\n") : NULL;
	if (!obj || !end) {
		fprintf(stderr, "pack-skel: cannot read an object and its skeleton\n");
		return 1;
	}
	body = strchr(body, '\n') + 1;
	printf("#include \"session/skel_data.h\"\n");
	fwrite(head, 1, (size_t)(body - head), stdout);
	put_body(obj, obj_sz);
	fputs(end + strlen("\n}\n"), stdout);
	return fflush(stdout) || ferror(stdout);
}
