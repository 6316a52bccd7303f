// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Opens, closes, starts and stops the counters of libbpfperf. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BPFPERF_LINKED
#include "selfmon/arch.h"
#include "selfmon/bpfperf.h"
#include "selfmon/owner.h"
#include "selfmon/priv.h"

/*
 * The attr of a program that was built against headers of another kernel, older or newer: what this
 * library does not know must be zero, as for the kernel itself.
 */
static int take_attr(struct perf_event_attr *attr, const void *wanted, size_t sz)
{
	const char *bytes = wanted;
	size_t i;

	if (sz < PERF_ATTR_SIZE_VER0)
		return -EINVAL;
	for (i = sizeof(*attr); i < sz; i++)
		if (bytes[i])
			return -E2BIG;
	memset(attr, 0, sizeof(*attr));
	memcpy(attr, wanted, sz < sizeof(*attr) ? sz : sizeof(*attr));
	attr->size = sizeof(*attr);
	return 0;
}

static long open_attr(struct perf_event_attr *attr, int leader_fd)
{
	long fd = syscall(SYS_perf_event_open, attr, 0, -1, leader_fd, PERF_FLAG_FD_CLOEXEC);

	/* Apple's PMUs before 6.15 refuse an event that counts guests, too. */
	if (fd < 0 && errno == EOPNOTSUPP && !attr->exclude_guest && !attr->exclude_host) {
		attr->exclude_guest = 1;
		fd = syscall(SYS_perf_event_open, attr, 0, -1, leader_fd, PERF_FLAG_FD_CLOEXEC);
	}
	return fd;
}

static int open_fd(const void *wanted, size_t sz, int leader_fd, bool in_group)
{
	struct perf_event_attr attr;
	__u64 config1;
	int asked, err;
	long fd;

	err = take_attr(&attr, wanted, sz);
	if (err)
		return err;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (in_group)
		attr.read_format |= PERF_FORMAT_GROUP;
	/* A disabled member would not follow its leader. */
	if (leader_fd >= 0)
		attr.disabled = 0;
	attr.inherit = 0;
	config1 = attr.config1;
	asked = arch_ask(&attr);
	fd = open_attr(&attr, leader_fd);
	if (fd < 0 && asked) {
		attr.config1 = config1;
		fd = open_attr(&attr, leader_fd);
	}
	return fd < 0 ? -errno : (int)fd;
}

static uint32_t type_of(const char *attr)
{
	uint32_t type;

	memcpy(&type, attr, sizeof(type));
	return type;
}

int counter__map_page(struct bpfperf_counter *c)
{
	long sz = sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, (size_t)sz, PROT_READ, MAP_SHARED, c->fd, 0);
	int err = page == MAP_FAILED ? -errno : 0;

	c->page = err ? NULL : page;
	c->page_sz = (uint32_t)sz;
	c->owner = owner__take();
	return err;
}

int bpfperf_open_sized(struct bpfperf_counter *counters, const struct perf_event_attr *attrs,
		       size_t attr_sz, size_t cnt, size_t *bad)
{
	const char *wanted = (const char *)attrs;
	size_t i;
	int fd;

	if (!cnt || cnt > BPFPERF_GROUP_MAX)
		return -EINVAL;
	for (i = 0; i < cnt; i++) {
		fd = open_fd(wanted + i * attr_sz, attr_sz, i ? counters[0].fd : -1, cnt > 1);
		if (fd < 0) {
			if (bad)
				*bad = i;
			bpfperf_close(counters, i);
			return fd;
		}
		counters[i] = (struct bpfperf_counter){
			.fd = fd,
			.leader_fd = i ? counters[0].fd : fd,
			.idx = (uint16_t)i,
			.cnt = (uint16_t)cnt,
			.owns_fd = 1,
			.type = type_of(wanted + i * attr_sz),
		};
		/* Without a page, read(2) is still possible. */
		counter__map_page(&counters[i]);
	}
	return 0;
}

int bpfperf_open(struct bpfperf_counter *counters, const struct perf_event_attr *attrs, size_t cnt,
		 size_t *bad)
{
	return bpfperf_open_sized(counters, attrs, sizeof(*attrs), cnt, bad);
}

void bpfperf_close(struct bpfperf_counter *counters, size_t cnt)
{
	while (cnt--) {
		struct bpfperf_counter *c = &counters[cnt];

		/* In a child of fork(2) it is not mapped, and the address may be in use. */
		if (c->page && owner__is_here(c->owner))
			munmap((void *)(uintptr_t)c->page, c->page_sz);
		if (c->owns_fd)
			close(c->fd);
		*c = (struct bpfperf_counter){ .fd = -1, .leader_fd = -1 };
	}
}

static int control(const struct bpfperf_counter *leader, unsigned long request)
{
	return ioctl(leader->leader_fd, request, PERF_IOC_FLAG_GROUP) ? -errno : 0;
}

int bpfperf_enable(const struct bpfperf_counter *leader)
{
	return control(leader, PERF_EVENT_IOC_ENABLE);
}

int bpfperf_disable(const struct bpfperf_counter *leader)
{
	return control(leader, PERF_EVENT_IOC_DISABLE);
}

int bpfperf_reset(const struct bpfperf_counter *leader)
{
	return control(leader, PERF_EVENT_IOC_RESET);
}
