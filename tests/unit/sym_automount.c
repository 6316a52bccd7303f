// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Paths that autofs would have to mount first: looking at them must not wait for its daemon. */
#include "probe/library_process.h"
#include "sym/debug_file.h"
#include "sym/root.h"
#include "sym/sym.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
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

/* Links of a root's owner, by which each file that is looked for would take a long time. */
static void test_many_names(const char *root, int root_fd)
{
	char path[128], target[3001] = "";
	int i, found;

	snprintf(path, sizeof(path), "%s/files/y.debug", root);
	close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
	for (i = 0; i < 97; i++)
		strcat(target, "./");
	strcat(target, "y.debug");
	snprintf(path, sizeof(path), "%s/files/few.debug", root);
	ok(!symlink(target, path), "a link of a hundred names is made");
	found = root__open_linked(root_fd, "/files/few.debug");
	ok(found >= 0, "a link of a hundred names is followed");
	close(found);
	snprintf(path, sizeof(path), "%s/files/many.debug", root);
	target[0] = '\0';
	for (i = 0; i < 1409; i++)
		strcat(target, "./");
	strcat(target, "y.debug");
	ok(!symlink(target, path), "a link of a thousand names is made");
	is_s64(root__open_linked(root_fd, "/files/many.debug"), -1,
	       "links of a thousand names: no file");
	snprintf(path, sizeof(path), "%s/files/up", root);
	ok(!symlink(".", path), "a link to its own directory is made");
	found = root__open_linked(root_fd, "/files/up/./up/y.debug");
	ok(found >= 0, "a link to its own directory is followed");
	close(found);
	found = root__probe_linked(root_fd, "/files/up");
	ok(found >= 0, "a link to its own directory is that directory");
	close(found);
}

/* A user's root has the directory of debug files, and leads a build-id's name to autofs. */
static void test_build_id_link(const char *dir, int fd)
{
	const struct elf_heads heads = { .build_id = { .len = 3, .bytes = { 0xab, 0xcd, 0xef } } };
	static const char *const dirs[] = { "",
					    "/usr",
					    "/usr/lib",
					    "/usr/lib/debug",
					    "/usr/lib/debug/.build-id",
					    "/usr/lib/debug/.build-id/ab",
					    "/auto",
					    "/files" };
	char root[64], path[128];
	int i, found, root_fd;

	snprintf(root, sizeof(root), "%s.root", dir);
	for (i = 0; i < (int)(sizeof(dirs) / sizeof(*dirs)); i++) {
		snprintf(path, sizeof(path), "%s%s", root, dirs[i]);
		mkdir(path, 0755);
	}
	snprintf(path, sizeof(path), "%s/auto", root);
	ok(!mount(dir, path, NULL, MS_BIND, NULL), "another root has a directory of autofs");
	root_fd = open(root, O_PATH | O_CLOEXEC);
	snprintf(path, sizeof(path), "%s/usr/lib/debug/.build-id/ab/cdef.debug", root);
	ok(!symlink("/auto/host/x.debug", path), "a build-id is a link to what autofs would mount");
	found = debug_file__open(READER_NAMES, &heads, "/bin/prog", root_fd, false);
	is_s64(found, -1, "a build-id that leads to autofs: there is no debug file");
	ok(!has_asked(fd), "a build-id that leads to autofs: nothing is mounted for it");

	/* Distributions have them relative, or through a directory that is a link. */
	unlink(path);
	ok(!symlink("../../../../../../../by-link/./x.debug", path), "a build-id is a link");
	snprintf(path, sizeof(path), "%s/by-link", root);
	ok(!symlink("/files", path), "a directory on the way is a link");
	snprintf(path, sizeof(path), "%s/files/x.debug", root);
	close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
	found = root__open_linked(root_fd, "/usr/lib/debug/.build-id/ab/cdef.debug");
	ok(found >= 0, "links below another root are followed within it");
	close(found);
	unlink(path);
	ok(!symlink("x.debug", path), "a link that leads to itself is made");
	is_s64(root__open_linked(root_fd, "/files/x.debug"), -1, "links that do not end: no file");
	test_many_names(root, root_fd);
	close(root_fd);
	snprintf(path, sizeof(path), "%s/auto", root);
	umount2(path, MNT_DETACH);
	snprintf(path, sizeof(path), "rm -r %s", root);
	if (system(path))
		printf("# %s is left\n", root);
}

/* Another process has a library where our own root has a directory of autofs. */
static void test_library(const char *dir, int fd)
{
	struct library_process p;
	char path[80], want[128], *found, byte;
	int ready[2], hold[2];
	pid_t pid;

	if (pipe(ready) || pipe(hold))
		exit(1);
	snprintf(path, sizeof(path), "%s/host", dir);
	pid = fork();
	if (pid == 0) {
		int file;

		close(hold[1]);
		if (unshare(CLONE_NEWNS) || mount("none", dir, "tmpfs", 0, NULL) ||
		    mkdir(path, 0755))
			_exit(1);
		snprintf(path, sizeof(path), "%s/host/libother.so", dir);
		file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0755);
		if (ftruncate(file, 4096) ||
		    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED ||
		    write(ready[1], "", 1) != 1 || read(hold[0], &byte, 1))
			_exit(1);
		_exit(0);
	}
	close(ready[1]);
	ok(read(ready[0], &byte, 1) == 1, "another process has mapped a library");
	library_process__set(&p, pid);
	found = library_process__find(&p, "libother");
	snprintf(want, sizeof(want), "/proc/%d/root%s/host/libother.so", (int)pid, dir);
	is_str(found, want, "a library in other mounts: it is found there");
	ok(!has_asked(fd), "a library in other mounts: nothing is mounted for it in ours");
	free(found);
	close(hold[1]);
	waitpid(pid, NULL, 0);
	close(hold[0]);
	close(ready[0]);
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
		test_build_id_link(dir, fd);
		test_library(dir, fd);
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
