# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""annotate_page.py DIR HOSTILE: the pane of instructions of the pages that annotate_page.sh made, as a user sees it."""
import os
import sys

from browser import Browser
from page import is_equal, report

HOSTILE = sys.argv[2]


def click_on(b, name):
    found = [f for f in b.run("window.flame.frames()") if f["name"] == name]
    f = max(found, key=lambda f: f["w"])
    b.click(f["x"] + f["w"] / 2, f["y"] + f["h"] / 2)


def code(b):
    """The function in the pane, or ""."""
    return b.run("window.flame.state().code")


def rows(b):
    """Of the pane: kind, share, count, address or line, text, and whether it is the hottest."""
    return b.run("[...document.querySelectorAll('#code-rows tr')].map(r => [r.classList[0], "
                 "...[...r.children].map(c => c.textContent), r.classList.contains('hot')])")


def is_hidden(b):
    return b.run("document.getElementById('code').hidden")


def by_samples(b):
    b.run("(() => { const v = document.getElementById('view'); v.value = [...v.options].findIndex(o => "
          "/samples/.test(o.textContent)); v.dispatchEvent(new Event('change')); })()")


def check_counts(b, folder, name, number):
    with open(os.path.join(folder, f"ours.{number}"), encoding="ascii") as f:
        want = sorted(tuple(line.split()) for line in f)
    got = sorted((r[3], r[2].replace(",", "")) for r in rows(b) if r[2])
    is_equal(got, want, f"{name}: the counts by address of report --annotate")
    total = sum(int(n) for _, n in want)
    shares = {r[3]: r[1] for r in rows(b) if r[2]}
    is_equal(shares, {a: f"{100 * int(n) / total:.2f}%" for a, n in want}, f"{name}: shares of the function's samples")
    hot = [r for r in rows(b) if r[5]]
    is_equal([int(r[2].replace(",", "")) for r in hot], [max(int(n) for _, n in want)],
             f"{name}: one row is the hottest")


def check_all(b, folder):
    url = f"file://{folder}/all.html"
    b.open(url)
    report(is_hidden(b), "the pane is closed at first")
    by_samples(b)
    click_on(b, "divides")
    is_equal(code(b), "divides", "a click on a frame opens its instructions")
    check_counts(b, folder, "the function divides", 1)
    got = rows(b)
    report(any(r[0] == "line" and "total += mix(i) / (i | 1);" in r[4] for r in got), "the source lines are between them", got[:7])
    report(any(r[0] == "func" and r[4] == "mix():" for r in got), "an inlined function is named")
    report(any(r[0] == "insn" and "div" in r[4] for r in got), "the division is an instruction")
    report(any("<divides+0x" in r[4] for r in got), "a branch names its destination")
    box = b.run("(() => { const p = document.getElementById('code-pane').getBoundingClientRect(), "
                "h = document.querySelector('#code tr.hot').getBoundingClientRect(); "
                "return [p.top, h.top, h.bottom, p.bottom] })()")
    is_equal(box, sorted(box), "the hottest row is in sight")
    b.key("Escape")
    click_on(b, HOSTILE)
    is_equal(code(b), HOSTILE, "a hostile name is a name")
    check_counts(b, folder, "a hostile name of a function", 3)
    lines = [r[4] for r in rows(b) if r[0] == "line"]
    report(any("</script><img src=x onerror=alert(2)> \\x1b[31m" in text for text in lines), "hostile source is text", lines)
    is_equal(b.run("document.querySelectorAll('img').length"), 0, "no element was made of them")
    is_equal(b.complaints, [], "nothing was complained of")
    is_equal([r for r in b.requests if r.split("#")[0] != url and not r.startswith("data:")], [], "nothing was loaded")


def check_keys(b, folder):
    b.open(f"file://{folder}/all.html")
    b.run("document.getElementById('flame').focus()")
    for _ in range(7):
        if "divides" in b.run("document.getElementById('detail').textContent"):
            break
        b.key("ArrowUp")
    b.key("a")
    first = code(b)
    report(first != "", "a opens the instructions of the selected function", first)
    is_equal(b.run("document.activeElement.id"), "code-pane", "the pane has the focus")
    b.run("document.getElementById('code-pane').scrollTop = 0")
    b.key("ArrowDown")
    is_equal(code(b), first, "arrows stay in the pane")
    b.key("a")
    report(is_hidden(b), "a closes the pane")
    is_equal(b.run("document.activeElement.id"), "flame", "the focus is back at the graph")
    b.key("a")
    b.key("Escape")
    report(is_hidden(b), "Escape closes the pane")
    b.key("3")
    b.run("[...document.querySelectorAll('#rows tr')].find(r => r.textContent.includes('left')).click()")
    is_equal(code(b), "left", "a click on a row of the table opens its instructions")
    address = b.run("location.href")
    b.open(address)
    is_equal(code(b), "left", "a link to the page keeps the function")
    b.run("getSelection().selectAllChildren(document.getElementById('code-rows'))")
    report("xor" in b.run("getSelection().toString()"), "the text can be selected")
    b.run("document.execCommand = () => { window.taken = document.querySelector('textarea').value; return true }; "
          "Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    b.run("document.getElementById('code-copy').click()")
    report(" : " in b.run("window.taken") and "xor" in b.run("window.taken"), "a button copies the rows", b.run("window.taken"))
    b.run("document.getElementById('code-close').click()")
    report(is_hidden(b), "a button closes the pane")


def check_dark(b, folder):
    b.open(f"file://{folder}/all.html")
    click_on(b, "divides")
    color = "getComputedStyle(document.querySelector('#code tr.hot')).backgroundColor"
    light = b.run(color)
    b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    report(b.run(color) != light, "the hottest row has another colour in the dark", light)
    b.call("Emulation.setEmulatedMedia", features=[])


def check_others(b, folder):
    b.open(f"file://{folder}/one.html")
    click_on(b, "left")
    report(is_hidden(b), "a function without instructions opens nothing")
    b.key("a")
    report("no instructions of it are in this page" in b.run("document.getElementById('copied').textContent"),
           "a says that there are none")
    click_on(b, "all")
    click_on(b, "divides")
    is_equal(code(b), "divides", "the function that was asked for has instructions")
    click_on(b, "all")
    b.open(f"file://{folder}/none.html")
    click_on(b, "divides")
    report(is_hidden(b), "a page without --annotate has no pane")
    is_equal(b.run("document.getElementById('code-keys').hidden"), True, "a page without --annotate names no keys of it")
    is_equal(b.complaints, [], "nothing was complained of in the end")


browser = Browser()
try:
    check_all(browser, sys.argv[1])
    check_keys(browser, sys.argv[1])
    check_dark(browser, sys.argv[1])
    check_others(browser, sys.argv[1])
finally:
    browser.close()
