// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Paths that autofs would have to mount first: looking at them must not wait for its daemon. */
#include "sym/debug_file.h"
#include "sym/root.h"
#include "sym/sym.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* A daemon that never mounts anything: the group of its process is the one that autofs trusts. */
static pid_t mount_autofs(const char *dir, int *fd)
{
	char options[128], byte;
	int asks[2], done[2];
	pid_t pid;

	if (pipe(asks) || pipe(done))
		return -1;
	pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		snprintf(options, sizeof(options), "fd=%d,pgrp=%d,minproto=5,maxproto=5,indirect",
			 asks[1], getpgrp());
		if (mount("autofs", dir, "autofs", 0, options))
			_exit(1);
		if (write(done[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	close(done[1]);
	close(asks[1]);
	if (read(done[0], &byte, 1) != 1) {
		waitpid(pid, NULL, 0);
		pid = -1;
	}
	close(done[0]);
	*fd = asks[0];
	return pid;
}

/* Only SIGKILL ends a wait for autofs: another process sends it, unless *end is closed before. */
static void watch(int *end)
{
	int alive[2];
	pid_t self = getpid();

	if (pipe(alive))
		exit(1);
	if (fork() == 0) {
		struct pollfd fd = { .fd = alive[0], .events = POLLIN };

		close(alive[1]);
		if (poll(&fd, 1, 20000) == 0)
			kill(self, SIGKILL);
		_exit(0);
	}
	close(alive[0]);
	*end = alive[1];
}

/* Has autofs asked its daemon for a mount? */
static bool has_asked(int fd)
{
	char request[1024];

	fcntl(fd, F_SETFL, O_NONBLOCK);
	return read(fd, request, sizeof(request)) > 0;
}

static void test_mapped_file(const char *dir, int fd)
{
	struct sym_map map = { .addr = 0x10000000, .len = 0x1000, .maj = 8, .min = 1, .ino = 4711 };
	struct sym *sym = sym__new();
	struct sym_result res;
	char path[64];

	snprintf(path, sizeof(path), "%s/host/lib/libx.so", dir);
	map.path = path;
	sym__on_exec(sym, getpid());
	sym__on_mmap(sym, getpid(), &map);
	sym__user(sym, getpid(), map.addr + 7, &res);
	ok(!res.name, "a mapped file below autofs: it has no name");
	sym__free(sym);
	ok(!has_asked(fd), "a mapped file below autofs: nothing is mounted for it");
}

/* A user links .debug beside his program to what would have to be mounted. */
static void test_debug_link(const char *dir, int fd)
{
	const struct elf_heads heads = { .debuglink = "prog.debug" };
	char home[64], link[80], prog[128], target[80];
	int found;

	snprintf(home, sizeof(home), "%s.home", dir);
	snprintf(link, sizeof(link), "%s/.debug", home);
	snprintf(prog, sizeof(prog), "%s/prog", home);
	snprintf(target, sizeof(target), "%s/host", dir);
	mkdir(home, 0755);
	chmod(home, 0777);
	ok(!symlink(target, link), "a link to a directory that autofs would mount is made");
	found = debug_file__open(READER_NAMES, &heads, prog, -1, false);
	is_s64(found, -1, "a debug file behind a link to autofs: there is none");
	ok(!has_asked(fd), "a debug file behind a link to autofs: nothing is mounted for it");
	/* The kernel reported a mapping by this path, before there was a link. */
	snprintf(prog, sizeof(prog), "%s/lib/libx.so", link);
	is_s64(root__open_mounted(-1, prog), -1, "a path that has become one behind autofs: none");
	ok(!has_asked(fd), "a path that has become one behind autofs: nothing is mounted for it");
	unlink(link);
	rmdir(home);
}

static void test_mounted(const char *dir)
{
	char path[64], file[80];
	int fd, mnt = root__probe_mounted(-1, dir);

	ok(mnt >= 0, "a directory of autofs itself is entered");
	close(mnt);
	fd = root__probe_mounted(-1, "/proc/self");
	ok(fd >= 0, "a link as the last component is not followed");
	close(fd);
	fd = root__probe_mounted(-1, "/proc/self/status");
	is_s64(fd, -1, "a link on the way is not followed");
	snprintf(path, sizeof(path), "%s.other", dir);
	snprintf(file, sizeof(file), "%s//file", path);
	mkdir(path, 0755);
	close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
	fd = root__probe_mounted(-1, file);
	ok(fd >= 0, "a file in a directory: it is opened");
	close(fd);
	unlink(file);
	rmdir(path);
}

int main(void)
{
	char dir[] = "/tmp/bpfperf-autofs.XXXXXX";
	pid_t daemon;
	int fd, end;

	if (getuid() || unshare(CLONE_NEWNS) ||
	    mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) || !mkdtemp(dir)) {
		skip("mounting needs root");
		return done_testing();
	}
	daemon = mount_autofs(dir, &fd);
	if (daemon < 0) {
		skip("this kernel has no autofs");
	} else {
		watch(&end);
		test_mapped_file(dir, fd);
		test_debug_link(dir, fd);
		test_mounted(dir);
		/* Without a daemon nothing waits any more. */
		kill(daemon, SIGKILL);
		waitpid(daemon, NULL, 0);
		close(fd);
		close(end);
		umount2(dir, MNT_DETACH);
	}
	rmdir(dir);
	return done_testing();
}
