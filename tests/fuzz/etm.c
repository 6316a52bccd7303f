// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Bytes of CoreSight, decoded as bpfperf-etm does it, through a page of code of which most is bytes
 * of chance. A byte before them chooses: frames or one unit, ETMv4 or ETE.
 */
#include "fuzz.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "etmdec/flow.h"

#define CODE_ADDR 0x400000
#define CODE_SZ 4096
#define PID 7
#define UNITS 4

static struct job job;
static struct answer answer;
static struct etm_flow *flow;
static struct itrace_piece piece;
static struct itrace_chunk chunk;
static int sockets[2];

/* Two units of each kind. */
#define ETM(at)                                                                                    \
	{                                                                                          \
		.cpu = at, .is_ete = at & 1, .trace_id = 0x10 + at, .idr0 = 0x28000ea1,            \
		.idr1 = at & 1 ? 0x4100fff3 : 0x4100f403, .idr2 = 0x488, .configr = 0x1840,        \
		.devarch = at & 1 ? 0x47705a13 : 0                                                 \
	}

/* A job of one section, space and queue, as bpfperf writes it. */
static const struct {
	struct itrace_job head;
	struct itrace_section section;
	struct itrace_space space;
	struct itrace_queue queue;
	struct itrace_etm etms[UNITS];
	struct itrace_thread thread;
} whole = {
	.head = {
		.magic = ITRACE_MAGIC,
		.want = 1 << ITRACE_INSN | 1 << ITRACE_BRANCH,
		.period = 3,
		.time_mult = 1 << 20,
		.time_shift = 21,
		.answer_max_sz = 1 << 20,
		.unit = ITRACE_UNIT_ETM,
		.has_ns = true,
		.image_cnt = 1,
		.section_cnt = 1,
		.space_cnt = 1,
		.queue_cnt = 1,
		.etm_cnt = UNITS,
		.thread_cnt = 1,
	},
	.section = { .sz = CODE_SZ, .vaddr = CODE_ADDR },
	.space = { .pid = PID },
	.queue = { .pid = -1, .tid = -1, .cpu = 0 },
	.etms = { ETM(0), ETM(1), ETM(2), ETM(3) },
	.thread = { .tid = PID, .pid = PID },
};

/* Each kind of branch, then bytes of chance. */
static const uint32_t branches[] = {
	0xd503201f, /* nop */
	0xb4000060, /* cbz x0, +12 */
	0x94000004, /* bl +16 */
	0xd63f0040, /* blr x2 */
	0x54ffff80, /* b.eq, to the begin */
	0xd4000001, /* svc */
	0xd61f0040, /* br x2 */
	0xd5033fdf, /* isb */
	0xd65f03c0, /* ret */
	0xd69f03e0, /* eret */
	0x17fffff6, /* b, to the begin */
};

static void memory_fd(int as, const void *bytes, size_t sz)
{
	int fd = memfd_create("input", 0);

	fuzz_check(fd >= 0 && write(fd, bytes, sz) == (ssize_t)sz && dup2(fd, as) == as);
	if (fd != as)
		close(fd);
}

static void *drain(void *arg)
{
	static char bytes[1 << 16];

	/* libFuzzer's timer may interrupt it. */
	while (read(sockets[1], bytes, sizeof(bytes)) > 0 || errno == EINTR)
		;
	return arg;
}

static void fuzz_setup(void)
{
	static uint8_t code[CODE_SZ];
	pthread_t thread;
	size_t i;

	for (i = 0; i < sizeof(code); i++)
		code[i] = (uint8_t)(i * 2654435761u >> 13);
	memcpy(code, branches, sizeof(branches));
	memory_fd(ITRACE_JOB_FD, &whole, sizeof(whole));
	memory_fd(ITRACE_DATA_FD, "", 1);
	memory_fd(ITRACE_IMAGE_FD, code, sizeof(code));
	fuzz_check(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	fuzz_check(!job__open(&job));
	job.isids[0] = 1;
	job__map_code(&job, 0, 1);
	fuzz_check(job.code[1].bytes);
	fuzz_check(!answer__init(&answer, sockets[0], whole.head.answer_max_sz));
	job.head.piece_cnt = job.head.chunk_cnt = 1;
	job.pieces = &piece;
	job.chunks = &chunk;
	flow = etm_flow__new(&job, &answer);
	fuzz_check(flow && !pthread_create(&thread, NULL, drain, NULL));
}

static void fuzz_seeds(void)
{
#define SYNC "\0\0\0\0\0\0\0\0\0\0\0\x80\1\1\0"
#define BEGIN "\4\x85\0\0\x40\0\0\0\0\0\xb0\7\0\0\0"
	static const char raw[] =
		"\1" SYNC BEGIN "\xf7\2\x81\1\xf8\x95\2\xd9\6\5\x95\6" BEGIN "\xc0";
	static const char lost[] = "\1" SYNC BEGIN "\xf7\0\5" SYNC BEGIN "\x90\xf6\xf7\x71";
	/* Frames: the id, 14 bytes, the lowest bits of the even ones. */
	static const char framed[] = "\0\x21\0\0\0\0\0\0\0\0\0\0\0\x80\0\1\x80"
				     "\0\4\x84\0\0\x40\0\0\0\0\0\xb0\6\0\0\x21";

	fuzz_seed("raw", raw, sizeof(raw) - 1);
	fuzz_seed("lost", lost, sizeof(lost) - 1);
	fuzz_seed("framed", framed, sizeof(framed) - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	uint8_t how;

	if (sz < 2)
		return -1;
	how = data[0];
	data++, sz--;
	if (pwrite(ITRACE_DATA_FD, data, sz, 0) != (ssize_t)sz)
		return -1;
	job.head.period_kind = how >> 4 & 1;
	piece = (struct itrace_piece){ .sz = sz };
	chunk = (struct itrace_chunk){
		.end_ns = UINT64_MAX, .sz = sz, .is_raw = how & 1, .cpu = how >> 1 & 3
	};
	fuzz_check(!etm_flow__chunk(flow, 0));
	return 0;
}
