// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_event_open(2) of one cell, and the retries after a refusal. */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "event/event.h"
#include "kernel/guest_events.h"
#include "perf/evset.h"
#include "perf/perf_fd.h"

static bool is_denied(int err)
{
	return err == -EACCES || err == -EPERM;
}

/* EINVAL does not say which field the kernel lacks. Newest first. */
static bool drop_newer_field(struct perf_event_attr *attr)
{
	if (attr->build_id) /* 5.12: 88a16a130933 */
		attr->build_id = 0;
	else if (attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT) /* 5.12: 2a6c6b7d7ad3 */
		attr->sample_type ^= PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_WEIGHT;
	else if (attr->read_format & PERF_FORMAT_LOST) /* 6.0: 119a784c8127 */
		attr->read_format &= ~(uint64_t)PERF_FORMAT_LOST;
	else if (attr->text_poke) /* 5.9: e17d43b93e54, and not on all architectures */
		attr->text_poke = 0;
	else if (attr->cgroup) /* 5.7: 96aaab686505 */
		attr->cgroup = 0;
	else
		return false;
	return true;
}

/* Reduces the request by one feature. Returns false if no feature is left that may explain err. */
static bool ask_for_less(const struct evsel *sel, struct perf_event_attr *attr, int err)
{
	if (sel->is_settled)
		return false;
	if (is_denied(err) && attr->namespaces) {
		/* These need CAP_PERFMON; the other records of processes do not. */
		attr->namespaces = attr->ksymbol = attr->bpf_event = attr->text_poke = 0;
		return true;
	}
	if (is_denied(err) && sel->may_drop_kernel && !attr->exclude_kernel &&
	    !attr->exclude_user) {
		attr->exclude_kernel = attr->exclude_hv = 1;
		return true;
	}
	/* P requests the highest precision of the PMU. */
	if (sel->ev && sel->ev->precise_max && attr->precise_ip &&
	    (err == -EOPNOTSUPP || err == -EINVAL || err == -ENOENT)) {
		attr->precise_ip--;
		return true;
	}
	if (guest_events__leave_out(attr, err))
		return true;
	return err == -EINVAL && drop_newer_field(attr);
}

/* Returns the fd, or -errno; attr becomes the one that the kernel accepted. */
static int open_with_retries(const struct evsel *sel, struct perf_event_attr *attr, size_t cell,
			     int group_fd)
{
	bool of_cgroup = sel->cgroup_fd >= 0;
	pid_t pid = of_cgroup ? sel->cgroup_fd : evsel__tid(sel, cell);
	struct perf_event_attr tried;
	int fd, err;

	do {
		tried = *attr;
		if (cell % sel->tid_cnt >= sel->inherit_cnt)
			tried.inherit = 0;
		fd = perf_fd__open(&tried, pid, evsel__cpu(sel, cell), group_fd,
				   of_cgroup ? PERF_FLAG_PID_CGROUP : 0);
	} while (fd < 0 && ask_for_less(sel, attr, fd));
	if (fd >= 0 && sel->filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, sel->filter)) {
		err = -errno;
		close(fd);
		return err;
	}
	return is_denied(fd) ? -EACCES : fd;
}

int evset__open_member(struct evset *set, size_t idx, size_t cell)
{
	struct evsel *sel = &set->events[idx];
	int group_fd = sel->leader == idx ? -1 : set->events[sel->leader].fds[cell];
	struct perf_event_attr attr = sel->attr;
	int fd = open_with_retries(sel, &attr, cell, group_fd);

	if (fd < 0)
		return fd;
	sel->fds[cell] = fd;
	sel->user_only |= attr.exclude_kernel && !sel->attr.exclude_kernel;
	if (sel->user_only)
		sel->attr.exclude_kernel = sel->attr.exclude_hv = 1;
	if (sel->same_attr) {
		sel->attr = attr;
		sel->is_settled = true;
	}
	return 0;
}

int evset__open_cell(struct evset *set, size_t leader, size_t cell, size_t *bad)
{
	size_t cnt = set->events[leader].member_cnt, i;
	int err = 0;

	for (i = leader; i < leader + cnt && !err; i++) {
		*bad = i;
		err = evset__open_member(set, i, cell);
	}
	if (!evset__is_gone(err))
		return err;
	for (i = leader; i < *bad; i++) {
		close(set->events[i].fds[cell]);
		set->events[i].fds[cell] = -1;
	}
	return err;
}

int evset__try_alone(const struct evset *set, size_t idx, size_t cell)
{
	const struct evsel *sel = &set->events[idx];
	struct perf_event_attr attr = sel->attr;
	int fd;

	attr.read_format &= ~(uint64_t)PERF_FORMAT_GROUP;
	attr.disabled = 1;
	fd = open_with_retries(sel, &attr, cell, -1);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}
