#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""until.py EVENT ACTION COMMAND... - run a command, and do something as soon as something has
happened, however long that takes.

EVENT is a word of the bar that the command draws ("search", "loss": there is a valid result), for
its standard error is a terminal here; or "asleep": it waits for another process; or "writing": it
has written 64 kB; or "packing": it has two temporary files. ACTION is for the shell, with $pid; the
command is stopped meanwhile. Printed: the exit status as a shell counts it, and standard error
without bars. A command that ends before the event, or gets nowhere near it in ten minutes, is
reported to have done so.
"""

import os, pty, re, select, signal, subprocess, sys, time

LIMIT = 600.0
LOOKS = 10  # a tenth of a second apart: is it still asleep?


def look(pid, name):
    try:
        with open("/proc/%d/%s" % (pid, name)) as file:
            return file.read()
    except OSError:
        return ""


def catches_signals(pid):
    caught = re.search(r"SigCgt:\s*([0-9a-f]+)", look(pid, "status"))
    return caught is not None and int(caught.group(1), 16) & 1 << 14 != 0  # 15, SIGTERM


def temporary_files(pid):
    n = 0
    for name in os.listdir("/proc/%d/fd" % pid):
        try:
            n += (
                re.search(
                    r"/#\d+ \(deleted\)$|\.shoal-", os.readlink("/proc/%d/fd/%s" % (pid, name))
                )
                is not None
            )
        except OSError:
            pass  # closed meanwhile
    return n


class Watch:
    def __init__(self, event):
        self.event, self.naps = event, 0

    def has_come(self, pid, said):
        if self.event == "writing":
            written = re.search(r"wchar: (\d+)", look(pid, "io"))
            return written is not None and int(written.group(1)) >= 1 << 16
        if self.event == "packing":
            return temporary_files(pid) >= 2
        if self.event != "asleep":
            return self.event.encode() in said
        state = look(pid, "stat").rpartition(")")[2].split()
        self.naps = self.naps + 1 if state[:1] == ["S"] and catches_signals(pid) else 0
        return self.naps >= LOOKS


def drain(terminal, seconds):
    """What the command says within so many seconds; None when it has closed its standard error."""
    if not select.select([terminal], [], [], seconds)[0]:
        return b""
    try:
        return os.read(terminal, 1 << 16) or None
    except OSError:  # Linux says EIO where the other end is closed
        return None


def hear_signals():
    """Whatever the tests were started with: nohup ignores one, a shell's & another."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def main():
    event, action, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(command, stderr=theirs, preexec_fn=hear_signals)
    os.close(theirs)
    watch, said, acted, end = Watch(event), b"", False, time.monotonic() + LIMIT
    while True:
        more = drain(terminal, 0.1 if event == "asleep" else 0.01)
        if more is None:
            break
        said += more
        if not acted and watch.has_come(process.pid, said):
            process.send_signal(signal.SIGSTOP)
            subprocess.call(["sh", "-c", action], env=dict(os.environ, pid=str(process.pid)))
            process.send_signal(signal.SIGCONT)
            acted = True
        if time.monotonic() > end:
            process.kill()
    code = process.wait()
    if not acted:
        print("%s: it did not come to that" % event)
    print(code if code >= 0 else 128 - code)
    said = re.sub(
        r"\r\x1b\[K(\w+ +(\.\.\.|[#.]{30})[^\r\n]*)?", "", said.decode("utf-8", "replace")
    )
    sys.stdout.write(re.sub(r"\r|\x1b\[[0-9;]*m", "", said))


main()
