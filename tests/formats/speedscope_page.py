# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""speedscope_page.py SPEEDSCOPE DIR: opens the files that speedscope.sh made in speedscope itself, and looks
at what its importer made of them."""
from page import report, with_speedscope

COUNTS = (("web", 7937, 0), ("parse", 4014, 1013), ("lex", 3001, 3001), ("scan", 911, 911), ("[truncated]", 11, 0))
MARKUP = "b<i>&\"q\"</script><img src=x onerror=alert(1)>"


def is_count(cell, count):
    return cell.replace(",", "").startswith((f"{count} ", f"{count}("))


def check(s):
    s.open("plain.speedscope.json", "samples: 9277 samples, 0 lost, 11 truncated")
    shown = s.text()
    report("9277 samples, 0 lost, 11 truncated" in shown, "speedscope shows what was recorded", shown)
    rows = s.rows(MARKUP, *(name for name, _, _ in COUNTS))
    for name, total, own in COUNTS:
        got = rows.get(name, ("", ""))
        report(is_count(got[0], total), f"{name}: total", got)
        report(is_count(got[1], own), f"{name}: self", got)
    report(MARKUP in rows, "a name of markup is a name", list(rows))
    s.open("both.speedscope.json", "17 lost")
    rows = s.rows("[off-cpu]", "main")
    report(rows.get("[off-cpu]", ("",))[0].startswith("7.00s"), "time off the CPU is time", rows.get("[off-cpu]"))
    report(rows.get("main", ("",))[0].startswith("10.00s"), "with that on it", rows.get("main"))
    report("1/2" in s.text(), "each event is a profile", s.text()[:200])
    report(not s.complaints(), "speedscope has nothing to complain of", s.complaints())


with_speedscope(check)
