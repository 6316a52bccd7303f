# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""flame_views.py DIR COUNT COUNT: the ways to look at the pages that flame_views.sh made."""
import os
import sys

from browser import Browser
from page import is_equal, is_near, report


def frames_of(b):
    return b.run("window.flame.frames()")


def state(b):
    return b.run("window.flame.state()")


def text(b, element):
    return b.run(f"document.getElementById('{element}').textContent")


def row(b, at):
    """The frames of a row of the picture, 0 that of the whole: name → value."""
    return {f["name"]: f["now"] for f in frames_of(b) if f["row"] == at and not f["rest"]}


def click_on(b, name):
    f = max((f for f in frames_of(b) if f["name"] == name), key=lambda f: f["w"])
    b.click(f["x"] + f["w"] / 2, f["y"] + f["h"] / 2)


def table(b):
    """The table of functions: name → cells."""
    rows = b.run("[...document.querySelectorAll('#rows tr')].map(r => [...r.cells].map(c => c.textContent))")
    head = b.run("[...document.querySelectorAll('#head th')].map(c => c.textContent)")
    return {dict(zip(head, r))["function"]: r for r in rows}


def number(cell):
    return int(cell.replace(",", ""))


def press(b, element):
    b.run(f"document.getElementById('{element}').click()")


def check_quiet(b, what):
    is_equal(b.complaints, [], f"{what}: nothing was complained of")


def check_bottom_up(b, url):
    b.open(url)
    b.key("2")
    is_equal(state(b)["mode"], "bottom", "2 turns to bottom-up")
    is_equal(row(b, 0), {"all": 9277}, "bottom-up: the whole is all samples")
    leaves = row(b, 1)
    is_equal({n: leaves[n] for n in ("lex", "draw_text", "vfs_read", "parse", "scan")},
             {"lex": 3001, "draw_text": 2003, "vfs_read": 1709, "parse": 1013, "scan": 911},
             "bottom-up: a function has the samples of its own")
    report("main" not in leaves and "web" not in leaves, "bottom-up: a function without samples of its own is no leaf")
    is_equal(sum(leaves.values()), 9277, "bottom-up: the functions add up to the whole")
    click_on(b, "vfs_read")
    is_equal([row(b, i) for i in (2, 3, 4)], [{"read": 1709}, {"main": 1709}, {"web": 1709}],
             "bottom-up: a function stands on its callers")
    again = b.run("location.href")
    b.open(again)
    is_equal((state(b)["mode"], state(b)["zoom"]), ("bottom", ["vfs_read"]), "bottom-up: a link leads to the zoom")
    b.open(url + "#m=bottom")
    b.key("/")
    b.type("^query$")
    is_equal(text(b, "matched"), "matched 14.33%", "bottom-up: a search tells the share that top-down has")


def check_merged(b, url):
    """Equal functions of different stacks are one below equal callers."""
    b.open(url + "#m=bottom")
    is_equal(row(b, 1), {"z": 13, "b": 16, "c": 7, "a": 2}, "bottom-up: equal leaves are merged")
    is_equal(sum(f["now"] for f in frames_of(b) if f["row"] == 2), 25, "bottom-up: callers add up, but for a stack of its thread alone")


def check_table(b, url):
    b.open(url)
    b.key("3")
    rows = table(b)
    is_equal(sum(number(r[0]) for r in rows.values()), 9277, "functions: own samples add up to all samples")
    is_equal([rows["parse"][i] for i in (0, 1, 2, 3)], ["1,013", "10.92%", "4,014", "43.27%"],
             "functions: self and total of one")
    is_equal(list(rows)[:3], ["lex", "draw_text", "vfs_read"], "functions: the largest of its own comes first")
    b.run("[...document.querySelectorAll('#head button')].find(e => e.textContent.startsWith('total')).click()")
    is_equal(list(table(b))[0], "main", "functions: a column sorts")
    b.open(b.run("location.href"))
    is_equal(list(table(b))[0], "main", "functions: a link keeps the order")
    b.key("/")
    b.type("lex|scan")
    is_equal(sorted(table(b)), ["lex", "scan"], "functions: a search shows the rows that match")
    report("2 functions that match, self 3,912 samples, 42.17%" in text(b, "sum"), "functions: a search is summed up", text(b, "sum"))
    b.key("Escape")
    b.run("document.querySelector('#rows tr').focus()")
    b.key("ArrowDown")
    b.key("Enter")
    is_equal((state(b)["mode"], text(b, "detail").split(" ")[0]), ("sandwich", "parse"),
             "functions: Enter shows the callers and callees of the row")
    b.open(url + "#m=list")
    b.run("getSelection().selectAllChildren(document.querySelector('#rows tr'))")
    report("lex" in b.run("String(getSelection())") and "3,001" in b.run("String(getSelection())"),
           "functions: a row can be selected as text", b.run("String(getSelection())"))


def check_recursion(b, url):
    b.open(url + "#m=list")
    rows = table(b)
    is_equal({n: (number(r[0]), number(r[2])) for n, r in rows.items()},
             {"z": (13, 13), "b": (16, 16), "c": (7, 9), "a": (2, 14)},
             "functions: a recursive function counts once in a stack, a stack without functions as its thread")
    b.run("[...document.querySelectorAll('#rows tr')].find(r => r.cells[4].textContent === 'a').click()")
    is_equal(row(b, 0), {"a": 14}, "sandwich: a recursive function has each sample once")
    is_equal(row(b, -1), {"x": 12, "c": 2}, "sandwich: callers of the outermost call")
    is_equal(row(b, 1), {"c": 7, "b": 5, "a": 2}, "sandwich: callees of the outermost call")


def check_sandwich(b, url):
    b.open(url)
    click_on(b, "main")
    b.key("s")
    is_equal(row(b, 0), {"main": 7937}, "s shows the sandwich of a function")
    is_equal(row(b, -1), {"web": 7937}, "sandwich: the callers stand above")
    is_equal(row(b, 1), {"parse": 4014, "render": 2214, "read": 1709}, "sandwich: the callees stand below")
    is_equal(sum(row(b, 1).values()), 7937, "sandwich: callees and the function's own samples add up")
    b.key("ArrowDown")
    is_equal(text(b, "detail").split(" ")[0], "parse", "sandwich: down goes to the largest callee")
    b.key("Enter")
    is_equal(row(b, 2), {"lex": 3001}, "sandwich: Enter zooms into a callee")
    is_equal(row(b, -1), {"web": 7937}, "sandwich: the callers stay")
    b.open(b.run("location.href"))
    is_equal((state(b)["mode"], state(b)["zoom"]), ("sandwich", ["main", "parse"]), "sandwich: a link leads to the zoom")
    b.open(url)
    double_click(b, next(f for f in frames_of(b) if f["name"] == "query"))
    is_equal(row(b, 0), {"query": 1329}, "a double click shows the sandwich")


def double_click(b, f):
    for count in (1, 2):
        for kind in ("mousePressed", "mouseReleased"):
            b.call("Input.dispatchMouseEvent", type=kind, x=f["x"] + f["w"] / 2, y=f["y"] + 5, button="left", clickCount=count)


def check_tall(b, url):
    """The first click of two zooms, so that rows are gone and another frame is under the mouse."""
    b.open(url)
    b.run("document.getElementById('pane').scrollTop = 0")
    double_click(b, next(f for f in frames_of(b) if f["name"] == "low_35"))
    is_equal((state(b)["mode"], row(b, 0)), ("sandwich", {"low_35": 3}), "a tall graph: a double click is one of the frame that was hit")


def check_small(b, url, count):
    """What is drawn and what is too small are all that is there."""
    b.resize(1200, 1700)
    b.open(url)
    for mode in ("top", "bottom"):
        press(b, "mode-" + mode)
        shown, small = frames_of(b), state(b)["small"]
        rest = [f for f in shown if f["rest"]]
        report(len(rest) > 100, f"{mode}: there are frames of many", len(rest))
        own = sum(f["self"] for f in shown if not f["rest"])
        is_equal(own + small["value"], count, f"{mode}: drawn frames and narrow ones add up to all samples")
        report(small["value"] >= sum(f["now"] for f in rest) > 0 and small["cnt"] >= sum(f["rest"] for f in rest),
               f"{mode}: the sum has the grey frames and those below a pixel", small)
        report(f"{small['cnt']:,} frames too narrow to draw, grey: {small['value']:,} samples" in text(b, "small"),
               f"{mode}: the sum of the narrow ones is told", text(b, "small"))
    widest = max(rest, key=lambda f: f["w"])
    b.call("Input.dispatchMouseEvent", type="mouseMoved", x=widest["x"] + widest["w"] / 2, y=widest["y"] + 5)
    report(f"{widest['rest']:,} function" in text(b, "tip") and "too narrow to draw" in text(b, "tip"),
           "a grey frame tells how many functions it is", text(b, "tip"))
    check_quiet(b, "narrow frames")
    b.resize(1200, 700)


def drag(b, from_share, to_share):
    box = b.run("(r => [r.left, r.top, r.width])(document.getElementById('time').getBoundingClientRect())")
    at = dict(y=box[1] + 20, button="left", clickCount=1)
    b.call("Input.dispatchMouseEvent", type="mousePressed", x=box[0] + box[2] * from_share, **at)
    b.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + box[2] * to_share, buttons=1, **at)
    b.call("Input.dispatchMouseEvent", type="mouseReleased", x=box[0] + box[2] * to_share, **at)


def check_time(b, url):
    b.open(url)
    is_equal((state(b)["slices"], state(b)["total"]), (16, 98), "time: a page has as many slices as its profile")
    is_equal(b.run("document.getElementById('axis').hidden"), False, "time: the axis is shown")
    is_equal(b.run("window.flame.state().bars.all"), {str(i): 9 if i < 6 else 2 if i < 8 else 5 for i in range(16)},
             "time: each slice has its samples")
    click_on(b, "late")
    is_equal(b.run("window.flame.state().bars.part"), {str(i): 3 if i >= 8 else 0 for i in range(16)},
             "time: the zoomed function has its own samples in each slice")
    b.key("0")
    drag(b, 0.51, 0.99)
    is_equal((state(b)["from"], state(b)["to"], state(b)["total"]), (8, 16, 40), "time: a drag chooses a range")
    is_equal({f["name"]: f["now"] for f in frames_of(b)},
             {"all": 40, "app": 40, "main": 24, "late": 24, "deep": 24, "other": 16, "busy": 16},
             "time: the graph has the samples of the range alone")
    report("40 samples of cpu-clock in 536.9 ms" in text(b, "total"), "time: the head tells the range's total", text(b, "total"))
    b.open(b.run("location.href"))
    is_equal(state(b)["total"], 40, "time: a link keeps the range")
    press(b, "mode-list")
    is_equal(sum(number(r[0]) for r in table(b).values()), 40, "time: the table has the samples of the range alone")
    press(b, "mode-top")
    b.key("v")
    is_equal(state(b)["total"], 40000000, "time: weights of the range")
    b.key("v")
    b.key("Escape")
    is_equal(state(b)["total"], 98, "time: Escape ends the range")
    b.run("document.getElementById('time').focus()")
    b.key("Home")
    b.call("Input.dispatchKeyEvent", type="rawKeyDown", key="ArrowRight", windowsVirtualKeyCode=39, modifiers=8)
    is_equal((state(b)["from"], state(b)["to"], state(b)["total"]), (0, 2, 18), "time: Shift and arrows choose a range")
    report(text(b, "detail").startswith("67.1 ms to 134.2 ms: 9 samples"), "time: the slice at the cursor is told", text(b, "detail"))
    press(b, "whole")
    is_equal(state(b)["total"], 98, "time: the button ends the range")
    for height in (500, 900):
        b.resize(1200, height)
        b.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
        is_equal(b.run("document.getElementById('flame').clientHeight - document.getElementById('pane').clientHeight"), 0,
                 f"time: {height} px: the graph fills what the axis leaves")
        is_equal(row(b, 0), {"all": 98}, f"time: {height} px: the whole is seen")
    b.resize(1200, 700)
    check_quiet(b, "the axis of time")


def check_no_time(b, url):
    b.open(url)
    is_equal(b.run("document.getElementById('axis').hidden"), True, "a profile without times has no axis")


def check_copies(b, url):
    b.open(url)
    b.run("navigator.clipboard.writeText = t => { window.copied = t; return Promise.resolve() }")
    click_on(b, "lex")
    for key, want, what in (("c", "lex", "name"), ("C", "web\nmain\nparse\nlex", "stack"),
                            ("l", b.run("location.href"), "link")):
        b.key(key)
        is_equal(b.run("window.copied"), want, f"{key} copies the {what}")
        is_equal(text(b, "copied"), what + " copied", f"{key}: the page says that it copied")
    press(b, "mode-bottom")
    click_on(b, "lex")
    b.key("0")
    for _ in range(3):
        b.key("ArrowDown")
    b.key("C")
    is_equal(b.run("window.copied"), "main\nparse\nlex", "bottom-up: a copied stack begins with the outermost function")
    b.run("getSelection().selectAllChildren(document.getElementById('detail'))")
    report("main" in b.run("String(getSelection())"), "the detail can be selected as text", b.run("String(getSelection())"))


def check_links(b, url):
    """A link may come from anywhere: what is wrong in it is as if it were not there."""
    for bad in ("m=nosuch&v=99&z=99999.1&t=3-99&q=(&s=nosuch", "m=sandwich&f=99999", "z=-1&t=5-1&v=constructor", "m=%00&z=1.2.3.x",
                "m=sandwich&f=1&z=7.7&y=9999999999999999999"):
        b.open(url + "#" + bad)
        is_equal(state(b)["total"], 9277, f"a link with mistakes shows the whole: {bad}")
    b.open(url)
    b.run("location.hash = '#m=bottom'")
    b.wait("window.flame.state().mode === 'bottom'")
    is_equal(state(b)["mode"], "bottom", "a link that is pasted over the old one is followed")
    check_quiet(b, "links with mistakes")


def check_diff(b, url):
    b.open(url + "#m=list")
    rows = table(b)
    is_equal([rows["lex"][i] for i in (0, 2, 5)], ["3,001", "+22.35%", "+22.35%"], "a comparison: the table has the changes")
    is_equal(rows["gone"][2], "\u221230.00%", "a comparison: the table has functions that are gone")
    b.open(url + "#m=bottom&d=1")
    is_equal({f["name"]: f["old"] for f in frames_of(b) if f["row"] == 1}, {"draw_text": 606, "gone": 303, "lex": 101},
             "a comparison: bottom-up with the widths of before")
    check_quiet(b, "a comparison from the bottom up")


def check_dark(b, url):
    for scheme, dark in (("dark", True), ("light", False)):
        b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        b.open(url)
        _, _, rows = b.screenshot()
        report((sum(rows[300][600]) < 150) == dark, f"{scheme}: the background is {scheme}", rows[300][600])
    b.call("Emulation.setEmulatedMedia", features=[])


def check_huge(b, url, count):
    b.open(url)
    is_equal(state(b)["total"], count, "50,000 stacks: the whole is all samples")
    for mode in ("bottom", "list", "sandwich"):
        took = b.run(f"(() => {{ const t = performance.now(); document.getElementById('mode-{mode}').click();"
                     "window.flame.frames(); return performance.now() - t })()")
        print(f"# 50,000 stacks: {mode} after {took:.0f} ms", file=sys.stderr)
        is_equal(state(b)["mode"], mode, f"50,000 stacks: {mode} is shown")
    press(b, "mode-list")
    is_equal(b.run("document.querySelectorAll('#rows tr').length"), 500, "50,000 stacks: the table begins with 500 functions")
    left = text(b, "more")
    shown = sum(number(r[0]) for r in table(b).values())
    report(f"self {count - shown:,} samples" in left, "50,000 stacks: the other functions are summed up", left)
    press(b, "more")
    is_equal(sum(number(r[0]) for r in table(b).values()), count, "50,000 stacks: all functions add up to all samples")
    check_quiet(b, "50,000 stacks")


def main():
    folder = "file://" + os.path.realpath(sys.argv[1])
    b = Browser()
    try:
        plain = folder + "/plain.html"
        check_bottom_up(b, plain)
        check_merged(b, folder + "/recursive.html")
        check_table(b, plain)
        check_recursion(b, folder + "/recursive.html")
        check_sandwich(b, plain)
        check_tall(b, folder + "/tall.html")
        check_small(b, folder + "/large.html", int(sys.argv[2]))
        check_time(b, folder + "/timed.html")
        check_no_time(b, plain)
        check_copies(b, plain)
        check_links(b, plain)
        check_diff(b, folder + "/diff.html")
        check_dark(b, plain)
        check_huge(b, folder + "/huge.html", int(sys.argv[3]))
    finally:
        b.close()


main()
