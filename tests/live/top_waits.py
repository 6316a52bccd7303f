# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""top_waits.py BPFPERF PID FILE: uses `stack --top --off-cpu` through a pseudo terminal of 80 × 24. PID is the
workload waits, FILE gets the profile. A line for each assertion, as top.py prints it."""
import re
import sys

from top import Session, report, rows

PSEUDO = re.compile(r"\bschedule|since before|\[(sleeping|runnable|preempted|uninterruptible)")


def row_of(term, function):
    """State, call and time of the rows of a function."""
    found = []
    for line in rows(term):
        m = re.match(r">? +[\d.]+% +([\d.]+) (ns|us|ms|s)  ([a-z]+) +(.*?) *\b" + function + r"  waits$", line)
        if m:
            found.append((m.group(3), m.group(4), float(m.group(1)) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[m.group(2)]))
    return found


def has_row(term, function, state, call):
    return any(row[:2] == (state, call) for row in row_of(term, function))


def choose(s, function):
    """Shows the rows of one function alone."""
    s.keys(f"/{function}\r")
    return s.wait(lambda t: f"/{function} " in t.text() and rows(t) and all(function in r for r in rows(t)))


def check_rows(s):
    for function, state, call in (("wait_for_input", "sleeping", "read"), ("wait_for_vfork", "uninterruptible", "vfork"),
                                  ("take_naps", "sleeping", "clock_nanosleep"), ("burn", "preempted", "")):
        report(s.wait(lambda t, row=(function, state, call): has_row(t, *row)), f"{function}: its state and call are in its row",
               s.term.text())
    lines = s.term.lines()
    report("waits by time" in lines[1] and re.match(r" +share +time  state +call +function$", lines[2]), "the head names the columns",
           lines[:3])
    s.keys("r")
    # Its thread is never back: no record of it comes.
    report(s.wait(lambda t: any(r[2] >= 1 for r in row_of(t, "wait_for_input"))), "a thread that is never back has its time so far",
           s.term.text())
    report(not any(PSEUDO.search(r) for r in rows(s.term)), "no row has the scheduler's frames or the state in brackets", s.term.text())


def joined(term):
    """The text with lines that continue a path at the end of this path."""
    return re.sub(r"\n {23}(?=[<>(])", " ", term.text())


def check_unfolding(s):
    choose(s, "wait_for_input")
    s.keys("\033[C")
    report(s.wait(lambda t: re.search(r"^ {21}> read( > \w+)* > \w*pipe_read$", joined(t), re.M)), "right unfolds the path into the kernel",
           s.term.text())
    report(re.search(r"^ {21}< main < .*\(waits\)$", joined(s.term), re.M), "right unfolds the callers and the thread",
           s.term.text())
    report(not PSEUDO.search("\n".join(s.term.lines()[3:])), "the path has no frames of the scheduler", s.term.text())
    s.keys("\033[B\033[B\033[D")
    report(s.wait(lambda t: "> read" not in t.text() and rows(t)[0].startswith(">")), "left folds the row", s.term.text())
    s.keys("\r")
    report(s.wait(lambda t: "> read" in t.text()), "Enter unfolds the row", s.term.text())
    choose(s, "take_naps")
    s.keys("\033[C")
    report(s.wait(lambda t: re.search(r"^ {21}< run < .*\(waits\)$", joined(t), re.M)), "a row of many waits has one path to its callers",
           s.term.text())


def check_views(s):
    s.keys("\033")
    s.wait(lambda t: "/take_naps" not in t.text())
    s.keys("f")
    report(s.wait(lambda t: "functions by self" in t.text() and any("pipe_read" in r for r in rows(t))),
           "functions: the wait is of the kernel's function that called the scheduler", s.term.text())
    report(not any(PSEUDO.search(r) for r in rows(s.term)), "functions: none is of the scheduler or a state", s.term.text())
    s.keys("k")
    report(s.wait(lambda t: any(re.search(r"waits: \[sleeping since before\] < \w*pipe_read < ", r) for r in rows(t))),
           "stacks: the state, then the function that waits", s.term.text())
    s.keys("w")
    report(s.wait(lambda t: "waits by time" in t.text()), "w shows the waits", s.term.text())


def main():
    bpfperf, pid, path = sys.argv[1:]
    s = Session([bpfperf, "stack", "--top", "--off-cpu", "-p", pid, "-o", path], 80, 24, {"NO_COLOR": "1"})
    check_rows(s)
    check_unfolding(s)
    check_views(s)
    report(not s.term.overflow, "80 × 24: nothing is written beyond the window")
    report(not s.term.unknown, "output has only sequences that every terminal knows", s.term.unknown)
    s.keys("q")
    report(s.ended() == 0 and s.is_restored(), "q ends it with exit 0, and restores the terminal")
    s.close()


if __name__ == "__main__":
    main()
