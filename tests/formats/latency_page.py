# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""latency_page.py DIR: looks at the page that latency.sh made, as a user would."""
import os
import sys

from browser import Browser
from page import is_equal, report

# The pixel in the middle of a cell (slice, step), relative to the window.
MIDDLE = """(() => {
    const r = canvas.getBoundingClientRect();
    return [Math.round(r.left + LEFT + (%d + 0.5) * columnWidth()),
            Math.round(r.top + height - BELOW - (%d - heat.low + 0.5) * stepHeight())];
})()"""


def text(b, element):
    return b.run(f"document.getElementById('{element}').textContent")


def pixel(rows, place):
    return tuple(rows[place[1]][place[0]])[:3]


def check_table(b):
    is_equal(b.run("document.querySelectorAll('#rows tr').length"), b.run("D.rows.length"), "the table has each row")
    report(b.run("D.rows.some(r => r.name === 'syscalls:clock_nanosleep' || r.name === 'syscalls:nanosleep')"),
           "the sleeps are a row", b.run("D.rows.map(r => r.name)"))
    is_equal(b.run("D.rows.every(r => heatOf(r).cells.size > 0 && "
                   "[...heatOf(r).cells.values()].reduce((x, y) => x + y, 0) === r.count)"), True,
             "the picture of each row has all its durations")


def check_picture(b):
    """Cells are coloured, the most frequent one as the darkest, and places without durations are blank."""
    cells = [[k // 4096, k % 4096, n] for k, n in b.run("[...heat.cells]")]
    _, _, rows = b.screenshot()
    blank = b.run("(() => { for (let s = 0; s < D.slices; s++) for (let t = heat.low; t <= heat.high; t++) "
                  "if (!heat.cells.has(s * 4096 + t)) return [s, t]; return null; })()")
    drawn = [(n, pixel(rows, b.run(MIDDLE % (slice_, step)))) for slice_, step, n in cells[:60]]
    page = pixel(rows, b.run(MIDDLE % tuple(blank))) if blank else (255, 255, 255)
    is_equal([c for c in drawn if c[1] == page], [], "each cell with durations is coloured")
    # The scale goes from yellow to red: the more, the less green.
    drawn.sort()
    report(drawn[0][1][1] >= drawn[-1][1][1], "a cell of more durations is darker", (drawn[0], drawn[-1]))
    is_equal(b.run("document.documentElement.scrollWidth <= innerWidth"), True, "the page is not wider than the window")


def check_pointer(b):
    key, count = b.run("[...heat.cells].reduce((x, y) => y[1] > x[1] ? y : x)")
    place = b.run(MIDDLE % (key // 4096, key % 4096))
    b.run("canvas.dispatchEvent(new MouseEvent('mousemove', {clientX: %d, clientY: %d}))" % tuple(place))
    report(f": {count} of " in text(b, "detail"), "the pointer tells the number of a cell", text(b, "detail"))


def check_rows(b):
    second = b.run("nameOf(D.rows[1])")
    b.run("canvas.focus()")
    b.key("ArrowDown")
    report(second in text(b, "title"), "an arrow key shows the next row", text(b, "title"))
    b.run("document.querySelector('#rows tr').click()")
    report(b.run("nameOf(D.rows[0])") in text(b, "title"), "a click on a row shows it", text(b, "title"))


def main():
    b = Browser()
    try:
        b.open("file://" + os.path.realpath(sys.argv[1]) + "/latency.html")
        check_table(b)
        check_picture(b)
        check_pointer(b)
        check_rows(b)
        is_equal(b.complaints, [], "the page has no errors")
    finally:
        b.close()


main()
