# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""trace_events_page.py SPEEDSCOPE DIR: opens trace.json, which trace_events.sh made, in speedscope."""
import functools
import http.server
import re
import sys
import threading

from browser import Browser
from speedscope_page import Handler, open_profile, report


def check(b, base):
    open_profile(b, base, "trace.json")
    shown = b.run("document.body.innerText")
    # "exe (pid 4242, tid 4242)" of several: one for each thread and CPU that has slices.
    found = re.search(r"(\d+)/(\d+)", shown)
    report(found and int(found[2]) >= 7, "each thread and each CPU is a profile", shown[:200])
    report(re.search(r"fork_tree|exe|CPU", shown), "and has its name", shown[:200])
    complaints = [c for c in b.complaints
                  if "GL Driver Message" not in c and "different args" not in c]
    report(not complaints, "the importer has nothing to complain of", complaints)


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
