#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""filter_diff.py "BPFPERF [OPTIONS]" FORK_TREE COUNT [SEED]

The same filters through tracefs and through bpfperf, at the same time, on the
same processes: COUNT generated filters, several events a round, on both attach
paths. Prints one line per difference, and last a line
"filters=N rounds=N records=N passed=N different=N". Values come from records
that were seen before, so that filters pass some and stop others.

The processes of FORK_TREE are compared, not the shell that starts them, and each until its
sched_process_exit: what follows may come after its parent knows, and bpfperf has ended. An
interrupt may hit between the two that watch one occurrence of sched_process_exit: its records
come before the exit for one of them, and behind the exit for the other.
"""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

TRACEFS = "/sys/kernel/tracing"
# Each event's text is equal in the trace file and in bpfperf's output: numbers and names.
RAW = ["sched:sched_switch", "sched:sched_waking", "sched:sched_stat_runtime",
       "sched:sched_process_exec", "raw_syscalls:sys_enter", "raw_syscalls:sys_exit",
       "sched:sched_process_fork", "sched:sched_wakeup_new"]
CLASSIC = ["task:task_newtask", "task:task_rename", "signal:signal_generate",
           "signal:signal_deliver", "irq:softirq_raise"]
# Records of all threads, not filtered.
EXIT = "sched:sched_process_exit"
LINE = re.compile(r"^ *.*?-(\d+) +\[\d+\] +\S+ +[\d.]+: (\w+): (.*)$")
OURS = re.compile(r"^ *.*? +-?\d+/(\d+) +\[\d+\] +[\d.]+: \w+:(\w+): ?(.*)$")
# Here bpfperf compares texts, and the kernel what lies behind their end: it looks for "*TEXT*" in all of an array
# (strnstr()), which matters where the rest is not zeros: after a rename by exec a record has what follows in the path
# of the program, or in memory. It compares "*TEXT" with the last bytes of an array before the last one.
UNPADDED = {"newcomm"}
TEXTS = ["*", "*a*", "s*", "*p", "?*h", "[a-m]*", "[!s]*", "*s*e*", "!*h*", "b[a-z]sh", "*/*", "**",
         "no such", ""]


def last_cpu():
    """The highest number of a CPU that there can be: the kernel takes no list that goes beyond."""
    with open("/sys/devices/system/cpu/possible", encoding="ascii") as f:
        return int(re.split("[-,]", f.read().strip())[-1])


LAST = last_cpu()
CPU_LISTS = sorted({"0", str(LAST), f"0-{LAST}", f"0,{LAST}", f"{LAST // 2}-{LAST}", f"0-{LAST}:1/2"})


class Field:
    def __init__(self, name, ctype, size, signed):
        self.name, self.ctype, self.size, self.signed = name, ctype, size, signed
        self.is_text = "char" in ctype and "[" in ctype
        self.seen = []

    @property
    def usable(self):
        if self.is_text:
            return True
        return "__data_loc" not in self.ctype and "[" not in self.ctype and self.size in (1, 2, 4, 8)


def fields_of(event):
    found = []
    with open(f"{TRACEFS}/events/{event.replace(':', '/')}/format", encoding="ascii") as f:
        for m in re.finditer(r"field:(.*?)(\w+)(\[\w*\])?;\s*offset:\d+;\s*size:(\d+);\s*signed:(\d)",
                             f.read()):
            if not m[2].startswith("common_") or m[2] == "common_pid":
                found.append(Field(m[2], (m[1] + (m[3] or "")).strip(), int(m[4]), m[5] == "1"))
    return [f for f in found if f.usable]


def learn(bpfperf, events, workload, tmp):
    """Values that fields of these events have, into Field.seen."""
    import json
    out = os.path.join(tmp, "learn.json")
    subprocess.run([*bpfperf, "trace", "-o", out, *events, "--", *workload], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    fields = {e: fields_of(e) for e in events}
    with open(out, encoding="utf-8", errors="replace") as f:
        for line in f:
            rec = json.loads(line)
            for field in fields.get(rec.get("event"), []):
                val = rec["tid"] if field.name == "common_pid" else rec["fields"].get(field.name)
                if isinstance(val, (int, str)):
                    field.seen.append(val)
    return fields


def text_pred(rnd, name, seen, in_array):
    """A predicate on a text that both compare: "?*TEXT*" and "?*TEXT" where the kernel looks behind the text."""
    made = any_text_pred(rnd, name, seen)
    if name in UNPADDED:
        return re.sub(r'"(!?)\*([^*?\[\]]+\*?")$', r'"\1?*\2', made)
    return re.sub(r'"(!?)\*([^*?\[\]]+")$', r'"\1?*\2', made) if in_array else made


def any_text_pred(rnd, name, seen):
    if seen and rnd.random() < 0.6:
        word = re.sub(r'["\'\\]', "", str(rnd.choice(seen)))
        if rnd.random() < 0.4:
            return f'{name} {rnd.choice(["==", "!="])} "{word}"'
        cut = word[:rnd.randrange(1, 6)]
        return f'{name} ~ "{rnd.choice([cut + "*", "*" + cut + "*", "*" + word[-3:], "?" + word[1:]])}"'
    return f'{name} ~ "{rnd.choice(TEXTS)}"'


def num_pred(rnd, name, field):
    val = rnd.choice(field.seen) if field.seen and rnd.random() < 0.8 else rnd.choice(
        [0, 1, 100, 120, 255, 256, 65535, 2**31, 2**32 - 1, -1, -2])
    val += rnd.choice([0, 0, 0, 1, -1]) if val else 0
    if field.signed:
        val = (val + 2**63) % 2**64 - 2**63
    else:
        val %= 2**64
    op = rnd.choice(["==", "!=", "<", "<=", ">", ">=", "&"])
    return f"{name} {op} {val if val < 0 or rnd.random() < 0.6 else hex(val)}"


def pred(rnd, fields):
    kind = rnd.random()
    if kind < 0.06:
        return f"CPU {rnd.choice(['==', '!=', '<', '>='])} {rnd.randrange(4)}"
    if kind < 0.12:
        return f"CPU {rnd.choice(['==', '!=', '&'])} CPUS{{{rnd.choice(CPU_LISTS)}}}"
    if kind < 0.20:
        return text_pred(rnd, "COMM", ["fork_tree", "sh", "bash"], True)
    field = rnd.choice(fields)
    if field.is_text:
        return text_pred(rnd, field.name, field.seen, "_loc" not in field.ctype)
    if kind < 0.26:
        return f"{field.name} {rnd.choice(['!=', '&'])} CPUS{{{rnd.choice(CPU_LISTS)}}}"
    return num_pred(rnd, field.name, field)


def expr(rnd, fields, depth=3):
    if depth == 0 or rnd.random() < 0.35:
        return ("!" if rnd.random() < 0.15 else "") + pred(rnd, fields)
    op = rnd.choice([" && ", " || ", "&&", "||"])
    parts = [expr(rnd, fields, depth - 1) for _ in range(rnd.choice([2, 2, 3]))]
    return f"{'!' if rnd.random() < 0.15 else ''}({op.join(parts)})"


class Instance:
    """A trace instance of one's own."""

    def __init__(self):
        self.dir = f"{TRACEFS}/instances/bpfperf-test-{os.getpid()}"
        os.mkdir(self.dir)
        self.write("buffer_size_kb", "8192")
        self.write("options/record-tgid", "0")

    def write(self, name, text):
        with open(f"{self.dir}/{name}", "w", encoding="utf-8") as f:
            f.write(text)

    def start(self, filters):
        self.write("tracing_on", "0")
        self.write("trace", "")
        for event, text in {EXIT: "0", **filters}.items():
            self.write(f"events/{event.replace(':', '/')}/filter", text)
            self.write(f"events/{event.replace(':', '/')}/enable", "1")

    def during(self, script):
        """The script, recorded while it runs and not before or after: all that the machine does goes into the
        buffer, and bpfperf has more to do than the script."""
        return f"echo 1 >{self.dir}/tracing_on; {script}; echo 0 >{self.dir}/tracing_on"

    def stop(self, filters):
        self.write("tracing_on", "0")
        for event in [EXIT, *filters]:
            self.write(f"events/{event.replace(':', '/')}/enable", "0")
            self.write(f"events/{event.replace(':', '/')}/filter", "0")
        lost = 0
        for cpu in os.listdir(f"{self.dir}/per_cpu"):
            with open(f"{self.dir}/per_cpu/{cpu}/stats", encoding="ascii") as f:
                lost += sum(int(n) for n in re.findall(r"(?:overrun|dropped events): (\d+)", f.read()))
        with open(f"{self.dir}/trace", encoding="utf-8", errors="surrogateescape") as f:
            return lost, [m.groups() for m in map(LINE.match, f) if m]

    def remove(self):
        os.rmdir(self.dir)


def same_text(text):
    """Text of both in one form: the kernel's own leaves a blank at the end of some."""
    return " ".join(text.split())


def of_workload(records, pids):
    """Records of these threads until each one's end and behind it, how many of each; the threads whose end is there."""
    found, late, ended = collections.Counter(), collections.Counter(), set()
    for pid, event, text in records:
        if EXIT.endswith(":" + event):
            ended.add(int(pid))
        elif int(pid) in pids:
            (late if int(pid) in ended else found)[(int(pid), event, same_text(text))] += 1
    return found, late, ended


def without_name(rec):
    """The record of a thread without the name that it gives to another one."""
    tid, event, text = rec
    of = re.search(r"comm=.*? pid=(\d+)", text)
    if not of or int(of[1]) == tid:
        return rec
    return tid, event, re.sub(r"comm=.*? pid=", "pid=", text, count=1)


def run_round(bpfperf, workload, filters, instance, tmp):
    """One round: the differences, records that passed, how many bpfperf lost; None where nothing can be said."""
    out = os.path.join(tmp, "out.txt")
    argv = [*bpfperf, "trace", "-m", "4M", "-o", out, EXIT]
    for event, text in filters.items():
        argv += [event, "--filter", text]
    instance.start(filters)
    res = subprocess.run([*argv, "--", *workload], capture_output=True, text=True, check=False)
    lost, kernel = instance.stop(filters)
    if res.returncode:
        return [f"bpfperf failed: {res.stderr.strip()}: {filters}"], 0, 0
    # The shell is left out: tracefs sees it before its exec, and bpfperf from there on.
    pids = {int(p) for p in re.findall(r"\bpid=(\d+)", res.stdout)}
    ours_lost = re.search(r"\b(\d+) lost", res.stderr)
    if lost or not ours_lost or not pids:
        return None, 0, 0
    ours_lost = int(ours_lost[1])
    with open(out, encoding="utf-8", errors="surrogateescape") as f:
        ours, ours_late, ended = of_workload([m.groups() for m in map(OURS.match, f) if m], pids)
    theirs, theirs_late, _ = of_workload(kernel, pids)
    if ours_lost:
        # A thread with a lost end cannot be compared up to its end.
        ours, theirs = (collections.Counter({r: n for r, n in found.items() if r[0] in ended})
                        for found in (ours, theirs))
    bad = []
    only_ours, only_theirs = ours - theirs - theirs_late, theirs - ours - ours_late
    # Another thread's name was read at two moments; between them it was renamed.
    unnamed = collections.Counter(map(without_name, only_theirs.elements()))
    for rec in list(only_ours.elements()):
        if unnamed[without_name(rec)] and without_name(rec) != rec:
            unnamed[without_name(rec)] -= 1
            only_ours[rec] -= 1
            only_theirs[next(r for r, cnt in only_theirs.items()
                             if cnt and without_name(r) == without_name(rec))] -= 1
    # Occurrences of a classic tracepoint that the kernel skipped inside another one are counted.
    if sum(only_theirs.values()) <= ours_lost:
        only_theirs.clear()
    for name, left in (("bpfperf", +only_ours), ("tracefs", +only_theirs)):
        for rec, cnt in left.items():
            full = next(e for e in filters if e.endswith(":" + rec[1]))
            bad.append(f"only {name}: {cnt} × {rec}: {filters[full]}")
    return bad, sum(ours.values()), ours_lost


def main():
    bpfperf, tree, count = sys.argv[1].split(), sys.argv[2], int(sys.argv[3])
    rnd = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 20)
    done = rounds = passed = different = 0
    instance = Instance()
    workload = ["sh", "-c", instance.during(f"{tree} 2 13; kill -URG $$; {tree} 1 7 | cat")]
    try:
        with tempfile.TemporaryDirectory() as tmp:
            fields = learn(bpfperf, RAW + CLASSIC, workload, tmp)
            while done < count:
                events = rnd.sample(RAW, 5) + rnd.sample(CLASSIC, 3)
                filters = {e: expr(rnd, fields[e]) for e in events[:count - done]}
                # Without a loss, if that can be had: what is lost may be what differs.
                for tries in range(20):
                    bad, cnt, lost = run_round(bpfperf, workload, filters, instance, tmp)
                    if bad or (bad is not None and (not lost or tries > 1)):
                        break
                if bad is None:
                    raise RuntimeError("tracefs loses records again and again")
                rounds += 1
                done += len(filters)
                passed += cnt
                different += len(bad)
                print("\n".join(bad[:5]), end="\n" if bad else "")
    finally:
        instance.remove()
    print(f"filters={done} rounds={rounds} passed={passed} different={different}")


if __name__ == "__main__":
    main()
