// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/refusal.h"

#include "plan/pmc_names.h"
#include "plan/precise.h"

void refusal__put(const struct plan *plan, size_t at, struct strbuf *out)
{
	const struct plan_event *ev = &plan->events[at];
	const struct model *model = plan->machine.model;
	size_t first = plan->groups[ev->group].first;

	switch (ev->refusal) {
	case PLAN_NO_EVENT:
		strbuf__printf(out, "the PMU of %s has no such event", model->title);
		break;
	case PLAN_NEEDS_SLOTS:
		strbuf__puts(out, "the kernel takes a metric only in a group that slots leads, "
				  "as in {slots,topdown-retiring}");
		break;
	case PLAN_PRECISE_COUNTS:
		strbuf__puts(out,
			     "a precise event is sampled, not counted: the kernel refuses it "
			     "without a period; `bpfperf explain --record` says what record does");
		break;
	case PLAN_TOO_PRECISE:
		strbuf__printf(out, "%s takes at most %d p", model->title, model->precise->max);
		break;
	case PLAN_NOT_PRECISE:
		strbuf__puts(out, model->precise->ibs
					  ? "only cycles and micro-operations (r76, rc1) are "
					    "precise on AMD, where IBS samples them"
					  : "PEBS of this CPU cannot sample it; omit the p");
		break;
	case PLAN_TX_ALONE:
		strbuf__puts(out, "the kernel refuses in_tx and in_tx_cp together with :p or "
				  "any=1; omit one of them");
		break;
	case PLAN_TOPDOWN_PLAIN:
		strbuf__puts(out, "the kernel takes slots and topdown metrics without edge, inv, "
				  "cmask, any and in_tx only; omit these");
		break;
	case PLAN_CPUS_ONLY:
		strbuf__puts(out, "this PMU is of a whole chip or a part of it, and counts for "
				  "CPUs, not for a task: the kernel refuses it; give -a");
		break;
	case PLAN_ALL_MODES:
		strbuf__puts(out, "this PMU counts in all modes: the kernel refuses modifiers such "
				  "as u and k; omit them");
		break;
	case PLAN_NOT_SAMPLED:
		if (model->uncore) {
			strbuf__puts(out, "this PMU has no interrupt: the kernel refuses to sample "
					  "it; count it");
			break;
		}
		strbuf__puts(out, "the kernel computes a topdown metric, which cannot be "
				  "sampled; count it");
		break;
	case PLAN_BAD_REGISTER:
		strbuf__puts(out, "its register (offcore_rsp, ldlat, frontend) has not all of "
				  "these bits, and the kernel refuses it; omit them");
		break;
	case PLAN_REFUSED_HERE:
		strbuf__puts(out, "the PMU of this machine does not have it: the kernel refused to "
				  "open it");
		break;
	case PLAN_BLACKLISTED:
		strbuf__puts(out, "kernels 3.10 to 4.0 refuse the events of the HT erratum on Ivy "
				  "Bridge");
		break;
	case PLAN_GROUP_FULL:
		strbuf__printf(out,
			       "the group is too large: beside the %zu before it no counter of ",
			       at - first);
		pmc_names__put(model, ev->counters, out);
		strbuf__puts(out, " is left, and the kernel refuses it (EINVAL)");
		break;
	case PLAN_LEADER_GONE:
		strbuf__printf(out, "%s, which leads its group, is refused",
			       plan->events[first].name);
		break;
	default:
		strbuf__puts(out, "no counter of this PMU can count it");
	}
}
