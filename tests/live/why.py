#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""why.py WHAT why.json [ARG...]: looks at a result of `bpfperf why`.

cause NAME         "ok", or what the first cause is instead of the culprit's
states SAID        "ok", or the first thread whose states are not those that the kernel counted
path               "ok", or where the path has a gap
chain SAID [PERCENT [LIVE.json]] "ok", or the member that the path misses; its work is within 1 or PERCENT % of its length
threads            number of threads
same OTHER.json    "ok", or the thread that has another time in a state than in another result of the same time
ends OTHER.json    "ok", or the thread that another result of the same time has for longer or shorter, but by 1 ms
"""
import json
import re
import sys

# By culprit: the states of the first cause, and a text that the verdict has.
RUN = ["user", "kernel", "page-fault"]
CULPRITS = {
    "convoy": (RUN, r"convoy_critical_section.*waited for a mutex in .*convoy_lookup"),
    "inversion": (None, r"inversion: high waited for a mutex in .*inversion_wait.*low held.*middle had the CPU"),
    "false-parallel": (RUN, r"worker.*global_lock_section.*waited for a mutex in .*parallel_work"),
    "spin": (RUN, r"spinner was on the CPU in spin_acquire"),
    "gc": (RUN, r"gc was on the CPU in gc_collect.*waited for a condition variable in .*gc_safepoint"),
    "fsync": (["fsync", "kernel"], r"writer .*fsync_commit.*fsync"),
    "cold-cache": (["disk", "kernel"], r"reader .*cold_lookup.*pread"),
    "ping-pong": (None, r"hand work on to each other [0-9]+ times.*pipe"),
    "stage": (RUN, r"transform was on the CPU in stage_transform"),
    "slow-log": (["sleep"], r"logger slept in .*log_drain"),
    "socket-peer": (["sleep"], r"resolver slept in .*resolver_lookup.*client waited for a socket .*resolve_name"),
    "slow-child": (RUN, r"slow-child was on the CPU in child_work.*waited for the end of a child"),
    "poll-loop": (["poll"], r"poller waited for events of descriptors in .*poll_for_work"),
    "sleep": (["sleep"], r"sleeper slept in .*sleep_backoff"),
    "semaphore": (RUN, r"compressor was on the CPU in compress_block.*archiver waited for a semaphore in await_block.*sem_wait(, until compressor woke it)?"),
    "stopped": (["sleep"], r"supervisor slept in .*pause_job.*job waited for a signal to go on.*until supervisor woke it"),
    "hog": (["preempted"], r"victim was ready to run, but .*hog.* had the CPU"),
    "fault-storm": (RUN, r"faulter was on the CPU in fault_touch.*page faults"),
    "memory-bound": (RUN, r"chaser was on the CPU in chase_pointers"),
    "throttle": (["throttled", "preempted"], r"^[0-9]+ % \([0-9.]+ s\): throttled was throttled by the CPU limit of its control group"),
    "swap": (["swap", "page-fault", "reclaim"], r"swapper .*(waited for swapped memory|swapped out|memory to be freed).*"),
    "softirq": (["preempted", "softirq"], r"victim .*soft interrupts"),
}


def of_others(d, cause):
    """Is the cause that a task of somebody else's had the CPU? That is no fact of the program."""
    names = {t["comm"] for t in d["threads"]}
    names |= {re.sub(r"[0-9]+$", "*", n) for n in names}
    instead = (cause.get("instead") or [{}])[0].get("thread") or ""
    return cause["state"] in ("preempted", "woken") and instead not in names and not instead.startswith("ksoftirqd")


def check_cause(d, name):
    states, sentence = CULPRITS[name]
    own = [c for c in d["causes"] if not of_others(d, c)]
    # If that others had the CPU took longer than the culprit, the verdict may be of that alone: the culprit is a cause behind it,
    # or, if it keeps a thread from the CPU, one of those that had it.
    busy = states and own[:1] != d["causes"][:1]
    behind = busy and any(c["state"] in states and any(c.get(k) and c[k] in sentence for k in ("thread", "function")) for c in d["causes"])
    # On a busy machine, that others had the CPU may come first.
    # … and of the rest, fewer samples are of the one function.
    said = re.search(sentence, re.sub(r", [0-9]+ % of it in ", " in ", ". ".join(v for v in d["verdict"] if name != "throttle" or "was ready to run" not in v)))
    if states and not behind and own[0]["state"] not in states:
        return f"{own[0]}"
    return "ok" if said or behind else f"{d['verdict']}"


def check_states(d, said):
    """On a CPU and ready to run, each within 0.1 % of the thread's time."""
    threads = {t["tid"]: t for t in d["threads"]}
    seen = 0
    with open(said, encoding="utf-8") as f:
        for line in f:
            if not line.startswith("states "):
                continue
            tid, run_ns, ready_ns = (int(w) for w in line.split()[1:4])
            t = threads.get(tid)
            if not t:
                return f"{tid} is missing"
            ready = sum(ns for kind, ns in t["off_cpu"].items() if kind in ("preempted", "woken", "throttled"))
            room = t["wall_ns"] / 1000
            if abs(t["on_cpu_ns"] - t["steal_ns"] - run_ns) > room or abs(ready - ready_ns) > room:
                return f"{tid}: on a CPU {t['on_cpu_ns']} of {run_ns}, ready {ready} of {ready_ns}"
            seen += 1
    sums = [t for t in d["threads"] if t["on_cpu_ns"] + sum(t["off_cpu"].values()) != t["wall_ns"]]
    return "ok" if seen and not sums else f"{seen} threads, {sums}"


def check_path(d):
    at = None
    for s in d["path"]:
        if at is not None and s["begin_ns"] != at:
            return f"a gap at {s['begin_ns']}"
        at = s["begin_ns"] + s["ns"]
    return "ok" if sum(s["ns"] for s in d["path"]) == d["wall_ns"] else "another sum"


def check_chain(d, said, percent="1", live=None):
    """Each member's work is on the path, and the members are in order.

    Some machines hide switches to their own agents: in a recording a thread is on its CPU meanwhile. The kernel's count, which a
    live result of the same time has, tells how long.
    """
    with open(said, encoding="utf-8") as f:
        order = re.search(r" order=(\S+)", f.read()).group(1)
    members = [m.rsplit(":", 1) for m in order.split(",")]
    names = {t["tid"]: t["comm"] for t in d["threads"]}
    on_cpu, seen = {}, []
    steal = {t["comm"]: t["steal_ns"] for t in d["threads"]}
    if live:
        with open(live, encoding="utf-8") as f:
            counted = {t["tid"]: t["on_cpu_ns"] - t["steal_ns"] for t in json.load(f)["threads"]}
        steal = {t["comm"]: max(0, t["on_cpu_ns"] - counted[t["tid"]]) for t in d["threads"] if t["tid"] in counted}
    for s in d["path"]:
        name = names[s["tid"]]
        if s["state"] == "on-cpu":
            on_cpu[name] = on_cpu.get(name, 0) + s["ns"]
            if s["ns"] > 1000000 and name.startswith("chain-") and name not in seen:
                seen.append(name)
    for name, ms in members:
        ns = float(ms) * 1e6
        if abs(on_cpu.get(name, 0) - steal.get(name, 0) - ns) > ns * int(percent) / 100 + 1000000:
            return f"{name}: {on_cpu.get(name, 0)} of {ns}"
    return "ok" if seen == [name for name, _ in members] else f"{seen}"


def check_ends(d, other):
    """All but the first thread of the other result, which may have begun before the recording."""
    with open(other, encoding="utf-8") as f:
        others = json.load(f)["threads"]
    wall = {t["tid"]: t["wall_ns"] for t in others[1:]}
    off = [t for t in d["threads"] if abs(t["wall_ns"] - wall.get(t["tid"], t["wall_ns"])) > 1000000]
    return f"{off}" if off else "ok"


def check_same(d, other):
    """Each state of each thread, but the first, is that of another result of the same time within 0.1 % of its time.

    Live times are by the kernel's counts, those of a recording by tracepoints: where a hypervisor takes the CPU at a
    switch, one has it on a CPU and the other ready to run. The two together are within 0.1 %, each is within 1 %.
    A thread that sleeps may be moved to another CPU's queue, which the kernel counts as ready to run: a fifth of the
    threads may be of that kind.
    """
    with open(other, encoding="utf-8") as f:
        others = {t["tid"]: t for t in json.load(f)["threads"][1:]}
    seen, differ = 0, []
    for t in d["threads"]:
        o = others.get(t["tid"])
        if not o:
            continue
        seen += 1
        kinds = t["off_cpu"].keys() | o["off_cpu"].keys()
        states = {kind: (t["off_cpu"].get(kind, 0), o["off_cpu"].get(kind, 0)) for kind in kinds}
        states["on a CPU"] = (t["on_cpu_ns"], o["on_cpu_ns"])
        runs = states.keys() & {"on a CPU", "preempted", "woken", "waking"}
        states["on a CPU or ready"] = tuple(sum(states[kind][i] for kind in runs) for i in (0, 1))
        off = [f"{k}: {a} of {b}" for k, (a, b) in states.items()
               if abs(a - b) > o["wall_ns"] / (100 if k in runs else 1000)]
        if off:
            differ.append(f"{t['comm']} ({o['wall_ns']}): {off}")
    if seen < len(others) or not seen:
        return f"{seen} of {len(others)} threads"
    return "ok" if len(differ) <= seen // 5 else f"{differ}"


def main():
    what, path, *args = sys.argv[1:]
    with open(path, encoding="utf-8") as f:
        d = json.load(f)
    if what == "threads":
        print(len(d["threads"]))
    else:
        print({"cause": check_cause, "states": check_states, "path": check_path, "chain": check_chain, "ends": check_ends, "same": check_same}[what](d, *args))


main()
