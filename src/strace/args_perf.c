// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The attributes of perf_event_open(2). */
#include <string.h>

#include <linux/perf_event.h>

#include "strace/calls.h"
#include "strace/fields.h"

#define A(m, k, ...) FIELD(struct perf_event_attr, m, k, __VA_ARGS__)

/* clang-format off */
static const struct field head[] = {
	A(type, NAME, .names = &names_perf_type), A(size, NAME, .names = &names_perf_attr_size),
	FIELDS_END,
};
static const struct field sampling[] = {
	A(sample_type, BITS, .names = &names_perf_sample),
	A(read_format, BITS, .names = &names_perf_format), FIELDS_END,
};
/* Behind the flags, which end at byte 48. */
static const struct field wakeup_events = A(wakeup_events, DECIMAL);
static const struct field wakeup_watermark = A(wakeup_watermark, DECIMAL);
static const struct field configs[] = {
	A(config1, HEXADECIMAL), A(config2, HEXADECIMAL), FIELDS_END,
};
static const struct field breakpoint[] = {
	A(bp_addr, HEXADECIMAL), A(bp_len, DECIMAL), FIELDS_END,
};
static const struct field branch = A(branch_sample_type, BITS, .names = &names_perf_branch);
static const struct field regs_user = A(sample_regs_user, HEXADECIMAL);
static const struct field stack_user = A(sample_stack_user, HEXADECIMAL);
static const struct field clock_id = A(clockid, CLOCK);
static const struct field tail[] = {
	A(sample_regs_intr, HEXADECIMAL), A(aux_watermark, DECIMAL), A(sample_max_stack, DECIMAL),
	A(aux_sample_size, DECIMAL), A(sig_data, DECIMAL), FIELDS_END,
};

/* The flags by bit, of which two are one number. */
static const char *const bits[] = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
	"exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec",
	"task", "watermark", "precise_ip", NULL, "mmap_data", "sample_id_all", "exclude_host",
	"exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user", "mmap2",
	"comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces", "ksymbol",
	"bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap",
};
#define BIT_CNT (sizeof(bits) / sizeof(bits[0]))
#define PRECISE_BIT 15
#define FLAGS_AT 40
/* clang-format on */

static void put_cache(struct strbuf *out, uint64_t config)
{
	const char *id = names__find(&names_perf_cache, config & 0xff);
	const char *op = names__find(&names_perf_cache_op, config >> 8 & 0xff);
	const char *result = names__find(&names_perf_cache_result, config >> 16 & 0xff);

	if (!id || !op || !result || config >> 24)
		put_hex(out, config);
	else
		strbuf__printf(out, "%s<<16|%s<<8|%s", result, op, id);
}

static void put_config(struct strbuf *out, const struct perf_event_attr *a)
{
	strbuf__puts(out, ", config=");
	switch (a->type) {
	case PERF_TYPE_HARDWARE:
		put_enum(out, &names_perf_hw, a->config);
		return;
	case PERF_TYPE_SOFTWARE:
		put_enum(out, &names_perf_sw, a->config);
		return;
	case PERF_TYPE_HW_CACHE:
		put_cache(out, a->config);
		return;
	case PERF_TYPE_TRACEPOINT:
		strbuf__put_u64(out, a->config);
		return;
	}
	put_hex(out, a->config);
}

/* The flags that are set, and with -v those that are not. */
static void put_bits(struct call_view *v, const void *attr)
{
	static const char *const precise[] = { "arbitrary skid", "constant skid",
					       "requested to have 0 skid", "must have 0 skid" };
	uint64_t flags;
	size_t i;

	memcpy(&flags, (const char *)attr + FLAGS_AT, sizeof(flags));
	for (i = 0; i < BIT_CNT; i++) {
		unsigned int val = flags >> i & 1;

		if (i == PRECISE_BIT)
			strbuf__printf(v->out, ", precise_ip=%u /* %s */",
				       (unsigned int)(flags >> i & 3), precise[flags >> i & 3]);
		else if (bits[i] && (val || v->opts->verbose))
			strbuf__printf(v->out, ", %s=%u", bits[i], val);
	}
	if (flags >> BIT_CNT)
		strbuf__printf(v->out, " /* bits %zu..63: %#llx */", BIT_CNT,
			       (unsigned long long)(flags >> BIT_CNT));
}

static void put_one(struct call_view *v, unsigned int arg, const struct field *f,
		    const struct perf_event_attr *a, size_t sz)
{
	if (f->off + (size_t)f->sz > sz)
		return;
	strbuf__puts(v->out, ", ");
	field__put(v, arg, f, a);
}

static void put_all(struct call_view *v, unsigned int arg, const struct field *fields,
		    const struct perf_event_attr *a, size_t sz)
{
	for (; fields->name; fields++)
		put_one(v, arg, fields, a, sz);
}

/* The members behind the flags. */
static void put_tail(struct call_view *v, unsigned int arg, const struct perf_event_attr *a,
		     size_t sz)
{
	put_one(v, arg, a->watermark ? &wakeup_watermark : &wakeup_events, a, sz);
	if (a->type == PERF_TYPE_BREAKPOINT) {
		strbuf__puts(v->out, ", bp_type=");
		put_flags(v->out, &names_breakpoint, a->bp_type);
	}
	put_all(v, arg, a->type == PERF_TYPE_BREAKPOINT ? breakpoint : configs, a, sz);
	if (a->sample_type & PERF_SAMPLE_BRANCH_STACK)
		put_one(v, arg, &branch, a, sz);
	put_one(v, arg, &regs_user, a, sz);
	if (a->sample_type & PERF_SAMPLE_STACK_USER)
		put_one(v, arg, &stack_user, a, sz);
	if (a->use_clockid)
		put_one(v, arg, &clock_id, a, sz);
	put_all(v, arg, tail, a, sz);
}

/* The kernel writes the size that it knows over one that it does not. */
void fetch_perf_attr(struct fetch_list *l, unsigned int arg)
{
	fetch_bytes_at_entry(l, arg, 8);
	fetch_struct(l, arg);
}

PRINT(perf_attr)
{
	const uint32_t *before = view__entry(v, arg, 8);
	struct perf_event_attr a = {};
	size_t sz;
	const void *at = view__part(v, arg, 0, &sz);
	uint32_t said = 0;

	if (before)
		said = before[1];
	if (!said)
		said = PERF_ATTR_SIZE_VER0;
	if (!at || sz < PERF_ATTR_SIZE_VER0 || said < PERF_ATTR_SIZE_VER0) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	if (sz > said)
		sz = said;
	if (sz > sizeof(a))
		sz = sizeof(a);
	memcpy(&a, at, sz);
	a.size = before ? before[1] : a.size;
	strbuf__putc(v->out, '{');
	fields__put(v, arg, head, &a, sz);
	put_config(v->out, &a);
	strbuf__printf(v->out, ", sample_%s=%llu, ", a.freq ? "freq" : "period",
		       (unsigned long long)a.sample_period);
	fields__put(v, arg, sampling, &a, sz);
	put_bits(v, &a);
	if (v->opts->verbose)
		put_tail(v, arg, &a, sz);
	else
		strbuf__puts(v->out, ", ...");
	strbuf__putc(v->out, '}');
}
