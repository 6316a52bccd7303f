/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The kernel's records of a recording that pt_make writes: a part of pt_make.c. */
/* Records of perf. */
static void put(const void *data, size_t sz)
{
	if (records_sz + sz > records_cap) {
		records_cap = records_cap * 2 + sz + 65536;
		records = realloc(records, records_cap);
	}
	memcpy(records + records_sz, data, sz);
	records_sz += sz;
}

static void put_record(uint32_t type, uint16_t misc, const void *body, size_t sz, uint32_t tid,
		       uint32_t cpu)
{
	struct {
		uint32_t pid, tid;
		uint64_t time, cpu, id;
	} trailer = { (uint32_t)leader, tid, now_ns(), cpu, 2 };
	struct perf_event_header h = { type, misc, (uint16_t)(sizeof(h) + sz + sizeof(trailer)) };

	put(&h, sizeof(h));
	put(body, sz);
	put(&trailer, sizeof(trailer));
	tsc += 10;
}

static void put_comm(uint32_t tid, bool is_exec)
{
	struct {
		uint32_t pid, tid;
		char comm[16];
	} body = { (uint32_t)leader, tid, "traced" };

	put_record(PERF_RECORD_COMM, is_exec ? PERF_RECORD_MISC_COMM_EXEC : 0, &body, sizeof(body),
		   tid, 0);
}

static void put_switch(uint32_t tid, uint32_t cpu)
{
	uint32_t body[2] = { 0, 0 };

	put_record(PERF_RECORD_SWITCH_CPU_WIDE, 0, body, sizeof(body), tid, cpu);
}

/* Bytes of an AUX area were lost. */
static void put_lost_aux(uint32_t tid, uint32_t cpu)
{
	uint64_t body[3] = { 0, 0, PERF_AUX_FLAG_TRUNCATED };

	put_record(PERF_RECORD_AUX, 0, body, sizeof(body), tid, cpu);
}

/* New mappings of code. */
static void put_maps(void)
{
	char path[64], line[600], name[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", leader);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		struct {
			uint32_t pid, tid;
			uint64_t addr, len, pgoff;
			uint32_t maj, min;
			uint64_t ino, gen;
			uint32_t prot, flags;
			char path[256];
		} b = { 0 };
		uint64_t end;
		char prot[8];
		size_t i;

		name[0] = '\0';
		sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %255s",
		       &b.addr, &end, prot, &b.pgoff, &b.maj, &b.min, &b.ino, name);
		if (prot[2] != 'x')
			continue;
		b.len = end - b.addr;
		for (i = 0; i < map_cnt; i++)
			if (maps[i].addr == b.addr && maps[i].len == b.len &&
			    !strcmp(maps[i].path, name))
				break;
		if (i < map_cnt || map_cnt == MAPS_MAX)
			continue;
		maps[map_cnt].addr = b.addr;
		maps[map_cnt].len = b.len;
		maps[map_cnt].pgoff = b.pgoff;
		snprintf(maps[map_cnt++].path, 256, "%s", name);
		b.pid = b.tid = (uint32_t)leader;
		b.prot = 5;
		b.flags = 2;
		snprintf(b.path, sizeof(b.path), "%s", name[0] ? name : "//anon");
		put_record(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, &b,
			   offsetof(__typeof__(b), path) + ((strlen(b.path) + 8) & ~7ul),
			   (uint32_t)leader, 0);
	}
	if (f)
		fclose(f);
}
