// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/host_info.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "data/perf_file.h"
#include "host/cpuinfo.h"
#include "util/fs.h"

#define NAME_ALIGN 64
#define CPU_DIR "/sys/devices/system/cpu"
#define NODE_DIR "/sys/devices/system/node"

static void put_u32(struct strbuf *sb, uint32_t v)
{
	strbuf__add(sb, &v, sizeof(v));
}

static void put_u64(struct strbuf *sb, uint64_t v)
{
	strbuf__add(sb, &v, sizeof(v));
}

void host_info__put_text(struct strbuf *sb, const char *text)
{
	static const char zeros[NAME_ALIGN];
	size_t len = strlen(text), padded = (len + NAME_ALIGN) & ~(size_t)(NAME_ALIGN - 1);

	put_u32(sb, (uint32_t)padded);
	strbuf__add(sb, text, len);
	strbuf__add(sb, zeros, padded - len);
}

/* Reads a file's first line; NULL: missing or empty. The caller frees it. */
static char *read_line(const char *path)
{
	char *text = fs__read_file(path, NULL);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	if (text && !*text) {
		free(text);
		return NULL;
	}
	return text;
}

/* Parses the last CPU of "0-3,8-11" and returns its number plus one; 0 if it is not such a list. */
static uint32_t list_end(const char *list)
{
	const char *last = list + strlen(list);

	while (last > list && strchr("0123456789", last[-1]))
		last--;
	return *last ? (uint32_t)strtoul(last, NULL, 10) + 1 : 0;
}

static uint32_t cpu_present_cnt(void)
{
	char *list = read_line(CPU_DIR "/present");
	uint32_t cnt = list ? list_end(list) : 0;

	free(list);
	return cnt;
}

static void put_cpu_cnt(struct strbuf *sb)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t cnt = cpu_present_cnt();

	if (!cnt || online < 1)
		return;
	put_u32(sb, cnt);
	put_u32(sb, (uint32_t)online);
}

/* Copies the value of "key:" in /proc/meminfo; "" if missing. */
static void find_value(const char *text, const char *key, char *val, size_t val_sz)
{
	size_t len = strlen(key), n;
	const char *at = text;

	*val = '\0';
	while (at) {
		if (strncmp(at, key, len) == 0 && strchr("\t :", at[len])) {
			at += len;
			at += strspn(at, "\t :");
			n = strcspn(at, "\n");
			snprintf(val, val_sz, "%.*s", (int)n, at);
			return;
		}
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
}

static void put_cpu_desc(struct strbuf *sb)
{
	/* By architecture: x86 and riscv, arm64, ppc, s390. */
	static const char *const keys[] = { "model name", "uarch", "Processor", "cpu",
					    "vendor_id" };
	char val[256] = "";
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]) && !*val; i++)
		cpuinfo__value(keys[i], val, sizeof(val));
	if (*val)
		host_info__put_text(sb, val);
}

/* Writes the id as perf does: "vendor,family,model,stepping" on x86, the MIDR on arm64. */
static void put_cpu_id(struct strbuf *sb)
{
	static const char *const keys[] = { "vendor_id", "cpu family", "model", "stepping" };
	char *text = read_line(CPU_DIR "/cpu0/regs/identification/midr_el1");
	char val[128], id[512] = "";
	size_t i, at = 0;

	if (text) {
		host_info__put_text(sb, text);
		free(text);
		return;
	}
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		cpuinfo__value(keys[i], val, sizeof(val));
		if (!*val)
			break;
		at += (size_t)snprintf(id + at, sizeof(id) - at, "%s%s", i ? "," : "", val);
	}
	if (i == sizeof(keys) / sizeof(keys[0]))
		host_info__put_text(sb, id);
}

static void put_total_mem(struct strbuf *sb)
{
	char *text = fs__read_file("/proc/meminfo", NULL), val[64];

	if (!text)
		return;
	find_value(text, "MemTotal", val, sizeof(val));
	free(text);
	if (*val)
		put_u64(sb, strtoull(val, NULL, 10));
}

/* Collects the distinct lines of CPU_DIR/cpuN/topology/NAME: their number, and each line. */
static void put_siblings(struct strbuf *sb, uint32_t cpu_cnt, const char *name,
			 const char *old_name)
{
	char **lines = calloc(cpu_cnt, sizeof(*lines)), path[128];
	uint32_t cpu, i, cnt = 0;

	for (cpu = 0; lines && cpu < cpu_cnt; cpu++) {
		snprintf(path, sizeof(path), CPU_DIR "/cpu%u/topology/%s", cpu, name);
		lines[cnt] = read_line(path);
		if (!lines[cnt]) {
			/* Kernels before 5.3 only have the older file name. */
			snprintf(path, sizeof(path), CPU_DIR "/cpu%u/topology/%s", cpu, old_name);
			lines[cnt] = read_line(path);
		}
		for (i = 0; lines[cnt] && i < cnt && strcmp(lines[i], lines[cnt]) != 0; i++)
			;
		if (lines[cnt] && i < cnt)
			free(lines[cnt]);
		else if (lines[cnt])
			cnt++;
	}
	put_u32(sb, cnt);
	for (i = 0; i < cnt; i++) {
		host_info__put_text(sb, lines[i]);
		free(lines[i]);
	}
	free(lines);
}

static uint32_t topology_id(uint32_t cpu, const char *name)
{
	char path[128];
	long val;

	snprintf(path, sizeof(path), CPU_DIR "/cpu%u/topology/%s", cpu, name);
	return fs__read_long(path, &val) ? UINT32_MAX : (uint32_t)val;
}

static void put_cpu_topology(struct strbuf *sb)
{
	uint32_t cnt = cpu_present_cnt(), cpu;

	if (!cnt)
		return;
	put_siblings(sb, cnt, "package_cpus_list", "core_siblings_list");
	put_siblings(sb, cnt, "core_cpus_list", "thread_siblings_list");
	for (cpu = 0; cpu < cnt; cpu++) {
		put_u32(sb, topology_id(cpu, "core_id"));
		put_u32(sb, topology_id(cpu, "physical_package_id"));
	}
	/* Without them perf takes the padding of a pipe's record for their number. */
	put_siblings(sb, cnt, "die_cpus_list", "die_cpus_list");
	for (cpu = 0; cpu < cnt; cpu++)
		put_u32(sb, topology_id(cpu, "die_id"));
}

static uint64_t node_kib(const char *text, const char *what)
{
	const char *at = strstr(text, what);

	return at ? strtoull(at + strlen(what), NULL, 10) : 0;
}

static void put_numa(struct strbuf *sb)
{
	char *list = read_line(NODE_DIR "/online"), path[128], *cpus, *mem;
	uint32_t end = list ? list_end(list) : 0, node, cnt = 0;
	struct strbuf nodes = STRBUF_INIT;

	for (node = 0; node < end; node++) {
		snprintf(path, sizeof(path), NODE_DIR "/node%u/meminfo", node);
		mem = fs__read_file(path, NULL);
		snprintf(path, sizeof(path), NODE_DIR "/node%u/cpulist", node);
		cpus = fs__read_file(path, NULL);
		if (mem && cpus) {
			cpus[strcspn(cpus, "\n")] = '\0';
			put_u32(&nodes, node);
			put_u64(&nodes, node_kib(mem, "MemTotal:"));
			put_u64(&nodes, node_kib(mem, "MemFree:"));
			host_info__put_text(&nodes, cpus);
			cnt++;
		}
		free(mem);
		free(cpus);
	}
	if (cnt) {
		put_u32(sb, cnt);
		strbuf__add(sb, nodes.buf, nodes.len);
	}
	strbuf__free(&nodes);
	free(list);
}

static void put_pmus(struct strbuf *sb)
{
	DIR *dir = opendir("/sys/bus/event_source/devices");
	struct strbuf pmus = STRBUF_INIT;
	struct dirent *de;
	char path[512];
	uint32_t cnt = 0;
	long type;

	while (dir && (de = readdir(dir))) {
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", de->d_name);
		if (de->d_name[0] == '.' || fs__read_long(path, &type))
			continue;
		put_u32(&pmus, (uint32_t)type);
		host_info__put_text(&pmus, de->d_name);
		cnt++;
	}
	if (dir)
		closedir(dir);
	if (cnt) {
		put_u32(sb, cnt);
		strbuf__add(sb, pmus.buf, pmus.len);
	}
	strbuf__free(&pmus);
}

void host_info__put(struct strbuf *sb, unsigned int feature)
{
	struct utsname un;

	uname(&un);
	switch (feature) {
	case PERF_FEATURE_HOSTNAME:
		return host_info__put_text(sb, un.nodename);
	case PERF_FEATURE_OSRELEASE:
		return host_info__put_text(sb, un.release);
	case PERF_FEATURE_VERSION:
		return host_info__put_text(sb, BPFPERF_VERSION);
	case PERF_FEATURE_ARCH:
		return host_info__put_text(sb, un.machine);
	case PERF_FEATURE_NRCPUS:
		return put_cpu_cnt(sb);
	case PERF_FEATURE_CPUDESC:
		return put_cpu_desc(sb);
	case PERF_FEATURE_CPUID:
		return put_cpu_id(sb);
	case PERF_FEATURE_TOTAL_MEM:
		return put_total_mem(sb);
	case PERF_FEATURE_CPU_TOPOLOGY:
		return put_cpu_topology(sb);
	case PERF_FEATURE_NUMA_TOPOLOGY:
		return put_numa(sb);
	case PERF_FEATURE_PMU_MAPPINGS:
		return put_pmus(sb);
	default:
		return;
	}
}
