// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Every uncore PMU against what the kernel's own code answers, as tools/uncore-check extracted it
 * into tests/unit/data/uncore.txt: counters and filters of each code, and random sets of events,
 * added one by one until one finds no place. Then what holds for all of them.
 */
#include <unistd.h>

#include "tap.h"

#include "plan/model_choice.h"
#include "plan/quirks.h"
#include "plan/schedule.h"
#include "plan/uncore.h"

static const struct model *model;
static size_t code_cnt, set_cnt, turn_cnt, differ_cnt;

static void check_counters(const char *line)
{
	unsigned long long general, fixed;

	ok(sscanf(line, "counters %llx %llx", &general, &fixed) == 2 && model &&
		   model->general == general && model->fixed >> COUNTER_FIXED == fixed,
	   "%s: counters", model ? model->name : line);
}

static uint64_t kept_bits(unsigned int parts)
{
	uint64_t bits = 0;
	unsigned int i;

	for (i = 0; i < UNCORE_PARTS; i++)
		if (parts & 1u << i)
			bits |= model->uncore->bits[i];
	return bits;
}

/* Bits that the kernel sets in all of Xeon Phi's filters: the model leaves it out. */
static uint64_t always_set(unsigned int parts)
{
	return parts && !strcmp(model->name, "knl_cha") ? 0x23ull << 32 : 0;
}

static bool is_like(uint64_t code, uint64_t counters, unsigned int parts, uint64_t kept)
{
	struct plan_machine machine = { .model = model, .kernel = KERNEL_ANY };
	struct plan_event ev = { .is_hw = true, .is_raw = true, .code = code };

	quirks__constrain(&machine, &ev);
	parts &= counters ? ~0u : 0;
	if (ev.counters == counters &&
	    (!counters || (uncore__parts(model, code) == parts &&
			   (kept_bits(parts) | always_set(parts)) == (kept | always_set(parts)))))
		return true;
	printf("# %s, code %#" PRIx64 ": counters %#" PRIx64 " parts %#x %#" PRIx64
	       ", the kernel: %#" PRIx64 " %#x %#" PRIx64 "\n",
	       model->name, code, ev.counters, uncore__parts(model, code),
	       kept_bits(uncore__parts(model, code)), counters, parts, kept);
	return false;
}

/* "0-ff 1 0:0": first and last code, event above umask; counters; parts and bits of the filter */
static void check_range(const char *line, uint64_t more)
{
	unsigned int first, last, parts, key, bad = 0;
	unsigned long long counters, kept;

	if (!ok(sscanf(line, "%x-%x %llx %x:%llx", &first, &last, &counters, &parts, &kept) == 5,
		"a range: %s", line))
		return;
	for (key = first; key <= last && bad < 3; key++, code_cnt++)
		bad += !is_like((key >> 8) | (key & 0xff) << 8 | more, counters, parts, kept);
	differ_cnt += bad;
}

/* "/ COUNTER …" for each turn of the list, by event; -1: it waits. left: NULL if there is none. */
static bool turns_are(struct schedule *sched, char *left)
{
	bool same = true;
	char *word;
	size_t i = 0;

	if (!left || !strchr(left, '/'))
		return true;
	while ((word = strsep(&left, " "))) {
		if (*word == '/') {
			schedule__rotate(sched, false);
			i = 0;
			turn_cnt++;
		} else {
			same &= sched->counter[i++] == atoi(word);
		}
	}
	return same;
}

/*
 * "set CODE:CONFIG1:CONFIG2 … = COUNTER …": the events that found a place, in their order; "/": see
 * turns_are()
 */
static void check_set(char *line)
{
	struct plan_machine machine = { .model = model, .kernel = KERNEL_ANY };
	static struct plan plan;
	static struct schedule sched;
	unsigned long long code, config1, config2;
	char *word, *left = line + 4, text[1024];
	bool same = true;
	size_t i;

	snprintf(text, sizeof(text), "%s", line);
	plan__init(&plan, &machine);
	while ((word = strsep(&left, " ")) && *word != '=') {
		struct plan_event *ev;

		if (sscanf(word, "%llx:%llx:%llx", &code, &config1, &config2) != 3)
			return (void)ok(false, "an event of a set: %s", word);
		plan__add_group(&plan, PLAN_CTX_CPU);
		ev = plan__add_hw(&plan, "", 4, code, config1);
		ev->config2 = config2;
	}
	plan__open(&plan);
	schedule__init(&sched, &plan);
	schedule__run(&sched, false, false);
	for (i = 0; i < plan.event_cnt; i++) {
		int want = -1;

		if (left && *left != '/' && (word = strsep(&left, " ")))
			want = atoi(word);

		same &= sched.counter[i] == want;
	}
	same &= turns_are(&sched, left);
	set_cnt++;
	differ_cnt += !same;
	if (!same)
		printf("# %s: %s\n", model->name, text);
}

static bool has_word(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	return at && (!at[strlen(word)] || at[strlen(word)] == ' ');
}

/* "terms NAME=WORD:BITS …", sorted: those that the kernel shows in sysfs. */
static void check_terms(const char *line)
{
	const struct pmu_field *field;
	char want[64];
	size_t cnt = 0;

	for (field = model->uncore->fields; field->name; field++, cnt++) {
		snprintf(want, sizeof(want), " %s=%u:%" PRIx64, field->name, field->word,
			 field->mask);
		if (!ok(has_word(line, want), "%s: the kernel has the term%s", model->name, want))
			printf("# %s\n", line);
	}
	while (*line)
		cnt -= *line++ == '=';
	is_u64(cnt, 0, "the kernel's terms are the model's: %s", model->name);
}

static void check_file(FILE *f)
{
	unsigned long long more = 0;
	char line[1024];

	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "model ", 6)) {
			model = model__find(line + 6);
			ok(model && model->uncore, "%s is a model", line + 6);
		} else if (model && !strncmp(line, "terms ", 6)) {
			check_terms(line);
		} else if (!strncmp(line, "counters ", 9)) {
			check_counters(line);
		} else if (model && !strncmp(line, "set ", 4)) {
			check_set(line);
		} else if (model && *line != '#' && sscanf(line, "more %llx", &more) != 1) {
			check_range(line, more);
		}
	}
}

/* Each model is in the file, and has names for its terms. */
static void check_lists(const char *text)
{
	const struct model *const *m;
	char heading[64];

	for (m = uncore_models; *m; m++) {
		snprintf(heading, sizeof(heading), "model %s\n", (*m)->name);
		ok(strstr(text, heading) != NULL, "%s is in the file", (*m)->name);
		ok((*m)->uncore->fields && (*m)->sysfs, "%s has terms and a name in sysfs",
		   (*m)->name);
	}
}

static enum plan_refusal refusal(enum plan_ctx ctx, bool samples, bool excludes)
{
	struct plan_machine machine = { .kernel = KERNEL_ANY, .samples = samples };
	static struct plan plan;
	struct plan_event *ev;

	machine.model = model__find("zen4_l3");
	plan__init(&plan, &machine);
	plan__add_group(&plan, ctx);
	ev = plan__add_hw(&plan, "", 4, 0x104, 0);
	ev->excludes = excludes;
	plan__open(&plan);
	return ev->refusal;
}

int main(void)
{
	static char text[1 << 23];
	FILE *f = fopen("tests/unit/data/uncore.txt", "r");

	if (!ok(f != NULL, "there is a file of the kernel's answers"))
		return done_testing();
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	check_lists(text);
	rewind(f);
	check_file(f);
	fclose(f);
	ok(code_cnt > 1000000, "a million codes are compared");
	ok(set_cnt >= 5000, "five thousand sets are compared");
	ok(turn_cnt >= 400, "turns of the sets are compared");
	is_u64(differ_cnt, 0, "the models are the kernel's: codes and sets");
	is_u64(refusal(PLAN_CTX_CPU, false, false), PLAN_OPENS, "an event of CPUs opens");
	is_u64(refusal(PLAN_CTX_TASK, false, false), PLAN_CPUS_ONLY, "an event of a task does not");
	is_u64(refusal(PLAN_CTX_CPU, true, false), PLAN_NOT_SAMPLED, "one that samples does not");
	is_u64(refusal(PLAN_CTX_CPU, false, true), PLAN_ALL_MODES,
	       "one of user space only does not");
	return done_testing();
}
