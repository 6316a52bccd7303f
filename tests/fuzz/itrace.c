// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Packets of Intel PT, decoded as bpfperf-itrace does it, through a page of code of which most is
 * no code; and the packets as code. A byte before them says how samples are counted.
 */
#include "fuzz.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "itrace/answer_ring.h"
#include "ptdec/flow.h"
#include "ptdec/image.h"
#include "ptdec/packet.h"
#include "util/x86_insn.h"

#define CODE_ADDR 0x400000
#define CODE_SZ 4096
#define PID 7

static struct job job;
static struct answer answer;
static struct flow *flow;
static struct itrace_piece piece;
static struct itrace_chunk chunk;
static int sockets[2];
static struct answer_ring ring;

/* A job of one section, space and queue, as bpfperf writes it. */
static const struct {
	struct itrace_job head;
	struct itrace_section section;
	struct itrace_space space;
	struct itrace_queue queue;
} whole = {
	.head = {
		.magic = ITRACE_MAGIC,
		.want = 1 << ITRACE_INSN | 1 << ITRACE_BRANCH | 1 << ITRACE_PTWRITE |
			1 << ITRACE_CBR | 1 << ITRACE_TRANSACTION,
		.period = 3,
		.time_mult = 1 << 20,
		.time_shift = 21,
		.family = 6,
		.model = 0x9e,
		.mtc_freq = 3,
		.nom_freq = 30,
		.ctc_ratio_n = 250,
		.ctc_ratio_d = 2,
		.ring_sz = 1 << 20,
		.image_cnt = 1,
		.section_cnt = 1,
		.space_cnt = 1,
		.queue_cnt = 1,
	},
	.section = { .sz = CODE_SZ, .vaddr = CODE_ADDR },
	.space = { .pid = PID },
	.queue = { .pid = PID, .tid = PID, .cpu = -1 },
};

/* Each kind of branch, then bytes of chance. */
static const uint8_t branches[] = {
	0x0f, 0x1f, 0x00, /* nop */
	0x75, 0x06, /* jne +6 */
	0xe8, 0x10, 0x00, 0x00, 0x00, /* call +16 */
	0x90, /* nop */
	0x0f, 0x84, 0xef, 0xff, 0xff, 0xff, /* je, to the begin */
	0xff, 0xd0, /* call *rax */
	0xff, 0xe0, /* jmp *rax */
	0x0f, 0x05, /* syscall */
	0xeb, 0xe7, /* jmp, to the begin */
	0xc3, /* ret */
};

static int memory_fd(int as, const void *bytes, size_t sz)
{
	int fd = memfd_create("input", 0);

	fuzz_check(fd >= 0 && write(fd, bytes, sz) == (ssize_t)sz && dup2(fd, as) == as);
	if (fd != as)
		close(fd);
	return as;
}

/* Reads the answers as bpfperf does. */
static void *read_answers(void *arg)
{
	static struct itrace_item items[ITRACE_FRAME_MAX];
	struct itrace_frame frame;

	for (;;) {
		fuzz_check(!answer_ring__wait(&ring, &frame));
		answer_ring__take(&ring, &frame, items);
	}
	return arg;
}

static void fuzz_setup(void)
{
	static uint8_t code[CODE_SZ];
	pthread_t thread;
	int ring_fd;
	size_t i;

	for (i = 0; i < sizeof(code); i++)
		code[i] = (uint8_t)(i * 2654435761u >> 13);
	memcpy(code, branches, sizeof(branches));
	memory_fd(ITRACE_JOB_FD, &whole, sizeof(whole));
	memory_fd(ITRACE_DATA_FD, "", 1);
	memory_fd(ITRACE_IMAGE_FD, code, sizeof(code));
	fuzz_check(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	fuzz_check(!job__open(&job) && !images__open(&job) && job.isids[0] > 0);
	ring_fd = answer_ring__make(&ring, sockets[1], whole.head.ring_sz);
	fuzz_check(ring_fd >= 0 && !answer__init(&answer, sockets[0], ring_fd, whole.head.ring_sz));
	close(ring_fd);
	job.head.piece_cnt = job.head.chunk_cnt = 1;
	job.pieces = &piece;
	job.chunks = &chunk;
	flow = flow__new(&job, &answer);
	fuzz_check(flow && !pthread_create(&thread, NULL, read_answers, NULL));
}

static void fuzz_seeds(void)
{
#define PSB "\2\x82\2\x82\2\x82\2\x82\2\x82\2\x82\2\x82\2\x82"
#define BEGIN "\x99\1\2\x23\x71\0\0\x40\0\0\0"
	static char events[128];
	static const char plain[] = "\0" PSB BEGIN "\6\x52\x0a\x6d\0\0\x40\0\0\0\1";
	static const char timed[] =
		"\1" PSB "\x19\1\2\3\4\5\6\7\2\x73\x2c\xa7\0\x2a\0\2\3\x1e\0" BEGIN
		"\x59\5\x13\x52\x59\6\x2d\5\0\xc7\6\6\x21\x10\0\x19\2\2\3\4\5\6\7";
	static const char others[] =
		"\2" PSB BEGIN "\6\2\xf3\x7d\0\0\x40\0\0\0\2\x43\0\0\0\0\0\0" PSB BEGIN
		"\2\x12\1\2\3\4\x52";

	fuzz_seed("plain", plain, sizeof(plain) - 1);
	fuzz_seed("timed", timed, sizeof(timed) - 1);
	fuzz_seed("others", others, sizeof(others) - 1);
	/* More events than libipt's queue holds. */
	memset(events, 0x3d, sizeof(events));
	memcpy(events, plain, 1 + sizeof(PSB BEGIN) - 1);
	fuzz_seed("events", events, sizeof(events));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t sz)
{
	uint8_t *copy;
	uint32_t flags;
	unsigned int len;

	if (sz < 2)
		return -1;
	job.head.period_kind = data[0] % 3;
	data++, sz--;
	/* A copy of exact size, so that the sanitizer sees a read behind its end. */
	copy = malloc(sz);
	memcpy(copy, data, sz);
	len = x86_insn__length(copy, sz, data[0] & 1, &flags);
	fuzz_check(len <= sz && len <= X86_INSN_MAX_SZ);
	packet__are_common(copy, copy + sz);
	free(copy);
	if (pwrite(ITRACE_DATA_FD, data, sz, 0) != (ssize_t)sz)
		return -1;
	piece = (struct itrace_piece){ .sz = sz };
	chunk = (struct itrace_chunk){ .end_ns = UINT64_MAX, .sz = sz };
	fuzz_check(!flow__chunk(flow, 0));
	return 0;
}
