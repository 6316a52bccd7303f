/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --as-user: CMD runs with the identity of another user, as if this user had started it: user and
 * group ids, supplementary groups, environment, and no capability.
 */
#ifndef BPFPERF_RUN_CMD_USER_H
#define BPFPERF_RUN_CMD_USER_H

#include <sys/types.h>

struct cmd_user {
	char *name;
	uid_t uid;
	gid_t gid;
	gid_t *groups; /* supplementary groups, as initgroups(3) sets them */
	int group_cnt;
	/*
	 * The environment of bpfperf with the user's HOME, USER, LOGNAME and SHELL, without SUDO_*;
	 * each text is owned, and NULL ends the array.
	 */
	char **env;
};

/*
 * Looks up the user: by name or number in the passwd database; NULL is the user who called sudo
 * (SUDO_UID, SUDO_GID). The caller frees *user. 0; -EINVAL if there is no such user, or -ENOMEM,
 * after one sentence; *user is NULL then.
 */
int cmd_user__find(struct cmd_user **user, const char *name);
/* May this process take another identity? 0, or -EPERM (logged). NULL is accepted. */
int cmd_user__check(const struct cmd_user *user);
/*
 * Gives the calling process this identity, for good; async-signal-safe. 0 or -errno. The caller
 * executes the program with user->env.
 */
int cmd_user__become(const struct cmd_user *user);
/* NULL is accepted. */
void cmd_user__free(struct cmd_user *user);

#endif
