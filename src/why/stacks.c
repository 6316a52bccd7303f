// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sym/sym.h"
#include "util/array.h"
#include "util/path.h"

/* Places to a block. */
#define BLOCK_CNT 16384
/* Frames of the kernel that are looked at. */
#define KERN_MAX 128

void why_stacks__init(struct why_stacks *st, struct sym *sym)
{
	*st = (struct why_stacks){
		.sym = sym,
		.by_source = U64MAP_INIT,
		.by_places = U64MAP_INIT,
		.known = U64MAP_INIT,
	};
	st->none = texts__get(&st->texts, texts__add(&st->texts, "", 0));
}

void why_stacks__free(struct why_stacks *st)
{
	while (st->block_cnt)
		free(st->blocks[--st->block_cnt]);
	free(st->blocks);
	free(st->at);
	texts__free(&st->texts);
	u64map__free(&st->by_source);
	u64map__free(&st->by_places);
	u64map__free(&st->known);
}

/* Returns room for cnt places, which is used only after take_room(). NULL: no memory. */
static uint64_t *find_room(struct why_stacks *st, size_t cnt)
{
	uint64_t *block;

	if (cnt <= st->free_cnt)
		return st->free_at;
	if (cnt > BLOCK_CNT || array__reserve((void **)&st->blocks, &st->block_cap,
					      st->block_cnt + 1, sizeof(*st->blocks)))
		return NULL;
	block = calloc(BLOCK_CNT, sizeof(*block));
	if (!block)
		return NULL;
	st->blocks[st->block_cnt++] = block;
	st->free_at = block;
	st->free_cnt = BLOCK_CNT;
	return block;
}

static void take_room(struct why_stacks *st, size_t cnt)
{
	st->free_at += cnt;
	st->free_cnt -= cnt;
}

static uint64_t hash_places(const uint64_t *places, size_t kern_cnt, size_t user_cnt)
{
	uint64_t h = (uint64_t)kern_cnt << 32 | user_cnt;
	size_t i;

	for (i = 0; i < kern_cnt + user_cnt; i++)
		h = u64map__mix(h ^ places[i]);
	return h;
}

static uint64_t hash_chain(const struct callchain *chain, uint64_t id)
{
	uint64_t h = id;
	size_t i;

	for (i = 0; !id && i < chain->kern_cnt; i++)
		h = u64map__mix(h ^ chain->kern[i]);
	for (i = 0; !id && i < chain->user_cnt; i++)
		h = u64map__mix(h ^ chain->user[i]);
	return h;
}

/* Lets a thread of sym read the names meanwhile. */
static void announce(struct why_stacks *st, uint64_t place)
{
	uint32_t *slot = u64map__slot(&st->known, place);

	if (!slot || *slot != U64MAP_NONE)
		return;
	*slot = 0;
	sym__will_name(st->sym, place);
}

static void read_kernel_part(struct why_stacks *st, struct why_stack *s)
{
	const char *names[KERN_MAX];
	size_t cnt = s->kern_cnt < KERN_MAX ? s->kern_cnt : KERN_MAX, i;
	struct sym_result res;

	for (i = 0; i < cnt; i++) {
		sym__kernel(st->sym, s->places[i], &res);
		names[i] = res.name;
	}
	why_stack_facts__read(names, cnt, &s->facts);
}

/* Adds the stack if no equal one is there. */
static uint32_t add_places(struct why_stacks *st, uint64_t *places, uint16_t kern_cnt,
			   uint16_t user_cnt)
{
	uint32_t *slot = u64map__slot(&st->by_places, hash_places(places, kern_cnt, user_cnt));
	struct why_stack *s;
	size_t i;

	if (!slot)
		return WHY_NONE;
	if (*slot != U64MAP_NONE)
		return *slot;
	if (array__reserve((void **)&st->at, &st->cap, st->cnt + 1, sizeof(*st->at)))
		return WHY_NONE;
	*slot = (uint32_t)st->cnt;
	s = &st->at[st->cnt++];
	*s = (struct why_stack){ .places = places, .kern_cnt = kern_cnt, .user_cnt = user_cnt };
	take_room(st, (size_t)kern_cnt + user_cnt);
	for (i = kern_cnt; i < (size_t)kern_cnt + user_cnt; i++)
		announce(st, places[i]);
	read_kernel_part(st, s);
	return *slot;
}

uint32_t why_stacks__add(struct why_stacks *st, const struct callchain *chain, uint64_t id,
			 int32_t pid, uint32_t maps_version)
{
	uint64_t process = u64map__mix((uint64_t)(uint32_t)pid << 32 | maps_version);
	size_t cnt = (size_t)chain->kern_cnt + chain->user_cnt, i;
	uint64_t *places;
	uint32_t *slot;

	if (!cnt)
		return WHY_NONE;
	slot = u64map__slot(&st->by_source, hash_chain(chain, id) ^ process);
	if (!slot)
		return WHY_NONE;
	if (*slot != U64MAP_NONE)
		return *slot;
	places = find_room(st, cnt);
	if (!places)
		return WHY_NONE;
	for (i = 0; i < chain->kern_cnt; i++)
		places[i] = sym__kernel_place(st->sym, callchain__kernel_in(chain, i));
	for (i = 0; i < chain->user_cnt; i++)
		places[chain->kern_cnt + i] =
			sym__place(st->sym, pid, callchain__user_in(chain, i));
	*slot = add_places(st, places, chain->kern_cnt, chain->user_cnt);
	return *slot;
}

/* Is the file a library that programs call, rather than a part of what they do? */
static bool is_library(const char *module)
{
	static const char *const files[] = { "libc.",      "libc-",       "ld-",         "ld.",
					     "libpthread", "libm.",       "libm-",       "librt.",
					     "libdl.",     "libstdc++.",  "libgcc_s.",   "ld64.",
					     "libc++.",    "libjemalloc", "libtcmalloc", "[vdso]",
					     NULL };
	const char *name = path__base(module);
	size_t i;

	for (i = 0; files[i]; i++)
		if (!strncmp(name, files[i], strlen(files[i])))
			return true;
	return false;
}

/* Functions of the C library, which static programs contain; '*': the beginning of a name. */
static bool is_library_function(const char *name)
{
	static const char *const functions[] = {
		"__*",         "pthread_*", "_IO_*",     "futex_*", "sem_*",
		"epoll_*",     "usleep",    "nanosleep", "sleep",   "clock_nanosleep",
		"sched_yield", "read",      "write",     "fsync",   "poll",
		"fdatasync",   "select",    "recv",      "send",    "syscall",
		"wait4",       "waitpid",   "recvmsg",   "sendmsg", NULL,
	};
	const char *at = strchr(name, '@');
	size_t i;

	if (at && !strcmp(at, "@plt"))
		return true;
	for (i = 0; functions[i]; i++) {
		size_t len = strlen(functions[i]);

		if (functions[i][len - 1] == '*' ? !strncmp(name, functions[i], len - 1)
						 : !strcmp(name, functions[i]))
			return true;
	}
	return false;
}

static const char *intern(struct why_stacks *st, const char *text)
{
	return texts__get(&st->texts, texts__add_escaped(&st->texts, text, strlen(text)));
}

/* Parts of the C library's functions that compilers split off, and that programs do not call. */
static const char *called_as(const char *name)
{
	static const char *const slow[][2] = {
		{ "new_sem_wait_slow", "sem_wait" },
		{ "old_sem_wait_slow", "sem_wait" },
		{ "do_futex_wait", "sem_wait" },
	};
	size_t i;

	for (i = 0; i < sizeof(slow) / sizeof(slow[0]); i++)
		if (!strncmp(name, slow[i][0], strlen(slow[i][0])))
			return slow[i][1];
	return name;
}

/*
 * The name as printed, without the version of a symbol ("@@GLIBC_2.2.5"); of a library's function
 * without the prefix of its own names ("__libc_recv").
 */
static const char *text_of(struct why_stacks *st, const struct sym_frame *f, bool is_call)
{
	static const char *const prefixes[] = { "__GI_", "__libc_", "libc_", "__" };
	const struct sym_result res = { f->name, f->module, f->off, f->func_off, f->kind, 0 };
	struct strbuf sb = STRBUF_INIT;
	const char *text, *version;
	uint32_t idx;
	size_t i;

	sym_result__put(&res, &sb);
	text = strbuf__cstr(&sb);
	for (i = 0; is_call && i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(text, prefixes[i], strlen(prefixes[i])))
			text += strlen(prefixes[i]);
	text = is_call ? called_as(text) : text;
	version = strchr(text, '@');
	idx = texts__add(&st->texts, text, version ? (size_t)(version - text) : strlen(text));
	strbuf__free(&sb);
	return texts__get(&st->texts, idx);
}

static bool is_lock(const char *name)
{
	return strstr(name, "pthread_") || strstr(name, "sem_") || !strcmp(name, "take_gil");
}

/* Is one of the functions on the stack an interpreter's? */
static bool is_interpreted(const struct why_stacks *st, const struct why_stack *s)
{
	struct sym_frame f;
	size_t i;

	for (i = s->kern_cnt; i < (size_t)s->kern_cnt + s->user_cnt; i++) {
		sym__function(st->sym, false, s->places[i], &f);
		if (frame_kind__is_interpreted(f.kind))
			return true;
	}
	return false;
}

/* Functions that each program begins with say nothing as callers. */
static bool is_beginning(const char *name)
{
	return !strcmp(name, "main") || !strcmp(name, "_start") || !strcmp(name, "clone") ||
	       !strcmp(name, "clone3") || !strcmp(name, "start_thread");
}

const struct why_stack *why_stacks__describe(struct why_stacks *st, uint32_t idx)
{
	struct why_stack *s = idx < st->cnt ? &st->at[idx] : NULL;
	struct sym_frame f, call = {};
	bool has_interpreter;
	size_t i;

	if (!s || s->is_described)
		return s;
	has_interpreter = is_interpreted(st, s);
	s->is_described = true;
	s->function = s->caller = s->call = s->syscall = st->none;
	for (i = s->kern_cnt; i < (size_t)s->kern_cnt + s->user_cnt && !*s->caller; i++) {
		sym__function(st->sym, false, s->places[i], &f);
		if (is_library(f.module) || (f.name && is_library_function(f.name))) {
			/* Behind the function: a callback of the library's. */
			if (*s->function)
				break;
			/* A lock says more than the function around it. */
			if (f.name && !(call.name && is_lock(call.name)) && !is_beginning(f.name))
				call = f;
			continue;
		}
		/* The interpreter's functions work for the program's. */
		if (has_interpreter && !frame_kind__is_interpreted(f.kind)) {
			if (f.name && !strcmp(f.name, "take_gil"))
				call = f;
			continue;
		}
		/* A walk by frame pointers through code that has none. */
		if (!f.name && !strcmp(f.module, "[unknown]"))
			continue;
		if (!*s->function)
			s->function = text_of(st, &f, false);
		else if (!f.name || is_beginning(f.name))
			break;
		else
			s->caller = text_of(st, &f, false);
	}
	if (call.name)
		s->call = text_of(st, &call, true);
	if (s->facts.syscall)
		s->syscall = intern(st, s->facts.syscall);
	/* A kernel thread, or a stack without a user part, has the kernel's function. */
	if (!*s->function && !*s->call && s->facts.function)
		s->function = intern(st, s->facts.function);
	return s;
}
