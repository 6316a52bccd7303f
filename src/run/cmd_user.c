// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/cmd_user.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/log.h"

extern char **environ;

/* Parses a user or group id. False: the text is no number, or no id. */
static bool parse_id(const char *text, unsigned int *id)
{
	unsigned long val;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	val = strtoul(text, &end, 10);
	/* The largest number means "unchanged" to setresuid(2). */
	if (errno || *end || val >= UINT_MAX)
		return false;
	*id = (unsigned int)val;
	return true;
}

/* Several names may have one id: the name that sudo saw comes first. */
static const struct passwd *find_caller(unsigned int uid)
{
	const char *name = getenv("SUDO_USER");
	const struct passwd *pw = name ? getpwnam(name) : NULL;

	return pw && pw->pw_uid == uid ? pw : getpwuid(uid);
}

/* Returns the entry of the caller of sudo; NULL: there is none (logged). */
static const struct passwd *caller_entry(unsigned int *gid)
{
	const struct passwd *pw;
	unsigned int uid;

	if (!parse_id(getenv("SUDO_UID"), &uid)) {
		log_error("--as-user: SUDO_UID is not set, so bpfperf was not started by sudo; "
			  "give the user's name: --as-user=NAME");
		return NULL;
	}
	pw = find_caller(uid);
	if (!pw)
		log_error("--as-user: the user %u of SUDO_UID is not in the passwd database; give "
			  "a user of it: --as-user=NAME",
			  uid);
	else if (!parse_id(getenv("SUDO_GID"), gid))
		*gid = pw->pw_gid;
	return pw;
}

static const struct passwd *named_entry(const char *name, unsigned int *gid)
{
	const struct passwd *pw = *name ? getpwnam(name) : NULL;
	unsigned int uid;

	if (!pw && parse_id(name, &uid))
		pw = getpwuid(uid);
	if (!pw)
		log_error("--as-user=%s: there is no such user in the passwd database; "
			  "`getent passwd` lists the users",
			  name);
	else
		*gid = pw->pw_gid;
	return pw;
}

/* Fills in the supplementary groups. 0 or -ENOMEM. */
static int find_groups(struct cmd_user *user)
{
	gid_t *groups;
	int cnt = 32;

	do {
		groups = reallocarray(user->groups, (size_t)cnt, sizeof(*groups));
		if (!groups)
			return -ENOMEM;
		user->groups = groups;
		user->group_cnt = cnt;
		/* The number of groups is the result also if they found no room. */
	} while (getgrouplist(user->name, user->gid, groups, &cnt) < 0 && cnt > user->group_cnt);
	user->group_cnt = cnt;
	return 0;
}

/* The variables that are the user's own. */
static const char *const own_names[] = { "HOME", "USER", "LOGNAME", "SHELL" };
#define OWN_CNT (sizeof(own_names) / sizeof(*own_names))

/* Belongs the variable to root, or to sudo? */
static bool is_replaced(const char *var)
{
	size_t len = strcspn(var, "="), i;

	for (i = 0; i < OWN_CNT; i++)
		if (strlen(own_names[i]) == len && !memcmp(own_names[i], var, len))
			return true;
	return !strncmp(var, "SUDO_", 5);
}

/* Makes the environment. 0 or -ENOMEM. */
static int make_env(struct cmd_user *user, const char *home, const char *shell)
{
	const char *const values[OWN_CNT] = { home, user->name, user->name, shell };
	size_t cnt = 0, at = 0, i;

	while (environ && environ[cnt])
		cnt++;
	user->env = calloc(cnt + OWN_CNT + 1, sizeof(*user->env));
	if (!user->env)
		return -ENOMEM;
	for (i = 0; i < cnt; i++) {
		if (is_replaced(environ[i]))
			continue;
		user->env[at] = strdup(environ[i]);
		if (!user->env[at++])
			return -ENOMEM;
	}
	for (i = 0; i < OWN_CNT; i++) {
		if (asprintf(&user->env[at], "%s=%s", own_names[i], values[i]) < 0) {
			user->env[at] = NULL;
			return -ENOMEM;
		}
		at++;
	}
	return 0;
}

static int fill(struct cmd_user *user, const struct passwd *pw, unsigned int gid)
{
	int err;

	user->uid = pw->pw_uid;
	user->gid = gid;
	user->name = strdup(pw->pw_name);
	if (!user->name)
		return -ENOMEM;
	/* First the texts of pw, which the look-up of groups may overwrite. */
	err = make_env(user, pw->pw_dir, *pw->pw_shell ? pw->pw_shell : "/bin/sh");
	return err ? err : find_groups(user);
}

int cmd_user__find(struct cmd_user **user, const char *name)
{
	const struct passwd *pw;
	unsigned int gid = 0;
	int err;

	pw = name ? named_entry(name, &gid) : caller_entry(&gid);
	*user = pw ? calloc(1, sizeof(**user)) : NULL;
	if (!pw)
		return -EINVAL;
	err = *user ? fill(*user, pw, gid) : -ENOMEM;
	if (!err)
		return 0;
	log_error("--as-user: out of memory");
	cmd_user__free(*user);
	*user = NULL;
	return err;
}

int cmd_user__check(const struct cmd_user *user)
{
	if (!user || geteuid() == 0)
		return 0;
	log_error("--as-user needs root, which may run CMD as another user; run bpfperf with sudo, "
		  "or omit --as-user: CMD runs as the caller");
	return -EPERM;
}

int cmd_user__become(const struct cmd_user *user)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	/* System calls, since the functions of the C library also wait for other threads. */
	if (syscall(SYS_setgroups, (size_t)user->group_cnt, user->groups) ||
	    syscall(SYS_setresgid, user->gid, user->gid, user->gid) ||
	    syscall(SYS_setresuid, user->uid, user->uid, user->uid))
		return -errno;
	/*
	 * Until exec this is a process of the user's with the memory of root's: no debugger of the
	 * user's may look into it.
	 */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))
		return -errno;
	/* Inheritable and ambient ones stay when the user changes, and all do by securebits. */
	if (user->uid && syscall(SYS_capset, &head, none))
		return -errno;
	return 0;
}

void cmd_user__free(struct cmd_user *user)
{
	char **var;

	if (!user)
		return;
	for (var = user->env; var && *var; var++)
		free(*var);
	free(user->env);
	free(user->groups);
	free(user->name);
	free(user);
}
