# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What the programs that look at pages share: a line for each assertion (ok or not ok, a tab, its name, a tab,
why not), and a browser with speedscope in it."""
import functools
import http.server
import json
import os
import sys
import threading

from browser import Browser, BrowserError


def report(good, name, why=""):
    print("ok" if good else "not ok", name, str(why).replace("\n", " ")[:500], sep="\t", flush=True)


def is_equal(got, want, name):
    report(got == want, name, f"got {got!r}, expected {want!r}")


def is_near(got, want, by, name):
    report(abs(got - want) <= by, name, f"got {got}, expected {want} within {by}")


class Handler(http.server.SimpleHTTPRequestHandler):
    """All folders as one."""

    def __init__(self, *args, folders, **kwargs):
        self.folders = folders
        super().__init__(*args, **kwargs)

    def translate_path(self, path):
        name = os.path.basename(path.split("?")[0])
        return next((os.path.join(d, name) for d in self.folders if os.path.exists(os.path.join(d, name))),
                    os.path.join(self.folders[0], name))

    def log_message(self, *args):
        pass


class Speedscope:
    """speedscope in a browser, with the files of a folder."""

    def __init__(self, browser, base):
        self.b, self.base = browser, base

    def open(self, name, title):
        """Imports a file; the name of what it shows first has `title` in it, and stands above the picture."""
        self.b.open(f"{self.base}/index.html#profileURL={self.base}/{name}")
        self.b.wait(f"document.body.innerText.includes({json.dumps(title)}) && "
                    "document.querySelector('canvas') !== null")

    def text(self):
        """What is written on the page."""
        return self.b.run("document.body.innerText")

    def rows(self, *names):
        """Its table of functions, once these are in it: name → (total, self) as they are printed."""
        self.b.wait("[...document.querySelectorAll('div')].some(d => d.textContent.trim().endsWith('Sandwich') "
                    "&& d.textContent.trim().length < 15)")
        self.b.run("(() => { const e = [...document.querySelectorAll('div')].filter(d => "
                   "d.textContent.trim().endsWith('Sandwich') && d.textContent.trim().length < 15).pop(); "
                   "e.click() })()")
        cells = ("[...document.querySelectorAll('table tr')].slice(1)"
                 ".map(r => [...r.querySelectorAll('td')].map(d => d.textContent.trim()))")
        try:
            self.b.wait(f"(rows => {json.dumps(names)}.every(n => rows.some(r => r[r.length - 1] === n)))({cells})")
        except BrowserError:
            pass  # The assertions say which one is not there.
        return {r[-1]: (r[0], r[1]) for r in self.b.run(cells) if len(r) >= 3}

    def complaints(self, *known):
        """But those with these words, and what a software renderer says of itself."""
        return [c for c in self.b.complaints if not any(k in c for k in known + ("GL Driver Message",))]


def with_speedscope(check):
    """Runs check(Speedscope) with argv[1], speedscope's folder, and argv[2], the one of the files."""
    handler = functools.partial(Handler, folders=sys.argv[1:3])
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        b = Browser()
        try:
            check(Speedscope(b, f"http://127.0.0.1:{server.server_port}"))
        finally:
            b.close()
            server.shutdown()
