# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Opens, uses and closes files of all kinds."""
import os
import signal
import socket
import sys


def pair(family, address, kind=socket.SOCK_STREAM):
    server = socket.socket(family, kind)
    server.bind(address)
    server.listen(3)
    client = socket.socket(family, kind)
    client.connect(server.getsockname())
    end, _ = server.accept()
    end.send(b"x")
    client.recv(3)
    client.shutdown(1)
    client.close()
    end.recv(3)
    end.close()
    server.close()


def unix_sockets():
    path = os.path.join(sys.argv[1], "socket")
    pair(socket.AF_UNIX, path)
    os.unlink(path)
    server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    server.bind('\0abs\x01"t')
    server.getsockname()
    client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    client.connect('\0abs\x01"t')
    client.send(b"x")
    client.close()
    server.close()
    a, b = socket.socketpair()
    a.send(b"x")
    b.recv(2)
    b.close()
    a.getsockname()
    a.close()


def other_sockets():
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.sendto(b"x", ("127.0.0.1", 9))
    udp.close()
    udp = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    udp.bind(("::1", 0))
    udp.getsockname()
    udp.close()
    for protocol in 0, 4, 16:
        netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol)
        netlink.bind((0, 0))
        netlink.close()
    packet = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0x300)
    packet.close()
    raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)
    raw.close()


def files():
    null = os.open("/dev/null", os.O_RDWR)
    os.write(null, b"x")
    os.close(os.dup(null))
    os.dup2(null, 9)
    os.close(null)
    r, w = os.pipe()
    os.write(w, b"x")
    os.dup2(w, 9)
    for fd in r, w, 9:
        os.close(fd)
    pid = os.pidfd_open(os.getpid())
    signal.pidfd_send_signal(pid, 0)
    os.close(pid)
    path = os.path.join(sys.argv[1], 'a"<b>')
    fd = os.open(path, os.O_CREAT | os.O_RDWR)
    os.write(fd, b"x")
    os.unlink(path)
    os.write(fd, b"x")
    os.close(fd)
    for fd in os.memfd_create('m"x'), os.eventfd(3):
        os.write(fd, b"12345678")
        os.close(fd)


pair(socket.AF_INET, ("127.0.0.1", 0))
pair(socket.AF_INET6, ("::1", 0))
unix_sockets()
other_sockets()
files()
