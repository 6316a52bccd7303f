# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""A headless Chromium, driven through its DevTools pipe: file descriptors 3 and 4, one JSON
message each, ended by NUL. Needs nothing but Python and Chromium."""
import base64
import json
import os
import select
import signal
import struct
import subprocess
import tempfile
import time
import zlib

LIMIT_S = 60


class BrowserError(Exception):
    """What the browser or the page had to complain."""


def png_pixels(data):
    """Width, height and rows of (r, g, b) of an 8-bit RGB or RGBA image."""
    at, idat, head = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            idat += body
        at += size + 12
    width, height, depth, color, _, _, interlace = head
    assert depth == 8 and color in (2, 6) and not interlace, head
    step = 3 if color == 2 else 4
    raw, line, rows = zlib.decompress(idat), width * step, []
    before = bytearray(line)
    for y in range(height):
        kind = raw[y * (line + 1)]
        cur = bytearray(raw[y * (line + 1) + 1:(y + 1) * (line + 1)])
        for i in range(line):
            left = cur[i - step] if i >= step else 0
            up = before[i]
            corner = before[i - step] if i >= step else 0
            if kind == 1:
                add = left
            elif kind == 2:
                add = up
            elif kind == 3:
                add = (left + up) // 2
            elif kind == 4:
                est = left + up - corner
                add = min((abs(est - left), 0, left), (abs(est - up), 1, up),
                          (abs(est - corner), 2, corner))[2]
            else:
                break
            cur[i] = (cur[i] + add) & 255
        rows.append([tuple(cur[i:i + 3]) for i in range(0, line, step)])
        before = cur
    return width, height, rows


class Browser:
    """One page. `complaints` gathers uncaught errors, console errors and dialogs; `requests` URLs."""

    def __init__(self, width=1200, height=700):
        self.profile = tempfile.TemporaryDirectory(prefix="bpfperf-browser.")
        to_read, self.to = os.pipe()
        self.back, back_write = os.pipe()

        def pipes():
            # Both away from where they are to go, in whatever order they came.
            a, b = os.dup(to_read), os.dup(back_write)
            a, b = os.dup2(a, 20), os.dup2(b, 21)
            os.dup2(20, 3)
            os.dup2(21, 4)

        # pylint: disable=subprocess-popen-preexec-fn,consider-using-with
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb",
             "--enable-unsafe-swiftshader", "--remote-debugging-pipe",
             "--user-data-dir=" + self.profile.name, f"--window-size={width},{height}",
             "about:blank"],
            close_fds=False, preexec_fn=pipes, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_read)
        os.close(back_write)
        self.buf, self.last_id, self.session = b"", 0, None
        self.complaints, self.requests = [], []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)

    def close(self):
        """Ends it, with all its processes."""
        os.close(self.to)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.back)
        # Its last writes may still come.
        self.profile._rmtree(self.profile.name, ignore_errors=True)

    def _event(self, msg):
        kind, p = msg.get("method"), msg.get("params", {})
        if kind == "Runtime.exceptionThrown":
            d = p["exceptionDetails"]
            self.complaints.append(d.get("exception", {}).get("description") or d["text"])
        elif kind == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value")) for a in p["args"]))
        elif kind == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
            self.complaints.append(p["entry"]["text"])
        elif kind == "Page.javascriptDialogOpening":
            self.complaints.append("dialog: " + p["message"])
        elif kind == "Network.requestWillBeSent":
            self.requests.append(p["request"]["url"])

    def _receive(self, end):
        while b"\0" not in self.buf:
            if not select.select([self.back], [], [], max(0, end - time.monotonic()))[0]:
                raise BrowserError("no answer")
            data = os.read(self.back, 1 << 20)
            if not data:
                raise BrowserError("the browser is gone")
            self.buf += data
        msg, self.buf = self.buf.split(b"\0", 1)
        return json.loads(msg)

    def call(self, method, **params):
        """One command; events that come before its answer are noted."""
        self.last_id += 1
        msg = {"id": self.last_id, "method": method, "params": params}
        if self.session:
            msg["sessionId"] = self.session
        data = json.dumps(msg).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        end = time.monotonic() + LIMIT_S
        while True:
            got = self._receive(end)
            if got.get("id") == self.last_id:
                if "error" in got:
                    raise BrowserError(f"{method}: {got['error']['message']}")
                return got["result"]
            self._event(got)

    def open(self, url):
        """Loads a page, to its load event."""
        self.requests.clear()
        # A page that is loaded already is not loaded again for another #….
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.wait(f"document.readyState === 'complete' && location.href.startsWith({json.dumps(url.split('#')[0])})")

    def run(self, expr):
        """The value of a JavaScript expression."""
        got = self.call("Runtime.evaluate", expression=expr, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise BrowserError(f"{expr}: {got['exceptionDetails']}")
        return got["result"].get("value")

    def wait(self, expr):
        """Until an expression is true; it is looked at after each frame that the page draws."""
        return self.run("new Promise((yes, no) => { const end = Date.now() + %d; const look = () => { let v; "
                        "try { v = (%s) } catch (e) { v = false } "
                        "if (v) yes(v); else if (Date.now() > end) no(new Error('never')); "
                        "else setTimeout(look, 15); }; look(); })" % (LIMIT_S * 500, expr))

    def resize(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=False)

    def click(self, x, y):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                      button="none" if kind == "mouseMoved" else "left", clickCount=1)

    def key(self, key):
        """A key by its DOM name, such as "a" or "Enter"."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        codes = {"Enter": 13, "Escape": 27, "Backspace": 8, "ArrowLeft": 37, "ArrowUp": 38,
                 "ArrowRight": 39, "ArrowDown": 40}
        base = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **base)
        self.call("Input.dispatchKeyEvent", type="keyUp", **base)

    def type(self, text):
        for c in text:
            self.key(c)

    def screenshot(self):
        """Width, height and rows of pixels of what is seen."""
        # Two frames: what was asked for is drawn with the next one.
        self.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
        shot = self.call("Page.captureScreenshot", format="png")
        return png_pixels(base64.b64decode(shot["data"]))
