#!/usr/bin/python3
"""Runs a command under docker/seccomp-fetcher.json as Docker would apply it, without Docker.

Usage: docker/try-seccomp.py COMMAND …        needs Debian's python3-seccomp
Prints first whether a forbidden call is refused: `mount` in a new user namespace, which works without the profile.
System calls unknown to this machine's libseccomp are left out and listed, as Docker does.
"""

import ctypes
import errno
import json
import os
import sys

import seccomp

CLONE_NEWUSER = 0x10000000
CLONE_NEWNS = 0x00020000


def load(profile):
    rules = seccomp.SyscallFilter(defaction=seccomp.ALLOW)
    unknown = []
    for group in profile["syscalls"]:
        for name in group["names"]:
            try:
                rules.add_rule(seccomp.ERRNO(group["errnoRet"]), name)
            except (RuntimeError, ValueError, OSError):
                unknown.append(name)
    rules.load()
    return unknown


def mount_is_refused():
    """In a child process, because it creates namespaces."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0:
        os._exit(2)
    done = libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)
    os._exit(0 if done != 0 and ctypes.get_errno() == errno.EPERM else 1)


def main():
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "seccomp-fetcher.json")
    with open(file, encoding="utf8") as text:
        profile = json.load(text)
    before = mount_is_refused()
    unknown = load(profile)
    print(f"mount refused without the profile: {before}, with it: {mount_is_refused()}", file=sys.stderr)
    print(f"not known to this libseccomp: {', '.join(unknown) or 'none'}", file=sys.stderr)
    sys.stderr.flush()
    os.execvp(sys.argv[1], sys.argv[1:])


main()
