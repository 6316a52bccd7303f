// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Events with AUX areas: which PMUs have one, as no file of sysfs shows; what fits together. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "event/event.h"
#include "perf/sampling_priv.h"
#include "perf/perf_fd.h"
#include "perf/auxtrace_info.h"
#include "host/cpu_list.h"
#include "util/log.h"

static bool can_map(int fd)
{
	size_t page_sz = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page;
	void *aux = MAP_FAILED;

	page = mmap(NULL, 2 * page_sz, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return false;
	page->aux_offset = 2 * page_sz;
	/* PMUs that write in hardware may need more than one page. */
	for (page->aux_size = page_sz; page->aux_size <= 16 * page_sz && aux == MAP_FAILED;
	     page->aux_size *= 4)
		aux = mmap(NULL, page->aux_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			   (off_t)page->aux_offset);
	if (aux != MAP_FAILED)
		munmap(aux, page->aux_size / 4);
	munmap(page, 2 * page_sz);
	return aux != MAP_FAILED;
}

bool sampling_aux__probe(const struct event *ev)
{
	struct perf_event_attr attr;
	bool has = false;
	int fd;

	if (ev->kind != EVENT_PMU || event__is_hw(ev))
		return false;
	perf_fd__attr(&attr, ev);
	attr.sample_period = 1;
	fd = perf_fd__open(&attr, 0, -1, -1, 0);
	if (fd < 0)
		fd = perf_fd__open(&attr, -1, cpu_list__any_online(ev->cpus), -1, 0);
	if (fd >= 0) {
		has = can_map(fd);
		close(fd);
	}
	return has;
}

/* PMUs of one kind have one name up to their numbers: arm_spe_0, arm_spe_1. */
static bool is_same_kind(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return !a[strspn(a, "0123456789")] && !b[strspn(b, "0123456789")];
}

static int check_event(const struct evsel *sel, const struct sampling_config *cfg)
{
	if (!cfg->how.use_clockid || !auxtrace_info__needs_perf_clock(sel->ev))
		return 0;
	log_error("-k: the times in the data of %s are translated to perf's own clock; omit -k",
		  sel->name);
	return -EINVAL;
}

static int check_samples(const struct evset *set)
{
	size_t i;

	for (i = 0; i < set->cnt; i++)
		if (set->events[i].leader != i && set->events[set->events[i].leader].has_aux)
			return 0;
	log_error("--aux-sample adds AUX data to samples of the other events of a group; give "
		  "one that begins with an AUX event: -e '{intel_pt//u,cycles:u}'");
	return -EINVAL;
}

int sampling_aux__check(const struct evset *set, const struct sampling_config *cfg)
{
	const struct evsel *first = NULL;
	size_t i, outputs = 0;
	int err = 0;

	for (i = 0; i < set->cnt && !err; i++) {
		const struct evsel *sel = &set->events[i];

		outputs += sel->ev && sel->ev->aux_output;
		if (!sel->has_aux)
			continue;
		if (first && !is_same_kind(first->ev->pmu, sel->ev->pmu)) {
			log_error("%s and %s cannot be recorded into one file, which has one "
				  "decoder of AUX data; record each by itself",
				  first->name, sel->name);
			return -EINVAL;
		}
		first = first ? first : sel;
		err = check_event(sel, cfg);
	}
	if (!err && outputs > 1) {
		log_error("aux-output: one event can write into the AUX area; omit the others");
		err = -EINVAL;
	}
	return !err && cfg->how.aux_sample_sz ? check_samples(set) : err;
}
