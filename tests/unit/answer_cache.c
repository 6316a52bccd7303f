// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Kept answers about files: found again for the same question alone. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/reader.h"
#include "util/answer_cache.h"
#include "tap.h"

static char dir[64], path[96];
static int fds[ANSWER_CACHE_FILES] = { -1, -1, -1 };

/* An answer to `question`, as text; "" if none is kept. */
static const char *get(const char *question)
{
	static struct strbuf answer = STRBUF_INIT;
	struct answer_cache_key key;

	strbuf__reset(&answer);
	if (!answer_cache__key(&key, fds, reader__is_trusted, question, strlen(question)))
		return "no key";
	return answer_cache__get(&key, dir, &answer) ? strbuf__cstr(&answer) : "";
}

static bool put(const char *question, const char *text)
{
	struct strbuf answer = STRBUF_INIT;
	struct answer_cache_key key;

	if (!answer_cache__key(&key, fds, reader__is_trusted, question, strlen(question)))
		return false;
	strbuf__puts(&answer, text);
	answer_cache__put(&key, dir, &answer);
	strbuf__free(&answer);
	return true;
}

/* /bin/sh is the system's, and was installed long ago. */
static void check_answers(void)
{
	fds[0] = open("/bin/sh", O_RDONLY | O_CLOEXEC);
	is_str(get("main"), "", "nothing is kept at first");
	ok(put("main", "at 4096"), "an answer is kept");
	is_str(get("main"), "at 4096", "the question brings it back");
	is_str(get("mai"), "", "the beginning of the question is another question");
	is_str(get("main\n"), "", "a longer question is another question");
	close(fds[0]);
	fds[0] = open("/bin/ls", O_RDONLY | O_CLOEXEC);
	is_str(get("main"), "", "the question about another file is another question");
	close(fds[0]);
	fds[0] = open("/bin/sh", O_RDONLY | O_CLOEXEC);
	fds[1] = dup(fds[0]);
	is_str(get("main"), "", "the question with a debug file is another question");
	close(fds[1]);
	fds[1] = -1;
	is_str(get("main"), "at 4096", "the first answer is still kept");
	ok(put("main", "at 8192"), "a second answer is kept");
	is_str(get("main"), "at 8192", "the second answer replaces the first");
	close(fds[0]);
}

/* A file of this moment could change again without another time. */
static void check_new_file(void)
{
	fds[0] = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0755);
	ok(!put("main", "at 1"), "answers about a file that has just changed are not kept");
	ok(!fchown(fds[0], 12345, 12345) && !put("main", "at 1"),
	   "answers about a file of another user are not kept");
	close(fds[0]);
	unlink(path);
}

int main(void)
{
	if (geteuid()) {
		ok(!strcmp(get("main"), "no key"), "users other than root keep nothing");
		return done_testing();
	}
	snprintf(dir, sizeof(dir), "/run/bpfperf-test.%d", (int)getpid());
	snprintf(path, sizeof(path), "/tmp/bpfperf-test.%d", (int)getpid());
	check_answers();
	check_new_file();
	{
		struct strbuf cmd = STRBUF_INIT;

		strbuf__printf(&cmd, "rm -r %s", dir);
		ok(!system(strbuf__cstr(&cmd)), "the directory was made, and is removed");
		strbuf__free(&cmd);
	}
	return done_testing();
}
