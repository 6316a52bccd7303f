#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# bpfperf strace: paths in pages never touched, memory that ends or is missing, threads that are killed or replaced, and the
# account of calls by thread.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"

need_cmd gcc

# A page of a file, mapped anew for each call, and never touched before it.
cat >paths.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#define FILES 97
int main(int argc, char **argv)
{
	int fd = open("pages", O_RDWR | O_CREAT, 0600), i;
	char path[64];

	for (i = 0; i < FILES; i++) {
		int len = snprintf(path, sizeof(path), "/none/fresh/%d", i);

		if (pwrite(fd, path, len + 1, i * 4096l) < 0)
			return 1;
	}
	for (i = 0; i < atoi(argv[1]); i++) {
		char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, i % FILES * 4096l);

		access(page, R_OK);
		munmap(page, 4096);
	}
	return 0;
}
END
gcc -O1 -o paths paths.c
exits 0 "strace, fresh pages: exit 0" "$BPFPERF" strace -e trace=access -o paths.txt ./paths 100003
is "$(summary lost)" 0 "strace, fresh pages: no record is lost"
is "$(grep -cE 'access\("/none/fresh/[0-9]+", R_OK\) += -1 ENOENT' paths.txt)" 100003 "strace, fresh pages: each of 100003 paths is there"
is "$(grep -E '/none/fresh' paths.txt | sed -E 's/.*fresh\/([0-9]+)".*/\1/' | sort -u | wc -l)" 97 "strace, fresh pages: 97 different paths"

# Memory that is hostile: strings of control characters, pointers to nothing, and ends of pages.
cat >hostile.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *sleeps(void *arg)
{
	pause();
	return arg;
}

static void *execs(void *arg)
{
	execl("/bin/true", "true", "from a thread", (char *)NULL);
	return arg;
}

static void in_child(void *(*start)(void *), int threads, int sig)
{
	pthread_t t;
	pid_t pid = fork();

	if (!pid) {
		while (threads--)
			pthread_create(&t, NULL, start, NULL);
		/* The threads are inside of their calls soon. */
		usleep(20000);
		if (sig)
			kill(getpid(), sig);
		pause();
	}
	waitpid(pid, NULL, 0);
}

int main(void)
{
	char *end = (char *)mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + 4096;
	void *bad = (void *)-4096l, *low = (void *)8;
	struct iovec iov[2] = { { bad, ~0ul }, { low, 7 } };
	struct msghdr msg = { .msg_name = bad, .msg_namelen = ~0u, .msg_iov = bad, .msg_iovlen = ~0ul, .msg_control = low, .msg_controllen = ~0ul };
	int i;

	munmap(end, 4096);
	open("/none/\001\033[31m\n\"\\\377", O_RDONLY);
	for (i = 0; i < 101; i++) {
		open(bad, O_RDONLY);
		open(low, O_RDONLY);
	}
	/* A path, a structure and a text without a NUL that end with the page. */
	strcpy(end - 8, "/none/e");
	open(end - 8, O_RDONLY);
	memset(end - 8, 'x', 8);
	open(end - 8, O_RDONLY);
	syscall(SYS_nanosleep, end - 8, NULL);
	syscall(SYS_nanosleep, end - sizeof(struct timespec), NULL);
	writev(1, iov, 2);
	writev(1, bad, 1024);
	writev(1, iov, -1);
	sendmsg(0, &msg, ~0);
	sendmmsg(0, bad, ~0u, 0);
	connect(0, (void *)(end - 3), 128);
	execve(end - 8, bad, low);
	syscall(SYS_execve, bad, iov, iov);
	syscall(SYS_bpf, 5, end - 4, 144);
	syscall(SYS_perf_event_open, end - 4, 0, 0, -1, 0);
	syscall(SYS_seccomp, 1, 0, end - 4);
	syscall(SYS_poll, bad, ~0u, 0);
	syscall(-1l, 1, 2, 3);
	syscall(0x3fffffff, bad, bad, bad, bad, bad, bad);
	in_child(sleeps, 13, SIGKILL);
	in_child(execs, 1, 0);
	return 0;
}
END
gcc -O1 -w -pthread -o hostile hostile.c
for opts in "" "-yy -v -x" "-k -Y"; do
	# shellcheck disable=SC2086 # words of options
	exits 0 "strace ${opts:-without options}, hostile memory: exit 0" timeout 60 "$BPFPERF" strace $opts -o hostile.txt ./hostile
	is "$(summary lost)" 0 "strace ${opts:-without options}, hostile memory: no record is lost"
	is "$(LC_ALL=C grep -c "$(printf '[\001-\010\013-\037\177-\377]')" hostile.txt)" 0 "strace ${opts:-without options}, hostile memory: all bytes are escaped"
	is "$(grep -cE 'open(at)?\(.*(0xfffffffffffff000|0x8), O_RDONLY\) += -1 EFAULT' hostile.txt)" 202 \
		"strace ${opts:-without options}, hostile memory: pointers to nothing are addresses"
	is "$(grep -c 'killed by SIGKILL' hostile.txt)" 14 "strace ${opts:-without options}: the end of each of 14 threads that are killed inside of a call"
	is "$(grep -c '"from a thread"' hostile.txt)" 1 "strace ${opts:-without options}: the exec of a thread"
done
"$BPFPERF" strace -o hostile.txt ./hostile 2>err
like "$(cat hostile.txt)" '"/none/e", O_RDONLY\) += -1 ENOENT' "strace: a path that ends with the page"
like "$(cat hostile.txt)" 'nanosleep\(\{tv_sec=0, tv_nsec=[0-9]+\}, NULL\)' "strace: a structure that ends with the page"
like "$(cat hostile.txt)" '"/none/\\1\\33\[31m\\n\\"\\\\\\377"' "strace: control characters are numbers"

# Each thread's calls: all of them where nothing is lost; with a ring of one page, shown, lost and missed are all.
cat >threads.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#define THREADS 7
static void *calls(void *arg)
{
	for (long i = 0; i < (long)arg; i++)
		syscall(SYS_sched_yield);
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, calls, (void *)(atol(argv[1]) + 101 * i));
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END
gcc -O1 -pthread -o threads threads.c
exits 0 "strace, 7 threads: exit 0" "$BPFPERF" strace -e trace=sched_yield -o threads.txt ./threads 10007
is "$(summary lost)" 0 "strace, 7 threads: no record is lost"
is "$(awk '/sched_yield/ { n[$1]++ } END { for (t in n) print n[t] }' threads.txt | sort -n | tr '\n' ' ')" \
	"$(seq 10007 101 10613 | tr '\n' ' ')" "strace, 7 threads: the calls of each thread are exact"
"$BPFPERF" strace -e trace=sched_yield -e signal=none -m 4K -o full.txt ./threads 100003 2>err
total=$((7 * 100003 + 101 * 21))
isnt "$(summary lost)" 0 "strace, 7 threads and a full ring: records are lost"
shown=$(grep -cE 'sched_yield|\+\+\+' full.txt)
is $((shown + $(summary lost))) $((total + 8)) "strace, 7 threads and a full ring: shown + lost = calls and ends of threads"
is "$(sed -nE 's/^LOST ([0-9]+) .*/\1/p' full.txt | awk '{ n += $1 } END { print n + 0 }')" "$(summary lost)" \
	"strace, 7 threads and a full ring: the file says how many were lost"

# A process is attached to and ends while 41 of its threads are inside of a call.
cat >waiting.py <<'END'
import os, threading, time
for i in range(41):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
while not os.path.exists("stop"):
    time.sleep(0.005)
END
python3 waiting.py &
pid=$!
reap $pid
wait_for 60 sh -c "[ \$(ls /proc/$pid/task | wc -l) -ge 42 ]"
"$BPFPERF" strace -p $pid -o left.txt 2>err &
bg=$!
reap $bg
wait_for 60 grep -q nanosleep left.txt
: >stop
wait $bg
is "$(grep -cE '\+\+\+ (exited|killed)' left.txt)" 42 "strace -p of 42 threads: the end of each thread"
is "$(grep -c 'LOST' left.txt)" 0 "strace -p of 42 threads: no record is lost"

# A process is in a call while others, whose ids end with the same bits, make theirs: a state found by these bits must not be another's.
cat >same_bits.c <<'END'
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#define OTHERS 3
#define BITS 2048
#define TURNS 15
static pid_t fork_as(pid_t pid)
{
	struct clone_args args = { .exit_signal = SIGCHLD, .set_tid = (long)&pid, .set_tid_size = 1 };

	return syscall(SYS_clone3, &args, sizeof(args));
}
static pid_t fork_with_my_bits(int *turn)
{
	pid_t pid = -1;

	while (pid < 0 && *turn < TURNS)
		pid = fork_as(getpid() % BITS + ++*turn * BITS);
	return pid;
}
int main(void)
{
	int made[TURNS + 1] = { 7 * 13 }, i, round;

	for (round = 0; round < 7; round++) {
		int turn = 0;

		for (i = 1; i <= OTHERS; i++) {
			pid_t pid = fork_with_my_bits(&turn);

			if (pid < 0)
				return perror("clone3"), 1;
			if (!pid) {
				for (int n = 0; n < 101 * i; n++)
					getppid();
				_exit(0);
			}
			made[turn] += 101 * i;
		}
		/* In wait4() all the time. */
		for (i = 0; i < OTHERS; i++)
			wait(NULL);
		for (i = 0; i < 13; i++)
			getppid();
	}
	/* Calls by process: an id that another process has in one round and not in another changes who makes them. */
	for (i = 0; i <= TURNS; i++)
		if (made[i])
			printf("%d\n", made[i]);
	return 0;
}
END
gcc -O1 -o same_bits same_bits.c
exits 0 "strace, ids with the same bits: exit 0" "$BPFPERF" strace -e trace=getppid,wait4 -o bits.txt ./same_bits
is "$(summary lost)" 0 "strace, ids with the same bits: no record is lost"
is "$(awk '/getppid\(\)/ { n[$1]++ } END { for (t in n) print n[t] }' bits.txt | sort -n | tr '\n' ' ')" "$(sort -n out | tr '\n' ' ')" \
	"strace, ids with the same bits: the calls of each process are exact"
is "$(grep -cE 'wait4\(-1.* = [0-9]+$' bits.txt)" 21 "strace, ids with the same bits: each wait4() is shown with its result"
is "$(grep -cE 'getppid\(\) += [0-9]+$' bits.txt)" 4333 "strace, ids with the same bits: each getppid() is shown with its result"
"$BPFPERF" strace -c -e trace=getppid,wait4 -o bits.txt ./same_bits 2>err
is "$(awk '$NF == "getppid" { print $4 }' bits.txt)" 4333 "strace -c, ids with the same bits: getppid() calls"
is "$(awk '$NF == "wait4" { print $4 }' bits.txt)" 21 "strace -c, ids with the same bits: wait4() calls"
done_testing
