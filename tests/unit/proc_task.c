// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Names of threads: those of /proc, and those that records have. */
#include "tap.h"
#include "host/proc_task.h"

static void is_cut(const char *proc, const char *want)
{
	char comm[80];

	snprintf(comm, sizeof(comm), "%s", proc);
	proc_task__cut_comm(comm);
	is_str(comm, want, "the name %s is cut", proc);
}

int main(void)
{
	is_cut("bash", "bash");
	is_cut("", "");
	is_cut("kworker/0:2", "kworker/0:2");
	is_cut("kworker/0:2-events_power_efficient", "kworker/0:2");
	is_cut("kworker/113:1H-kblockd", "kworker/113:1H");
	is_cut("kworker/u257:13+flush-254:0", "kworker/u257:13");
	is_cut("kworker/R-kvfree_rcu_reclaim", "kworker/R-kvfre");
	is_cut("kworker/dying", "kworker/dying");
	is_cut("kworker", "kworker");
	is_cut("rcu_exp_par_gp_kthread_worker/0", "rcu_exp_par_gp_");
	is_cut("a-b+c", "a-b+c");
	return done_testing();
}
