// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/kallsyms_cache.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "util/fs.h"
#include "util/hash.h"
#include "util/private_dir.h"

#define FILE_NAME "kallsyms"
/* 1,000,000 functions with long names. */
#define FILE_MAX (256u << 20)
/*
 * Size of the kernel's last function, which nothing limits: code that is loaded later must not seem
 * to be of this function.
 */
#define LAST_SZ 4096u

/* Begins the file; then the entries, then the names. Written and read by one machine. */
struct head {
	char magic[8];
	char boot_id[40];
	uint64_t text;
	uint64_t modules; /* modules_hash() */
	uint64_t cnt; /* of entries */
	uint64_t names_sz; /* bytes */
};

static const char magic[] = "bpfksym1";

bool kallsyms_cache__is_pseudo(const char *module)
{
	return !strcmp(module, "[bpf]") || !strncmp(module, "[__builtin__", 12);
}

static uint64_t modules_hash(const struct kmodules *modules)
{
	uint64_t h = HASH_INIT;
	size_t i;

	for (i = 0; i < modules->cnt; i++) {
		const struct kmodule *m = &modules->all[i];

		h = hash__bytes(h, &m->start, sizeof(m->start));
		h = hash__bytes(h, &m->end, sizeof(m->end));
		h = hash__bytes(h, m->name, strlen(m->name) + 1);
	}
	return h;
}

static int describe(struct head *head, uint64_t text, const struct kmodules *modules)
{
	char *id = fs__read_file("/proc/sys/kernel/random/boot_id", NULL);

	if (!id)
		return -errno;
	memset(head, 0, sizeof(*head));
	memcpy(head->magic, magic, sizeof(head->magic));
	snprintf(head->boot_id, sizeof(head->boot_id), "%s", id);
	head->text = text;
	head->modules = modules_hash(modules);
	free(id);
	return 0;
}

/* Is each part where the head has it, and does each name, and its module, end in the file? */
static bool is_whole(const struct kallsyms_cache *cache, const struct head *want)
{
	const struct head *head = cache->map;

	return !memcmp(head, want, offsetof(struct head, cnt)) && head->cnt < FILE_MAX &&
	       head->names_sz < FILE_MAX && head->names_sz > 1 &&
	       sizeof(*head) + head->cnt * sizeof(struct symtab_entry) + head->names_sz ==
		       cache->sz &&
	       !((const char *)cache->map)[cache->sz - 1] &&
	       !((const char *)cache->map)[cache->sz - 2];
}

static int map_file(struct kallsyms_cache *cache, int fd, const struct head *want)
{
	struct head *head;
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (st.st_size < (off_t)sizeof(*head) || st.st_size > (off_t)FILE_MAX)
		return -EINVAL;
	cache->sz = (size_t)st.st_size;
	head = mmap(NULL, cache->sz, PROT_READ, MAP_PRIVATE, fd, 0);
	if (head == MAP_FAILED)
		return -errno;
	cache->map = head;
	if (!is_whole(cache, want)) {
		kallsyms_cache__close(cache);
		return -ESTALE;
	}
	cache->text = head->text;
	cache->tab.entries = (struct symtab_entry *)(head + 1);
	cache->tab.cnt = cache->tab.cap = head->cnt;
	cache->strings.buf = (char *)(cache->tab.entries + head->cnt);
	cache->strings.len = cache->strings.cap = head->names_sz;
	return 0;
}

int kallsyms_cache__open(struct kallsyms_cache *cache, const char *dir, uint64_t text,
			 const struct kmodules *modules)
{
	int dir_fd = private_dir__open(dir, false), fd, err;
	struct head want;

	*cache = (struct kallsyms_cache){ 0 };
	if (dir_fd < 0)
		return dir_fd;
	err = describe(&want, text, modules);
	fd = err ? -1 : private_dir__open_file(dir_fd, FILE_NAME);
	if (!err)
		err = fd < 0 ? fd : map_file(cache, fd, &want);
	if (fd >= 0)
		close(fd);
	close(dir_fd);
	return err;
}

void kallsyms_cache__close(struct kallsyms_cache *cache)
{
	if (cache->map)
		munmap(cache->map, cache->sz);
	*cache = (struct kallsyms_cache){ 0 };
}

struct contents {
	struct symtab tab;
	struct strbuf names;
};

static const char *module_of(const struct symtab_entry *e, const struct strbuf *strings)
{
	const char *name = strings->buf + e->name;

	return name + strlen(name) + 1;
}

static uint64_t size_of(const struct symtab *tab, size_t i, const struct strbuf *strings)
{
	const struct symtab_entry *e = &tab->entries[i];
	bool is_last = i + 1 == tab->cnt || *module_of(e + 1, strings);

	return is_last && !*module_of(e, strings) && e->sz > LAST_SZ ? LAST_SZ : e->sz;
}

static int collect(struct contents *c, const struct symtab *tab, const struct strbuf *strings)
{
	size_t i, at, len;
	int err = 0;

	for (i = 0; i < tab->cnt && !err; i++) {
		const struct symtab_entry *e = &tab->entries[i];
		const char *name = strings->buf + e->name, *module = module_of(e, strings);

		if (kallsyms_cache__is_pseudo(module))
			continue;
		at = c->names.len;
		len = (size_t)(module - name) + strlen(module) + 1;
		strbuf__add(&c->names, name, len);
		if (c->names.len != at + len)
			return -ENOMEM;
		err = symtab__add(&c->tab, e->addr, size_of(tab, i, strings), e->rank,
				  (uint32_t)at);
	}
	/* Whatever an entry's name is, a NUL follows it and its module. */
	strbuf__add(&c->names, "\0", 2);
	return err;
}

static int put_file(int dir_fd, const struct head *head, const struct contents *c)
{
	struct iovec parts[] = {
		{ (void *)head, sizeof(*head) },
		{ c->tab.entries, c->tab.cnt * sizeof(*c->tab.entries) },
		{ c->names.buf, c->names.len },
	};

	return private_dir__put(dir_fd, FILE_NAME, parts, 3);
}

int kallsyms_cache__write(const char *dir, uint64_t text, const struct kmodules *modules,
			  const struct symtab *tab, const struct strbuf *strings)
{
	struct contents c = { 0 };
	struct head head;
	int dir_fd = private_dir__open(dir, true), err;

	if (dir_fd < 0)
		return dir_fd;
	err = describe(&head, text, modules);
	if (!err)
		err = collect(&c, tab, strings);
	head.cnt = c.tab.cnt;
	head.names_sz = c.names.len;
	if (!err)
		err = put_file(dir_fd, &head, &c);
	symtab__free(&c.tab);
	strbuf__free(&c.names);
	close(dir_fd);
	return err;
}
