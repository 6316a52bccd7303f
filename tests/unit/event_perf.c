// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf is the judge: `perf stat -vv` prints the attributes that it opens for an event. */
#include "event/event.h"

#include <errno.h>

#include <unistd.h>

#include "tap.h"

#include "util/strbuf.h"

/* Names and PMUs that every machine has; what cannot be opened is shown as well. */
static const char *const everywhere[] = {
	"cpu-clock",
	"task-clock",
	"page-faults",
	"faults",
	"context-switches",
	"cs",
	"cpu-migrations",
	"migrations",
	"minor-faults",
	"major-faults",
	"alignment-faults",
	"emulation-faults",
	"dummy",
	"bpf-output",
	"cgroup-switches",
	"cs:u",
	"cs:k",
	"cs:h",
	"cs:uk",
	"cs:uG",
	"cs:Gu",
	"cs:GH",
	"cs:G",
	"cs:I",
	"cs:upp",
	"cs:D",
	"cs:e",
	"cs:ppp",
	"cs//u",
	"faults:upppSDIe",
	"{cs:k,faults}:uD",
	"{cs,faults:k}:p",
	"{cs:G,faults}:H",
	"{cs:u,faults:k}",
	"software/config=3/",
	"software/config=3,config1=7/k",
	"cpu-clock,cs",
};

/* Events that need a PMU: perf asks the kernel for them one by one, so one event each. */
static const char *const hardware[] = {
	"cycles",
	"cpu-cycles:u",
	"instructions",
	"branches:k",
	"branch-misses",
	"bus-cycles",
	"cache-misses",
	"cache-references",
	"ref-cycles",
	"stalled-cycles-frontend",
	"idle-cycles-backend",
	"r1a8",
	"r1a8:pu",
	"rffff",
	"LLC-loads",
	"LLC",
	"LLC-misses",
	"LLC-misses-load",
	"L1-dcache-load-misses",
	"l1d-stores",
	"L1-icache-loads",
	"dTLB-store-misses",
	"iTLB-load-misses",
	"branch-loads",
	"bpu-read-miss",
	"node-prefetches",
	"node-loads:u",
	"d-tlb-write-access",
};

/* Only where this is in sysfs. */
static const struct {
	const char *needs, *spec;
} pmus[] = {
	{ "msr/events/tsc", "msr/tsc/" },
	{ "msr", "msr/event=0x1/" },
	{ "msr", "msr/event=3,name=x/" },
	{ "msr/events/tsc", "msr/tsc,event=2/" },
	{ "msr", "msr/config=0x10,config1=0x20,config2=48/" },
	{ "msr/events/tsc", "tsc" },
	{ "power/events/energy-psys", "power/energy-psys/" },
	{ "power/events/energy-pkg", "power/energy-pkg/" },
	{ "uprobe", "uprobe/retprobe,ref_ctr_offset=0x10/" },
	{ "cpu/events/cpu-cycles", "cpu/cpu-cycles/" },
	{ "cpu", "cpu/event=0x3c,umask=0x1/" },
	{ "cpu", "cpu/r3c/u" },
	{ "armv8_pmuv3_0/events/cpu_cycles", "armv8_pmuv3_0/cpu_cycles/" },
	{ "armv8_pmuv3_0", "armv8_pmuv3_0/event=0x11/k" },
};

struct attr {
	uint64_t type, config, config1, config2;
	uint64_t exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest,
		exclude_idle;
	uint64_t pinned, exclusive, precise_ip;
};

static const struct {
	const char *name;
	size_t off;
} members[] = {
#define MEMBER(m)                                                                                  \
	{                                                                                          \
#m, offsetof(struct attr, m)                                                       \
	}
	MEMBER(type),          MEMBER(config),         MEMBER(config1),    MEMBER(config2),
	MEMBER(exclude_user),  MEMBER(exclude_kernel), MEMBER(exclude_hv), MEMBER(exclude_host),
	MEMBER(exclude_guest), MEMBER(exclude_idle),   MEMBER(pinned),     MEMBER(exclusive),
	MEMBER(precise_ip),
#undef MEMBER
};

static void set_member(struct attr *attr, const char *line)
{
	char name[64];
	long long val;
	size_t i;

	/* "{ bp_addr, config1 }" is one name: the last word of it. */
	if (sscanf(line, " { %*[a-z_], %63[a-z0-9] } %lli", name, &val) != 2 &&
	    sscanf(line, " %63s %lli", name, &val) != 2)
		return;
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (!strcmp(members[i].name, name))
			*(uint64_t *)((char *)attr + members[i].off) = (uint64_t)val;
}

/* The attributes perf shows, in order, at most `max`: their number. */
static size_t ask_perf(const char *spec, struct attr *attrs, size_t max)
{
	char cmd[512], line[512];
	size_t cnt = 0;
	FILE *f;

	snprintf(cmd, sizeof(cmd), "perf stat -vv -e '%s' true 2>&1", spec);
	f = popen(cmd, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "perf_event_attr:", 16)) {
			if (cnt == max)
				break;
			memset(&attrs[cnt++], 0, sizeof(*attrs));
		} else if (cnt) {
			set_member(&attrs[cnt - 1], line);
		}
	}
	if (f)
		pclose(f);
	return cnt;
}

static void put(struct strbuf *sb, const struct attr *attr, bool with_guest)
{
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		uint64_t val = *(const uint64_t *)((const char *)attr + members[i].off);

		if (val && (with_guest || strcmp(members[i].name, "exclude_guest")))
			strbuf__printf(sb, "%s=%#llx ", members[i].name, (unsigned long long)val);
	}
}

static struct attr attr_of(const struct event *ev)
{
	return (struct attr){
		.type = ev->type,
		.config = ev->config,
		.config1 = ev->config1,
		.config2 = ev->config2,
		.exclude_user = ev->exclude_user,
		.exclude_kernel = ev->exclude_kernel,
		.exclude_hv = ev->exclude_hv,
		.exclude_host = ev->exclude_host,
		.exclude_guest = ev->exclude_guest,
		.exclude_idle = ev->exclude_idle,
		.pinned = ev->pinned,
		.exclusive = ev->exclusive,
		.precise_ip = ev->precise_ip,
	};
}

static void compare(const char *spec)
{
	struct event_list list = { 0 };
	struct attr theirs[4];
	size_t cnt, i;

	if (!ok(!event_list__add(&list, spec), "%s resolves", spec))
		return;
	cnt = ask_perf(spec, theirs, list.cnt < 4 ? list.cnt : 4);
	ok(cnt == list.cnt, "perf opens as many for %s", spec);
	for (i = 0; i < cnt && i < list.cnt; i++) {
		struct attr ours = attr_of(list.events[i]);
		struct strbuf got = STRBUF_INIT, want = STRBUF_INIT;
		/* perf leaves guests out by default, which not every PMU can. */
		bool with_guest = ours.exclude_guest || ours.exclude_host;

		put(&got, &ours, with_guest);
		put(&want, &theirs[i], with_guest);
		is_str(strbuf__cstr(&got), strbuf__cstr(&want), "%s is what perf opens",
		       list.events[i]->name);
		strbuf__free(&got);
		strbuf__free(&want);
	}
	event_list__free(&list);
}

int main(void)
{
	char path[512];
	size_t i;

	if (system("perf stat -e dummy true >/dev/null 2>&1"))
		skip_all("perf stat does not work here");
	for (i = 0; i < sizeof(everywhere) / sizeof(everywhere[0]); i++)
		compare(everywhere[i]);
	for (i = 0; i < sizeof(hardware) / sizeof(hardware[0]); i++)
		compare(hardware[i]);
	for (i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++) {
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s", pmus[i].needs);
		if (!access(path, F_OK))
			compare(pmus[i].spec);
	}
	return done_testing();
}
