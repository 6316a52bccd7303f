# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""top.py BPFPERF PID DIR: uses `stack --top` through a pseudo terminal, as somebody at a keyboard would. PID
spins. A line for each assertion: ok or not ok, a tab, its name, a tab, why not."""
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

LIMIT_S = 30
SEQUENCE = re.compile(r"\033\[([?0-9;]*)([A-Za-z])")


def report(good, name, why=""):
    print("ok" if good else "not ok", name, str(why).replace("\n", "\\n")[:600], sep="\t", flush=True)


class Terminal:
    """What a terminal of w × h shows; knows what bpfperf uses, and complains of all else."""

    def __init__(self, w, h):
        self.w, self.h = w, h
        self.unknown, self.sgr, self.modes = set(), set(), {"1049": False, "25": True, "7": True}
        self.overflow = False
        self.raw, self.pending = b"", ""
        self.clear()

    def clear(self):
        self.cells = [[" "] * self.w for _ in range(self.h)]
        self.x = self.y = 0

    def resize(self, w, h):
        self.w, self.h = w, h
        self.clear()

    def _escape(self, params, final):
        if final == "H" and not params:
            self.x = self.y = 0
        elif final == "K" and not params:
            self.cells[self.y][self.x:] = [" "] * (self.w - self.x)
        elif final == "J" and not params:
            self.cells[self.y][self.x:] = [" "] * (self.w - self.x)
            for y in range(self.y + 1, self.h):
                self.cells[y] = [" "] * self.w
        elif final == "m":
            self.sgr.update((params or "0").split(";"))
        elif final in "hl" and params.startswith("?"):
            self.modes[params[1:]] = final == "h"
            if params == "?1049":
                self.clear()
        else:
            self.unknown.add(params + final)

    def feed(self, data):
        self.raw += data
        text = self.pending + data.decode("utf-8", "replace")
        self.pending = ""
        i = 0
        while i < len(text):
            c = text[i]
            if c == "\033":
                m = SEQUENCE.match(text, i)
                if not m:
                    self.pending = text[i:]
                    return
                self._escape(m.group(1), m.group(2))
                i = m.end()
                continue
            if c == "\r":
                self.x = 0
            elif c == "\n":
                if self.y == self.h - 1:
                    self.overflow = True
                self.y = min(self.y + 1, self.h - 1)
            elif self.x < self.w:
                self.cells[self.y][self.x] = c
                self.x += 1
            else:
                self.overflow = True
            i += 1

    def lines(self):
        return ["".join(row).rstrip() for row in self.cells]

    def text(self):
        return "\n".join(self.lines())


class Session:
    """bpfperf at a terminal of its own."""

    def __init__(self, argv, w=100, h=30, env=None):
        self.term = Terminal(w, h)
        self.master, slave = os.openpty()
        self.slave = slave
        self.set_size(w, h)
        self.before = termios.tcgetattr(slave)

        def own_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        # pylint: disable=subprocess-popen-preexec-fn,consider-using-with
        self.process = subprocess.Popen(argv, stdin=slave, stdout=slave, stderr=slave, preexec_fn=own_terminal,
                                        env={**os.environ, **(env or {})})

    def set_size(self, w, h):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", h, w, 0, 0))

    def pump(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            try:
                self.term.feed(os.read(self.master, 65536))
            except OSError:
                return False
        return True

    def wait(self, condition):
        """Until a condition on what is shown holds; it is looked at after each output."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            # A whole screen ends with this; between, it is half of two.
            if self.term.raw.endswith(b"\033[J") and condition(self.term):
                return True
            if not self.pump(0.2):
                break
        return False

    def keys(self, text):
        self.term.raw = b""
        os.write(self.master, text.encode())

    def change_size(self, w, h):
        """From the next screen on. What was drawn before the change may still be on its way: a screen that has
        what a key brought about after it is of the new size, and so are all behind that one."""
        self.set_size(w, h)
        for key, head in (("t", "by total"), ("s", "by self")):
            self.keys(key)
            self.wait(lambda t, head=head: head in t.text())
        self.term.raw = b""
        self.term.resize(w, h)
        self.term.overflow = False
        self.keys("r")

    def ended(self):
        """Its exit status, with all its output read."""
        end = time.monotonic() + LIMIT_S
        while self.process.poll() is None and time.monotonic() < end:
            self.pump(0.05)
        while select.select([self.master], [], [], 0)[0]:
            if not self.pump(0):
                break
        return self.process.poll()

    def is_restored(self):
        return (self.term.modes == {"1049": False, "25": True, "7": True} and
                termios.tcgetattr(self.slave) == self.before)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


def rows(term):
    return [line for line in term.lines()[3:] if "%" in line]


def share(line):
    return float(re.search(r"([\d.]+)%", line).group(1))


def check_view(argv, folder):
    saved = os.path.join(folder, "top.folded")
    s = Session(argv + ["-o", saved])
    report(s.wait(lambda t: any("spin_outer" in r for r in rows(t))), "the hot function is shown", s.term.text())
    report(s.term.modes["1049"] and not s.term.modes["25"], "the full screen is the alternate one, without a cursor")
    report("functions by self" in s.term.text() and "0 lost" in s.term.text(), "the head says what is shown",
           s.term.lines()[:2])
    # One of the loops takes two thirds of the time, the other one a third.
    report(s.wait(lambda t: rows(t) and "spin_outer" in rows(t)[0] and 45 < share(rows(t)[0]) < 85 and
                  any("spin_inner" in r for r in rows(t)[1:3])), "sorted by self", s.term.text())
    shares = [share(r) for r in rows(s.term)]
    report(shares == sorted(shares, reverse=True), "the rows begin with the largest", shares)
    s.keys("t")
    report(s.wait(lambda t: "functions by total" in t.text() and any(" main " in r for r in rows(t)[:4])),
           "t sorts by total", s.term.text())
    s.keys("k")
    report(s.wait(lambda t: "stacks by self" in t.text() and "spin: spin_outer < main" in t.text() and
                  "spin: spin_inner < " in t.text()),
           "k shows stacks", s.term.text())
    shown = [re.sub(r"^>? *[\d.]+% +\d+ +", "", r) for r in rows(s.term) if "spin: spin_" in r]
    report(len(shown) == len(set(shown)) > 1, "the same functions are one row, whatever the addresses", s.term.text())
    s.keys("\r")
    report(s.wait(lambda t: re.search(r"^ {10,}main  \(.*spin\)", t.text(), re.M)), "Enter shows the functions of a row",
           s.term.text())
    s.keys("\t/spin_inn\r")
    report(s.wait(lambda t: "/spin_inn" in t.text() and len(rows(t)) == 1), "/ filters by the text of names",
           s.term.text())
    s.keys("\r")
    report(s.wait(lambda t: "stacks by self" in t.text() and "spin: spin_inner" in t.text()),
           "Enter shows a function's stacks", s.term.text())
    s.keys("\033")
    report(s.wait(lambda t: "/spin" not in t.text()), "Esc shows all rows again", s.term.text())
    s.keys("f")
    s.wait(lambda t: "functions by" in t.text() and len(rows(t)) > 1)
    s.keys("\033[B")
    report(s.wait(lambda t: len(rows(t)) > 1 and rows(t)[1].startswith(">")), "arrows move the selection", s.term.text())
    s.keys("r")
    report(s.wait(lambda t: "since the start" in t.text()), "r shows samples since the beginning", s.term.lines()[:2])
    s.keys("?")
    report(s.wait(lambda t: "hold the screen" in t.text()), "? shows the keys", s.term.text())
    s.keys("?")

    def samples(t):
        return int(re.search(r"(\d+) samples", t.text()).group(1))

    s.wait(lambda t: "hold the screen" not in t.text())
    s.keys(" ")
    report(s.wait(lambda t: ", held" in t.text()), "space holds the screen", s.term.lines()[:2])
    s.keys(" ")
    before = samples(s.term)
    report(s.wait(lambda t: samples(t) > before + 90), "space again: the numbers grow", (before, s.term.lines()[:1]))
    s.keys("z")
    report(s.wait(lambda t: samples(t) < before), "z begins anew", s.term.lines()[:1])

    s.keys("s")
    for w, h in ((60, 8), (33, 5), (160, 50)):
        s.change_size(w, h)
        report(s.wait(lambda t: "bpfperf stack" in t.lines()[0] and len(rows(t)) > 0), f"{w} × {h}: drawn anew",
               s.term.text())
        report(not s.term.overflow, f"{w} × {h}: nothing is written beyond the window")
    report(not s.term.unknown, "output has only sequences that every terminal knows", s.term.unknown)
    s.keys("q")
    report(s.ended() == 0, "q ends it with exit 0")
    report(s.is_restored(), "q restores the terminal", s.term.modes)
    report(re.search(rb"bpfperf: \d+ samples, 0 lost", s.term.raw), "the summary is printed after the screen", s.term.raw[-200:])
    s.close()
    with open(saved, encoding="utf-8") as f:
        text = f.read()
    told = int(re.search(rb"bpfperf: (\d+) samples", s.term.raw).group(1))
    got = sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines())
    report(got == told, "-o: the file has all samples, those before z too", (got, told))


def check_leaving(argv):
    for sig, want in ((signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGQUIT, -signal.SIGQUIT),
                      (signal.SIGHUP, 0), (signal.SIGSEGV, -signal.SIGSEGV)):
        s = Session(argv)
        s.wait(lambda t: "bpfperf stack" in t.lines()[0])
        s.term.raw = b""
        if sig == signal.SIGINT:
            # The terminal makes the signal of a typed character.
            os.write(s.master, b"\003")
        else:
            s.process.send_signal(sig)
        status = s.ended()
        report(status == want, f"{sig.name}: bpfperf ends", status)
        report(s.is_restored(), f"{sig.name}: the terminal is restored", s.term.modes)
        s.close()


def check_stop(argv, folder):
    # Under a shell with job control, without which the kernel stops no process.
    fifo = os.path.join(folder, "go-on")
    os.mkfifo(fifo)
    s = Session(["bash", "-c", 'set -m; fifo=$1; shift; "$@"; read -r < "$fifo"; fg >/dev/null', "bash", fifo] + argv)
    s.wait(lambda t: "bpfperf stack" in t.lines()[0])
    with open(f"/proc/{s.process.pid}/task/{s.process.pid}/children", encoding="ascii") as f:
        pid = int(f.read().split()[0])
    os.write(s.master, b"\032")
    end = time.monotonic() + LIMIT_S
    stopped = False
    while not stopped and time.monotonic() < end:
        s.pump(0.05)
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
            stopped = f.read().rsplit(")", 1)[1].split()[0] == "T"
    while select.select([s.master], [], [], 0)[0] and s.pump(0):
        pass
    report(stopped and s.is_restored(), "Ctrl-Z: stopped, and the terminal is restored", (stopped, s.term.modes))
    s.term.raw = b""
    with open(fifo, "w", encoding="ascii") as f:
        f.write("\n")
    report(s.wait(lambda t: t.modes["1049"] and "bpfperf stack" in t.lines()[0]), "SIGCONT: the screen is back",
           s.term.text())
    s.keys("q")
    report(s.ended() == 0 and s.is_restored(), "SIGCONT: q still ends it")
    s.close()


def check_colour(argv):
    # The selected row has a style of its own. The other function has between 5 and 40 % of a single screen.
    s = Session(argv)
    shown = s.wait(lambda t: any(not r.startswith(">") and share(r) > 20 for r in rows(t)))
    report(shown and "31" in s.term.sgr, "a hot row is red", (s.term.sgr, s.term.text()))
    s.close()
    s = Session(argv, env={"NO_COLOR": "1"})
    s.wait(lambda t: any("spin_outer" in r for r in rows(t)))
    report(not s.term.sgr, "NO_COLOR: no colours are used", s.term.sgr)
    report(any(r.startswith(">") for r in rows(s.term)), "NO_COLOR: the selected row has a mark", s.term.text())
    s.close()


def main():
    bpfperf, pid, folder = sys.argv[1:]
    argv = [bpfperf, "stack", "--top", "-e", "cpu-clock", "-F", "199", "-p", pid]
    check_view(argv, folder)
    check_leaving(argv)
    check_stop(argv, folder)
    check_colour(argv)


if __name__ == "__main__":
    main()
