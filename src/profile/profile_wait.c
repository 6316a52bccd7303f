// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/profile_wait.h"
#include "util/path.h"

#include <errno.h>
#include <string.h>

/* Checks whether one of the words matches a name; a word that ends with '*' matches beginnings. */
static bool in_list(const char *words, const char *name)
{
	size_t len;

	for (; *words; words += len + (words[len] == ' ')) {
		len = strcspn(words, " ");
		if (words[len - 1] == '*' ? !strncmp(name, words, len - 1)
					  : !strncmp(name, words, len) && !name[len])
			return true;
	}
	return false;
}

/* How a thread leaves the CPU, whatever for: on the way back to user code, and in interrupts. */
static const char scheduling[] =
	"__schedule* schedule* preempt_schedule* io_schedule* __cond_resched* _cond_resched* "
	"cond_resched* dynamic_cond_resched* dynamic_preempt_schedule* irqentry_exit* "
	"raw_irqentry_exit* exit_to_user_mode* exit_to_kernel_mode* syscall_exit_to_user_mode* "
	"prepare_exit_to_user* do_notify_resume* asm_sysvec_* sysvec_* asm_common_interrupt* "
	"common_interrupt* el0_interrupt* el1_interrupt* el1h_64_irq* el0t_64_irq*";

/* How a thread waits, whatever for: completions, bits, locks, futexes and sleeps. */
static const char waiting[] =
	"wait_for_completion* __wait_for_common* wait_for_common* do_wait_for_common* wait_woken* "
	"bit_wait* __wait_on_bit* out_of_line_wait_* folio_wait_bit* wait_on_page_bit* "
	"__folio_lock* __lock_page* mutex_lock* __mutex_lock* rwsem_down_* down_read* down_write* "
	"down down_interruptible down_killable down_timeout __down* rt_mutex_* __rt_mutex_* "
	"rwbase_* futex_wait* __futex_wait* futex_do_wait* do_futex* do_nanosleep* "
	"hrtimer_nanosleep* common_nsleep*";

/* The kernel's code between user code and a system call or a fault. */
static const char faulting[] = "asm_exc_page_fault* exc_page_fault* el0_da";
static const char entering[] =
	"entry_* do_syscall_* x64_sys_call* ia32_sys_call* el0_svc* do_el0_svc* invoke_syscall* "
	"el0t_64_sync* el0t_32_sync* el0_sync* do_int80* do_fast_syscall_32* "
	"__do_fast_syscall_32* system_call* __do_syscall do_trap_ecall_u* handle_exception* "
	"asm_exc_page_fault* exc_page_fault* el0_da";

/* Files of functions that wrap system calls. */
static const char libraries[] = "libc.so* libc-2.* libpthread* librt.so* ld-musl-* libc.musl-*";

/* Beginnings of the kernel's function of a call; the rest is the name of the call. */
static const char *const call_prefixes[] = {
	"__x64_sys_",
	"__ia32_sys_",
	"__do_sys_",
	"__se_sys_",
	"__arm64_sys_",
	"__riscv_sys_",
	"__s390x_sys_",
	"__ia32_compat_sys_",
	"__do_compat_sys_",
	"__se_compat_sys_",
	"__arm64_compat_sys_",
	"compat_sys_",
	"ksys_",
	"__sys_",
	"sys_",
	"do_sys_",
	NULL,
};

static const char *func_name(const struct profile *p, uint32_t func)
{
	return profile__text(p, p->funcs[func].name);
}

bool profile_wait__is_note(const struct profile *p, const struct profile_func *f)
{
	const char *name = profile__text(p, f->name);

	return f->kern && *name == '[' && !*profile__text(p, f->module) &&
	       strcmp(name, "[unknown]") != 0;
}

/* Returns the name of a frame's outermost function: frames of the kernel have one. */
static const char *frame_name(struct profile *p, const struct profile_stack *st, size_t frame)
{
	uint16_t cnt;
	const uint32_t *funcs = profile__funcs(p, p->frames[st->at + frame], &cnt);

	return funcs ? func_name(p, funcs[0]) : "";
}

/* Sets own, and the state without its brackets and without when it began. 0 or -ENOMEM. */
static int read_state(struct profile *p, const struct profile_stack *st, struct profile_wait *w)
{
	bool is_off = p->events[st->event].kind == SAMPLE_OFF_CPU;
	const char *state = is_off ? "off the CPU" : "running", *end;
	const uint32_t *funcs;
	uint16_t cnt, i;

	w->own = 0;
	for (i = 0; i < st->kern_cnt; i++) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		if (!funcs)
			return -ENOMEM;
		if (!profile_wait__is_note(p, &p->funcs[funcs[0]]))
			continue;
		w->own = (uint16_t)(i + 1);
		state = func_name(p, funcs[0]) + 1;
	}
	end = strstr(state, " since before");
	w->state = texts__add(&p->texts, state, end ? (size_t)(end - state) : strcspn(state, "]"));
	return w->state == TEXTS_NONE ? -ENOMEM : 0;
}

static void read_path(struct profile *p, const struct profile_stack *st, struct profile_wait *w)
{
	w->entry = st->kern_cnt;
	while (w->entry > w->own && in_list(entering, frame_name(p, st, w->entry - 1u)))
		w->entry--;
	w->path = w->own;
	if (p->events[st->event].kind != SAMPLE_OFF_CPU)
		return;
	while (w->path < w->entry) {
		const char *name = frame_name(p, st, w->path);

		if (!in_list(scheduling, name) && !in_list(waiting, name))
			break;
		w->path++;
	}
}

/* Returns the call's name in that of the kernel's function, and its length. */
static const char *call_of(const char *name, size_t *len)
{
	const char *const *prefix;

	/* The function of the call may have ended with a jump to the generic wait. */
	if (in_list(waiting, name))
		name = strstr(name, "futex") ? "futex" : strstr(name, "sleep") ? "nanosleep" : name;
	for (prefix = call_prefixes; *prefix; prefix++)
		if (!strncmp(name, *prefix, strlen(*prefix))) {
			name += strlen(*prefix);
			break;
		}
	*len = strcspn(name, ".");
	return name;
}

/* Sets the call: that of the first frame behind the entry code. 0 or -ENOMEM. */
static int read_call(struct profile *p, const struct profile_stack *st, struct profile_wait *w)
{
	const char *name, *call = "page fault";
	size_t len = strlen(call), i;
	bool faults = false;

	w->call = TEXTS_NONE;
	if (w->entry == st->kern_cnt || w->entry == w->own)
		return 0;
	name = frame_name(p, st, w->entry - 1u);
	if (in_list(scheduling, name))
		return 0;
	for (i = w->entry; i < st->kern_cnt; i++)
		faults |= in_list(faulting, frame_name(p, st, i));
	if (!faults)
		call = call_of(name, &len);
	w->call = texts__add(&p->texts, call, len);
	return w->call == TEXTS_NONE ? -ENOMEM : 0;
}

static bool is_word(const char *name, size_t len, const char *word)
{
	return len == strlen(word) && !strncmp(name, word, len);
}

/* Checks whether a user function only makes the call: all of the C library does, for this view. */
static bool is_wrapper(const struct profile *p, uint32_t func, const char *call)
{
	const char *module = profile__text(p, p->funcs[func].module);
	const char *name = func_name(p, func);
	size_t len;

	if (in_list(libraries, path__base(module)))
		return true;
	/* A static program has the wrappers among its own functions: "__libc_read". */
	name += strspn(name, "_");
	if (!strncmp(name, "GI_", 3))
		name += 3 + strspn(name + 3, "_");
	if (!strncmp(name, "libc_", 5))
		name += 5;
	len = strcspn(name, "@");
	return is_word(name, len, call) || is_word(name, len, "syscall") ||
	       (strstr(call, "nanosleep") && is_word(name, len, "nanosleep"));
}

static void set_func(struct profile_wait *w, uint32_t func, size_t frame, uint16_t at)
{
	w->func = func;
	w->func_frame = (uint16_t)frame;
	w->func_at = at;
}

/*
 * Sets func to the innermost user function; wraps: behind the wrappers of the call, unless they are
 * all there is.
 */
static int read_user(struct profile *p, const struct profile_stack *st, struct profile_wait *w,
		     bool wraps)
{
	const char *call = w->call == TEXTS_NONE ? "" : profile__text(p, w->call);
	size_t i, depth = profile_stack__depth(st);
	const uint32_t *funcs;
	uint16_t cnt;

	for (i = st->kern_cnt; i < depth; i++) {
		funcs = profile__funcs(p, p->frames[st->at + i], &cnt);
		if (!funcs)
			return -ENOMEM;
		while (cnt--) {
			if (w->func == TEXTS_NONE)
				set_func(w, funcs[cnt], i, cnt);
			if (wraps && is_wrapper(p, funcs[cnt], call))
				continue;
			/* A program starts in its own code, but does not wait there. */
			if (strcmp(func_name(p, funcs[cnt]), "_start") != 0)
				set_func(w, funcs[cnt], i, cnt);
			return 0;
		}
	}
	return 0;
}

int profile_wait__read(struct profile *p, const struct profile_stack *st, struct profile_wait *w)
{
	bool is_off = p->events[st->event].kind == SAMPLE_OFF_CPU, wraps;
	const uint32_t *funcs;
	uint16_t cnt;
	int err;

	*w = (struct profile_wait){ .func = TEXTS_NONE };
	err = read_state(p, st, w);
	if (err)
		return err;
	read_path(p, st, w);
	err = read_call(p, st, w);
	if (err)
		return err;
	/* Without the kernel's stack a thread that was not preempted is in a call. */
	wraps = w->call != TEXTS_NONE || (is_off && w->own == st->kern_cnt &&
					  strcmp(profile__text(p, w->state), "preempted") != 0);
	if (st->user_cnt)
		return read_user(p, st, w, wraps);
	/* A kernel thread has no entry code, and never only the scheduler's frames. */
	if (w->entry < st->kern_cnt || w->path == st->kern_cnt)
		return 0;
	funcs = profile__funcs(p, p->frames[st->at + w->path], &cnt);
	if (!funcs)
		return -ENOMEM;
	set_func(w, funcs[cnt - 1], w->path, (uint16_t)(cnt - 1));
	return 0;
}

size_t profile_wait__functions(struct profile *p, const struct profile_stack *st,
			       const struct profile_wait *w, uint32_t *funcs, size_t max,
			       size_t *at)
{
	size_t i, cnt = 0, depth = profile_stack__depth(st);
	const uint32_t *in_frame;
	uint16_t n;

	*at = SIZE_MAX;
	for (i = w->path; i < depth; i++) {
		if (i >= w->entry && i < st->kern_cnt && i != w->func_frame)
			continue;
		in_frame = profile__funcs(p, p->frames[st->at + i], &n);
		while (in_frame && n-- && cnt < max) {
			if (w->func != TEXTS_NONE && i == w->func_frame && n == w->func_at)
				*at = cnt;
			funcs[cnt++] = in_frame[n];
		}
	}
	if (*at == SIZE_MAX)
		*at = cnt;
	return cnt;
}
