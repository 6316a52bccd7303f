# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""flame_page.py DIR COUNT: looks at the pages that flame.sh made, as a user would."""
import os
import sys

from browser import Browser
from page import is_equal, is_near, report

BACKGROUND = (255, 255, 255)
MAGENTA = (230, 0, 230)


def frames_of(b):
    return b.run("window.flame.frames()")


def frame(b, name):
    """The largest frame of a name on the screen, or None."""
    found = [f for f in frames_of(b) if f["name"] == name]
    return max(found, key=lambda f: f["w"], default=None)


def click_on(b, name):
    f = frame(b, name)
    b.click(f["x"] + f["w"] / 2, f["y"] + f["h"] / 2)


def text(b, element):
    return b.run(f"document.getElementById('{element}').textContent")


def pixel_in(shot, f):
    """The colour of a frame on the screenshot: at its left edge, where no text is."""
    _, _, rows = shot
    return rows[int(f["y"] + f["h"] / 2)][int(f["x"] + 1)]


def is_close(a, b, by=3):
    return all(abs(x - y) <= by for x, y in zip(a, b))


def check_text_fits(b, what):
    """No label is wider than its frame; in the gaps between frames no text is drawn."""
    shown = frames_of(b)
    labelled = [f for f in shown if f["label"]]
    report(labelled, f"{what}: frames carry their names")
    wide = [f for f in labelled if f["labelWidth"] > f["w"] - 4]
    is_equal([f["name"] for f in wide], [], f"{what}: no name is wider than its frame")
    cut = [f for f in labelled if f["label"] != f["name"]]
    report(all(f["label"].endswith("..") for f in cut), f"{what}: cut names say so", cut[:2])
    width, height, rows = b.screenshot()
    stained = []
    for f in labelled:
        x = round(f["x"] + f["w"]) - 1
        if f["w"] <= 3 or not 0 <= x < width - 1 or f["y"] < 100:
            continue
        for y in range(int(f["y"]) + 2, min(int(f["y"] + f["h"]) - 1, height)):
            # Text is black: nothing as dark may be between the frames.
            if sum(rows[y][x]) < 200:
                stained.append((f["name"], x, y, rows[y][x]))
                break
    is_equal(stained, [], f"{what}: no text runs over the edge of its frame")


def check_quiet(b, url, what):
    is_equal(b.complaints, [], f"{what}: nothing was complained of")
    is_equal([r for r in b.requests if r.split("#")[0] != url and not r.startswith("data:")], [],
             f"{what}: nothing was loaded")


def check_picture(b, url):
    b.open(url)
    total = 9277
    root = frame(b, "all")
    is_equal(root["now"], total, "the whole is the sum of the counts")
    for name, count in (("web", 7937), ("main", 7937), ("parse", 4014), ("lex", 3001), ("vfs_read", 1709),
                        ("db", 1340), ("scan", 911)):
        f = frame(b, name)
        is_near(f["w"], root["w"] * count / total, 0.51, f"{name} is as wide as its share")
    inner, outer = frame(b, "lex"), frame(b, "parse")
    report(outer["x"] <= inner["x"] and inner["x"] + inner["w"] <= outer["x"] + outer["w"] + 0.01,
           "a callee stands within its caller")
    report(inner["y"] < outer["y"], "a callee stands above its caller")
    shot = b.screenshot()
    for name in ("web", "parse", "lex", "vfs_read", "scan"):
        f = frame(b, name)
        report(is_close(pixel_in(shot, f), f["color"]), f"{name} has its colour on the screen",
               (pixel_in(shot, f), f["color"]))
    red, green, blue = pixel_in(shot, frame(b, "vfs_read"))
    report(red > 220 and 110 < green < 165 and blue < 90, "the kernel is orange", (red, green, blue))
    red, green, blue = pixel_in(shot, frame(b, "lex"))
    report(red > 220 and green > 180 and blue < 130, "user code is yellow", (red, green, blue))
    is_equal(shot[2][int(root["y"]) + 30][600], BACKGROUND, "below the whole is nothing")
    report("9277 samples" in text(b, "summary") and "0 lost" in text(b, "summary"),
           "the recording is told", text(b, "summary"))
    check_text_fits(b, "wide")


def check_zoom(b):
    root = frame(b, "all")
    click_on(b, "parse")
    f = frame(b, "parse")
    is_near(f["w"], root["w"], 0.01, "a click zooms to the whole width")
    is_near(frame(b, "lex")["w"], root["w"] * 3001 / 4014, 0.51, "a click on a frame: callees keep their shares of it")
    is_equal(frame(b, "db"), None, "a click on a frame: others are gone")
    is_near(frame(b, "main")["w"], root["w"], 0.01, "a click on a frame: callers stay at full width")
    report("43.27%" in text(b, "detail") and "4,014 samples" in text(b, "detail"), "a click on a frame: its figures are shown",
           text(b, "detail"))
    check_text_fits(b, "zoomed")
    b.key("Escape")
    is_near(frame(b, "parse")["w"], root["w"] * 4014 / 9277, 0.51, "Escape resets the zoom")
    click_on(b, "parse")
    b.run("document.getElementById('reset').click()")
    report(frame(b, "db") is not None, "the button resets")


def check_search(b):
    b.key("/")
    b.type("lex|SCAN")
    is_equal(text(b, "matched"), "matched 42.17%", "a search tells its share")
    shot = b.screenshot()
    for name, hit in (("lex", True), ("scan", True), ("parse", False), ("db", False)):
        report(is_close(pixel_in(shot, frame(b, name)), MAGENTA) == hit,
               f"{name} is {'' if hit else 'not '}highlighted", pixel_in(shot, frame(b, name)))
    b.key("Escape")
    is_equal(text(b, "matched"), "", "Escape ends the search")
    report(not is_close(pixel_in(b.screenshot(), frame(b, "lex")), MAGENTA), "Escape ends the highlights of the search")
    b.key("/")
    b.type("parse|lex")
    is_equal(text(b, "matched"), "matched 43.27%", "a match within a match counts once")
    b.key("Enter")
    b.key("n")
    report("lex" in text(b, "detail") or "parse" in text(b, "detail"), "n goes to the next match")
    b.key("Escape")
    b.key("/")
    b.type("libgl.so+0x12]")
    is_equal(text(b, "matched"), "matched 0.00%", "what is a regular expression is taken as one")
    b.key("Escape")
    b.key("/")
    b.type("[libgl")
    is_equal(text(b, "matched"), "matched 2.27%", "what is none is taken as text")
    b.key("Escape")


def check_keys(b):
    b.run("document.getElementById('reset').click()")
    b.run("document.getElementById('flame').focus()")
    for key, name in (("ArrowUp", "web"), ("ArrowUp", "main"), ("ArrowUp", "parse"), ("ArrowRight", "render"),
                      ("ArrowLeft", "parse"), ("ArrowUp", "lex"), ("ArrowDown", "parse")):
        b.key(key)
        is_equal(text(b, "detail").split(" ")[0], name, f"{key} goes to {name}")
    b.key("Enter")
    is_near(frame(b, "parse")["w"], frame(b, "all")["w"], 0.01, "Enter zooms to the frame")
    b.key("Backspace")
    is_near(frame(b, "main")["w"], frame(b, "all")["w"], 0.01, "Backspace zooms out to the caller")
    report(frame(b, "render") is not None, "where its other callees are")
    b.key("0")
    above = frame(b, "lex")["y"] < frame(b, "all")["y"]
    b.key("i")
    report(above and frame(b, "lex")["y"] > frame(b, "all")["y"], "i turns the picture over")
    b.key("i")
    b.key("?")
    is_equal(b.run("document.getElementById('keys').hidden"), False, "? shows the keys")
    b.key("Escape")
    is_equal(b.run("document.getElementById('keys').hidden"), True, "Escape hides them")


def check_memory(b, url):
    """What the address keeps is there again after a reload."""
    click_on(b, "render")
    b.key("/")
    b.type("draw")
    again = b.run("location.href")
    b.open(again)
    is_equal(text(b, "matched"), "matched 21.59%", "a reload keeps the search")
    is_near(frame(b, "render")["w"], frame(b, "all")["w"], 0.01, "a reload keeps the zoom")
    b.open(url)


def check_sizes(b, url):
    for width, height, scale in ((500, 400, 1), (1700, 900, 2)):
        b.resize(width, height, scale)
        b.open(url)
        is_near(frame(b, "all")["w"], width, 1, f"{width} px: the whole fills the window")
        if scale == 1:
            check_text_fits(b, f"{width} px")
        is_equal(b.run("document.getElementById('flame').width"),
                 round(b.run("document.getElementById('pane').clientWidth") * scale),
                 f"{width} px: as sharp as the screen")
    b.resize(1200, 700)


def check_hostile(b, url):
    b.open(url)
    evil = "b<i>&\"q\"</script><img src=x onerror=alert(1)>"
    f = frame(b, evil)
    report(f is not None, "a name of markup is a name")
    report(frame(b, "gr\u00f6\u00dfe_\u6e2c\u8a66") is not None, "a name beyond ASCII too")
    is_equal(b.run("document.images.length"), 0, "a name of markup makes no elements")
    b.run("document.getElementById('reset').click()")
    click_on(b, evil)
    report(evil in text(b, "detail"), "a name of markup is shown literally", text(b, "detail"))
    check_quiet(b, url, "hostile names")


def check_off_cpu(b, url):
    b.open(url)
    shot = b.screenshot()
    red, green, blue = pixel_in(shot, frame(b, "wait_for_it"))
    report(blue > 220 and red < 140, "a frame off the CPU is blue", (red, green, blue))
    red, green, blue = pixel_in(shot, frame(b, "work"))
    report(red > 220 and blue < 130, "a frame on the CPU is not blue", (red, green, blue))
    f = frame(b, "main")
    is_near(f["off"] / f["now"], 0.7, 0.0001, "the share off the CPU of a frame of both")
    red, green, blue = pixel_in(shot, f)
    report(100 < red < 200 and 120 < blue < 220, "a frame of both stands between the colours", (red, green, blue))
    click_on(b, "main")
    report("70.00% of it off CPU" in text(b, "detail") and "10.000 s" in text(b, "detail"), "a frame of both: the detail has its off-CPU share",
           text(b, "detail"))
    is_equal(b.run("document.getElementById('view').options.length"), 7, "there are seven ways to look at it")
    b.run("document.getElementById('view').value = 4;"
          "document.getElementById('view').dispatchEvent(new Event('change'))")
    is_equal(b.run("window.flame.state().total"), 7000000000, "the view of time off the CPU alone")
    b.key("v")
    report(b.run("window.flame.state().view") == 5, "v changes to the next view")
    check_quiet(b, url, "on and off CPU")


def check_diff(b, url):
    b.open(url)
    shot = b.screenshot()
    red, green, blue = pixel_in(shot, frame(b, "lex"))
    report(red > 200 and green < red - 30 and blue < red - 30, "a frame that grew is red", (red, green, blue))
    red, green, blue = pixel_in(shot, frame(b, "draw_text"))
    report(blue > 200 and red < blue - 30, "a frame that shrank is blue", (red, green, blue))
    click_on(b, "lex")
    report("change +" in text(b, "detail") and "before 10.00%" in text(b, "detail"), "a comparison: the detail has the change",
           text(b, "detail"))
    b.key("0")
    is_equal(frame(b, "gone"), None, "a frame that is gone has no width")
    b.key("d")
    is_near(frame(b, "gone")["w"], frame(b, "all")["w"] * 0.3, 0.51, "a frame that is gone had a width before")
    check_quiet(b, url, "a comparison")


def check_empty(b, url):
    b.open(url)
    is_equal([f["name"] for f in frames_of(b)], ["all"], "nothing is still a page")
    check_quiet(b, url, "nothing")


def check_large(b, url, count):
    b.open(url)
    is_equal(b.run("window.flame.state().total"), count, "a large profile is whole")
    shown = len(frames_of(b))
    report(500 < shown < 60000, "a large profile: only visible frames are drawn", shown)
    check_text_fits(b, "large")
    took = b.run("(() => { const t = performance.now(); window.flame.frames(); return performance.now() - t })()")
    print(f"# {shown} frames drawn in {took:.1f} ms", file=sys.stderr)
    check_quiet(b, url, "a large profile")


def main():
    folder = "file://" + os.path.realpath(sys.argv[1])
    b = Browser()
    try:
        url = folder + "/plain.html"
        check_picture(b, url)
        check_zoom(b)
        check_search(b)
        check_keys(b)
        check_memory(b, url)
        check_sizes(b, url)
        check_quiet(b, url, "the page")
        check_hostile(b, url)
        check_off_cpu(b, folder + "/both.html")
        check_diff(b, folder + "/diff.html")
        check_empty(b, folder + "/empty.html")
        check_large(b, folder + "/large.html", int(sys.argv[2]))
    finally:
        b.close()


main()
