# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""why_page.py DIR: looks at the page that why.sh made, as a user would."""
import os
import sys

from browser import Browser
from page import is_equal, is_near, report

# By group of states: on a CPU, ready to run, blocked.
COLORS = {"r": (58, 154, 69), "q": (224, 160, 48), "b": (200, 80, 75)}


def text(b, element):
    return b.run(f"document.getElementById('{element}').textContent")


def row_of(b, name):
    """The row of a thread's name that is on the screen, from 0 on."""
    return b.run(f"shown.findIndex(k => D.threads[k].comm === '{name}')")


def row_y(b, row):
    return b.run(f"canvas.getBoundingClientRect().top + AXIS + {row} * ROW + ROW / 2 - pane.scrollTop")


def share_of(b, row, color):
    """How much of a row has a colour."""
    _, _, rows = b.screenshot()
    line = rows[int(row_y(b, row))][b.run("NAMES"):]
    return sum(all(abs(x - y) < 12 for x, y in zip(p, color)) for p in line) / len(line)


def told_share(b, name, group):
    """How much of the shown time a thread was in a group of states, by the data of the page."""
    return b.run(f"""(() => {{
        const s = D.threads[shown[{row_of(b, name)}]].segments;
        let ns = 0;
        for (let k = 0; k < s.length; k += 3) {{
            const part = Math.min(s[k] + s[k + 1], S.end) - Math.max(s[k], S.begin);
            ns += part > 0 && D.kinds[s[k + 2]].group === "{group}" ? part : 0;
        }}
        return ns / (S.end - S.begin);
    }})()""")


def check_picture(b, url):
    b.open(url)
    report("convoy_critical_section" in text(b, "verdict"), "the verdict opens the page", text(b, "verdict"))
    report(b.run("document.querySelectorAll('#rows tr').length") > 1, "the causes are a table")
    # States of a tenth of the time are longer than a pixel.
    b.run("show(WALL / 2, WALL * 6 / 10)")
    for name in ("holder", "worker-0"):
        for group, color in COLORS.items():
            is_near(share_of(b, row_of(b, name), color), told_share(b, name, group), 0.03,
                    f"the row of {name} is drawn as its states are, group {group}")
    b.key("Escape")
    is_equal(b.run("D.path.every((p, k) => !k || p[0] === D.path[k - 1][0] + D.path[k - 1][1])"), True,
             "the path has no gap")
    is_equal(b.run("document.documentElement.scrollWidth <= innerWidth"), True, "the page is not wider than the window")


def check_zoom(b):
    wall = b.run("WALL")
    b.key("+")
    is_near(b.run("S.end - S.begin"), wall / 2, 1, "+ shows half of the time")
    b.key("ArrowRight")
    is_near(b.run("S.begin"), wall * 3 / 8, wall / 1000, "an arrow key moves by a quarter")
    b.key("-")
    b.key("Escape")
    is_equal(b.run("[S.begin, S.end]"), [0, wall], "Escape shows all")
    b.click(b.run("NAMES + 200"), row_y(b, row_of(b, "holder")))
    is_equal(b.run("[S.begin, S.end]"), [0, wall], "a click without a range zooms nowhere")


def check_detail(b):
    b.run("describe(NAMES + 300, AXIS + ROW * %d + 5)" % row_of(b, "worker-0"))
    report("worker-0 (" in text(b, "detail") and " ms" in text(b, "detail"), "the detail names thread and state",
           text(b, "detail"))


def check_rows(b):
    every = b.run("shown.length")
    b.run("document.getElementById('only-path').click()")
    some = b.run("shown.length")
    report(0 < some <= every, "only threads of the path can be shown", (some, every))
    b.run("document.getElementById('only-path').click()")
    is_equal(b.run("shown.length"), every, "all threads are back")


def main():
    b = Browser()
    try:
        check_picture(b, "file://" + os.path.realpath(sys.argv[1]) + "/why.html")
        check_zoom(b)
        check_detail(b)
        check_rows(b)
    finally:
        b.close()


main()
