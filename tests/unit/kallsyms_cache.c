// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The kernel's functions in a file: equal answers, and no answer from a file that does not fit. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sym/kallsyms.h"
#include "tap.h"

#define MODULES "nf_tables 4096 0 - Live 0xffffffffc0100000 (E)\n"
#define CORE                                                                                       \
	"ffffffff81000000 T _text\n"                                                               \
	"ffffffff81000000 T start_here\n"                                                          \
	"ffffffff81000200 T next_one\n"                                                            \
	"ffffffff81008000 t last_one\n"
#define FUNCTIONS                                                                                  \
	CORE "ffffffffc0050000 t bpf_prog_one\t[bpf]\n"                                            \
	     "ffffffffc0100000 t nft_one\t[nf_tables]\n"

static char top[] = "/tmp/bpfperf-cache.XXXXXX", dir[64], file[96], functions[64], modules[64];

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
}

static struct kallsyms reader(void)
{
	return (struct kallsyms){ .path = functions, .modules_path = modules, .cache_dir = dir };
}

/* "NAME MODULE +OFFSET", or "nothing". */
static const char *at(struct kallsyms *ks, uint64_t addr)
{
	const char *name = NULL, *module = NULL;
	static char got[128];
	uint64_t off;

	if (!kallsyms__find(ks, addr, &name, &module, &off))
		return "nothing";
	snprintf(got, sizeof(got), "%s %s +0x%" PRIx64, name, module, off);
	return got;
}

/* Answers of the first lookup; is the file read, and not kallsyms? */
static bool is_cached(void)
{
	struct kallsyms ks = reader();
	bool cached;

	at(&ks, 0xffffffff81000210);
	cached = ks.cache.map != NULL;
	kallsyms__free(&ks);
	return cached;
}

static void check_answers(struct kallsyms *ks, const char *how)
{
	is_str(at(ks, 0xffffffff81000010), "start_here [kernel.kallsyms] +0x10",
	       "%s: the last of several names", how);
	is_str(at(ks, 0xffffffff810001ff), "start_here [kernel.kallsyms] +0x1ff",
	       "%s: a function's last byte", how);
	is_str(at(ks, 0xffffffff81008010), "last_one [kernel.kallsyms] +0x10",
	       "%s: the kernel's last function", how);
	is_str(at(ks, 0xffffffffc0100010), "nft_one [nf_tables] +0x10", "%s: a module's function",
	       how);
	is_str(at(ks, 0xffffffffc0050020), "bpf_prog_one [bpf] +0x20", "%s: a BPF program", how);
	is_str(at(ks, 0x1000), "nothing", "%s: no name below all", how);
}

static void test_answers(void)
{
	struct kallsyms first = reader(), second = reader();
	const char *name, *module, *again;
	uint64_t off;
	struct stat st;

	check_answers(&first, "without a file");
	ok(!first.cache.map, "the first reader has no file");
	ok(!stat(file, &st) && (st.st_mode & 0777) == 0600, "a file that its owner alone can read");
	ok(!stat(dir, &st) && (st.st_mode & 0777) == 0700,
	   "a directory that its owner alone can read");
	kallsyms__find(&second, 0xffffffff81000210, &name, &module, &off);
	check_answers(&second, "with a file");
	ok(second.cache.map && second.text == 0xffffffff81000000, "the second reader has the file");
	kallsyms__find(&second, 0xffffffff81000210, &again, &module, &off);
	ok(name == again, "a name is the same pointer before and after BPF programs are read");
	kallsyms__free(&first);
	kallsyms__free(&second);
}

/* With the file open nothing of kallsyms is read but for _text, until an address is unknown. */
static void test_reads(void)
{
	struct kallsyms ks = reader();

	put_file(functions, "ffffffff81000000 T _text\n"
			    "ffffffff81000200 T other_name\n"
			    "ffffffffc0060000 t bpf_prog_two\t[bpf]\n");
	is_str(at(&ks, 0xffffffff81000210), "next_one [kernel.kallsyms] +0x10",
	       "the kernel's functions are those of the file");
	is_str(at(&ks, 0xffffffffc0060001), "bpf_prog_two [bpf] +0x1",
	       "BPF programs are those of kallsyms");
	is_str(at(&ks, 0xffffffffc0050020), "nothing", "a BPF program that is gone has no name");
	is_str(at(&ks, 0xffffffff81000210), "next_one [kernel.kallsyms] +0x10",
	       "the kernel's functions stay those of the file");
	kallsyms__free(&ks);
	put_file(functions, FUNCTIONS);
}

/* The thread reads code that the file lacks, if one of the announced addresses may be of it. */
static void test_ahead(void)
{
	struct kallsyms ks = reader();

	ks.ahead = ahead__new();
	kallsyms__want(&ks, 0xffffffff81000210);
	kallsyms__go_ahead(&ks);
	kallsyms__read_ahead(&ks);
	ahead__finish(ks.ahead, &ks.job);
	kallsyms__want(&ks, 0xffffffffc0100010);
	kallsyms__go_ahead(&ks);
	ok(ks.loaded && !ks.pseudo.ks, "functions of the file: nothing more is read ahead");
	kallsyms__want(&ks, 0xffffffffc0050020);
	kallsyms__go_ahead(&ks);
	if (ok(ks.pseudo.ks != NULL, "a BPF program is announced: kallsyms is read ahead"))
		ahead__finish(ks.ahead, &ks.pseudo.job);
	put_file(functions, CORE);
	is_str(at(&ks, 0xffffffffc0050020), "bpf_prog_one [bpf] +0x20",
	       "a BPF program that was read ahead has a name when it is gone");
	is_str(at(&ks, 0xffffffff81000210), "next_one [kernel.kallsyms] +0x10",
	       "the kernel's functions are those of the file, after reading ahead");
	is_str(at(&ks, 0xffffffffc0300000), "nothing", "an address of neither has no name");
	ahead__free(ks.ahead);
	kallsyms__free(&ks);
	put_file(functions, FUNCTIONS);
}

static void test_staleness(void)
{
	ok(is_cached(), "the file fits");
	put_file(functions, "ffffffff91000000 T _text\nffffffff91000200 T next_one\n");
	ok(!is_cached(), "a file of another _text is not used");
	ok(is_cached(), "the file is replaced after a move of _text");
	put_file(functions, "0000000000000000 T _text\n0000000000000000 T next_one\n");
	ok(!is_cached(), "hidden addresses hide the file");
	put_file(functions, FUNCTIONS);
	ok(!is_cached() && is_cached(), "the file is replaced again");
	put_file(modules, MODULES "ext4 8192 3 - Live 0xffffffffc0200000\n");
	ok(!is_cached() && is_cached(), "a file of other modules is replaced");
	put_file(modules, MODULES);
}

static void test_trust(void)
{
	int fd;

	ok(!is_cached() && is_cached(), "a file of this user fits");
	chmod(file, 0644);
	ok(!is_cached(), "a file that others can read is not used");
	ok(is_cached(), "such a file is replaced");
	chmod(dir, 0755);
	ok(!is_cached(), "a directory that others can read is not used");
	chmod(dir, 0700);
	fd = open(file, O_WRONLY | O_CLOEXEC);
	ok(fd >= 0 && pwrite(fd, "0", 1, 8) == 1, "another boot's id is written");
	close(fd);
	ok(!is_cached() && is_cached(), "a file of another boot is replaced");
	ok(!truncate(file, 200) && !is_cached() && is_cached(), "a file that is cut is replaced");
	ok(!truncate(file, 3) && !is_cached() && is_cached(),
	   "a file that is cut in its head is replaced");
	unlink(file);
	ok(!symlink(functions, file) && !is_cached() && is_cached(),
	   "a symbolic link is replaced, not followed");
}

int main(void)
{
	if (!ok(mkdtemp(top) != NULL, "a directory for the files is made"))
		return done_testing();
	snprintf(dir, sizeof(dir), "%s/run", top);
	snprintf(file, sizeof(file), "%s/kallsyms", dir);
	snprintf(functions, sizeof(functions), "%s/functions", top);
	snprintf(modules, sizeof(modules), "%s/modules", top);
	put_file(functions, FUNCTIONS);
	put_file(modules, MODULES);
	test_answers();
	test_reads();
	test_ahead();
	test_staleness();
	test_trust();
	unlink(file);
	unlink(functions);
	unlink(modules);
	ok(!rmdir(dir) && !rmdir(top), "no other file is left");
	return done_testing();
}
