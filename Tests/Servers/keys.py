"""Presses keys in a program on a terminal: keys.py STEPS PROGRAM ARGUMENTS...

STEPS is a JSON array: {"see": TEXT} waits for the text on the terminal after the last match, {"type": TEXT} types it, and
{"run": [PROGRAM, ARGUMENTS...], "env": {...}, "input": TEXT} runs another program meanwhile. The terminal's output is printed
without colours and cursor movements; the status is the program's, or 99 if a text was never seen."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

with open(sys.argv[1], encoding="utf-8") as file:
    steps = json.load(file)
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
got, mark = b"", 0


def text():
    return re.sub(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[=>]|\r", "", got.decode(errors="replace"))


def read(patience):
    """Whether the program is still running."""
    global got
    if not select.select([terminal], [], [], patience)[0]:
        return True
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        return False
    got += piece
    return bool(piece)


def fail(why):
    print(text() + f"\n({why})")
    os.kill(child, 9)
    sys.exit(99)


for step in steps:
    if "see" in step:
        end = time.monotonic() + 30
        while text().find(step["see"], mark) < 0:
            if not read(0.1) or time.monotonic() > end:
                fail(f"never seen: {step['see']}")
        mark = text().find(step["see"], mark) + len(step["see"])
    elif "type" in step:
        os.write(terminal, step["type"].encode())
    else:
        done = subprocess.run(step["run"], env={**os.environ, **step.get("env", {})}, input=step.get("input", "").encode(),
                              capture_output=True)
        if done.returncode:
            fail(f"{step['run']}: {done.stderr.decode()}")
end = time.monotonic() + 30
while time.monotonic() < end and read(0.2):
    pass
print(text())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
