// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Tests whether a PMU has an AUX area, which no file of sysfs shows. */
#include <sys/mman.h>
#include <unistd.h>

#include "event/event.h"
#include "perf/sampling_priv.h"
#include "perf/perf_fd.h"
#include "host/cpu_list.h"

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
