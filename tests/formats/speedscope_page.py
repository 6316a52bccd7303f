# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""speedscope_page.py SPEEDSCOPE DIR: opens the files that speedscope.sh made in speedscope itself, and looks
at what its importer made of them. A line for each assertion, as flame_page.py's."""
import functools
import http.server
import os
import sys
import threading

from browser import Browser


def report(good, name, why=""):
    print("ok" if good else "not ok", name, str(why).replace("\n", " ")[:500], sep="\t", flush=True)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Both folders as one."""

    def __init__(self, *args, folders, **kwargs):
        self.folders = folders
        super().__init__(*args, **kwargs)

    def translate_path(self, path):
        name = os.path.basename(path.split("?")[0])
        return next((os.path.join(d, name) for d in self.folders if os.path.exists(os.path.join(d, name))),
                    os.path.join(self.folders[0], name))

    def log_message(self, *args):
        pass


def open_profile(b, base, name):
    b.open(f"{base}/index.html#profileURL={base}/{name}")
    b.wait("document.body.innerText.includes('Sandwich') && document.querySelector('canvas') !== null")


def title_of(b):
    """What stands above the picture, and whether there are several profiles."""
    return b.run("document.body.innerText")


def rows_of(b):
    """Its table of functions: name → (total, self) as they are printed."""
    b.run("(() => { const e = [...document.querySelectorAll('div')].filter(d => "
          "d.textContent.trim().endsWith('Sandwich') && d.textContent.trim().length < 15).pop(); e.click() })()")
    b.wait("document.querySelectorAll('table tr').length > 1")
    rows = b.run("[...document.querySelectorAll('table tr')].slice(1)"
                 ".map(r => [...r.querySelectorAll('td')].map(d => d.textContent.trim()))")
    return {r[-1]: (r[0], r[1]) for r in rows if len(r) >= 3}


def check(b, base):
    open_profile(b, base, "plain.speedscope.json")
    shown = title_of(b)
    report("9277 samples, 0 lost, 11 truncated" in shown, "speedscope shows what was recorded", shown)
    rows = rows_of(b)
    for name, total, own in (("web", 7937, 0), ("parse", 4014, 1013), ("lex", 3001, 3001),
                             ("scan", 911, 911), ("[truncated]", 11, 0)):
        got = rows.get(name, ("", ""))
        report(got[0].replace(",", "").startswith(f"{total} ") or got[0].replace(",", "").startswith(f"{total}("),
               f"{name}: total", got)
        report(got[1].replace(",", "").startswith(f"{own} ") or got[1].replace(",", "").startswith(f"{own}("),
               f"{name}: self", got)
    report("b<i>&\"q\"</script><img src=x onerror=alert(1)>" in rows, "a name of markup is a name", list(rows))
    open_profile(b, base, "both.speedscope.json")
    rows = rows_of(b)
    report(rows.get("[off-cpu]", ("",))[0].startswith("7.00s"), "time off the CPU is time", rows.get("[off-cpu]"))
    report(rows.get("main", ("",))[0].startswith("10.00s"), "with that on it", rows.get("main"))
    report("1/2" in title_of(b) or "(1/2)" in title_of(b), "each event is a profile", title_of(b)[:200])
    # What a software renderer says of itself is not speedscope's.
    complaints = [c for c in b.complaints if "GL Driver Message" not in c]
    report(not complaints, "speedscope has nothing to complain of", complaints)


def main():
    handler = functools.partial(Handler, folders=sys.argv[1:3])
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        b = Browser()
        try:
            check(b, f"http://127.0.0.1:{server.server_port}")
        finally:
            b.close()
            server.shutdown()


if __name__ == "__main__":
    main()
