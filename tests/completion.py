#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""completion.py SCRIPT TYPED…: what an interactive bash that has read the completion SCRIPT makes
of each TYPED line when Tab is pressed behind it, one a line."""
import os
import pty
import re
import select
import sys
import time

PROMPT = "READY> "


class Bash:
    """On a terminal of its own; INPUTRC and bell out of the way."""

    def __init__(self, script):
        pid, self.fd = pty.fork()
        if pid == 0:
            os.environ.update(PS1=PROMPT, TERM="dumb", INPUTRC="/dev/null", LC_ALL="C")
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        self.rest = ""
        self.until(PROMPT)
        self.type("stty cols 500; bind 'set bell-style none'; bind 'set completion-query-items 0';"
                  f" bind 'set enable-bracketed-paste off'; source {script}; echo SOURC''ED\n")
        self.until("SOURCED")
        self.until(PROMPT)

    def type(self, text):
        os.write(self.fd, text.encode())

    def until(self, what):
        """Reads on until `what` was printed."""
        got, end = self.rest, time.monotonic() + 20
        while what not in got:
            if not select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                sys.exit(f"completion.py: no {what!r} in {got!r}")
            got += os.read(self.fd, 65536).decode(errors="replace")
        at = got.index(what) + len(what)
        self.rest = got[at:]
        return got[:at]

    def complete(self, line):
        """Tab, then home, a comment sign, and an end mark: bash says the line it has."""
        self.type(line + "\t")
        self.type("\x05#E''ND\x01echo LINE: '\x05'\n" if "'" not in line else
                  "\x05#E''ND\x01echo LINE: \"\x05\"\n")
        got = self.until("\nLINE: ") + self.until(PROMPT)
        return re.search(r"\nLINE: (.*?)#E", got).group(1)


def main():
    bash = Bash(sys.argv[1])
    for line in sys.argv[2:]:
        print(bash.complete(line))


if __name__ == "__main__":
    main()
