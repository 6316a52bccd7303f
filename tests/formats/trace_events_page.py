# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""trace_events_page.py SPEEDSCOPE DIR: opens trace.json, which trace_events.sh made, in speedscope."""
import re

from page import report, with_speedscope


def check(s):
    s.open("trace.json", "(pid ")
    shown = s.text()
    # "exe (pid 4242, tid 4242)" of several: one for each thread and CPU that has slices.
    found = re.search(r"(\d+)/(\d+)", shown)
    report(found and int(found[2]) >= 7, "each thread and each CPU is a profile", shown[:200])
    report(re.search(r"fork_tree|exe|CPU", shown), "each profile has its thread's name", shown[:200])
    report(not s.complaints("different args"), "the importer has nothing to complain of",
           s.complaints("different args"))


with_speedscope(check)
