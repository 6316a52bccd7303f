#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""store_server.py DIR [RULE…]: an HTTP server as a store, on a free port of 127.0.0.1.

DIR/port has the port once it listens. Each request that is answered with 200 leaves its body in
DIR/got-N and its path in DIR/paths; every request its number and the answer in DIR/log. RULEs
answer the first requests, one each; "*" before the last one: all further ones. A RULE is a status,
a status with a Retry-After in seconds (429:1), `partial` (200 with a rejected profile), `drop`
(reads the request, keeps its body, closes without an answer), `cut` (closes before the body was
read), `slow:SEC` (200 after a time), `ok`. Before the rules may stand
`tls=CERT,KEY` (https), `port=N` (that port), `any` (all addresses of this machine), and `forward=URL`: requests go on to that server, from which the
answers come; all bodies are kept.
"""
import http.server
import os
import socket
import ssl
import sys
import time
import urllib.error
import urllib.request

top = sys.argv[1]
rules = sys.argv[2:]
tls = rules.pop(0)[4:].split(",") if rules and rules[0].startswith("tls=") else None
forward = rules.pop(0)[8:] if rules and rules[0].startswith("forward=") else None
port = int(rules.pop(0)[5:]) if rules and rules[0].startswith("port=") else 0
any_host = bool(rules and rules[0] == "any" and rules.pop(0))
count = 0


def next_rule():
    if not rules:
        return "ok"
    if rules[0] == "*":
        return rules[1]
    return rules.pop(0)


def note(name, text):
    with open(os.path.join(top, name), "a", encoding="utf-8") as f:
        f.write(text + "\n")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for key, value in headers:
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def keep(self, kind, body):
        with open(os.path.join(top, f"{kind}-{count:04}"), "wb") as f:
            f.write(body)

    def pass_on(self, body):
        headers = {k: v for k, v in self.headers.items() if k.startswith("Content-") and k != "Content-Length"}
        request = urllib.request.Request(forward + self.path, body, headers)
        try:
            with urllib.request.urlopen(request) as got:
                status, text = got.status, got.read()
        except urllib.error.HTTPError as err:
            status, text = err.code, err.read()
        except OSError as err:
            status, text = 502, str(err).encode()
        # A node that dies may have taken what it does not answer.
        if body:
            self.keep("got", body)
        self.answer(status, text)

    def do_GET(self):
        self.pass_on(None)

    def do_POST(self):
        global count
        rule = next_rule()
        count += 1
        note("log", f"{count} {rule}")
        if rule == "cut":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.close_connection = True
            self.connection.close()
            return
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if rule == "drop":
            self.keep("dropped", body)
            self.close_connection = True
            return
        if forward:
            self.pass_on(body)
            return
        if rule.startswith("slow:"):
            time.sleep(float(rule[5:]))
            rule = "ok"
        if rule in ("ok", "partial"):
            self.keep("got" if rule == "ok" else "partial", body)
            note("paths", self.path)
            note("headers", repr(sorted(self.headers.items())))
            part = b"\x0a\x0d\x08\x01\x12\x09too large" if rule == "partial" else b""
            self.answer(200, part, [("Content-Type", "application/x-protobuf")])
            return
        status, _, after = rule.partition(":")
        self.answer(int(status), b"no\n", [("Retry-After", after)] if after else [])


class Server(http.server.HTTPServer):
    def handle_error(self, request, client_address):
        note("log", f"{count} ended: {sys.exc_info()[1]}")


server = Server(("" if any_host else "127.0.0.1", port), Handler)
if tls:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*tls)
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(os.path.join(top, "port.new"), "w", encoding="utf-8") as f:
    f.write(str(server.server_port))
os.rename(os.path.join(top, "port.new"), os.path.join(top, "port"))
server.serve_forever()
