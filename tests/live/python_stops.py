#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""python_stops.py TRUTH CNT [PROGRAM…]: programs that stop again and again.

A stop is a call of getppid(2). Right before, in the same line, the interpreter is asked for the stack of the thread;
TRUTH gets a line of JSON for each: the thread's id, and functions with file and line, innermost first.
"""
import asyncio
import functools
import json
import os
import random
import sys
import threading

rng = random.Random(7)
truth = []


def remember(frame):
    stack = []
    while frame:
        code = frame.f_code
        stack.append([code.co_qualname, code.co_filename, frame.f_lineno or 0])
        frame = frame.f_back
    truth.append([threading.get_native_id(), stack])


def stop():
    remember(sys._getframe()), os.getppid()


def recursion(cnt):
    """Up to 300 functions deep, with and without functions of C in between."""
    def down(depth):
        if depth:
            return down(depth - 1)
        stop()

    def through_c(depth):
        if depth:
            return next(map(through_c, (depth - 1,)))
        stop()

    for i in range(cnt):
        if i % 4:
            down(rng.randrange(280))
        else:
            through_c(rng.randrange(40))


def generators(cnt):
    """Generators, coroutines, and tasks of asyncio."""
    def numbers(depth):
        if depth:
            yield from numbers(depth - 1)
        else:
            stop()
            yield 1
            stop()

    async def wait(depth):
        if depth:
            await wait(depth - 1)
        else:
            stop()
            await asyncio.sleep(0)
            stop()

    async def many():
        await asyncio.gather(*(wait(rng.randrange(10)) for _ in range(10)))

    done = 0
    while done < cnt:
        for _ in range(5):
            sum(numbers(rng.randrange(20)))
            [stop() for _ in numbers(2)]
        asyncio.run(many())
        done += 40


def threads(cnt):
    """Ten threads at a time, which end."""
    def run(depth):
        if depth:
            return run(depth - 1)
        for _ in range(8):
            stop()

    for _ in range((cnt + 79) // 80):
        all_of_them = [threading.Thread(target=run, args=(i,)) for i in range(10)]
        for t in all_of_them:
            t.start()
        for t in all_of_them:
            t.join()


class Callbacks:
    """Functions of Python that C calls: key functions, special methods, ctypes."""
    def __init__(self, value):
        self.value = value
        stop()

    def __lt__(self, other):
        stop()
        return self.value < other.value

    def __del__(self):
        stop()

    @property
    def twice(self):
        stop()
        return 2 * self.value


def callbacks(cnt):
    try:
        import ctypes
    except ImportError:
        ctypes = None

    def compare(a, b):
        stop()
        return (a > b) - (a < b)

    def key(x):
        stop()
        return -x

    done = 0
    while done < cnt:
        sorted([rng.random() for _ in range(5)], key=key)
        sorted([3, 1, 2], key=functools.cmp_to_key(compare))
        sorted([Callbacks(i) for i in range(3)])
        functools.reduce(lambda a, b: stop() or a + b, range(4))
        {Callbacks(1).twice for _ in range(2)}
        if ctypes:
            kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
            ints = (ctypes.c_int * 4)(4, 2, 3, 1)
            ctypes.CDLL(None).qsort(ints, 4, 4, kind(lambda a, b: compare(a[0], b[0])))
        done += 30


def imports(cnt):
    """Packages that import each other while they are imported."""
    os.makedirs("storm", exist_ok=True)
    done = 0
    while done < cnt:
        for i in range(20):
            with open(f"storm/m{done}_{i}.py", "w", encoding="utf-8") as f:
                f.write("import python_stops\n" * (i + 1))
                f.write("class C:\n    python_stops.stop()\n    x = [python_stops.stop() for _ in range(2)]\n")
                f.write(f"from . import m{done}_{i + 1}\n" if i < 19 else "")
                f.write("python_stops.stop()\n")
        __import__(f"storm.m{done}_0")
        done += 80


def short_lived(cnt):
    """Code that is made, run and freed: the next one has its address."""
    for i in range(cnt):
        space = {"stop": stop}
        lines = "\n" * rng.randrange(5)
        exec(compile(f"def f{i % 7}():{lines}\n {'0;' * rng.randrange(9)}stop()\nf{i % 7}()", f"<made {i % 11}>",
                     "exec"), space)


def names(cnt):
    """Names and files of other people's choice."""
    odd = ["ünïcödé", "名前", "𝒻𝓊𝓃", "x" * 300, "é" * 300]
    files = ["/tmp/a\nb\x1b[31m;c", "/tmp/\udcff", "", "/" + "ü" * 600, "<string>"]
    space = {"stop": stop}
    for i in range(cnt):
        name = odd[i % len(odd)]
        exec(compile(f"def {name}(): stop()\n{name}()", files[rng.randrange(len(files))], "exec"), space)


def instructions(cnt):
    """Between any two instructions, by a trace function."""
    left = cnt

    def local(frame, event, _):
        nonlocal left
        if event == "opcode" and left and not rng.randrange(20):
            left -= 1
            stop()
        return local

    def trace(frame, event, _):
        if frame.f_code.co_filename != json.__file__ and frame.f_code.co_name not in ("work", "square"):
            return None
        frame.f_trace_opcodes = True
        return local

    def square(x):
        return x * x

    def work():
        return sum(square(x) for x in range(5)) + len([square(y) for y in range(3)])

    while left:
        sys.settrace(trace)
        work()
        json.dumps({"a": [1, 2]})
        sys.settrace(None)


def forks(cnt):
    """Children by fork, whose truth comes by a pipe."""
    for _ in range((cnt + 99) // 100):
        r, w = os.pipe()
        if not os.fork():
            truth.clear()
            recursion(50)
            threads(1)
            with open(w, "w", encoding="utf-8") as f:
                json.dump(truth, f)
            os._exit(0)
        os.close(w)
        with open(r, encoding="utf-8") as f:
            truth.extend(json.load(f))
        os.wait()


INNER = """
import json, os, sys, _thread
def inner(depth):
    if depth:
        return inner(depth - 1)
    stack, frame = [], sys._getframe()
    while frame:
        stack.append([frame.f_code.co_qualname, frame.f_code.co_filename, frame.f_lineno])
        frame = frame.f_back
    with open(TO, "w") as f: json.dump(stack, f)
    os.getppid()
inner(DEPTH)
"""


def interpreters(cnt):
    """Interpreters within the first one: theirs are the inner frames."""
    try:
        import _interpreters
        run = _interpreters.exec
    except ImportError:
        import _xxsubinterpreters as _interpreters
        run = _interpreters.run_string
    for i in range(cnt):
        if i % 50 == 0:
            inside = _interpreters.create()
        stop()
        run(inside, INNER.replace("DEPTH", str(i % 9)).replace("TO", repr("inner.json"))), remember(sys._getframe())
        tid, outer = truth.pop()
        with open("inner.json", encoding="utf-8") as f:
            inner = json.load(f)
        # Lines go on from where the frame was looked at to the call of getppid().
        inner[0][2] = 11
        truth.append([tid, inner + outer])


PROGRAMS = {f.__name__: f for f in (recursion, generators, threads, callbacks, imports, short_lived, names, instructions, forks, interpreters)}


def main():
    sys.modules["python_stops"] = sys.modules[__name__]
    sys.path.insert(0, os.getcwd())
    for name in sys.argv[3:] or PROGRAMS:
        PROGRAMS[name](int(sys.argv[2]))
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        for line in truth:
            f.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
